"""Async sockets: tunnel and TLS handshake get what is left of the time to connect."""

import ssl
from collections.abc import Iterable
from typing import cast

import httpcore

from ..reasons import HandshakeTimeout
from ..reuse import IdleStream
from .deadline import ConnectTimer, CurrentRequest
from .proxy import Proxy
from .tunnel import Tunnel

_PIECE = 16384


class AsyncStream(httpcore.AsyncNetworkStream):
    """A connection that tells how far the request got."""

    def __init__(self, inner: httpcore.AsyncNetworkStream, current: CurrentRequest, timer: ConnectTimer) -> None:
        self._inner, self._current, self._timer = inner, current, timer
        self._idle: IdleStream | None = None

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read what is there, up to so many bytes."""
        self._current.reading()
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all of it; the first bytes of a request are reported before they leave."""
        if not buffer:
            return
        self._current.writing(self)
        try:
            await self._inner.write(buffer, timeout)
        except httpcore.WriteError:
            self._current.failed_to_write()
            raise

    async def aclose(self) -> None:
        """Close the connection."""
        await self._inner.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Do the TLS handshake within what is left of the time to connect."""
        inner = await _secured(self._inner, ssl_context, server_hostname, self._timer)
        return AsyncStream(inner, self._current, self._timer)

    def get_extra_info(self, info: str) -> object:
        """Give what the connection below knows about itself."""
        if info != "is_readable":
            return self._inner.get_extra_info(info)
        if self._idle is None:
            self._idle = IdleStream(self._inner)
        return self._idle.is_readable


async def _secured(
    stream: httpcore.AsyncNetworkStream, context: ssl.SSLContext, host: str | None, timer: ConnectTimer
) -> httpcore.AsyncNetworkStream:
    """Do the TLS handshake, or close the connection."""
    try:
        return await stream.start_tls(context, host, timer.left)
    except httpcore.ConnectTimeout:
        await stream.aclose()
        raise HandshakeTimeout("no TLS handshake in time") from None
    except BaseException:  # httpcore closes the socket after errors, but not after a cancellation
        await stream.aclose()
        raise


class AsyncBackend(httpcore.AsyncNetworkBackend):
    """Opens connections that know when the time to connect ends, through a proxy if there is one."""

    def __init__(self, current: CurrentRequest, proxy: Proxy | None, proxy_context: ssl.SSLContext | None) -> None:
        self._inner, self._current = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend()), current
        self._proxy, self._proxy_context = proxy, proxy_context
        if proxy_context is not None:
            proxy_context.set_alpn_protocols(["http/1.1"])

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Open a connection, within the timeout for all of its steps."""
        self._current.connecting()
        timer = ConnectTimer(timeout)
        if self._proxy is not None:
            stream = await self._through(self._proxy, host, port, timer)
        else:
            stream = await self._connect(host, port, timer)
            self._current.connected()
        return AsyncStream(stream, self._current, timer)

    async def _connect(self, host: str, port: int, timer: ConnectTimer) -> httpcore.AsyncNetworkStream:
        try:
            return await self._inner.connect_tcp(host, port, timer.left)
        except UnicodeError as error:
            raise httpcore.ConnectError("the host is not a name") from error

    async def _through(self, proxy: Proxy, host: str, port: int, timer: ConnectTimer) -> httpcore.AsyncNetworkStream:
        tunnel, stream = Tunnel(proxy, host, port), None
        try:
            stream = await self._connect(proxy.host, proxy.port, timer)
            self._current.connected()
            if self._proxy_context is not None:
                stream = await _secured(stream, self._proxy_context, proxy.host, timer)
            await stream.write(tunnel.request, timer.left)
            while not tunnel.is_open:
                tunnel.receive(await stream.read(_PIECE, timer.left))
        except BaseException as error:
            if stream is not None:
                await stream.aclose()
            tunnel.raise_failure(error, is_connected=self._current.is_connected)
            raise
        return stream
