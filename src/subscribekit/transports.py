"""Other backends for the async clients; each needs its extra.

    from subscribekit import AsyncBillingClient
    from subscribekit.transports import aiohttp

    client = AsyncBillingClient(environment="production", transport=aiohttp())

A backend given as `transport` belongs to the caller: close it with `aclose()` when its clients are done.

The types here are for annotations: a client's `transport` is an `HttpTransport`, that of an async client an
`AsyncHttpTransport` or an `AsyncBackend`. Transports of httpx and of httpx2 fit. One that goes through a proxy of its
own is taken at its word: it reports the request that opens the tunnel like the call's own, so a write that fails there
has an unknown outcome; the client's argument `proxy` can tell the two apart.
"""

from ssl import SSLContext

from ._core.config.timeouts import Limits
from ._core.http.given import AsyncBackend, AsyncHttpTransport, HttpTransport
from .errors import ConfigurationError

__all__ = ["AsyncBackend", "AsyncHttpTransport", "HttpTransport", "aiohttp"]


def aiohttp(*, ssl_context: SSLContext | None = None, limits: Limits | None = None) -> AsyncBackend:
    """Send the requests of an async client with aiohttp (extra `aiohttp`).

    It needs less processor time a call. Outcomes, retries and deadlines are those of the default connections. Writing
    a request has no time limit of its own: `Timeouts.write` does not count here, the deadline does.

    Args:
        ssl_context: A verifying TLS context of one's own.
        limits: How many connections are opened and how long idle ones are kept.

    Returns:
        A transport for the argument `transport` of an async client.

    Raises:
        ConfigurationError: The extra is not installed, or the TLS context does not verify.
    """
    try:
        from ._core.http.aiohttp_transport import AiohttpTransport
    except ImportError:
        raise ConfigurationError("the aiohttp backend needs its extra: pip install 'subscribekit[aiohttp]'") from None
    return AiohttpTransport(ssl_context, limits or Limits())
