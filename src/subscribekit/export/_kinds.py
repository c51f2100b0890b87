"""Fields of a model as columns: the Arrow type, and how a value gets there."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Context, Decimal, Inexact, InvalidOperation
from functools import cache
from typing import Annotated, Literal, Protocol, TypeAlias, Union, cast, get_args, get_origin

import pyarrow as pa

from .._json import encode_stored
from ..models._base import Model
from ..models._fields import sensitive_fields
from ..models._late import Late
from ..models._lists import ModelList
from ..models._scalars import ExactNumber, ExactQuantity
from ._plain import plain

ArrowType: TypeAlias = pa.DataType
Kinds: TypeAlias = tuple[type[Model], ...]

AMOUNT: ArrowType = pa.decimal128(38, 9)
TEXT: ArrowType = pa.string()
WHOLE: ArrowType = pa.int64()
TIMESTAMP: ArrowType = pa.timestamp("us", "UTC")
_UNIT = Decimal("1E-9")
_EXACT = Context(prec=38, traps=[Inexact, InvalidOperation])
_ROUNDED = Context(prec=38, traps=[InvalidOperation])
_MAX_DEPTH = 4


class DoesNotFitError(ValueError):
    """A value that its column cannot hold; `steps` lead to it."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.steps: list[str] = []


class Kind(Protocol):
    """A column, or a field of one."""

    @property
    def type(self) -> ArrowType:
        """The Arrow type."""
        ...

    def convert(self, value: object) -> object:
        """Give what Arrow makes the value of; raises `DoesNotFitError`."""
        ...


@dataclass(frozen=True, slots=True)
class Plain:
    """Text, booleans, timestamps: pyarrow takes them as they are."""

    type: ArrowType

    def convert(self, value: object) -> object:
        """Give the value."""
        return value


@dataclass(frozen=True, slots=True)
class Whole:
    """Whole numbers."""

    type: ArrowType = WHOLE

    def convert(self, value: object) -> object:
        """Refuse what 64 bits do not hold."""
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise DoesNotFitError("the number does not fit int64")
        return value


@dataclass(frozen=True, slots=True)
class Exact:
    """Numbers with a fraction: amounts exactly or not at all, coordinates to a tenth of a millimetre."""

    is_amount: bool
    type: ArrowType = AMOUNT

    def convert(self, value: object) -> object:
        """Bring a number to nine decimals."""
        number = Decimal(value) if isinstance(value, int) else value
        if not isinstance(number, Decimal):
            return number
        try:
            return number.quantize(_UNIT, context=_EXACT if self.is_amount else _ROUNDED)
        except (Inexact, InvalidOperation):
            what = "amount" if self.is_amount else "number"
            raise DoesNotFitError(
                f"the {what} does not fit decimal128(38, 9): it has more than 9 decimals, or more than 29 digits "
                "before them"
            ) from None


@dataclass(frozen=True, slots=True)
class Midnight:
    """A date or a timestamp: of a date the midnight in UTC, as a field of timestamps reads it."""

    type: ArrowType = TIMESTAMP

    def convert(self, value: object) -> object:
        """Give a timestamp."""
        if isinstance(value, date) and not isinstance(value, datetime):
            return datetime(value.year, value.month, value.day, tzinfo=UTC)
        return value


@dataclass(frozen=True, slots=True)
class Json:
    """Values without their own type, as JSON text."""

    personal: bool
    type: ArrowType = TEXT

    def convert(self, value: object) -> object:
        """Write the value."""
        return encode_stored(plain(value, personal=self.personal)).decode()


@dataclass(frozen=True, slots=True)
class Many:
    """Collections."""

    item: Kind

    @property
    def type(self) -> ArrowType:
        """A list."""
        return pa.list_(self.item.type)

    def convert(self, value: object) -> object:
        """Convert the elements."""
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
    """Nested objects."""

    fields: Mapping[str, Kind]

    @property
    def type(self) -> ArrowType:
        """A struct of the fields."""
        return pa.struct([pa.field(name, kind.type) for name, kind in self.fields.items()])

    def convert(self, value: object) -> object:
        """Convert the fields that the object has."""
        return {name: converted for name in self.fields if (converted := self.field(name, value)) is not None}

    def field(self, name: str, owner: object) -> object:
        """Convert one field of an object."""
        value: object = getattr(owner, name)
        if value is None:
            return None
        try:
            return self.fields[name].convert(value)
        except DoesNotFitError as error:
            error.steps.append(name)
            raise


