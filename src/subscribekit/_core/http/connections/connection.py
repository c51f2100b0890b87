"""One blocking connection, which serves one request at a time."""

import httpcore

from ..transport import RawHeaders, RawRequest
from .deadline import CurrentRequest
from .http11 import HTTP11, PIECE
from .route import Route, port_of
from .sockets import DeadlineBackend


class Connection:
    """A connection that is opened with its first request.

    Attributes:
        current: The request that it serves.
        idle_since: Since when it serves none, by `time.monotonic`.
    """

    __slots__ = ("_http", "_read", "_route", "_stream", "current", "idle_since")

    def __init__(self, route: Route) -> None:
        self._route, self._http, self._read = route, HTTP11(), 0.0
        self._stream: httpcore.NetworkStream | None = None
        self.current: CurrentRequest = CurrentRequest()
        self.idle_since: float = 0.0

    def send(self, request: RawRequest) -> tuple[int, RawHeaders]:
        """Send a request and give status and headers of the response."""
        stream = self._stream
        if stream is None:
            stream = self._stream = self._open(request)
        data = self._http.begin(request)
        try:
            stream.write(data, request.timeouts["write"])
        except httpcore.WriteError:  # a service may answer before it has read everything: the response says more
            self._http.cut_off()
        self._read = request.timeouts["read"]
        while (head := self._http.head()) is None:
            self._http.receive(stream.read(PIECE, self._read))
        return head

    def piece(self) -> bytes:
        """Give the next piece of the response's body, empty at its end."""
        while (piece := self._http.piece()) is None:
            if self._stream is None:
                raise httpcore.ReadError("the connection is closed")
            self._http.receive(self._stream.read(PIECE, self._read))
        return piece

    def renew(self) -> bool:
        """Get ready for the next request; `False` when it can carry none."""
        return self._http.renew()

    def close(self) -> None:
        """Close the connection."""
        if self._stream is not None:
            self._stream.close()

    def _open(self, request: RawRequest) -> httpcore.NetworkStream:
        address, timeout = request.address, request.timeouts["connect"]
        backend = DeadlineBackend(self.current, self._route.proxy, self._route.proxy_context())
        stream = backend.connect_tcp(address.hostname, port_of(address), timeout)
        context = self._route.context(address)
        if context is None:
            return stream
        context.set_alpn_protocols(["http/1.1"])
        return stream.start_tls(context, address.hostname, timeout)
