"""The values that a ledger reads and writes: the entry of an item, and the result of sending the item."""

from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

import sqlalchemy as sa

from ..._core.calls.prepared.stored import StoredCall
from ..._sealed import Content, Sealed, content_of
from ...errors import SubscribekitError
from .._values import State
from .records import error_json, error_text, plain, with_run_advice, written_result
from .schema import items, shapes

Row: TypeAlias = "sa.Row[Any]"


@dataclass(slots=True, repr=False)
class Entry:
    """An item as the ledger stores it."""

    id: int
    key: str
    state: State
    digest: bytes
    due: float
    owner: int | None
    sends: int
    tries: int
    attempts: int
    outcome: str | None
    error_type: str | None
    error_text: str | None
    error: str | None
    request_id: str | None
    trace_id: str | None
    verdict: str | None
    note: str | None
    is_purged: bool
    operation: str
    method: str
    added_at: float
    sent_at: float | None
    ended_at: float | None
    claimed: str | None
    expired: str | None
    amount: str | None
    currency: str | None
    shape: str
    result: Content | None
    call: StoredCall | None

    @property
    def is_known_since(self) -> bool:
        """Whether the outcome was `unknown` and has been determined since, by a verdict or by `record_outcome`."""
        return self.outcome == "unknown" != self.state


_ENTRY = [each.name for each in fields(Entry) if each.name not in ("shape", "result", "call")]
COLUMNS = (
    *(items.c[name] for name in _ENTRY), shapes.c.shape, items.c.result, items.c.safety, items.c.target, items.c.body,
    items.c.own,
)  # fmt: skip
"""The columns of an entry, in the order of its fields, and then the columns of its request."""


def entry_of(row: Row) -> Entry:
    """Convert a row of `COLUMNS` to an entry."""
    shape, result, safety, target, body, own = row[len(_ENTRY) :]
    values: list[Any] = [*row[: len(_ENTRY)], shape, content_of(result), None]
    entry = Entry(*values)
    entry.is_purged = bool(entry.is_purged)
    if target is not None:
        entry.call = StoredCall(
            name=entry.operation, method=entry.method, safety=safety, target=target, body=content_of(body),
            shape=shape, own=own or "",
        )  # fmt: skip
    return entry


@dataclass(slots=True, repr=False)
class SendResult:
    """The result of sending an item.

    Attributes:
        state: The next state of the item; `ready` if nothing was sent.
        attempts: The number of requests that were started.
        value: The result of the call.
        error: The error, if there is no result.
        request_id: The `Request-Id` of the response, if the service sent one.
        trace_id: The trace ID that was sent, if any.
        backoff: Seconds until the next attempt, or `None` if this run makes no further attempt.
        counts: Whether this result counts as an attempt to send the item.
        columns: The values of the columns to write, except the state and the times.
    """

    state: State
    attempts: int = 0
    value: Sealed[object] | None = None
    error: SubscribekitError | None = None
    request_id: str | None = None
    trace_id: str | None = None
    backoff: float | None = 0.0
    counts: bool = True
    columns: dict[str, object] = field(init=False)

    def __post_init__(self) -> None:
        """Convert the result and the error to their stored form, in the thread of the worker."""
        if self.error is not None:
            with_run_advice(self.error)
        error = self.error
        self.columns = {
            "outcome": None if error is None else error.outcome,
            "error_type": None if error is None else type(error).__name__,
            "error_text": None if error is None else error_text(error),
            "error": None if error is None else error_json(error),
            "request_id": None if self.request_id is None else plain(self.request_id),
            "trace_id": self.trace_id,
            "result": None if self.value is None else written_result(self.value.reveal()),
        }