# From a model to its columns


@cache
def columns_of(model: type[Model], *, personal: bool) -> Struct:
    """Give the columns of a model."""
    return Struct(_fields(model, (model,), personal=personal, is_flat=False))


def _fields(model: type[Model], path: Kinds, *, personal: bool, is_flat: bool) -> dict[str, Kind]:
    hidden = frozenset[str]() if personal else sensitive_fields(model)
    found = {
        name: _kind(field.annotation, tuple(field.metadata), path, personal=personal, is_flat=is_flat)
        for name, field in model.model_fields.items()
        if name not in hidden
    }
    # An object of which only personal fields are known would be a struct without fields, which Parquet refuses.
    return {name: kind for name, kind in found.items() if not _is_hollow(kind)}


def _is_hollow(kind: Kind) -> bool:
    return (isinstance(kind, Struct) and not kind.fields) or (isinstance(kind, Many) and _is_hollow(kind.item))


def _kind(annotation: object, marks: tuple[object, ...], path: Kinds, *, personal: bool, is_flat: bool) -> Kind:
    if get_origin(annotation) is Annotated:
        inner, *more = get_args(annotation)
        return _kind(inner, (*more, *marks), path, personal=personal, is_flat=is_flat)
    for mark in marks:
        if isinstance(mark, ExactNumber):
            return Exact(mark.is_amount)
        if isinstance(mark, ExactQuantity):
            return Exact(is_amount=True)
        if isinstance(mark, Late):
            annotation = mark.resolve()
    parts = _parts(annotation)
    if len(parts) == 1 and parts[0] is not annotation:
        return _kind(parts[0], marks, path, personal=personal, is_flat=is_flat)
    if all(_is_text(part) for part in parts):
        return Plain(TEXT)
    if set(parts) == {date, datetime}:
        return Midnight()
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (ModelList, list) and len(arguments) == 1:
        if is_flat and _model_of(arguments[0]) is not None:
            return Json(personal)
        return Many(_kind(arguments[0], (Many,), path, personal=personal, is_flat=is_flat))
    if isinstance(annotation, type):
        return _plain_kind(annotation, path, personal=personal, is_flat=is_flat, in_list=Many in marks)
    return Json(personal)


def _plain_kind(kind: type[object], path: Kinds, *, personal: bool, is_flat: bool, in_list: bool) -> Kind:
    if issubclass(kind, Model):
        if is_flat:
            return Json(personal)
        # Its own resource that is only referred to has its plain fields; what is nested in those is JSON text, or
        # a table of transactions would have twenty thousand columns.
        is_own = {"id", "vid"} <= kind.model_fields.keys()
        flat = kind in path or len(path) >= _MAX_DEPTH or (is_own and (not in_list or len(path) > 1))
        return Struct(_fields(kind, (*path, kind), personal=personal, is_flat=flat))
    known: dict[type[object], Kind] = {
        bool: Plain(pa.bool_()),
        int: Whole(),
        float: Plain(pa.float64()),
        Decimal: Exact(is_amount=True),
        datetime: Plain(TIMESTAMP),
        date: Plain(pa.date32()),
    }
    return known.get(kind) or Json(personal)


def _parts(annotation: object) -> list[object]:
    """The members of a union but for `None`, aliases resolved; anything else alone."""
    if get_origin(annotation) not in (Union, types.UnionType):
        return [annotation]
    return [part for part in get_args(annotation) if part is not type(None)]


def _is_text(annotation: object) -> bool:
    if get_origin(annotation) is Annotated:
        return _is_text(get_args(annotation)[0])
    if get_origin(annotation) is Literal:
        return all(isinstance(value, str) for value in get_args(annotation))
    return annotation is str


def _model_of(annotation: object) -> type[Model] | None:
    if get_origin(annotation) is Annotated:
        marks = get_args(annotation)[1:]
        return _model_of(next((mark.resolve() for mark in marks if isinstance(mark, Late)), get_args(annotation)[0]))
    return annotation if isinstance(annotation, type) and issubclass(annotation, Model) else None
