"""The values that pass between a ledger and its users: entries, claims and outcomes."""

from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

import sqlalchemy as sa

from ..._core.calls.prepared.stored import StoredCall
from ..._sealed import Content, Sealed, content_of
from ...errors import SubscribekitError
from .._values import State
from .records import about_item, error_json, error_text, plain, written_result
from .schema import items, shapes

Row: TypeAlias = "sa.Row[Any]"


@dataclass(slots=True, repr=False)
class Entry:
    """An item as the ledger holds it."""

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
        """Whether an outcome that was unknown is known since: by a verdict, or by `record_outcome`."""
        return self.outcome == "unknown" != self.state


_ENTRY = [each.name for each in fields(Entry) if each.name not in ("shape", "result", "call")]
COLUMNS = (
    *(items.c[name] for name in _ENTRY), shapes.c.shape, items.c.result, items.c.safety, items.c.target, items.c.body,
    items.c.own,
)  # fmt: skip
"""The columns of an entry, in the order of its fields; then those of its request."""


def entry_of(row: Row) -> Entry:
    """Read a row of `COLUMNS`."""
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
        state: Its next state; `ready` when nothing was sent.
        attempts: Requests that were started.
        value: The result.
        error: Why there is none.
        request_id: The service's, if it sent one.
        trace_id: The trace id that was sent, if any.
        backoff: Seconds until it may be tried again; `None` for no more in this run.
        counts: Whether it was an attempt of the item's.
        columns: The written columns, except state and times.
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
        """Write result and error as they are kept, in the thread of the worker."""
        if self.error is not None:
            about_item(self.error)
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
