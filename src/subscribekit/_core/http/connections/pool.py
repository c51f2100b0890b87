"""The blocking connection pool: a stack of idle connections, each of which serves one call at a time.

A cancelled or broken call costs its own connection and nothing else (H80), and finding a free one does not slow down
with their number. Every socket operation is cut to what is left of the call's deadline (H10). Between taking a
connection and giving it back it belongs to the response body alone: whatever goes wrong there closes it (H100).
"""

import contextlib
import sys
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...._sealed import NOTHING, Content
from ...config.clock import SYSTEM
from ...config.process import this_process
from ..failure import TransportFailure, raise_translated
from ..transport import Body, RawRequest, RawResponse, Transport
from ..wire.sockets import run
from .exchange import Connection
from .permits import Permit, Permits
from .pooling import HeldBody, Home, Pool
from .route import Route

_LOOK_AGAIN = 0.05
"""Seconds after which a waiting thread looks for itself: an interrupt may have swallowed its call."""


@dataclass(slots=True, eq=False, repr=False)
class _Process(Home):
    """The connections of one process."""

    waiting: deque[threading.Lock] = field(default_factory=deque)

    def release(self, permit: Permit) -> None:
        """Give a permit back and wake the first thread that waits for one."""
        self.permits.release(permit)
        if self.waiting:
            with contextlib.suppress(IndexError):  # it had enough of waiting just now
                self.waiting.popleft().release()

    lose = release


class ConnectionPool(Pool[_Process], Transport):
    """Blocking connections of one client, usable from many threads and after a fork."""

    def __init__(self, route: Route) -> None:
        super().__init__(route)
        self._process = self._begin()

    def _begin(self) -> _Process:
        return _Process(Permits(self._route.limits.max_connections))

    def _after_fork(self, parent: _Process) -> _Process:
        # Without a lock, which another thread of the parent might have held in the moment of the fork. Two threads that
        # get here at once both work; the connections of one are not kept.
        self._abandoned.append(parent)
        self._process = process = self._begin()
        return process

    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send one request on its own connection, which is free again when the body is closed."""
        process, handled = self._process, sys.exc_info()[1]
        if process.process != this_process():
            process = self._after_fork(process)
        body = _Body(self, process, request.progress)
        try:
            if not process.permits.hold(body.permit):
                self._wait(process, body.permit, request)
            status, headers = run(self.begin(body, request))
            return RawResponse(status, headers, body)
        except BaseException as error:
            body.abort()
            raise_translated(error, request.progress, handled)
            raise

    def _wait(self, process: _Process, permit: Permit, request: RawRequest) -> None:
        request.progress.wait()
        end = SYSTEM.monotonic() + request.timeouts["pool"]
        gate = threading.Lock()
        gate.acquire()
        try:
            process.waiting.append(gate)
            while not process.permits.hold(permit):
                if (left := end - SYSTEM.monotonic()) <= 0:
                    raise TransportFailure("no connection became free in time", "nothing", "no_free_connection")
                if gate.acquire(timeout=min(left, _LOOK_AGAIN)):
                    process.waiting.appendleft(gate)  # if another call was quicker, it is still the first to be woken
        finally:
            with contextlib.suppress(ValueError):
                process.waiting.remove(gate)
        request.progress.begin()

    def give_back(self, home: _Process, connection: Connection) -> None:
        """Take a connection back after its call."""
        super().give_back(home, connection)
        if self._closed:
            home.close_idle()

    def takes_back(self, home: _Process) -> bool:
        """Whether connections of a process are used again."""
        return home is self._process and not self._closed

    def close(self) -> None:
        """Close the idle connections; those in use close when their call ends."""
        self._closed = True
        self._process.close_idle()


class _Body(HeldBody[_Process]):
    __slots__ = ()

    def __iter__(self) -> Iterator[Content]:
        connection, handled = self.connection, sys.exc_info()[1]
        if connection is None:
            return
        try:
            while (piece := run(connection.piece())) is not NOTHING:
                yield piece
            self.end(connection)
        except Exception as error:
            raise_translated(error, self._progress, handled)
            raise
