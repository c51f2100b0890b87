"""Requests on the wire: the target, and the headers that do not change between attempts. No I/O."""

from functools import partial
from operator import itemgetter
from typing import TypeVar
from urllib.parse import quote

from ..._sealed import Content
from ...errors import InvalidArgumentError
from ..config.timeouts import seconds_by_step
from ..http.decoding import compress
from ..operations.arguments import Wire
from ..operations.operation import Operation
from .settings import Settings

T = TypeVar("T")

_MAX_TARGET = 65536
"""Characters of path and query, far more than any server takes."""

RawHeader = tuple[bytes, bytes]

_quote = partial(quote, safe="")


def resolve(settings: Settings, name: str | Wire) -> str:
    """Give the name on the wire; raises `ConfigurationError` for one that is not set."""
    return name if isinstance(name, str) else settings.wire_names.resolve(name.field)


def target_of(settings: Settings, operation: Operation[T]) -> str:
    """Build path and query; spaces are `%20`, every segment and value is quoted once.

    Raises:
        InvalidArgumentError: They are longer than any server takes.
        ConfigurationError: A name on the wire is not set.
    """
    target = f"{settings.address.prefix}/{'/'.join(map(_quote, operation.path))}"
    if operation.query:
        target += f"?{_query(settings, operation)}"
    if len(target) > _MAX_TARGET:
        raise InvalidArgumentError("the address with its query is too long; the request was not made")
    return target


def _query(settings: Settings, operation: Operation[T]) -> str:
    # Names first, apart from their values: the frame of a name that is not set must not show a card number (H31).
    names = [resolve(settings, name) for name in map(itemgetter(0), operation.query)]
    values = map(itemgetter(1), operation.query)
    return "&".join(
        [f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in zip(names, values, strict=True)]
    )


def body_of(settings: Settings, operation: Operation[T]) -> Content | None:
    """Give the body as it is sent, compressed if the client does so; the same bytes on every attempt."""
    body = operation.body
    if body is None or not settings.compress:
        return body
    return Content.of(partial(compress, body))


def fixed_headers(settings: Settings, operation: Operation[T], body: Content | None) -> list[RawHeader]:
    """Give the headers that do not change between attempts; the credential is not among them."""
    known = settings.header_cache.get(body is not None)
    if known is None:
        known = settings.header_cache[body is not None] = tuple(_common_headers(settings, has_body=body is not None))
    headers = list(known)
    if body is not None:
        headers.append((b"Content-Length", b"%d" % len(body)))
    elif operation.method != "GET" and operation.method != "DELETE":
        headers.append((b"Content-Length", b"0"))
    if operation.headers or settings.headers:
        headers += _extra_headers(settings, operation)
    return headers


def _common_headers(settings: Settings, *, has_body: bool) -> list[RawHeader]:
    headers = [
        ("Host", settings.address.netloc),
        ("Accept", "application/json"),
        ("Accept-Encoding", "gzip"),
        ("User-Agent", settings.user_agent),
    ]
    if has_body or settings.group == "user_mgmt":
        # Group C responds with an error to a request without it, body or not.
        headers.append(("Content-Type", "application/json"))
    if settings.group == "billing":
        if settings.api_version is not None:
            headers.append(("X-API-Version", settings.api_version))
        if settings.compress if has_body else settings.send_gzip_header:
            # The specification asks for it to get a compressed response; a plain body is never labelled so (H46).
            headers.append(("Content-Encoding", "gzip"))
    return encoded(headers)


def _extra_headers(settings: Settings, operation: Operation[T]) -> list[RawHeader]:
    names = [resolve(settings, name) for name in map(itemgetter(0), operation.headers)]
    own = {name.lower() for name in names}
    headers = list(zip(names, map(itemgetter(1), operation.headers), strict=True))
    return encoded(headers + [(name, value) for name, value in settings.headers if name.lower() not in own])


def encoded(headers: list[tuple[str, str]]) -> list[RawHeader]:
    """Encode names and values, which are ASCII."""
    return [(name.encode("ascii"), value.encode("ascii")) for name, value in headers]


def timeouts_of(settings: Settings, end: float | None) -> dict[str, float]:
    """Give the seconds that each step may take, cut to what is left until the end of the call."""
    longest, by_step = seconds_by_step(settings.timeouts)
    left = longest if end is None else end - settings.clock.monotonic()
    if left >= longest:
        return by_step
    return {name: min(seconds, max(left, 0.001)) for name, seconds in by_step.items()}
