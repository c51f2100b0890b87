"""Chooses the HTTP backend of a client: its own connections in an httpx client, a given backend, or `direct()`.

httpx is imported by the first request of a client of its own; with a given one it is there already.
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

__tracebackhide__ = True  # pytest shows the line of the caller instead


def own(route: Route, origin: str) -> Transport:
    """Carry calls over connections of the SDK, with a client of httpx above them."""
    from ..connections.pool import ConnectionPool  # with h11, which a client of the sandbox does without

    pool = ConnectionPool(route)
    return HttpxTransport(partial(_own_name, route), partial(_own, route, origin, pool), pool)


def own_async(route: Route, origin: str) -> AsyncTransport:
    """The same in the event loop."""
    from ..connections.pool_async import AsyncConnectionPool  # with asyncio, which a blocking client does without

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
    library = getattr(sys.modules.get("httpx"), "__name__", "httpx")  # httpx2 may be in its place (H377)
    trust = "" if route.ssl_context is None else f", trust {trust_of(route.ssl_context)}"
    replaced = "".join(f", {each}" for each in patched())
    return f"{library} {version(library)}, own connections{proxy}{trust}{replaced}"


def given(transport: object) -> Transport:
    """Send calls with what was given as `transport`.

    Raises:
        ConfigurationError: It is no blocking transport, or one that checks no certificates.
    """
    if isinstance(transport, Direct):
        return transport.blocking
    if isinstance(transport, Transport):  # one of this package's own
        return transport
    return HttpxTransport.given(transport)


def given_async(transport: object) -> AsyncTransport:
    """The same for an async client.

    Raises:
        ConfigurationError: It is no async transport, or one that checks no certificates.
    """
    if isinstance(transport, Direct):
        return transport.asynchronous
    if isinstance(transport, AsyncTransport):
        return transport
    return AsyncHttpxTransport.given(transport)


def limits_of(transport: object, client: object) -> Limits | None:
    """Give the limits of a `direct()`, a `PooledTransport`, or the one in a client of httpx."""
    for each in (transport, getattr(client, "_transport", None)):
        found: object = getattr(each if isinstance(each, Direct) else getattr(each, "_pool", None), "limits", None)
        if isinstance(found, Limits):
            return found
    return None
