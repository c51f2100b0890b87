"""Sockets in an event loop."""

import asyncio
import contextlib
import socket
from typing import TypeVar, cast

from ...._sealed import NOTHING, Content
from ..network_errors import ConnectTimeoutError
from ..readiness import is_readable
from .deadline import ConnectTimer
from .dial import dial
from .streams import PIECE, Ask, Opening, Steps

T = TypeVar("T")


class AsyncSocket:
    """A connection without TLS.

    The event loop knows the socket only while a task waits for it: an idle socket is not read, a forked child
    with the same loop included (H81), and what an interrupt leaves without an owner is closed with it (H100).
    """

    __slots__ = ("_loop", "_socket")

    def __init__(self, sock: socket.socket) -> None:
        self._loop, self._socket = asyncio.get_running_loop(), sock

    async def read(self, timeout: float | None) -> Content:
        """Read what is there."""
        async with asyncio.timeout(timeout):
            return Content(await self._loop.sock_recv(self._socket, PIECE))

    async def write(self, piece: Content, timeout: float | None) -> None:
        """Write a piece."""
        async with asyncio.timeout(timeout):
            await self._loop.sock_sendall(self._socket, piece.reveal())

    @property
    def is_readable(self) -> bool:
        """Whether it has ended, or has bytes to read."""
        return is_readable(self._socket)

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


async def run(steps: Steps[T]) -> T:
    """Carry out what a connection asks of its socket, in the event loop."""
    try:
        ask, reads = next(steps), 0
        while True:
            try:
                if reads:  # a peer that never stops sending must not stop the event loop (H214)
                    await asyncio.sleep(0)
                reads += not isinstance(ask, Opening) and ask[1] is NOTHING
                read = await _do(ask)
            except BaseException as error:  # noqa: BLE001  the connection decides what it means
                ask = steps.throw(error)
            else:
                ask = steps.send(read)
    except StopIteration as end:
        return cast("T", end.value)


async def _do(ask: Ask) -> Content:
    if isinstance(ask, Opening):
        ask.plain.wire = await _connect(ask.host, ask.port, ask.timer)
        return NOTHING
    plain, data, timeout = ask
    wire = cast("AsyncSocket", plain.wire)
    if data is NOTHING:
        return await wire.read(timeout)
    await wire.write(data, timeout)
    return NOTHING


async def _connect(host: str, port: int, timer: ConnectTimer) -> AsyncSocket:
    try:
        async with asyncio.timeout(timer.left):
            return AsyncSocket(await dial(host, port))
    except TimeoutError as error:
        raise ConnectTimeoutError from error
