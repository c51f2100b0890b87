"""The connections of a client, behind whatever a test tool has put in the place of httpx, httpcore or sockets.

respx, pytest-httpx, vcrpy and mocket replace functions of httpx, httpcore or `socket` while a test runs. The pooled
connections lie below most of these places, so a request that such a tool would have caught would reach the real
service. Before each request a look at those places, a few dictionary lookups, tells whether a tool is there; the
request then goes the way through httpx, on nothing that was opened before (H110).
"""

import socket
import ssl
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

from .connections.pool import ConnectionPool
from .connections.route import Route
from .connections.tls import shared_ssl_context
from .transport import Body, RawRequest, RawResponse

if TYPE_CHECKING:
    import httpx

_OTHER_HOMES = frozenset(("socket", "ssl", "socks", "gevent", "eventlet"))
"""Where classes in the place of those of `socket` and `ssl` come from that are no test tools."""


def is_original(library: str, kind: str, name: str) -> bool:
    """Whether a method is the library's own; a wrapper that only looks on, as of wrapt, passes for what it wraps.

    One of a library that is not loaded, or that another thread is just loading, is not the application's (H191).
    """
    found: object = getattr(sys.modules.get(library), kind, None)
    home: Mapping[str, object] = getattr(getattr(found, name, None), "__globals__", {})
    return found is None or str(home.get("__name__")).partition(".")[0] == library


def sockets_are_original() -> bool:
    """Whether sockets and TLS are those of the standard library."""
    homes = socket.socket.__module__, ssl.SSLContext.__module__
    return homes == ("socket", "ssl") or _OTHER_HOMES.issuperset(home.partition(".")[0] for home in homes)


def _is_intercepted() -> bool:
    return not (
        is_original("httpcore", "ConnectionPool", "handle_request")
        and sockets_are_original()
        and is_original("httpx", "HTTPTransport", "handle_request")
        and is_original("httpx", "Client", "_transport_for_url")  # what respx replaces
    )


class ClientOptions(TypedDict):
    """Arguments for a client of httpx that opens connections as this package does and keeps none."""

    verify: ssl.SSLContext
    proxy: "httpx.Proxy | None"
    limits: "httpx.Limits"
    trust_env: bool


def client_options(route: Route) -> ClientOptions:
    """Give the arguments for the route of a client."""
    import httpx

    # A context that was made before is not the tool's.
    context = route.ssl_context or shared_ssl_context() if sockets_are_original() else ssl.create_default_context()
    proxy = None
    if route.proxy is not None:
        proxy = httpx.Proxy(
            f"{route.proxy.scheme}://{route.proxy.name}", auth=route.proxy.auth(), ssl_context=route.proxy_context()
        )
    limits = httpx.Limits(max_keepalive_connections=0)
    return {"verify": context, "proxy": proxy, "limits": limits, "trust_env": False}


class InterceptableConnectionPool(ConnectionPool):
    """Blocking connections of one client, unless a test tool is to have its requests."""

    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send one request."""
        if not _is_intercepted():
            return super().send(request)
        import httpx

        from .httpx_transport import HttpxTransport

        client = httpx.Client(**client_options(self._route))

        class ThroughClient(httpx.BaseTransport):
            def handle_request(self, request: httpx.Request) -> httpx.Response:
                return client.send(request, stream=True)

        return HttpxTransport(ThroughClient()).send(request)
