"""Arguments of calls: identifiers, texts, numbers, times and what they become in paths and queries."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TypeAlias

from ...errors import RequestError
from ...models._identifiers import MAX_IDENTIFIER, RULE, fits_a_path

QueryValue: TypeAlias = str | int | bool | datetime | None


@dataclass(frozen=True, slots=True)
class Wire:
    """A name that `WireNames` holds, by the name of its field there."""

    field: str


Pairs: TypeAlias = tuple[tuple[str | Wire, str], ...]
"""Names and texts of a query or of headers, in the order they are sent."""


_PLACEHOLDER = re.compile(r"\{(\w+)(?::(\d+))?\}")
MAX_TEXT = 1024


@cache
def _parse(template: str) -> tuple[str, tuple[str | tuple[str, int], ...]]:
    parts: list[str | tuple[str, int]] = []
    for segment in template.strip("/").split("/"):
        match = _PLACEHOLDER.fullmatch(segment)
        parts.append((_snake(match[1]), int(match[2] or MAX_IDENTIFIER)) if match else segment)
    return _PLACEHOLDER.sub(r"{\1}", template), tuple(parts)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def identifier(name: str, value: object, maximum: int = MAX_IDENTIFIER) -> str:
    """Check an id or vid (H40, H41): text that stays one path segment whatever decodes it.

    Raises:
        RequestError: Not text, empty, too long, or with a character that means something in a URL.
    """
    if not isinstance(value, str):
        raise RequestError(f"{name} must be text, not {type(value).__name__}")
    if not 1 <= len(value) <= maximum:
        raise RequestError(f"{name} must have 1 to {maximum} characters")
    if not fits_a_path(value):
        raise RequestError(f"{name} must {RULE}")
    return value


def path(template: str, *values: str) -> tuple[str, tuple[str, ...], str | None]:
    """Fill a path template: `{payment}` takes up to 128 characters, `{id:36}` up to 36."""
    clean, parts = _parse(template)
    remaining = iter(values)
    segments = [part if isinstance(part, str) else identifier(part[0], next(remaining), part[1]) for part in parts]
    return clean, tuple(segments), values[-1] if values else None


def text(name: str, value: str, maximum: int = MAX_TEXT) -> str:
    """Check a text argument: 1 to 1,024 characters (or `maximum`), encodable, no control characters."""
    if not isinstance(value, str):
        raise RequestError(f"{name} must be text, not {type(value).__name__}")
    if not 1 <= len(value) <= maximum:
        raise RequestError(f"{name} must have 1 to {maximum} characters")
    if re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", value):
        raise RequestError(f"{name} must not contain control characters or lone surrogates")
    return value


def whole_number(name: str, value: int, minimum: int, maximum: int | None = None) -> int:
    """Check a whole number argument."""
    if type(value) is not int or value < minimum or (maximum is not None and value > maximum):
        bound = f"from {minimum} to {maximum}" if maximum is not None else f"of at least {minimum}"
        raise RequestError(f"{name} must be a whole number {bound}")
    return value


def moment(name: str, value: datetime) -> str:
    """Write a point in time in ISO 8601 with its offset; one without a time zone is refused."""
    if not isinstance(value, datetime) or value.utcoffset() is None:
        raise RequestError(f"{name} must be a datetime with a time zone")
    return value.isoformat()


def flag(name: str, value: bool) -> bool:
    """Check a yes/no argument, which must be `True` or `False` and nothing that only looks like it."""
    if type(value) is not bool:
        raise RequestError(f"{name} must be True or False")
    return value


def query(
    *,
    texts: Mapping[str, str | None] | None = None,
    moments: Mapping[str, datetime | None] | None = None,
    identifiers: Mapping[str, str | None] | None = None,
    flags: Mapping[str, bool | None] | None = None,
    wire: str | None = None,
) -> Pairs:
    """Turn arguments into query pairs; those that are `None` are left out.

    Args:
        texts: Texts of at most 1,024 characters.
        moments: Points in time, sent in ISO 8601 with offset.
        identifiers: Ids or vids of at most 128 characters.
        flags: Booleans, sent as 1 and 0.
        wire: Prefix of the fields in `WireNames` when the wire names are not the SDK's.

    Raises:
        RequestError: A value of another kind, or over its limit; the text names the argument.
    """
    given = {name: text(name, value) for name, value in (texts or {}).items() if value is not None}
    given |= {name: moment(name, value) for name, value in (moments or {}).items() if value is not None}
    for name, value in (identifiers or {}).items():
        if value is not None:
            given[name] = text(name, value, MAX_IDENTIFIER)
    for name, switched in (flags or {}).items():
        if switched is not None:
            given[name] = "1" if flag(name, switched) else "0"
    return tuple((Wire(f"{wire}_{name}") if wire else name, value) for name, value in given.items())


def free_query(arguments: Mapping[str, QueryValue]) -> Pairs:
    """Turn the parameters of a call that the SDK has no method for into query pairs, each by its own type."""
    pairs: list[tuple[str | Wire, str]] = []
    for name, value in arguments.items():
        text("the name of a query parameter", name)
        if isinstance(value, bool):
            pairs.append((name, "1" if value else "0"))
        elif isinstance(value, int):
            pairs.append((name, str(value)))
        elif isinstance(value, datetime):
            pairs.append((name, moment(name, value)))
        elif value is not None:
            pairs.append((name, text(name, value)))
    return tuple(pairs)
