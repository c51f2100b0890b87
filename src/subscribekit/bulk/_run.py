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
from ..errors import BulkError, ConfigurationError
from ._adding import check_requests
from ._base import BATCH, ITEM_POLL_INTERVAL, Base, Reader, discard, next_item
from ._items import Item
from ._ledger.entries import Entry, SendResult
from ._opened import LEFT
from ._preview import Preview
from ._resolving import Resolved, counting_start, unknown_of
from ._sending.background import GoneError, receive, remaining_of
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
    """A bulk run for a sync client: sends many writes from a ledger that survives crashes.

    Each item is one prepared request under a key that you choose. The run marks an item as `sent` in the ledger, on
    disk, before it sends the request. The run sends an item again only if the earlier request was certainly not carried
    out.

    The ledger contains requests and results, and therefore personal data, but no credential. Only the owner of a ledger
    file can read the file.

    Args:
        ledger: A file path, for one machine; or a URL `postgresql+psycopg://...`, for any number of machines.
        client: The client that sends the items. The client must have the same service, base URL, environment, and
            merchant as the ledger. The API user (billing) or the API key (gateway) identifies the merchant. The
            client's retry policy, deadline, and observers apply to each item.
        rate_limit: The maximum number of requests per period, for all processes of a ledger. Default: no limit.
        concurrency: The maximum number of requests in flight, from 1 to 256.
        stop: The conditions that end the run early.
        lease: If a process doesn't renew its lease for this many seconds, the process counts as dead, and its `sent`
            items become `unknown`. The run renews the lease automatically.
        max_attempts: If an item can't be sent, the run makes at most this many attempts. After the last attempt, the
            item stays `ready` for a later `send`.
        accept_new_key: Accept a client whose API key (gateway) or API user (billing) differs from that of the ledger.
            Pass `True` after you rotated the key, but never for another merchant.
        accept_moved: Accept a ledger file that wasn't closed after the last send, and whose `-wal` file is missing or
            was replaced. An example is a copy of the database and its `-wal` file after a crash. Pass `True` only once.
            Do not pass `True` for an incomplete ledger, because the run would send items again. Default: `False`.

    Raises:
        ConfigurationError: An argument is invalid.
        LedgerError: The ledger can't be used, was moved without its `-wal` file, or belongs to another service, base
            URL, environment, or merchant than the client.
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
                "client must be a sync client, such as GatewayClient(...); use AsyncRun with an async client"
            )
        self._client = client
        super().__init__(
            Sealed(ledger), client, rate_limit, concurrency, stop, lease, max_attempts, accept_new_key, accept_moved
        )
        try:
            self._in_thread(self._open)
        except BaseException:  # after an interrupt, the thread may still be opening the ledger
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
        """Write the remaining results, and close the ledger. The client stays open.

        Raises:
            BulkError: `send` was called but never iterated, so nothing was sent. The ledger is closed before this error
                is raised. `close` doesn't raise `BulkError` while another exception is handled.
        """
        self._close()
        if sys.exception() is None:
            self._refuse_unread_send("for")

    def add(self, requests: "Iterable[tuple[str, PreparedRequest[object]]]") -> int:
        """Add items. Existing items with the same key and the same request don't change.

        The run reads the items one by one, and checks each item before it reads the next item. The run writes the items
        in batches of 500, and each batch is written completely or not at all.

        Args:
            requests: Pairs of a key and a prepared write from `client.prepare`. A key has 1 to 255 characters.

        Returns:
            The number of new items.

        Raises:
            BulkError: A key was already used for another request. The batch that contains the key was not written.
            InvalidArgumentError: An item has no valid key or no prepared request. The SDK also raises
                `InvalidArgumentError` if the request is a read, is for another service, base URL, or environment than
                the client, returns a class that you defined, or has no amount that `max_amount` can count. The batch
                that contains the item was not written.
            LedgerError: The ledger can't be written.
        """
        self._refuse_misuse()
        check_requests(requests)
        calls, added = map(self._call_of, requests), 0
        while batch := list(islice(calls, BATCH)):
            added += self._in_thread(partial(self._add_batch, batch))
        return added

    def send(self, *, progress: Progress = False) -> Iterator[Item]:
        """Send the `ready` items, and yield each item when it ends.

        The run resumes where an earlier process stopped. The run ends when no item is `ready` or in flight in any
        process. If the run stops early, the attribute `stopped` contains the reason. Each call of `send` sends the
        remaining items, or at most 20 items if you set `StopPolicy(max_items=20)`. To read the items of earlier calls,
        use `items`.

        Items are sent only while you iterate. If you call `send` but never iterate, `close` raises `BulkError`. If you
        leave the loop, the requests in flight are completed.

        An item that has used up its attempts is yielded as `ready`. If the service returns 429 and the client must not
        retry the item, the item is `rejected`. After a 429, all workers wait as long as the service asks. To send the
        rejected item again, call `item.record_outcome("not_applied")`. If another process died, its items become
        `unknown` when the lease of that process ends, and `send` yields these items.

        After the first Ctrl-C or SIGTERM, the run completes the requests in flight, and then the signal has its usual
        effect. A second signal takes effect immediately, and items in flight become `unknown` when the lease ends.

        Args:
            progress: `True` for a progress bar, or a callable that receives the `Counts`.

        Yields:
            Items that are `done`, `rejected`, or `unknown`, and `ready` items that have used up their attempts.

        Raises:
            LedgerError: The ledger can't be written. The run stopped sending items.
            LeaseLostError: The process stalled for longer than its lease. The run stopped sending items.
            SubscribekitError: An error affects all items, for example because the client is closed.
        """
        self._refuse_misuse()
        shown = RunDisplay(progress, self.counts)
        self._has_unread_send = True
        return self._sent(shown)

    def _sent(self, shown: RunDisplay) -> Iterator[Item]:
        self._has_unread_send = False
        outbox: Queue[Item | None] = self._runtime.queue()
        session = self._new_session(
            lambda entry, result: outbox.put(None if entry is None else self._item(entry, result))
        )
        interrupts = Interrupts(session.interrupt)
        session.release = interrupts.restore_handlers
        reader = Reader()
        try:
            engine = self._in_thread(partial(self._start_session, session, ref(reader), self._worker))
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
        """Start the workers, yield each item when it ends, and wait until the workers have ended."""
        workers = cast("Sequence[ThreadWorker]", session.workers)
        try:
            for worker in workers:
                worker.start(partial(self._work, session, engine, worker), "subscribekit-worker")
            while (item := next_item(session, engine, outbox)) is not None:
                session.item_read()
                shown.note_item(item)
                yield item
        except GeneratorExit:
            session.stop(LEFT)
            raise
        finally:
            session.end()
            if not interrupts.is_urgent:
                for worker in workers:
                    worker.join()

    def _item(self, entry: Entry, result: SendResult | None = None) -> Item:
        self._apply(entry, result)
        value, error = (None, None) if result is None else (result.value, result.error)
        return Item(entry, self._error_of, self._record_outcome_of, value, error)

    def _work(self, session: Session, engine: Engine, worker: ThreadWorker) -> None:
        session.worker_started(worker)
        try:
            driver = Driver(self._settings, worker.guard, self._driver.state)
            engine.request_item(worker)
            while (claim := worker.wait_for_claim()) is not None:
                result = self._send(session, driver, claim)
                session.count_result(result)
                if session.is_over:  # a second Ctrl-C ends the session, and the next `send` creates its own workers
                    engine.record_result(worker, result)
                    break
                engine.record_result(worker, result, request_next=True)
        except BaseException as error:  # noqa: BLE001  raised to the caller that iterates over `send`
            session.fail(error)
        finally:
            engine.worker_ended(worker)

    def _worker(self, engine: Engine) -> ThreadWorker:
        return ThreadWorker(self._runtime, engine, Guard(self._driver.transport, self._runtime, engine))

    def _send(self, session: Session, driver: Driver, claim: Claim) -> SendResult:
        try:
            prepared = self._prepared(claim.entry)
            return self._result_of(driver.exchange(prepared.operation, claim.entry.operation, prepared=prepared))
        except BaseException as error:  # noqa: BLE001  written to the ledger, and raised to the caller of `send`
            return session.result_of_error(claim.entry, error)

    def resolve(self, *, not_applied_after: float = 30.0, wait: bool = True) -> Resolved:
        """Find out, by reads, whether the items with an unknown outcome were carried out.

        An item becomes `done` if it was carried out or its requested state is in effect. An item becomes `ready` if it
        was not carried out, and the next `send` sends it. If reads can't decide, the item stays `unknown`, and its
        `note` contains the evidence.

        Args:
            not_applied_after: The maximum number of seconds that a request can be in flight. If an item is at least
                `not_applied_after` seconds old and its resource is missing, its request was not carried out. An item's
                age is the time since it was sent. If the process that sent the item died, the age is the time since a
                run found that the lease of the process had ended. If the SDK can't measure an item's age, it uses the
                time since you called `resolve`.
            wait: Whether to wait until each item has the age `not_applied_after`. If `False`, a younger
                item whose resource is missing stays `unknown`, and its `note` says how long to wait.

        Returns:
            The number of items with each verdict.

        Raises:
            InvalidArgumentError: `not_applied_after` isn't a number of seconds, or `wait` isn't a Boolean.
        """
        check_times(not_applied_after, wait)
        numbers: Counter[str] = Counter()
        known = self._in_thread(lambda: self._open().unknown_sends())
        start = counting_start(known, self._settings.clock)
        resolve_one = partial(self._resolve, not_applied_after=not_applied_after, wait=wait, start=start)
        for page in self._pages("unknown"):
            numbers.update(self._resolve_page(page, resolve_one))
        return Resolved(**numbers)

    def _resolve_page(self, page: list[Entry], resolve_one: Callable[[Entry], str]) -> list[str]:
        """Resolve items in up to `concurrency` threads. If the caller is interrupted, resolve no more items."""
        entries: Queue[Entry] = self._runtime.queue()
        for entry in page:
            entries.put(entry)

        def work() -> list[str]:
            return [resolve_one(entry) for entry in remaining_of(entries)]

        try:
            calls = [self._call_in_thread(work) for _ in range(min(self._concurrency, len(page)))]
            return [verdict for call in calls for verdict in call.result()]
        finally:
            deque(remaining_of(entries), maxlen=0)

    def _resolve(self, entry: Entry, *, not_applied_after: float, wait: bool, start: Callable[[Entry], float]) -> str:
        unknown = unknown_of(entry, self._shown(entry))
        verdict = Sealed(resolve(self._client, unknown, not_applied_after, wait, start(entry)))
        return self._record_verdict(entry, verdict)

    def send_once(self, key: str, request: PreparedRequest[T]) -> T:
        """Send one item from a task of a task queue, such as Celery, which may run the same task again.

        A finished item isn't sent again. This method returns the result of a `done` item, raises the error of a
        `rejected` item, and raises `OutcomeUnknownError` for an `unknown` item. If another process is sending the item,
        this method waits for the outcome, at most until the lease of that process ends.

        A separate thread sends the item. If Ctrl-C or a time limit of the task queue interrupts the wait, the thread
        completes the request and records the outcome. The method `close` waits for this thread.

        Args:
            key: The key of the item. Store the key in the task queue's own record of the task.
            request: The prepared request, which is added if the key is new.

        Returns:
            The result of the call.

        Raises:
            OutcomeUnknownError: The write may or may not have been carried out. Call `resolve` or `record_outcome`.
            BulkError: The key was already used for another request, or the amount limit is reached. The error's
                outcome is `unknown` if the item is done, but its result was purged or never received. The error's
                outcome is `rejected` if the item was recorded as `rejected`.
            SubscribekitError: The call failed. If the error's outcome is `not_sent`, the item stays `ready`.
        """
        self._refuse_misuse()
        engine = self._in_thread(partial(self._enter, self._call(key, request)))
        failures = len(engine.failures)
        finished_entry = partial(self._finished_entry, key, engine, failures)
        while (found := self._in_thread(finished_entry)) is None:
            done = self._alone(engine, key)
            if done is not None:
                return cast("T", self._outcome(done))
            self._runtime.sleep(ITEM_POLL_INTERVAL)
        return cast("T", self._outcome(self._item(found), found))

    def _alone(self, engine: Engine, key: str) -> Item | None:
        """Send an item if it's `ready`, in a thread that an interrupt of the caller can't stop (H167)."""
        worker, caller = self._worker(engine), Caller(self._runtime)
        try:
            worker.start(partial(self._send_key, engine, key, worker, caller), "subscribekit-send-once")
            found = receive(caller.replies, worker.is_alive)
        except GoneError:
            engine.worker_ended(worker)  # this call makes the engine record the outcome
            text = f"the thread that sent {key!r} was ended by other code; call send_once() again to get the outcome"
            raise BulkError(text, outcome="unknown") from None
        finally:
            caller.has_left = True  # if the thread receives the item after this line, it sends nothing
        if isinstance(found, BaseException):
            raise found
        return found

    def _send_key(self, engine: Engine, key: str, worker: ThreadWorker, caller: "Caller") -> None:
        try:
            engine.request_item(worker, key)
            claim = worker.wait_for_claim()
            if claim is None or caller.has_left:
                caller.replies.put(None)
            else:
                caller.replies.put(self._send_alone(engine, worker, claim))
        except BaseException as error:  # noqa: BLE001  raised to the caller of `send_once`
            caller.replies.put(error)
        finally:
            engine.worker_ended(worker)

    def _send_alone(self, engine: Engine, worker: ThreadWorker, claim: Claim) -> Item:
        session = Session(StopPolicy(), 1, self._settings, self._runtime, self._max_attempts, discard)
        result = self._send(session, Driver(self._settings, worker.guard, self._driver.state), claim)
        session.count_result(result)
        engine.record_result(worker, result)
        worker.wait_until_written(claim)
        self._raise_unsent(session, result)
        return self._item(claim.entry, result)

    def preview(self, n: int = 10) -> Preview:
        """Return the first `ready` items with the requests that the run will send. Sends nothing.

        Args:
            n: The maximum number of items, from 1 to 10,000.

        Returns:
            A list of the items. If you print the list, it also shows `amounts`, the amounts of all `ready` items.
        """
        return self._in_thread(partial(self._preview, n))

    def items(self, state: State | None = None) -> Iterator[Item]:
        """Return an iterator over the items. Sends nothing. The iterator reads the items in pages.

        Args:
            state: Return only items in the state `ready`, `sent`, `done`, `rejected`, or `unknown`. Default: all items.

        Yields:
            The items.

        Raises:
            InvalidArgumentError: `state` isn't a valid state.
        """
        self._check_state(state)
        return (self._item(entry) for page in self._pages(state) for entry in page)

    def _pages(self, state: State | None) -> Iterator[list[Entry]]:
        last: Entry | None = None
        while page := self._in_thread(partial(self._page, state, last)):
            last = page[-1]
            yield page

    def _record_outcome_of(self, entry: Entry, outcome: RecordedOutcome, note: str, result: object) -> Entry:
        """Record an item's outcome, for `Item.record_outcome`."""
        return self._in_thread(partial(self._record_outcome, entry, outcome, note, Sealed(result)))

    def counts(self) -> Counts:
        """Return the number of items in each state."""
        return self._in_thread(self._counts)

    def report(self, path: str | os.PathLike[str]) -> int:
        """Write one CSV line for each item, with its key, state, error, IDs, and times, but without its request.

        Args:
            path: The path of the file. An existing file is replaced.

        Returns:
            The number of items in the report.

        Raises:
            BulkError: The file can't be written.
        """
        return self._in_thread(partial(self._report, path))

    def purge_data(self) -> int:
        """Erase the requests and results of done items from the ledger's files. Keys and outcomes stay in the ledger.

        Returns:
            The number of items whose data was erased.

        Raises:
            LedgerError: Another program has been reading the ledger for 20 seconds. Call `purge_data` again.
        """
        return self._in_thread(self._purge_data)
