"""Pages that are read before they are asked for, in tasks: the other half of `prefetch`.

When the consumer stops, the tasks are cancelled.
"""

import asyncio
from collections.abc import Iterable, Sequence

from ..calls.driver_async import AsyncDriver
from .prefetch import PageOperation, PageResponse

_TURNS = 8
"""Turns of the event loop in which a request gets on its way."""


class AsyncPrefetch:
    """Page requests of one iteration that run in tasks."""

    def __init__(self, driver: AsyncDriver, name: str) -> None:
        self._driver, self._name = driver, name
        self._running: dict[object, asyncio.Task[PageResponse]] = {}

    async def start(self, operations: Sequence[PageOperation]) -> None:
        """Send those operations that are not running yet, and cancel all others."""
        waiting: set[asyncio.Task[PageResponse]] = set()
        before = self._running
        self._running = {each.query: before.get(each.query) or self._begin(each, waiting) for each in operations}
        _cancel(task for query, task in before.items() if query not in self._running)
        # The consumer's work may hold the loop; the requests go first.
        for _ in range(_TURNS):
            if not waiting:
                break
            await asyncio.sleep(0)

    def _begin(
        self, operation: PageOperation, waiting: "set[asyncio.Task[PageResponse]]"
    ) -> "asyncio.Task[PageResponse]":
        def sent() -> None:
            waiting.discard(task)

        task = asyncio.ensure_future(self._driver.exchange(operation, self._name, sent))
        waiting.add(task)
        task.add_done_callback(_note)
        task.add_done_callback(waiting.discard)
        return task

    async def read(self, operation: PageOperation) -> PageResponse:
        """Give a page that was read ahead, or read it now."""
        task = self._running.pop(operation.query, None)
        if task is not None and task.get_loop() is not asyncio.get_running_loop():
            _cancel((task,))  # the iteration goes on in another event loop
            task = None
        if task is None or task.cancelled():
            return await self._driver.exchange(operation, self._name)
        try:
            return await task
        except asyncio.CancelledError:
            task.cancel()
            raise

    def __del__(self) -> None:
        # The consumer stopped in the middle; nothing else knows of these tasks.
        _cancel(self._running.values())


def _cancel(tasks: "Iterable[asyncio.Task[PageResponse]]") -> None:
    for task in tasks:
        if not task.done() and not task.get_loop().is_closed():
            task.cancel()


def _note(task: "asyncio.Task[PageResponse]") -> None:
    """Take the exception, so that the loop does not report one without a waiter."""
    if not task.cancelled():
        task.exception()
