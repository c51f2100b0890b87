"""The async half of `network`: the same lanes, one set for each event loop.

The deadline needs no help here: the async driver cancels an attempt at its moment, which costs one lane.
"""

import asyncio
import ssl
import weakref
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Iterable
from time import monotonic
from typing import cast

import httpcore

from ..config.timeouts import Limits
from .pool import AsyncConnection, End, Lane, Patience, Route, core_request, known, origin_of, usable
from .transport import WAITED, WAITING, AsyncCarrier, RawRequest, RawResponse


class _Stream(httpcore.AsyncNetworkStream):
    """A connection on which the TLS handshake gets what is left of the time to connect."""

    def __init__(self, inner: httpcore.AsyncNetworkStream, patience: Patience) -> None:
        self._inner, self._patience = inner, patience

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        try:
            inner = await self._inner.start_tls(ssl_context, server_hostname, self._patience.left)
        except BaseException:  # httpcore closes the socket after errors, but not after a cancellation
            await self._inner.aclose()
            raise
        return _Stream(inner, self._patience)

    def get_extra_info(self, info: str) -> object:
        if info == "is_readable" and _holds_bytes(self._inner.get_extra_info("ssl_object")):
            return True
        return self._inner.get_extra_info(info)


def _holds_bytes(tls: object) -> bool:
    """Whether TLS holds records that it took from the socket and nobody asked for: the socket looks idle then (H58)."""
    if not isinstance(tls, ssl.SSLObject):
        return False
    try:
        tls.read(1)
    except ssl.SSLWantReadError:
        return False
    except ssl.SSLError:  # the end, or nonsense
        return True
    return True


class _Backend(httpcore.AsyncNetworkBackend):
    """Opens TCP connections that know when the time to connect ends."""

    def __init__(self) -> None:
        self._inner = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        patience = Patience(timeout)
        try:
            inner = await self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        except UnicodeError as error:
            raise httpcore.ConnectError("the host is not a name") from error
        return _Stream(inner, patience)


class _Loop:
    """The lanes of one event loop."""

    def __init__(self, limits: Limits) -> None:
        self.idle: deque[Lane[AsyncConnection]] = deque()
        self.slots = asyncio.Semaphore(limits.max_connections)


class AsyncNetwork(AsyncCarrier):
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

    async def send(self, request: RawRequest) -> RawResponse["_AsyncBody"]:
        """Send one request on a lane of its own; the lane is free again when the body is closed."""

        async def trace(event: str, info: object) -> None:
            request.trace(event, info)

        lanes = self._loop()
        if lanes.slots.locked():
            await self._wait_for_slot(lanes, request)
        else:
            await lanes.slots.acquire()
        try:
            origin = origin_of(request.address)
            lane = await self._take(lanes, origin, request.max_idle)
            try:
                response = await lane.connection.handle_async_request(core_request(request, origin, trace))
            except BaseException:
                await lane.connection.aclose()
                raise
        except BaseException as error:
            lanes.slots.release()
            if isinstance(error, Exception) and (same := known(error)) is not error:
                raise same from error
            raise
        return RawResponse(response.status, response.headers, _AsyncBody(self, lanes, lane, response))

    async def _wait_for_slot(self, lanes: _Loop, request: RawRequest) -> None:
        request.trace(WAITING, None)
        try:
            async with asyncio.timeout(request.timeouts["pool"]):
                await lanes.slots.acquire()
        except TimeoutError:
            raise httpcore.PoolTimeout("no connection became free in time") from None
        request.trace(WAITED, None)

    async def _take(self, lanes: _Loop, origin: httpcore.Origin, max_idle: float | None) -> Lane[AsyncConnection]:
        limit = self._route.limits.keepalive_expiry if max_idle is None else max_idle
        while lanes.idle:
            lane = lanes.idle.pop()
            if monotonic() - lane.idle_since <= limit and usable(lane.connection):
                return lane
            await lane.connection.aclose()
        return Lane(self._open(origin), End())

    def _open(self, origin: httpcore.Origin) -> AsyncConnection:
        context, proxy, backend = self._route.context(origin), self._route.proxy, _Backend()
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

    async def give_back(self, lanes: _Loop, lane: Lane[AsyncConnection]) -> None:
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
    """The rest of an answer; closing it frees the lane."""

    def __init__(
        self, network: AsyncNetwork, lanes: _Loop, lane: Lane[AsyncConnection], response: httpcore.Response
    ) -> None:
        self._network, self._lanes, self._response = network, lanes, response
        self._lane: Lane[AsyncConnection] | None = lane

    def __aiter__(self) -> AsyncIterator[bytes]:
        stream: object = self._response.stream
        if not isinstance(stream, AsyncIterable):
            raise TypeError("an async connection gave a blocking stream")
        return aiter(stream)

    async def aclose(self) -> None:
        lane, self._lane = self._lane, None
        if lane is None:
            return
        try:
            await self._response.aclose()
        finally:
            await self._network.give_back(self._lanes, lane)
