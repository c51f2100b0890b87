"""The plain values the sandbox keeps and sends: their types, and reading them out of texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import TypeAlias, TypeVar, cast

from .._sandbox_value import Link as Link  # noqa: PLC0414  checkers then see that others may import it from here
from .._sandbox_value import Value as Value  # noqa: PLC0414

T = TypeVar("T")


Document: TypeAlias = dict[str, Value]

MAX_AMOUNT = 10**12
"""The largest amount: its product with the largest quantity still has all its digits."""
MAX_DECIMALS = 12
LAST_TIME = datetime.max.replace(tzinfo=UTC)
"""The time of what is due after the year 9999."""
_FIRST_TIME = datetime.min.replace(tzinfo=UTC)
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?", re.ASCII)

_BOOLEANS: dict[str | int, bool] = {
    **dict.fromkeys((1, "1", "true", "yes"), True),
    **dict.fromkeys((0, "0", "false", "no"), False),
}


def copied(value: T) -> T:
    """Return a copy that shares only what cannot change."""
    if isinstance(value, dict):
        return cast("T", {name: copied(each) for name, each in cast("dict[object, object]", value).items()})
    if isinstance(value, list):
        return cast("T", [copied(each) for each in cast("list[object]", value)])
    if isinstance(value, set):
        return cast("T", set(cast("set[object]", value)))
    return value


def text(document: Document, name: str) -> str:
    """Return a text of a document, empty when it has none."""
    value = document.get(name)
    return value if isinstance(value, str) else ""


def keys_of(document: Document) -> set[str]:
    """Return what a document can be named by: its id and its vid."""
    return {text(document, "id"), text(document, "vid")} - {""}


def nested(document: Document, name: str) -> Document:
    """Return a nested document, empty when there is none."""
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def documents(document: Document, name: str) -> list[Document]:
    """Return the nested documents of a list, empty when there is none."""
    value = document.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def link(document: Document, name: str) -> Link | None:
    """Return a link of a document."""
    value = document.get(name)
    return value if isinstance(value, Link) else None


def timestamp(document: Document, name: str) -> datetime | None:
    """Return a timestamp of a document."""
    value = document.get(name)
    return value if isinstance(value, datetime) else None


def is_within(document: Document, at: datetime, starts: str = "starts", ends: str = "ends") -> bool:
    """Tell whether a time lies between two timestamps of a document; one that it does not have is no limit."""
    first, last = timestamp(document, starts), timestamp(document, ends)
    return (first is None or first <= at) and (last is None or at <= last)


def amount(document: Document, name: str) -> Decimal | None:
    """Return an exact number of a document."""
    value = document.get(name)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return Decimal(value)


def whole(document: Document, name: str, default: int = 0) -> int:
    """Return an integer of a document."""
    value = document.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def value_list(items: Iterable[Value]) -> list[Value]:
    """Return the items as a list of values (a list of a narrower type is not one)."""
    return list(items)


def read_boolean(value: Value) -> bool | None:
    """Read a boolean in any of the accepted spellings: true/false, 1/0, and their texts; `None` when it is none."""
    if isinstance(value, str):
        return _BOOLEANS.get(value.lower())
    return _BOOLEANS.get(value) if isinstance(value, int) else None


def read_number(value: Value) -> Decimal | None:
    """Read an exact number, also when sent as text; `None` when it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Decimal):
        return Decimal(value)
    return Decimal(value.strip()) if isinstance(value, str) and _NUMBER.fullmatch(value.strip()) else None


def read_integer(value: Value) -> int | None:
    """Read a whole number, also when sent as text; `None` when it is none."""
    number = read_number(value)
    return int(number) if number is not None and number == number.to_integral_value() else None


def read_timestamp(value: Value) -> datetime | None:
    """Read an ISO 8601 timestamp or date of any time zone as UTC; `None` when it is none.

    A time without a zone is taken as UTC here; the platform's own zone for it is not specified.
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
    except (
        OverflowError
    ):  # UTC has another day there: the first one of the year 10000, or the last one before the year 1
        return LAST_TIME if parsed.year == LAST_TIME.year else _FIRST_TIME


def later(at: datetime, by: timedelta) -> datetime:
    """Return a time after another one, at most `LAST_TIME`."""
    return at + by if by < LAST_TIME - at else LAST_TIME


def show_timestamp(value: datetime) -> str:
    """Write a timestamp in UTC, to the second, as every response of the platform does."""
    return value.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def epoch_millis(value: datetime) -> int:
    """Return the epoch milliseconds of group C."""
    return int(value.timestamp()) * 1000


def end_of_day(day: date) -> datetime:
    """Return the last second of a day in UTC."""
    return datetime.combine(day, time(23, 59, 59), tzinfo=UTC)


def start_of_day(day: date) -> datetime:
    """Return the first second of a day in UTC."""
    return datetime.combine(day, time(0), tzinfo=UTC)
