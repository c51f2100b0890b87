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
from ._adding import refuse_other_than_pairs
from ._base import BATCH, ENGINE_GONE, LOOK_AGAIN, Base, Reader, discard
from ._items import AsyncItem
from ._ledger.entries import Ended, Entry
from ._ledger.ledger import NewItem
from ._opened import LEFT
from ._preview import Preview
from ._resolving import Resolved, counted_from, unknown_of
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
    """Many writes from a ledger that survives the process, as `Run`, for async clients; use it with `async with`.

    Args:
        ledger: A file, for one machine; or `postgresql+psycopg://...`, for any number of them.
        client: Sends; of the group, origin, environment and merchant that the ledger belongs to.
        rate_limit: The most requests per period, over all processes that share the ledger. Default: no limit.
        concurrency: How many are under way at once, 1 to 256.
        stop: When to end early.
        lease: Seconds after which a process that says nothing counts as dead, and what it had sent as `unknown`.
        max_attempts: How often an item is tried that could not be sent at all; then it stays `ready` for another run.
        accept_new_key: Whether a client with another API key (gateway) or API user (billing) than the ledger's may go
            on: after a rotation, never for another merchant.
        accept_moved: Whether to use a ledger file that wasn't closed after it was sent from, and that now has another
            `-wal` file beside it, or none: after you copied both files, or after a crash. Pass it once, and only if no
            commit is missing, because an item is sent again if its commit is missing. Default: `False`.

    Raises:
        ConfigurationError: An argument is not one of these.
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
            raise ConfigurationError("AsyncRun takes an async client, such as AsyncGatewayClient(...)")
        self._client = client
        self._sending: set[asyncio.Future[object]] = set()
        super().__init__(
            Sealed(ledger), client, rate_limit, concurrency, stop, lease, max_attempts, accept_new_key, accept_moved
        )

    async def __aenter__(self) -> Self:
        """Open the ledger.

        Raises:
            LedgerError: The ledger cannot be used, or belongs to another group, origin, environment or merchant.
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
        """Write what is left to write, and close the ledger; the client stays open.

        Raises:
            BulkError: `send` was called and never iterated, so it sent nothing. The ledger is closed all the same. This
                error isn't raised while another exception is handled.
        """
        with CancelScope(shield=True):
            await self._end_all()
        if sys.exception() is None:
            self._refuse_unread_send("async for")

    async def _end_all(self) -> None:
        loop = asyncio.get_running_loop()
        sending = {each for each in self._sending if each.get_loop() is loop}  # those of a closed loop never end
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
        """Add items; what is there already, with the same request, stays as it is.

        They are read in a stream, each is checked before the next one is read, and written in batches of 500, each as a
        whole.

        Args:
            requests: Keys of 1 to 255 characters, each with what `client.prepare` returns for a write; also an async
                iterable.

        Returns:
            How many are new.

        Raises:
            BulkError: A key is used for another request; nothing of its batch was written.
            InvalidArgumentError: An item has no valid key or no prepared request, or its request is a read, is of
                another client, or has a result of your own class. Nothing of its batch was written.
            LedgerError: The ledger cannot be written.
        """
        self._refuse_misuse()
        refuse_other_than_pairs(requests, (Iterable, AsyncIterable))
        added, batch = 0, list[NewItem]()
        async for pair in _each(requests):
            batch.append(self._call_of(pair.reveal()))
            if len(batch) == BATCH:
                added += await self._in_thread(partial(self._add_batch, batch))
                batch = []
        return added + (await self._in_thread(partial(self._add_batch, batch)) if batch else 0)

    def send(self, *, progress: Progress = False) -> AsyncIterator[AsyncItem]:
        """Send what is `ready`, and give each item as it ends, in that order; as `Run.send`.

        Each call sends: after a stop the next one goes on with the rest. `items` looks without sending. Items are sent
        only while you iterate; if you never do, `aclose` raises `BulkError`. A cancellation lets what is under way end,
        as the first Ctrl-C does, and so does a cancel scope of anyio.

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
        shown = RunDisplay(progress, lambda: self._call_in_thread(self._counts).result())
        self._has_unread_send = True
        return self._sent(shown)

    async def _sent(self, shown: RunDisplay) -> AsyncIterator[AsyncItem]:
        self._has_unread_send = False
        loop = asyncio.get_running_loop()
        outbox: asyncio.Queue[AsyncItem | None] = asyncio.Queue()

        def put(entry: Entry | None, ended: Ended | None) -> None:
            soon(loop, partial(outbox.put_nowait, None if entry is None else self._item(entry, ended)))

        session = self._new_session(put)
        interrupts = Interrupts(session.interrupt)
        session.release = interrupts.give_back
        tasks: list[asyncio.Task[None]] = []
        reader = Reader()
        try:
            engine = await self._in_thread(partial(self._begin, session, ref(reader), partial(self._worker, loop)))
            with interrupts, shown:
                watch = asyncio.create_task(_watch(session, engine, outbox))
                try:
                    tasks += [
                        self._start(session, engine, worker) for worker in cast("Sequence[TaskWorker]", session.workers)
                    ]
                    while (item := await outbox.get()) is not None:
                        session.read()
                        shown.saw(item)
                        yield item
                except (GeneratorExit, asyncio.CancelledError) as error:
                    session.stop("interrupted" if isinstance(error, asyncio.CancelledError) else LEFT)
                    raise
                finally:
                    watch.cancel()
                    session.end()
                    await _finished(tasks, at_once=interrupts.is_urgent)
        except GeneratorExit:
            interrupts.raise_received()
            raise
        finally:
            self._finish(session)
        interrupts.raise_received()
        self._raise_failure(session)

    def _item(self, entry: Entry, ended: Ended | None = None) -> AsyncItem:
        self._apply(entry, ended)
        value, error = (None, None) if ended is None else (ended.value, ended.error)
        return AsyncItem(entry, self._error_of, self._record_outcome_of, value, error)

    def _start(self, session: Session, engine: Engine, worker: TaskWorker) -> "asyncio.Task[None]":
        task = asyncio.create_task(self._work(session, engine, worker))
        task.add_done_callback(partial(_note_end, session))
        worker.run_in(task)
        return task

    async def _work(self, session: Session, engine: Engine, worker: TaskWorker) -> None:
        session.began(worker)
        driver = AsyncDriver(self._settings, worker.guard, self._driver.state)
        engine.want(worker)
        while (claim := await worker.taken()) is not None:
            ended = await self._send(session, driver, claim)
            session.note(ended)
            engine.end(worker, ended, again=True)

    def _worker(self, loop: asyncio.AbstractEventLoop, engine: Engine) -> TaskWorker:
        return TaskWorker(loop, engine, AsyncGuard(self._driver.transport, self._runtime, engine))

    async def _send(self, session: Session, driver: AsyncDriver, claim: Claim) -> Ended:
        try:
            prepared = self._prepared(claim.entry)
            return self._done(await driver.exchange(prepared.operation, claim.entry.operation, prepared=prepared))
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001  it is written down, and raised to the reader of `send`
            return session.ended_by(claim.entry, error)

    async def resolve(self, *, not_applied_after: float = 30.0, wait: bool = True) -> Resolved:
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
        free = asyncio.Semaphore(self._concurrency)
        known = await self._in_thread(lambda: self._open().unknown_sends())
        begun = counted_from(known, self._settings.clock)

        async def resolve(entry: Entry) -> str:
            async with free:
                unknown = unknown_of(entry, self._shown(entry))
                verdict = await Sealed[Verdict].awaited(
                    resolve_async(self._client, unknown, not_applied_after, wait, begun(entry))
                )
                return await self._in_thread(partial(self._record_verdict, entry, verdict))

        async for page in self._pages("unknown"):
            numbers.update(await asyncio.gather(*map(resolve, page)))
        return Resolved(**numbers)

    async def send_once(self, key: str, request: PreparedRequest[T]) -> T:
        """Do one item inside another engine, which may run it again; as `Run.send_once`.

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
        engine = await self._in_thread(partial(self._enter, self._call(key, request)))
        failures = len(engine.failures)
        loop = asyncio.get_running_loop()
        while True:
            worker = self._worker(loop, engine)
            engine.want(worker, key)
            try:
                claim = await worker.taken_while_alive()
            except BaseException:
                engine.leave(worker)
                raise
            if claim is not None:
                sending = asyncio.ensure_future(self._send_alone(engine, worker, claim))
                worker.run_in(sending)
                self._sending.add(sending)  # an event loop itself would forget it
                sending.add_done_callback(self._sending.discard)
                return cast("T", await asyncio.shield(sending))
            found = await self._in_thread(partial(self._ended_before, key, engine, failures))
            if found is not None:
                return cast("T", self._outcome(self._item(found), found))
            await asyncio.sleep(LOOK_AGAIN)

    async def _send_alone(self, engine: Engine, worker: TaskWorker, claim: Claim) -> object:
        session = Session(StopPolicy(), 1, self._settings, self._runtime, self._max_attempts, discard)
        ended = await self._send(session, AsyncDriver(self._settings, worker.guard, self._driver.state), claim)
        session.note(ended)
        engine.end(worker, ended)
        await worker.wait_until_written(claim)
        self._raise_unsent(session, ended)
        return self._outcome(self._item(claim.entry, ended))

    async def preview(self, n: int = 10) -> Preview:
        """Show the first items that are `ready` with their requests, as they will be sent; nothing is sent.

        Args:
            n: How many, 1 to 10,000.

        Returns:
            The items as a list, with the money of all items that are `ready` in `amounts`, printed and read.
        """
        return await self._in_thread(partial(self._preview, n))

    def items(self, state: State | None = None) -> AsyncIterator[AsyncItem]:
        """Give the items of a state, or all; they are read some at a time.

        Args:
            state: `ready`, `sent`, `done`, `rejected` or `unknown`.

        Yields:
            The items.

        Raises:
            InvalidArgumentError: There is no such state.
        """
        self._check_state(state)
        return (self._item(entry) async for page in self._pages(state) for entry in page)

    async def _pages(self, state: State | None) -> AsyncIterator[list[Entry]]:
        last: Entry | None = None
        while page := await self._in_thread(partial(self._page, state, last)):
            last = page[-1]
            yield page

    async def _record_outcome_of(self, entry: Entry, outcome: RecordedOutcome, note: str, result: object) -> Entry:
        """Record an item's outcome; `AsyncItem.record_outcome` is public."""
        return await self._in_thread(partial(self._record_outcome, entry, outcome, note, Sealed(result)))

    async def counts(self) -> Counts:
        """Count the items of each state."""
        return await self._in_thread(self._counts)

    async def report(self, path: str | os.PathLike[str]) -> int:
        """Write one line of CSV for each item: key, state, error, request id, times; nothing of what was sent.

        Args:
            path: The file, which is replaced.

        Returns:
            How many items are in it.

        Raises:
            BulkError: The file cannot be written.
        """
        return await self._in_thread(partial(self._report, path))

    async def purge_data(self) -> int:
        """Remove the requests and results of done items from every byte of the ledger; keys and outcomes stay.

        Returns:
            Of how many items.

        Raises:
            LedgerError: Another program has read the ledger for 20 seconds; the next call removes the old pages.
        """
        return await self._in_thread(self._purge_data)


