"""Sockets for async clients, in an event loop of asyncio."""

import asyncio
import contextlib
import socket
from typing import TypeVar, cast

from ...._sealed import NOTHING, Content
from ..network_errors import ConnectTimeoutError
from ..readiness import is_readable
from .deadline import ConnectTimer
from .dial import dial
from .streams import PIECE, Opening, Step, Steps

T = TypeVar("T")


class AsyncSocket:
    """A connection without TLS.

    The event loop watches the socket only while a task waits for the socket. Therefore, no event loop reads an idle
    socket, not even the copy of the event loop in a forked child (H81). If an interrupt leaves an `AsyncSocket` without
    an owner, Python closes the socket when it deletes the object (H100).
    """

    __slots__ = ("_loop", "_socket")

    def __init__(self, sock: socket.socket) -> None:
        self._loop, self._socket = asyncio.get_running_loop(), sock

    async def read(self, timeout: float | None) -> Content:
        """Wait for bytes and read them."""
        async with asyncio.timeout(timeout):
            return Content(await self._loop.sock_recv(self._socket, PIECE))

    async def write(self, piece: Content, timeout: float | None) -> None:
        """Write all bytes of `piece`."""
        async with asyncio.timeout(timeout):
            await self._loop.sock_sendall(self._socket, piece.reveal())

    @property
    def is_readable(self) -> bool:
        """Whether the socket has bytes to read or has ended."""
        return is_readable(self._socket)

    def close(self) -> None:
        """Close the socket."""
        descriptor = self._socket.fileno()
        if descriptor >= 0 and not self._loop.is_closed():
            # After an interrupt, the event loop may still watch the descriptor, and would then never watch another
            # socket that gets the same descriptor.
            with contextlib.suppress(RuntimeError):  # On Windows, an event loop may be unable to watch descriptors.
                self._loop.remove_reader(descriptor)
                self._loop.remove_writer(descriptor)
        with contextlib.suppress(OSError):  # other code has already closed the descriptor
            self._socket.close()


async def run(steps: Steps[T]) -> T:
    """Carry out the steps of a connection in the event loop, and return their result."""
    try:
        step, reads = next(steps), 0
        while True:
            try:
                if reads:  # let other tasks run, because a peer may never stop sending (H214)
                    await asyncio.sleep(0)
                reads += not isinstance(step, Opening) and step[1] is NOTHING
                read = await _do(step)
            except BaseException as error:  # noqa: BLE001  the steps of the connection handle the error
                step = steps.throw(error)
            else:
                step = steps.send(read)
    except StopIteration as end:
        done: T = end.value
        return done


async def _do(step: Step) -> Content:
    if isinstance(step, Opening):
        step.plain.wire = await _connect(step.host, step.port, step.timer)
        return NOTHING
    plain, data, timeout = step
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
