"""The look for test tools that replace httpcore's pool or sockets, below which the SDK's own connections lie.

respx and vcrpy replace functions of httpcore, mocket those of `socket`, while a test runs. Before each request a look
at these places, a few dictionary lookups, tells whether a tool is there; the request then goes through a pool of
httpcore, on nothing that was opened before (H110). What replaces methods of httpx is met by being called.
"""

import socket
import ssl
import sys
from collections.abc import Mapping
from functools import partial
from inspect import isfunction
from typing import TYPE_CHECKING, TypedDict, cast

from ..connections.route import Route
from ..wire.tls import shared_ssl_context

if TYPE_CHECKING:
    import httpcore

_HOMES = frozenset(("socket", "ssl", "socks", "gevent", "eventlet", "truststore"))
"""Where classes in the place of those of `socket` and `ssl` come from that are no test tools."""

_PLACES = (
    ("httpx", "Client", "send"), ("httpx", "AsyncClient", "send"),
    ("httpx", "Client", "_send_single_request"), ("httpx", "AsyncClient", "_send_single_request"),
    ("httpx", "HTTPTransport", "handle_request"), ("httpx", "AsyncHTTPTransport", "handle_async_request"),
    ("httpcore", "ConnectionPool", "handle_request"), ("httpcore", "AsyncConnectionPool", "handle_async_request"),
)  # fmt: skip
"""Where tracers, mocks and recorders replace methods."""


def is_original(library: str, kind: str, name: str) -> bool:
    """Whether a method is the library's own; a wrapper that only looks on, as of wrapt, passes for what it wraps.

    A library that is not loaded, or that another thread is loading, counts as its own (H191).
    """
    module = sys.modules.get(library)  # httpx2 may be in the place of httpx, and httpcore2 in that of httpcore (H377)
    found: object = getattr(module, kind, None)
    home: Mapping[str, object] = getattr(getattr(found, name, None), "__globals__", {})
    return found is None or str(home.get("__name__")).partition(".")[0] == getattr(module, "__name__", "")


def patched() -> list[str]:
    """Name the places of httpx, httpcore and sockets that another package has replaced, and the package."""
    places = [(getattr(getattr(sys.modules.get(library), kind, None), name, None), library, f"{kind}.{name}")
              for library, kind, name in _PLACES]  # fmt: skip
    places += [(socket.socket, "socket", "socket"), (ssl.SSLContext, "ssl", "SSLContext")]
    found: list[str] = []
    for value, library, name in places:
        package = _package_of(value)
        if value is not None and package != getattr(sys.modules[library], "__name__", library):
            found.append(f"{name} by {package}")
    return found


def _package_of(value: object) -> str:
    """The package that a function or class is of; a wrapper of wrapt passes for what it wraps, and names its maker."""
    if type(value).__name__ in ("FunctionWrapper", "BoundFunctionWrapper"):
        value = getattr(value, "_self_wrapper", None)
    while isinstance(value, partial):
        value = cast("partial[object]", value).func
    value = getattr(value, "__func__", value)
    home: object = getattr(value, "__globals__", {}).get("__name__") if isfunction(value) else None
    return str(home or (value if isinstance(value, type) else type(value)).__module__).partition(".")[0]


def sockets_are_original() -> bool:
    """Whether sockets and TLS are those of the standard library, or others that open real connections."""
    homes = socket.socket.__module__, ssl.SSLContext.__module__
    return homes == ("socket", "ssl") or _HOMES.issuperset(home.partition(".")[0] for home in homes)


def is_intercepted(pool: str, method: str) -> bool:
    """Whether a tool is in the place of httpcore's pool or of sockets at this moment."""
    return not (is_original("httpcore", pool, method) and sockets_are_original())


class StockOptions(TypedDict):
    """The settings of a pool of httpcore."""

    ssl_context: ssl.SSLContext
    proxy: "httpcore.Proxy | None"
    max_keepalive_connections: int


def stock_options(route: Route) -> StockOptions:
    """Let a pool of httpcore open connections as the SDK does, and keep none."""
    import httpcore

    # A context that was made before is not the tool's.
    context = route.ssl_context or shared_ssl_context() if sockets_are_original() else ssl.create_default_context()
    return {
        "ssl_context": context,
        # No variable holds this object, because it shows the password of the proxy (H452).
        "proxy": None
        if route.proxy is None
        else httpcore.Proxy(
            f"{route.proxy.scheme}://{route.proxy.name}", auth=route.proxy.auth(), ssl_context=route.proxy_context()
        ),
        "max_keepalive_connections": 0,
    }
