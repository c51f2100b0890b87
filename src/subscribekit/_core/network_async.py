"""The async half of `network`: the same lanes, one set for each event loop.

The deadline needs no help here: the async driver cancels an attempt at its moment, which costs one lane.
"""

import asyncio
import os
import weakref
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator
from time import monotonic

import httpcore
import httpx

from .config import Limits
from .network import MAX_IDLE, End, Lane, Route, core_request, origin_of, pool_timeout, reusable, translated, usable

AsyncConnection = httpcore.AsyncHTTPConnection | httpcore.AsyncHTTPProxy


class _Loop:
    """The lanes of one event loop."""

    def __init__(self, limits: Limits) -> None:
        self.idle: deque[Lane[AsyncConnection]] = deque()
        self.slots = asyncio.Semaphore(limits.max_connections)
        self.closed = False


class AsyncNetwork(httpx.AsyncBaseTransport):
    """Async connections of one client; each event loop, and a forked child, gets fresh ones (H81, H82)."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._pid = os.getpid()
        self._loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Loop] = weakref.WeakKeyDictionary()
        self._abandoned: list[object] = []

    def _loop(self) -> _Loop:
        if self._pid != os.getpid():
            self._abandoned.append(self._loops)
            self._pid, self._loops = os.getpid(), weakref.WeakKeyDictionary()
        running = asyncio.get_running_loop()
        lanes = self._loops.get(running)
        if lanes is None:
            lanes = self._loops[running] = _Loop(self._route.limits)
        return lanes

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request on a lane of its own; the lane is free again when the response is closed.

        Raises:
            httpx.TransportError: As httpx's own transports raise it.
        """
        lanes = self._loop()
        await self._wait_for_slot(lanes, pool_timeout(request))
        try:
            origin = origin_of(request)
            lane = await self._take(lanes, origin, request.extensions.get(MAX_IDLE))
            try:
                response = await lane.connection.handle_async_request(core_request(request, origin))
            except BaseException:
                await lane.connection.aclose()
                raise
        except BaseException as error:
            lanes.slots.release()
            if isinstance(error, Exception):
                raise translated(error) from error
            raise
        body = _AsyncBody(lanes, lane, response)
        return httpx.Response(response.status, headers=response.headers, stream=body, extensions=response.extensions)

    async def _wait_for_slot(self, lanes: _Loop, timeout: float | None) -> None:
        if not lanes.slots.locked():
            await lanes.slots.acquire()
            return
        try:
            async with asyncio.timeout(timeout):
                await lanes.slots.acquire()
        except TimeoutError:
            raise httpx.PoolTimeout("no connection became free in time") from None

    async def _take(self, lanes: _Loop, origin: httpcore.Origin, max_idle: float | None) -> Lane[AsyncConnection]:
        limit = self._route.limits.keepalive_expiry if max_idle is None else max_idle
        while lanes.idle:
            lane = lanes.idle.pop()
            if monotonic() - lane.idle_since <= limit and usable(lane.connection, origin):
                return lane
            await lane.connection.aclose()
        return Lane(self._open(origin), End())

    def _open(self, origin: httpcore.Origin) -> AsyncConnection:
        context, proxy, backend = self._route.context(origin), self._route.proxy, httpcore.AnyIOBackend()
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

    async def aclose(self) -> None:
        """Close the idle connections of this event loop; those in use close when their call ends."""
        lanes = self._loops.pop(asyncio.get_running_loop(), None) if self._pid == os.getpid() else None
        if lanes is not None:
            lanes.closed = True
            while lanes.idle:
                await lanes.idle.pop().connection.aclose()


class _AsyncBody(httpx.AsyncByteStream):
    """The rest of an answer; closing it frees the lane."""

    def __init__(self, lanes: _Loop, lane: Lane[AsyncConnection], response: httpcore.Response) -> None:
        self._lanes, self._response = lanes, response
        self._lane: Lane[AsyncConnection] | None = lane

    async def __aiter__(self) -> AsyncIterator[bytes]:
        stream: object = self._response.stream
        if not isinstance(stream, AsyncIterable):
            raise TypeError("an async transport gave a blocking stream")
        try:
            async for piece in stream:
                yield piece
        except Exception as error:
            raise translated(error) from error

    async def aclose(self) -> None:
        lane, self._lane = self._lane, None
        if lane is None:
            return
        try:
            await self._response.aclose()
        finally:
            if not self._lanes.closed and reusable(lane.connection):
                lane.idle_since = monotonic()
                self._lanes.idle.append(lane)
                self._lanes.slots.release()
            else:
                self._lanes.slots.release()
                await lane.connection.aclose()
