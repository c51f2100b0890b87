"""What a client applies to each of its calls, and what follows from it for a request."""

import sys
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

from ..._version import __version__
from ...errors import RequestError
from ..config.address import Address
from ..config.clock import Clock
from ..config.credentials import Credential
from ..config.environments import Group
from ..config.retry_policy import RetryPolicy
from ..config.timeouts import Timeouts
from ..config.wire_names import WireNames
from ..operations.arguments import Wire
from ..operations.operation import Operation
from .retry import Budget
from .trace import Trace

if TYPE_CHECKING:
    from .observers import Observer

T = TypeVar("T")

USER_AGENT = f"subscribekit/{__version__} python/{sys.version_info.major}.{sys.version_info.minor}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a client applies to each of its calls; immutable, so threads and tasks share it (H84)."""

    group: Group
    environment: str
    address: Address
    credential: Credential
    wire_names: WireNames
    timeouts: Timeouts
    deadline: float | None
    retry: RetryPolicy
    trace: Trace
    write_idle: float
    clock: Clock
    api_version: str | None = None
    api_release: str | None = None
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    compress: bool = False
    budget: Budget = field(default_factory=Budget, repr=False)
    observers: "tuple[Observer, ...]" = ()


def resolve(settings: Settings, name: str | Wire) -> str:
    """Give the name on the wire; raises `ConfigurationError` for one that is not set."""
    return name if isinstance(name, str) else settings.wire_names.resolve(name.field)


_MAX_TARGET = 65536
"""Characters of path and query, far more than any server takes."""


def target_of(settings: Settings, operation: Operation[T]) -> str:
    """Build path and query; spaces are `%20`, every segment and value is quoted once.

    Raises:
        RequestError: They are longer than any server takes.
    """
    path = "/".join(quote(segment, safe="") for segment in operation.path)
    # Names first, apart from their values: the frame of a name that is not set must not show a card number (H31).
    names = [resolve(settings, name) for name in map(itemgetter(0), operation.query)]
    values = map(itemgetter(1), operation.query)
    pairs = [f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in zip(names, values, strict=True)]
    target = f"{settings.address.prefix}/{path}" + (f"?{'&'.join(pairs)}" if pairs else "")
    if len(target) > _MAX_TARGET:
        raise RequestError("the address with its query is too long; the request was not made")
    return target


def fixed_headers(settings: Settings, operation: Operation[T], body: bytes | None) -> list[tuple[str, str]]:
    """The headers that do not change between attempts; the credential is not among them."""
    headers = [
        ("Host", settings.address.netloc),
        ("Accept", "application/json"),
        ("Accept-Encoding", "gzip"),
        ("User-Agent", USER_AGENT),
    ]
    if body is not None or settings.group == "user_mgmt":
        # Group C answers with an error to a request without it, body or not.
        headers.append(("Content-Type", "application/json"))
    if settings.group == "billing":
        if settings.api_version is not None:
            headers.append(("X-API-Version", settings.api_version))
        if body is None or settings.compress:
            # The specification asks for it to get a compressed answer; a plain body is never labelled so (H46).
            headers.append(("Content-Encoding", "gzip"))
    if body is not None:
        headers.append(("Content-Length", str(len(body))))
    elif operation.method in ("POST", "PUT"):
        headers.append(("Content-Length", "0"))
    names = [resolve(settings, name) for name in map(itemgetter(0), operation.headers)]
    headers += zip(names, map(itemgetter(1), operation.headers), strict=True)
    if settings.headers:
        own = {name.lower() for name in names}
        headers += [(name, value) for name, value in settings.headers if name.lower() not in own]
    return headers
