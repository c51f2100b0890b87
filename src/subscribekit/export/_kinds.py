"""Maps the fields of models to Arrow columns: the type of each column, and the conversion of its values."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Context, Decimal, Inexact, InvalidOperation
from functools import cache, partial
from typing import Annotated, Literal, TypeAlias, Union, cast, get_args, get_origin

import pyarrow as pa

from .._decimals import own_context
from .._json import encode_stored
from ..models._base import Model
from ..models._fields import sensitive_fields
from ..models._lists import ModelList
from ..models._ref import Reference
from ..models._scalars import ExactNumber
from ._plain import plain

ArrowType: TypeAlias = pa.DataType
Kinds: TypeAlias = tuple[type[Model], ...]
Kind: TypeAlias = "Scalar | Many | Struct"
"""The type and the conversion of a column, or of a nested field of a column."""

AMOUNT: ArrowType = pa.decimal128(38, 9)
TEXT: ArrowType = pa.string()
TIMESTAMP: ArrowType = pa.timestamp("us", "UTC")
_UNIT = Decimal("1E-9")
_EXACT = own_context(38, Inexact)
_ROUNDED = own_context(38)
_MAX_DEPTH = 4


class DoesNotFitError(ValueError):
    """A value doesn't fit its column. `steps` contains the steps of the path to the value, innermost step first."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.steps: list[str] = []


@dataclass(frozen=True, slots=True)
class Scalar:
    """A column whose values are neither lists nor nested objects.

    Attributes:
        type: The Arrow type.
        convert: Converts a value to a type that pyarrow accepts, or raises `DoesNotFitError`.
    """

    type: ArrowType
    convert: Callable[[object], object]


def _unchanged(value: object) -> object:
    """Return a value that pyarrow accepts without a conversion, such as a string, a Boolean, or a timestamp."""
    return value


def _whole(value: object) -> object:
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise DoesNotFitError("the number doesn't fit int64, the type of the column")
    return value


def _decimal(context: Context, noun: str, value: object) -> object:
    """Return a number with nine decimal places.

    If the number has more than nine decimal places, `context` decides whether to round the number or to raise an error.
    """
    number = Decimal(value) if isinstance(value, int) else value
    if not isinstance(number, Decimal):
        return number
    try:
        return number.quantize(_UNIT, context=context)
    except (Inexact, InvalidOperation):
        raise DoesNotFitError(
            f"the {noun} doesn't fit decimal128(38, 9), which has 29 digits before the decimal point and 9 after it"
        ) from None


def _timestamp(value: object) -> object:
    """Convert a date to midnight UTC, and return a timestamp unchanged."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return value


def _json(include_personal: bool, value: object) -> object:
    return encode_stored(plain(value, include_personal=include_personal)).decode()


AMOUNTS = Scalar(AMOUNT, partial(_decimal, _EXACT, "amount"))
NUMBERS = Scalar(AMOUNT, partial(_decimal, _ROUNDED, "number"))
"""Numbers that aren't amounts, such as coordinates, which are rounded to nine decimal places."""
_DATES_OR_TIMES = Scalar(TIMESTAMP, _timestamp)
_JSON = {include_personal: Scalar(TEXT, partial(_json, include_personal)) for include_personal in (True, False)}
"""Values that become JSON text, because Arrow has no suitable column type."""
_PLAIN: dict[type[object], Kind] = {
    bool: Scalar(pa.bool_(), _unchanged),
    int: Scalar(pa.int64(), _whole),
    float: Scalar(pa.float64(), _unchanged),
    Decimal: AMOUNTS,
    datetime: Scalar(TIMESTAMP, _unchanged),
    date: Scalar(pa.date32(), _unchanged),
    str: Scalar(TEXT, _unchanged),
}


@dataclass(frozen=True, slots=True)
class Many:
    """A column of lists."""

    item: Kind

    @property
    def type(self) -> ArrowType:
        """The Arrow type of the list."""
        return pa.list_(self.item.type)

    def convert(self, value: object) -> object:
        """Convert the elements of a list."""
        converted: list[object] = []
        for index, element in enumerate(cast("Iterable[object]", value)):
            try:
                converted.append(None if element is None else self.item.convert(element))
            except DoesNotFitError as error:
                error.steps.append(f"[{index}]")
                raise
        return converted


