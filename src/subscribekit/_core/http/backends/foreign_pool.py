"""Watches over the connection pools of httpx and httpx2, which use connections again without a look at them (H111).

Their trace events tell of a request just before its first byte leaves. If its connection was not opened for it, the
connection is looked at in that moment; one that holds unrequested bytes, or cannot be looked at because a
wrapper hides the pool, is closed by an exception, and the request goes out on another one. Nothing of it was written.
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
"""The ends of the events of a connection that is opened for the request; the last one is a tunnel's."""
_BEGINS = "http11.send_request_headers.started"
"""Streams of HTTP/2 are numbered: nothing can be taken for the response to another request."""
_HEADERS = (_BEGINS, "http2.send_request_headers.started")
_TRACE = b"x-b3-"
_LAYERS = 4
"""Connections inside each other, of the pool, a proxy and the protocol."""


class Sent(Protocol):
    """A request of httpcore, whose headers hold a credential."""

    headers: list[tuple[bytes, bytes]]


def _picked(sent: Sent, is_picked: Callable[[bytes], bool]) -> Iterator[tuple[bytes, bytes]]:
    """Return the headers with certain names; no variable holds their values."""
    return compress(sent.headers, [is_picked(name.lower()) for name in map(itemgetter(0), sent.headers)])


def trace_in(sent: Sent) -> RawHeaders:
    """Return the headers that name a trace."""
    return list(_picked(sent, lambda name: name.startswith(_TRACE)))


def with_trace_of(own: RawRequest, sent: Sent) -> list[tuple[bytes, bytes]]:
    """Return the headers of a call, which a hook or a tracer may have changed, with the trace of the call itself."""
    names = {name.lower() for name, _ in own.trace}
    return [*_picked(sent, lambda name: name not in names), *own.trace]


class Watch:
    """Receives the trace events of one request, tells its progress, and refuses connections that are not clean.

    Attributes:
        progress: Records how far the request got.
        template: The path of the request without values.
    """

    def __init__(self, transports: Sequence[object], request: RawRequest) -> None:
        self._transports, self._request = transports, request
        self.progress: Progress = request.progress
        self.template: str = request.template
        self._stream: object = None
        self._is_opened = self._is_refused = False

    def event(self, name: str, info: object = None) -> None:
        """Note a trace event.

        Raises:
            StaleConnectionError: The request was about to be written to a connection that must not be used again.
            ConfigurationError: A connection is about to be opened that checks no certificate.
        """
        if self._opens_unchecked(name, info):
            close: object = getattr(self._stream, "close", None)
            if callable(close):  # httpcore does not close what an event refuses
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
            return  # the refused connection; nothing was sent
        if name in _HEADERS:
            self._put_trace_back(info)
        self.progress.event(name, info)

    def _put_trace_back(self, info: object) -> None:
        """Let no tracer replace the trace of the call, which its errors name."""
        request: object = cast("Mapping[str, object]", info).get("request") if isinstance(info, Mapping) else None
        if isinstance(getattr(request, "headers", None), list):
            sent = cast("Sent", request)
            sent.headers[:] = with_trace_of(self._request, sent)

    async def event_async(self, name: str, info: object = None) -> None:
        """Note a trace event in the event loop."""
        if self._opens_unchecked(name, info):
            close: object = getattr(self._stream, "aclose", None)
            if callable(close):
                await cast("Awaitable[None]", close())
            raise _unchecked()
        self.event(name, info)

    def _opens_unchecked(self, name: str, info: object) -> bool:
        """Whether a connection is about to do TLS without a check; the stream below it is kept until then."""
        given = cast("Mapping[str, object]", info if isinstance(info, Mapping) else {})
        if name.endswith(".connect_tcp.complete"):
            self._stream = given.get("return_value")
        if not name.endswith(".start_tls.started"):
            return False
        stream, context = self._stream, given.get("ssl_context")
        # A tool in the place of sockets has contexts of its own, and no connection.
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
        """Find the connection that the pool gave the request: the one whose request has this object's trace."""
        for pool in pools_of(self._transports):
            requests: object = getattr(pool, "_requests", None)
            for each in list(cast("list[object]", requests)) if isinstance(requests, list) else ():
                extensions: object = getattr(getattr(each, "request", None), "extensions", None)
                trace = cast("dict[str, object]", extensions).get("trace") if isinstance(extensions, dict) else None
                if trace in (self.event, self.event_async):
                    return getattr(each, "connection", None)
        return None


def pools_of(transports: Sequence[object]) -> Iterator[object]:
    """Give the connection pools of transports, and of those that they hold."""
    for transport in transports:
        for each in (transport, *getattr(transport, "__dict__", {}).values()):
            pool: object = getattr(each, "_pool", None)
            if pool is not None:
                yield pool


def contexts_of(transports: Sequence[object]) -> Iterator[object]:
    """Give the TLS contexts of pools and of httpx-aiohttp, and what a session of aiohttp has in their place."""
    for transport in transports:
        for each in (transport, *getattr(transport, "__dict__", {}).values()):
            yield getattr(getattr(each, "_pool", None), "_ssl_context", None)
            if "AiohttpTransport" in names_of(each):
                yield getattr(each, "ssl_context", None)
                yield getattr(getattr(getattr(each, "client", None), "connector", None), "_ssl", None)


def _unchecked() -> ConfigurationError:
    return ConfigurationError(
        "a transport opens a connection that does not check certificates and host names; nothing was sent"
    )


def _is_readable(stream: object) -> bool:
    """Whether an idle stream of httpcore has ended, or has bytes to read; one that does not say counts as such."""
    info: object = getattr(stream, "get_extra_info", None)
    if not callable(info):
        return True
    return any(map(_holds_bytes, _layers(stream))) or tls_holds_bytes(info("ssl_object")) or bool(info("is_readable"))


def _layers(stream: object) -> Iterator[object]:
    """Give a stream and what lies below it: of anyio TLS, that of the tunnel around it, and the socket."""
    yield stream
    layer: object = getattr(stream, "_stream", None)
    while layer is not None:
        yield layer
        layer = getattr(layer, "transport_stream", None)


def _holds_bytes(layer: object) -> bool:
    """Whether a layer received more than was read of it: a record, a part of one (H190), or what anyio reads ahead."""
    ahead: object = getattr(getattr(layer, "_protocol", None), "read_queue", None)
    received = (getattr(getattr(layer, name, None), "pending", 0) for name in ("_read_bio", "_incoming"))
    tls = (getattr(layer, name, None) for name in ("_ssl_object", "_sock"))
    # TLS comes last: to look for a whole record it takes a part of one out of what was received.
    return bool(ahead) or any(received) or any(map(tls_holds_bytes, tls))
