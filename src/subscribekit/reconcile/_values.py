"""Values of both sides in one form: reads the values of rows, compares values, and writes them into the file."""

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
"""The kind of a field; `texts` is an object of texts, and `own` is the result of a function of the caller."""
Text: TypeAlias = str | tuple[str, ...] | None
"""A value as it is compared; of a list the set of its elements."""

_MOST_DIGITS = 1_000
LARGEST = 10**_MOST_DIGITS
"""Whole numbers of rows are smaller, because Python refuses to write very long ones."""
_FINER = re.compile(r"[.,]\d{6}(\d+)")
"""The digits of a time beyond its microseconds."""
_DAY = timedelta(days=1)


class RefusedValueError(ValueError):
    """A value of a row that cannot be compared; the text does not hold it."""


# Rows


def parse(kind: Kind, value: object) -> object:
    """Read a value of a row.

    Raises:
        RefusedValueError: It is of another kind.
    """
    if value is None or (isinstance(value, str) and value == "" and kind != "text"):
        return None
    if kind == "text" and isinstance(value, date):
        raise RefusedValueError(f"a text is compared with a text, not with {type(value).__name__}")
    return _PARSERS[kind](checked(value))


def checked(value: object) -> object:
    """Return a value of the caller in the one form in which it's compared and stored.

    Raises:
        RefusedValueError: The value, or a value within it, cannot be compared.
    """
    if isinstance(value, str):
        return str.__str__(value)  # of a subclass, such as numpy's or an enumeration, the text alone
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
        raise RefusedValueError("a float is not exact; give a Decimal, a text, or None for an absent value")
    return _checked_structure(value)


def _checked_number(value: int | Decimal) -> int | Decimal:
    too_large = abs(value) >= LARGEST if isinstance(value, int) else not _is_moderate(value)
    if too_large:
        raise RefusedValueError("a number must be finite, of at most 1,000 digits")
    return value


def _is_moderate(value: Decimal) -> bool:
    return value.is_finite() and abs(value.adjusted()) <= _MOST_DIGITS


def _checked_time(value: datetime) -> datetime | str:
    """Return a plain datetime, or text if the time has nanoseconds, which a datetime can't hold."""
    nanoseconds = cast("int", getattr(value, "nanosecond", 0))  # a Timestamp of pandas has this attribute
    if type(value) is not datetime:
        try:
            value = datetime.combine(value.date(), value.timetz())
        except ValueError:
            raise RefusedValueError(f"{type(value).__name__} is no time; give None for an absent value") from None
    if value.utcoffset() is None:
        raise RefusedValueError("a datetime must have a time zone, such as tzinfo=UTC")
    return _with_digits(value, f"{nanoseconds:03}")


def _with_digits(value: datetime, digits: str) -> datetime | str:
    """Add the digits beyond the microseconds, if they aren't zeros."""
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
    raise RefusedValueError(f"a value of type {type(value).__name__} cannot be compared; give a text")


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise RefusedValueError(f"the names in an object must be text, not {type(value).__name__}")
    return str.__str__(value)


