"""The sync connection pool: a stack of idle connections, each of which handles one call at a time.

A canceled or failed call loses only its own connection (H80). A call first tries the most recently used idle
connection. A socket operation never continues after the call's deadline (H10). A connection in use belongs only to its
response body, and any failure closes the connection (H100).
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

_RECHECK_SECONDS = 0.05
"""The interval, in seconds, at which a waiting thread checks for a free permit, because an interrupt can prevent a
wake-up."""


@dataclass(slots=True, eq=False, repr=False)
class _Process(Home):
    """The connections of one process."""

    waiting: deque[threading.Lock] = field(default_factory=deque)

    def release(self, permit: Permit) -> None:
        """Release a permit, and wake the first thread that waits for a permit."""
        self.permits.release(permit)
        if self.waiting:
            with contextlib.suppress(IndexError):  # the waiting thread may have just timed out
                self.waiting.popleft().release()

    release_lost = release


class ConnectionPool(Pool[_Process], Transport):
    """The connections of a sync client. Threads can share the pool, and the pool works after a fork."""

    def __init__(self, route: Route) -> None:
        super().__init__(route)
        self._process = self._begin()

    def _begin(self) -> _Process:
        return _Process(Permits(self._route.limits.max_connections))

    def _after_fork(self, parent: _Process) -> _Process:
        # Don't use a lock, because a thread of the parent may have held the lock at the moment of the fork. If two
        # threads run this method at the same time, both calls work, but the connections of one thread aren't reused.
        self._abandoned.append(parent)
        self._process = process = self._begin()
        return process

    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send a request on a connection, which is released when the caller closes the body."""
        process, handled = self._process, sys.exc_info()[1]
        if process.process != this_process():
            process = self._after_fork(process)
        body = _Body(self, process, request.progress)
        try:
            if not process.permits.acquire(body.permit):
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
            while not process.permits.acquire(permit):
                if (left := end - SYSTEM.monotonic()) <= 0:
                    raise TransportFailure("no connection became free in time", "nothing", "no_free_connection")
                if gate.acquire(timeout=min(left, _RECHECK_SECONDS)):
                    process.waiting.appendleft(gate)  # if another call gets the permit first, this thread is woken next
        finally:
            with contextlib.suppress(ValueError):
                process.waiting.remove(gate)
        request.progress.begin()

    def give_back(self, home: _Process, connection: Connection) -> None:
        """Make a connection available to other calls."""
        super().give_back(home, connection)
        if self._closed:
            home.close_idle()

    def can_reuse(self, home: _Process) -> bool:
        """Return whether the pool can reuse the connections of a process."""
        return home is self._process and not self._closed

    def close(self) -> None:
        """Close the idle connections. A connection in use is closed when its call ends."""
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
            self.mark_complete(connection)
        except Exception as error:
            raise_translated(error, self._progress, handled)
            raise
