"""The request and the response of an HTTP exchange, and the interfaces of transports. This module does no I/O.

Drivers and transports pass bytes to each other, because building a request object of another library for each attempt
took a fifth of the time of a call. A transport raises only `TransportFailure`, and no exception of the library that it
uses. A transport reports to the request's `progress` how far the request got.
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
    """The request of an attempt, ready to be sent.

    Attributes:
        method: The HTTP method.
        address: The base URL, without the path and the query of the request, which are in `target`.
        target: The path and the query, percent-encoded.
        headers: The headers in their order, including the header with the credential.
        trace: The headers that identify the trace of the call.
        body: The body, which is empty if the request has no body.
        timeouts: The timeouts in seconds, by `connect`, `read`, `write`, and `pool`.
        progress: Records how far the request got.
        deadline: The time at which the call must end, on the clock `SYSTEM.monotonic`.
        max_idle: The longest time, in seconds, for which a reused connection may have been idle; `None` for the limit
            of the transport.
        min_idle: The shortest time, in seconds, for which a reused connection must have been idle; `None` to use a new
            connection.
        template: The path with placeholders for values, for logs.
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
        # Omit the target (the path and the query), which may be personal, because tracebacks with local variables print
        # the `repr`.
        return f"<RawRequest {self.method} {self.address.origin}>"


@dataclass(slots=True, eq=False, repr=False)
class RawResponse(Generic[B_co]):
    """A response whose body isn't read yet. The caller must close the body.

    Attributes:
        status: The HTTP status.
        headers: The headers.
        body: The body.
        marks_end: Whether the transport marks the end of the body even without headers, as HTTP/2 and mocks do.
    """

    status: int
    headers: RawHeaders
    body: B_co
    marks_end: bool = False


class Body(Protocol):
    """The body of a response as it arrives. Closing the body releases the connection."""

    def __iter__(self) -> Iterator[Content]:
        """Yield the pieces of the body, without decompressing them."""
        ...

    def close(self) -> None:
        """Close the response, even if it wasn't read to the end."""
        ...


class AsyncBody(Protocol):
    """The body of a response of an async transport. Closing the body releases the connection."""

    def __aiter__(self) -> AsyncIterator[Content]:
        """Yield the pieces of the body, without decompressing them."""
        ...

    async def aclose(self) -> None:
        """Close the response, even if it wasn't read to the end."""
        ...


class _Named:
    name: str = "own connections"

    @property
    def http_backend(self) -> str:
        """The name of the HTTP backend, such as `httpx 0.28.1, own connections`."""
        return self.name


class Transport(_Named, ABC):
    """Sends requests, and blocks the thread until the headers of the response arrive."""

    @abstractmethod
    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send a request, or raise `TransportFailure`."""

    @abstractmethod
    def close(self) -> None:
        """Close the idle connections. A connection in use is closed when its call ends."""


class AsyncTransport(_Named, ABC):
    """Sends requests in the event loop."""

    @abstractmethod
    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send a request, or raise `TransportFailure`."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close the idle connections of this event loop. A connection in use is closed when its call ends."""
