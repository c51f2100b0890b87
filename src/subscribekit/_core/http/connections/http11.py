"""HTTP/1.1 on a connection: writes requests and parses responses, as bytes. This module does no I/O.

The module `plain` writes common requests and parses common responses, because it's faster than h11. The library h11
handles the less common requests and responses. Sync and async connections share this code.
"""

from collections import deque
from collections.abc import Iterable
from functools import partial

import h11

from ...._sealed import NOTHING, Content
from ..network_errors import (
    HeadTooLargeError,
    LocalProtocolError,
    RemoteProtocolError,
    SurplusResponseError,
    TooManyInterimResponsesError,
)
from ..transport import RawHeaders, RawRequest
from .plain import PlainResponse, response_in, written

_MAX_HEAD = 100 * 1024
"""The maximum number of bytes in the head of a response, together with the interim responses (1xx) before it."""
_MAX_INTERIM = 100
"""The maximum number of interim responses. If there were no maximum, a service could send interim responses for hours,
because each interim response restarts the read timeout."""
_TOO_LARGE = 431
_NOTHING_READ = (b"", False)
_TRACES = 64
"""A connection stores this many trace IDs of earlier requests, to recognize a second response to such a request."""
_ANY_REQUEST = h11.Request(method="GET", target="/", headers=[("Host", "any")])


def _traces(headers: Iterable[tuple[bytes, bytes]]) -> list[bytes]:
    return [value.lower() for name, value in headers if name.lower() == b"x-b3-traceid"]


def _written_by_h11(state: h11.Connection, request: RawRequest) -> bytes:
    send = state.send
    return b"".join(
        (
            send(h11.Request(method=request.method, target=request.target, headers=request.headers.reveal())) or b"",
            (send(h11.Data(data=request.body.reveal())) if request.body else None) or b"",
            send(h11.EndOfMessage()) or b"",
        )
    )


def _awaiting_response() -> h11.Connection:
    """Return the state of a connection whose request was written without h11."""
    state = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD)
    state.send(_ANY_REQUEST)
    state.send(h11.EndOfMessage())
    return state


