"""Arguments of calls: identifiers, texts, numbers, times and what they become in paths and queries."""

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
"""Query parameters of the caller's own: one value, several, or `None` for a parameter that is left out."""


@dataclass(slots=True, eq=False, repr=False)
class Wire:
    """A name that `WireNames` holds, by the name of its field there."""

    field: str


Pairs: TypeAlias = tuple[tuple[str | Wire, str], ...]
"""Names and texts of a query or of headers, in the order they are sent."""


_PLACEHOLDER = re.compile(r"\{(\w+)(?::(\d+))?\}")
_WORD = re.compile(r"[a-zA-Z_]+|v\d+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
MAX_TEXT = 1024


@lru_cache(1024)  # bounded: `own_path` makes templates from paths of the caller's
def _parse(template: str) -> tuple[str, tuple[str, ...], tuple[tuple[int, str, int], ...]]:
    """Return the template without limits, its segments, and place, name, and limit of each placeholder in them."""
    segments = template.strip("/").split("/")
    places: list[tuple[int, str, int]] = []
    for at, segment in enumerate(segments):
        if match := _PLACEHOLDER.fullmatch(segment):
            places.append((at, _snake(match[1]), int(match[2] or MAX_IDENTIFIER)))
    return _PLACEHOLDER.sub(r"{\1}", template), tuple(segments), tuple(places)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def identifier(name: str, value: object, maximum: int = MAX_IDENTIFIER) -> str:
    """Check an id or vid (H40, H41): text that stays one path segment whatever decodes it.

    Raises:
        InvalidArgumentError: Not text, empty, too long, or with a character that means something in a URL.
    """
    if not isinstance(value, str):
        unsaved = ", which an unsaved or unread resource has for an id" if value is None else ""
        raise InvalidArgumentError(f"{name} must be text, not {type(value).__name__}{_instead_of(value)}{unsaved}")
    if not 1 <= len(value) <= maximum:
        raise InvalidArgumentError(f"{name} must have 1 to {maximum} characters")
    if not fits_a_path(value):
        raise InvalidArgumentError(f"{name} must {RULE}")
    return str.__str__(value)


def _instead_of(value: object) -> str:
    """Say what to write where text has to be."""
    if isinstance(value, Model):
        return ": give its `id`"
    if isinstance(value, int) and not isinstance(value, bool):
        return ": write str(...) around it"
    return ""


def path(template: str, *values: str) -> tuple[str, tuple[str, ...], str | None]:
    """Fill a path template: `{payment}` takes up to 128 characters, `{id:36}` up to 36."""
    clean, parts, places = _parse(template)
    segments = list(parts)
    last: str | None = None
    for (at, name, maximum), value in zip(places, values, strict=True):
        segments[at] = last = identifier(name, value, maximum)
    return clean, tuple(segments), last


def number_or_text(name: str, value: object) -> str:
    """Write an identifier of group C, whose responses give numbers, as text; the path checks the text.

    Raises:
        InvalidArgumentError: Neither text nor a whole number (a boolean is none), or a number of over 128 digits.
    """
    if type(value) is int and abs(value) < 10**MAX_IDENTIFIER:  # without a bound, str() itself refuses long ones
        return str(value)
    if not isinstance(value, str):
        raise InvalidArgumentError(f"{name} must be text or a whole number of at most {MAX_IDENTIFIER} digits")
    return str.__str__(value)


def own_path(value: str) -> tuple[str, ...]:
    """Split a path of the caller's own, below the base address, into its segments.

    Raises:
        InvalidArgumentError: An absolute URL, or a path with `?`, `#`, `%`, a backslash or a dot segment.
    """
    if not isinstance(value, str) or not value.startswith("/") or value.startswith("//"):
        raise InvalidArgumentError("path must start with one '/'; absolute URLs are refused")
    if "?" in value:
        raise InvalidArgumentError("path must not hold a query: write params={'name': 'value'}")
    return tuple(identifier("a segment of path", each, MAX_TEXT) for each in value[1:].split("/"))


def is_word(segment: str) -> bool:
    """Whether a segment reads like a part of an interface rather than like an identifier: letters, or a version."""
    return _WORD.fullmatch(segment) is not None


def own_template(value: str) -> tuple[str, tuple[str, ...]]:
    """Make a template of a path of the caller's own, and give the identifiers that it leaves out."""
    segments = own_path(value)
    parts = [each if is_word(each) else f"{{segment:{MAX_TEXT}}}" for each in segments]
    return "/" + "/".join(parts), tuple(each for each in segments if not is_word(each))


def text(name: str, value: str, maximum: int = MAX_TEXT, *, minimum: int = 1) -> str:
    """Check a text argument: 1 to 1,024 characters (or `maximum`), encodable, no control characters."""
    if not isinstance(value, str):
        raise InvalidArgumentError(f"{name} must be text, not {type(value).__name__}{_instead_of(value)}")
    if not minimum <= len(value) <= maximum:
        raise InvalidArgumentError(f"{name} must have {minimum} to {maximum} characters")
    if _CONTROL.search(value):
        raise InvalidArgumentError(f"{name} must not contain control characters or lone surrogates")
    return str.__str__(value)  # of a subclass, such as those of NumPy, the text alone


def whole_number(name: str, value: int, minimum: int, maximum: int | None = None) -> int:
    """Check a whole number argument."""
    if type(value) is not int or value < minimum or (maximum is not None and value > maximum):
        bound = f"from {minimum} to {maximum}" if maximum is not None else f"of at least {minimum}"
        raise InvalidArgumentError(f"{name} must be a whole number {bound}{_of_a_page(name, value, maximum)}")
    return value


def _of_a_page(name: str, value: object, maximum: int | None) -> str:
    if name in ("limit", "size") and type(value) is int and maximum is not None and value > maximum:
        return "; it is the size of a page, and .take(n) gives the first n items of a list"
    return ""


def timestamp(name: str, value: datetime) -> str:
    """Write a point in time in ISO 8601 with its offset; one without a time zone is refused."""
    if not is_time(value) or value.utcoffset() is None:
        write = "datetime(2026, 1, 31, tzinfo=UTC)"
        if is_time(value):
            write = "datetime.now(UTC), or .replace(tzinfo=UTC)"
        raise InvalidArgumentError(f"{name} must be a datetime with a time zone: write {write}")
    return value.isoformat()


def flag(name: str, value: bool) -> bool:
    """Check a yes/no argument, which must be `True` or `False` and nothing that only looks like it."""
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
    """Turn arguments into query pairs; those that are `None` are left out.

    Args:
        texts: Texts of at most 1,024 characters.
        timestamps: Points in time, sent in ISO 8601 with offset.
        identifiers: Ids or vids of at most 128 characters; a query is no path, so any character but control ones.
        flags: Booleans, sent as 1 and 0.
        wire: Prefix of the fields in `WireNames` when the wire names are not the SDK's.

    Raises:
        InvalidArgumentError: A value of another kind, or over its limit; the text names the argument.
    """
    given = {name: text(name, value) for name, value in (texts or {}).items() if value is not None}
    given |= {name: timestamp(name, value) for name, value in (timestamps or {}).items() if value is not None}
    given |= {name: text(name, each, MAX_IDENTIFIER) for name, each in (identifiers or {}).items() if each is not None}
    given |= {name: str(int(flag(name, each))) for name, each in (flags or {}).items() if each is not None}
    return tuple((Wire(f"{wire}_{name}") if wire else name, value) for name, value in given.items())


def free_query(arguments: QueryParams) -> Pairs:
    """Turn the parameters of a call that the SDK has no method for into query pairs, each by its own type.

    Several values repeat their parameter. No value at all is refused: a filter would vanish without a word.
    """
    if not isinstance(arguments, Mapping):
        raise InvalidArgumentError(f"params must be a mapping of names and values, not {type(arguments).__name__}")
    pairs: list[tuple[str | Wire, str]] = []
    for given, value in arguments.items():
        name = text("the name of a query parameter", given)
        if value is None:
            continue
        several = value if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray) else (value,)
        if not several:
            raise InvalidArgumentError(f"{name} must not be an empty list; leave the parameter out, or pass None")
        pairs += [(name, _query_value(name, each)) for each in several]
    return tuple(pairs)


def _query_value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int) and abs(value) < 10**MAX_TEXT:
        return str(int(value))  # of a member of an enumeration, str() is the name
    if is_time(value):
        return timestamp(name, value)
    if not isinstance(value, str):
        raise InvalidArgumentError(f"{name} must be text, a whole number, a boolean, a datetime or a list of them")
    return text(name, value, minimum=0)
