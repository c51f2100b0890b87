"""One connection in an event loop, which serves one request at a time."""

import asyncio

from ..network_errors import ReadError, WriteError
from ..transport import RawHeaders, RawRequest
from .deadline import ConnectTimer, CurrentRequest
from .http11 import HTTP11
from .route import Route, port_of
from .sockets_async import AsyncStream, open_async_stream, secured

_READS = 64
"""Reads without a whole piece of a body between two turns of other tasks (H353)."""


class AsyncConnection:
    """A connection that is opened with its first request.

    Attributes:
        current: The request that it serves.
        idle_since: Since when it serves none, by `time.monotonic`.
    """

    __slots__ = ("_http", "_read", "_route", "_stream", "current", "idle_since")

    def __init__(self, route: Route) -> None:
        self._route, self._http, self._read = route, HTTP11(), 0.0
        self._stream: AsyncStream | None = None
        self.current: CurrentRequest = CurrentRequest()
        self.idle_since: float = 0.0

    async def send(self, request: RawRequest) -> tuple[int, RawHeaders]:
        """Send a request and give status and headers of the response."""
        stream = self._stream
        if stream is None:
            stream = self._stream = await self._open(request)
        data = self._http.begin(request)
        self.current.writing(stream)
        try:
            await stream.write(data, request.timeouts["write"])
        except WriteError:  # a service may respond before it has read everything: the response says more
            self.current.failed_to_write()
            self._http.cut_off()
        self.current.reading()
        self._read = request.timeouts["read"]
        self._http.receive(await stream.read(self._read))
        while (head := self._http.head()) is None:
            await asyncio.sleep(0)  # a peer that never stops sending must not stop the event loop (H214)
            self._http.receive(await stream.read(self._read))
        return head

    async def piece(self) -> bytes:
        """Give the next piece of the response's body, empty at its end."""
        reads = 0
        while (piece := self._http.piece()) is None:
            if self._stream is None:
                raise ReadError
            self._http.receive(await self._stream.read(self._read))
            if not (reads := reads + 1) % _READS:  # a peer may send for ever without a whole piece
                await asyncio.sleep(0)
        return piece

    @property
    def marks_end(self) -> bool:
        """Whether the other side has said that nothing follows on this connection."""
        return self._stream is not None and self._stream.marks_end

    def renew(self) -> bool:
        """Get ready for the next request; `False` when it can carry none."""
        return self._http.renew()

    def close(self) -> None:
        """Close the connection."""
        if self._stream is not None:
            self._stream.close()

    async def _open(self, request: RawRequest) -> AsyncStream:
        address, route = request.address, self._route
        self.current.connecting()
        context, proxy_context = route.context(address), route.proxy_context()
        timer = ConnectTimer(request.timeouts["connect"])
        opened = await open_async_stream(
            address.hostname, port_of(address), timer, self.current, route.proxy, proxy_context
        )
        return opened if context is None else await secured(opened, context, address.hostname, timer)
