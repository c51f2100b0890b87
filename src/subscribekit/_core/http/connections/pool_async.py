"""The async connection pool: the same stack of idle connections, one for each event loop.

The deadline needs no help here: the async driver cancels an attempt when it passes, which costs one connection.
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

_LOOK_AGAIN = 1.0
"""Seconds after which a waiting task looks for itself: an interrupt may have swallowed its call."""


_SLACK = 0.01
"""Seconds after which an expired connection is closed, so that those that expire together are closed together."""
_PIECES = 64
"""Pieces of a body, which may have one byte each, between two turns of other tasks (H353)."""


@dataclass(slots=True, eq=False, repr=False, weakref_slot=True)
class _Loop(Home):
    """The connections of one event loop in one process, and the calls that use or want one.

    Tasks get their turn in order: a released permit goes to the longest waiter.
    """

    loop: asyncio.AbstractEventLoop
    route: Route
    waiting: deque[tuple[Permit, "asyncio.Future[None]"]] = field(default_factory=deque)
    guard: AsyncGenerator[None] | None = None
    is_watched: bool = False

    def release(self, permit: Permit) -> None:
        """Give a permit back, and the longest waiter its turn; the second time does nothing."""
        self.permits.release(permit)
        if self.waiting:
            self.hand_on()

    def hand_on(self) -> None:
        """Give free permits to those that wait."""
        while self.waiting and len(self.permits) < self.route.limits.max_connections:
            permit, turn = self.waiting.popleft()
            if permit() is not None and not turn.done():
                self.permits.hold(permit)
                turn.set_result(None)

    def watch(self) -> None:
        """Close expired connections also while no call is made; until then they keep nothing alive."""
        self.is_watched = bool(self.idle)
        if self.idle:
            left = self.idle[0].idle_since + self.route.limits.keepalive_expiry - self.route.monotonic()
            watched: weakref.ref[_Loop] = weakref.ref(self)
            self.loop.call_later(max(left, 0.0) + _SLACK, _expire, watched)

    async def until_the_loop_ends(self) -> AsyncGenerator[None]:
        """Wait for the end of the event loop: `asyncio.run` closes its generators before the loop itself (H101)."""
        try:
            yield
        finally:
            self.close_idle()


def _expire(watched: "weakref.ref[_Loop]") -> None:
    mine = watched()
    if mine is not None and mine.process == this_process():
        close_expired(mine.idle, mine.route)
        mine.watch()


class AsyncConnectionPool(Pool[_Loop], AsyncTransport):
    """Async connections of one client; each event loop and each forked child gets its own (H81, H82)."""

    def __init__(self, route: Route) -> None:
        super().__init__(route)
        self._loops: dict[asyncio.AbstractEventLoop, _Loop] = {}

    async def _begin(self, running: asyncio.AbstractEventLoop) -> _Loop:
        for loop, of_loop in list(self._loops.items()):
            if of_loop.process != this_process():
                self._abandoned.append(of_loop)  # the parent's: not even to be closed
                self._loops.pop(loop, None)
            elif loop.is_closed():
                self._loops.pop(loop, None)
                of_loop.close_idle()
        mine = self._loops[running] = _Loop(Permits(self._route.limits.max_connections), running, self._route)
        mine.guard = mine.until_the_loop_ends()
        await anext(mine.guard)
        return mine

    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send one request on its own connection, which is free again when the body is closed."""
        running, handled = running_loop(), sys.exc_info()[1]
        mine = self._loops.get(running)
        if mine is None or mine.process != this_process():
            mine = await self._begin(running)
        body = _AsyncBody(self, mine, request.progress)
        try:
            if mine.waiting or not mine.permits.hold(body.permit):
                await self._wait(mine, body.permit, request)
            status, headers = await run(self.begin(body, request))
            return RawResponse(status, headers, body)
        except BaseException as error:
            body.abort()
            raise_translated(error, request.progress, handled)
            raise

    async def _wait(self, mine: _Loop, permit: Permit, request: RawRequest) -> None:
        request.progress.wait()
        end = SYSTEM.monotonic() + request.timeouts["pool"]
        turn: asyncio.Future[None] = mine.loop.create_future()
        mine.waiting.append((permit, turn))
        mine.hand_on()
        try:
            while permit not in mine.permits:
                if (left := end - SYSTEM.monotonic()) <= 0:
                    raise TransportFailure("no connection became free in time", "nothing", "no_free_connection")
                await asyncio.wait((turn,), timeout=min(left, _LOOK_AGAIN))
                mine.hand_on()
        finally:
            turn.cancel()
        request.progress.begin()

    def give_back(self, home: _Loop, connection: Connection) -> None:
        """Take a connection back after its call."""
        super().give_back(home, connection)
        if not home.is_watched:
            home.watch()

    def takes_back(self, home: _Loop) -> bool:
        """Whether connections of an event loop are used again."""
        return not self._closed and home.process == this_process()

    async def aclose(self) -> None:
        """Close the idle connections of this event loop; those in use close when their call ends."""
        self._closed = True
        mine = self._loops.pop(running_loop(), None)
        if mine is not None:
            mine.close_idle()
            if mine.guard is not None:
                await mine.guard.aclose()


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
            self.end(connection)
        except Exception as error:
            raise_translated(error, self._progress, handled)
            raise

    async def aclose(self) -> None:
        self.close()
