"""One blocking connection, which serves one request at a time."""

from ..network_errors import ReadError, WriteError
from ..transport import RawHeaders, RawRequest
from .deadline import ConnectTimer, CurrentRequest
from .http11 import HTTP11
from .route import Route, port_of
from .sockets import Stream, open_stream, secured


class Connection:
    """A connection that is opened with its first request.

    Attributes:
        current: The request that it serves.
        idle_since: Since when it serves none, by `time.monotonic`.
    """

    __slots__ = ("_http", "_read", "_route", "_stream", "current", "idle_since")

    def __init__(self, route: Route) -> None:
        self._route, self._http, self._read = route, HTTP11(), 0.0
        self._stream: Stream | None = None
        self.current: CurrentRequest = CurrentRequest()
        self.idle_since: float = 0.0

    def send(self, request: RawRequest) -> tuple[int, RawHeaders]:
        """Send a request and give status and headers of the response."""
        stream = self._stream
        if stream is None:
            stream = self._stream = self._open(request)
        data = self._http.begin(request)
        self.current.writing(stream)
        try:
            stream.write(data, request.timeouts["write"])
        except WriteError:  # a service may respond before it has read everything: the response says more
            self.current.failed_to_write()
            self._http.cut_off()
        self.current.reading()
        self._read = request.timeouts["read"]
        while (head := self._http.head()) is None:
            self._http.receive(stream.read(self._read))
        return head

    def piece(self) -> bytes:
        """Give the next piece of the response's body, empty at its end."""
        while (piece := self._http.piece()) is None:
            if self._stream is None:
                raise ReadError
            self._http.receive(self._stream.read(self._read))
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

    def _open(self, request: RawRequest) -> Stream:
        address, route = request.address, self._route
        self.current.connecting()
        context, proxy_context = route.context(address), route.proxy_context()
        timer = ConnectTimer(request.timeouts["connect"])
        stream = open_stream(address.hostname, port_of(address), timer, self.current, route.proxy, proxy_context)
        return stream if context is None else secured(stream, context, address.hostname, timer)
