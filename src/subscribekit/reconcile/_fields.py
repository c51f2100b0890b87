"""Paths into resources, which are checked when you create a comparison, and are then applied to each resource."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from hashlib import blake2b
from typing import Annotated, Any, Literal, TypeAlias, Union, cast, get_args, get_origin

from .._hints.names import did_you_mean
from ..errors import InvalidArgumentError
from ..models._base import Model, OpenModel, read
from ..models._fields import sensitive_fields
from ..models._lists import ModelList
from ..models._ref import Reference
from ._values import (
    LARGEST,
    Kind,
    RefusedValueError,
    Text,
    checked,
    elements,
    packed,
    parse,
    text_of,
    unpacked,
    wire_value,
)

ToOurs: TypeAlias = Callable[[Any], object]
"""A function that converts a value from the service to the form of the caller's values."""
Fields: TypeAlias = Mapping[str, str | tuple[str, ToOurs]]
"""A mapping of paths in the resource to columns of the row. A column can be combined with a conversion function."""


@dataclass(frozen=True, slots=True)
class _Step:
    name: str
    is_list: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A path in a resource, and the kind of the values at this path.

    Attributes:
        path: The path as the caller wrote it.
        kind: The kind of the values at the path.
        is_personal: Whether a field in the path or in the values is masked when printed.
        leaf: The class of the values at the path, if these values are resources with undocumented fields.
    """

    path: str
    kind: Kind
    is_personal: bool
    leaf: type[OpenModel] | None
    _steps: tuple[_Step, ...]

    @property
    def is_list(self) -> bool:
        """Whether a part of the path is a list, so that the path can have several values."""
        return any(step.is_list for step in self._steps)

    def value(self, resource: object) -> object:
        """Return the value at the path or, if a part of the path is a list, a list of all values."""
        if not self.is_list:
            for step in self._steps:
                resource = _child(resource, step.name)
            return resource
        found = [resource]
        for step in self._steps:
            found = [child for each in found if (child := _child(each, step.name)) is not None]
            if step.is_list:
                found = [element for each in found for element in cast("Iterable[object]", each)]
        return found

    def restored(self, value: object) -> object:
        """Convert a value from the file to the form that the method `value` returns."""
        if self.leaf is None:
            return value
        if self.is_list:
            return [read(self.leaf, each) for each in cast("list[object]", value)]
        return None if value is None else read(self.leaf, value)


def _child(value: object, name: str) -> object:
    if value is None:
        return None
    if isinstance(value, Mapping):
        return cast("Mapping[str, object]", value).get(name)
    return getattr(value, name, None)


def place_of(model: type[Model], path: object) -> Place:
    """Check a path in a model, and return the `Place` of the path.

    Raises:
        InvalidArgumentError: The path doesn't exist in the model, or the value at the path is an object.
    """
    if not isinstance(path, str) or not path:
        raise InvalidArgumentError(
            "each key of fields must be a path of names, such as 'status' or 'items[].product.id'"
        )
    steps = tuple(_Step(name.removesuffix("[]"), name.endswith("[]")) for name in path.split("."))
    is_personal, annotation = False, cast("object", model)
    for step in steps:
        kind, arguments = _opened(annotation)
        if isinstance(kind, type) and issubclass(kind, Model):
            field = kind.model_fields.get(step.name)
            if field is None and not issubclass(kind, OpenModel):
                hint = did_you_mean(step.name, kind.model_fields)
                raise InvalidArgumentError(f"{path!r}: {kind.__name__} has no field {step.name!r}{hint}")
            is_personal = is_personal or step.name in sensitive_fields(kind)
            annotation = object
            if field is not None:
                marks: list[object] = field.metadata or [None]
                annotation = Annotated[field.annotation, *marks]
        elif kind is dict:
            annotation = arguments[-1] if arguments else object
        else:
            raise InvalidArgumentError(
                f"{path!r}: {step.name!r} follows a field that isn't an object; end the path before it"
            )
        annotation = _element(path, step, annotation)
    leaf = _leaf_of(annotation)
    is_personal = is_personal or (leaf is not None and bool(sensitive_fields(leaf)))
    return Place(path, _kind_of(path, annotation), is_personal, leaf, steps)


def _element(path: str, step: _Step, annotation: object) -> object:
    kind, arguments = _opened(annotation)
    if kind is dict and not step.is_list:
        return annotation
    if step.is_list and kind is not list:
        raise InvalidArgumentError(f"{path!r}: {step.name!r} isn't a list; write {step.name} without []")
    if not step.is_list and kind is list:
        raise InvalidArgumentError(f"{path!r}: {step.name!r} is a list; write {step.name}[]")
    return arguments[0] if step.is_list else annotation


def _opened(annotation: object) -> tuple[object, tuple[object, ...]]:
    """Return the type in an annotation, without `Annotated` and `None`, and the type's arguments or members."""
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        referred = next((mark.model for mark in marks if isinstance(mark, Reference)), None)
        return _opened(inner) if referred is None else (referred, ())
    if get_origin(annotation) in (Union, types.UnionType):
        parts = tuple(part for part in get_args(annotation) if part is not type(None))
        return _opened(parts[0]) if len(parts) == 1 else (Union, parts)
    origin = get_origin(annotation)
    if origin in (ModelList, list):
        return list, get_args(annotation)
    return (dict, get_args(annotation)) if origin is dict or annotation is object else (annotation, ())


