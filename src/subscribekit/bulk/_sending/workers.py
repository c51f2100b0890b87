"""Workers: the threads or tasks that send the items of a run, one at a time each."""

import asyncio
import contextvars
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from .._items import Item
from .background import CHECK_THREADS, GoneError, receive, soon
from .claims import Claim
from .engine import Engine
from .lease import AsyncGuard, Guard
from .runtime import Queue, Runtime, Thread

T = TypeVar("T")


class ThreadWorker:
    """A thread that sends items.

    Args:
        runtime: Of the run.
        engine: Gives the items.
        guard: The transport that checks the lease.

    Attributes:
        claim: The item that it holds; the engine sets it.
        guard: The transport that checks the lease.
    """

    def __init__(self, runtime: Runtime, engine: Engine, guard: Guard) -> None:
        self._runtime, self._engine = runtime, engine
        self._inbox: Queue[Claim | None] = runtime.queue()
        self._thread: Thread | None = None
        self.claim: Claim | None = None
        self.guard: Guard = guard

    @property
    def was_sent(self) -> bool:
        """Whether a part of the request of the item may have been sent."""
        return self.guard.was_sent

    def start(self, work: Callable[[], object], name: str) -> None:
        """Start the thread, in a copy of the caller's context.

        Raises:
            RuntimeError: The system has no more threads.
        """
        context = contextvars.copy_context()
        self._thread = self._runtime.start(lambda: context.run(work), name)

    def join(self) -> None:
        """Wait until the thread has ended, if it was started."""
        if self._thread is not None:
            self._thread.join()

    def is_alive(self) -> bool:
        """Return whether the thread runs."""
        return self._thread is not None and self._thread.is_alive()

    def deliver(self, claim: Claim | None) -> None:
        """Receive an item, in the engine's thread."""
        self.claim = claim
        if claim is not None:
            self.guard.begin(claim.lease, claim.entry.id)
        self._inbox.put(claim)

    def has_ended(self) -> bool:
        """Whether the thread has ended."""
        return self._thread is not None and not self._thread.is_alive()

    def wait_for_claim(self) -> Claim | None:
        """Wait for the item that was asked for; `None` if there is nothing more to send."""
        try:
            return receive(self._inbox, self._engine.is_alive)
        except GoneError:
            return None

    def wait_until_written(self, claim: Claim) -> None:
        """Wait until the outcome of an item is written or given up."""
        written: Queue[None] = self._runtime.queue()
        self._engine.when_written(claim.entry.id, partial(written.put, None))
        with suppress(GoneError):
            receive(written, self._engine.is_alive)


class Caller:
    """A caller that waits for a thread, and may leave before it has ended.

    Args:
        runtime: Of the run.

    Attributes:
        replies: Receives the result of the thread, or its error.
        has_left: Whether the caller waits no more.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.replies: Queue[Item | BaseException | None] = runtime.queue()
        self.has_left: bool = False


class TaskWorker:
    """A task that sends items.

    Args:
        engine: Gives the items.
        guard: The transport that checks the lease.

    Attributes:
        claim: The item that it holds; the engine sets it.
        guard: The transport that checks the lease.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, engine: Engine, guard: AsyncGuard) -> None:
        self._loop, self._engine = loop, engine
        self._next_claim: asyncio.Future[Claim | None] = loop.create_future()
        self.claim: Claim | None = None
        self.guard: AsyncGuard = guard
        self._is_task_done: Callable[[], bool] = lambda: False

    @property
    def was_sent(self) -> bool:
        """Whether a part of the request of the item may have been sent."""
        return self.guard.was_sent

    def deliver(self, claim: Claim | None) -> None:
        """Receive an item, in the engine's thread."""
        self.claim = claim
        if claim is not None:
            self.guard.begin(claim.lease, claim.entry.id)
        soon(self._loop, lambda: _set_claim(self._next_claim, claim))

    def has_ended(self) -> bool:
        """Whether the task or its event loop has ended."""
        return self._loop.is_closed() or self._is_task_done()

    def run_in(self, task: "asyncio.Future[T]") -> None:
        """Let the worker end with its task, also if the task is cancelled before its first step."""
        self._is_task_done = task.done
        task.add_done_callback(lambda _: self._engine.worker_ended(self))

    async def wait_until_written(self, claim: Claim) -> None:
        """Wait until the outcome of an item is written or given up."""
        written: asyncio.Future[Claim | None] = self._loop.create_future()
        self._engine.when_written(claim.entry.id, lambda: soon(self._loop, lambda: _set_claim(written, None)))
        while self._engine.is_alive() and not written.done():
            await asyncio.wait((written,), timeout=CHECK_THREADS)

    async def wait_for_claim(self) -> Claim | None:
        """Wait for the item that was asked for; `None` if there is nothing more to send."""
        claim = await self._next_claim
        self._next_claim = self._loop.create_future()
        return claim

    async def wait_for_claim_while_alive(self) -> Claim | None:
        """Do the same, and end if the engine's thread has ended; the tasks of `send` have a watcher for that."""
        while self._engine.is_alive() and not self._next_claim.done():
            await asyncio.wait((self._next_claim,), timeout=CHECK_THREADS)
        return self._next_claim.result() if self._next_claim.done() else None

    def release(self) -> None:
        """End the wait for an item, in the event loop, because the engine's thread has ended."""
        _set_claim(self._next_claim, None)


def _set_claim(future: "asyncio.Future[Claim | None]", claim: Claim | None) -> None:
    if not future.done():
        future.set_result(claim)
