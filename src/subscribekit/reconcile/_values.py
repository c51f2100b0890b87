"""Parses the values of rows, and converts values to the forms in which the SDK compares and stores them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import MAXYEAR, UTC, date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Literal, NoReturn, TypeAlias, cast

from .._csv import without_apostrophe
from ..models._base import Model
from ..models._fields import wire_names

Kind: TypeAlias = Literal["text", "texts", "number", "time", "date_or_time", "flag", "json", "own"]
"""The kind of a field's values. `texts` means objects whose values are strings. `own` means results of a function that
the caller passed."""
Text: TypeAlias = str | tuple[str, ...] | None
"""The text form of a value, which is the same for equal values. A list becomes the sorted texts of its distinct
elements."""

_MOST_DIGITS = 1_000
LARGEST = 10**_MOST_DIGITS
"""Integers in rows must be smaller than this limit, because Python refuses to convert very long integers to text."""
_FINER = re.compile(r"[.,]\d{6}(\d+)")
"""The digits of a time after the microseconds."""
_DAY = timedelta(days=1)


class RefusedValueError(ValueError):
    """A value of a row can't be compared. The error message doesn't contain the value."""


def parse(kind: Kind, value: object) -> object:
    """Parse a value of a row.

    Raises:
        RefusedValueError: The value can't be parsed as a value of the given kind.
    """
    if value is None or (isinstance(value, str) and value == "" and kind != "text"):
        return None
    if kind == "text" and isinstance(value, date):
        raise RefusedValueError(f"the field is text, so the value must be a string, not {type(value).__name__}")
    return _PARSERS[kind](checked(value))


def checked(value: object) -> object:
    """Return a value from the caller in the form that the SDK compares and stores.

    Raises:
        RefusedValueError: The value, or a value within it, can't be compared.
    """
    if isinstance(value, str):
        return str.__str__(value)  # convert an instance of a subclass, such as `numpy.str_`, to a plain string
    if isinstance(value, Enum):
        return checked(value.value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | Decimal):
        return _checked_number(value)
    if isinstance(value, datetime):
        return _checked_time(value)
    if isinstance(value, date):
        return value
    if isinstance(value, float):
        raise RefusedValueError("a float isn't exact; pass a Decimal, a string, or None for an absent value")
    return _checked_structure(value)


def _checked_number(value: int | Decimal) -> int | Decimal:
    too_large = abs(value) >= LARGEST if isinstance(value, int) else not _is_moderate(value)
    if too_large:
        raise RefusedValueError("a number must be finite, with at most 1,000 digits")
    return value


def _is_moderate(value: Decimal) -> bool:
    return value.is_finite() and abs(value.adjusted()) <= _MOST_DIGITS


def _checked_time(value: datetime) -> datetime | str:
    """Return a plain datetime, or text if the time has nanoseconds, because a datetime can't contain nanoseconds."""
    nanoseconds = cast("int", getattr(value, "nanosecond", 0))  # pandas.Timestamp has the attribute `nanosecond`
    if type(value) is not datetime:
        try:
            value = datetime.combine(value.date(), value.timetz())
        except ValueError:
            raise RefusedValueError(f"{type(value).__name__} isn't a time; pass None for an absent value") from None
    if value.utcoffset() is None:
        raise RefusedValueError("a datetime must have a time zone, such as tzinfo=UTC")
    return _with_digits(value, f"{nanoseconds:03}")


def _with_digits(value: datetime, digits: str) -> datetime | str:
    """Add the digits after the microseconds, unless these digits are zeros."""
    digits = digits.rstrip("0")
    if not digits:
        return value
    head, _, zone = _instant(value, "microseconds").rpartition("+")
    return f"{head}{digits}+{zone}"


