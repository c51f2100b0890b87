"""A connection in layers: the socket, TLS, the tunnel of a proxy. No I/O.

What a layer does is a generator that yields what it asks of the socket below, so that a thread and an event loop carry
out the same steps: `run` of `sockets` and of `sockets_async`.
"""

import contextlib
import ssl
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias, TypeVar

from ...._sealed import NOTHING, Content
from ...config.clock import SYSTEM
from ..network_errors import (
    ConnectError,
    HandshakeTimeoutError,
    NetworkError,
    NetworkTimeoutError,
    ReadError,
    ReadTimeoutError,
    WriteError,
    WriteTimeoutError,
)
from .deadline import ConnectTimer, CurrentRequest, Readable
from .tls import check_protocol

if TYPE_CHECKING:
    from .proxy import Proxy

PIECE = 65536
"""Bytes that are read at once."""
WRITTEN = 16384
"""Bytes that are written at once: a peer that reads slowly gets the whole time again for each of them (H10)."""
T = TypeVar("T")


class Wire(Readable, Protocol):
    """An open socket of either style."""

    def close(self) -> None:
        """Close it."""
        ...


class Plain:
    """A connection without TLS; its socket is the one that `run` opened for it."""

    __slots__ = ("wire",)
    marks_end: ClassVar[bool] = False
    """A connection without TLS ends in one way, cut or not."""

    def __init__(self) -> None:
        self.wire: Wire | None = None

    def read(self, timeout: float | None) -> "Generator[Ask, Content, Content]":
        """Read what is there; nothing at the end.

        Raises:
            ReadTimeoutError: Nothing came in time.
            ReadError: The connection was lost.
        """
        try:
            return (yield self, NOTHING, timeout)
        except TimeoutError as error:
            raise ReadTimeoutError from error
        except OSError as error:
            raise ReadError from error

    def write(self, data: Content, timeout: float | None) -> "Steps[None]":
        """Write all of it.

        Raises:
            WriteTimeoutError: Not all was taken in time.
            WriteError: The connection was lost.
        """
        try:
            for start in range(0, len(data), WRITTEN):
                yield self, data.part(start, start + WRITTEN), timeout
        except TimeoutError as error:
            raise WriteTimeoutError from error
        except OSError as error:
            raise WriteError from error

    @property
    def is_readable(self) -> bool:
        """Whether it has ended, or has bytes to read."""
        return self.wire is None or self.wire.is_readable

    def close(self) -> None:
        """Close the socket."""
        if self.wire is not None:
            self.wire.close()


@dataclass(slots=True, eq=False, repr=False)
class Opening:
    """Open the socket of a connection."""

    plain: Plain
    host: str
    port: int
    timer: ConnectTimer
    current: CurrentRequest


Ask: TypeAlias = Opening | tuple[Plain, Content, float | None]
"""To open a socket; or to write bytes to it within so many seconds; or, without bytes, to read."""
Steps: TypeAlias = Generator[Ask, Content, T]
Stream: TypeAlias = "Plain | TLS"
"""An open connection, plain or with layers of TLS."""


