"""The async half of `network`: the same lanes, one set for each event loop.

The deadline needs no help here: the async driver cancels an attempt at its moment, which costs one lane.
"""

import asyncio
import weakref
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator
from time import monotonic

import httpcore

from ..config.timeouts import Limits
from .deadline import Deadline
from .failure import TransportFailure, translated
from .pool import AsyncConnection, PooledConnection, Route, core_request, origin_of, usable
from .progress import Progress
from .sockets_async import AsyncDeadlineBackend
from .transport import AsyncBody, AsyncTransport, RawRequest, RawResponse


class _Loop:
    """The lanes of one event loop."""

    def __init__(self, limits: Limits) -> None:
        self.idle: deque[PooledConnection[AsyncConnection]] = deque()
        self.slots = asyncio.Semaphore(limits.max_connections)


class AsyncConnectionPool(AsyncTransport):
    """Async connections of one client; each event loop gets fresh ones, and so a forked child's own (H81, H82)."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Loop] = weakref.WeakKeyDictionary()
        self._closed = False

    def _loop(self) -> _Loop:
        running = asyncio.get_running_loop()
        lanes = self._loops.get(running)
        if lanes is None:
            lanes = self._loops[running] = _Loop(self._route.limits)
        return lanes

    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send one request on a lane of its own; the lane is free again when the body is closed."""
        lanes = self._loop()
        if lanes.slots.locked():
            await self._wait_for_slot(lanes, request)
        else:
            await lanes.slots.acquire()
        try:
            origin = origin_of(request.address)
            lane = await self._take(lanes, origin, request.max_idle)
            try:
                response = await lane.connection.handle_async_request(
                    core_request(request, origin, request.progress.event_async)
                )
            except BaseException:
                await lane.connection.aclose()
                raise
        except BaseException as error:
            lanes.slots.release()
            if isinstance(error, Exception) and (failure := translated(error, request.progress)) is not error:
                raise failure from None
            raise
        return RawResponse(response.status, response.headers, _AsyncBody(self, lanes, lane, response, request.progress))

    async def _wait_for_slot(self, lanes: _Loop, request: RawRequest) -> None:
        request.progress.wait()
        try:
            async with asyncio.timeout(request.timeouts["pool"]):
                await lanes.slots.acquire()
        except TimeoutError:
            raise TransportFailure("no connection became free in time", "nothing", "no_free_connection") from None
        request.progress.begin()

    async def _take(
        self, lanes: _Loop, origin: httpcore.Origin, max_idle: float | None
    ) -> PooledConnection[AsyncConnection]:
        limit = self._route.limits.keepalive_expiry if max_idle is None else max_idle
        while lanes.idle:
            lane = lanes.idle.pop()
            if monotonic() - lane.idle_since <= limit and usable(lane.connection):
                return lane
            await lane.connection.aclose()
        return PooledConnection(self._open(origin), Deadline())

    def _open(self, origin: httpcore.Origin) -> AsyncConnection:
        context, proxy, backend = self._route.context(origin), self._route.proxy, AsyncDeadlineBackend()
        if proxy is None:
            return httpcore.AsyncHTTPConnection(origin, context, network_backend=backend)
        return httpcore.AsyncHTTPProxy(
            proxy.url,
            proxy_auth=proxy.auth(),
            ssl_context=context,
            proxy_ssl_context=self._route.proxy_context(),
            max_connections=1,
            network_backend=backend,
        )

    async def give_back(self, lanes: _Loop, lane: PooledConnection[AsyncConnection]) -> None:
        """Take a lane back after its call."""
        keep = not self._closed and usable(lane.connection)
        if keep:
            lane.idle_since = monotonic()
            lanes.idle.append(lane)
        lanes.slots.release()
        if not keep:
            await lane.connection.aclose()

    async def aclose(self) -> None:
        """Close the idle connections of this event loop; those in use close when their call ends."""
        self._closed = True
        lanes = self._loops.pop(asyncio.get_running_loop(), None)
        if lanes is not None:
            while lanes.idle:
                await lanes.idle.pop().connection.aclose()


class _AsyncBody:
    """The rest of a response; closing it frees the connection."""

    def __init__(
        self,
        pool: AsyncConnectionPool,
        lanes: _Loop,
        lane: PooledConnection[AsyncConnection],
        response: httpcore.Response,
        progress: Progress,
    ) -> None:
        self._pool, self._lanes, self._response, self._progress = pool, lanes, response, progress
        self._lane: PooledConnection[AsyncConnection] | None = lane

    async def __aiter__(self) -> AsyncIterator[bytes]:
        stream: object = self._response.stream
        if not isinstance(stream, AsyncIterable):
            raise TypeError("an async connection gave a blocking stream")
        try:
            async for piece in stream:
                yield piece
        except Exception as error:
            if (failure := translated(error, self._progress)) is not error:
                raise failure from None
            raise

    async def aclose(self) -> None:
        lane, self._lane = self._lane, None
        if lane is None:
            return
        try:
            await self._response.aclose()
        finally:
            await self._pool.give_back(self._lanes, lane)
