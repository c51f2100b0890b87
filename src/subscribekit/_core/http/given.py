"""The types of the arguments `transport` and `http_client`, as protocols that need neither httpx nor httpx2."""

from collections.abc import Awaitable
from typing import Never, Protocol

from ..._public import publish


class HttpTransport(Protocol):
    """A sync transport of httpx or httpx2, such as `httpx.HTTPTransport`, `httpx.MockTransport`, or your own class."""

    def handle_request(self, request: Never, /) -> object:
        """Send a request of httpx or httpx2, and return a response of the same library."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class AsyncHttpTransport(Protocol):
    """An async transport of httpx or httpx2, such as `httpx.AsyncHTTPTransport` or your own class."""

    def handle_async_request(self, request: Never, /) -> Awaitable[object]:
        """Send a request of httpx or httpx2, and return a response of the same library."""
        ...

    def aclose(self) -> Awaitable[None]:
        """Close the connections."""
        ...


class HttpClient(Protocol):
    """A sync client of httpx or httpx2, such as `httpx.Client` or `httpx2.Client`."""

    @property
    def is_closed(self) -> bool:
        """Whether the client was closed."""
        ...

    def send(self, request: Never, /, *, stream: bool, auth: None, follow_redirects: bool) -> object:
        """Send a request of httpx or httpx2, and return a response of the same library."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class AsyncHttpClient(Protocol):
    """An async client of httpx or httpx2, such as `httpx.AsyncClient` or `httpx2.AsyncClient`."""

    @property
    def is_closed(self) -> bool:
        """Whether the client was closed."""
        ...

    def send(self, request: Never, /, *, stream: bool, auth: None, follow_redirects: bool) -> Awaitable[object]:
        """Send a request of httpx or httpx2, and return a response of the same library."""
        ...

    def aclose(self) -> Awaitable[None]:
        """Close the connections."""
        ...


publish("subscribekit.transports", AsyncHttpClient, AsyncHttpTransport, HttpClient, HttpTransport)
