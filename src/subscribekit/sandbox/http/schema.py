"""Reading a group A request body: types, length limits, enumerations and `object` names, by a table of shapes.

Specified: the limits (1,024 characters, 128 for ids), status 400 for them and for unknown enumeration values,
numbers as texts and 1/0 booleans in E2. A key is a string too and has its
limit. Published samples show the same coercion on the other families. Fields that
no shape lists are kept as they are sent, under the general length limit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..values import Document, Value, read_boolean, read_integer, read_number, read_timestamp
from .responses import Refused, billing_refusal

TEXT_LIMIT = 1024
IDENTIFIER_LIMIT = 128

Kind = Literal["text", "integer", "number", "boolean", "timestamp", "any"]


@dataclass(frozen=True)
class Field:
    """One field of a shape: a scalar of a kind, or (with `shape`) a nested object or a list of them.

    A text may be one of those that are allowed, or of a form, a regular expression that the example fits.
    """

    kind: Kind = "text"
    limit: int = TEXT_LIMIT
    allowed: tuple[str, ...] = ()
    shape: str = ""
    many: bool = False
    form: str = ""
    example: str = ""


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
    "identifier": Field(limit=IDENTIFIER_LIMIT),
    "integer": Field("integer"),
    "number": Field("number"),
    "timestamp": Field("timestamp"),
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
            read[key] = self._field(shape.fields.get(key, ANY), item, f"{path}.{key}")
        return read

    def _field(self, field: Field, value: Value, path: str) -> Value:
        if value is None:
            return None
        if field.many:
            return [self._member(field, item, f"{path}[{at}]") for at, item in enumerate(_members(value, path))]
        if field.shape:
            return self._object(self._shapes[field.shape], value, path)
        return _scalar(field, value, path)

    def _member(self, field: Field, value: Value, path: str) -> Value:
        return (
            self._object(self._shapes[field.shape], value, path) if field.shape != "Text" else _text(TEXT, value, path)
        )


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
    read = {"integer": read_integer, "number": read_number, "boolean": read_boolean, "timestamp": read_timestamp}
    parsed = read[field.kind](value)
    if parsed is None:
        raise _wrong(path, f"a valid {field.kind}")
    return parsed


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
