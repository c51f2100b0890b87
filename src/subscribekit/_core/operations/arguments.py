"""Checks the arguments of calls, and converts them for paths and queries."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TypeAlias

from ..._datetimes import is_time
from ...errors import InvalidArgumentError
from ...models._base import Model
from ...models._identifiers import MAX_IDENTIFIER, RULE, fits_a_path

QueryScalar: TypeAlias = str | int | bool | datetime
QueryValue: TypeAlias = QueryScalar | None
QueryParams: TypeAlias = Mapping[str, QueryValue | Sequence[QueryScalar]]
"""The caller's query parameters. A parameter has one value or several values, or is omitted if the value is `None`."""


@dataclass(slots=True, eq=False, repr=False)
class Wire:
    """A reference to a field of `WireNames`, from which the client gets a wire name."""

    field: str


Pairs: TypeAlias = tuple[tuple[str | Wire, str], ...]
"""Names and values of a query or of headers, in the order in which they're sent."""


_PLACEHOLDER = re.compile(r"\{(\w+)(?::(\d+))?\}")
_WORD = re.compile(r"[a-zA-Z_]+|v\d+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
MAX_TEXT = 1024


@lru_cache(1024)  # the cache is bounded, because `own_path` creates templates from the caller's paths
def _parse(template: str) -> tuple[str, tuple[str, ...], tuple[tuple[int, str, int], ...]]:
    """Return the template without the limits of its placeholders, its segments, and the placeholders.

    Each placeholder is described by its index, its name, and its limit.
    """
    segments = template.strip("/").split("/")
    places: list[tuple[int, str, int]] = []
    for at, segment in enumerate(segments):
        if match := _PLACEHOLDER.fullmatch(segment):
            places.append((at, _snake(match[1]), int(match[2] or MAX_IDENTIFIER)))
    return _PLACEHOLDER.sub(r"{\1}", template), tuple(segments), tuple(places)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def identifier(name: str, value: object, maximum: int = MAX_IDENTIFIER) -> str:
    """Check an `id` or `vid`, and return it (H40, H41). The value must be one path segment, even after decoding.

    Raises:
        InvalidArgumentError: The value isn't a string, is empty or too long, or contains a character that has a special
            meaning in URLs.
    """
    if not isinstance(value, str):
        unsaved = ". A resource has no id until the service returns it" if value is None else ""
        raise InvalidArgumentError(f"{name} must be a string, not {type(value).__name__}{_instead_of(value)}{unsaved}")
    if not 1 <= len(value) <= maximum:
        raise InvalidArgumentError(f"{name} must have 1 to {maximum} characters")
    if not fits_a_path(value):
        raise InvalidArgumentError(f"{name} must {RULE}")
    return str.__str__(value)


def _instead_of(value: object) -> str:
    """Return the advice for a value that should be a string, as the end of an error message."""
    if isinstance(value, Model):
        return "; pass its `id`"
    if isinstance(value, int) and not isinstance(value, bool):
        return "; convert it with str(...)"
    return ""


def path(template: str, *values: str) -> tuple[str, tuple[str, ...], str | None]:
    """Fill a path template. A placeholder accepts up to 128 characters, or a limit of its own, such as 36 in `{id:36}`.

    Returns:
        The template without the limits of its placeholders, the path segments, and the last identifier in the path.
    """
    clean, parts, places = _parse(template)
    segments = list(parts)
    last: str | None = None
    for (at, name, maximum), value in zip(places, values, strict=True):
        segments[at] = last = identifier(name, value, maximum)
    return clean, tuple(segments), last


def number_or_text(name: str, value: object) -> str:
    """Convert an identifier to a string, because responses of the account-lifecycle API contain numbers as identifiers.

    The function `path` checks the returned string.

    Raises:
        InvalidArgumentError: The value isn't a string or an integer, or is an integer of more than 128 digits. A
            Boolean isn't accepted.
    """
    if type(value) is int and abs(value) < 10**MAX_IDENTIFIER:  # str() raises an error if an integer is very long
        return str(value)
    if not isinstance(value, str):
        raise InvalidArgumentError(f"{name} must be a string or an integer of at most {MAX_IDENTIFIER} digits")
    return str.__str__(value)


def own_path(value: str) -> tuple[str, ...]:
    """Split the caller's path, which is relative to the base URL, into its segments.

    Raises:
        InvalidArgumentError: The value is an absolute URL or doesn't start with `/`. The SDK also raises
            `InvalidArgumentError` if the path contains `?`, `#`, `%`, a backslash, an empty segment, or a dot segment.
    """
    if not isinstance(value, str) or not value.startswith("/") or value.startswith("//"):
        raise InvalidArgumentError("path must start with '/', but not with '//', and can't be an absolute URL")
    if "?" in value:
        raise InvalidArgumentError("path must not contain a query; pass params={'name': 'value'}")
    return tuple(identifier("a segment of path", each, MAX_TEXT) for each in value[1:].split("/"))


def is_word(segment: str) -> bool:
    """Return whether a path segment is a fixed part of a path: letters and `_`, or a version such as `v85`."""
    return _WORD.fullmatch(segment) is not None


def own_template(value: str) -> tuple[str, tuple[str, ...]]:
    """Return a template for the caller's path, and the identifiers that fill the template."""
    segments = own_path(value)
    parts = [each if is_word(each) else f"{{segment:{MAX_TEXT}}}" for each in segments]
    return "/" + "/".join(parts), tuple(each for each in segments if not is_word(each))


def text(name: str, value: str, maximum: int = MAX_TEXT, *, minimum: int = 1) -> str:
    """Check a string argument, and return it.

    Raises:
        InvalidArgumentError: The value isn't a string, has too few or too many characters, or contains a control
            character or a lone surrogate.
    """
    if not isinstance(value, str):
        raise InvalidArgumentError(f"{name} must be a string, not {type(value).__name__}{_instead_of(value)}")
    if not minimum <= len(value) <= maximum:
        raise InvalidArgumentError(f"{name} must have {minimum} to {maximum} characters")
    if _CONTROL.search(value):
        raise InvalidArgumentError(f"{name} must not contain control characters or lone surrogates")
    return str.__str__(value)  # this call returns a plain string, even for an instance of a subclass of str


def whole_number(name: str, value: int, minimum: int, maximum: int | None = None) -> int:
    """Check an integer argument, and return it."""
    if type(value) is not int or value < minimum or (maximum is not None and value > maximum):
        bound = f"from {minimum} to {maximum}" if maximum is not None else f"of at least {minimum}"
        raise InvalidArgumentError(f"{name} must be an integer {bound}{_page_size_advice(name, value, maximum)}")
    return value


def _page_size_advice(name: str, value: object, maximum: int | None) -> str:
    if name in ("limit", "size") and type(value) is int and maximum is not None and value > maximum:
        return "; it's the page size, and .take(n) returns the first n items of a list"
    return ""


def timestamp(name: str, value: datetime) -> str:
    """Format a point in time in ISO 8601 with its offset. A time without a time zone raises an error."""
    if not is_time(value) or value.utcoffset() is None:
        advice = "pass a value such as datetime(2026, 1, 31, tzinfo=UTC)"
        if is_time(value):
            advice = "pass datetime.now(UTC), or add the zone with .replace(tzinfo=UTC)"
        raise InvalidArgumentError(f"{name} must be a datetime with a time zone; {advice}")
    return value.isoformat()


def flag(name: str, value: bool) -> bool:
    """Check a Boolean argument, and return it. Numbers such as 1 and 0 raise an error."""
    if type(value) is not bool:
        raise InvalidArgumentError(f"{name} must be True or False")
    return value


def query(
    *,
    texts: Mapping[str, str | None] | None = None,
    timestamps: Mapping[str, datetime | None] | None = None,
    identifiers: Mapping[str, str | None] | None = None,
    flags: Mapping[str, bool | None] | None = None,
    wire: str | None = None,
) -> Pairs:
    """Convert arguments to query pairs, and omit arguments that are `None`.

    Args:
        texts: Strings of at most 1,024 characters.
        timestamps: Points in time, sent in ISO 8601 with their offset.
        identifiers: IDs of at most 128 characters. In a query, IDs may contain any character except control characters.
        flags: Booleans, sent as 1 and 0.
        wire: Prefix of the fields in `WireNames` that contain the wire names, or `None` if the names of the arguments
            are the wire names.

    Raises:
        InvalidArgumentError: A value has the wrong type, or exceeds its limit. The message names the argument.
    """
    given = {name: text(name, value) for name, value in (texts or {}).items() if value is not None}
    given |= {name: timestamp(name, value) for name, value in (timestamps or {}).items() if value is not None}
    given |= {name: text(name, each, MAX_IDENTIFIER) for name, each in (identifiers or {}).items() if each is not None}
    given |= {name: str(int(flag(name, each))) for name, each in (flags or {}).items() if each is not None}
    return tuple((Wire(f"{wire}_{name}") if wire else name, value) for name, value in given.items())


def free_query(arguments: QueryParams) -> Pairs:
    """Convert the parameters of a generic call to query pairs, by the type of each value.

    If a parameter has several values, the query repeats the parameter. An empty list raises an error, because the
    query would silently lose the filter.
    """
    if not isinstance(arguments, Mapping):
        raise InvalidArgumentError(f"params must be a mapping of names to values, not {type(arguments).__name__}")
    pairs: list[tuple[str | Wire, str]] = []
    for given, value in arguments.items():
        name = text("the name of a query parameter", given)
        if value is None:
            continue
        several = value if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray) else (value,)
        if not several:
            raise InvalidArgumentError(f"{name} must not be an empty list; pass None to leave the parameter out")
        pairs += [(name, _query_value(name, each)) for each in several]
    return tuple(pairs)


def _query_value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int) and abs(value) < 10**MAX_TEXT:
        return str(int(value))  # str() of an enum member would return the member's name
    if is_time(value):
        return timestamp(name, value)
    if not isinstance(value, str):
        raise InvalidArgumentError(f"{name} must be a string, an integer, a Boolean, a datetime, or a list of these")
    return text(name, value, minimum=0)
