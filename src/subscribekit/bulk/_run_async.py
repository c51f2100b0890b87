"""A run for async clients, with tasks as workers. Threads use the ledger, so that the event loop isn't blocked."""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Sequence
from functools import partial
from types import TracebackType
from typing import Self, TypeVar, cast
from weakref import ref

from anyio import CancelScope

from .._core.calls.driver_async import AsyncDriver
from .._core.calls.prepared.prepared_request import PreparedRequest
from .._core.client.async_client import AsyncClient, resolve_async
from .._core.resolving.resolve import check_times
from .._core.resolving.verdict import Verdict
from .._sealed import Sealed
from ..errors import BulkError, ConfigurationError, LedgerError
from ._adding import check_requests, sealed_pairs
from ._base import BATCH, ENGINE_ENDED, ITEM_POLL_INTERVAL, Base, Reader, discard
from ._items import AsyncItem
from ._ledger.entries import Entry, SendResult
from ._ledger.ledger import NewItem
from ._opened import LEFT
from ._preview import Preview
from ._resolving import Resolved, counting_start, unknown_of
from ._sending.background import CHECK_THREADS, soon
from ._sending.claims import Claim
from ._sending.engine import Engine
from ._sending.lease import AsyncGuard
from ._sending.progress import Progress, RunDisplay
from ._sending.session import Session
from ._sending.signals import Interrupts
from ._sending.workers import TaskWorker
from ._values import Counts, RateLimit, RecordedOutcome, State, StopPolicy

T = TypeVar("T")
R = TypeVar("R")


