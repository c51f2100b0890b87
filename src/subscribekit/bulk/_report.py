"""The report of a run: one line of CSV for each item, without what was sent."""

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
"""Names of a result's receipt, the best first."""


def write_report(path: str | os.PathLike[str], entries: Iterable[Entry]) -> int:
    """Write the report; the file is readable for its owner alone, and there as a whole or not at all.

    Returns:
        How many items are in it.

    Raises:
        BulkError: The file cannot be written.
    """
    try:
        return write_rows(path, HEAD, map(_line, entries))
    except OSError as error:
        raise BulkError(f"the report cannot be written: {error.strerror}") from None


def _line(entry: Entry) -> list[str | int]:
    return [safe_text(cell) if isinstance(cell, str) else cell for cell in _cells(entry)]


def _cells(entry: Entry) -> tuple[str | int, ...]:
    error = (entry.outcome or "", entry.error_type or "", entry.error_text or "")
    if entry.is_known_since:
        error = ("", "", "")
    return (
        entry.key, entry.operation, entry.state, *error,
        entry.request_id or "", entry.trace_id or "", entry.attempts, _time(entry.added_at), _time(entry.sent_at),
        _time(entry.ended_at), entry.verdict or "", entry.note or "", *_money(entry),
    )  # fmt: skip


def _money(entry: Entry) -> tuple[str, str, str]:
    """Give amount, currency and receipt of what is done."""
    if entry.state != "done":
        return "", "", ""
    result = decoded(entry.result)
    receipt = next((each for name in _RECEIPTS if isinstance(each := result.get(name), str)), "")
    return entry.amount or "", entry.currency or "", receipt


def _time(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
