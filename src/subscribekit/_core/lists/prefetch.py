"""Reads pages in advance, in threads.

The order of items doesn't change. If a page can't be read, the error is raised when the iteration reaches that page. If
the consumer stops, each thread ends when its request ends, at the latest when the deadline passes.
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
"""Maximum number of seconds to wait until the requests are in flight."""


def _wait_until_sent(waiting: Sequence[threading.Event]) -> None:
    """Wait until the requests are in flight, because a busy caller could delay each request by 5 ms at a time."""
    end = SYSTEM.monotonic() + _UNTIL_SENT
    for sent in waiting:
        sent.wait(end - SYSTEM.monotonic())


class Prefetch:
    """The requests for pages that one iteration over a list sends in threads."""

    def __init__(self, driver: Driver, name: str) -> None:
        self._driver, self._name = driver, name
        self._process = this_process()
        self._running: dict[object, Future[PageResponse]] = {}

    def start(self, operations: Sequence[PageOperation]) -> None:
        """Start the operations that aren't running yet, and discard all running operations that aren't needed."""
        waiting: list[threading.Event] = []
        self._running = {each.query: self._running.get(each.query) or self._begin(each, waiting) for each in operations}
        if len(waiting) == len(self._running):  # wait only if no earlier request is in flight
            _wait_until_sent(waiting)

    def _begin(self, operation: PageOperation, waiting: list[threading.Event]) -> Future[PageResponse]:
        future: Future[PageResponse] = Future()
        context, sent = copy_context(), threading.Event()  # a new thread doesn't inherit the caller's trace
        threading.Thread(target=lambda: context.run(self._run, operation, future, sent), daemon=True).start()
        waiting.append(sent)
        return future

    def _run(self, operation: PageOperation, future: Future[PageResponse], sent: threading.Event) -> None:
        try:
            response = self._driver.exchange(operation, self._name, sent.set)
        except BaseException as error:  # noqa: BLE001  the consumer gets every exception
            future.set_exception(error)
        else:
            future.set_result(response)
        finally:
            sent.set()

    def read(self, operation: PageOperation) -> PageResponse:
        """Return a page that was read in advance, or read the page now."""
        if self._process != this_process():
            self._running, self._process = {}, this_process()  # after a fork, only the parent has the threads
        future = self._running.pop(operation.query, None)
        if future is None:
            return self._driver.exchange(operation, self._name)
        return future.result()
