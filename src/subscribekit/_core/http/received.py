"""A response that was read to its end, or as far as it came. No I/O."""

from dataclasses import dataclass
from typing import Literal

from .decoding import DamagedBodyError, TooLargeError
from .failure import TransportFailure
from .headers import Headers

BodyProblem = TransportFailure | TooLargeError | DamagedBodyError


@dataclass(slots=True, eq=False, repr=False)
class Received:
    """What came back, decompressed.

    Attributes:
        status: HTTP status.
        headers: The headers.
        body: The whole body; `None` when it could not be read, `problem` then says why.
        problem: Why the body could not be read.
    """

    status: int
    headers: Headers
    body: bytes | None
    problem: BodyProblem | None = None

    @property
    def request_id(self) -> str | None:
        """The service's name for this request."""
        return self.headers.by_name.get("request-id")

    @property
    def damage(self) -> Literal["cut", "too_large", "damaged"] | None:
        """What is wrong with the body: the connection was lost inside it, it is too large, or its coding is broken."""
        if self.problem is None:
            return None
        if isinstance(self.problem, TransportFailure):
            return "cut"
        return "too_large" if isinstance(self.problem, TooLargeError) else "damaged"
