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
    """Fields of an item.

    Args:
        entry: The item as the ledger holds it.
        error_of: Returns the error that the ledger holds of an item.
        record: Records the outcome of an item, and returns the new entry, or an awaitable of it.
        result: The result, if the item was sent just now.
        error: The error, if the item was sent just now.
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
        """The caller's key."""
        return self._entry.key

    @property
    def state(self) -> State:
        """Its state: `ready`, `sent`, `done`, `rejected` or `unknown`."""
        return self._entry.state

    @property
    def operation(self) -> str:
        """The SDK's name of the call."""
        return self._entry.operation

    @property
    def method(self) -> str:
        """HTTP method."""
        return self._entry.method

    @property
    def result(self) -> object:
        """The result of the call, as its model; `None` if there is none, or after `purge_data`.

        Raises:
            LedgerError: The stored result cannot be read: it is damaged, or of another version. The item is
                done all the same.
        """
        if self._result is None and self._entry.result is not None:
            try:
                self._result = Sealed(result_of(self._entry.shape, self._entry.result))
            except DamagedCallError as error:
                raise LedgerError(f"the result of {self.key!r}, which is done, cannot be read: {error}") from None
        return None if self._result is None else self._result.reveal()

    @property
    def error(self) -> SubscribekitError | None:
        """Why there is no result; for `ready` why it was not sent the last time."""
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
        """The service's `Request-Id`, if it sent one."""
        return self._entry.request_id

    @property
    def trace_id(self) -> str | None:
        """The `X-B3-TraceId` that was sent, if any."""
        return self._entry.trace_id

    @property
    def attempts(self) -> int:
        """Requests that were started for it, by all processes."""
        return self._entry.attempts

    @property
    def note(self) -> str | None:
        """The outcome that `record_outcome` recorded, or `resolve` read."""
        return self._entry.note

    @property
    def added_at(self) -> datetime:
        """When it was added (UTC)."""
        return datetime.fromtimestamp(self._entry.added_at, UTC)

    @property
    def sent_at(self) -> datetime | None:
        """When it was marked as sent (UTC), just before it was."""
        return None if self._entry.sent_at is None else datetime.fromtimestamp(self._entry.sent_at, UTC)

    @property
    def ended_at(self) -> datetime | None:
        """When it ended (UTC)."""
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
        """Record the outcome of an item that the SDK can't determine, or mark the item to be sent again.

        Args:
            state: `applied` if the item was carried out, which makes it `done`; `rejected` if it wasn't and must not
                be sent again; `not_applied` if it wasn't and must be sent again, which makes it `ready`. The item must
                be `unknown`, `rejected`, or `ready`.
            note: The reason, for the report, at most 1,000 characters. It stays if the item is sent again.
            result: The result of the call as its model, which `send_once` then returns. Only with `applied`.

        Raises:
            BulkError: The item is `sent` or `done`, or another caller changed it meanwhile.
            InvalidArgumentError: An argument is not one of these.
        """
        self._entry = self._record(self._entry, state, note, result)
        self._error = self._result = None


class AsyncItem(_Fields[Awaitable[Entry]]):
    """One item of an `AsyncRun`."""

    __slots__ = ()

    async def record_outcome(self, state: RecordedOutcome, *, note: str = "", result: object = None) -> None:
        """Record the outcome of an item that the SDK can't determine, or mark the item to be sent again.

        Args:
            state: `applied` if the item was carried out, which makes it `done`; `rejected` if it wasn't and must not
                be sent again; `not_applied` if it wasn't and must be sent again, which makes it `ready`. The item must
                be `unknown`, `rejected`, or `ready`.
            note: The reason, for the report, at most 1,000 characters. It stays if the item is sent again.
            result: The result of the call as its model, which `send_once` then returns. Only with `applied`.

        Raises:
            BulkError: The item is `sent` or `done`, or another caller changed it meanwhile.
            InvalidArgumentError: An argument is not one of these.
        """
        self._entry = await self._record(self._entry, state, note, result)
        self._error = self._result = None
