"""Blocking sockets: each operation gets the time that is left, tunnel and TLS handshake that to connect.

Below they do not block. A read is a wait and what is read, two steps during which other threads run; a write is one.
Sockets with a timeout of their own take three for either: they set it each time, and wait before a write, too.
"""

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
    NetworkError,
    NetworkTimeoutError,
    ReadError,
    ReadTimeoutError,
    WriteError,
    WriteTimeoutError,
)
from ..readiness import is_readable, is_writable
from ..signals import is_of_signal
from .deadline import ConnectTimer, CurrentRequest
from .tls import check_protocol
from .tls_layer import TLSLayer

if TYPE_CHECKING:
    from .proxy import Proxy

PIECE = 65536
"""Bytes that are read at once."""
WRITTEN = 16384
"""Bytes that are written at once: a peer that reads slowly gets the whole time again for each of them (H10)."""
T = TypeVar("T")
Found: TypeAlias = tuple[int, int, int, str, tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]]
"""One address as the system returns it: family, type, protocol, name, address."""


class Stream(Protocol):
    """An open connection whose operations end with the deadline, plain or with layers of TLS."""

    def read(self, timeout: float | None) -> bytes:
        """Read what is there; nothing at the end.

        Raises:
            ReadTimeoutError: Nothing came in time.
            ReadError: The connection was lost.
        """
        ...

    def write(self, data: bytes, timeout: float | None) -> None:
        """Write all of it.

        Raises:
            WriteTimeoutError: Not all was taken in time.
            WriteError: The connection was lost.
        """
        ...

    @property
    def is_readable(self) -> bool:
        """Whether the connection, which is idle, has ended, or has bytes to read."""
        ...

    @property
    def marks_end(self) -> bool:
        """Whether the other side has said that nothing follows, so that the end was no cut."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class Socket:
    """A connection without TLS."""

    __slots__ = ("_current", "_is_writing", "_socket")

    def __init__(self, sock: socket.socket, current: CurrentRequest) -> None:
        sock.setblocking(False)
        self._socket, self._current, self._is_writing = sock, current, False

    def read(self, timeout: float | None) -> bytes:
        """Read what is there."""
        self._is_writing = False
        try:
            while True:
                if not is_readable(self._socket, self._current.cut(timeout, ReadTimeoutError)):
                    raise ReadTimeoutError
                try:
                    return self._socket.recv(PIECE)
                except BlockingIOError:  # what was there had a bad checksum
                    continue
        except TimeoutError as error:
            raise ReadTimeoutError from error
        except OSError as error:
            raise ReadError from error

    def write(self, data: bytes, timeout: float | None) -> None:
        """Write all of it."""
        try:
            for start in range(0, len(data), WRITTEN):
                self._write(data[start : start + WRITTEN], self._current.cut(timeout, WriteTimeoutError))
        except TimeoutError as error:
            raise WriteTimeoutError from error
        except OSError as error:
            raise WriteError from error

    def _write(self, piece: bytes, left: float) -> None:
        # Not to the brim: a full buffer is called writable only when a third of it is free again, which a peer that
        # reads slowly may not manage in time. The first piece finds room.
        end = monotonic() + left
        while True:
            if self._is_writing and not is_writable(self._socket, end - monotonic()):
                raise WriteTimeoutError
            self._is_writing = True
            try:
                taken = self._socket.send(piece)
            except BlockingIOError:  # there is no room
                continue
            if taken == len(piece):
                return
            piece = piece[taken:]

    @property
    def is_readable(self) -> bool:
        """Whether it has ended, or has bytes to read."""
        return is_readable(self._socket)

    @property
    def marks_end(self) -> bool:
        """Never: a connection without TLS ends in one way, cut or not."""
        return False

    def close(self) -> None:
        """Close it."""
        with contextlib.suppress(OSError):  # of a descriptor that another caller has closed
            self._socket.close()


class TLS:
    """A connection with TLS, on one without or on another one with TLS, to a proxy."""

    __slots__ = ("_below", "_layer")

    def __init__(self, below: Stream, context: ssl.SSLContext, host: str) -> None:
        self._below, self._layer = below, TLSLayer(context, host)

    def shake_hands(self, timeout: float | None) -> None:
        """Do the handshake."""
        self._do(self._layer.shake_hands, timeout)
        check_protocol(self._layer.tls)

    def read(self, timeout: float | None) -> bytes:
        """Read what is there."""
        try:
            return self._do(self._layer.reading(PIECE), timeout, is_read=True)
        except ssl.SSLError as error:
            raise ReadError from error

    def write(self, data: bytes, timeout: float | None) -> None:
        """Write all of it."""
        try:
            for start in range(0, len(data), WRITTEN):  # what is encrypted waits in memory, which is not given back
                self._do(self._layer.writing(data[start : start + WRITTEN]), timeout)
        except ssl.SSLError as error:
            raise WriteError from error

    def _do(self, act: Callable[[], T], timeout: float | None, *, is_read: bool = False) -> T:
        # A timeout is for all of it, however many pieces of a record come one by one (H189).
        layer, end = self._layer, None if timeout is None else monotonic() + timeout
        while True:
            try:
                done = layer.attempt(act)
            except ssl.SSLError:
                with contextlib.suppress(NetworkError):  # tell the other side why, if it still listens
                    self._below.write(layer.to_send(), timeout)
                raise
            if to_send := layer.to_send():
                try:
                    self._below.write(to_send, timeout)
                except NetworkError:
                    if done is None or not is_read:  # the read bytes count, even after TLS's close (H211)
                        raise
            if done is not None:
                return done
            left = None if end is None else end - monotonic()
            if left is not None and left <= 0:  # however much there is to read
                raise ReadTimeoutError
            layer.receive(self._below.read(left))

    @property
    def seen(self) -> ssl.SSLObject:
        """The result of the handshake."""
        return self._layer.tls

    @property
    def is_readable(self) -> bool:
        """Whether it has ended, or has bytes to read, in any layer."""
        return self._layer.holds_bytes or self._below.is_readable

    @property
    def marks_end(self) -> bool:
        """Whether it ended with `close_notify`."""
        return self._layer.is_closed

    def close(self) -> None:
        """Close the connection."""
        self._below.close()


def secured(stream: Stream, context: ssl.SSLContext, host: str, timer: ConnectTimer) -> TLS:
    """Do a TLS handshake within what is left of the time to connect, or close the connection.

    Raises:
        HandshakeTimeoutError: It was not finished in time.
        ConnectError: It failed.
    """
    try:
        with_tls = TLS(stream, context, host)
        with_tls.shake_hands(timer.left)
    except BaseException as error:
        stream.close()
        if isinstance(error, NetworkTimeoutError):
            raise HandshakeTimeoutError from error
        if isinstance(error, OSError | NetworkError):
            raise ConnectError from error
        raise
    return with_tls


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
    stream = Socket(_connect(host, port, timer, current), current)
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
            if is_of_signal(error):  # the next address is not tried (H250)
                raise
            failure = ConnectTimeoutError() if isinstance(error, TimeoutError) else ConnectError()
            failure.__cause__ = error
        else:
            return sock
    raise failure


def _through(
    proxy: "Proxy", context: ssl.SSLContext | None, host: str, port: int, timer: ConnectTimer, current: CurrentRequest
) -> Stream:
    from .tunnel import Tunnel

    tunnel = Tunnel(proxy, host, port)
    stream: Stream | None = None
    try:
        stream = Socket(_connect(proxy.host, proxy.port, timer, current), current)
        current.connected()
        if context is not None:
            stream = secured(stream, context, proxy.host, timer)
        stream.write(tunnel.request, timer.left)
        while not tunnel.is_open:
            tunnel.receive(stream.read(timer.left))
    except BaseException as error:
        if stream is not None:
            stream.close()
        tunnel.raise_failure(error, is_connected=current.is_connected, handled=current.handled)
        raise
    return stream


def _addresses(host: str, port: int) -> Sequence[Found]:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, LookupError) as error:  # the codec for names could not be loaded
        raise ConnectError from error
