"""Where the connections of a client go, and how."""

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
    from ..wire.proxy import Proxy  # loaded where there is one


@dataclass(slots=True, eq=False, repr=False)
class Route:
    """Settings that the connections of a client share."""

    limits: Limits
    ssl_context: ssl.SSLContext | None = None
    proxy: "Proxy | None" = None
    monotonic: Callable[[], float] = SYSTEM.monotonic
    """Tells how long connections are idle."""

    def context(self, address: Address) -> ssl.SSLContext | None:
        """The TLS context for an address; plain HTTP on loopback needs none."""
        return (self.ssl_context or shared_ssl_context()) if address.scheme == "https" else None

    def proxy_context(self) -> ssl.SSLContext | None:
        """The TLS context of the connection to the proxy itself: the client's own, which may know a private CA."""
        if self.proxy is None or self.proxy.scheme != "https":
            return None
        return self.ssl_context or shared_ssl_context()


def route_of(ssl_context: ssl.SSLContext | None, proxy: Secret | None, limits: Limits | None) -> Route:
    """Check what an application says of connections.

    Raises:
        ConfigurationError: An argument cannot be used.
    """
    if limits is not None and not isinstance(limits, Limits):
        raise ConfigurationError("limits must be subscribekit.Limits")
    context = None if ssl_context is None else check_ssl_context(ssl_context)
    tunnel = None
    if proxy is not None:
        from ..wire.proxy import parse_proxy

        tunnel = parse_proxy(proxy)
    return Route(limits or Limits(), context, tunnel)
