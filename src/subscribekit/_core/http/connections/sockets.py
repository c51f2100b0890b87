"""Blocking sockets whose operations end with the deadline."""

import socket
import ssl
from collections.abc import Iterable

import httpcore

from ..reasons import HandshakeTimeout
from ..reuse import is_readable
from .deadline import ConnectTimer, CurrentRequest
from .proxy import Proxy
from .tunnel import Tunnel

_PIECE = 16384


class DeadlineStream(httpcore.NetworkStream):
    """A socket whose operations end with the deadline."""

    def __init__(self, inner: httpcore.NetworkStream, current: CurrentRequest, timer: ConnectTimer) -> None:
        self._inner, self._current, self._timer = inner, current, timer

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read what is there, up to so many bytes."""
        self._current.reading()
        return self._inner.read(max_bytes, self._current.cut(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all of it; the first bytes of a request are reported before they leave."""
        if not buffer:
            return
        self._current.writing(self)
        try:
            # In pieces: a peer that reads slowly would get the whole time again for each bit that it takes (H10).
            for start in range(0, len(buffer), _PIECE):
                cut = self._current.cut(timeout, httpcore.WriteTimeout)
                self._inner.write(buffer[start : start + _PIECE], cut)
        except httpcore.WriteError:
            self._current.failed_to_write()
            raise

    def close(self) -> None:
        """Close the connection."""
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """Do the TLS handshake within what is left of the time to connect."""
        inner = _secured(self._inner, ssl_context, server_hostname, self._timer, self._current)
        return DeadlineStream(inner, self._current, self._timer)

    def get_extra_info(self, info: str) -> object:
        """Give what the connection below knows about itself."""
        return is_readable(self._inner) if info == "is_readable" else self._inner.get_extra_info(info)


def _secured(
    stream: httpcore.NetworkStream,
    context: ssl.SSLContext,
    host: str | None,
    timer: ConnectTimer,
    current: CurrentRequest,
) -> httpcore.NetworkStream:
    """Do the TLS handshake, or close the connection."""
    try:
        secured = stream.start_tls(context, host, current.cut(timer.left, httpcore.ConnectTimeout))
    except httpcore.ConnectTimeout:
        stream.close()
        raise HandshakeTimeout("no TLS handshake in time") from None
    except BaseException:  # httpcore closes the socket after some errors, and not after an interrupt
        stream.close()
        raise
    if secured.get_extra_info("ssl_object") is None:
        # The standard library gives a socket without TLS when the peer was gone before the handshake.
        secured.close()
        raise httpcore.ConnectError("the connection ended before the TLS handshake")
    return secured


class DeadlineBackend(httpcore.NetworkBackend):
    """Opens sockets whose operations end with the deadline, through a proxy if there is one."""

    def __init__(self, current: CurrentRequest, proxy: Proxy | None, proxy_context: ssl.SSLContext | None) -> None:
        self._inner, self._current = httpcore.SyncBackend(), current
        self._proxy, self._proxy_context = proxy, proxy_context
        if proxy_context is not None:
            proxy_context.set_alpn_protocols(["http/1.1"])

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Open a connection, within the timeout for all of its steps."""
        self._current.connecting()
        timer = ConnectTimer(timeout)
        if self._proxy is not None:
            stream = self._through(self._proxy, host, port, timer)
        else:
            stream = self._connect(host, port, timer)
            self._current.connected()
        return DeadlineStream(stream, self._current, timer)

    def _connect(self, host: str, port: int, timer: ConnectTimer) -> httpcore.NetworkStream:
        failure: Exception = httpcore.ConnectError("the host has no address")
        addresses = _addresses(host, port)
        # The standard library grants the whole time to each address. Here they share it, so that one which swallows
        # packets leaves some for the others.
        for remaining, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
            left = timer.left
            cut = self._current.cut(None if left is None else left / remaining, httpcore.ConnectTimeout)
            try:
                return self._inner.connect_tcp(address, port, cut)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    def _through(self, proxy: Proxy, host: str, port: int, timer: ConnectTimer) -> httpcore.NetworkStream:
        tunnel, stream = Tunnel(proxy, host, port), None
        try:
            stream = self._connect(proxy.host, proxy.port, timer)
            self._current.connected()
            if self._proxy_context is not None:
                stream = _secured(stream, self._proxy_context, proxy.host, timer, self._current)
            stream.write(tunnel.request, self._left(timer))
            while not tunnel.is_open:
                tunnel.receive(stream.read(_PIECE, self._left(timer)))
        except BaseException as error:
            if stream is not None:
                stream.close()
            tunnel.raise_failure(error, is_connected=self._current.is_connected)
            raise
        return stream

    def _left(self, timer: ConnectTimer) -> float | None:
        return self._current.cut(timer.left, httpcore.ConnectTimeout)


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(str(error)) from error
    return [str(address[0]) for *_, address in found]
