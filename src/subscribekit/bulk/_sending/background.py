"""Work in a thread of its own, and the waits for threads that may have ended.

Handlers of signals run in the main thread. If one raises an exception inside SQLAlchemy's pool, a lock stays taken for
ever. So the ledger is used in other threads only, and the main thread waits for them at queues.
"""

import asyncio
import contextvars
from collections.abc import Callable, Iterator
from queue import Empty
from typing import Generic, TypeVar

from ...errors import LedgerError
from .runtime import Queue, Runtime, Thread

T = TypeVar("T")

CHECK_THREADS = 1.0
"""Seconds after which a waiter checks whether the thread or task that it waits for is alive."""


class GoneError(Exception):
    """The thread that would have put the item has ended."""


def receive(queue: Queue[T], is_alive: Callable[[], bool]) -> T:
    """Wait for an item of a queue.

    Raises:
        GoneError: The thread that puts the items has ended, and none is left.
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
    """A call in a thread of its own. If its caller is interrupted, the call ends all the same.

    Args:
        runtime: Of the run.
        work: Runs in the thread.
        running: Holds the call while it runs.
    """

    def __init__(self, runtime: Runtime, work: Callable[[], T], running: "set[Call[T]]") -> None:
        self._work, self._running = work, running
        self._values: list[T] = []
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
            self._values.append(self._work())
        except BaseException as error:  # noqa: BLE001  raised to the caller that waits
            self._error = error
        finally:
            self._is_done = True
            self._running.discard(self)
            self._ended.put(None)
            for done in self._waiting:
                done()

    def join(self) -> None:
        """Wait until the call or its thread has ended."""
        while not self._is_done:
            try:
                receive(self._ended, self._is_alive)
            except GoneError:
                return
        self._ended.put(None)  # for others that wait

    def result(self) -> T:
        """Wait for the call, and return its result or raise its error.

        Raises:
            LedgerError: Something ended the thread from outside.
        """
        self.join()
        if self._is_done:
            self._thread = None  # the thread refers to this call, and a cycle would keep the result in memory
        if self._error is not None:
            raise self._error
        if not self._values:
            raise LedgerError("a thread that used the ledger was ended from outside; what it did is in the ledger")
        return self._values[0]

    async def awaited(self) -> T:
        """Do the same in an event loop."""
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
    """Call a function in an event loop, unless it has ended (after a second Ctrl-C)."""
    try:
        loop.call_soon_threadsafe(function)
    except RuntimeError:
        return False
    return True


def remaining_of(queue: "Queue[T]") -> Iterator[T]:
    """Remove and return the values of a queue that no other thread has taken."""
    while True:
        try:
            value = queue.get(timeout=0)
        except Empty:
            return
        yield value
