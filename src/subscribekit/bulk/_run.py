"""A run for sync clients, with threads as workers."""

import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from types import TracebackType
from typing import Self, TypeVar, cast
from weakref import ref

from .._core.calls.driver import Driver
from .._core.calls.prepared.prepared_request import PreparedRequest
from .._core.client.sync_client import BlockingClient, resolve
from .._core.resolving.resolve import check_times
from .._sealed import Sealed
from ..errors import BulkError, ConfigurationError, LedgerError
from ._adding import refuse_other_than_pairs
from ._base import BATCH, ENGINE_GONE, LOOK_AGAIN, Base, Reader, discard
from ._items import Item
from ._ledger.entries import Ended, Entry
from ._opened import LEFT
from ._preview import Preview
from ._resolving import Resolved, counted_from, unknown_of
from ._sending.background import GoneError, receive, rest_of
from ._sending.claims import Claim
from ._sending.engine import Engine
from ._sending.lease import Guard
from ._sending.progress import Progress, RunDisplay
from ._sending.runtime import Queue
from ._sending.session import Session
from ._sending.signals import Interrupts
from ._sending.workers import Caller, ThreadWorker
from ._values import Counts, RateLimit, RecordedOutcome, State, StopPolicy

T = TypeVar("T")
R = TypeVar("R")


