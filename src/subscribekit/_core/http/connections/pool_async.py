"""The async connection pool: the same stack of idle connections, one for each event loop.

The deadline needs no help here: the async driver cancels an attempt when it passes, which costs one connection.
"""

import asyncio
import gc
import os
import sys
import weakref
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator
from dataclasses import dataclass, field
from time import monotonic

import httpcore

from ..failure import StaleConnectionError, TransportFailure, raise_translated
from ..progress import Progress
from ..transport import AsyncBody, AsyncTransport, RawRequest, RawResponse
from .deadline import CurrentRequest
from .event_loop import running_loop
from .pool import PooledConnection, Route, core_request, is_reusable, origin_of
from .sockets_async import AsyncBackend

_LOOK_AGAIN = 1.0
"""Seconds after which a waiting task looks for itself: an interrupt may have swallowed its call."""
_REAP = 2
"""Expired connections that are closed when one is given back, so that their number shrinks."""


@dataclass(slots=True, eq=False, repr=False)
class _Loop:
    """The connections of one event loop in one process, and the calls that use or want one.

    Tasks get their turn in order: who releases a permit hands it to the one that waits longest.
    """

    limit: int
    pid: int = field(default_factory=os.getpid)
    idle: deque[PooledConnection[httpcore.AsyncHTTPConnection]] = field(default_factory=deque)
    held: set["weakref.ref[object]"] = field(default_factory=set)
    waiting: deque[tuple["weakref.ref[object]", "asyncio.Future[None]"]] = field(default_factory=deque)
    guard: AsyncGenerator[None] | None = None

    def release(self, permit: "weakref.ref[object]") -> None:
        """Give a permit back; the second time does nothing."""
        self.held.discard(permit)
        if self.waiting:
            self.hand_on()

    def hand_on(self) -> None:
        """Give free permits to those that wait."""
        while self.waiting and len(self.held) < self.limit:
            permit, turn = self.waiting.popleft()
            if permit() is not None and not turn.done():
                self.held.add(permit)
                turn.set_result(None)

    async def close_idle(self) -> None:
        """Close the idle connections, in the event loop that they belong to."""
        while self.idle and self.pid == os.getpid():
            await self.idle.popleft().http.aclose()

    async def until_the_loop_ends(self) -> AsyncGenerator[None]:
        """Wait for the end of the event loop: `asyncio.run` closes its generators before the loop itself (H101)."""
        try:
            yield
        finally:
            await self.close_idle()

    def abandon(self) -> None:
        """Close the sockets of an event loop that is closed: what it would take to close them well has ended (H101)."""
        while self.idle and self.pid == os.getpid():
            inner: object = getattr(self.idle.popleft().http, "_connection", None)
            stream: object = getattr(inner, "_network_stream", None)
            if isinstance(stream, httpcore.AsyncNetworkStream):
                # asyncio shows its socket in a wrapper without close().
                sock = getattr(stream.get_extra_info("socket"), "_sock", None)
                close = getattr(sock, "close", None)
                if close is not None:
                    close()


