"""Writes the report of a run: one CSV line for each item, without requests."""

import os
from collections.abc import Iterable
from datetime import UTC, datetime

from .._csv import safe_text, write_rows
from ..errors import BulkError
from ._ledger.entries import Entry
from ._ledger.records import decoded

HEAD = (
    "key", "operation", "state", "outcome", "error_class", "error", "request_id", "trace_id", "attempts", "added_at",
    "sent_at", "ended_at", "verdict", "note", "amount", "currency", "receipt",
)  # fmt: skip


_RECEIPTS = ("transactionReferenceId", "transaction_reference_id", "id", "vid")
"""The fields of a result that can contain the ID of the receipt, in order of preference."""
_PROCESS_DIED = "the process that sent the item ended before it recorded the outcome"


def write_report(path: str | os.PathLike[str], entries: Iterable[Entry]) -> int:
    """Write the report to a file that only its owner can read, and that is either complete or unchanged.

    Returns:
        The number of items in the report.

    Raises:
        BulkError: The file can't be written.
    """
    try:
        return write_rows(path, HEAD, map(_line, entries))
    except OSError as error:
        raise BulkError(f"the report can't be written: {error.strerror}; pass another path") from None


def _line(entry: Entry) -> list[str | int]:
    return [safe_text(cell) if isinstance(cell, str) else cell for cell in _cells(entry)]


def _cells(entry: Entry) -> tuple[str | int, ...]:
    return (
        entry.key, entry.operation, entry.state, *_error(entry),
        entry.request_id or "", entry.trace_id or "", entry.attempts, _time(entry.added_at), _time(entry.sent_at),
        _time(entry.ended_at), entry.verdict or "", entry.note or "", *_money(entry),
    )  # fmt: skip


def _error(entry: Entry) -> tuple[str, str, str]:
    """Return the outcome, the class, and the text of an item's error."""
    if entry.is_known_since:
        return "", "", ""
    if entry.outcome == "unknown" and entry.error_type is None:
        return entry.outcome, "", _PROCESS_DIED
    return entry.outcome or "", entry.error_type or "", entry.error_text or ""


def _money(entry: Entry) -> tuple[str, str, str]:
    """Return the amount, the currency, and the receipt of a done item; otherwise, return empty strings."""
    if entry.state != "done":
        return "", "", ""
    result = decoded(entry.result)
    receipt = next((each for name in _RECEIPTS if isinstance(each := result.get(name), str)), "")
    return entry.amount or "", entry.currency or "", receipt


def _time(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
