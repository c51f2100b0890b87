"""Checks the connections of httpx's and httpx2's pools, which reuse connections without checking them (H111).

The check runs in the trace event that occurs just before the first byte of a request leaves, if the connection was idle
before. If the connection has ended or has unrequested bytes, or if a wrapper hides the pool, the check raises an
exception, which closes the connection. The SDK then sends the request on another connection, because no byte of the
request was written on the closed connection.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from itertools import compress
from operator import itemgetter
from typing import Protocol, cast

from ....errors import ConfigurationError
from ..failure import StaleConnectionError, names_of
from ..progress import Progress
from ..reuse import is_parser_empty, tls_holds_bytes
from ..transport import RawHeaders, RawRequest
from ..wire.tls import checks_certificates
from .intercepted import sockets_are_original

_OPENED = (".connect_tcp.started", ".connect_unix_socket.started", "proxy.start_tls.started")
"""The suffixes of trace events for a new connection. The last suffix is for the tunnel of a proxy."""
_BEGINS = "http11.send_request_headers.started"
"""The trace event before the first byte of a request. HTTP/2 doesn't need the check, because its stream
numbers identify responses."""
_HEADERS = (_BEGINS, "http2.send_request_headers.started")
_TRACE = b"x-b3-"
_LAYERS = 4
"""The maximum number of nested connection objects, such as those of the pool, a proxy, and the protocol."""


class Sent(Protocol):
    """A request of httpcore, whose headers contain a credential."""

    headers: list[tuple[bytes, bytes]]


def _picked(sent: Sent, is_picked: Callable[[bytes], bool]) -> Iterator[tuple[bytes, bytes]]:
    """Return the headers whose names `is_picked` accepts, without storing their values in a variable."""
    return compress(sent.headers, [is_picked(name.lower()) for name in map(itemgetter(0), sent.headers)])


def trace_in(sent: Sent) -> RawHeaders:
    """Return the headers that identify a trace."""
    return list(_picked(sent, lambda name: name.startswith(_TRACE)))


def with_trace_of(own: RawRequest, sent: Sent) -> list[tuple[bytes, bytes]]:
    """Return the headers that hooks and tracers may have changed, but with the original trace headers of the call."""
    names = {name.lower() for name, _ in own.trace}
    return [*_picked(sent, lambda name: name not in names), *own.trace]


class Watch:
    """Receives the trace events of a request, records its progress, and rejects connections with unrequested bytes.

    Attributes:
        progress: Records how far the request got.
        template: The path of the request, with placeholders for values.
    """

    def __init__(self, transports: Sequence[object], request: RawRequest) -> None:
        self._transports, self._request = transports, request
        self.progress: Progress = request.progress
        self.template: str = request.template
        self._stream: object = None
        self._is_opened = self._is_refused = False

    def event(self, name: str, info: object = None) -> None:
        """Process a trace event.

        Raises:
            StaleConnectionError: The request was about to use a connection that must not be reused.
            ConfigurationError: The transport is about to open a connection that doesn't verify certificates.
        """
        if self._opens_unchecked(name, info):
            close: object = getattr(self._stream, "close", None)
            if callable(close):  # httpcore doesn't close the connection if the trace function raises an exception
                close()
            raise _unchecked()
        if name.endswith(_OPENED):
            self._is_opened = True
        elif name == _BEGINS:
            if not self._is_opened and not self._is_clean():
                self._is_refused = True
                raise StaleConnectionError
            self._is_opened = self._is_refused = False
            self.progress.is_repeated = self.progress.has_begun
        elif name == _HEADERS[1]:
            self.progress.is_repeated = self.progress.has_begun
        elif self._is_refused and name.startswith("http11.response_closed."):
            return  # the rejected connection was closed, and nothing was sent on it
        if name in _HEADERS:
            self._restore_trace(info)
        self.progress.event(name, info)

    def _restore_trace(self, info: object) -> None:
        """Restore the trace headers of the call if a tracer changed them, because errors contain the trace ID."""
        request: object = cast("Mapping[str, object]", info).get("request") if isinstance(info, Mapping) else None
        if isinstance(getattr(request, "headers", None), list):
            sent = cast("Sent", request)
            sent.headers[:] = with_trace_of(self._request, sent)

    async def event_async(self, name: str, info: object = None) -> None:
        """Process a trace event of an async request, like the method `event`."""
        if self._opens_unchecked(name, info):
            close: object = getattr(self._stream, "aclose", None)
            if callable(close):
                await cast("Awaitable[None]", close())
            raise _unchecked()
        self.event(name, info)

    def _opens_unchecked(self, name: str, info: object) -> bool:
        """Return whether a connection is about to start TLS without verification, and store the connection's stream."""
        given = cast("Mapping[str, object]", info if isinstance(info, Mapping) else {})
        if name.endswith(".connect_tcp.complete"):
            self._stream = given.get("return_value")
        if not name.endswith(".start_tls.started"):
            return False
        stream, context = self._stream, given.get("ssl_context")
        # Accept the TLS contexts of a test tool that replaces sockets, because the tool opens no real connection.
        unchecked = context is not None and not checks_certificates(context) and sockets_are_original()
        self._stream = stream if unchecked else None
        return unchecked

    def _is_clean(self) -> bool:
        connection = self._connection()
        for _ in range(_LAYERS):
            stream = getattr(connection, "_network_stream", None)
            if stream is not None:
                return is_parser_empty(connection) and not _is_readable(stream)
            connection = getattr(connection, "_connection", None)
        return False

    def _connection(self) -> object:
        """Return the connection that the pool assigned to the request whose `trace` is a method of this object."""
        for pool in pools_of(self._transports):
            requests: object = getattr(pool, "_requests", None)
            for each in list(cast("list[object]", requests)) if isinstance(requests, list) else ():
                extensions: object = getattr(getattr(each, "request", None), "extensions", None)
                trace = cast("dict[str, object]", extensions).get("trace") if isinstance(extensions, dict) else None
                if trace in (self.event, self.event_async):
                    return getattr(each, "connection", None)
        return None


