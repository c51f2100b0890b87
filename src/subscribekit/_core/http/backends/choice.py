"""Chooses the HTTP backend of a client: httpx with the SDK's own connections, the caller's backend, or `direct()`.

If a client needs httpx, its first request imports httpx, unless other code has already imported httpx.
"""

import sys
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, cast

from ...config.timeouts import Limits
from ..connections.route import Route
from ..transport import AsyncTransport, Transport
from ..wire.tls import trust_of
from .direct import Direct
from .httpx_transport import AsyncHttpxTransport, HttpxTransport
from .intercepted import patched

if TYPE_CHECKING:
    import httpx

    from ..connections.pool import ConnectionPool
    from ..connections.pool_async import AsyncConnectionPool
    from .given_backend import GivenBackend

__tracebackhide__ = True


def own(route: Route, origin: str) -> Transport:
    """Return a transport that sends calls with an httpx client over the SDK's own connections."""
    from ..connections.pool import ConnectionPool  # the sandbox doesn't need this module, which imports h11

    pool = ConnectionPool(route)
    return HttpxTransport(partial(_own_name, route), partial(_own, route, origin, pool), pool)


def own_async(route: Route, origin: str) -> AsyncTransport:
    """Return a transport that sends calls with an async httpx client over the SDK's own connections."""
    # Sync clients don't need this module, which imports asyncio.
    from ..connections.pool_async import AsyncConnectionPool

    pool = AsyncConnectionPool(route)
    return AsyncHttpxTransport(partial(_own_name, route), partial(_own_async, route, origin, pool), pool)


def _own(route: Route, origin: str, pool: "ConnectionPool") -> "GivenBackend[httpx.Client]":
    from .given_backend import given_transport
    from .pooled import PooledTransport

    return cast("GivenBackend[httpx.Client]", given_transport(PooledTransport.over(route, origin, pool), "Client"))


def _own_async(route: Route, origin: str, pool: "AsyncConnectionPool") -> "GivenBackend[httpx.AsyncClient]":
    from .given_backend import given_transport
    from .pooled_async import AsyncPooledTransport

    transport = AsyncPooledTransport.over(route, origin, pool)
    return cast("GivenBackend[httpx.AsyncClient]", given_transport(transport, "AsyncClient"))


def _own_name(route: Route) -> str:
    proxy = "" if route.proxy is None else f", proxy {route.proxy.name}"
    # httpx2 may be installed under the name httpx (H377).
    library = getattr(sys.modules.get("httpx"), "__name__", "httpx")
    trust = "" if route.ssl_context is None else f", trust {trust_of(route.ssl_context)}"
    replaced = "".join(f", {each}" for each in patched())
    return f"{library} {version(library)}, own connections{proxy}{trust}{replaced}"


def given(transport: object) -> Transport:
    """Return a transport that sends calls with the argument `transport` of a sync client.

    Raises:
        ConfigurationError: The argument isn't a sync transport, or the transport doesn't verify certificates.
    """
    if isinstance(transport, Direct):
        return transport.blocking
    if isinstance(transport, Transport):  # this is one of the SDK's own transports, such as the sandbox's
        return transport
    return HttpxTransport.given(transport)


def given_async(transport: object) -> AsyncTransport:
    """Return a transport that sends calls with the argument `transport` of an async client.

    Raises:
        ConfigurationError: The argument isn't an async transport, or the transport doesn't verify certificates.
    """
    if isinstance(transport, Direct):
        return transport.asynchronous
    if isinstance(transport, AsyncTransport):
        return transport
    return AsyncHttpxTransport.given(transport)


def limits_of(transport: object, client: object) -> Limits | None:
    """Return the limits if the transport, or the transport of the client, is a `direct()` or a `PooledTransport`."""
    for each in (transport, getattr(client, "_transport", None)):
        found: object = getattr(each if isinstance(each, Direct) else getattr(each, "_pool", None), "limits", None)
        if isinstance(found, Limits):
            return found
    return None