class AsyncRun(Base):
    """A bulk run for an async client, which works like `Run`. Use an `AsyncRun` with `async with`.

    Args:
        ledger: A file path, for one machine; or a URL `postgresql+psycopg://...`, for any number of machines.
        client: The client that sends the items. The client must have the same service, base URL, environment, and
            merchant as the ledger.
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
    """

    def __init__(
        self,
        ledger: str | os.PathLike[str],
        client: AsyncClient,
        *,
        rate_limit: RateLimit | None = None,
        concurrency: int = 8,
        stop: StopPolicy | None = None,
        lease: float = 60.0,
        max_attempts: int = 5,
        accept_new_key: bool = False,
        accept_moved: bool = False,
    ) -> None:
        if not isinstance(client, AsyncClient):
            raise ConfigurationError("client must be an async client; use Run with a sync client")
        self._client = client
        self._sending: set[asyncio.Future[object]] = set()
        super().__init__(
            Sealed(ledger), client, rate_limit, concurrency, stop, lease, max_attempts, accept_new_key, accept_moved
        )

    async def __aenter__(self) -> Self:
        """Open the ledger.

        Raises:
            LedgerError: The ledger can't be used, was moved without its `-wal` file, or belongs to another service,
                base URL, environment, or merchant than the client.
        """
        credential = self._settings.credential
        if credential.scheme == "api_key":
            self._merchant = await credential.obtain_async()
        await self._in_thread(self._open)
        return self

    async def _in_thread(self, work: Callable[[], R]) -> R:
        return await self._call_in_thread(work).awaited()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()
        if error is None:
            self._refuse_unread_send("async for")

    async def aclose(self) -> None:
        """Write the remaining results, and close the ledger. The client stays open.

        Raises:
            BulkError: `send` was called but never iterated, so nothing was sent. The ledger is closed before this error
                is raised. `aclose` doesn't raise `BulkError` while another exception is handled.
        """
        with CancelScope(shield=True):
            await self._end_all()
        if sys.exception() is None:
            self._refuse_unread_send("async for")

    async def _end_all(self) -> None:
        loop = asyncio.get_running_loop()
        sending = {each for each in self._sending if each.get_loop() is loop}  # tasks of a closed event loop never end
        if sending:
            await asyncio.wait(sending)
        session, closing = self._session, self._start_closing()
        try:
            if closing is not None:
                await closing.awaited()
        finally:
            if session is not None:
                session.release()

    async def add(
        self,
        requests: "Iterable[tuple[str, PreparedRequest[object]]] | AsyncIterable[tuple[str, PreparedRequest[object]]]",
    ) -> int:
        """Add items. Existing items with the same key and the same request don't change.

        The run reads the items one by one, and checks each item before it reads the next item. The run writes the items
        in batches of 500, and each batch is written completely or not at all.

        Args:
            requests: A sync or async iterable of pairs of a key (1 to 255 characters) and a prepared write.

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
        check_requests(requests, (Iterable, AsyncIterable))
        added, batch = 0, list[NewItem]()
        async for pair in sealed_pairs(requests):
            batch.append(self._call_of(pair.reveal()))
            if len(batch) == BATCH:
                added += await self._in_thread(partial(self._add_batch, batch))
                batch = []
        return added + (await self._in_thread(partial(self._add_batch, batch)) if batch else 0)

    def send(self, *, progress: Progress = False) -> AsyncIterator[AsyncItem]:
        """Send the `ready` items, and yield each item when it ends, like `Run.send`.

        Each call of `send` sends the items that are still `ready`. To read items without sending any, use `items`.
        Items are sent only while you iterate. If you call `send` but never iterate, `aclose` raises `BulkError`. If the
        task is canceled, for example by a cancel scope of AnyIO, the requests in flight are completed, as after the
        first Ctrl-C.

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
        shown = RunDisplay(progress, lambda: self._call_in_thread(self._counts).result())
        self._has_unread_send = True
        return self._sent(shown)

    async def _sent(self, shown: RunDisplay) -> AsyncIterator[AsyncItem]:
        self._has_unread_send = False
        loop = asyncio.get_running_loop()
        outbox: asyncio.Queue[AsyncItem | None] = asyncio.Queue()

        def put(entry: Entry | None, result: SendResult | None) -> None:
            soon(loop, partial(outbox.put_nowait, None if entry is None else self._item(entry, result)))

        session = self._new_session(put)
        interrupts = Interrupts(session.interrupt)
        session.release = interrupts.restore_handlers
        tasks: list[asyncio.Task[None]] = []
        reader = Reader()
        try:
            start = partial(self._start_session, session, ref(reader), partial(self._worker, loop))
            engine = await self._in_thread(start)
            with interrupts, shown:
                watch = asyncio.create_task(_watch(session, engine, outbox))
                try:
                    workers = cast("Sequence[TaskWorker]", session.workers)
                    tasks += [self._start(session, engine, worker) for worker in workers]
                    while (item := await outbox.get()) is not None:
                        session.item_read()
                        shown.note_item(item)
                        yield item
                except (GeneratorExit, asyncio.CancelledError) as error:
                    session.stop("interrupted" if isinstance(error, asyncio.CancelledError) else LEFT)
                    raise
                finally:
                    watch.cancel()
                    session.end()
                    await _finished(tasks, immediately=interrupts.is_urgent)
        except GeneratorExit:
            interrupts.raise_received()
            raise
        finally:
            self._finish(session)
        interrupts.raise_received()
        self._raise_failure(session)

    def _item(self, entry: Entry, result: SendResult | None = None) -> AsyncItem:
        self._apply(entry, result)
        value, error = (None, None) if result is None else (result.value, result.error)
        return AsyncItem(entry, self._error_of, self._record_outcome_of, value, error)

    def _start(self, session: Session, engine: Engine, worker: TaskWorker) -> "asyncio.Task[None]":
        task = asyncio.create_task(self._work(session, engine, worker))
        task.add_done_callback(partial(_report_end, session))
        worker.run_in(task)
        return task

    async def _work(self, session: Session, engine: Engine, worker: TaskWorker) -> None:
        session.worker_started(worker)
        driver = AsyncDriver(self._settings, worker.guard, self._driver.state)
        engine.request_item(worker)
        while (claim := await worker.wait_for_claim()) is not None:
            result = await self._send(session, driver, claim)
            session.count_result(result)
            engine.record_result(worker, result, request_next=True)

    def _worker(self, loop: asyncio.AbstractEventLoop, engine: Engine) -> TaskWorker:
        return TaskWorker(loop, engine, AsyncGuard(self._driver.transport, self._runtime, engine))

    async def _send(self, session: Session, driver: AsyncDriver, claim: Claim) -> SendResult:
        try:
            prepared = self._prepared(claim.entry)
            return self._result_of(await driver.exchange(prepared.operation, claim.entry.operation, prepared=prepared))
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001  written to the ledger, and raised to the caller of `send`
            return session.result_of_error(claim.entry, error)

    async def resolve(self, *, not_applied_after: float = 30.0, wait: bool = True) -> Resolved:
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
        free = asyncio.Semaphore(self._concurrency)
        known = await self._in_thread(lambda: self._open().unknown_sends())
        start = counting_start(known, self._settings.clock)

        async def resolve(entry: Entry) -> str:
            async with free:
                unknown = unknown_of(entry, self._shown(entry))
                verdict = await Sealed[Verdict].awaited(
                    resolve_async(self._client, unknown, not_applied_after, wait, start(entry))
                )
                return await self._in_thread(partial(self._record_verdict, entry, verdict))

        async for page in self._pages("unknown"):
            numbers.update(await asyncio.gather(*map(resolve, page)))
        return Resolved(**numbers)

    async def send_once(self, key: str, request: PreparedRequest[T]) -> T:
        """Like `Run.send_once`, send one item for a task queue, which may run the same task again.

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
        engine = await self._in_thread(partial(self._enter, self._call(key, request)))
        failures = len(engine.failures)
        loop = asyncio.get_running_loop()
        while True:
            worker = self._worker(loop, engine)
            engine.request_item(worker, key)
            try:
                claim = await worker.wait_for_claim_while_alive()
            except BaseException:
                engine.worker_ended(worker)
                raise
            if claim is not None:
                sending = asyncio.ensure_future(self._send_alone(engine, worker, claim))
                worker.run_in(sending)
                self._sending.add(sending)  # without this reference, the task could be garbage-collected
                sending.add_done_callback(self._sending.discard)
                return cast("T", await asyncio.shield(sending))
            found = await self._in_thread(partial(self._finished_entry, key, engine, failures))
            if found is not None:
                return cast("T", self._outcome(self._item(found), found))
            await asyncio.sleep(ITEM_POLL_INTERVAL)

    async def _send_alone(self, engine: Engine, worker: TaskWorker, claim: Claim) -> object:
        session = Session(StopPolicy(), 1, self._settings, self._runtime, self._max_attempts, discard)
        result = await self._send(session, AsyncDriver(self._settings, worker.guard, self._driver.state), claim)
        session.count_result(result)
        engine.record_result(worker, result)
        await worker.wait_until_written(claim)
        self._raise_unsent(session, result)
        return self._outcome(self._item(claim.entry, result))

    async def preview(self, n: int = 10) -> Preview:
        """Return the first `ready` items with the requests that the run will send. Sends nothing.

        Args:
            n: The maximum number of items, from 1 to 10,000.

        Returns:
            A list of the items. If you print the list, it also shows `amounts`, the amounts of all `ready` items.
        """
        return await self._in_thread(partial(self._preview, n))

    def items(self, state: State | None = None) -> AsyncIterator[AsyncItem]:
        """Return an async iterator over the items. Sends nothing. The iterator reads the items in pages.

        Args:
            state: Return only items in the state `ready`, `sent`, `done`, `rejected`, or `unknown`. Default: all items.

        Yields:
            The items.

        Raises:
            InvalidArgumentError: `state` isn't a valid state.
        """
        self._check_state(state)
        return (self._item(entry) async for page in self._pages(state) for entry in page)

    async def _pages(self, state: State | None) -> AsyncIterator[list[Entry]]:
        last: Entry | None = None
        while page := await self._in_thread(partial(self._page, state, last)):
            last = page[-1]
            yield page

    async def _record_outcome_of(self, entry: Entry, outcome: RecordedOutcome, note: str, result: object) -> Entry:
        """Record an item's outcome, for `AsyncItem.record_outcome`."""
        return await self._in_thread(partial(self._record_outcome, entry, outcome, note, Sealed(result)))

    async def counts(self) -> Counts:
        """Return the number of items in each state."""
        return await self._in_thread(self._counts)

    async def report(self, path: str | os.PathLike[str]) -> int:
        """Write one CSV line for each item, with its key, state, error, IDs, and times, but without its request.

        Args:
            path: The path of the file. An existing file is replaced.

        Returns:
            The number of items in the report.

        Raises:
            BulkError: The file can't be written.
        """
        return await self._in_thread(partial(self._report, path))

    async def purge_data(self) -> int:
        """Erase the requests and results of done items from the ledger's files. Keys and outcomes stay in the ledger.

        Returns:
            The number of items whose data was erased.

        Raises:
            LedgerError: Another program has been reading the ledger for 20 seconds. Call `purge_data` again.
        """
        return await self._in_thread(self._purge_data)


async def _watch(session: Session, engine: Engine, outbox: "asyncio.Queue[AsyncItem | None]") -> None:
    """End `send` with an error if the engine's thread has ended."""
    while engine.is_alive():
        await asyncio.sleep(CHECK_THREADS)
    session.fail(LedgerError(ENGINE_ENDED))
    for worker in cast("Sequence[TaskWorker]", session.workers):
        worker.release()
    outbox.put_nowait(None)


def _report_end(session: Session, task: "asyncio.Task[None]") -> None:
    """Pass the reason why a worker's task ended early to the caller of `send`, even if the task never started."""
    if task.cancelled():
        session.fail(BulkError("a task of the run was canceled by other code; call run.send() again to send the rest"))
    elif (error := task.exception()) is not None:
        session.fail(error)


async def _finished(tasks: "list[asyncio.Task[None]]", *, immediately: bool) -> None:
    """Wait until the requests in flight are completed, or cancel them if the caller is canceled again.

    The shield protects the requests, because a cancel scope of AnyIO cancels its task at each `await` (H439).
    """
    try:
        if tasks and not immediately:
            with CancelScope(shield=True):
                await asyncio.shield(asyncio.gather(*tasks, return_exceptions=True))
    finally:
        for task in tasks:
            task.cancel()
