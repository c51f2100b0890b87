"""Parses and checks base URLs. The SDK requires HTTPS, except for hosts on loopback."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ...errors import ConfigurationError

__tracebackhide__ = True  # pytest hides this module's frames and shows the line that passed the invalid argument

DEFAULT_PORTS = {"https": 443, "http": 80}
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Address:
    """A checked base URL, such as `https://host[:port][/prefix]`, without a slash at the end.

    Attributes:
        scheme: `https`, or `http` on loopback.
        hostname: The host, without brackets if it's an IPv6 address.
        port: The port; `None` for the default port of the scheme.
        prefix: The path that precedes the path of each request, without a slash at the end.
        host: The host, in brackets if it's an IPv6 address.
        netloc: The host, followed by the port unless the port is the default port of the scheme.
        origin: The scheme and `netloc`.
    """

    scheme: str
    hostname: str
    port: int | None
    prefix: str
    host: str = field(init=False)
    netloc: str = field(init=False)
    origin: str = field(init=False)

    def __post_init__(self) -> None:
        # The host, the netloc, and the origin are created only once, because every request needs them.
        host = f"[{self.hostname}]" if ":" in self.hostname else self.hostname
        netloc = host if self.port is None else f"{host}:{self.port}"
        for name, value in (("host", host), ("netloc", netloc), ("origin", f"{self.scheme}://{netloc}")):
            object.__setattr__(self, name, value)

    @property
    def tcp_port(self) -> int:
        """The port to connect to, which is the default port of the scheme if the URL has no port."""
        return DEFAULT_PORTS[self.scheme] if self.port is None else self.port

    @property
    def url(self) -> str:
        """The base URL as a string."""
        return self.origin + self.prefix


def parse_address(name: str, url: object, *, allow_insecure_loopback: bool = False) -> Address:
    """Parse and check a base URL.

    Args:
        name: The name of the argument or variable, for errors.
        url: The base URL.
        allow_insecure_loopback: Whether to accept HTTP for 127.0.0.1, ::1, and localhost.

    Raises:
        ConfigurationError: The URL isn't a string, doesn't use HTTPS, or has no host. The SDK also raises
            `ConfigurationError` if the URL contains user information, a query, a fragment, or dot segments.
    """
    if not isinstance(url, str):
        raise ConfigurationError(f"{name} must be a str")
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise ConfigurationError(f"{name} isn't a valid URL") from None
    if port == 0:
        raise ConfigurationError(f"{name} can't have port 0; remove the port to use the scheme's default port")
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise ConfigurationError(f"{name} must be printable ASCII without spaces and backslashes")
    if parts.scheme == "http":
        if not allow_insecure_loopback or host not in _LOOPBACK:
            raise ConfigurationError(
                f"{name} must start with https://; http:// is allowed only for 127.0.0.1, ::1, and localhost, with "
                f"allow_insecure_loopback=True"
            )
    elif parts.scheme != "https":
        raise ConfigurationError(f"{name} must start with https://")
    if not host or not {"@", "%"}.isdisjoint(parts.netloc) or parts.query or parts.fragment or url.endswith(("?", "#")):
        raise ConfigurationError(f"{name} must have a host, and must not have a user, a query, or a fragment")
    segments = parts.path.split("/")
    if "%" in parts.path or any(segment in (".", "..") for segment in segments) or "" in segments[1:-1]:
        raise ConfigurationError(f"{name} must have a path without '%', '//', and the segments '.' and '..'")
    return Address(parts.scheme, host, None if port == DEFAULT_PORTS[parts.scheme] else port, parts.path.rstrip("/"))
