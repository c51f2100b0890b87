"""A run for blocking clients: its lanes are threads."""

import contextvars
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import islice
from queue import SimpleQueue
from types import TracebackType
from typing import Self, TypeVar, cast

from .._core.calls.drivers import Driver
from .._core.calls.response import PlannedRequest
from .._core.client.base import BlockingClient, resolve
from .._core.resolving.resolve import check_times
from ..errors import ConfigurationError
from ._adding import refuse_other_than_pairs
from ._base import BATCH, LEFT, LOOK_AGAIN, Base, ResultsReader, discard
from ._items import Item
from ._ledger.claims import Claim
from ._ledger.entries import Ended, Entry
from ._preview import Preview
from ._report import write_report
from ._resolving import Resolved, counted_from, unknown_of
from ._sending.engine import Engine
from ._sending.lease import Guard
from ._sending.progress import Progress, Shown
from ._sending.session import Session, Unread
from ._sending.signals import Interrupts
from ._values import Counts, Rate, Settled, State, Stop

T = TypeVar("T")


class Run(Base):
    """Many writes from a ledger that survives the process.

    Each item is one planned call under a key of the caller's. It is `sent` in the ledger, on the disk, before its
    request leaves, and it is never sent again unless it is known that it was not carried out.

    The ledger holds requests and results, and with them personal data, but no credential. Its file can be read by its
    owner alone.

    Args:
        ledger: A file, for one machine; or `postgresql+psycopg://...`, for any number of them.
        client: Sends; of the group, origin, environment and merchant (the API user of billing, the API key of the
            gateway) that the ledger belongs to. Its retry policy, deadline and
            observers hold for each item.
        rate: How fast items are sent, over all processes that share the ledger.
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
        rate: Rate | None = None,
        concurrency: int = 8,
        stop: Stop | None = None,
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
        super().__init__(ledger, client, rate, concurrency, stop, lease, max_attempts, accept_new_key, accept_moved)
        self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what is left to write, and close the ledger; the client stays open."""
        self._close()

    def add(self, plans: "Iterable[tuple[str, PlannedRequest[object]]]") -> int:
        """Add items; what is there already, with the same request, stays as it is.

        They are read in a stream, each is checked before the next one is read, and written in batches of 500, each as a
        whole.

        Args:
            plans: Keys of 1 to 255 characters, each with what `client.plan` gives for a write.

        Returns:
            How many are new.

        Raises:
            BulkError: A key is used for another request; nothing of its batch was written.
            RequestError: Something is no key, no plan, a plan of a read, of another client, or with a result of your
                own class; nothing of its batch was written.
            LedgerError: The ledger cannot be written.
        """
        self._refuse_misuse()
        refuse_other_than_pairs(plans)
        calls, added = map(self._call_of, plans), 0
        while batch := list(islice(calls, BATCH)):
            added += self._add_batch(batch)
        return added

    def results(self, *, progress: Progress = False) -> Iterator[Item]:
        """Send what is `ready`, and give each item as it ends, in that order.

        It goes on where an earlier process stopped, and ends when no item is `ready` or under way anywhere, or when
        the run stops; `stopped` then says why. Each call sends: after a stop the next one goes on with the rest, with
        `Stop(after=20)` by 20 more. `items` looks at what has ended without sending, `items("done")` also at what an
        earlier call gave, which is not given again. An item whose attempts are used up is given as `ready`, one that
        the service responded with 429 and the client must not retry as `rejected`, after which all wait as the service
        asked; `record_outcome("not_done")` has it sent again. When another process has died, its items are given as
        `unknown` as soon as its lease has ended. Items are sent while this is read; leaving the loop lets what is under
        way end.

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
        return self._results(Shown(progress, self._counts), Unread())

    def _results(self, shown: Shown, unread: Unread) -> Iterator[Item]:
        unread.is_read = True
        outbox: SimpleQueue[Item | None] = SimpleQueue()
        session = self._new_session(lambda entry, ended: outbox.put(self._item(entry, ended)))
        interrupts = Interrupts(session.interrupt)
        session.release = interrupts.give_back
        reader = ResultsReader()
        try:
            self._begin(session, reader)
            with interrupts, shown:
                yield from self._read(session, outbox, shown, interrupts)
        except GeneratorExit:
            interrupts.raise_received()
            raise
        finally:
            self._finish(session)
        interrupts.raise_received()
        self._raise_failure(session)

    def _read(
        self, session: Session, outbox: "SimpleQueue[Item | None]", shown: Shown, interrupts: Interrupts
    ) -> Iterator[Item]:
        """Start the lanes, give what ends, and wait for the lanes."""
        context = contextvars.copy_context()
        lanes: list[threading.Thread] = []
        try:
            for _ in range(self._concurrency):
                work = partial(context.copy().run, self._lane, session, outbox)
                lane = threading.Thread(target=work, name="subscribekit-lane", daemon=True)
                lane.start()
                lanes.append(lane)
            while (item := outbox.get()) is not None:
                session.read()
                shown.saw(item)
                yield item
        except GeneratorExit:
            session.stop(LEFT)
            raise
        finally:
            session.end()
            if not interrupts.is_urgent:
                for lane in lanes:
                    lane.join()

    def _item(self, entry: Entry, ended: Ended | None) -> Item:
        self._apply(entry, ended)
        return Item(entry, self) if ended is None else Item(entry, self, ended.value, ended.error)

    def _lane(self, session: Session, outbox: "SimpleQueue[Item | None]") -> None:
        session.lane_began()
        engine = self._started()
        inbox: SimpleQueue[Claim | None] = SimpleQueue()
        guard = self._guard(engine)
        driver = Driver(self._settings, guard, self._driver.state)
        engine.want(inbox.put)
        while (claim := inbox.get()) is not None:
            ended = self._send(session, driver, guard, claim)
            session.note(ended)
            if session.is_over:  # after a second Ctrl-C; another call of `results` has its own lanes
                engine.end(claim, ended)
                break
            engine.end(claim, ended, inbox.put)
        if session.lane_left():
            engine.wait_until_written()
            outbox.put(None)

    def _guard(self, engine: Engine) -> Guard:
        return Guard(self._driver.transport, self._settings, engine)

    def _send(self, session: Session, driver: Driver, guard: Guard, claim: Claim) -> Ended:
        guard.begin(claim.lease, claim.entry.id)
        try:
            prepared = self._prepared(claim.entry)
            return self._done(driver.exchange(prepared.operation, claim.entry.operation, prepared=prepared))
        except BaseException as error:  # noqa: BLE001  it is written down, and raised to the reader of the results
            return session.ended_by(claim.entry, error)

    def resolve(self, *, after: float = 30.0, wait: bool = True) -> Resolved:
        """Look what became of the items that are `unknown`; nothing but reads is sent.

        Items that were carried out, or are in effect, become `done`; the others become `ready`, to be sent by
        the next `results`; what no read can tell from here stays `unknown`, with the evidence as its `note`.

        Args:
            after: Seconds after sending from which an absence counts: a request can no longer be under way then. A
                process that died may have sent it at any time until its lease ended. If no clock shows when an item was
                sent, the time counts from the beginning of this call, once for all items.
            wait: Whether to wait for that. With `False` nothing sleeps, and what is absent stays `unknown`; its `note`
                says how long to wait.

        Returns:
            How many items have which verdict.

        Raises:
            RequestError: `after` is no number of seconds, or `wait` no boolean.
        """
        check_times(after, wait)
        numbers: Counter[str] = Counter()
        begun = counted_from(self._open().unknown_sends(), self._settings.clock)
        with ThreadPoolExecutor(self._concurrency, "subscribekit-resolve") as threads:
            for page in self._pages("unknown"):
                numbers.update(threads.map(partial(self._resolve, after=after, wait=wait, begun=begun), page))
        return Resolved(**numbers)

    def _resolve(self, entry: Entry, *, after: float, wait: bool, begun: Callable[[Entry], float]) -> str:
        unknown = unknown_of(entry, self._planned(entry))
        verdict = resolve(self._client, unknown, after, wait, begun(entry))
        return self._record_verdict(entry, verdict)

    def once(self, key: str, plan: PlannedRequest[T]) -> T:
        """Do one item inside another engine, such as a Celery task, which may run it again.

        Whatever happened before decides: what is `done` gives its result, what was rejected raises its error, and what
        is `unknown` raises `OutcomeUnknownError`, each without sending. An item under way in another process is waited
        for, at most until its lease ends. It is sent in its own thread: Ctrl-C or an engine's time limit ends the
        wait, and what is under way ends all the same and is written; `close` waits for that.

        Args:
            key: The item's key; add it to the engine's own record of the task.
            plan: The call; added when the key is new.

        Returns:
            The result of the call.

        Raises:
            OutcomeUnknownError: The write may or may not have been carried out; `resolve` it or `record_outcome`.
            BulkError: The key is used for another request; it is done, and its result was forgotten or never came
                (outcome `unknown`, for it was sent); or it was `unknown` and recorded as `rejected` (`rejected`).
            SubscribekitError: As the call itself; after the outcome `not_sent` the item stays `ready`.
        """
        self._enter(key, plan)
        engine = self._started()
        failures = len(engine.failures)
        while (found := self._ended_before(key, engine, failures)) is None:
            done = self._alone(engine, key)
            if done is not None:
                return cast("T", self._outcome(done))
            time.sleep(LOOK_AGAIN)
        return cast("T", self._outcome(Item(found, self), found))

    def _alone(self, engine: Engine, key: str) -> Item | None:
        """Send one item, if it is `ready`, in a thread: what breaks into the caller does not break into that (H167)."""
        done: Future[Item | None] = Future()
        work = partial(contextvars.copy_context().run, self._once, engine, key, done)
        try:
            threading.Thread(target=work, name="subscribekit-once", daemon=True).start()
            return done.result()
        finally:
            done.cancel()  # so an item that comes too late goes back

    def _once(self, engine: Engine, key: str, done: "Future[Item | None]") -> None:
        inbox: SimpleQueue[Claim | None] = SimpleQueue()
        try:
            engine.want(inbox.put, key)
            claim = inbox.get()
            if done.set_running_or_notify_cancel():
                done.set_result(None if claim is None else self._send_alone(engine, claim))
            elif claim is not None:
                engine.give_back(claim)
        except BaseException as error:  # noqa: BLE001  raised to the waiting caller
            done.set_exception(error)

    def _send_alone(self, engine: Engine, claim: Claim) -> Item:
        session = Session(Stop(), 1, self._settings, self._max_attempts, discard)
        guard = self._guard(engine)
        ended = self._send(session, Driver(self._settings, guard, self._driver.state), guard, claim)
        session.note(ended)
        engine.end(claim, ended)
        engine.wait_for(claim)
        self._raise_unsent(session, ended)
        return self._item(claim.entry, ended)

    def preview(self, n: int = 10) -> Preview:
        """Show the first items that are `ready` with their requests, as they will be sent; nothing is sent.

        Args:
            n: How many, 1 to 10,000.

        Returns:
            The items as a list, with the money of all items that are `ready` in `amounts`, printed and read.
        """
        return self._preview(n)

    def items(self, state: State | None = None) -> Iterator[Item]:
        """Give the items of a state, or all; they are read some at a time.

        Args:
            state: `ready`, `sent`, `done`, `rejected` or `unknown`.

        Yields:
            The items.

        Raises:
            RequestError: There is no such state.
        """
        pages = self._pages(state)
        return (Item(entry, self) for page in pages for entry in page)

    def settle_entry(self, entry: Entry, state: Settled, note: str, result: object) -> Entry:
        """Record an item's outcome; `Item.record_outcome` is public."""
        return self._record_outcome(entry, state, note, result)

    def counts(self) -> Counts:
        """Count the items of each state."""
        return self._counts()

    def report(self, path: str | os.PathLike[str]) -> int:
        """Write one line of CSV for each item: key, state, error, request id, times; nothing of what was sent.

        Args:
            path: The file, which is replaced.

        Returns:
            How many items are in it.

        Raises:
            BulkError: The file cannot be written.
        """
        return write_report(path, (entry for page in self._pages(None) for entry in page))

    def forget(self) -> int:
        """Remove the requests and results of what is done from every byte of the ledger; keys and outcomes stay.

        Returns:
            Of how many items.

        Raises:
            LedgerError: Another program has read the ledger for 20 seconds; the next call removes the old pages.
        """
        return self._open().forget()