_KINDS: dict[object, Kind] = {
    bool: "flag", int: "number", float: "number", Decimal: "number", datetime: "time", date: "date_or_time",
    str: "text", dict: "json",
}  # fmt: skip


def _leaf_of(annotation: object) -> type[OpenModel] | None:
    kind, _ = _opened(annotation)
    return kind if isinstance(kind, type) and issubclass(kind, OpenModel) else None


def _kind_of(path: str, annotation: object) -> Kind:
    kind, parts = _opened(annotation)
    if kind is dict and parts[1:] and _opened(parts[1])[0] is str:
        return "texts"
    if isinstance(kind, type) and issubclass(kind, Model):
        if issubclass(kind, OpenModel):
            return "json"
        names = ", ".join(list(kind.model_fields)[:3])
        raise InvalidArgumentError(
            f"{path!r} is an object of class {kind.__name__}; add a field of this object to the path, such as {names}"
        )
    if kind is Union:
        kinds: set[Kind] = {_kind_of(path, part) for part in parts}
        if kinds == {"date_or_time", "time"}:
            return "date_or_time"
        several: Kind = "text" if "text" in kinds else "json"
        return kinds.pop() if len(kinds) == 1 else several
    known: list[Kind] = [each for leaf, each in _KINDS.items() if kind is leaf]
    return "text" if get_origin(kind) is Literal else (*known, "json")[0]


@dataclass(frozen=True, slots=True)
class Field:
    """A field that is compared."""

    place: Place
    column: str
    to_ours: ToOurs | None
    scale: bool

    @property
    def _kind(self) -> Kind:
        return self.place.kind if self.to_ours is None else "own"

    def of_resource(self, resource: Model) -> object:
        """Return the service's value, converted by the field's function, if any.

        If the result can't be compared, raise `RefusedValueError`.
        """
        return self.ours(self.place.value(resource))

    def ours(self, found: object) -> object:
        """Convert a value with the field's function, if any. Raise `RefusedValueError` if the result is invalid."""
        if self.to_ours is None:
            return found
        converted = self.to_ours(found)
        try:
            return checked(converted)
        except RefusedValueError as error:
            problem = f"column {self.column!r}: the function returned an invalid value: {error}"
            raise RefusedValueError(problem) from None

    def of_row(self, value: object) -> object:
        """Parse the value of a row. Raise `RefusedValueError` if the value is invalid."""
        if not self.place.is_list or self.to_ours is not None:
            return parse(self._kind, value)
        found = elements(value)
        return None if found is None else [parse(self._kind, each) for each in found]

    def text(self, value: object) -> Text:
        """Return the text of a value, or `None` for a missing value or an empty list. Equal values have equal texts."""
        if isinstance(value, list | tuple | set | frozenset | ModelList):
            texts = {text_of(each, scale=self.scale) for each in cast("Iterable[object]", value)}
            return tuple(sorted(text for text in texts if text is not None)) or None
        text = text_of(value, scale=self.scale)
        return None if text == "" and self._kind == "own" else text


