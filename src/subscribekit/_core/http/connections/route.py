"""The settings of a client's connections: limits, TLS context, and proxy."""

import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...._sealed import Secret
from ....errors import ConfigurationError
from ...config.address import Address
from ...config.clock import SYSTEM
from ...config.timeouts import Limits
from ..wire.tls import check_ssl_context, shared_ssl_context

if TYPE_CHECKING:
    from ..wire.proxy import Proxy  # only a client with a proxy imports this module at runtime


@dataclass(slots=True, eq=False, repr=False)
class Route:
    """The settings that the connections of a client share."""

    limits: Limits
    ssl_context: ssl.SSLContext | None = None
    proxy: "Proxy | None" = None
    monotonic: Callable[[], float] = SYSTEM.monotonic
    """The clock that measures how long connections are idle."""

    def context(self, address: Address) -> ssl.SSLContext | None:
        """Return the TLS context for a base URL, or `None` for plain HTTP on loopback."""
        return (self.ssl_context or shared_ssl_context()) if address.scheme == "https" else None

    def proxy_context(self) -> ssl.SSLContext | None:
        """Return the TLS context for an HTTPS proxy, or `None`.

        The client's own context also applies to the proxy, because that context may trust the private CA of the proxy.
        """
        if self.proxy is None or self.proxy.scheme != "https":
            return None
        return self.ssl_context or shared_ssl_context()


def route_of(ssl_context: ssl.SSLContext | None, proxy: Secret | None, limits: Limits | None) -> Route:
    """Check the connection settings of an application, and return them as a `Route`.

    Raises:
        ConfigurationError: An argument is invalid.
    """
    if limits is not None and not isinstance(limits, Limits):
        raise ConfigurationError("limits must be a Limits; write limits=Limits(max_connections=100)")
    context = None if ssl_context is None else check_ssl_context(ssl_context)
    tunnel = None
    if proxy is not None:
        from ..wire.proxy import parse_proxy

        tunnel = parse_proxy(proxy)
    return Route(limits or Limits(), context, tunnel)
