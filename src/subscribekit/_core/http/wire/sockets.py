"""Blocking sockets: each operation gets the time that is left.

Below they do not block. A read is a wait and what is read, two steps during which other threads run; a write is one.
Sockets with a timeout of their own take three for either: they set it each time, and wait before a write, too.
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
from .streams import PIECE, Ask, Opening, Steps

HEAD_START = 0.25
"""Seconds that an address of a host gets before the next one is tried beside it."""
T = TypeVar("T")
Found: TypeAlias = tuple[int, int, int, str, tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]]
"""One address as the system returns it: family, type, protocol, name, address."""


class Socket:
    """A connection without TLS."""

    __slots__ = ("_current", "_is_writing", "_socket")

    def __init__(self, sock: socket.socket, current: CurrentRequest) -> None:
        sock.setblocking(False)
        self._socket, self._current, self._is_writing = sock, current, False

    def read(self, timeout: float | None) -> Content:
        """Read what is there."""
        self._is_writing = False
        while is_readable(self._socket, self._current.cut(timeout, ReadTimeoutError)):
            try:
                return Content(self._socket.recv(PIECE))
            except BlockingIOError:  # what was there had a bad checksum
                continue
        raise ReadTimeoutError

    def write(self, piece: Content, timeout: float | None) -> None:
        """Write a piece."""
        # Not to the brim: a full buffer is called writable only when a third of it is free again, which a peer that
        # reads slowly may not manage in time. The first piece finds room.
        end = SYSTEM.monotonic() + self._current.cut(timeout, WriteTimeoutError)
        while True:
            if self._is_writing and not is_writable(self._socket, end - SYSTEM.monotonic()):
                raise WriteTimeoutError
            self._is_writing = True
            try:
                taken = self._socket.send(piece.reveal())
            except BlockingIOError:  # there is no room
                continue
            if taken == len(piece):
                return
            piece = piece.part(taken)

    @property
    def is_readable(self) -> bool:
        """Whether it has ended, or has bytes to read."""
        return is_readable(self._socket)

    def close(self) -> None:
        """Close it."""
        with contextlib.suppress(OSError):  # of a descriptor that another caller has closed
            self._socket.close()


def run(steps: Steps[T]) -> T:
    """Carry out what a connection asks of its socket, in this thread."""
    try:
        ask = next(steps)
        while True:
            try:
                read = _do(ask)
            except BaseException as error:  # noqa: BLE001  the connection decides what it means
                ask = steps.throw(error)
            else:
                ask = steps.send(read)
    except StopIteration as end:
        return cast("T", end.value)


def _do(ask: Ask) -> Content:
    if isinstance(ask, Opening):
        ask.plain.wire = Socket(_connect(ask.host, ask.port, ask.timer, ask.current), ask.current)
        return NOTHING
    plain, data, timeout = ask
    wire = cast("Socket", plain.wire)
    if data is NOTHING:
        return wire.read(timeout)
    wire.write(data, timeout)
    return NOTHING


def _connect(host: str, port: int, timer: ConnectTimer, current: CurrentRequest) -> socket.socket:
    """Open a socket: the host's addresses race, each with its own start (RFC 8305)."""
    waiting, racing = deque(in_turn(_addresses(host, port))), list[socket.socket]()
    failure: NetworkError = ConnectError("the host has no address")
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
                if is_of_signal(error):  # the next address is not tried (H250)
                    raise
                failure = ConnectTimeoutError() if isinstance(error, TimeoutError) else ConnectError()
                failure.__cause__ = error
    finally:
        for sock in racing:
            sock.close()
    raise failure


def _begin(found: Found, seconds: float) -> socket.socket:
    family, kind, protocol, _, address = found
    sock = socket.socket(family, kind, protocol)
    try:
        if type(sock).connect is socket.SocketType.connect:
            sock.setblocking(False)
        else:  # a class of another library, such as PySocks, connects in several steps, each of which blocks
            sock.settimeout(seconds)
        with contextlib.suppress(BlockingIOError):  # it has begun
            sock.connect(address)
    except BaseException:
        sock.close()
        raise
    return sock


def _connected(sock: socket.socket) -> socket.socket:
    """Give a socket that has connected, or close it and raise its error."""
    try:
        if number := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise OSError(number, os.strerror(number))  # noqa: TRY301  the socket is closed below
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        sock.close()
        raise
    return sock


def in_turn(found: Sequence[Found]) -> list[Found]:
    """Let the families of addresses take turns, beginning with the one that the system prefers."""
    first = [each for each in found if each[0] == found[0][0]]
    others = [each for each in found if each[0] != found[0][0]]
    return [each for pair in zip_longest(first, others) for each in pair if each is not None]


def _addresses(host: str, port: int) -> Sequence[Found]:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, LookupError) as error:  # the codec for names could not be loaded
        raise ConnectError from error