class Run(Base):
    """Many writes from a ledger that survives the process.

    Each item is one prepared request under a key of the caller's. It is `sent` in the ledger, on the disk, before its
    request leaves, and it is never sent again unless it is known that it was not carried out.

    The ledger holds requests and results, and with them personal data, but no credential. Its file can be read by its
    owner alone.

    Args:
        ledger: A file, for one machine; or `postgresql+psycopg://...`, for any number of them.
        client: Sends; of the group, origin, environment and merchant (the API user of billing, the API key of the
            gateway) that the ledger belongs to. Its retry policy, deadline and
            observers hold for each item.
        rate_limit: The most requests per period, over all processes that share the ledger. Default: no limit.
        concurrency: How many are under way at once, 1 to 256.
        stop: When to end early.
        lease: Seconds after which a process that says nothing counts as dead, and what it had sent as `unknown`. Its
            processes extend it by themselves.
        max_attempts: How often an item is tried that could not be sent at all; then it stays `ready` for another run.
        accept_new_key: Whether a client with another API key (gateway) or API user (billing) than the ledger's may go
            on: after a rotation, never for another merchant.
        accept_moved: Whether to use a ledger file that wasn't closed after it was sent from, and that now has another
            `-wal` file beside it, or none: after you copied both files, or after a crash. Pass it once, and only if no
            commit is missing, because an item is sent again if its commit is missing. Default: `False`.

    Raises:
        ConfigurationError: An argument is not one of these.
        LedgerError: The ledger cannot be used, was moved without its `-wal`, or belongs to another group, origin,
            environment or merchant.
    """

    def __init__(
        self,
        ledger: str | os.PathLike[str],
        client: BlockingClient,
        *,
        rate_limit: RateLimit | None = None,
        concurrency: int = 8,
        stop: StopPolicy | None = None,
        lease: float = 60.0,
        max_attempts: int = 5,
        accept_new_key: bool = False,
        accept_moved: bool = False,
    ) -> None:
        if not isinstance(client, BlockingClient):
            raise ConfigurationError(
                "Run takes a blocking client, such as GatewayClient(...); AsyncRun takes an async one"
            )
        self._client = client
        super().__init__(
            Sealed(ledger), client, rate_limit, concurrency, stop, lease, max_attempts, accept_new_key, accept_moved
        )
        try:
            self._in_thread(self._open)
        except BaseException:  # an interrupt leaves the opening to its thread
            self._start_closing()
            raise

    def _in_thread(self, work: Callable[[], R]) -> R:
        return self._call_in_thread(work).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
        if error is None:
            self._refuse_unread_send("for")

    def close(self) -> None:
        """Write what is left to write, and close the ledger; the client stays open.

        Raises:
            BulkError: `send` was called and never iterated, so it sent nothing. The ledger is closed all the same. This
                error isn't raised while another exception is handled.
        """
        self._close()
        if sys.exception() is None:
            self._refuse_unread_send("for")

    def add(self, requests: "Iterable[tuple[str, PreparedRequest[object]]]") -> int:
        """Add items; what is there already, with the same request, stays as it is.

        They are read in a stream, each is checked before the next one is read, and written in batches of 500, each as a
        whole.

        Args:
            requests: Keys of 1 to 255 characters, each with what `client.prepare` returns for a write.

        Returns:
            How many are new.

        Raises:
            BulkError: A key is used for another request; nothing of its batch was written.
            InvalidArgumentError: An item has no valid key or no prepared request, or its request is a read, is of
                another client, or has a result of your own class. Nothing of its batch was written.
            LedgerError: The ledger cannot be written.
        """
        self._refuse_misuse()
        refuse_other_than_pairs(requests)
        calls, added = map(self._call_of, requests), 0
        while batch := list(islice(calls, BATCH)):
            added += self._in_thread(partial(self._add_batch, batch))
        return added

    def send(self, *, progress: Progress = False) -> Iterator[Item]:
        """Send what is `ready`, and give each item as it ends, in that order.

        It goes on where an earlier process stopped, and ends when no item is `ready` or under way anywhere, or when
        the run stops; `stopped` then says why. Each call sends: after a stop the next one goes on with the rest, with
        `StopPolicy(max_items=20)` by 20 more. `items` looks at what has ended without sending, `items("done")` also at
        what an earlier call gave, which is not given again. An item whose attempts are used up is given as `ready`,
        one that the service responded with 429 and the client must not retry as `rejected`, after which all wait as
        the service asked; `record_outcome("not_applied")` has it sent again. When another process has died, its items
        are given as `unknown` as soon as its lease has ended. Items are sent only while you iterate; if you
        never do, `close` raises `BulkError`. Leaving the loop lets what is under way end.

        The first Ctrl-C or SIGTERM lets what is under way end and then does what it always does; a second one does it
        at once, and what was under way is `unknown` when the lease has ended.

        Args:
            progress: `True` for a bar, or a callable that is given the counts.

        Yields:
            Items that are `done`, `rejected`, `unknown`, or `ready` without further attempts.

        Raises:
            LedgerError: The ledger cannot be written; nothing more was sent.
            LeaseLostError: The process was held up for longer than its lease; nothing more was sent.
            SubscribekitError: Every further item would fail in the same way, such as with a client that is closed.
        """
        self._refuse_misuse()
        shown = RunDisplay(progress, self.counts)
        self._has_unread_send = True
        return self._sent(shown)

    def _sent(self, shown: RunDisplay) -> Iterator[Item]:
        self._has_unread_send = False
        outbox: Queue[Item | None] = self._runtime.queue()
        session = self._new_session(
            lambda entry, ended: outbox.put(None if entry is None else self._item(entry, ended))
        )
        interrupts = Interrupts(session.interrupt)
        session.release = interrupts.give_back
        reader = Reader()
        try:
            engine = self._in_thread(partial(self._begin, session, ref(reader), self._worker))
            with interrupts, shown:
                yield from self._read(session, engine, outbox, shown, interrupts)
        except GeneratorExit:
            interrupts.raise_received()
            raise
        finally:
            self._finish(session)
        interrupts.raise_received()
        self._raise_failure(session)

    def _read(
        self, session: Session, engine: Engine, outbox: "Queue[Item | None]", shown: RunDisplay, interrupts: Interrupts
    ) -> Iterator[Item]:
        """Start the workers, give what ends, and wait for the workers."""
        workers = cast("Sequence[ThreadWorker]", session.workers)
        try:
            for worker in workers:
                worker.start(partial(self._work, session, engine, worker), "subscribekit-worker")
            while (item := _next(session, engine, outbox)) is not None:
                session.read()
                shown.saw(item)
                yield item
        except GeneratorExit:
            session.stop(LEFT)
            raise
        finally:
            session.end()
            if not interrupts.is_urgent:
                for worker in workers:
                    worker.join()

    def _item(self, entry: Entry, ended: Ended | None = None) -> Item:
        self._apply(entry, ended)
        value, error = (None, None) if ended is None else (ended.value, ended.error)
        return Item(entry, self._error_of, self._record_outcome_of, value, error)

    def _work(self, session: Session, engine: Engine, worker: ThreadWorker) -> None:
        session.began(worker)
        try:
            driver = Driver(self._settings, worker.guard, self._driver.state)
            engine.want(worker)
            while (claim := worker.taken()) is not None:
                ended = self._send(session, driver, claim)
                session.note(ended)
                if session.is_over:  # after a second Ctrl-C; another call of `send` has its own workers
                    engine.end(worker, ended)
                    break
                engine.end(worker, ended, again=True)
        except BaseException as error:  # noqa: BLE001  raised to the reader of `send`
            session.fail(error)
        finally:
            engine.leave(worker)

    def _worker(self, engine: Engine) -> ThreadWorker:
        return ThreadWorker(self._runtime, engine, Guard(self._driver.transport, self._runtime, engine))

    def _send(self, session: Session, driver: Driver, claim: Claim) -> Ended:
        try:
            prepared = self._prepared(claim.entry)
            return self._done(driver.exchange(prepared.operation, claim.entry.operation, prepared=prepared))
        except BaseException as error:  # noqa: BLE001  it is written down, and raised to the reader of `send`
            return session.ended_by(claim.entry, error)

    def resolve(self, *, not_applied_after: float = 30.0, wait: bool = True) -> Resolved:
        """Look what became of the items that are `unknown`; nothing but reads is sent.

        Items that were carried out, or are in effect, become `done`; the others become `ready`, to be sent by
        the next `send`; what no read can tell from here stays `unknown`, with the evidence as its `note`.

        Args:
            not_applied_after: Seconds after sending from which an absence counts, because the request can no longer be
                in flight. A process that died may have sent it at any time until its lease ended. If no clock shows
                when an item was sent, the time counts from the beginning of this call, once for all items.
            wait: Whether to wait for that. With `False` nothing sleeps, and what is absent stays `unknown`; its `note`
                says how long to wait.

        Returns:
            How many items have which verdict.

        Raises:
            InvalidArgumentError: `not_applied_after` isn't a number of seconds, or `wait` isn't a boolean.
        """
        check_times(not_applied_after, wait)
        numbers: Counter[str] = Counter()
        known = self._in_thread(lambda: self._open().unknown_sends())
        begun = counted_from(known, self._settings.clock)
        resolve_one = partial(self._resolve, not_applied_after=not_applied_after, wait=wait, begun=begun)
        for page in self._pages("unknown"):
            numbers.update(self._resolve_page(page, resolve_one))
        return Resolved(**numbers)

    def _resolve_page(self, page: list[Entry], resolve_one: Callable[[Entry], str]) -> list[str]:
        """Resolve items in as many threads as send; if the caller is interrupted, they begin no further one."""
        entries: Queue[Entry] = self._runtime.queue()
        for entry in page:
            entries.put(entry)

        def work() -> list[str]:
            return [resolve_one(entry) for entry in rest_of(entries)]

        try:
            calls = [self._call_in_thread(work) for _ in range(min(self._concurrency, len(page)))]
            return [verdict for call in calls for verdict in call.result()]
        finally:
            deque(rest_of(entries), maxlen=0)

    def _resolve(self, entry: Entry, *, not_applied_after: float, wait: bool, begun: Callable[[Entry], float]) -> str:
        unknown = unknown_of(entry, self._shown(entry))
        verdict = Sealed(resolve(self._client, unknown, not_applied_after, wait, begun(entry)))
        return self._record_verdict(entry, verdict)

    def send_once(self, key: str, request: PreparedRequest[T]) -> T:
        """Do one item inside another engine, such as a Celery task, which may run it again.

        Whatever happened before decides: what is `done` gives its result, what was rejected raises its error, and what
        is `unknown` raises `OutcomeUnknownError`, each without sending. An item under way in another process is waited
        for, at most until its lease ends. It is sent in its own thread: Ctrl-C or an engine's time limit ends the
        wait, and what is under way ends all the same and is written; `close` waits for that.

        Args:
            key: The item's key; add it to the engine's own record of the task.
            request: The prepared request; added if the key is new.

        Returns:
            The result of the call.

        Raises:
            OutcomeUnknownError: The write may or may not have been carried out; `resolve` it or `record_outcome`.
            BulkError: The key is used for another request; it is done, and its result was purged or never came
                (outcome `unknown`, for it was sent); or it was `unknown` and recorded as `rejected` (`rejected`).
            SubscribekitError: As the call itself; after the outcome `not_sent` the item stays `ready`.
        """
        self._refuse_misuse()
        engine = self._in_thread(partial(self._enter, self._call(key, request)))
        failures = len(engine.failures)
        ended_before = partial(self._ended_before, key, engine, failures)
        while (found := self._in_thread(ended_before)) is None:
            done = self._alone(engine, key)
            if done is not None:
                return cast("T", self._outcome(done))
            self._runtime.sleep(LOOK_AGAIN)
        return cast("T", self._outcome(self._item(found), found))

    def _alone(self, engine: Engine, key: str) -> Item | None:
        """Send one item, if it is `ready`, in a thread: what breaks into the caller does not break into that (H167)."""
        worker, caller = self._worker(engine), Caller(self._runtime)
        try:
            worker.start(partial(self._send_key, engine, key, worker, caller), "subscribekit-send-once")
            found = receive(caller.answers, worker.is_alive)
        except GoneError:
            engine.leave(worker)  # which records the outcome
            text = f"the thread that sent {key!r} was ended from outside; call send_once() again for the outcome"
            raise BulkError(text, outcome="unknown") from None
        finally:
            caller.has_left = True  # so an item that comes too late goes back
        if isinstance(found, BaseException):
            raise found
        return found

    def _send_key(self, engine: Engine, key: str, worker: ThreadWorker, caller: "Caller") -> None:
        try:
            engine.want(worker, key)
            claim = worker.taken()
            if claim is None or caller.has_left:
                caller.answers.put(None)
            else:
                caller.answers.put(self._send_alone(engine, worker, claim))
        except BaseException as error:  # noqa: BLE001  raised to the waiting caller
            caller.answers.put(error)
        finally:
            engine.leave(worker)

    def _send_alone(self, engine: Engine, worker: ThreadWorker, claim: Claim) -> Item:
        session = Session(StopPolicy(), 1, self._settings, self._runtime, self._max_attempts, discard)
        ended = self._send(session, Driver(self._settings, worker.guard, self._driver.state), claim)
        session.note(ended)
        engine.end(worker, ended)
        worker.wait_until_written(claim)
        self._raise_unsent(session, ended)
        return self._item(claim.entry, ended)

    def preview(self, n: int = 10) -> Preview:
        """Show the first items that are `ready` with their requests, as they will be sent; nothing is sent.

        Args:
            n: How many, 1 to 10,000.

        Returns:
            The items as a list, with the money of all items that are `ready` in `amounts`, printed and read.
        """
        return self._in_thread(partial(self._preview, n))

    def items(self, state: State | None = None) -> Iterator[Item]:
        """Give the items of a state, or all; they are read some at a time.

        Args:
            state: `ready`, `sent`, `done`, `rejected` or `unknown`.

        Yields:
            The items.

        Raises:
            InvalidArgumentError: There is no such state.
        """
        self._check_state(state)
        return (self._item(entry) for page in self._pages(state) for entry in page)

    def _pages(self, state: State | None) -> Iterator[list[Entry]]:
        last: Entry | None = None
        while page := self._in_thread(partial(self._page, state, last)):
            last = page[-1]
            yield page

    def _record_outcome_of(self, entry: Entry, outcome: RecordedOutcome, note: str, result: object) -> Entry:
        """Record an item's outcome; `Item.record_outcome` is public."""
        return self._in_thread(partial(self._record_outcome, entry, outcome, note, Sealed(result)))

    def counts(self) -> Counts:
        """Count the items of each state."""
        return self._in_thread(self._counts)

    def report(self, path: str | os.PathLike[str]) -> int:
        """Write one line of CSV for each item: key, state, error, request id, times; nothing of what was sent.

        Args:
            path: The file, which is replaced.

        Returns:
            How many items are in it.

        Raises:
            BulkError: The file cannot be written.
        """
        return self._in_thread(partial(self._report, path))

    def purge_data(self) -> int:
        """Remove the requests and results of done items from every byte of the ledger; keys and outcomes stay.

        Returns:
            Of how many items.

        Raises:
            LedgerError: Another program has read the ledger for 20 seconds; the next call removes the old pages.
        """
        return self._in_thread(self._purge_data)


def _next(session: Session, engine: Engine, outbox: "Queue[Item | None]") -> Item | None:
    """Wait for the next item that has ended; `None` if nothing more comes."""
    try:
        return receive(outbox, engine.is_alive)
    except GoneError:
        session.fail(LedgerError(ENGINE_GONE))
        return None
