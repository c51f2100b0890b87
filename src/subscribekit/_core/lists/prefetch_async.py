"""Reads pages in advance, in asyncio tasks. The module `prefetch` reads pages in advance in threads.

If the consumer stops, the tasks are canceled.
"""

import asyncio
from collections.abc import Iterable, Sequence

from ..calls.driver_async import AsyncDriver
from .prefetch import PageOperation, PageResponse

_TURNS = 8
"""Maximum number of turns of the event loop to wait until the requests are in flight."""


class AsyncPrefetch:
    """The requests for pages that one iteration over a list sends in asyncio tasks."""

    def __init__(self, driver: AsyncDriver, name: str) -> None:
        self._driver, self._name = driver, name
        self._running: dict[object, asyncio.Task[PageResponse]] = {}

    async def start(self, operations: Sequence[PageOperation]) -> None:
        """Start the operations that aren't running yet, and cancel all running operations that aren't needed."""
        waiting: set[asyncio.Task[PageResponse]] = set()
        before = self._running
        self._running = {each.query: before.get(each.query) or self._begin(each, waiting) for each in operations}
        _cancel(task for query, task in before.items() if query not in self._running)
        # Wait until the requests are in flight, because the consumer's work may block the event loop.
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
        """Return a page that was read in advance, or read the page now."""
        task = self._running.pop(operation.query, None)
        if task is not None and task.get_loop() is not asyncio.get_running_loop():
            _cancel((task,))  # the iteration now runs in another event loop, where it can't await this task
            task = None
        if task is None or task.cancelled():
            return await self._driver.exchange(operation, self._name)
        try:
            return await task
        except asyncio.CancelledError:
            task.cancel()
            raise

    def __del__(self) -> None:
        # Cancel the tasks, because the consumer stopped before the end of the list.
        _cancel(self._running.values())


def _cancel(tasks: "Iterable[asyncio.Task[PageResponse]]") -> None:
    for task in tasks:
        if not task.done() and not task.get_loop().is_closed():
            task.cancel()


def _note(task: "asyncio.Task[PageResponse]") -> None:
    """Retrieve the exception of a task, so that asyncio doesn't report it as never retrieved."""
    if not task.cancelled():
        task.exception()
