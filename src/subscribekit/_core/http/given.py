"""Types of the arguments `transport` and `http_client`, which need neither httpx nor httpx2 to be imported."""

from collections.abc import Awaitable
from typing import Never, Protocol

from ..._public import publish


class HttpTransport(Protocol):
    """A blocking transport of httpx or httpx2: `httpx.HTTPTransport`, `httpx.MockTransport` or your own."""

    def handle_request(self, request: Never, /) -> object:
        """Send one request of its library and give the library's response."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class AsyncHttpTransport(Protocol):
    """An async transport of httpx or httpx2."""

    def handle_async_request(self, request: Never, /) -> Awaitable[object]:
        """Send one request of its library and give the library's response."""
        ...

    def aclose(self) -> Awaitable[None]:
        """Close the connections."""
        ...


class HttpClient(Protocol):
    """A client of httpx or httpx2: `httpx.Client`, `httpx2.Client`."""

    @property
    def is_closed(self) -> bool:
        """Whether it was closed."""
        ...

    def send(self, request: Never, /, *, stream: bool, auth: None, follow_redirects: bool) -> object:
        """Send one request of its library and give the library's response."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class AsyncHttpClient(Protocol):
    """An async client of httpx or httpx2: `httpx.AsyncClient`, `httpx2.AsyncClient`."""

    @property
    def is_closed(self) -> bool:
        """Whether it was closed."""
        ...

    def send(self, request: Never, /, *, stream: bool, auth: None, follow_redirects: bool) -> Awaitable[object]:
        """Send one request of its library and give the library's response."""
        ...

    def aclose(self) -> Awaitable[None]:
        """Close the connections."""
        ...


publish("subscribekit.transports", AsyncHttpClient, AsyncHttpTransport, HttpClient, HttpTransport)
