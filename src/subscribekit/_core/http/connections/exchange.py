"""A connection that handles one request at a time.

The generators of this module do no I/O, but yield steps, which the sync or async connection pool carries out.
"""

from ...._sealed import Content
from ..network_errors import ReadError, WriteError
from ..transport import RawHeaders, RawRequest
from ..wire.deadline import ConnectTimer, CurrentRequest
from ..wire.streams import Opening, Plain, Steps, Stream, opened, secured, tunnelled
from .http11 import HTTP11
from .route import Route


class Connection:
    """A connection, which the first request opens.

    Attributes:
        current: The request that uses the connection.
        idle_since: The time at which the connection became idle, on the clock `SYSTEM.monotonic`.
    """

    __slots__ = ("_http", "_plain", "_read", "_route", "_stream", "current", "idle_since")

    def __init__(self, route: Route) -> None:
        self._route, self._http, self._plain, self._read = route, HTTP11(), Plain(), 0.0
        self._stream: Stream | None = None
        self.current: CurrentRequest = CurrentRequest()
        self.idle_since: float = 0.0

    def send(self, request: RawRequest) -> Steps[tuple[int, RawHeaders]]:
        """Send a request, and return the status and the headers of the response."""
        stream = self._stream
        if stream is None:
            stream = self._stream = yield from self._open(request)
        data = self._http.begin(request)
        self.current.writing(stream)
        try:
            yield from stream.write(data, request.timeouts["write"])
        except WriteError:  # read the response anyway, because a service may respond before it has read the request
            self._http.cut_off()
        else:
            self.current.written()
        self._read = request.timeouts["read"]
        while (head := self._http.head()) is None:
            self._http.receive((yield from stream.read(self._read)))
        return head

    def piece(self) -> Steps[Content]:
        """Return the next piece of the response's body, or an empty piece at the end of the body."""
        while (piece := self._http.piece()) is None:
            if self._stream is None:
                raise ReadError
            self._http.receive((yield from self._stream.read(self._read)))
        return piece

    @property
    def marks_end(self) -> bool:
        """Whether the peer announced the end of its data on this connection."""
        return self._stream is not None and self._stream.marks_end

    def renew(self) -> bool:
        """Prepare the connection for the next request, or return `False` if it can't be reused."""
        return self._http.renew()

    def close(self) -> None:
        """Close the connection, even if the event loop of the connection was closed."""
        self._plain.close()

    def _open(self, request: RawRequest) -> Steps[Stream]:
        address, route = request.address, self._route
        self.current.connecting()
        context, proxy_context = route.context(address), route.proxy_context()
        timer = ConnectTimer(request.timeouts["connect"])
        opening = Opening(self._plain, address.hostname, address.tcp_port, timer, self.current)
        stream = yield from (opened(opening) if route.proxy is None else tunnelled(opening, route.proxy, proxy_context))
        return stream if context is None else (yield from secured(stream, context, address.hostname, timer))