def pools_of(transports: Sequence[object]) -> Iterator[object]:
    """Yield the connection pools of transports, and of the transports in their attributes."""
    for transport in transports:
        for each in (transport, *getattr(transport, "__dict__", {}).values()):
            pool: object = getattr(each, "_pool", None)
            if pool is not None:
                yield pool


def contexts_of(transports: Sequence[object]) -> Iterator[object]:
    """Yield the TLS contexts of pools and of httpx-aiohttp, and the `ssl` setting of an aiohttp session."""
    for transport in transports:
        for each in (transport, *getattr(transport, "__dict__", {}).values()):
            yield getattr(getattr(each, "_pool", None), "_ssl_context", None)
            if "AiohttpTransport" in names_of(each):
                yield getattr(each, "ssl_context", None)
                yield getattr(getattr(getattr(each, "client", None), "connector", None), "_ssl", None)


def _unchecked() -> ConfigurationError:
    return ConfigurationError(
        "the transport doesn't verify certificates and host names; create it with a verifying ssl_context. Nothing was "
        "sent"
    )


def _is_readable(stream: object) -> bool:
    """Return whether an idle stream of httpcore has bytes to read, has ended, or doesn't report either."""
    info: object = getattr(stream, "get_extra_info", None)
    if not callable(info):
        return True
    return any(map(_holds_bytes, _layers(stream))) or tls_holds_bytes(info("ssl_object")) or bool(info("is_readable"))


def _layers(stream: object) -> Iterator[object]:
    """Yield a stream and the layers below the stream, such as anyio's TLS, the tunnel's TLS, and the socket."""
    yield stream
    layer: object = getattr(stream, "_stream", None)
    while layer is not None:
        yield layer
        layer = getattr(layer, "transport_stream", None)


def _holds_bytes(layer: object) -> bool:
    """Return whether a layer has unread bytes, such as a part of a TLS record (H190) or bytes that anyio read ahead."""
    ahead: object = getattr(getattr(layer, "_protocol", None), "read_queue", None)
    received = (getattr(getattr(layer, name, None), "pending", 0) for name in ("_read_bio", "_incoming"))
    tls = (getattr(layer, name, None) for name in ("_ssl_object", "_sock"))
    # Check TLS last, because `tls_holds_bytes` removes a partial record from the received bytes.
    return bool(ahead) or any(received) or any(map(tls_holds_bytes, tls))
