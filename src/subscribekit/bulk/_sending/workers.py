"""Workers: the threads or tasks that send the items of a run. Each worker sends one item at a time."""

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
        runtime: The threads and queues of the run.
        engine: The engine that delivers the items.
        guard: The transport that checks the lease.

    Attributes:
        claim: The item that the worker is sending. Only the engine's thread changes this attribute.
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
        """Whether a part of the item's request may have been sent."""
        return self.guard.was_sent

    def start(self, work: Callable[[], object], name: str) -> None:
        """Start the thread, in a copy of the caller's context.

        Raises:
            RuntimeError: The system can't start another thread.
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
        """Receive an item. The engine's thread calls this method."""
        self.claim = claim
        if claim is not None:
            self.guard.begin(claim.lease, claim.entry.id)
        self._inbox.put(claim)

    def has_ended(self) -> bool:
        """Whether the thread has ended."""
        return self._thread is not None and not self._thread.is_alive()

    def wait_for_claim(self) -> Claim | None:
        """Wait for the requested item. Return `None` if there are no more items."""
        try:
            return receive(self._inbox, self._engine.is_alive)
        except GoneError:
            return None

    def wait_until_written(self, claim: Claim) -> None:
        """Wait until the result of an item has been written or discarded."""
        written: Queue[None] = self._runtime.queue()
        self._engine.when_written(claim.entry.id, partial(written.put, None))
        with suppress(GoneError):
            receive(written, self._engine.is_alive)


class Caller:
    """The caller of `send_once`, which waits for a thread, and may stop waiting before the thread has ended.

    Args:
        runtime: The queues of the run.

    Attributes:
        replies: The queue for the result or the error of the thread.
        has_left: Whether the caller no longer waits.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.replies: Queue[Item | BaseException | None] = runtime.queue()
        self.has_left: bool = False


class TaskWorker:
    """A task that sends items.

    Args:
        loop: The event loop of the task.
        engine: The engine that delivers the items.
        guard: The transport that checks the lease.

    Attributes:
        claim: The item that the worker is sending. Only the engine's thread changes this attribute.
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
        """Whether a part of the item's request may have been sent."""
        return self.guard.was_sent

    def deliver(self, claim: Claim | None) -> None:
        """Receive an item. The engine's thread calls this method."""
        self.claim = claim
        if claim is not None:
            self.guard.begin(claim.lease, claim.entry.id)
        soon(self._loop, lambda: _set_claim(self._next_claim, claim))

    def has_ended(self) -> bool:
        """Whether the task or its event loop has ended."""
        return self._loop.is_closed() or self._is_task_done()

    def run_in(self, task: "asyncio.Future[T]") -> None:
        """Report that the worker has ended when its task ends, even if the task is canceled before its first step."""
        self._is_task_done = task.done
        task.add_done_callback(lambda _: self._engine.worker_ended(self))

    async def wait_until_written(self, claim: Claim) -> None:
        """Wait until the result of an item has been written or discarded."""
        written: asyncio.Future[Claim | None] = self._loop.create_future()
        self._engine.when_written(claim.entry.id, lambda: soon(self._loop, lambda: _set_claim(written, None)))
        while self._engine.is_alive() and not written.done():
            await asyncio.wait((written,), timeout=CHECK_THREADS)

    async def wait_for_claim(self) -> Claim | None:
        """Wait for the requested item. Return `None` if there are no more items."""
        claim = await self._next_claim
        self._next_claim = self._loop.create_future()
        return claim

    async def wait_for_claim_while_alive(self) -> Claim | None:
        """Wait for the requested item while the engine's thread is alive, for `send_once`.

        `send` calls `wait_for_claim` instead, because `_watch` checks the engine's thread during `send`.
        """
        while self._engine.is_alive() and not self._next_claim.done():
            await asyncio.wait((self._next_claim,), timeout=CHECK_THREADS)
        return self._next_claim.result() if self._next_claim.done() else None

    def release(self) -> None:
        """End the wait for an item, because the engine's thread has ended. Call this method in the event loop."""
        _set_claim(self._next_claim, None)


def _set_claim(future: "asyncio.Future[Claim | None]", claim: Claim | None) -> None:
    if not future.done():
        future.set_result(claim)
