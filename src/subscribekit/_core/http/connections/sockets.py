"""Blocking sockets whose operations end with the deadline."""

import contextlib
import socket
import ssl
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from ..network_errors import (
    ConnectError,
    ConnectTimeoutError,
    HandshakeTimeoutError,
    ReadError,
    ReadTimeoutError,
    WriteError,
    WriteTimeoutError,
)
from ..reuse import is_socket_readable, tls_holds_bytes
from .deadline import ConnectTimer, CurrentRequest
from .tls import check_protocol
from .tls_layer import TLSLayer

if TYPE_CHECKING:
    from .proxy import Proxy
    from .tunnel import Tunnel  # loaded where there is a proxy

_PIECE = 65536
"""Bytes that are read at once."""
WRITTEN = 16384
"""Bytes that are written at once: a peer that reads slowly gets the whole time again for each of them (H10)."""
T = TypeVar("T")
Found: TypeAlias = tuple[int, int, int, str, tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]]
"""What the system says of one address: family, type, protocol, name, address."""


class _Socket(Protocol):
    """What is used of a socket, with TLS or without."""

    def settimeout(self, value: float | None, /) -> None: ...
    def recv(self, size: int, /) -> bytes: ...
    def sendall(self, data: bytes, /) -> None: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


class Stream:
    """An open connection whose operations end with the deadline of the request that it serves."""

    __slots__ = ("_current", "_socket")

    def __init__(self, sock: _Socket, current: CurrentRequest) -> None:
        self._socket, self._current = sock, current

    def read(self, timeout: float | None) -> bytes:
        """Read what is there; nothing at the end.

        Raises:
            ReadTimeoutError: Nothing came in time.
            ReadError: The connection was lost.
        """
        self._socket.settimeout(self._current.cut(timeout, ReadTimeoutError))
        try:
            return self._socket.recv(_PIECE)
        except TimeoutError as error:
            raise ReadTimeoutError from error
        except OSError as error:
            raise ReadError from error

    def write(self, data: bytes, timeout: float | None) -> None:
        """Write all of it.

        Raises:
            WriteTimeoutError: Not all was taken in time.
            WriteError: The connection was lost.
        """
        try:
            for start in range(0, len(data), WRITTEN):
                self._socket.settimeout(self._current.cut(timeout, WriteTimeoutError))
                self._socket.sendall(data[start : start + WRITTEN])
        except TimeoutError as error:
            raise WriteTimeoutError from error
        except OSError as error:
            raise WriteError from error

    def start_tls(self, context: ssl.SSLContext, host: str, timer: ConnectTimer) -> None:
        """Do the TLS handshake within what is left of the time to connect, or close the connection.

        Raises:
            HandshakeTimeoutError: It was not finished in time.
            ConnectError: It failed.
        """
        try:
            self._socket.settimeout(self._current.cut(timer.left, HandshakeTimeoutError))
            self._socket = _secured(self._socket, context, host)
            if (tls := self.tls) is not None:
                check_protocol(tls)
        except BaseException as error:
            self.close()
            if isinstance(error, TimeoutError | ConnectTimeoutError):
                raise HandshakeTimeoutError from error
            if isinstance(error, OSError):
                raise ConnectError from error
            raise

    def open_tunnel(self, tunnel: "Tunnel", timer: ConnectTimer) -> None:
        """Ask a proxy for a tunnel within what is left of the time to connect.

        Raises:
            NetworkError: The connection to the proxy was lost, or it said nothing in time.
            TransportFailure: The proxy opens none.
        """
        self.write(tunnel.request, timer.left)
        while not tunnel.is_open:
            tunnel.receive(self.read(timer.left))

    @property
    def tls(self) -> ssl.SSLSocket | ssl.SSLObject | None:
        """The TLS of the connection with the service; `None` without."""
        if isinstance(self._socket, _TLSInTLS):
            return self._socket.tls
        return self._socket if isinstance(self._socket, ssl.SSLSocket) else None

    @property
    def is_readable(self) -> bool:
        """Whether the connection, which is idle, has ended, or has bytes to read."""
        sock = self._socket
        return (sock.holds_bytes if isinstance(sock, _TLSInTLS) else tls_holds_bytes(sock)) or is_socket_readable(sock)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()


