"""Base addresses: parsed once, checked, HTTPS only."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ...errors import ConfigurationError

__tracebackhide__ = True  # pytest shows the line of the caller instead

DEFAULT_PORTS = {"https": 443, "http": 80}
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Address:
    """A checked base address: `https://host[:port][/prefix]`, without a slash at the end.

    Attributes:
        scheme: `https`, or `http` on loopback.
        hostname: The host, an IPv6 address without brackets.
        port: The port; `None` for the scheme's own.
        prefix: Path before all others, without a slash at the end.
        host: The host as it is written, an IPv6 address in brackets.
        netloc: Host and port, the scheme's own port left out.
        origin: Scheme, host and port.
    """

    scheme: str
    hostname: str
    port: int | None
    prefix: str
    host: str = field(init=False)
    netloc: str = field(init=False)
    origin: str = field(init=False)

    def __post_init__(self) -> None:
        # Made once: every request asks for them.
        host = f"[{self.hostname}]" if ":" in self.hostname else self.hostname
        netloc = host if self.port is None else f"{host}:{self.port}"
        for name, value in (("host", host), ("netloc", netloc), ("origin", f"{self.scheme}://{netloc}")):
            object.__setattr__(self, name, value)

    @property
    def tcp_port(self) -> int:
        """The port to connect to: the scheme's own when the address names none."""
        return DEFAULT_PORTS[self.scheme] if self.port is None else self.port

    @property
    def url(self) -> str:
        """The address as text."""
        return self.origin + self.prefix


def parse_address(name: str, url: object, *, allow_insecure_loopback: bool = False) -> Address:
    """Check a base address.

    Raises:
        ConfigurationError: Not text, not HTTPS (plain HTTP only for loopback, with `allow_insecure_loopback`), no host,
            or with user information, query, fragment or dot segments.
    """
    if not isinstance(url, str):
        raise ConfigurationError(f"{name} must be text")
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise ConfigurationError(f"{name} is not a URL") from None
    if port == 0:
        raise ConfigurationError(f"{name} must not name port 0; leave the port out for that of the scheme")
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise ConfigurationError(f"{name} must be plain ASCII without spaces")
    if parts.scheme == "http":
        if not allow_insecure_loopback or host not in _LOOPBACK:
            raise ConfigurationError(
                f"{name} must start with https://; plain http:// is only for 127.0.0.1, ::1 and localhost, with "
                f"allow_insecure_loopback=True"
            )
    elif parts.scheme != "https":
        raise ConfigurationError(f"{name} must start with https://")
    if not host or not {"@", "%"}.isdisjoint(parts.netloc) or parts.query or parts.fragment or url.endswith(("?", "#")):
        raise ConfigurationError(f"{name} must have a host and no user, query or fragment")
    segments = parts.path.split("/")
    if "%" in parts.path or any(segment in (".", "..") for segment in segments) or "" in segments[1:-1]:
        raise ConfigurationError(f"{name} must have a plain path")
    return Address(parts.scheme, host, None if port == DEFAULT_PORTS[parts.scheme] else port, parts.path.rstrip("/"))
