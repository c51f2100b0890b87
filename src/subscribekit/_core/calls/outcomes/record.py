"""The record of a call with an unknown outcome, which `resolve` needs in this process or another.

The record contains identifiers, and digests of the values that were sent (`sent_values`). The record omits query values
that may be personal, such as the filter of a deletion.
"""

import os
from collections.abc import Iterator
from datetime import datetime
from typing import TypeVar

from ...._json import JSON, DamagedJSONError, decode
from ...operations.operation import Operation
from ...operations.sent_values import TextPairs, digests
from ..moments import moment_at
from ..prepared.prepared_call import PreparedCall
from ..settings import Settings

T = TypeVar("T")

_KEPT = frozenset({
    "bill_prorated_period", "disentitle", "effective_date", "force", "perm", "reason_code",
    "replace_on_all_subscriptions", "settle", "to_date", "update_behavior",
})  # fmt: skip
"""The only query parameters that a record contains, because they determine the effect of a call."""

SENT = "sent:"
"""Prefix of the digests' names in a record."""
MOMENT = "moment"
"""Name of the record's entry that stores when the request was sent."""
LATEST = "latest_moment"
"""Name of the record's entry for the latest possible moment of sending, if that moment differs from the `MOMENT` entry.

The entry for the latest moment is empty if no clock measured the moment.
"""


def record_of(operation: Operation[T], sender: Settings | PreparedCall[T]) -> TextPairs:
    """Return the record of a call for its `OutcomeUnknownError`."""
    where = sender if isinstance(sender, PreparedCall) else sender.address
    return (("group", sender.group), ("origin", where.origin), ("prefix", where.prefix), *_pairs(operation))


def sent_at(settings: Settings, began: float, now: datetime | None) -> TextPairs:
    """Return the entry of a record that stores when the request was sent (H401).

    Args:
        settings: The client's settings.
        began: Time when the last attempt started, on the client's monotonic clock.
        now: The date and time when the last attempt started, or `None` if nothing was sent.
    """
    return () if now is None else ((MOMENT, str(moment_at(settings.clock, settings.dates, began, now))),)


def _pairs(operation: Operation[T]) -> Iterator[tuple[str, str]]:
    yield "safety", str(operation.safety)
    if operation.is_dry_run:
        yield "dry_run", "1"
    yield "family", operation.path[0]
    result: object = operation.result
    if isinstance(result, type):
        yield "model", result.__name__
    for part, segment in zip(operation.template.strip("/").split("/"), operation.path, strict=False):
        if part.startswith("{") and (name := part[1:-1]).isidentifier():
            yield f"path:{name}", segment
    for parameter, value in operation.query:
        if isinstance(parameter, str) and parameter in _KEPT:
            yield f"query:{parameter}", value
    if operation.reconcile_by == "transaction_id" and operation.reconcile_key is not None:
        yield "transaction_id", operation.reconcile_key
    if operation.is_compared and operation.body is not None:
        yield from _of_body(operation.body.reveal())


def _of_body(body: bytes) -> Iterator[tuple[str, str]]:
    try:
        value = decode(body)
    except DamagedJSONError:
        return
    fields = value if isinstance(value, dict) else {}
    if (own := _identifier(fields, "id")) is not None:
        yield "id", own
    account = fields.get("account")
    if isinstance(account, dict) and (owner := _identifier(account, "id") or _identifier(account, "vid")) is not None:
        yield "account", owner
    key = os.urandom(16)
    yield "key", key.hex()
    for place, leaf in digests(fields, key):
        yield SENT + place, leaf


def _identifier(fields: dict[str, JSON], name: str) -> str | None:
    found = fields.get(name)
    return found if isinstance(found, str) and found else None
