"""Reads a request body of group A by a table of shapes: types, limits, sets of values, and `object` names.

Specified: the limits (1,024 characters, 128 for ids), status 400 for them and for unknown enumeration values,
numbers as texts and 1/0 booleans in E2. A key is a string too and has its limit. Published samples show the same
coercion on the other families. Fields that no shape lists are kept as they are sent, under the general length limit;
those whose name begins with an underscore are ignored, because the sandbox keeps its own values under such names.

Assumed: the ranges of numbers. They are far beyond any bill, and keep each later computation within 28 digits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, cast

from ..values import MAX_AMOUNT, MAX_DECIMALS, Document, Value, read_boolean, read_integer, read_number, read_timestamp
from .responses import Refused, billing_refusal

TEXT_LIMIT = 1024
IDENTIFIER_LIMIT = 128

MOST = 1_000_000_000
"""The largest quantity, and the largest number of days, cycles, or units."""

Kind = Literal["text", "integer", "number", "boolean", "timestamp", "metadata", "any"]


@dataclass(frozen=True)
class Field:
    """One field of a shape: a scalar of a kind, or (with `shape`) a nested object or a list of them.

    Attributes:
        kind: The JSON type of a scalar.
        limit: The maximum length of a text.
        allowed: The values that a text may have; empty if any text will do.
        shape: The shape of a nested object, or `Text` for a list of texts.
        many: Whether the field is a list.
        or_texts: Whether a list of texts may stand in place of the object.
        form: A regular expression that a text must match.
        example: A text of that form, for the refusal.
        least: The smallest number.
        most: The largest number.
    """

    kind: Kind = "text"
    limit: int = TEXT_LIMIT
    allowed: tuple[str, ...] = ()
    shape: str = ""
    many: bool = False
    or_texts: bool = False
    form: str = ""
    example: str = ""
    least: int = -MAX_AMOUNT
    most: int = MAX_AMOUNT


@dataclass(frozen=True)
class Shape:
    """The fields of one resource; `object_name` is empty where the name of the object is not shown."""

    object_name: str
    fields: Mapping[str, Field]


TEXT = Field()
ANY = Field("any")
SCALARS: Mapping[str, Field] = {
    "": TEXT,
    "any": ANY,
    "boolean": Field("boolean"),
    "count": Field("integer", least=0, most=MOST),
    "identifier": Field(limit=IDENTIFIER_LIMIT),
    "integer": Field("integer"),
    "metadata": Field("metadata"),
    "number": Field("number"),
    "percentage": Field("number", least=0, most=100),
    "timestamp": Field("timestamp"),
    "units": Field("number", least=0, most=MOST),
}


def one_of(*allowed: str) -> Field:
    """Return a field that accepts only these texts."""
    return Field(allowed=allowed)


class Reader:
    """Reads request bodies by a table of shapes."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        self._shapes = shapes

    def read(self, shape: str, body: Value) -> Document:
        """Return the body with every known field in its own type, or refuse it."""
        return self._object(self._shapes[shape], body, shape)

    def _object(self, shape: Shape, value: Value, path: str) -> Document:
        if not isinstance(value, dict):
            raise _wrong(path, "an object")
        name = value.get("object")
        if shape.object_name and name is not None and name != shape.object_name:
            raise _wrong(f"{path}.object", f"`{shape.object_name}`")
        read: Document = {}
        for key, item in value.items():
            _bound_key(key, path)
            if not key.startswith("_"):
                read[key] = self._field(shape.fields.get(key, ANY), item, f"{path}.{key}")
        return read

    def _field(self, field: Field, value: Value, path: str) -> Value:
        if value is None:
            return None
        if field.many or (field.or_texts and isinstance(value, list)):
            return [self._member(field, item, f"{path}[{at}]") for at, item in enumerate(_members(value, path))]
        if field.shape:
            return self._object(self._shapes[field.shape], value, path)
        return _scalar(field, value, path)

    def _member(self, field: Field, value: Value, path: str) -> Value:
        is_text = field.shape == "Text" or field.or_texts
        return _text(TEXT, value, path) if is_text else self._object(self._shapes[field.shape], value, path)


def _members(value: Value, path: str) -> list[Value]:
    if isinstance(value, dict):
        inner = value.get("data")
        if value.get("object", "List") == "List" and isinstance(inner, list):
            return inner
        # Credit is one object in published responses and an array in the specification.
        return [value]
    if isinstance(value, list):
        return value
    raise _wrong(path, "a list")


def _scalar(field: Field, value: Value, path: str) -> Value:
    if field.kind == "any":
        _bound(value, path)
        return value
    if field.kind == "text":
        return _text(field, value, path)
    if field.kind == "metadata":
        return _metadata(value, path)
    read = {"integer": read_integer, "number": read_number, "boolean": read_boolean, "timestamp": read_timestamp}
    parsed = read[field.kind](value)
    if parsed is None:
        raise _wrong(path, f"a valid {field.kind}")
    if isinstance(parsed, int | Decimal) and not isinstance(parsed, bool):
        _bound_number(field, parsed, path)
    return parsed


def _bound_number(field: Field, number: int | Decimal, path: str) -> None:
    if not field.least <= number <= field.most:
        raise _wrong(path, f"a number from {field.least} to {field.most}")
    if isinstance(number, Decimal) and cast("int", number.as_tuple().exponent) < -MAX_DECIMALS:
        raise _wrong(path, f"a number with at most {MAX_DECIMALS} decimals")


def _metadata(value: Value, path: str) -> Document:
    """Return key/value pairs, as the specification names metadata; a value is one text, number, or flag, or null."""
    if not isinstance(value, dict):
        raise _wrong(path, "an object")
    _bound(value, path)
    for key, item in value.items():
        if isinstance(item, dict | list):
            raise _wrong(f"{path}.{key}", "a text or a number")
    return value


def _text(field: Field, value: Value, path: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _wrong(path, "a string")
    told = str(value)
    if len(told) > field.limit:
        raise billing_refusal(400, f"{path} is longer than {field.limit} characters.")
    if field.allowed and told not in field.allowed:
        raise _wrong(path, "one of " + ", ".join(field.allowed))
    if field.form and not re.fullmatch(field.form, told):
        raise _wrong(path, f"written as in {field.example}")
    return told


def _bound(value: Value, path: str) -> None:
    if isinstance(value, str) and len(value) > TEXT_LIMIT:
        raise billing_refusal(400, f"{path} is longer than {TEXT_LIMIT} characters.")
    if isinstance(value, dict):
        for key, item in value.items():
            _bound_key(key, path)
            _bound(item, f"{path}.{key}")
    if isinstance(value, list):
        for at, item in enumerate(value):
            _bound(item, f"{path}[{at}]")


def _bound_key(key: str, path: str) -> None:
    if len(key) > TEXT_LIMIT:
        raise billing_refusal(400, f"A key of {path} is longer than {TEXT_LIMIT} characters.")


def _wrong(path: str, wanted: str) -> Refused:
    return billing_refusal(400, f"{path} must be {wanted}.")