def _checked_structure(value: object) -> object:
    if isinstance(value, Model):
        return {name: checked(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, Mapping):
        content = cast("Mapping[object, object]", value)
        return {_name(name): checked(each) for name, each in content.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(checked, cast("Iterable[object]", value)), key=_json_text)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [checked(each) for each in cast("Sequence[object]", value)]
    raise RefusedValueError(f"a value of type {type(value).__name__} can't be compared; pass a string")


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise RefusedValueError(f"the names in an object must be strings, not {type(value).__name__}")
    return str.__str__(value)


def _parse_text(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise RefusedValueError(f"the field is text, so the value must be a string, not {type(value).__name__}")
    return value


def _parse_number(value: object) -> object:
    if isinstance(value, str):
        try:
            value = Decimal(value.strip())
        except InvalidOperation:
            value = None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise RefusedValueError("a number must be a Decimal, an integer, or a string such as '9.99'")
    return _checked_number(value)


def _parse_time(value: object) -> object:
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            raise RefusedValueError(
                "a time must be a datetime or an ISO 8601 string, such as 2026-01-01T00:00:00Z"
            ) from None
        if moment.utcoffset() is None:
            raise RefusedValueError("a time must have an offset, such as 2026-01-01T00:00:00+00:00")
        finer = _FINER.search(value)  # `fromisoformat` ignores the digits after the microseconds
        return _with_digits(moment, finer[1] if finer else "")
    if not isinstance(value, datetime):
        raise RefusedValueError(f"a time must be a datetime or an ISO 8601 string, not {type(value).__name__}")
    return value


def _parse_date_or_time(value: object) -> object:
    if isinstance(value, str) and len(value) == len("2026-01-01"):
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise RefusedValueError("a date must be a date object or an ISO 8601 string, such as 2026-01-31") from None
    return value if isinstance(value, date) else _parse_time(value)


def _parse_flag(value: object) -> object:
    if not isinstance(value, bool) and not (type(value) is int and value in (0, 1)):
        raise RefusedValueError(f"a Boolean must be True or False, not {type(value).__name__}")
    return bool(value)


def _parse_json(value: object) -> object:
    if isinstance(value, str):
        try:
            return checked(_decoded(value))
        except json.JSONDecodeError:
            return value  # if the text isn't JSON, keep it as plain text
    return value


def _decoded(text: str) -> object:
    """Parse a text as JSON. Raise `JSONDecodeError` if the text isn't standard JSON."""

    def refuse(constant: str) -> NoReturn:
        raise json.JSONDecodeError(f"{constant} is not standard JSON", text, 0)

    found: object = json.loads(text, parse_float=Decimal, parse_int=_whole, parse_constant=refuse)
    return found


def _whole(digits: str) -> int | Decimal:
    return Decimal(digits) if len(digits) > _MOST_DIGITS else int(digits)


def _parse_texts(value: object) -> object:
    """Parse an object whose values are strings. If a value is a number, convert it to text."""
    found = _parse_json(value)
    if not isinstance(found, dict):
        return found
    texts = cast("dict[str, object]", found)
    return {
        name: str(each) if isinstance(each, int | Decimal) and not isinstance(each, bool) else each
        for name, each in texts.items()
    }


def _parse_own(value: object) -> object:
    return value


_PARSERS: Mapping[Kind, Callable[[object], object]] = {
    "text": _parse_text,
    "texts": _parse_texts,
    "number": _parse_number,
    "time": _parse_time,
    "date_or_time": _parse_date_or_time,
    "flag": _parse_flag,
    "json": _parse_json,
    "own": _parse_own,
}


def elements(value: object) -> list[object] | None:
    """Parse the value of a row that is compared with a list. If the value is text, the text must be a JSON array.

    Raises:
        RefusedValueError: The value isn't a list.
    """
    if isinstance(value, str):
        if not value:
            return None
        try:
            value = _decoded(value)
        except json.JSONDecodeError:
            raise RefusedValueError('a list that is written as text must be a JSON array, such as ["a", "b"]') from None
    if value is None:
        return None
    kind: type[object] = type(value)
    if issubclass(kind, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise RefusedValueError(
            f"the field is a list, so the value must be a list, a tuple, a set, or a JSON array, not {kind.__name__}"
        )
    return list(cast("Iterable[object]", value))


def text_of(value: object, *, scale: bool) -> str | None:
    """Return the text form of a value, so that equal values have the same text.

    Raises:
        RefusedValueError: The value, or a value within it, has a type that can't be compared.
    """
    if value is None:
        return None
    if isinstance(value, str):
        return without_apostrophe(str.__str__(value))
    if isinstance(value, Enum):
        return text_of(value.value, scale=scale)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Decimal):
        return _number(Decimal(value), scale=scale)
    if isinstance(value, datetime):
        return _instant(value)
    if isinstance(value, date):  # as in timestamp fields, a date means midnight in UTC
        return datetime.combine(value, time(), UTC).isoformat()
    return _json_text(value)


def _instant(value: datetime, timespec: str = "auto") -> str:
    """Return the text of a time in UTC.

    Unlike a `datetime`, the text can contain the year 0 or 10000.
    """
    try:
        return value.astimezone(UTC).isoformat(timespec=timespec)
    except OverflowError:
        day, shifted = ("+10000-01-01", value - _DAY) if value.year == MAXYEAR else ("0000-12-31", value + _DAY)
        return f"{day}T{shifted.astimezone(UTC).timetz().isoformat(timespec)}"


def _number(value: Decimal, *, scale: bool) -> str:
    text = format(value or value.copy_abs(), "f")  # format -0 as 0, because the two numbers are equal
    return text.rstrip("0").rstrip(".") if not scale and "." in text else text


def _json_text(value: object) -> str:
    """Return a list or an object as JSON, with sorted names. Equal numbers have the same text."""
    return json.dumps(_comparable(value), sort_keys=True)


def _comparable(value: object) -> object:
    if isinstance(value, Model):
        return _comparable({name: getattr(value, name) for name in type(value).model_fields})
    if isinstance(value, Mapping):
        content = cast("Mapping[object, object]", value)
        return {str(name): _comparable(each) for name, each in content.items() if each is not None}
    if isinstance(value, set | frozenset):
        return sorted(map(_comparable, cast("Iterable[object]", value)), key=json.dumps)
    if isinstance(value, Enum):
        return _comparable(value.value)
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_comparable(each) for each in cast("Sequence[object]", value)]
    if isinstance(value, int | Decimal):
        return [_number(Decimal(value), scale=False)]
    if isinstance(value, date):
        return text_of(value, scale=False)
    raise RefusedValueError(f"a value of type {type(value).__name__} can't be compared")


_TAGS: Mapping[str, tuple[type, Callable[[str], object]]] = {
    "$decimal": (Decimal, Decimal),
    "$time": (datetime, datetime.fromisoformat),
    "$date": (date, date.fromisoformat),
}
"""For each type that JSON doesn't have, the tag, the class, and the function that parses the text."""
_OBJECT = "$object"
"""The tag of a mapping. A mapping is stored as a list of pairs, so that none of its names can be mistaken for a tag."""


def packed(values: Iterable[object]) -> str:
    """Return values as text, which `unpacked` can read."""
    return json.dumps([_pack(each) for each in values])


def _pack(value: object) -> object:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Enum):
        return _pack(value.value)
    if isinstance(value, int):
        return value if abs(value) < LARGEST else _pack(Decimal(value))
    for tag, (kind, _) in _TAGS.items():
        if isinstance(value, kind):
            return {tag: str(value)}
    if isinstance(value, Mapping):
        return {_OBJECT: [[str(name), _pack(each)] for name, each in cast("Mapping[object, object]", value).items()]}
    if isinstance(value, set | frozenset):
        return sorted(map(_pack, cast("Iterable[object]", value)), key=json.dumps)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_pack(each) for each in cast("Sequence[object]", value)]
    return str(value)  # for a resource, `str` masks the personal fields


def unpacked(text: str) -> list[object]:
    """Return the values in a text that `packed` returned."""
    found: list[object] = json.loads(text, object_hook=_unpack)
    return found


def _unpack(found: dict[str, object]) -> object:
    ((tag, content),) = found.items()
    if tag == _OBJECT:
        return dict(cast("list[tuple[str, object]]", content))
    return _TAGS[tag][1](str(content))


def wire_value(value: object) -> object:
    """Convert a value of a response, so that each resource becomes an object with wire names.

    Unlike `model_dump`, this function doesn't convert times and amounts.
    """
    if isinstance(value, Model):
        names = wire_names(type(value))
        known = {names[name]: getattr(value, name) for name in names if name in value.model_fields_set}
        return wire_value({**known, **(value.model_extra or {})})
    if isinstance(value, Mapping):
        return {name: wire_value(each) for name, each in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [wire_value(each) for each in cast("Iterable[object]", value)]
    return value
