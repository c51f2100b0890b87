"""Checks and converts a request body of the billing API by a table of shapes.

The specification defines the length limits: 1,024 characters for strings, and 128 characters for IDs. If a value is too
long, or isn't one of the values of an enumerated field, the response has status 400. According to the specification, an
update of a campaign (E2) can contain a number as a string, and a Boolean as 1 or 0. In the published samples, requests
for other resources also contain numbers as strings, and Booleans as 1 or 0. The sandbox applies the length limit of
strings to keys too.

If a request contains a field that isn't in the shape, the sandbox checks only the lengths of strings and keys in the
field, and stores the field. The sandbox ignores fields whose names start with an underscore, because the sandbox stores
its own values under such names.

No source states the allowed ranges of numbers, so the sandbox uses ranges that are larger than the numbers in any
real bill. If all numbers are in the allowed ranges, the sandbox's computations need at most 28 digits.
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
"""The largest value of a field for a quantity, or for a number of days, cycles, or units."""

Kind = Literal["text", "integer", "number", "boolean", "timestamp", "metadata", "any"]


@dataclass(frozen=True)
class Field:
    """A field of a shape: a scalar or, if `shape` is set, a nested object or a list of objects.

    Attributes:
        kind: The type of a scalar value.
        limit: The maximum length of a string, in characters.
        allowed: The allowed strings. An empty tuple allows all strings.
        shape: The shape of a nested object, or `Text` for a list of strings.
        many: `True` if the field is a list.
        or_texts: `True` if a request can send a list of strings instead of the nested object.
        form: A regular expression that a string must match.
        example: A string that matches `form`, for the error message.
        least: The smallest allowed number.
        most: The largest allowed number.
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
    """The fields of one kind of object. `object_name` is empty if no source documents the value of `object`."""

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
    """Return a field that accepts only the given strings."""
    return Field(allowed=allowed)


class Reader:
    """Checks and converts request bodies by a table of shapes."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        self._shapes = shapes

    def read(self, shape: str, body: Value) -> Document:
        """Return the body with each known field converted to its type.

        If a field is invalid, raise an error response.
        """
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
        # The field `credit` is an array in the specification, but one object in the published samples.
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
    """Return metadata unchanged, after checking that each value is a string, a number, a Boolean, or null."""
    if not isinstance(value, dict):
        raise _wrong(path, "an object")
    _bound(value, path)
    for key, item in value.items():
        if isinstance(item, dict | list):
            raise _wrong(f"{path}.{key}", "a string, a number, or a boolean")
    return value


def _text(field: Field, value: Value, path: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _wrong(path, "a string")
    string = str(value)
    if len(string) > field.limit:
        raise billing_refusal(400, f"{path} is longer than {field.limit} characters.")
    if field.allowed and string not in field.allowed:
        raise _wrong(path, "one of " + ", ".join(field.allowed))
    if field.form and not re.fullmatch(field.form, string):
        raise _wrong(path, f"in the form {field.example}")
    return string


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


def _wrong(path: str, expected: str) -> Refused:
    return billing_refusal(400, f"{path} must be {expected}.")
