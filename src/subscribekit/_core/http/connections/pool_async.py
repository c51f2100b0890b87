"""The async connection pool: a stack of idle connections for each event loop.

The pool doesn't check the deadline, because the async driver cancels an attempt at the deadline of the call. The
connection of a canceled attempt is closed.
"""

import asyncio
import sys
import weakref
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field

from ...._sealed import NOTHING, Content
from ...config.clock import SYSTEM
from ...config.process import this_process
from ..failure import TransportFailure, raise_translated
from ..transport import AsyncBody, AsyncTransport, RawRequest, RawResponse
from ..wire.sockets_async import run
from .event_loop import running_loop
from .exchange import Connection
from .permits import Permit, Permits, close_expired
from .pooling import HeldBody, Home, Pool
from .route import Route

_RECHECK_SECONDS = 1.0
"""The interval, in seconds, at which a waiting task checks for a free permit, because an interrupt can prevent a
wake-up."""


_SLACK = 0.01
"""The delay in seconds before the pool closes an expired connection, so that it closes several connections together."""
_PIECES = 64
"""The SDK lets other tasks run each time it has read this many pieces of a body, even if each piece has only one byte
(H353)."""


@dataclass(slots=True, eq=False, repr=False, weakref_slot=True)
class _Loop(Home):
    """The connections of one event loop in one process, and the calls that use or wait for a connection.

    The task that has waited longest gets the next released permit.
    """

    loop: asyncio.AbstractEventLoop
    route: Route
    waiting: deque[tuple[Permit, "asyncio.Future[None]"]] = field(default_factory=deque)
    guard: AsyncGenerator[None] | None = None
    is_watched: bool = False

    def release(self, permit: Permit) -> None:
        """Release a permit, and pass the permit to the task that has waited longest."""
        self.permits.release(permit)
        if self.waiting:
            self.pass_permits()

    def pass_permits(self) -> None:
        """Pass free permits to waiting tasks."""
        while self.waiting and len(self.permits) < self.route.limits.max_connections:
            permit, turn = self.waiting.popleft()
            if permit() is not None and not turn.done():
                self.permits.acquire(permit)
                turn.set_result(None)

    def watch(self) -> None:
        """Schedule the closing of expired connections, so that the pool closes them even if no call follows.

        The timer has only a weak reference to this object.
        """
        self.is_watched = bool(self.idle)
        if self.idle:
            left = self.idle[0].idle_since + self.route.limits.keepalive_expiry - self.route.monotonic()
            watched: weakref.ref[_Loop] = weakref.ref(self)
            self.loop.call_later(max(left, 0.0) + _SLACK, _expire, watched)

    async def until_the_loop_ends(self) -> AsyncGenerator[None]:
        """Close the idle connections before the event loop ends, when `asyncio.run` closes async generators (H101)."""
        try:
            yield
        finally:
            self.close_idle()


def _expire(watched: "weakref.ref[_Loop]") -> None:
    home = watched()
    if home is not None and home.process == this_process():
        close_expired(home.idle, home.route)
        home.watch()


class AsyncConnectionPool(Pool[_Loop], AsyncTransport):
    """The connections of an async client. Each event loop and each forked child has its own connections (H81, H82)."""

    def __init__(self, route: Route) -> None:
        super().__init__(route)
        self._loops: dict[asyncio.AbstractEventLoop, _Loop] = {}

    async def _begin(self, running: asyncio.AbstractEventLoop) -> _Loop:
        for loop, of_loop in list(self._loops.items()):
            if of_loop.process != this_process():
                self._abandoned.append(of_loop)  # a child process must not close the parent's connections
                self._loops.pop(loop, None)
            elif loop.is_closed():
                self._loops.pop(loop, None)
                of_loop.close_idle()
        home = self._loops[running] = _Loop(Permits(self._route.limits.max_connections), running, self._route)
        home.guard = home.until_the_loop_ends()
        await anext(home.guard)
        return home

    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send a request on a connection, which is released when the caller closes the body."""
        running, handled = running_loop(), sys.exc_info()[1]
        home = self._loops.get(running)
        if home is None or home.process != this_process():
            home = await self._begin(running)
        body = _AsyncBody(self, home, request.progress)
        try:
            if home.waiting or not home.permits.acquire(body.permit):
                await self._wait(home, body.permit, request)
            status, headers = await run(self.begin(body, request))
            return RawResponse(status, headers, body)
        except BaseException as error:
            body.abort()
            raise_translated(error, request.progress, handled)
            raise

    async def _wait(self, home: _Loop, permit: Permit, request: RawRequest) -> None:
        request.progress.wait()
        end = SYSTEM.monotonic() + request.timeouts["pool"]
        turn: asyncio.Future[None] = home.loop.create_future()
        home.waiting.append((permit, turn))
        home.pass_permits()
        try:
            while permit not in home.permits:
                if (left := end - SYSTEM.monotonic()) <= 0:
                    raise TransportFailure("no connection became free in time", "nothing", "no_free_connection")
                await asyncio.wait((turn,), timeout=min(left, _RECHECK_SECONDS))
                home.pass_permits()
        finally:
            turn.cancel()
        request.progress.begin()

    def give_back(self, home: _Loop, connection: Connection) -> None:
        """Make a connection available to other calls."""
        super().give_back(home, connection)
        if not home.is_watched:
            home.watch()

    def can_reuse(self, home: _Loop) -> bool:
        """Return whether the pool can reuse the connections of an event loop."""
        return not self._closed and home.process == this_process()

    async def aclose(self) -> None:
        """Close the idle connections of this event loop. A connection in use is closed when its call ends."""
        self._closed = True
        home = self._loops.pop(running_loop(), None)
        if home is not None:
            home.close_idle()
            if home.guard is not None:
                await home.guard.aclose()


class _AsyncBody(HeldBody[_Loop]):
    __slots__ = ()

    async def __aiter__(self) -> AsyncIterator[Content]:
        connection, handled = self.connection, sys.exc_info()[1]
        if connection is None:
            return
        number = 0
        try:
            while (piece := await run(connection.piece())) is not NOTHING:
                yield piece
                if not (number := number + 1) % _PIECES:
                    await asyncio.sleep(0)
            self.mark_complete(connection)
        except Exception as error:
            raise_translated(error, self._progress, handled)
            raise

    async def aclose(self) -> None:
        self.close()