class Comparison:
    """The key and the fields that are compared."""

    def __init__(self, model: type[Model], key: str, fields: Fields, *, compare_scale: bool) -> None:
        if type(compare_scale) is not bool:
            raise InvalidArgumentError("compare_scale must be True or False")
        if not isinstance(fields, Mapping):
            raise InvalidArgumentError("fields must be a mapping of paths to columns, such as {'status': 'state'}")
        self.key: Place = place_of(model, key)
        if self.key.is_list or self.key.kind not in ("text", "number"):
            raise InvalidArgumentError(
                f"key must be a field that contains a string or an integer, such as 'id', not {key!r}"
            )
        self.fields: tuple[Field, ...] = tuple(_field(model, path, to, compare_scale) for path, to in fields.items())
        self._plain = [field for field in self.fields if field.to_ours is None]
        self._converted = [field for field in self.fields if field.to_ours is not None]

    @property
    def definition(self) -> list[object]:
        """The values that distinguish this comparison from other comparisons, in a form that the file can store.

        The definition doesn't contain the conversion functions, because the file stores the service's values before a
        function converts them.
        """
        return [
            self.key.path,
            *([each.place.path, each.column, each.to_ours is not None, each.scale] for each in self.fields),
        ]

    def key_of(self, resource: Model) -> str | None:
        """Return the key of a resource, or `None` if the resource has no key."""
        found = self.key.value(resource)
        return None if found is None or found == "" else str(found)

    def of_resource(self, resource: Model) -> tuple[bytes, str | None]:
        """Return the digest of the fields without a function, and the values of the fields with a function, as text."""
        digest = _digest([field.text(field.of_resource(resource)) for field in self._plain])
        if not self._converted:
            return digest, None
        return digest, packed(wire_value(field.place.value(resource)) for field in self._converted)

    def of_row(self, row: Mapping[str, object]) -> tuple[str, list[object]]:
        """Return the key and the values of a row.

        Raises:
            RefusedValueError: A column is missing, or the value in a column can't be compared.
        """
        key = _key_of_row(self.key.path, _column(row, self.key.path))
        return key, [_value_of_row(field, _column(row, field.column)) for field in self.fields]

    def is_equal(self, values: Sequence[object], digest: bytes, stored: str | None) -> bool:
        """Return whether the values of a row equal the digest and the values that the file contains for a resource.

        Raises:
            RefusedValueError: A function returned a value that can't be compared.
        """
        local = list(zip(self.fields, values, strict=True))
        if _digest([field.text(value) for field, value in local if field.to_ours is None]) != digest:
            return False
        converted = [(field, value) for field, value in local if field.to_ours is not None]
        return all(
            field.text(field.ours(field.place.restored(remote))) == field.text(value)
            for (field, value), remote in zip(converted, unpacked(stored or "[]"), strict=True)
        )

    def differing(self, values: Sequence[object], resource: Model) -> list[tuple[Place, object, object]]:
        """Return the places whose values differ, each with the local and the remote value.

        Raises:
            RefusedValueError: A function returned a value that can't be compared.
        """
        both = [(field, local, field.of_resource(resource)) for field, local in zip(self.fields, values, strict=True)]
        return [
            (field.place, local, remote) for field, local, remote in both if field.text(local) != field.text(remote)
        ]


def _value_of_row(field: Field, value: object) -> object:
    try:
        return field.of_row(value)
    except RefusedValueError as error:
        raise RefusedValueError(f"column {field.column!r}: {error}") from None
    except RecursionError:
        raise RefusedValueError(
            f"column {field.column!r}: the value has too many nested levels; pass fewer levels"
        ) from None


def _field(model: type[Model], path: str, to: object, scale: bool) -> Field:
    pair = cast("tuple[object, ...]", to) if isinstance(to, tuple) else (to, None)
    column, function = pair if len(pair) == 2 else (None, None)
    if not isinstance(column, str) or not (function is None or callable(function)):
        raise InvalidArgumentError(
            f"fields[{path!r}] must be a column, or a column with a function, such as ('state', to_our_state)"
        )
    return Field(place_of(model, path), column, cast("ToOurs | None", function), scale)


def _column(row: Mapping[str, object], name: str) -> object:
    try:
        return row[name]
    except KeyError:
        raise RefusedValueError(f"the row has no column {name!r}") from None


def _key_of_row(name: str, value: object) -> str:
    if isinstance(value, Enum):
        value = cast("object", value.value)
    if value is None or (isinstance(value, str) and not value):
        raise RefusedValueError(f"the key {name!r} has no value")
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise RefusedValueError(f"the key {name!r} must be a string or an integer, not {type(value).__name__}")
    if isinstance(value, int) and abs(value) >= LARGEST:
        raise RefusedValueError(f"the key {name!r} has more than 1,000 digits")
    key = str.__str__(value) if isinstance(value, str) else str(value)
    try:
        key.encode()
    except UnicodeEncodeError:
        raise RefusedValueError(f"the key {name!r} contains a lone surrogate, which isn't valid Unicode") from None
    return key


def _digest(texts: Sequence[Text]) -> bytes:
    return blake2b(repr(texts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


__all__ = ["Comparison", "Field", "Fields", "Place", "ToOurs", "place_of"]
