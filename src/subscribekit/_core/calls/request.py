"""Builds the parts of a request that don't change between attempts: the target, body, and headers. Does no I/O."""

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
"""Maximum number of characters of the path and query, far more than servers accept."""

RawHeader = tuple[bytes, bytes]

_quote = partial(quote, safe="")


def resolve(settings: Settings, name: str | Wire) -> str:
    """Return a wire name, or raise `ConfigurationError` if the client's `WireNames` doesn't contain the name."""
    return name if isinstance(name, str) else settings.wire_names.resolve(name.field)


def target_of(settings: Settings, operation: Operation[T]) -> str:
    """Return the path and query. Segments and values are percent-encoded once, and a space becomes `%20`.

    Raises:
        InvalidArgumentError: The path and query are too long.
        ConfigurationError: A wire name isn't set.
    """
    target = f"{settings.address.prefix}/{'/'.join(map(_quote, operation.path))}"
    if operation.query:
        target += f"?{_query(settings, operation)}"
    if len(target) > _MAX_TARGET:
        raise InvalidArgumentError(
            f"the path and query are too long; nothing was sent. Shorten the arguments (limit: {_MAX_TARGET} "
            f"characters)"
        )
    return target


def _query(settings: Settings, operation: Operation[T]) -> str:
    # Resolve the names separately from the values, so that the traceback of an error about a missing name can't show
    # a card number (H31).
    names = [resolve(settings, name) for name in map(itemgetter(0), operation.query)]
    values = map(itemgetter(1), operation.query)
    return "&".join(
        [f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in zip(names, values, strict=True)]
    )


def body_of(settings: Settings, operation: Operation[T]) -> Content | None:
    """Return the body that every attempt sends, compressed if the client compresses requests."""
    body = operation.body
    if body is None or not settings.compress:
        return body
    return Content.of(partial(compress, body))


def fixed_headers(settings: Settings, operation: Operation[T], body: Content | None) -> list[RawHeader]:
    """Return the headers that don't change between attempts, without the credential."""
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
        # The account-lifecycle API rejects requests without `Content-Type`, even if the request has no body.
        headers.append(("Content-Type", "application/json"))
    if settings.group == "billing":
        if settings.api_version is not None:
            headers.append(("X-API-Version", settings.api_version))
        if settings.compress if has_body else settings.send_gzip_header:
            # According to the specification, the service compresses a response only if the request has the header
            # `Content-Encoding`. If a request has an uncompressed body, leave out `Content-Encoding`, because the
            # header would describe the body incorrectly (H46).
            headers.append(("Content-Encoding", "gzip"))
    return encoded(headers)


def _extra_headers(settings: Settings, operation: Operation[T]) -> list[RawHeader]:
    names = [resolve(settings, name) for name in map(itemgetter(0), operation.headers)]
    replaced = {name.lower() for name in names}
    headers = list(zip(names, map(itemgetter(1), operation.headers), strict=True))
    return encoded(headers + [(name, value) for name, value in settings.headers if name.lower() not in replaced])


def encoded(headers: list[tuple[str, str]]) -> list[RawHeader]:
    """Encode header names and values, which contain only ASCII characters."""
    return [(name.encode("ascii"), value.encode("ascii")) for name, value in headers]


def timeouts_of(settings: Settings, end: float | None) -> dict[str, float]:
    """Return the timeout of each step, in seconds, cut to the time that is left until the call's deadline."""
    longest, by_step = seconds_by_step(settings.timeouts)
    left = longest if end is None else end - settings.clock.monotonic()
    if left >= longest:
        return by_step
    return {name: min(seconds, max(left, 0.001)) for name, seconds in by_step.items()}