async def _watch(session: Session, engine: Engine, outbox: "asyncio.Queue[AsyncItem | None]") -> None:
    """End `send` if the engine's thread has ended."""
    while engine.is_alive():
        await asyncio.sleep(CHECK_THREADS)
    session.fail(LedgerError(ENGINE_GONE))
    for worker in cast("Sequence[TaskWorker]", session.workers):
        worker.let_go()
    outbox.put_nowait(None)


def _note_end(session: Session, task: "asyncio.Task[None]") -> None:
    """Raise to the reader why the task of a worker has ended early, also before its first step."""
    if task.cancelled():
        session.fail(BulkError("a task of the run was cancelled from outside; run.send() goes on with the rest"))
    elif (error := task.exception()) is not None:
        session.fail(error)


async def _finished(tasks: "list[asyncio.Task[None]]", *, at_once: bool) -> None:
    """Wait until what is under way has ended; another cancellation ends it at once.

    A cancel scope of anyio cancels again at each `await`, which is no second cancellation (H439).
    """
    try:
        if tasks and not at_once:
            with CancelScope(shield=True):
                await asyncio.shield(asyncio.gather(*tasks, return_exceptions=True))
    finally:
        for task in tasks:
            task.cancel()


async def _each(requests: "Iterable[object] | AsyncIterable[object]") -> AsyncIterator[Sealed[object]]:
    if isinstance(requests, AsyncIterable):
        async for pair in requests:
            yield Sealed(pair)
    else:
        for pair in requests:
            yield Sealed(pair)
