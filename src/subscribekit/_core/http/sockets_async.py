"""Async sockets: the TLS handshake gets what is left of the time to connect."""

import ssl
from collections.abc import Iterable
from typing import cast

import httpcore

from .deadline import ConnectTimer


class _AsyncStream(httpcore.AsyncNetworkStream):
    """A connection on which the TLS handshake gets what is left of the time to connect."""

    def __init__(self, inner: httpcore.AsyncNetworkStream, patience: ConnectTimer) -> None:
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
        return _AsyncStream(inner, self._patience)

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


class AsyncDeadlineBackend(httpcore.AsyncNetworkBackend):
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
        """Open a connection, within the timeout for all of its steps."""
        patience = ConnectTimer(timeout)
        try:
            inner = await self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        except UnicodeError as error:
            raise httpcore.ConnectError("the host is not a name") from error
        return _AsyncStream(inner, patience)