class HTTP11:
    """The state of HTTP/1.1 on a connection, which handles one request at a time."""

    __slots__ = (
        "_earlier", "_h11", "_has_ended", "_interim", "_is_cut_off", "_is_read", "_plain", "_received", "_traces"
    )  # fmt: skip

    def __init__(self) -> None:
        self._h11: h11.Connection | None = None
        self._plain: PlainResponse | None = None
        self._is_read = self._is_cut_off = self._has_ended = False
        self._received = self._interim = 0
        self._traces: list[bytes] = []
        self._earlier: deque[bytes] = deque(maxlen=_TRACES)

    def begin(self, request: RawRequest) -> Content:
        """Return the bytes of a request in one piece, so that the service needn't wait for the body after the head.

        Raises:
            LocalProtocolError: The request can't be written as HTTP. Nothing was sent.
        """
        data = written(request)
        if data is None:
            self._h11 = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD)
            try:
                data = Content.of(partial(_written_by_h11, self._h11, request))
            except h11.LocalProtocolError:
                raise LocalProtocolError("the request can't be written as HTTP") from None
        self._earlier.extend(self._traces)
        self._traces = _traces(request.trace)
        return data

    def cut_off(self) -> None:
        """Record that a request was only partly written, so that the connection isn't reused.

        The service would read the next request as the rest of the partly written request (H175).
        """
        self._is_cut_off = True

    def receive(self, data: Content) -> None:
        """Process bytes from the connection. Empty bytes report that the connection has ended.

        Raises:
            RemoteProtocolError: The connection ended before a response started.
        """
        if not data:
            self._has_ended = True
            if self._plain is None and (self._h11 is None or self._h11.their_state is h11.SEND_RESPONSE):
                raise RemoteProtocolError("the connection ended before a response started")
        if self._plain is not None:
            self._plain.unread = data
            return
        if self._h11 is None:
            self._plain = response_in(data)
            if self._plain is not None:
                return
            self._h11 = _awaiting_response()
        self._received += len(data)
        self._h11.receive_data(data.reveal())

    def head(self) -> tuple[int, RawHeaders] | None:
        """Return the status and the headers of the response, or `None` if more bytes are needed.

        This method skips interim responses, such as 103.

        Raises:
            SurplusResponseError: The response has the trace ID of an earlier request (H350).
            HeadTooLargeError: The heads of the response and of the interim responses before it are too large.
            TooManyInterimResponsesError: There are too many interim responses (H455).
            RemoteProtocolError: The bytes aren't HTTP.
        """
        head = self._plain.head if self._plain is not None else self._head_from_h11()
        if head is not None and any(each in self._earlier and each not in self._traces for each in _traces(head[1])):
            raise SurplusResponseError("the response belongs to an earlier request")
        return head

    def _head_from_h11(self) -> tuple[int, RawHeaders] | None:
        while self._h11 is not None:
            event = self._next(self._h11)
            if isinstance(event, h11.Response):
                return event.status_code, event.headers.raw_items()
            if event is h11.NEED_DATA:
                if self._received > _MAX_HEAD:
                    raise HeadTooLargeError("the headers are too large")
                break
            if not isinstance(event, h11.InformationalResponse):
                raise RemoteProtocolError("unexpected bytes arrived instead of a response")
            self._interim += 1
            if self._interim > _MAX_INTERIM:
                raise TooManyInterimResponsesError("too many interim responses")
        return None

    def piece(self) -> Content | None:
        """Return the next piece of the body, an empty piece at the body's end, or `None` if more bytes are needed.

        Raises:
            RemoteProtocolError: The body is incomplete, or the bytes aren't HTTP.
        """
        plain = self._plain
        if plain is None:
            return self._piece_from_h11()
        if not plain.length:
            self._is_read = True
            return NOTHING
        if not plain.unread:
            if self._has_ended:
                raise RemoteProtocolError("the connection ended inside a response")
            return None
        piece = plain.unread.part(0, plain.length)
        plain.unread, plain.length = plain.unread.part(len(piece)), plain.length - len(piece)
        return piece

    def _piece_from_h11(self) -> Content | None:
        while self._h11 is not None:
            event = self._next(self._h11)
            if isinstance(event, h11.Data):
                if event.data:
                    return Content(bytes(event.data))
            elif event is h11.NEED_DATA:
                break
            elif isinstance(event, h11.EndOfMessage):
                self._is_read = True
                return NOTHING
            else:
                raise RemoteProtocolError("unexpected bytes arrived instead of a body")
        return None

    def renew(self) -> bool:
        """Prepare the connection for the next request, or return `False` if it can't be reused.

        For reuse, the request and the response must be complete, neither side may close the connection, and no bytes
        may follow the response. The SDK would read bytes after the response as the next response, and such bytes could
        be a forged response to a charge (H58). When the SDK writes the next request, it also checks whether the socket
        contains unread bytes.
        """
        if not self._is_read or self._is_cut_off or self._has_ended or self._must_close():
            return False
        self._h11 = self._plain = None
        self._is_read = False
        self._received = self._interim = 0
        return True

    def _must_close(self) -> bool:
        if self._plain is not None:
            return bool(self._plain.unread)
        state = self._h11
        return state is None or not (
            state.our_state is h11.DONE and state.their_state is h11.DONE and state.trailing_data == _NOTHING_READ
        )

    @staticmethod
    def _next(state: h11.Connection) -> object:
        try:
            return state.next_event()
        except h11.RemoteProtocolError as error:
            if error.error_status_hint == _TOO_LARGE:
                raise HeadTooLargeError("the headers are too large") from None
            raise RemoteProtocolError("the bytes aren't HTTP") from None
