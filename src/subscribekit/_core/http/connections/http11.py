"""HTTP/1.1 of one connection, as bytes in and out. No I/O.

h11 reads and checks; the connections of both styles only carry its bytes.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial

import h11

from ...._sealed import NOTHING, Content
from ..network_errors import HeadTooLargeError, LocalProtocolError, RemoteProtocolError, SurplusResponseError
from ..transport import RawRequest

_MAX_HEAD = 100 * 1024
"""Bytes that the head of a response may have."""
_TOO_LARGE = 431
_NOTHING_READ = (b"", False)
_TRACES = 64
"""Earlier requests of a connection whose traces are known: a surplus response is one of the last ones."""


def _traces(headers: Iterable[tuple[bytes, bytes]]) -> list[bytes]:
    return [value.lower() for name, value in headers if name.lower() == b"x-b3-traceid"]


class HTTP11:
    """The protocol's state on one connection, which carries one request at a time."""

    __slots__ = ("_earlier", "_state", "_traces")

    def __init__(self) -> None:
        self._state = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD)
        self._traces: list[bytes] = []
        self._earlier: deque[bytes] = deque(maxlen=_TRACES)

    def begin(self, request: RawRequest) -> Content:
        """Give the bytes of a request, head and body in one: a service that waits for the rest gets it at once.

        Raises:
            LocalProtocolError: It cannot be written as HTTP; nothing was sent.
        """
        try:
            data = Content.of(partial(self._written, request))
        except h11.LocalProtocolError:
            raise LocalProtocolError("the request cannot be written as HTTP") from None
        self._earlier.extend(self._traces)
        self._traces = _traces(request.trace)
        return data

    def _written(self, request: RawRequest) -> bytes:
        send = self._state.send
        return b"".join(
            (
                send(h11.Request(method=request.method, target=request.target, headers=request.headers.reveal()))
                or b"",
                (send(h11.Data(data=request.body.reveal())) if request.body else None) or b"",
                send(h11.EndOfMessage()) or b"",
            )
        )

    def cut_off(self) -> None:
        """Note that not all of a request was written: what follows it would be taken for its rest (H175)."""
        self._state.send_failed()

    def receive(self, data: Content) -> None:
        """Take what was read; no bytes mean that the connection has ended.

        Raises:
            RemoteProtocolError: It ended before a response began.
        """
        if not data and self._state.their_state is h11.SEND_RESPONSE:
            raise RemoteProtocolError("the connection ended before a response")
        self._state.receive_data(data.reveal())

    def head(self) -> tuple[int, Sequence[tuple[bytes, bytes]]] | None:
        """Give status and headers of the response, or `None` when more has to be read; interim responses are passed by.

        Raises:
            SurplusResponseError: They are of an earlier request, whatever they say (H350).
            RemoteProtocolError: The bytes are not HTTP.
        """
        while True:
            event = self._next()
            if isinstance(event, h11.Response):
                if any(each in self._earlier and each not in self._traces for each in _traces(event.headers)):
                    raise SurplusResponseError("the response belongs to an earlier request")
                return event.status_code, event.headers.raw_items()
            if event is h11.NEED_DATA:
                return None
            if not isinstance(event, h11.InformationalResponse):
                raise RemoteProtocolError("something else than a response")

    def piece(self) -> Content | None:
        """Give the next piece of the response's body, empty at its end, or `None` when more has to be read.

        Raises:
            RemoteProtocolError: The body breaks off, or what was read is not HTTP.
        """
        while True:
            event = self._next()
            if isinstance(event, h11.Data):
                if event.data:
                    return Content(bytes(event.data))
            elif event is h11.NEED_DATA:
                return None
            elif isinstance(event, h11.EndOfMessage):
                return NOTHING
            else:
                raise RemoteProtocolError("something else than a body")

    def renew(self) -> bool:
        """Get ready for the next request; `False` when the connection can carry none.

        It can when request and response are at their end, neither side wants to close, and no bytes were read past the
        response: they would be taken for the next one, and a forged receipt for that of a charge (H58). Further bytes
        in the socket are checked when the next request is written.
        """
        state = self._state
        if state.our_state is h11.DONE and state.their_state is h11.DONE and state.trailing_data == _NOTHING_READ:
            state.start_next_cycle()
            return True
        return False

    def _next(self) -> object:
        try:
            return self._state.next_event()
        except h11.RemoteProtocolError as error:
            if error.error_status_hint == _TOO_LARGE:
                raise HeadTooLargeError("the headers are too large") from None
            raise RemoteProtocolError("not HTTP") from None
