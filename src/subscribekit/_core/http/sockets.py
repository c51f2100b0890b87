"""Blocking sockets whose operations end with the deadline."""

import socket
import ssl
from collections.abc import Iterable

import httpcore

from .deadline import ConnectTimer, Deadline


class _DeadlineStream(httpcore.NetworkStream):
    """A socket whose operations end with the deadline."""

    _PIECE = 16384

    def __init__(self, inner: httpcore.NetworkStream, end: Deadline, patience: ConnectTimer) -> None:
        self._inner, self._end, self._patience = inner, end, patience

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._end.cut(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # In pieces: a peer that reads slowly would get the whole time again for each bit that it takes (H10).
        for start in range(0, len(buffer), self._PIECE):
            cut = self._end.cut(timeout, httpcore.WriteTimeout)
            self._inner.write(buffer[start : start + self._PIECE], cut)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        try:
            cut = self._end.cut(self._patience.left, httpcore.ConnectTimeout)
            inner = self._inner.start_tls(ssl_context, server_hostname, cut)
        except BaseException:  # httpcore closes the socket after some errors, and not after an interrupt
            self._inner.close()
            raise
        if inner.get_extra_info("ssl_object") is None:
            # The standard library gives a socket without TLS when the peer was gone before the handshake.
            inner.close()
            raise httpcore.ConnectError("the connection ended before the TLS handshake")
        return _DeadlineStream(inner, self._end, self._patience)

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)


class DeadlineBackend(httpcore.NetworkBackend):
    """Opens sockets whose operations end with the deadline."""

    def __init__(self, end: Deadline) -> None:
        self._inner, self._end = httpcore.SyncBackend(), end

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Open a connection, within the timeout for all of its steps."""
        patience = ConnectTimer(timeout)
        failure: Exception = httpcore.ConnectError("the host has no address")
        addresses = _addresses(host, port)
        # The standard library grants the whole time to each address. Here they share it, so that one which swallows
        # packets leaves some for the others.
        for remaining, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
            left = patience.left
            cut = self._end.cut(None if left is None else left / remaining, httpcore.ConnectTimeout)
            try:
                stream = self._inner.connect_tcp(address, port, cut, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _DeadlineStream(stream, self._end, patience)
        raise failure


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(str(error)) from error
    return [str(address[0]) for *_, address in found]
