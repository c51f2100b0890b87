"""Other backends for the async clients; each needs its extra.

    from subscribekit import AsyncBillingClient
    from subscribekit.transports import aiohttp

    client = AsyncBillingClient(environment="production", transport=aiohttp())

A backend given as `transport` belongs to the caller: close it with `aclose()` when its clients are done.
"""

from ssl import SSLContext

from ._core.config.timeouts import Limits
from ._core.http.given import AsyncBackend, AsyncHttpTransport, HttpTransport
from .errors import ConfigurationError

__all__ = ["AsyncBackend", "AsyncHttpTransport", "HttpTransport", "aiohttp"]


def aiohttp(*, ssl_context: SSLContext | None = None, limits: Limits | None = None) -> AsyncBackend:
    """Carry the requests of an async client with aiohttp (extra `aiohttp`).

    It needs less processor time a call. It does not tell how far a request got, so a failed write is `not_sent` only
    when the connection could not be made, and `unknown` otherwise.

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
