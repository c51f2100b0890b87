"""Transports for the argument `transport`, and the types that `transport` and `http_client` accept.

A sync client accepts an `HttpTransport` or an `HttpClient`. An async client accepts an `AsyncHttpTransport` or an
`AsyncHttpClient`. The transports and clients of httpx and httpx2 match the types in this module, and so do derived
classes, such as the transport of httpx-aiohttp.
"""

from ssl import SSLContext
from typing import TYPE_CHECKING

from ._core.config.timeouts import Limits
from ._core.http.backends.direct import Direct
from ._core.http.connections.route import route_of
from ._core.http.given import AsyncHttpClient, AsyncHttpTransport, HttpClient, HttpTransport
from ._lazy import imported
from ._public import publish
from ._sealed import Secret

if TYPE_CHECKING:
    from ._core.http.backends.pooled import PooledTransport
    from ._core.http.backends.pooled_async import AsyncPooledTransport

__all__ = [
    "AsyncHttpClient",
    "AsyncHttpTransport",
    "AsyncPooledTransport",
    "HttpClient",
    "HttpTransport",
    "PooledTransport",
    "direct",
]

_WITH_HTTPX: dict[str, str] = {
    "AsyncPooledTransport": "_core.http.backends.pooled_async",
    "PooledTransport": "_core.http.backends.pooled",
}
"""The public names whose modules import httpx. Importing `subscribekit.transports` or calling `direct` doesn't import
httpx."""


def direct(*, ssl_context: SSLContext | None = None, proxy: str | None = None, limits: Limits | None = None) -> Direct:
    """Return a transport that sends requests without httpx, for sync and async clients.

    A call through this transport takes about 0.1 milliseconds less than a call through httpx. Tracers, mocks, and
    recorders for httpx don't see the requests, so a test that relies on such a tool reaches the network. Closing a
    client doesn't close the connections, so close the transport yourself.

    Args:
        ssl_context: A TLS context that verifies certificates. The SDK changes the options of the context; see the page
            Security. The default context trusts the certificate authorities of certifi.
        proxy: The URL of a proxy, as `http://[user:password@]host:port`.
        limits: The maximum number of connections, and how long idle connections stay open. If you also pass `limits` to
            the client, the client's `write_keepalive_expiry` and `min_idle_before_charge` replace those of the
            transport.

    Returns:
        The transport to pass as `transport`. Sync and async clients of the same base URL can share the transport.

    Raises:
        ConfigurationError: An argument is invalid.
    """
    tunnel = None if proxy is None else Secret(proxy)
    del proxy  # without this line, a traceback could show the password in a frame (test_credentials.py)
    return Direct(route_of(ssl_context, tunnel, limits))


def __getattr__(name: str) -> object:
    if name not in _WITH_HTTPX:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = imported("subscribekit", _WITH_HTTPX, name)
    publish(__name__, value)
    return value


publish(__name__, AsyncHttpClient, AsyncHttpTransport, HttpClient, HttpTransport)
