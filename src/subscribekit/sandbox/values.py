"""The types of the values that the sandbox stores and sends, and functions that parse values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import TypeAlias, TypeVar, cast

from .._sandbox_value import Link as Link  # noqa: PLC0414  marks the name as exported for type checkers
from .._sandbox_value import Value as Value  # noqa: PLC0414

T = TypeVar("T")


Document: TypeAlias = dict[str, Value]

MAX_AMOUNT = 10**12
"""The largest amount whose product with the largest quantity still fits the precision of the sandbox's arithmetic."""
MAX_DECIMALS = 12
LAST_TIME = datetime.max.replace(tzinfo=UTC)
"""The last time that Python's dates can represent, which the sandbox also uses for all later times."""
_FIRST_TIME = datetime.min.replace(tzinfo=UTC)
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?", re.ASCII)

_BOOLEANS: dict[str | int, bool] = {
    **dict.fromkeys((1, "1", "true", "yes"), True),
    **dict.fromkeys((0, "0", "false", "no"), False),
}


def copied(value: T) -> T:
    """Return a copy that shares only immutable values with the original."""
    if isinstance(value, dict):
        return cast("T", {name: copied(each) for name, each in cast("dict[object, object]", value).items()})
    if isinstance(value, list):
        return cast("T", [copied(each) for each in cast("list[object]", value)])
    if isinstance(value, set):
        return cast("T", set(cast("set[object]", value)))
    return value


def text(document: Document, name: str) -> str:
    """Return a string field of a document. If the field is missing or isn't a string, return an empty string."""
    value = document.get(name)
    return value if isinstance(value, str) else ""


def keys_of(document: Document) -> set[str]:
    """Return the identifiers of a document: its ID, its vid, both, or none."""
    return {text(document, "id"), text(document, "vid")} - {""}


def nested(document: Document, name: str) -> Document:
    """Return a nested document. If the field is missing or isn't a document, return an empty document."""
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def documents(document: Document, name: str) -> list[Document]:
    """Return the documents in a list field of a document, or an empty list."""
    value = document.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def link(document: Document, name: str) -> Link | None:
    """Return the link in a field of a document, or `None` if the field contains no link."""
    value = document.get(name)
    return value if isinstance(value, Link) else None


def timestamp(document: Document, name: str) -> datetime | None:
    """Return the timestamp in a field of a document, or `None` if the field contains no timestamp."""
    value = document.get(name)
    return value if isinstance(value, datetime) else None


def is_within(document: Document, at: datetime, starts: str = "starts", ends: str = "ends") -> bool:
    """Return whether a time is between two timestamps of a document.

    A missing first timestamp includes all earlier times, and a missing last timestamp includes all later times.
    """
    first, last = timestamp(document, starts), timestamp(document, ends)
    return (first is None or first <= at) and (last is None or at <= last)


def amount(document: Document, name: str) -> Decimal | None:
    """Return a number in a field of a document as an exact decimal, or `None` if the field contains no number."""
    value = document.get(name)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return Decimal(value)


def whole(document: Document, name: str, default: int = 0) -> int:
    """Return an integer in a field of a document, or a default value if the field contains no integer."""
    value = document.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def value_list(items: Iterable[Value]) -> list[Value]:
    """Return the items as a `list[Value]`, because type checkers don't accept a `list[str]` as a `list[Value]`."""
    return list(items)


def read_boolean(value: Value) -> bool | None:
    """Parse true or false, 1 or 0, or a string such as `yes` or `no`. Return `None` if the value isn't a Boolean."""
    if isinstance(value, str):
        return _BOOLEANS.get(value.lower())
    return _BOOLEANS.get(value) if isinstance(value, int) else None


def read_number(value: Value) -> Decimal | None:
    """Parse an exact number, which can be a string. Return `None` if the value isn't a number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Decimal):
        return Decimal(value)
    return Decimal(value.strip()) if isinstance(value, str) and _NUMBER.fullmatch(value.strip()) else None


def read_integer(value: Value) -> int | None:
    """Parse a whole number, which can be a string. Return `None` if the value isn't a whole number."""
    number = read_number(value)
    return int(number) if number is not None and number == number.to_integral_value() else None


def read_timestamp(value: Value) -> datetime | None:
    """Parse an ISO 8601 timestamp or date, and convert it to UTC. Return `None` for any other value.

    The sandbox assumes that a time without a time zone is in UTC, because the specification doesn't define the time
    zone.
    """
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        return None
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError:
        return None
    if parsed.tzinfo is None:
        return parsed.replace(tzinfo=UTC)
    try:
        return parsed.astimezone(UTC)
    except OverflowError:  # in UTC, the time is before the year 1 or after the year 9999
        return LAST_TIME if parsed.year == LAST_TIME.year else _FIRST_TIME


def later(at: datetime, by: timedelta) -> datetime:
    """Return the sum of a time and a duration, but at most `LAST_TIME`."""
    return at + by if by < LAST_TIME - at else LAST_TIME


def show_timestamp(value: datetime) -> str:
    """Format a timestamp in UTC without fractions of a second, as in all responses of the platform."""
    return value.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def epoch_millis(value: datetime) -> int:
    """Return a time in milliseconds since the epoch, which is the format of the account-lifecycle API."""
    return int(value.timestamp()) * 1000


def end_of_day(day: date) -> datetime:
    """Return the time 23:59:59 of a day in UTC."""
    return datetime.combine(day, time(23, 59, 59), tzinfo=UTC)


def start_of_day(day: date) -> datetime:
    """Return the time 00:00:00 of a day in UTC."""
    return datetime.combine(day, time(0), tzinfo=UTC)
