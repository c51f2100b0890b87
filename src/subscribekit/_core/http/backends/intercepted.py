"""Detects test tools that replace httpcore's connection pool or Python's sockets.

During a test, respx and vcrpy replace functions of httpcore, and mocket replaces functions of `socket`. Before each
request, the SDK checks with a few dictionary lookups whether a tool has replaced one of these functions of httpcore or
`socket`. If a function was replaced, the request goes through a new pool of httpcore, which has no open connections
(H110). Tools that replace methods of httpx need no check, because the SDK calls the methods of httpx.
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
"""Packages other than test tools that may define the current classes of `socket` and `ssl`."""

_PLACES = (
    ("httpx", "Client", "send"), ("httpx", "AsyncClient", "send"),
    ("httpx", "Client", "_send_single_request"), ("httpx", "AsyncClient", "_send_single_request"),
    ("httpx", "HTTPTransport", "handle_request"), ("httpx", "AsyncHTTPTransport", "handle_async_request"),
    ("httpcore", "ConnectionPool", "handle_request"), ("httpcore", "AsyncConnectionPool", "handle_async_request"),
)  # fmt: skip
"""The methods that tracers, mocks, and recorders replace."""


def is_original(library: str, kind: str, name: str) -> bool:
    """Return whether a method is the library's own, and not a replacement.

    The function treats a wrapper of wrapt like the method that it wraps. If a library isn't imported, or another thread
    is importing it, the result is `True` (H191).
    """
    # httpx2 may be installed under the name httpx, and httpcore2 under the name httpcore (H377).
    module = sys.modules.get(library)
    found: object = getattr(module, kind, None)
    home: Mapping[str, object] = getattr(getattr(found, name, None), "__globals__", {})
    return found is None or str(home.get("__name__")).partition(".")[0] == getattr(module, "__name__", "")


def patched() -> list[str]:
    """Return the replaced methods of httpx and httpcore and the replaced socket classes, with the replacing package."""
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
    """Return the package that defines a function or a class, or the package that created a wrapper of wrapt."""
    if type(value).__name__ in ("FunctionWrapper", "BoundFunctionWrapper"):
        value = getattr(value, "_self_wrapper", None)
    while isinstance(value, partial):
        value = cast("partial[object]", value).func
    value = getattr(value, "__func__", value)
    home: object = getattr(value, "__globals__", {}).get("__name__") if isfunction(value) else None
    return str(home or (value if isinstance(value, type) else type(value)).__module__).partition(".")[0]


def sockets_are_original() -> bool:
    """Return whether the classes for sockets and TLS open real connections, such as those of the standard library."""
    homes = socket.socket.__module__, ssl.SSLContext.__module__
    return homes == ("socket", "ssl") or _HOMES.issuperset(home.partition(".")[0] for home in homes)


def is_intercepted(pool: str, method: str) -> bool:
    """Return whether a tool currently replaces a method of httpcore's pool, or Python's sockets."""
    return not (is_original("httpcore", pool, method) and sockets_are_original())


class StockOptions(TypedDict):
    """The settings of an httpcore pool."""

    ssl_context: ssl.SSLContext
    proxy: "httpcore.Proxy | None"
    max_keepalive_connections: int


def stock_options(route: Route) -> StockOptions:
    """Return settings for an httpcore pool that opens connections like the SDK, but never reuses a connection."""
    import httpcore

    # If a tool has replaced `ssl`, create a new context, because the tool needs a context of its own class.
    context = route.ssl_context or shared_ssl_context() if sockets_are_original() else ssl.create_default_context()
    return {
        "ssl_context": context,
        # Don't store the `Proxy` object in a variable, because its repr shows the proxy's password (H452).
        "proxy": None
        if route.proxy is None
        else httpcore.Proxy(
            f"{route.proxy.scheme}://{route.proxy.name}", auth=route.proxy.auth(), ssl_context=route.proxy_context()
        ),
        "max_keepalive_connections": 0,
    }
