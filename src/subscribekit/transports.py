"""Transports for `transport=`, and the types that `transport=` and `http_client=` accept.

A blocking client takes an `HttpTransport` or an `HttpClient`, an async client an `AsyncHttpTransport` or an
`AsyncHttpClient`: those of httpx and of httpx2 fit, and those of libraries that derive from them, such as
httpx-aiohttp.
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
"""The names that need httpx. Nothing else in this module imports it."""


def direct(*, ssl_context: SSLContext | None = None, proxy: str | None = None, limits: Limits | None = None) -> Direct:
    """Make connections without httpx above them, for a client's `transport`, blocking or async.

    A call takes about a tenth of a millisecond less. Tracers, mocks and recorders that know httpx do not see it: in
    tests it reaches the network. Closing a client leaves the connections open; close them yourself.

    Args:
        ssl_context: A verifying TLS context, whose options the SDK changes (page Security). By default, a context that
            trusts the public authorities of certifi.
        proxy: `http://[user:password@]host:port`.
        limits: How many connections are opened and how long idle ones are kept; for writes those of a client decide, if
            it has some.

    Returns:
        What to give as `transport`; it serves clients of one address and both styles.

    Raises:
        ConfigurationError: An argument cannot be used.
    """
    tunnel = None if proxy is None else Secret(proxy)
    del proxy  # no frame of an error shows its password
    return Direct(route_of(ssl_context, tunnel, limits))


def __getattr__(name: str) -> object:
    if name not in _WITH_HTTPX:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = imported("subscribekit", _WITH_HTTPX, name)
    publish(__name__, value)
    return value


publish(__name__, AsyncHttpClient, AsyncHttpTransport, HttpClient, HttpTransport)
