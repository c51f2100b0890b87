"""Types of the argument `transport`, which need neither httpx nor httpx2 to be imported."""

from collections.abc import Awaitable
from typing import Never, Protocol


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
