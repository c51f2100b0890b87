"""The HTTP proxy that you configured for the SDK, which ignores general variables such as `HTTPS_PROXY`."""

import base64
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from ...._sealed import Sealed, Secret
from ....errors import ConfigurationError
from ...config.address import DEFAULT_PORTS

__tracebackhide__ = True


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy, with a sealed user name and password.

    Attributes:
        scheme: `http`, or `https` for TLS to the proxy itself.
        host: The host, without brackets if it's an IPv6 address.
        port: The port.
        user: The user name, if the proxy needs one.
        password: The password for the user name.
    """

    scheme: str
    host: str
    port: int
    user: Secret | None = None
    password: Secret | None = None

    @property
    def name(self) -> str:
        """The host and the port of the proxy, for error messages."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def authorization(self) -> list[tuple[bytes, bytes]]:
        """Return a list with the header for the user name and password, or an empty list if there's no user name."""
        if self.user is None:
            return []
        return [(b"Proxy-Authorization", b"Basic " + base64.b64encode(":".join(self.auth() or ()).encode()))]

    def auth(self) -> tuple[str, str] | None:
        """Return the user name and the password in plain text, or `None` if there's no user name."""
        return (self.user.reveal(), self.password.reveal() if self.password else "") if self.user else None


def parse_proxy(proxy: Secret, name: str = "proxy") -> Proxy:
    """Parse and check the URL of a proxy, such as `http://[user:password@]host:port`.

    Args:
        proxy: The URL.
        name: The name of the argument or variable that contained the URL, for errors.

    Raises:
        ConfigurationError: The scheme isn't `http` or `https`, or the host is missing or isn't ASCII. The SDK also
            raises `ConfigurationError` if the port is 0, or if the URL has a path, a query, or a fragment.
    """
    found = _split_proxy(proxy)
    if isinstance(found, str):
        raise ConfigurationError(found.replace("proxy", name, 1))
    return found


def _split_proxy(url: Secret) -> Proxy | str:
    """Parse the URL of a proxy, or return an error message without the password (H31, H452)."""
    try:
        parts = Sealed[SplitResult].of(lambda: urlsplit(url.reveal()))
        host, port = parts.reveal().hostname, parts.reveal().port
        scheme, (path, query, fragment) = parts.reveal().scheme, parts.reveal()[2:]
    except (ValueError, TypeError, AttributeError):
        return "proxy isn't a valid URL"
    if scheme not in ("http", "https") or not host or path.strip("/") or query or fragment:
        return "proxy must be http://host:port or https://host:port, optionally with user:password@ before the host"
    if port == 0:
        return "proxy can't have port 0"
    if not host.isascii() or not host.isprintable():
        return "the host of proxy must be printable ASCII"
    user = Secret.of(lambda: unquote(parts.reveal().username or ""))
    password = Secret.of(lambda: unquote(parts.reveal().password or ""))
    return Proxy(scheme, host, port or DEFAULT_PORTS[scheme], user if user.reveal() else None, password)
