"""The base class of `Run` and `AsyncRun`, which contains everything except the code that sends items."""

import os
import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, TypeVar, cast
from weakref import ref

from .._articles import with_article
from .._core.calls.prepared.prepare import prepared_of, shown
from .._core.calls.prepared.prepared_call import PreparedCall
from .._core.calls.prepared.prepared_request import PreparedRequest
from .._core.calls.prepared.stored import gives_something, restore, store
from .._core.calls.prepared.stored_parts import DamagedCallError
from .._core.calls.response import Response
from .._core.client.async_client import AsyncClient
from .._core.client.resources import driver_of
from .._core.client.sync_client import BlockingClient
from .._core.config.process import this_process
from .._core.resolving.verdict import Verdict
from .._hints.missing import Hinted
from .._sealed import Content, Sealed
from ..errors import BulkError, ConfigurationError, InvalidArgumentError, LedgerError, SubscribekitError
from ._adding import NEEDS_PAIRS, describe_argument
from ._items import AsyncItem, Item
from ._ledger.charged import amount_of, charged
from ._ledger.entries import Entry, SendResult
from ._ledger.ledger import Ledger, NewItem, digest_of
from ._ledger.money import Limit, refuse_uncounted
from ._ledger.records import error_of, kept_result
from ._opened import Opened
from ._preview import Preview, PreviewItem, preview_item
from ._report import write_report
from ._resolving import columns_after, known_outcome, unknown_of
from ._sending.background import GoneError, receive
from ._sending.claims import Worker
from ._sending.engine import Engine
from ._sending.runtime import Queue
from ._sending.session import Put, Session
from ._values import STATES, Counts, RateLimit, RecordedOutcome, State, StopPolicy, count, positive

T = TypeVar("T")


def next_item(session: Session, engine: Engine, outbox: Queue[Item | None]) -> Item | None:
    """Wait for the next finished item, and return the item, or `None` if there are no more items."""
    try:
        return receive(outbox, engine.is_alive)
    except GoneError:
        session.fail(LedgerError(ENGINE_ENDED))
        return None


def discard(_entry: Entry | None, _result: SendResult | None) -> None:
    """Ignore the result of an item, because `send_once` returns the result itself."""


