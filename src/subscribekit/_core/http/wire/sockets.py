"""Sockets for sync clients. A socket operation never continues after the call's deadline.

The sockets themselves are nonblocking. A read needs two system calls (a wait and a read), and a write needs one system
call. Sockets with Python's own timeout need three system calls for a read or a write, because they set the timeout each
time and also wait before a write.
"""

import contextlib
import os
import socket
from collections import deque
from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeAlias, TypeVar, cast

from ...._interrupts import is_of_signal
from ...._sealed import NOTHING, Content
from ...config.clock import SYSTEM
from ..network_errors import ConnectError, ConnectTimeoutError, NetworkError, ReadTimeoutError, WriteTimeoutError
from ..readiness import is_readable, is_writable, writable
from .deadline import ConnectTimer, CurrentRequest
from .streams import PIECE, Opening, Step, Steps

HEAD_START = 0.25
"""The time in seconds after which the SDK also tries the next address of a host."""
T = TypeVar("T")
AddressInfo: TypeAlias = tuple[int, int, int, str, tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]]
"""An address as `getaddrinfo` returns it: family, type, protocol, name, and address."""


class Socket:
    """A connection without TLS."""

    __slots__ = ("_current", "_is_writing", "_socket")

    def __init__(self, sock: socket.socket, current: CurrentRequest) -> None:
        sock.setblocking(False)
        self._socket, self._current, self._is_writing = sock, current, False

    def read(self, timeout: float | None) -> Content:
        """Wait for bytes and read them."""
        self._is_writing = False
        while is_readable(self._socket, self._current.cut(timeout, ReadTimeoutError)):
            try:
                return Content(self._socket.recv(PIECE))
            except BlockingIOError:  # the system dropped the received bytes because of a bad checksum
                continue
        raise ReadTimeoutError

    def write(self, piece: Content, timeout: float | None) -> None:
        """Write all bytes of `piece`."""
        # Don't wait before the first write, because the send buffer has room. Don't fill the send buffer, because the
        # system reports a full buffer as writable only when a third of it is free. With a slow peer, the write timeout
        # can expire before a third of the send buffer is free.
        end = SYSTEM.monotonic() + self._current.cut(timeout, WriteTimeoutError)
        while True:
            if self._is_writing and not is_writable(self._socket, end - SYSTEM.monotonic()):
                raise WriteTimeoutError
            self._is_writing = True
            try:
                sent = self._socket.send(piece.reveal())
            except BlockingIOError:  # the send buffer has no room
                continue
            if sent == len(piece):
                return
            piece = piece.part(sent)

    @property
    def is_readable(self) -> bool:
        """Whether the socket has bytes to read, or the peer has closed the connection."""
        return is_readable(self._socket)

    def close(self) -> None:
        """Close the socket."""
        with contextlib.suppress(OSError):  # other code has already closed the descriptor
            self._socket.close()


def run(steps: Steps[T]) -> T:
    """Carry out the steps of a connection in this thread, and return their result."""
    try:
        step = next(steps)
        while True:
            try:
                read = _do(step)
            except BaseException as error:  # noqa: BLE001  the steps of the connection handle the error
                step = steps.throw(error)
            else:
                step = steps.send(read)
    except StopIteration as end:
        done: T = end.value
        return done


def _do(step: Step) -> Content:
    if isinstance(step, Opening):
        step.plain.wire = Socket(_connect(step.host, step.port, step.timer, step.current), step.current)
        return NOTHING
    plain, data, timeout = step
    wire = cast("Socket", plain.wire)
    if data is NOTHING:
        return wire.read(timeout)
    wire.write(data, timeout)
    return NOTHING


def _connect(host: str, port: int, timer: ConnectTimer, current: CurrentRequest) -> socket.socket:
    """Open a socket to a host, and try several addresses at the same time (RFC 8305, Happy Eyeballs)."""
    waiting, racing = deque(alternate_families(_addresses(host, port))), list[socket.socket]()
    failure: NetworkError = ConnectError("the host name has no IP address")
    try:
        while waiting or racing:
            left = current.cut(timer.left, ConnectTimeoutError)
            try:
                if waiting:
                    share, left = left / len(waiting), min(left, HEAD_START)
                    racing.append(_begin(waiting.popleft(), share))
                if ready := writable(racing, left):
                    racing.remove(ready[0])
                    return _connected(ready[0])
            except OSError as error:
                if is_of_signal(error):  # a signal handler interrupted the call, so don't try the next address (H250)
                    raise
                failure = ConnectTimeoutError() if isinstance(error, TimeoutError) else ConnectError()
                failure.__cause__ = error
    finally:
        for sock in racing:
            sock.close()
    raise failure


def _begin(found: AddressInfo, seconds: float) -> socket.socket:
    family, kind, protocol, _, address = found
    sock = socket.socket(family, kind, protocol)
    try:
        if type(sock).connect is socket.SocketType.connect:
            sock.setblocking(False)
        else:  # a socket class of another library, such as PySocks, needs several blocking steps to connect
            sock.settimeout(seconds)
        with contextlib.suppress(BlockingIOError):  # the system is still opening the connection
            sock.connect(address)
    except BaseException:
        sock.close()
        raise
    return sock


def _connected(sock: socket.socket) -> socket.socket:
    """Return the socket if it has connected, or close the socket and raise its error."""
    try:
        if number := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise OSError(number, os.strerror(number))  # noqa: TRY301  the socket is closed below
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        sock.close()
        raise
    return sock


def alternate_families(found: Sequence[AddressInfo]) -> list[AddressInfo]:
    """Return the addresses with alternating families, such as IPv6 and IPv4. The system's preferred family is first."""
    first = [each for each in found if each[0] == found[0][0]]
    others = [each for each in found if each[0] != found[0][0]]
    return [each for pair in zip_longest(first, others) for each in pair if each is not None]


def _addresses(host: str, port: int) -> Sequence[AddressInfo]:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, LookupError) as error:  # LookupError means that the codec idna can't be loaded
        raise ConnectError from error
