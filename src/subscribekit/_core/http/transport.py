"""One HTTP exchange as values, and the two interfaces behind which connections live. No I/O.

Drivers and transports exchange bytes: building a request of a larger library for each attempt, only to take it apart
again, was a fifth of what a call costs. A transport raises `TransportFailure` and nothing of the
library that it uses, and tells the request's `progress` how far it got.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from ..._sealed import Content, SealedHeaders
from ..config.address import Address
from .progress import Progress

B_co = TypeVar("B_co", covariant=True)

RawHeaders = Sequence[tuple[bytes, bytes]]


@dataclass(slots=True, eq=False, repr=False)
class RawRequest:
    """One attempt, ready for the wire.

    Attributes:
        method: HTTP method.
        address: Where it goes; path and query are in `target`.
        target: Path and query, quoted.
        headers: The headers in order, the credential's too.
        trace: Those of them that name the trace of the call.
        body: The body, empty for none.
        timeouts: Seconds by `connect`, `read`, `write` and `pool`.
        progress: Records how far the request got.
        deadline: When the call must end, by `SYSTEM.monotonic`.
        max_idle: Seconds that a connection may have been idle to be used; `None` leaves it to the transport.
        min_idle: Seconds that it must have been idle to be used; `None` asks for a new connection.
        template: The path without values, for logs.
    """

    method: str
    address: Address
    target: str
    headers: SealedHeaders
    trace: RawHeaders
    body: Content
    timeouts: Mapping[str, float]
    progress: Progress
    deadline: float | None
    max_idle: float | None
    template: str = ""
    min_idle: float | None = 0.0

    def __repr__(self) -> str:
        # The target holds personal data; tracebacks with locals print this.
        return f"<RawRequest {self.method} {self.address.origin}>"


@dataclass(slots=True, eq=False, repr=False)
class RawResponse(Generic[B_co]):
    """A response whose body is still to be read; the body must be closed.

    Attributes:
        status: HTTP status.
        headers: The headers.
        body: The body.
        marks_end: The transport marks the end of a body also without headers that do: HTTP/2, a mock's whole body.
    """

    status: int
    headers: RawHeaders
    body: B_co
    marks_end: bool = False


class Body(Protocol):
    """The body of a response as it arrives; closing it frees the connection."""

    def __iter__(self) -> Iterator[Content]:
        """Give the pieces, still compressed."""
        ...

    def close(self) -> None:
        """Have done with it, read to its end or not."""
        ...


class AsyncBody(Protocol):
    """The same for async transports."""

    def __aiter__(self) -> AsyncIterator[Content]:
        """Give the pieces, still compressed."""
        ...

    async def aclose(self) -> None:
        """Have done with it, read to its end or not."""
        ...


class _Named:
    name: str = "own connections"

    @property
    def http_backend(self) -> str:
        """The name of the HTTP backend, such as `httpx 0.28.1, own connections`."""
        return self.name


class Transport(_Named, ABC):
    """Sends requests and blocks until a response begins."""

    @abstractmethod
    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send one request; raises `TransportFailure`."""

    @abstractmethod
    def close(self) -> None:
        """Close idle connections; those in use close when their call ends."""


class AsyncTransport(_Named, ABC):
    """Sends requests in the event loop."""

    @abstractmethod
    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send one request; raises `TransportFailure`."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close the idle connections of this event loop; those in use close when their call ends."""