class _TLSInTLS:
    """TLS to the service inside TLS to a proxy, which sockets of the standard library cannot do by themselves.

    As there a timeout is for a whole operation, however many records of the proxy that takes (H189).
    """

    __slots__ = ("_end", "_layer", "_outer")

    def __init__(self, outer: ssl.SSLSocket, context: ssl.SSLContext, host: str) -> None:
        self._outer, self._layer = outer, TLSLayer(context, host)
        self.settimeout(outer.gettimeout())
        self._do(self._layer.shake_hands)

    @property
    def tls(self) -> ssl.SSLObject:
        return self._layer.tls

    @property
    def holds_bytes(self) -> bool:
        return self._layer.holds_bytes or tls_holds_bytes(self._outer)

    def settimeout(self, value: float | None, /) -> None:
        self._end = None if value is None else monotonic() + value

    def recv(self, size: int, /) -> bytes:
        return self._do(self._layer.reading(size))

    def sendall(self, data: bytes, /) -> None:
        self._do(self._layer.writing(data))

    def fileno(self) -> int:
        return self._outer.fileno()

    def close(self) -> None:
        self._outer.close()

    def _do(self, act: Callable[[], T]) -> T:
        layer = self._layer
        while True:
            try:
                done = layer.attempt(act)
            except ssl.SSLError:
                with contextlib.suppress(OSError):  # the other side is told why, if it still listens
                    self._flush()
                raise
            self._flush()
            if done is not None:
                return done
            self._cut()
            layer.receive(self._outer.recv(_PIECE))

    def _flush(self) -> None:
        data = self._layer.to_send()
        for start in range(0, len(data), WRITTEN):
            self._cut()
            self._outer.sendall(data[start : start + WRITTEN])

    def _cut(self) -> None:
        if self._end is not None:
            if (left := self._end - monotonic()) <= 0:
                raise TimeoutError
            self._outer.settimeout(left)


def _secured(sock: _Socket, context: ssl.SSLContext, host: str) -> _Socket:
    """Put TLS around a connection; around the TLS of a proxy too."""
    if isinstance(sock, ssl.SSLSocket):
        return _TLSInTLS(sock, context, host)
    if not isinstance(sock, socket.socket):
        raise ConnectError("there is no TLS inside TLS inside TLS")
    secured = context.wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)
    try:
        secured.do_handshake()
    except BaseException:
        secured.close()
        raise
    if secured.version() is None:
        # The standard library can give a socket without TLS when the peer was gone before the handshake.
        secured.close()
        raise ConnectError("the connection ended before the TLS handshake")
    return secured


def open_stream(
    host: str,
    port: int,
    timer: ConnectTimer,
    current: CurrentRequest,
    proxy: "Proxy | None" = None,
    proxy_context: ssl.SSLContext | None = None,
) -> Stream:
    """Open a connection, through a proxy if there is one.

    Raises:
        ConnectError: There is none.
        TransportFailure: The proxy opened no tunnel.
    """
    if proxy is not None:
        return _through(proxy, proxy_context, host, port, timer, current)
    stream = Stream(_connect(host, port, timer, current), current)
    current.connected()
    return stream


def _connect(host: str, port: int, timer: ConnectTimer, current: CurrentRequest) -> socket.socket:
    failure = ConnectError("the host has no address")
    addresses = _addresses(host, port)
    # The standard library grants the whole time to each address. Here they share it, so that one which swallows
    # packets leaves some for the others.
    for remaining, (family, kind, protocol, _, address) in zip(range(len(addresses), 0, -1), addresses, strict=True):
        left = current.cut(timer.left, ConnectTimeoutError)
        try:
            sock = socket.socket(family, kind, protocol)
            try:
                sock.settimeout(None if left is None else left / remaining)
                sock.connect(address)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except BaseException:
                sock.close()
                raise
        except OSError as error:
            failure = ConnectTimeoutError() if isinstance(error, TimeoutError) else ConnectError()
            failure.__cause__ = error
        else:
            return sock
    raise failure


def _through(
    proxy: "Proxy", context: ssl.SSLContext | None, host: str, port: int, timer: ConnectTimer, current: CurrentRequest
) -> Stream:
    from .tunnel import Tunnel

    tunnel, stream = Tunnel(proxy, host, port), None
    try:
        stream = Stream(_connect(proxy.host, proxy.port, timer, current), current)
        current.connected()
        if context is not None:
            stream.start_tls(context, proxy.host, timer)
        stream.open_tunnel(tunnel, timer)
    except BaseException as error:
        if stream is not None:
            stream.close()
        tunnel.raise_failure(error, is_connected=current.is_connected)
        raise
    return stream


def _addresses(host: str, port: int) -> Sequence[Found]:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ConnectError from error
