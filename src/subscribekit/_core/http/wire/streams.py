"""The layers of a connection: a socket, TLS, and the tunnel of a proxy. This module does no I/O.

Each operation of a layer is a generator that yields the steps for the socket, so that sync and async clients use the
same code. `run` in `sockets` carries out the steps in a thread, and `run` in `sockets_async` carries out the steps in
an event loop.
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
"""The maximum number of bytes in one read."""
WRITTEN = 16384
"""The maximum number of bytes in one write. The write timeout applies to each write, so that a slow peer can receive a
long request (H10)."""
T = TypeVar("T")


class Wire(Readable, Protocol):
    """An open socket of a sync or async client."""

    def close(self) -> None:
        """Close the socket."""
        ...


class Plain:
    """A connection without TLS, over the socket that `run` opened for the connection."""

    __slots__ = ("wire",)
    marks_end: ClassVar[bool] = False
    """Always `False`, because without TLS, a cut connection looks like a connection that the peer ended."""

    def __init__(self) -> None:
        self.wire: Wire | None = None

    def read(self, timeout: float | None) -> "Generator[Step, Content, Content]":
        """Wait for bytes and read them. The result is empty at the end of the connection.

        Raises:
            ReadTimeoutError: No bytes arrived in time.
            ReadError: The connection was lost.
        """
        try:
            return (yield self, NOTHING, timeout)
        except TimeoutError as error:
            raise ReadTimeoutError from error
        except OSError as error:
            raise ReadError from error

    def write(self, data: Content, timeout: float | None) -> "Steps[None]":
        """Write all bytes.

        Raises:
            WriteTimeoutError: The peer didn't accept the bytes in time.
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
        """Whether the connection has bytes to read or has ended."""
        return self.wire is None or self.wire.is_readable

    def close(self) -> None:
        """Close the socket."""
        if self.wire is not None:
            self.wire.close()


@dataclass(slots=True, eq=False, repr=False)
class Opening:
    """The step that opens the socket of a connection."""

    plain: Plain
    host: str
    port: int
    timer: ConnectTimer
    current: CurrentRequest


Step: TypeAlias = Opening | tuple[Plain, Content, float | None]
"""A step that opens a socket, or that writes bytes within a timeout in seconds. A step with empty bytes reads from the
socket."""
Steps: TypeAlias = Generator[Step, Content, T]
Stream: TypeAlias = "Plain | TLS"
"""An open connection, plain or with layers of TLS."""


class TLS:
    """A connection with TLS, over a plain connection or over the TLS connection to a proxy.

    Attributes:
        tls_object: The TLS object of the standard library, which contains the result of the handshake.
        marks_end: Whether the peer announced the end of its data with `close_notify`. If the peer sent no
            `close_notify`, the connection may have been cut before the end of the data.
    """

    __slots__ = ("_below", "_received", "_to_send", "marks_end", "tls_object")

    def __init__(self, below: Stream, context: ssl.SSLContext, host: str) -> None:
        self._below: Stream = below
        self._received, self._to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.marks_end: bool = False
        self.tls_object: ssl.SSLObject = context.wrap_bio(self._received, self._to_send, server_hostname=host)

    def shake_hands(self, timeout: float | None) -> Steps[None]:
        """Perform the TLS handshake, and check the negotiated protocol."""
        yield from self._do(self._shake_hands, timeout)
        check_protocol(self.tls_object)

    def _shake_hands(self) -> bool:
        self.tls_object.do_handshake()
        return True

    def read(self, timeout: float | None) -> Steps[Content]:
        """Wait for bytes and read them. The result is empty at the end of the connection."""
        try:
            return (yield from self._do(self._read, timeout, is_read=True))
        except ssl.SSLError as error:
            raise ReadError from error

    def _read(self) -> Content:
        """Return decrypted bytes, which are empty at the end of the connection, even if the end wasn't announced."""
        try:
            data = Content(self.tls_object.read(PIECE))
        except ssl.SSLZeroReturnError:
            data = NOTHING
        except ssl.SSLEOFError:
            return NOTHING
        self.marks_end = not data
        return data

    def write(self, data: Content, timeout: float | None) -> Steps[None]:
        """Write all bytes."""
        try:
            # Write in parts, because the buffer of encrypted bytes grows to fit the largest write, and never shrinks.
            for start in range(0, len(data), WRITTEN):
                yield from self._do(partial(self._write, data.part(start, start + WRITTEN)), timeout)
        except ssl.SSLError as error:
            raise WriteError from error

    def _write(self, piece: Content) -> int:
        return self.tls_object.write(piece.reveal())

    def _feed(self, timeout: float | None) -> Steps[None]:
        """Read encrypted bytes from the layer below."""
        data = yield from self._below.read(timeout)
        if data:
            self._received.write(data.reveal())
        else:
            self._received.write_eof()

    def _do(self, act: Callable[[], T], timeout: float | None, *, is_read: bool = False) -> Steps[T]:
        # The timeout limits the whole operation, even if a record arrives in many small pieces (H189).
        end = None if timeout is None else SYSTEM.monotonic() + timeout
        while True:
            done: T | None
            try:
                done = act()
            except ssl.SSLWantReadError:
                done = None  # TLS needs more bytes from the peer
            except ssl.SSLError:
                with contextlib.suppress(NetworkError):  # send the TLS alert, if the peer still accepts bytes
                    yield from self._below.write(Content(self._to_send.read()), timeout)
                raise
            if to_send := Content(self._to_send.read()):
                try:
                    yield from self._below.write(to_send, timeout)
                except NetworkError:
                    # Keep the bytes that were read, even if the peer has closed TLS (H211).
                    if done is None or not is_read:
                        raise
            if done is not None:
                return done
            left = None if end is None else end - SYSTEM.monotonic()
            if left is not None and left <= 0:  # the timeout has expired, even if bytes still arrive
                raise ReadTimeoutError
            yield from self._feed(left)

    @property
    def is_readable(self) -> bool:
        """Whether the connection has ended or any layer has unread bytes, even only a part of a TLS record (H190)."""
        return self._received.pending > 0 or self.tls_object.pending() > 0 or self._below.is_readable


def secured(stream: Stream, context: ssl.SSLContext, host: str, timer: ConnectTimer) -> Steps[TLS]:
    """Perform a TLS handshake within the remaining time of the connect timeout.

    Raises:
        HandshakeTimeoutError: The handshake didn't finish in time.
        ConnectError: The handshake failed.
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
    """Open a connection without a proxy.

    Raises:
        ConnectError: The connection couldn't be opened.
    """
    yield opening
    opening.current.connected()
    return opening.plain


def tunnelled(opening: Opening, proxy: "Proxy", context: ssl.SSLContext | None) -> Steps[Stream]:
    """Open a connection through a proxy. If `context` isn't `None`, the connection to the proxy itself uses TLS.

    Raises:
        ConnectError: The host isn't a valid name.
        TransportFailure: The proxy didn't open a tunnel.
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
