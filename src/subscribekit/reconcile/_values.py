"""Values of both sides in one form: how a value of a row is read, when two values are equal, how one is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Literal, TypeAlias, cast

from ..models._base import Model

Kind: TypeAlias = Literal["text", "number", "time", "date_or_time", "flag", "json", "own"]
"""The kind of a field; `own` is the result of a function of the caller."""
Text: TypeAlias = str | tuple[str, ...] | None
"""A value as it is compared; of a list the set of its elements."""

_MOST_DIGITS = 1_000


class RefusedValueError(ValueError):
    """A value of a row that cannot be compared; the text does not hold it."""


# Rows


def parse(kind: Kind, value: object) -> object:
    """Read a value of a row.

    Raises:
        RefusedValueError: It is of another kind.
    """
    if value is None or (value == "" and isinstance(value, str) and kind != "text"):
        return None
    if isinstance(value, float):
        raise RefusedValueError("a float is not exact; give a Decimal or a text")
    if isinstance(value, datetime) and value.utcoffset() is None:
        raise RefusedValueError("a datetime must have a time zone, such as tzinfo=UTC")
    return _PARSERS[kind](value)


def _parse_text(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, str | int | Enum):
        raise RefusedValueError(f"a text is compared with a text, not with {type(value).__name__}")
    return value.value if isinstance(value, Enum) else value


def _parse_number(value: object) -> object:
    if isinstance(value, str):
        try:
            value = Decimal(value.strip())
        except InvalidOperation:
            value = None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise RefusedValueError("a number is compared with a Decimal, a whole number or the text of one")
    number = Decimal(value)
    if not number.is_finite() or abs(number.adjusted()) > _MOST_DIGITS:
        raise RefusedValueError("a number must be finite, of at most 1,000 digits")
    return value


def _parse_time(value: object) -> object:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise RefusedValueError("a time is compared with a datetime or a text in ISO 8601") from None
        if value.utcoffset() is None:
            raise RefusedValueError("a time as text must have an offset, such as 2026-01-01T00:00:00+00:00")
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
            return cast("object", json.loads(value, parse_float=Decimal))
        except ValueError:
            return value  # a value within an object may be a plain text
    return value


def _parse_own(value: object) -> object:
    return value


_PARSERS: Mapping[Kind, Callable[[object], object]] = {
    "text": _parse_text,
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
    if isinstance(value, str) and value:
        try:
            value = cast("object", json.loads(value, parse_float=Decimal))
        except ValueError:
            raise RefusedValueError('a list as text is a JSON array, such as ["a", "b"]') from None
    if value is None or value == "":
        return None
    kind: type[object] = type(value)
    if issubclass(kind, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise RefusedValueError(f"a list is compared with a list, a tuple or a set, not with {kind.__name__}")
    return list(cast("Iterable[object]", value))


# Both sides


def text_of(value: object, *, scale: bool) -> str | None:
    """Give the text that equal values have in common."""
    if value is None or isinstance(value, str):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Decimal):
        return _number(Decimal(value), scale=scale)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):  # its midnight in UTC, as a field of timestamps reads one
        return datetime.combine(value, time(), UTC).isoformat()
    if isinstance(value, Enum):
        return text_of(value.value, scale=scale)
    return _json_text(value)


def _number(value: Decimal, *, scale: bool) -> str:
    text = format(value, "f")
    if not scale and "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _json_text(value: object) -> str:
    """Write a structure with its names in order and numbers by value."""

    def plain(each: object) -> object:
        if isinstance(each, Model):
            return plain({name: getattr(each, name) for name in type(each).model_fields})
        if isinstance(each, Mapping):
            content = cast("Mapping[object, object]", each)
            return {str(name): plain(item) for name, item in content.items() if item is not None}
        if isinstance(each, Sequence | set | frozenset) and not isinstance(each, str | bytes):
            return [plain(item) for item in cast("Iterable[object]", each)]
        if isinstance(each, int | Decimal) and not isinstance(each, bool):
            return [_number(Decimal(each), scale=False)]
        return each if isinstance(each, str | bool | None) else text_of(each, scale=False)

    return json.dumps(plain(value), sort_keys=True)


# In the file


_TAGS: Mapping[str, tuple[type, Callable[[str], object]]] = {
    "$decimal": (Decimal, Decimal),
    "$time": (datetime, datetime.fromisoformat),
    "$date": (date, date.fromisoformat),
}
"""The kinds of values that JSON lacks: the name of each, and the function that reads its text."""


def packed(values: Sequence[object]) -> str:
    """Write the values of a row so that they can be shown again."""
    return json.dumps(values, default=_pack)


def _pack(value: object) -> object:
    for tag, (kind, _) in _TAGS.items():
        if isinstance(value, kind):
            return {tag: str(value)}
    if isinstance(value, Mapping):
        return dict(cast("Mapping[object, object]", value))
    return sorted(map(str, cast("Iterable[object]", value))) if isinstance(value, set | frozenset) else str(value)


def unpacked(text: str) -> list[object]:
    """Read the values of a row."""
    found: list[object] = json.loads(text, object_hook=_unpack)
    return found


def _unpack(found: dict[str, object]) -> object:
    for tag, (_, read) in _TAGS.items():
        if found.keys() == {tag}:
            return read(str(found[tag]))
    return found
