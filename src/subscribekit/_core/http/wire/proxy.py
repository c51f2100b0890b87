"""An HTTP proxy that was given explicitly; the general variables, such as `HTTPS_PROXY`, are never asked."""

import base64
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from ...._sealed import Sealed, Secret
from ....errors import ConfigurationError
from ...config.address import DEFAULT_PORTS

__tracebackhide__ = True  # pytest shows the line of the caller instead


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy that was given explicitly; its user and password are secrets.

    Attributes:
        scheme: `http`, or `https` for TLS to the proxy itself.
        host: Its host, an IPv6 address without brackets.
        port: Its port.
        user: The user, if it wants one.
        password: The user's password.
    """

    scheme: str
    host: str
    port: int
    user: Secret | None = None
    password: Secret | None = None

    @property
    def name(self) -> str:
        """Host and port, for error texts."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def authorization(self) -> list[tuple[bytes, bytes]]:
        """The header with the proxy's user and password, or none."""
        if self.user is None:
            return []
        return [(b"Proxy-Authorization", b"Basic " + base64.b64encode(":".join(self.auth() or ()).encode()))]

    def auth(self) -> tuple[str, str] | None:
        """The proxy's user and password in plain text."""
        return (self.user.reveal(), self.password.reveal() if self.password else "") if self.user else None


def parse_proxy(proxy: Secret, name: str = "proxy") -> Proxy:
    """Check the address of a proxy: `http://[user:password@]host:port`; `name` is where it was given.

    Raises:
        ConfigurationError: Another scheme, or no host.
    """
    found = _split_proxy(proxy)
    if isinstance(found, str):
        raise ConfigurationError(found.replace("proxy", name, 1))
    return found


def _split_proxy(url: Secret) -> Proxy | str:
    """Split an address, or return the reason why it can't be used (H31, H452)."""
    try:
        parts = Sealed[SplitResult].of(lambda: urlsplit(url.reveal()))
        host, port = parts.reveal().hostname, parts.reveal().port
        scheme, (path, query, fragment) = parts.reveal().scheme, parts.reveal()[2:]
    except (ValueError, TypeError, AttributeError):
        return "proxy is not a URL"
    if scheme not in ("http", "https") or not host or path.strip("/") or query or fragment:
        return "proxy must be http://host:port or https://host:port, user and password before the host"
    if port == 0:
        return "proxy must not name port 0"
    if not host.isascii() or not host.isprintable():
        return "the host of proxy must be plain ASCII"
    user = Secret.of(lambda: unquote(parts.reveal().username or ""))
    password = Secret.of(lambda: unquote(parts.reveal().password or ""))
    return Proxy(scheme, host, port or DEFAULT_PORTS[scheme], user if user.reveal() else None, password)