@dataclass(frozen=True, slots=True)
class Struct:
    """A column of nested objects."""

    fields: Mapping[str, Kind]

    @property
    def type(self) -> ArrowType:
        """The Arrow type of the struct."""
        return pa.struct([pa.field(name, kind.type) for name, kind in self.fields.items()])

    def convert(self, value: object) -> object:
        """Convert a nested object to a `dict` of its fields that aren't `None`."""
        return {name: converted for name in self.fields if (converted := self.field(name, value)) is not None}

    def field(self, name: str, owner: object) -> object:
        """Convert one field of an object, or return `None` if the field is `None`."""
        value: object = getattr(owner, name)
        if value is None:
            return None
        try:
            return self.fields[name].convert(value)
        except DoesNotFitError as error:
            error.steps.append(name)
            raise


@cache
def columns_of(model: type[Model], *, include_personal: bool) -> Struct:
    """Return the columns of a model, as the fields of a struct."""
    return Struct(_fields(model, (model,), include_personal=include_personal, is_flat=False))


def _fields(model: type[Model], path: Kinds, *, include_personal: bool, is_flat: bool) -> dict[str, Kind]:
    hidden = frozenset[str]() if include_personal else sensitive_fields(model)
    found = {
        name: _kind(field.annotation, tuple(field.metadata), path, include_personal=include_personal, is_flat=is_flat)
        for name, field in model.model_fields.items()
        if name not in hidden
    }
    # If all fields of a nested object are personal, leave the column out, because Parquet can't store a struct without
    # fields.
    return {name: kind for name, kind in found.items() if not _is_hollow(kind)}


def _is_hollow(kind: Kind) -> bool:
    return (isinstance(kind, Struct) and not kind.fields) or (isinstance(kind, Many) and _is_hollow(kind.item))


def _kind(annotation: object, marks: tuple[object, ...], path: Kinds, *, include_personal: bool, is_flat: bool) -> Kind:
    if get_origin(annotation) is Annotated:
        inner, *more = get_args(annotation)
        return _kind(inner, (*more, *marks), path, include_personal=include_personal, is_flat=is_flat)
    for mark in marks:
        if isinstance(mark, ExactNumber):
            return AMOUNTS if mark.is_amount else NUMBERS
        if isinstance(mark, Reference):
            annotation = mark.model
    parts = _parts(annotation)
    if len(parts) == 1 and parts[0] is not annotation:
        return _kind(parts[0], marks, path, include_personal=include_personal, is_flat=is_flat)
    if all(_is_text(part) for part in parts):
        return _PLAIN[str]
    if set(parts) == {date, datetime}:
        return _DATES_OR_TIMES
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (ModelList, list) and len(arguments) == 1:
        item = _kind(arguments[0], (Many,), path, include_personal=include_personal, is_flat=is_flat)
        return item if is_flat and item is _JSON[include_personal] else Many(item)
    if isinstance(annotation, type):
        return _plain_kind(annotation, path, include_personal=include_personal, is_flat=is_flat, in_list=Many in marks)
    return _JSON[include_personal]


def _plain_kind(kind: type[object], path: Kinds, *, include_personal: bool, is_flat: bool, in_list: bool) -> Kind:
    if issubclass(kind, Model):
        if is_flat:
            return _JSON[include_personal]
        # If the item only refers to a resource, the resource's nested objects become JSON text, because a table of
        # transactions would otherwise have 20,000 columns.
        is_own = {"id", "vid"} <= kind.model_fields.keys()
        flat = kind in path or len(path) >= _MAX_DEPTH or (is_own and (not in_list or len(path) > 1))
        return Struct(_fields(kind, (*path, kind), include_personal=include_personal, is_flat=flat))
    return _PLAIN.get(kind) or _JSON[include_personal]


def _parts(annotation: object) -> list[object]:
    """Return the members of a union, except `None`. If the type isn't a union, return only the type."""
    if get_origin(annotation) not in (Union, types.UnionType):
        return [annotation]
    return [part for part in get_args(annotation) if part is not type(None)]


def _is_text(annotation: object) -> bool:
    if get_origin(annotation) is Annotated:
        return _is_text(get_args(annotation)[0])
    if get_origin(annotation) is Literal:
        return all(isinstance(value, str) for value in get_args(annotation))
    return annotation is str