ENGINE_ENDED = "the thread that writes the ledger has ended; call send() or send_once() again to resume"
BATCH = 500
"""Number of items that one database transaction adds."""
PAGE = 200
"""Number of items that one database transaction reads."""
ITEM_POLL_INTERVAL = 0.1
"""Seconds between two reads of an item that another process is sending."""
MAX_KEY = 255
_MAX_NOTE = 1000
_RECORDED: Mapping[str, State] = {"applied": "done", "not_applied": "ready", "rejected": "rejected"}
"""The state of an item after each recorded outcome."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


class Reader:
    """An object that exists while a caller iterates over the items of one call of `send`."""


class Base(Hinted, Opened):
    """The code that `Run` and `AsyncRun` share, which is everything except the code that sends items."""

    def __init__(
        self,
        ledger: Sealed[str | os.PathLike[str]],
        client: BlockingClient | AsyncClient,
        rate_limit: RateLimit | None,
        concurrency: int,
        stop: StopPolicy | None,
        lease: float,
        max_attempts: int,
        accept_new_key: bool,
        accept_moved: bool,
    ) -> None:
        settings: tuple[tuple[str, object, type], ...] = (
            ("rate_limit", rate_limit, RateLimit),
            ("stop", stop, StopPolicy),
        )
        for name, value, kind in settings:
            if value is not None and not isinstance(value, kind):
                given = "the class itself" if value is kind else with_article(type(value))
                raise ConfigurationError(f"{name} must be a subscribekit.bulk.{kind.__name__}, not {given}")
        for name, accepts in (("accept_new_key", accept_new_key), ("accept_moved", accept_moved)):
            if type(accepts) is not bool:
                raise ConfigurationError(f"{name} must be True or False")
        self._driver: Any = driver_of(client)
        self._stop = stop or StopPolicy()
        money, currency = self._stop.max_amount, self._stop.currency
        limit = None if money is None or currency is None else Limit(money, currency)
        workers, seconds = count("concurrency", concurrency, 256), positive("lease", lease, 86_400)
        self._max_attempts = count("max_attempts", max_attempts, 1000)
        super().__init__(
            ledger, self._driver.settings, rate_limit, workers, seconds, limit,
            accept_new_key=accept_new_key, accept_moved=accept_moved,
        )  # fmt: skip
        self._reader: Callable[[], Reader | None] = lambda: None
        self._has_unread_send = False
        self.stopped: str | None = None
        """The reason why the last `send` stopped early, or `None`. Another call of `send` sends the remaining items."""

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError(
            f"{with_article(type(self))} contains a client and an open ledger, so it can't be pickled or copied; "
            f"create a new {type(self).__name__} with the same ledger in each process"
        )

    def __repr__(self) -> str:
        kind = type(self).__name__
        if self._ledger is None or self._is_closed or this_process() != self._process:
            return f"<{kind} that is {'closed' if self._is_closed else 'not open'}>"
        reason = f"; stopped: {self._why_stopped()}" if self.stopped else ""
        # Don't query the ledger here, because debuggers and logs call `__repr__`.
        return f"<{kind} on {self._ledger.database.name}{reason}>"

    def _why_stopped(self) -> str:
        """Return the reason why the run stopped, and the number of items that the next call of `send` sends."""
        limit = self._stop.max_items
        return f"{self.stopped}; another run.send() sends {'the rest' if limit is None else f'up to {limit:,} more'}"

    def _repr_html_(self) -> str:
        return f"<code>{escape(repr(self))}</code>"

    # Adding

    def _call_of(self, pair: object) -> NewItem:
        """Check a pair of a key and a prepared request, and convert the request to its stored form."""
        given = pair
        found = cast("tuple[object, ...]", pair) if isinstance(pair, tuple) else ()
        if len(found) != 2:
            raise InvalidArgumentError(f"{NEEDS_PAIRS}, not {describe_argument(given)}")
        return self._call(*found)

    def _call(self, key: object, request: object) -> NewItem:
        if not isinstance(request, PreparedRequest):
            raise InvalidArgumentError(
                f"the request of item {repr(key)[:MAX_KEY]} must be a prepared request, such as "
                f"client.prepare.payments.reverse('p1'), not {describe_argument(request)}"
            )
        if not isinstance(key, str) or not 1 <= len(key) <= MAX_KEY or _CONTROL.search(key):
            raise InvalidArgumentError(
                f"the key of an item must be a string of 1 to {MAX_KEY} characters, without control characters"
            )
        given = cast("PreparedRequest[object]", request)
        prepared = prepared_of(self._settings, given)
        if prepared.operation.safety.is_read:
            raise InvalidArgumentError(
                f"a run accepts only writes, but the request of item {key!r} is a read; call {given.operation} with "
                f"the client instead"
            )
        # Check the request with this client's settings, because the client that prepared it may have fewer checks.
        self._settings.refuse_prepare(prepared.operation, given.operation)
        if self._limit is not None:
            refuse_uncounted(self._limit, key, charged(given.operation, prepared.operation.body))
        return key, store(self._settings, given.operation, prepared), prepared.operation.body

    def _add_batch(self, batch: list[NewItem]) -> int:
        added = self._open().add(batch)
        if self._engine is not None:
            self._engine.wake()
        return added

    # Sending

    def _new_session(self, put: Put) -> Session:
        return Session(self._stop, self._concurrency, self._settings, self._runtime, self._max_attempts, put)

    def _start_session(
        self, session: Session, reader: "ref[Reader]", make_worker: Callable[[Engine], Worker]
    ) -> Engine:
        """Make a session the run's current session, and let the engine claim items for the workers of the session."""
        engine, ledger = self._started(), self._open()
        self._refuse_second_reader()
        expired = self._expire_other_processes(ledger, engine)
        with self._opening:
            self._refuse_second_reader()
            if self._session is not None:  # an interrupt prevented an earlier `send` from finishing (H167)
                self._session.finish()
            self._reader, self._session, self.stopped = reader, session, None
            session.engine = engine
            session.workers = [make_worker(engine) for _ in range(self._concurrency)]
            engine.start_claiming(session, expired)
            if session.is_over:  # the loop over `send` was interrupted while the session started
                self._finish(session)
        return engine

    def _refuse_second_reader(self) -> None:
        if self._session is not None and self._reader() is not None:
            raise BulkError(
                "another run.send() of this run is still being iterated; end that loop, or close its iterator. Nothing "
                "was sent"
            )

    @staticmethod
    def _expire_other_processes(ledger: Ledger, engine: Engine) -> list[Entry]:
        """Mark dead processes' items as `unknown`, and return them. Reset items that have used up their attempts."""
        with ledger.database.write() as connection:
            _, now = ledger.database.clock(connection)
            expired = ledger.expire(connection, now)
            ledger.reset_attempts(connection, engine.owner)
        return expired

    def _refuse_unread_send(self, loop: str) -> None:
        """Raise an error once if `send` was called but never iterated. A forked child doesn't raise the error.

        Args:
            loop: The keyword of the loop that the caller should write, which is `for` or `async for`.
        """
        if self._has_unread_send and this_process() == self._process:
            self._has_unread_send = False
            fix = f"write `{loop} item in run.send(): ...`"
            raise BulkError(f"run.send() was never iterated, so it sent nothing; {fix}")

    def _finish(self, session: Session) -> None:
        """End a call of `send`, and keep the reason why it stopped."""
        session.finish()
        session.release()
        session.end()
        if self._session is session:
            self._session, self.stopped = None, session.stopped

    def _raise_failure(self, session: Session) -> None:
        if session.failure is not None:
            raise session.failure

    def _prepared(self, entry: Entry) -> PreparedCall[object]:
        """Restore the call of a ledger entry.

        Raises:
            LedgerError: The stored request was removed, or it's damaged.
            InvalidArgumentError: The client doesn't set the same extra headers as the stored call.
        """
        if entry.call is None:
            raise LedgerError(f"the request of {entry.key!r} is no longer in the ledger; purge_data() removed it")
        try:
            prepared = restore(self._settings, entry.call)
        except DamagedCallError as error:
            text = f"{self._name()} is damaged; the request of {entry.key!r} can't be read: {error}"
        else:
            if digest_of(entry.call) == entry.digest and self._amount_matches(entry, prepared.operation.body):
                return prepared
            text = f"{self._name()} is damaged; the request of {entry.key!r} differs from the one that was added"
        raise LedgerError(text)

    def _amount_matches(self, entry: Entry, body: Content | None) -> bool:
        """Return whether the stored amount is the amount of the request. If there is no amount limit, return `True`."""
        return self._limit is None or amount_of(body, entry.operation) == (entry.amount, entry.currency)

    def _name(self) -> str:
        return "the ledger" if self._ledger is None else self._ledger.database.name

    @staticmethod
    def _result_of(response: Response[object]) -> SendResult:
        return SendResult(
            "done", response.attempts, Sealed(response.data), request_id=response.request_id, trace_id=response.trace_id
        )

    def _apply(self, entry: Entry, result: SendResult | None) -> None:
        """Update an entry in memory with the result that the engine has written."""
        if result is not None:
            for name, value in result.columns.items():
                setattr(entry, name, value)
            entry.state, entry.attempts = result.state, entry.attempts + result.attempts
            entry.ended_at = None if result.state == "ready" else self._runtime.wall_time()

    # Without sending

    def _record_outcome(self, entry: Entry, outcome: RecordedOutcome, note: str, result: Sealed[object]) -> Entry:
        new_state = _RECORDED.get(outcome) if isinstance(outcome, str) else None
        if new_state is None:
            raise InvalidArgumentError(
                "state must be 'applied', 'not_applied', or 'rejected'; with 'not_applied', the item is sent again"
            )
        if not isinstance(note, str) or len(note) > _MAX_NOTE or _CONTROL.search(note):
            raise InvalidArgumentError(
                f"note must be a string of up to {_MAX_NOTE:,} characters, without control characters"
            )
        stored = kept_result(entry.shape, result.reveal())
        if result.reveal() is not None and (stored is None or outcome != "applied"):
            raise InvalidArgumentError(
                f"result is allowed only with state='applied', and must be a result of {entry.operation}"
            )
        ledger = self._open()
        values = known_outcome(new_state, f"recorded as {outcome}", note or None, ledger.time(), stored)
        if not ledger.record_outcome_of(entry, ("unknown", "rejected", "ready"), values):
            found = ledger.entry(entry.key)
            now = "deleted" if found is None else found.state
            raise BulkError(
                f"no outcome was recorded for the item {entry.key!r}; its state was {entry.state} when it was read, "
                f"and is now {now}. Read the item again; you can record an outcome only if the item is ready, "
                f"rejected, or unknown"
            )
        if self._engine is not None:
            self._engine.wake()
        found = ledger.entry(entry.key)
        return entry if found is None else found

    def _record_verdict(self, entry: Entry, verdict: Sealed[Verdict]) -> str:
        """Write a verdict, and return its state, or `changed` if another caller changed the item first."""
        ledger = self._open()
        if not ledger.record_outcome_of(entry, ("unknown",), columns_after(entry, verdict.reveal(), ledger.time())):
            return "changed"
        if self._engine is not None:
            self._engine.wake()
        return verdict.reveal().state

    def _error_of(self, entry: Entry) -> SubscribekitError | None:
        """Return the error of an item that has no result, for `Item.error`."""
        if entry.state == "unknown" and entry.call is not None:
            return unknown_of(entry, self._shown(entry))
        if entry.error_type is None or entry.state not in ("ready", "rejected", "unknown") or entry.is_known_since:
            return None
        return error_of(entry.error_type, entry.error_text or "", entry.error)

    def _shown(self, entry: Entry) -> PreparedRequest[object]:
        """Return the request of an entry as it will be sent, with a masked credential."""
        return shown(self._settings, entry.operation, self._prepared(entry))

    def _preview(self, number: int) -> Preview:
        ledger = self._open()
        found, amounts = ledger.page("ready", None, count("n", number, 10_000)), ledger.amounts()
        # Don't store the items in a local variable, because they contain request bodies that a traceback could show.
        return Preview(map(self._previewed, found), amounts)

    def _previewed(self, entry: Entry) -> PreviewItem:
        return preview_item(entry.key, self._shown(entry))

    def _counts(self) -> Counts:
        return self._open().counts()

    def _check_state(self, state: State | None) -> None:
        self._refuse_misuse()
        if state is not None and state not in STATES:
            raise InvalidArgumentError(f"state must be one of {', '.join(STATES)}, or None")

    def _page(self, state: State | None, after: Entry | None) -> list[Entry]:
        return self._open().page(state, after, PAGE)

    def _report(self, path: str | os.PathLike[str]) -> int:
        return write_report(path, (entry for page in self._open().pages(None, PAGE) for entry in page))

    def _purge_data(self) -> int:
        return self._open().purge_data()

    # For `send_once`

    def _enter(self, item: NewItem) -> Engine:
        """Add an item if its key is new, and start the engine."""
        key, call, body = item
        ledger = self._open()
        found = ledger.entry(key)
        if found is None:
            ledger.add([(key, call, body)])
        elif found.digest != digest_of(call):
            raise BulkError(f"the key {key!r} was already used for another request; use a new key for each request")
        return self._started()

    @staticmethod
    def _raise_unsent(session: Session, result: SendResult) -> None:
        """Raise the error that ended the session, or the error that prevented an item from being sent."""
        if session.failure is not None:
            raise session.failure
        if result.error is not None and result.state == "ready":
            raise result.error

    def _finished_entry(self, key: str, engine: Engine, failures: int) -> Entry | None:
        """Return the item with a key if it's `done`, `rejected`, or `unknown`; otherwise, return `None`.

        Args:
            key: The key of the item.
            engine: The engine of the run, which would send the item.
            failures: The number of failures of the engine before the call of `send_once`.

        Raises:
            BulkError: The item isn't in the ledger, or the amount limit doesn't allow the item.
            InvalidArgumentError: The amount of the item can't be counted toward the amount limit.
            LedgerError: The engine has ended, or it failed again.
        """
        found = self._open().entry(key)
        if found is None:
            raise BulkError(f"the item {key!r} is no longer in the ledger; do not delete items of a ledger in use")
        if found.state in ("done", "rejected", "unknown"):
            return found
        if (refused := engine.refused.pop(key, None)) is not None:
            raise refused
        if len(engine.failures) > failures:
            raise engine.failures[-1]
        if not engine.is_alive():
            raise LedgerError(ENGINE_ENDED)
        return None

    @staticmethod
    def _outcome(item: Item | AsyncItem, stored: Entry | None = None) -> object:
        """Return the result of a finished item, or raise its error.

        Args:
            item: The item.
            stored: The ledger entry of the item, if the item was finished before this call.
        """
        if item.state != "done":
            recorded = f"the item {item.key!r} was recorded as {item.state}; its note: {item.note or 'none'}"
            raise item.error or BulkError(recorded, outcome="rejected")
        if stored is not None and stored.is_purged:
            text = (
                f"the item {item.key!r} is done, and purge_data() removed its result; read the result from the service"
            )
            raise BulkError(text, outcome="unknown")
        if (
            stored is not None
            and stored.result is None
            and stored.verdict is not None
            and gives_something(stored.shape)
        ):
            known_by = f"{stored.verdict}: {stored.note}" if stored.note else stored.verdict
            text = f"the item {item.key!r} is done ({known_by}), and its result is not known"
            # Don't use the outcome `not_sent`, because the caller might then send the request again without the run.
            raise BulkError(text, outcome="unknown")
        return item.result