class AsyncConnectionPool(AsyncTransport):
    """Async connections of one client; each event loop and each forked child gets its own (H81, H82)."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._loops: dict[asyncio.AbstractEventLoop, _Loop] = {}
        self._abandoned: list[_Loop] = []
        self._closed = False

    async def _begin(self, running: asyncio.AbstractEventLoop) -> _Loop:
        for loop, of_loop in list(self._loops.items()):
            if of_loop.pid != os.getpid():
                self._abandoned.append(of_loop)  # the parent's: not even to be closed
                self._loops.pop(loop, None)
            elif loop.is_closed():
                self._loops.pop(loop, None)
                of_loop.abandon()
        mine = self._loops[running] = _Loop(self._route.limits.max_connections)
        mine.guard = mine.until_the_loop_ends()
        await anext(mine.guard)
        return mine

    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send one request on a connection of its own, which is free again when the body is closed."""
        running, handled = running_loop(), sys.exc_info()[1]
        mine = self._loops.get(running)
        if mine is None or mine.pid != os.getpid():
            mine = await self._begin(running)
        body = _AsyncBody(self, mine, request.progress)
        try:
            if mine.waiting or len(mine.held) >= mine.limit:
                await self._wait(mine, body.permit, request, running)
            else:
                mine.held.add(body.permit)
            origin = origin_of(request.address)
            while True:
                body.connection = connection = await self._take(mine, origin, request)
                try:
                    body.response = response = await connection.http.handle_async_request(core_request(request, origin))
                    break
                except StaleConnectionError:  # nothing was written: even a charge may go over another one
                    await connection.http.aclose()
            request.progress.reach("answer_started")
            return RawResponse(response.status, response.headers, body)
        except BaseException as error:
            await body.abort()
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
                    gc.collect()  # an interrupted call, and its permit, may be kept in a cycle with its traceback
                    mine.hand_on()
                    if permit in mine.held:
                        break
                    raise TransportFailure("no connection became free in time", "nothing", "no_free_connection")
                await asyncio.wait((turn,), timeout=min(left, _LOOK_AGAIN))
                mine.hand_on()
        finally:
            turn.cancel()
        request.progress.begin()

    async def _take(
        self, mine: _Loop, origin: httpcore.Origin, request: RawRequest
    ) -> PooledConnection[httpcore.AsyncHTTPConnection]:
        limit = self._route.limits.keepalive_expiry if request.max_idle is None else request.max_idle
        while mine.idle:
            connection = mine.idle.pop()
            if monotonic() - connection.idle_since <= limit:
                connection.current.serve(request.progress, None, is_reused=True)
                return connection
            await connection.http.aclose()
        current = CurrentRequest()
        current.serve(request.progress, None, is_reused=False)
        backend = AsyncBackend(current, self._route.proxy, self._route.proxy_context())
        http = httpcore.AsyncHTTPConnection(origin, self._route.context(origin), network_backend=backend)
        return PooledConnection(http, current)

    async def give_back(self, mine: _Loop, connection: PooledConnection[httpcore.AsyncHTTPConnection]) -> None:
        """Take a connection back after its call."""
        now = connection.idle_since = monotonic()
        mine.idle.append(connection)
        for _ in range(_REAP):
            if not mine.idle or mine.idle[0].idle_since > now - self._route.limits.keepalive_expiry:
                break
            await mine.idle.popleft().http.aclose()

    def takes_back(self, mine: _Loop) -> bool:
        """Whether connections of an event loop are used again."""
        return not self._closed and mine.pid == os.getpid()

    async def aclose(self) -> None:
        """Close the idle connections of this event loop; those in use close when their call ends."""
        self._closed = True
        mine = self._loops.pop(running_loop(), None)
        if mine is not None:
            await mine.close_idle()
            if mine.guard is not None:
                await mine.guard.aclose()


class _AsyncBody:
    """The rest of a response, and the owner of its connection until it is closed."""

    __slots__ = ("__weakref__", "_loop", "_pool", "_progress", "connection", "permit", "response")

    def __init__(self, pool: AsyncConnectionPool, loop: _Loop, progress: Progress) -> None:
        self._pool, self._loop, self._progress = pool, loop, progress
        self.connection: PooledConnection[httpcore.AsyncHTTPConnection] | None = None
        self.response: httpcore.Response | None = None
        self.permit: weakref.ref[object] = weakref.ref(self, loop.held.discard)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        handled = sys.exc_info()[1]
        stream: object = self.response.stream if self.response is not None else None
        if not isinstance(stream, AsyncIterable):
            raise TypeError("an async connection gave a blocking stream")
        try:
            async for piece in stream:
                yield piece
            self._progress.reach("answer_complete")
        except Exception as error:
            raise_translated(error, self._progress, handled)
            raise

    async def aclose(self) -> None:
        if self.connection is None:
            return
        try:
            if self.response is not None:
                await self.response.aclose()
            connection = self.connection
            if is_reusable(connection.http) and self._pool.takes_back(self._loop):
                self.connection = None  # before it is idle: from then on it is the next call's
                await self._pool.give_back(self._loop, connection)
        finally:
            await self.abort()

    async def abort(self) -> None:
        """Close the connection, unless it was given back, and let the next call have its turn."""
        connection, self.connection = self.connection, None
        try:
            if connection is not None:
                await connection.http.aclose()
        finally:
            self._loop.release(self.permit)
