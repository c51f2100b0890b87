"""Blocking sockets: each operation gets the time that is left.

Below they do not block. A read is a wait and what is read, two steps during which other threads run; a write is one.
Sockets with a timeout of their own take three for either: they set it each time, and wait before a write, too.
"""

import contextlib
import socket
from collections.abc import Sequence
from time import monotonic
from typing import TypeAlias, TypeVar, cast

from ..network_errors import (
    ConnectError,
    ConnectTimeoutError,
    ReadError,
    ReadTimeoutError,
    WriteError,
    WriteTimeoutError,
)
from ..readiness import is_readable, is_writable
from ..signals import is_of_signal
from .deadline import ConnectTimer, CurrentRequest
from .streams import PIECE, WRITTEN, Ask, Opening, Steps

T = TypeVar("T")
Found: TypeAlias = tuple[int, int, int, str, tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]]
"""One address as the system returns it: family, type, protocol, name, address."""


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


def _do(ask: Ask) -> bytes:
    if isinstance(ask, Opening):
        ask.plain.wire = Socket(_connect(ask.host, ask.port, ask.timer, ask.current), ask.current)
        return b""
    plain, data, timeout = ask
    wire = cast("Socket", plain.wire)
    if not data:
        return wire.read(timeout)
    wire.write(data, timeout)
    return b""


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


def _addresses(host: str, port: int) -> Sequence[Found]:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, LookupError) as error:  # the codec for names could not be loaded
        raise ConnectError from error
