"""The values that pass between a ledger and those who use it: entries, claims and what came of them."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import sqlalchemy as sa

from .._core.calls.stored import StoredCall
from ..errors import SubscribekitError
from ._records import error_json, error_text, result_bytes
from ._schema import items, shapes
from ._values import State

Row: TypeAlias = "sa.Row[Any]"

COLUMNS = (*(column for column in items.c if column.name != "shape"), shapes.c.shape)
"""What an entry is read from: all of an item, and the shape of its request."""


@dataclass(slots=True, repr=False)
class Entry:
    """An item as the ledger holds it."""

    id: int
    key: str
    state: State
    call: StoredCall | None
    digest: bytes = b""
    due: float = 0.0
    owner: int | None = None
    sends: int = 0
    tries: int = 0
    attempts: int = 0
    outcome: str | None = None
    error_type: str | None = None
    error_text: str | None = None
    error: str | None = None
    request_id: str | None = None
    trace_id: str | None = None
    result: bytes | None = None
    verdict: str | None = None
    note: str | None = None
    forgotten: bool = False
    operation: str = ""
    method: str = ""
    shape: str = ""
    added_at: float = 0.0
    sent_at: float | None = None
    ended_at: float | None = None


def entry_of(row: Row) -> Entry:
    """Read a row of `COLUMNS`."""
    found = cast("dict[str, Any]", dict(row._mapping))  # noqa: SLF001  the public name of SQLAlchemy's mapping
    call = None
    if found["target"] is not None:
        call = StoredCall(
            name=found["operation"], method=found["method"], safety=found["safety"], target=found["target"],
            body=found["body"], shape=found["shape"], own=found["own"] or "",
        )  # fmt: skip
    found["digest"] = bytes(found["digest"])
    for name in ("safety", "target", "own", "body"):
        del found[name]
    return Entry(call=call, **found)


@dataclass(slots=True, repr=False)
class Ended:
    """What came of sending an item.

    Attributes:
        state: Its next state; `ready` when nothing was sent.
        attempts: Requests that were started.
        value: The result.
        error: Why there is none.
        request_id: The service's, if it sent one.
        trace_id: What was sent, if anything.
        backoff: Seconds until it may be tried again; `None` for no more in this run.
        counts: Whether it was an attempt of the item's.
        result: The result as it is kept.
    """

    state: State
    attempts: int = 0
    value: object = None
    error: SubscribekitError | None = None
    request_id: str | None = None
    trace_id: str | None = None
    backoff: float | None = 0.0
    counts: bool = True
    result: bytes | None = field(init=False)

    def __post_init__(self) -> None:
        self.result = result_bytes(self.value)

    def columns(self) -> dict[str, object]:
        """Give what is written, but for state and times."""
        error = self.error
        return {
            "outcome": None if error is None else error.outcome,
            "error_type": None if error is None else type(error).__name__,
            "error_text": None if error is None else error_text(error),
            "error": None if error is None else error_json(error),
            "request_id": self.request_id,
            "trace_id": self.trace_id,
            "result": self.result,
        }
