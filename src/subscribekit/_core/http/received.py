"""A response whose body is being read or was read. This module does no I/O."""

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from ..._sealed import Content
from .decoding import BodyDecoder, DamagedBodyError, TooLargeError, decoder_for
from .failure import TransportFailure
from .headers import Headers
from .transport import RawResponse

BodyProblem: TypeAlias = TransportFailure | TooLargeError | DamagedBodyError
BODY_PROBLEMS = (TransportFailure, TooLargeError, DamagedBodyError)

_NO_CONTENT = 204
_FRAMING = frozenset({"content-length", "transfer-encoding"})
"""The headers that mark the end of a body. If a response has neither `Content-Length` nor `Transfer-Encoding`, its body
ends with the connection."""


@dataclass(slots=True, eq=False, repr=False)
class Received:
    """A response with its decompressed body.

    Attributes:
        status: The HTTP status.
        headers: The headers.
        body: The whole body; `None` if the body couldn't be read.
        problem: The reason why the body couldn't be read; otherwise `None`.
        request_id: The service's ID of this request, if any.
        is_framed: Whether the response marks the end of its body. If a response doesn't mark the end of its body, the
            body may be incomplete because the connection was cut.
    """

    status: int
    headers: Headers
    body: Content | None
    problem: BodyProblem | None = None
    is_framed: bool = True
    request_id: str | None = None

    @property
    def damage(self) -> Literal["cut", "too_large", "damaged"] | None:
        """The kind of the problem: a lost connection, a body that's too large, or damaged compression."""
        if self.problem is None:
            return None
        if isinstance(self.problem, TransportFailure):
            return "cut"
        return "too_large" if isinstance(self.problem, TooLargeError) else "damaged"


class Timed(Protocol):
    """A call, which may have a deadline."""

    @property
    def is_too_late(self) -> bool:
        """Whether the deadline has passed."""
        ...

    def timed_out(self) -> TransportFailure:
        """Return the failure of an attempt that the deadline ended."""
        ...


class Reading:
    """A response whose body is being read."""

    __slots__ = ("_body", "_call", "_decoder", "_headers", "_is_framed", "_status")

    def __init__(self, response: RawResponse[object], call: Timed) -> None:
        self._call, self._status, self._headers = call, response.status, Headers.decoded(response.headers)
        self._decoder: BodyDecoder | None = None
        marked = response.status == _NO_CONTENT or not _FRAMING.isdisjoint(self._headers.by_name)
        self._is_framed = marked or response.marks_end
        self._body = response.body

    def feed(self, piece: Content) -> None:
        """Add a piece of the body, as it was received.

        Raises:
            TransportFailure: The piece arrived after the deadline.
            TooLargeError: The body is too large.
            DamagedBodyError: The compression of the body is damaged, or the request didn't accept the content coding.
        """
        if self._decoder is None:
            self._decoder = decoder_for(self._headers)
        elif self._call.is_too_late:
            raise self._call.timed_out()
        self._decoder.feed(piece.reveal())

    def received(self, problem: BodyProblem | None = None) -> Received:
        """Return the response, with its body if there was no problem."""
        body = None
        if problem is None:
            try:
                body = Content((self._decoder or decoder_for(self._headers)).finish())
            except DamagedBodyError as damage:
                # If the error kept its traceback, the error and this frame would keep each other and the body alive.
                problem = damage.with_traceback(None)
        # Read `marks_end` after the body, because a TLS peer sends `close_notify` only after the last byte.
        is_framed = self._is_framed or bool(getattr(self._body, "marks_end", False))
        return Received(self._status, self._headers, body, problem, is_framed)