class TLS:
    """A connection with TLS, on one without or on another one with TLS, to a proxy.

    Attributes:
        seen: The result of the handshake.
        marks_end: The other side has said that nothing follows, with `close_notify`; an end without it may be a cut.
    """

    __slots__ = ("_below", "_received", "_to_send", "marks_end", "seen")

    def __init__(self, below: Stream, context: ssl.SSLContext, host: str) -> None:
        self._below: Stream = below
        self._received, self._to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.marks_end: bool = False
        self.seen: ssl.SSLObject = context.wrap_bio(self._received, self._to_send, server_hostname=host)

    def shake_hands(self, timeout: float | None) -> Steps[None]:
        """Do the handshake."""
        yield from self._do(self._shake_hands, timeout)
        check_protocol(self.seen)

    def _shake_hands(self) -> bool:
        self.seen.do_handshake()
        return True

    def read(self, timeout: float | None) -> Steps[Content]:
        """Read what is there."""
        try:
            return (yield from self._do(self._read, timeout, is_read=True))
        except ssl.SSLError as error:
            raise ReadError from error

    def _read(self) -> Content:
        """Give nothing at the end, announced or not, as sockets of the standard library."""
        try:
            data = Content(self.seen.read(PIECE))
        except ssl.SSLZeroReturnError:
            data = NOTHING
        except ssl.SSLEOFError:
            return NOTHING
        self.marks_end = not data
        return data

    def write(self, data: Content, timeout: float | None) -> Steps[None]:
        """Write all of it."""
        try:
            for start in range(0, len(data), WRITTEN):  # what is encrypted waits in memory, which is not given back
                yield from self._do(partial(self._write, data.part(start, start + WRITTEN)), timeout)
        except ssl.SSLError as error:
            raise WriteError from error

    def _write(self, piece: Content) -> int:
        return self.seen.write(piece.reveal())

    def _feed(self, timeout: float | None) -> Steps[None]:
        """Read from the layer below."""
        data = yield from self._below.read(timeout)
        if data:
            self._received.write(data.reveal())
        else:
            self._received.write_eof()

    def _do(self, act: Callable[[], T], timeout: float | None, *, is_read: bool = False) -> Steps[T]:
        # A timeout is for all of it, however many pieces of a record come one by one (H189).
        end = None if timeout is None else SYSTEM.monotonic() + timeout
        while True:
            done: T | None
            try:
                done = act()
            except ssl.SSLWantReadError:
                done = None  # the other side must say something first
            except ssl.SSLError:
                with contextlib.suppress(NetworkError):  # tell the other side why, if it still listens
                    yield from self._below.write(Content(self._to_send.read()), timeout)
                raise
            if to_send := Content(self._to_send.read()):
                try:
                    yield from self._below.write(to_send, timeout)
                except NetworkError:
                    if done is None or not is_read:  # the read bytes count, even after TLS's close (H211)
                        raise
            if done is not None:
                return done
            left = None if end is None else end - SYSTEM.monotonic()
            if left is not None and left <= 0:  # however much there is to read
                raise ReadTimeoutError
            yield from self._feed(left)

    @property
    def is_readable(self) -> bool:
        """Whether it has ended, or more came than was read, in any layer: whole records or a part of one (H190)."""
        return self._received.pending > 0 or self.seen.pending() > 0 or self._below.is_readable


def secured(stream: Stream, context: ssl.SSLContext, host: str, timer: ConnectTimer) -> Steps[TLS]:
    """Do a TLS handshake within what is left of the time to connect.

    Raises:
        HandshakeTimeoutError: It was not finished in time.
        ConnectError: It failed.
    """
    try:
        with_tls = TLS(stream, context, host)
        yield from with_tls.shake_hands(timer.left)
    except NetworkTimeoutError as error:
        raise HandshakeTimeoutError from error
    except (OSError, NetworkError) as error:
        raise ConnectError from error
    return with_tls


def opened(opening: Opening) -> Steps[Stream]:
    """Open a connection.

    Raises:
        ConnectError: There is none.
    """
    yield opening
    opening.current.connected()
    return opening.plain


def tunnelled(opening: Opening, proxy: "Proxy", context: ssl.SSLContext | None) -> Steps[Stream]:
    """Open a connection through a proxy, with TLS to the proxy itself if there is a context.

    Raises:
        ConnectError: The host is not a name.
        TransportFailure: The proxy opened no tunnel.
    """
    from .tunnel import Tunnel

    timer, current = opening.timer, opening.current
    tunnel = Tunnel(proxy, opening.host, opening.port)
    try:
        stream = yield from opened(replace(opening, host=proxy.host, port=proxy.port))
        if context is not None:
            stream = yield from secured(stream, context, proxy.host, timer)
        yield from stream.write(tunnel.request, timer.left)
        while not tunnel.is_open:
            tunnel.receive((yield from stream.read(timer.left)))
    except BaseException as error:
        tunnel.raise_failure(error, is_connected=current.is_connected, handled=current.progress.handled)
        raise
    return stream
