"""A response while it is read, and when it was read to its end, or as far as it came. No I/O."""

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
"""Headers that mark the end of a body; without them it ends with its connection."""


@dataclass(slots=True, eq=False, repr=False)
class Received:
    """The response, decompressed.

    Attributes:
        status: HTTP status.
        headers: The headers.
        body: The whole body; `None` when it could not be read, `problem` then says why.
        problem: Why the body could not be read.
        request_id: The service's name for this request, if it gave one.
        is_framed: Something marks the end of the body: a body that only ends with its connection may have been cut.
    """

    status: int
    headers: Headers
    body: Content | None
    problem: BodyProblem | None = None
    is_framed: bool = True
    request_id: str | None = None

    @property
    def damage(self) -> Literal["cut", "too_large", "damaged"] | None:
        """The fault of the body: the connection was lost inside it, it is too large, or its coding is broken."""
        if self.problem is None:
            return None
        if isinstance(self.problem, TransportFailure):
            return "cut"
        return "too_large" if isinstance(self.problem, TooLargeError) else "damaged"


class Timed(Protocol):
    """A call that may have a deadline."""

    @property
    def is_too_late(self) -> bool:
        """Whether it has passed."""
        ...

    def timed_out(self) -> TransportFailure:
        """The failure of an attempt that it ends."""
        ...


class Reading:
    """A response while its body is read."""

    __slots__ = ("_body", "_call", "_decoder", "_headers", "_is_framed", "_status")

    def __init__(self, response: RawResponse[object], call: Timed) -> None:
        self._call, self._status, self._headers = call, response.status, Headers.decoded(response.headers)
        self._decoder: BodyDecoder | None = None
        marked = response.status == _NO_CONTENT or not _FRAMING.isdisjoint(self._headers.by_name)
        self._is_framed = marked or response.marks_end
        self._body = response.body

    def feed(self, piece: Content) -> None:
        """Take one piece as it came from the network.

        Raises:
            TransportFailure: Pieces go on coming after the deadline.
            TooLargeError: The body is too large.
            DamagedBodyError: Its coding is broken, or was not asked for.
        """
        if self._decoder is None:
            self._decoder = decoder_for(self._headers)
        elif self._call.is_too_late:
            raise self._call.timed_out()
        self._decoder.feed(piece.reveal())

    def received(self, problem: BodyProblem | None = None) -> Received:
        """Give what was read, all of it unless there was a problem."""
        body = None
        if problem is None:
            try:
                body = Content((self._decoder or decoder_for(self._headers)).finish())
            except DamagedBodyError as damage:
                problem = damage
        # Whether TLS announced the end is known when it has come.
        is_framed = self._is_framed or bool(getattr(self._body, "marks_end", False))
        return Received(self._status, self._headers, body, problem, is_framed)
