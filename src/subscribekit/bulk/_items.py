"""The items of a run, with their outcomes."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from html import escape
from typing import Generic, TypeAlias, TypeVar

from .._core.calls.prepared.stored import result_of
from .._core.calls.prepared.stored_parts import DamagedCallError
from .._sealed import Sealed
from ..errors import LedgerError, OutcomeUnknownError, SubscribekitError
from ._ledger.entries import Entry
from ._values import RecordedOutcome, State

E = TypeVar("E", bound=Entry | Awaitable[Entry])

_ErrorOf: TypeAlias = Callable[[Entry], SubscribekitError | None]
_Record: TypeAlias = Callable[[Entry, RecordedOutcome, str, object], E]


class _Fields(Generic[E]):
    """The attributes that `Item` and `AsyncItem` share.

    Args:
        entry: The item as the ledger stores it.
        error_of: A function that returns the error of a ledger entry.
        record: A function that records the outcome of an item, and returns the new entry or an awaitable of the entry.
        result: The result, if this process has just sent the item.
        error: The error, if this process has just sent the item.
    """

    __slots__ = ("_entry", "_error", "_error_of", "_record", "_result")

    def __init__(
        self,
        entry: Entry,
        error_of: _ErrorOf,
        record: _Record[E],
        result: Sealed[object] | None = None,
        error: SubscribekitError | None = None,
    ) -> None:
        self._entry, self._error_of, self._record = entry, error_of, record
        self._result, self._error = result, error

    @property
    def key(self) -> str:
        """The key under which you added the item."""
        return self._entry.key

    @property
    def state(self) -> State:
        """The state of the item, which is `ready`, `sent`, `done`, `rejected`, or `unknown`."""
        return self._entry.state

    @property
    def operation(self) -> str:
        """The SDK's name of the operation, such as `entitlements.charge`."""
        return self._entry.operation

    @property
    def method(self) -> str:
        """The HTTP method of the request, such as `POST`."""
        return self._entry.method

    @property
    def result(self) -> object:
        """The result of the call, usually a model; `None` if the call has no result or `purge_data` removed the result.

        Raises:
            LedgerError: The stored result can't be read, because it's damaged or another version of the SDK wrote it.
                The item stays `done`.
        """
        if self._result is None and self._entry.result is not None:
            try:
                self._result = Sealed(result_of(self._entry.shape, self._entry.result))
            except DamagedCallError as error:
                raise LedgerError(f"the item {self.key!r} is done, but its result can't be read: {error}") from None
        return None if self._result is None else self._result.reveal()

    @property
    def error(self) -> SubscribekitError | None:
        """The error of an item without a result. If the item is `ready`, the error is the reason why it wasn't sent."""
        if self._error is None:
            self._error = self._error_of(self._entry)
        return self._error

    @property
    def __subscribekit__(self) -> OutcomeUnknownError | None:
        """The error of an item whose outcome is unknown, for `client.resolve(item)`."""
        error = self.error if self.state == "unknown" else None
        return error if isinstance(error, OutcomeUnknownError) else None

    @property
    def request_id(self) -> str | None:
        """The `Request-Id` of the response, if the service sent one."""
        return self._entry.request_id

    @property
    def trace_id(self) -> str | None:
        """The trace ID in the request's header `X-B3-TraceId`, if a request with this header was sent."""
        return self._entry.trace_id

    @property
    def attempts(self) -> int:
        """The number of requests that all processes started for the item."""
        return self._entry.attempts

    @property
    def note(self) -> str | None:
        """The note that `record_outcome` stored, or the evidence that `resolve` found."""
        return self._entry.note

    @property
    def added_at(self) -> datetime:
        """The time when the item was added (UTC)."""
        return datetime.fromtimestamp(self._entry.added_at, UTC)

    @property
    def sent_at(self) -> datetime | None:
        """The time when the item was last marked as `sent` (UTC), which is just before its request is sent."""
        return None if self._entry.sent_at is None else datetime.fromtimestamp(self._entry.sent_at, UTC)

    @property
    def ended_at(self) -> datetime | None:
        """The time when the item became `done`, `rejected`, or `unknown` (UTC)."""
        return None if self._entry.ended_at is None else datetime.fromtimestamp(self._entry.ended_at, UTC)

    def __repr__(self) -> str:
        error = f" {self._entry.error_type}" if self._entry.error_type and not self._entry.is_known_since else ""
        return f"<{type(self).__name__} {self.key!r} {self.state}{error} {self.operation}>"

    def _repr_html_(self) -> str:
        cells = (self.key, self.state, self.operation, self._entry.error_type or "", self.request_id or "")
        return "<table><tr>" + "".join(f"<td>{escape(each)}</td>" for each in cells) + "</tr></table>"


class Item(_Fields[Entry]):
    """One item of a `Run`."""

    __slots__ = ()

    def record_outcome(self, state: RecordedOutcome, *, note: str = "", result: object = None) -> None:
        """Record an outcome that the SDK can't determine, or mark the item to be sent again.

        Args:
            state: `applied` if the item was carried out, which makes it `done`. `rejected` if the item was not carried
                out and must not be sent again. `not_applied` if the item was not carried out and must be sent again,
                which makes it `ready`. The item must be `unknown`, `rejected`, or `ready`.
            note: The reason for the outcome, which the report contains; up to 1,000 characters. The item keeps the note
                if the item is sent again.
            result: The result of the call, as the object that the call would have returned. Later calls of `send_once`
                with the item's key return this result. If you pass a result, `state` must be `applied`.

        Raises:
            BulkError: The item is `sent` or `done`, or another caller changed the item in the meantime.
            InvalidArgumentError: An argument is invalid.
        """
        self._entry = self._record(self._entry, state, note, result)
        self._error = self._result = None


class AsyncItem(_Fields[Awaitable[Entry]]):
    """One item of an `AsyncRun`."""

    __slots__ = ()

    async def record_outcome(self, state: RecordedOutcome, *, note: str = "", result: object = None) -> None:
        """Record an outcome that the SDK can't determine, or mark the item to be sent again.

        Args:
            state: `applied` if the item was carried out, which makes it `done`. `rejected` if the item was not carried
                out and must not be sent again. `not_applied` if the item was not carried out and must be sent again,
                which makes it `ready`. The item must be `unknown`, `rejected`, or `ready`.
            note: The reason for the outcome, which the report contains; up to 1,000 characters. The item keeps the note
                if the item is sent again.
            result: The result of the call, as the object that the call would have returned. Later calls of `send_once`
                with the item's key return this result. If you pass a result, `state` must be `applied`.

        Raises:
            BulkError: The item is `sent` or `done`, or another caller changed the item in the meantime.
            InvalidArgumentError: An argument is invalid.
        """
        self._entry = await self._record(self._entry, state, note, result)
        self._error = self._result = None
