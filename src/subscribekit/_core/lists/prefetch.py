"""Pages that are read before they are asked for, in threads.

The order of items does not change, and an error of a page is raised where that page is reached. When the consumer
stops, a thread ends with its request, which the deadline bounds.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextvars import copy_context

from ..._json import JSON
from ..calls.driver import Driver
from ..calls.response import Response
from ..config.clock import SYSTEM
from ..config.process import this_process
from ..operations.operation import Operation
from ..operations.readers import Page

PageOperation = Operation[Page[JSON]]
PageResponse = Response[Page[JSON]]


_UNTIL_SENT = 0.02
"""Seconds that reading on waits at most until the requests are on their way."""


def _wait_until_sent(waiting: Sequence[threading.Event]) -> None:
    """Let requests go first: Python lets a busy thread run on for 5 ms at a time, which would hold them back."""
    end = SYSTEM.monotonic() + _UNTIL_SENT
    for sent in waiting:
        sent.wait(end - SYSTEM.monotonic())


class Prefetch:
    """Page requests of one iteration that run in threads."""

    def __init__(self, driver: Driver, name: str) -> None:
        self._driver, self._name = driver, name
        self._process = this_process()
        self._running: dict[object, Future[PageResponse]] = {}

    def start(self, operations: Sequence[PageOperation]) -> None:
        """Send those operations that are not running yet, and forget all others."""
        waiting: list[threading.Event] = []
        self._running = {each.query: self._running.get(each.query) or self._begin(each, waiting) for each in operations}
        if len(waiting) == len(self._running):  # otherwise, earlier requests are on their way
            _wait_until_sent(waiting)

    def _begin(self, operation: PageOperation, waiting: list[threading.Event]) -> Future[PageResponse]:
        future: Future[PageResponse] = Future()
        context, sent = copy_context(), threading.Event()  # the caller's trace goes with it
        threading.Thread(target=lambda: context.run(self._run, operation, future, sent), daemon=True).start()
        waiting.append(sent)
        return future

    def _run(self, operation: PageOperation, future: Future[PageResponse], sent: threading.Event) -> None:
        try:
            response = self._driver.exchange(operation, self._name, sent.set)
        except BaseException as error:  # noqa: BLE001  handed to the consumer, whatever it is
            future.set_exception(error)
        else:
            future.set_result(response)
        finally:
            sent.set()

    def read(self, operation: PageOperation) -> PageResponse:
        """Give a page that was read ahead, or read it now."""
        if self._process != this_process():
            self._running, self._process = {}, this_process()  # the threads stayed in the parent process
        future = self._running.pop(operation.query, None)
        if future is None:
            return self._driver.exchange(operation, self._name)
        return future.result()
