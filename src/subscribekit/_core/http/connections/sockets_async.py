"""Sockets in an event loop: tunnel and TLS handshake get what is left of the time to connect."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TypeVar

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
from ..readiness import is_readable
from .deadline import ConnectTimer, CurrentRequest
from .dial import dial
from .sockets import PIECE, WRITTEN
from .tls import check_protocol
from .tls_layer import TLSLayer

if TYPE_CHECKING:
    from .proxy import Proxy

T = TypeVar("T")


class AsyncStream(Protocol):
    """An open connection in an event loop, plain or with layers of TLS."""

    async def read(self, timeout: float | None) -> bytes:
        """Read what is there; nothing at the end.

        Raises:
            ReadTimeoutError: Nothing came in time.
            ReadError: The connection was lost.
        """
        ...

    async def write(self, data: bytes, timeout: float | None) -> None:
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
        """Close the connection; its event loop may be closed."""
        ...


class AsyncSocket:
    """A connection without TLS.

    The event loop knows the socket only while a task waits for it: an idle socket is not read, a forked child
    with the same loop included (H81), and what an interrupt leaves without an owner is closed with it (H100).
    """

    __slots__ = ("_loop", "_socket")

    def __init__(self, sock: socket.socket) -> None:
        self._loop, self._socket = asyncio.get_running_loop(), sock

    async def read(self, timeout: float | None) -> bytes:
        """Read what is there."""
        try:
            async with asyncio.timeout(timeout):
                return await self._loop.sock_recv(self._socket, PIECE)
        except TimeoutError as error:
            raise ReadTimeoutError from error
        except OSError as error:
            raise ReadError from error

    async def write(self, data: bytes, timeout: float | None) -> None:
        """Write all of it."""
        try:
            for start in range(0, len(data), WRITTEN):
                async with asyncio.timeout(timeout):
                    await self._loop.sock_sendall(self._socket, data[start : start + WRITTEN])
        except TimeoutError as error:
            raise WriteTimeoutError from error
        except OSError as error:
            raise WriteError from error

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
        descriptor = self._socket.fileno()
        if descriptor >= 0 and not self._loop.is_closed():
            # After an interrupt the event loop may still wait for it, and then never for the next one with its number.
            with contextlib.suppress(RuntimeError):  # of a loop that waits for no descriptors, on Windows
                self._loop.remove_reader(descriptor)
                self._loop.remove_writer(descriptor)
        with contextlib.suppress(OSError):  # of a descriptor that another caller has closed
            self._socket.close()


class AsyncTLS:
    """A connection with TLS, on one without or on another one with TLS, to a proxy."""

    __slots__ = ("_below", "_layer")

    def __init__(self, below: AsyncStream, context: ssl.SSLContext, host: str) -> None:
        self._below, self._layer = below, TLSLayer(context, host)

    async def shake_hands(self, timeout: float | None) -> None:
        """Do the handshake."""
        await self._do(self._layer.shake_hands, timeout)
        check_protocol(self._layer.tls)

    async def read(self, timeout: float | None) -> bytes:
        """Read what is there."""
        try:
            return await self._do(self._layer.reading(PIECE), timeout, is_read=True)
        except ssl.SSLError as error:
            raise ReadError from error

    async def write(self, data: bytes, timeout: float | None) -> None:
        """Write all of it."""
        try:
            for start in range(0, len(data), WRITTEN):  # what is encrypted waits in memory, which is not given back
                await self._do(self._layer.writing(data[start : start + WRITTEN]), timeout)
        except ssl.SSLError as error:
            raise WriteError from error

    async def _do(self, act: Callable[[], T], timeout: float | None, *, is_read: bool = False) -> T:
        # A timeout is for all of it, however many pieces of a record come one by one (H189).
        layer, end = self._layer, None if timeout is None else monotonic() + timeout
        while True:
            try:
                done = layer.attempt(act)
            except ssl.SSLError:
                with contextlib.suppress(NetworkError):  # tell the other side why, if it still listens
                    await self._below.write(layer.to_send(), timeout)
                raise
            if to_send := layer.to_send():
                try:
                    await self._below.write(to_send, timeout)
                except NetworkError:
                    if done is None or not is_read:  # the read bytes count, even after TLS's close (H211)
                        raise
            if done is not None:
                return done
            left = None if end is None else end - monotonic()
            if left is not None and left <= 0:  # however much there is to read
                raise ReadTimeoutError
            layer.receive(await self._below.read(left))
            await asyncio.sleep(0)  # a peer that never stops sending must not stop the event loop (H214)

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


async def secured(stream: AsyncStream, context: ssl.SSLContext, host: str, timer: ConnectTimer) -> AsyncTLS:
    """Do a TLS handshake within what is left of the time to connect, or close the connection.

    Raises:
        HandshakeTimeoutError: It was not finished in time.
        ConnectError: It failed.
    """
    try:
        async with asyncio.timeout(timer.left):
            with_tls = AsyncTLS(stream, context, host)
            await with_tls.shake_hands(timer.left)
    except BaseException as error:
        stream.close()
        if isinstance(error, TimeoutError | NetworkTimeoutError):
            raise HandshakeTimeoutError from error
        if isinstance(error, OSError | NetworkError):
            raise ConnectError from error
        raise
    return with_tls


async def open_async_stream(
    host: str,
    port: int,
    timer: ConnectTimer,
    current: CurrentRequest,
    proxy: "Proxy | None" = None,
    proxy_context: ssl.SSLContext | None = None,
) -> AsyncStream:
    """Open a connection, through a proxy if there is one.

    Raises:
        ConnectError: There is none.
        TransportFailure: The proxy opened no tunnel.
    """
    if proxy is not None:
        return await _through(proxy, proxy_context, host, port, timer, current)
    stream = await _connect(host, port, timer)
    current.connected()
    return stream


async def _connect(host: str, port: int, timer: ConnectTimer) -> AsyncSocket:
    try:
        async with asyncio.timeout(timer.left):
            return AsyncSocket(await dial(host, port))
    except TimeoutError as error:
        raise ConnectTimeoutError from error


async def _through(
    proxy: "Proxy", context: ssl.SSLContext | None, host: str, port: int, timer: ConnectTimer, current: CurrentRequest
) -> AsyncStream:
    from .tunnel import Tunnel

    tunnel = Tunnel(proxy, host, port)
    stream: AsyncStream | None = None
    try:
        stream = await _connect(proxy.host, proxy.port, timer)
        current.connected()
        if context is not None:
            stream = await secured(stream, context, proxy.host, timer)
        await stream.write(tunnel.request, timer.left)
        while not tunnel.is_open:
            tunnel.receive(await stream.read(timer.left))
    except BaseException as error:
        if stream is not None:
            stream.close()
        tunnel.raise_failure(error, is_connected=current.is_connected, handled=current.handled)
        raise
    return stream