def _parse_text(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise RefusedValueError(f"a text is compared with a text, not with {type(value).__name__}")
    return value


def _parse_number(value: object) -> object:
    if isinstance(value, str):
        try:
            value = Decimal(value.strip())
        except InvalidOperation:
            value = None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise RefusedValueError("a number is compared with a Decimal, a whole number or the text of one")
    return _checked_number(value)


def _parse_time(value: object) -> object:
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            raise RefusedValueError("a time is compared with a datetime or a text in ISO 8601") from None
        if moment.utcoffset() is None:
            raise RefusedValueError("a time as text must have an offset, such as 2026-01-01T00:00:00+00:00")
        finer = _FINER.search(value)  # Python drops these digits
        return _with_digits(moment, finer[1] if finer else "")
    if not isinstance(value, datetime):
        raise RefusedValueError(f"a time is compared with a datetime, not with {type(value).__name__}")
    return value


def _parse_date_or_time(value: object) -> object:
    if isinstance(value, str) and len(value) == len("2026-01-01"):
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise RefusedValueError("a date is compared with a date or a text in ISO 8601") from None
    return value if isinstance(value, date) else _parse_time(value)


def _parse_flag(value: object) -> object:
    if not isinstance(value, bool) and not (type(value) is int and value in (0, 1)):
        raise RefusedValueError(f"True or False is compared with a boolean, not with {type(value).__name__}")
    return bool(value)


def _parse_json(value: object) -> object:
    if isinstance(value, str):
        try:
            return checked(_decoded(value))
        except json.JSONDecodeError:
            return value  # a value within an object may be a plain text
    return value


def _decoded(text: str) -> object:
    """Parse JSON; raises `JSONDecodeError`."""

    def refuse(constant: str) -> NoReturn:
        raise json.JSONDecodeError(f"{constant} is not standard JSON", text, 0)

    found: object = json.loads(text, parse_float=Decimal, parse_int=_whole, parse_constant=refuse)
    return found


def _whole(digits: str) -> int | Decimal:
    return Decimal(digits) if len(digits) > _MOST_DIGITS else int(digits)


def _parse_texts(value: object) -> object:
    """Read an object of texts, in which numbers count as texts, as they do in responses."""
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
    """Read the value of a row that is compared with a list; a text is a JSON array.

    Raises:
        RefusedValueError: It is no list.
    """
    if isinstance(value, str):
        if not value:
            return None
        try:
            value = _decoded(value)
        except json.JSONDecodeError:
            raise RefusedValueError('a list as text is a JSON array, such as ["a", "b"]') from None
    if value is None:
        return None
    kind: type[object] = type(value)
    if issubclass(kind, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise RefusedValueError(f"a list is compared with a list, a tuple or a set, not with {kind.__name__}")
    return list(cast("Iterable[object]", value))


# Both sides


def text_of(value: object, *, scale: bool) -> str | None:
    """Return the text that equal values have in common.

    Raises:
        RefusedValueError: It, or a value within it, is of a kind that cannot be compared.
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
    if isinstance(value, date):  # its midnight in UTC, as a field of timestamps reads one
        return datetime.combine(value, time(), UTC).isoformat()
    return _json_text(value)


def _instant(value: datetime, timespec: str = "auto") -> str:
    """Write a time in UTC, also one whose year in UTC is 0 or 10000."""
    try:
        return value.astimezone(UTC).isoformat(timespec=timespec)
    except OverflowError:
        day, shifted = ("+10000-01-01", value - _DAY) if value.year == MAXYEAR else ("0000-12-31", value + _DAY)
        return f"{day}T{shifted.astimezone(UTC).timetz().isoformat(timespec)}"


def _number(value: Decimal, *, scale: bool) -> str:
    text = format(value or value.copy_abs(), "f")  # a zero has no sign
    return text.rstrip("0").rstrip(".") if not scale and "." in text else text


def _json_text(value: object) -> str:
    """Write a structure with its names in order and numbers by value."""
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
    raise RefusedValueError(f"a value of type {type(value).__name__} cannot be compared")


# In the file


_TAGS: Mapping[str, tuple[type, Callable[[str], object]]] = {
    "$decimal": (Decimal, Decimal),
    "$time": (datetime, datetime.fromisoformat),
    "$date": (date, date.fromisoformat),
}
"""The kinds of values that JSON lacks: the name of each, and the function that reads its text."""
_OBJECT = "$object"
"""Holds the pairs of an object, so that no name in an object is taken for one of the tags."""


def packed(values: Iterable[object]) -> str:
    """Write values so that they can be read again."""
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
    return str(value)  # of a resource, the text masks personal fields


def unpacked(text: str) -> list[object]:
    """Read values that `packed` wrote."""
    found: list[object] = json.loads(text, object_hook=_unpack)
    return found


def _unpack(found: dict[str, object]) -> object:
    ((tag, content),) = found.items()
    if tag == _OBJECT:
        return dict(cast("list[tuple[str, object]]", content))
    return _TAGS[tag][1](str(content))


def wire_value(value: object) -> object:
    """Return a value of a response with resources in it as objects under their wire names, from which they're read.

    Unlike `model_dump`, it leaves times and amounts what they are.
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
