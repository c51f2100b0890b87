"""Runs functions in separate threads, and stops waiting for a thread if the thread has ended.

Signal handlers run in the main thread. If a handler raises an exception inside SQLAlchemy's connection pool, a lock of
the pool stays locked forever. Therefore, only other threads use the ledger, and the main thread gets the results from
queues.
"""

import asyncio
import contextvars
from collections.abc import Callable, Iterator
from queue import Empty
from typing import Generic, TypeVar

from ..._sealed import Sealed
from ...errors import LedgerError
from .runtime import Queue, Runtime, Thread

T = TypeVar("T")

CHECK_THREADS = 1.0
"""Seconds between two checks of whether the awaited thread or task is alive."""


class GoneError(Exception):
    """The thread that should put items into the queue has ended."""


def receive(queue: Queue[T], is_alive: Callable[[], bool]) -> T:
    """Wait for an item from a queue.

    Raises:
        GoneError: The thread that puts the items has ended, and the queue is empty.
    """
    while True:
        try:
            return queue.get(timeout=CHECK_THREADS)
        except Empty:
            if not is_alive():
                break
    try:
        return queue.get(timeout=0)
    except Empty:
        raise GoneError from None


class Call(Generic[T]):
    """A call in a separate thread, which is completed even if its caller is interrupted.

    Args:
        runtime: The threads and queues of the run.
        work: The function to call.
        running: A set that contains the call while it runs.
    """

    def __init__(self, runtime: Runtime, work: Callable[[], T], running: "set[Call[T]]") -> None:
        self._work, self._running = work, running
        self._values: list[Sealed[T]] = []
        self._error: BaseException | None = None
        self._is_done = False
        self._ended: Queue[None] = runtime.queue()
        self._waiting: list[Callable[[], object]] = []
        self._thread: Thread | None = None
        context = contextvars.copy_context()
        self._thread = runtime.start(lambda: context.run(self._run), "subscribekit-ledger")

    def _run(self) -> None:
        self._running.add(self)
        try:
            self._values.append(Sealed[T].of(self._work))
        except BaseException as error:  # noqa: BLE001  raised to the caller that waits
            self._error = error
        finally:
            self._is_done = True
            self._running.discard(self)
            self._ended.put(None)
            for done in self._waiting:
                done()

    def join(self) -> None:
        """Wait until the call has been completed, or its thread has ended."""
        while not self._is_done:
            try:
                receive(self._ended, self._is_alive)
            except GoneError:
                return
        self._ended.put(None)  # this value wakes the next caller that waits

    def result(self) -> T:
        """Wait for the call, and return its result or raise its error.

        Raises:
            LedgerError: Other code ended the thread.
        """
        self.join()
        if self._is_done:
            self._thread = None  # this breaks a reference cycle that would keep the result in memory
        if self._error is not None:
            raise self._error
        if not self._values:
            raise LedgerError(
                "a thread that used the ledger was ended by other code; the ledger contains everything that the thread "
                "recorded. Call the method again"
            )
        return self._values[0].reveal()

    async def awaited(self) -> T:
        """Wait for the call in an event loop, and return its result or raise its error."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.append(lambda: soon(loop, lambda: _set(done)))
        while not self._is_done and self._is_alive():
            await asyncio.wait((done,), timeout=CHECK_THREADS)
        return self.result()

    def _is_alive(self) -> bool:
        return self._thread is None or self._thread.is_alive()


def _set(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)


def soon(loop: asyncio.AbstractEventLoop, function: Callable[[], object]) -> bool:
    """Call a function in an event loop. Return `False` if the loop has ended, for example after a second Ctrl-C."""
    try:
        loop.call_soon_threadsafe(function)
    except RuntimeError:
        return False
    return True


def remaining_of(queue: "Queue[T]") -> Iterator[T]:
    """Yield the remaining values of a queue, and remove them."""
    while True:
        try:
            value = queue.get(timeout=0)
        except Empty:
            return
        yield value
