"""The async connection pool: the same stack of idle connections, one for each event loop.

The deadline needs no help here: the async driver cancels an attempt when it passes, which costs one connection.
"""

import asyncio
import sys
import weakref
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from time import monotonic

from ...config.process import this_process
from ..failure import StaleConnectionError, TransportFailure, raise_translated
from ..progress import Progress
from ..transport import AsyncBody, AsyncTransport, RawRequest, RawResponse
from .connection_async import AsyncConnection
from .event_loop import running_loop
from .permits import close_expired, close_some, put, take
from .route import Route

_LOOK_AGAIN = 1.0
"""Seconds after which a waiting task looks for itself: an interrupt may have swallowed its call."""


_SLACK = 0.01
"""Seconds after which an expired connection is closed, so that those that expire together are closed together."""
_PIECES = 64
"""Pieces of a body, which may have one byte each, between two turns of other tasks (H353)."""


@dataclass(slots=True, eq=False, repr=False, weakref_slot=True)
class _Loop:
    """The connections of one event loop in one process, and the calls that use or want one.

    Tasks get their turn in order: a released permit goes to the longest waiter.
    """

    loop: asyncio.AbstractEventLoop
    route: Route
    process: tuple[int, int] = field(default_factory=this_process)
    idle: deque[AsyncConnection] = field(default_factory=deque)
    held: set["weakref.ref[object]"] = field(default_factory=set)
    waiting: deque[tuple["weakref.ref[object]", "asyncio.Future[None]"]] = field(default_factory=deque)
    guard: AsyncGenerator[None] | None = None
    is_watched: bool = False

    def release(self, permit: "weakref.ref[object]") -> None:
        """Give a permit back; the second time does nothing."""
        self.held.discard(permit)
        if self.waiting:
            self.hand_on()

    def hand_on(self) -> None:
        """Give free permits to those that wait."""
        while self.waiting and len(self.held) < self.route.limits.max_connections:
            permit, turn = self.waiting.popleft()
            if permit() is not None and not turn.done():
                self.held.add(permit)
                turn.set_result(None)

    def close_idle(self) -> None:
        """Close the idle connections; their event loop may have ended."""
        if self.process == this_process():
            close_some(self.idle, len(self.idle))

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


class AsyncConnectionPool(AsyncTransport):
    """Async connections of one client; each event loop and each forked child gets its own (H81, H82)."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._loops: dict[asyncio.AbstractEventLoop, _Loop] = {}
        self._abandoned: list[_Loop] = []
        self._closed = False

    async def _begin(self, running: asyncio.AbstractEventLoop) -> _Loop:
        for loop, of_loop in list(self._loops.items()):
            if of_loop.process != this_process():
                self._abandoned.append(of_loop)  # the parent's: not even to be closed
                self._loops.pop(loop, None)
            elif loop.is_closed():
                self._loops.pop(loop, None)
                of_loop.close_idle()
        mine = self._loops[running] = _Loop(running, self._route)
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
            if mine.waiting or len(mine.held) >= self._route.limits.max_connections:
                await self._wait(mine, body.permit, request, running)
            else:
                mine.held.add(body.permit)
            while True:
                body.connection = connection = self._take(mine, request)
                try:
                    status, headers = await connection.send(request)
                    break
                except StaleConnectionError:  # nothing was written: even a charge may go over another one
                    connection.close()
            request.progress.reach("answer_started")
            return RawResponse(status, headers, body)
        except BaseException as error:
            body.abort()
            raise_translated(error, request.progress, handled)
            raise

    async def _wait(
        self,
        mine: _Loop,
        permit: "weakref.ref[object]",
        request: RawRequest,
        running: asyncio.AbstractEventLoop,
    ) -> None:
        request.progress.wait()
        end = monotonic() + request.timeouts["pool"]
        turn: asyncio.Future[None] = running.create_future()
        mine.waiting.append((permit, turn))
        mine.hand_on()
        try:
            while permit not in mine.held:
                if (left := end - monotonic()) <= 0:
                    raise TransportFailure("no connection became free in time", "nothing", "no_free_connection")
                await asyncio.wait((turn,), timeout=min(left, _LOOK_AGAIN))
                mine.hand_on()
        finally:
            turn.cancel()
        request.progress.begin()

    def _take(self, mine: _Loop, request: RawRequest) -> AsyncConnection:
        kept = take(mine.idle, request, self._route, len(mine.held))
        connection = kept or AsyncConnection(self._route)
        connection.current.serve(request.progress, None, is_reused=kept is not None)
        return connection

    def give_back(self, mine: _Loop, connection: AsyncConnection) -> None:
        """Take a connection back after its call."""
        put(mine.idle, connection, self._route)
        if not mine.is_watched:
            mine.watch()

    def takes_back(self, mine: _Loop) -> bool:
        """Whether connections of an event loop are used again."""
        return not self._closed and mine.process == this_process()

    async def aclose(self) -> None:
        """Close the idle connections of this event loop; those in use close when their call ends."""
        self._closed = True
        mine = self._loops.pop(running_loop(), None)
        if mine is not None:
            mine.close_idle()
            if mine.guard is not None:
                await mine.guard.aclose()


class _AsyncBody:
    """The rest of a response, and the owner of its connection until it is closed."""

    __slots__ = ("__weakref__", "_loop", "_pool", "_progress", "connection", "marks_end", "permit")

    def __init__(self, pool: AsyncConnectionPool, loop: _Loop, progress: Progress) -> None:
        self._pool, self._loop, self._progress = pool, loop, progress
        self.connection: AsyncConnection | None = None
        self.marks_end: bool = False
        self.permit: weakref.ref[object] = weakref.ref(self, loop.held.discard)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        connection, handled = self.connection, sys.exc_info()[1]
        if connection is None:
            return
        try:
            number = 0
            while piece := await connection.piece():
                yield piece
                if not (number := number + 1) % _PIECES:
                    await asyncio.sleep(0)
            self.marks_end = connection.marks_end
            self._progress.reach("answer_complete")
        except Exception as error:
            raise_translated(error, self._progress, handled)
            raise

    async def aclose(self) -> None:
        connection = self.connection
        if connection is None:
            return
        try:
            if connection.renew() and self._pool.takes_back(self._loop):
                self.connection = None  # before it is idle: from then on it is the next call's
                self._pool.give_back(self._loop, connection)
        finally:
            self.abort()

    def abort(self) -> None:
        """Close the connection, unless it was given back, and let the next call have its turn."""
        connection, self.connection = self.connection, None
        try:
            if connection is not None:
                connection.close()
        finally:
            self._loop.release(self.permit)
