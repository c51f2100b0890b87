"""Field types of the models: strict and limited when a value is built, tolerant when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Self, TypeVar, overload

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from . import _values as values
from ._identifiers import MAX_IDENTIFIER
from ._masked_numbers import Test, is_masked, is_masked_but_for_the_end
from ._values import MAX_TEXT

T = TypeVar("T")

_MOMENT: Final = {"type": "string", "format": "date-time"}
_DATE_OR_MOMENT: Final = {"anyOf": [{"type": "string", "format": "date"}, _MOMENT]}
_INTEGER: Final = {"type": "integer"}
_EXACT_TEXT: Final = {"type": "string", "format": "decimal"}
"""pydantic writes a Decimal into JSON as text, which keeps its digits."""
_EXACT_COUNT: Final = {"anyOf": [_INTEGER, _EXACT_TEXT]}
_NUMBER: Final = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": f"^{values.DECIMAL}$"}]}


class Sensitive:
    """Tag of a field that holds personal or payment data: its value is masked wherever the model is printed."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Sensitive()"


SENSITIVE: Final = Sensitive()
Masked = Annotated[T, SENSITIVE]
"""Type of a sensitive field: `Masked[Text | None]`. The tag has to be the outermost annotation of the field."""


@dataclass(frozen=True, slots=True)
class TextLimit:
    """Limits of a text that hold when it is built; when read, any length is taken and a number becomes text.

    Attributes:
        max_length: Longest text, in characters; `None` for any.
        min_length: Shortest text.
        in_paths: Whether it has to be a path segment, as identifiers have.
    """

    max_length: int | None
    min_length: int | None = None
    in_paths: bool = False

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        strict: CoreSchema = core_schema.str_schema(strict=True, max_length=self.max_length, min_length=self.min_length)
        if self.in_paths:
            strict = core_schema.no_info_after_validator_function(values.build_identifier, strict)
        return core_schema.lax_or_strict_schema(core_schema.str_schema(coerce_numbers_to_str=True), strict)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        # Received values may be over the limits.
        limits = {"minLength": self.min_length, "maxLength": self.max_length} if handler.mode == "validation" else {}
        return {"type": "string", **{name: limit for name, limit in limits.items() if limit is not None}}


Text = Annotated[str, TextLimit(MAX_TEXT)]
"""Text of at most 1,024 characters."""
Identifier = Annotated[str, TextLimit(MAX_IDENTIFIER, min_length=1, in_paths=True)]
"""An `id` or `vid`: 1 to 128 characters that can be a path segment."""
FreeText = Annotated[str, TextLimit(None)]
"""Text for which no limit is documented (groups C and D)."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scalar:
    """Schema of a field type: one side reads a value, one builds it, and one may write it."""

    lax: CoreSchema
    strict: CoreSchema
    taken: JsonSchemaValue
    written: JsonSchemaValue | None = None
    """As `taken` when absent."""
    write: core_schema.SerSchema | None = None

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.lax_or_strict_schema(self.lax, self.strict, serialization=self.write)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return self.taken if handler.mode == "validation" or self.written is None else self.written


@dataclass(frozen=True, slots=True, eq=False)
class ExactNumber(_Scalar):
    """Schema of `Money`, `Number` and `Quantity`."""

    is_amount: bool = True


_reading = core_schema.no_info_plain_validator_function
_building = core_schema.with_info_plain_validator_function
_writing = partial(core_schema.plain_serializer_function_ser_schema, info_arg=True)

_read_number, _build_number = _reading(values.read_number), _building(values.build_number)
_build_timestamp, _write_iso = _building(values.build_timestamp), _writing(values.write_iso)
_ANY_TEXT = core_schema.str_schema(coerce_numbers_to_str=True)
_METADATA = _Scalar(
    core_schema.dict_schema(
        core_schema.str_schema(),
        core_schema.union_schema([_ANY_TEXT, core_schema.any_schema()], mode="left_to_right"),
    ),
    core_schema.dict_schema(
        core_schema.str_schema(strict=True, max_length=MAX_TEXT), _building(values.build_metadata_value), strict=True
    ),
    {"type": "object", "additionalProperties": {"type": ["string", "number", "null"]}},
    {"type": "object"},
    _writing(values.write_open),
)


@dataclass(frozen=True, slots=True, eq=False)
class MaskedInResponses:
    """Mark of a number that the service masks: a masked one is kept when it is read, and refused when it is built.

    Attributes:
        test: Tells whether a number is masked.
    """

    test: Test

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        value = handler(source)
        refuse = partial(values.refuse_masked, test=self.test)
        return core_schema.lax_or_strict_schema(value, core_schema.with_info_after_validator_function(refuse, value))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(schema)


AccountNumber = Annotated[Text, MaskedInResponses(is_masked)]
"""Number of a card or of a bank account."""
MerchantAccount = Annotated[Text, MaskedInResponses(is_masked_but_for_the_end)]
"""Account in the merchant's own words."""


class _ReadOnly:
    """Schema of `ReadOnly`."""

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        value = handler(source)
        refused = core_schema.with_info_before_validator_function(values.refuse_read_only, value)
        return core_schema.lax_or_strict_schema(value, refused)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "readOnly": True}


# Not pydantic's own lax schema: it writes out a number such as 1e999999999 before it refuses it.
Integer = Annotated[
    int,
    _Scalar(
        _reading(values.read_integer),
        core_schema.int_schema(strict=True),
        _INTEGER,
        write=core_schema.simple_ser_schema("int"),
    ),
]
"""A whole number; when read also one sent as text or as `22.0`."""
Money = Annotated[Decimal, ExactNumber(_read_number, _build_number, _NUMBER, _EXACT_TEXT)]
"""An exact amount of at most 28 digits. A float is refused when built, and the scale is kept (`1.10` stays `1.10`)."""
Number = Annotated[Decimal, ExactNumber(_read_number, _build_number, _NUMBER, _EXACT_TEXT, is_amount=False)]
"""An exact number that is no money: a coordinate."""
Quantity = Annotated[
    int | Decimal, ExactNumber(_reading(values.read_quantity), _building(values.build_quantity), _NUMBER, _EXACT_COUNT)
]
"""A count that the specification gives as an integer and the service may return as a fraction."""
Timestamp = Annotated[datetime, _Scalar(_reading(values.read_timestamp), _build_timestamp, _MOMENT, write=_write_iso)]
"""An aware point in time, in UTC.

A naive one is refused when built: it could mean any zone. When read, a time without offset is UTC, as the service says
as in all its responses; so is midnight of a bare date.
"""
DateOrTimestamp = Annotated[
    datetime | date,
    _Scalar(
        _reading(values.read_date_or_timestamp),
        _building(values.build_date_or_timestamp),
        _DATE_OR_MOMENT,
        write=_write_iso,
    ),
]
"""A calendar date, or an aware point in time, in UTC. When read, a bare date stays a date."""
EpochMillis = Annotated[
    datetime,
    _Scalar(
        _reading(values.read_epoch_millis),
        _build_timestamp,
        _MOMENT,
        write=_writing(values.write_epoch_millis),
    ),
]
"""An aware point in time, in UTC, that travels as UNIX epoch milliseconds (group C): 1000 is one second after 1970."""
Metadata = Annotated[dict[str, str], _METADATA]
"""Key/value pairs of at most 1,024 characters each. When built, a number is sent as one and null deletes its key.

When read, numbers become text, and null or nested values stay as they came.
"""
ReadOnly = Annotated[T, _ReadOnly()]
"""Type of a field that only the service sets: `ReadOnly[Text | None]`. It is read, and refused when it is built."""
OpenValue = Annotated[
    object, _Scalar(core_schema.any_schema(), _building(values.build_open), {}, write=_writing(values.write_open))
]
"""A field that is not documented. When built, it has the limits of all fields: no float, texts of 1,024 characters."""
UNKNOWN: Final = core_schema.lax_or_strict_schema(
    core_schema.any_schema(), _building(values.take_unknown), serialization=_writing(values.write_open)
)
"""Schema of a field that a model doesn't have: kept as it came, and refused in a class call and an assignment."""
_ExactValue = Annotated[
    object, _Scalar(core_schema.any_schema(), _building(values.exact), {}, write=_writing(values.write_open))
]
JsonObject = dict[str, _ExactValue]
"""A JSON object whose fields are not documented."""

if TYPE_CHECKING:

    class MoneyField:
        """Static type of an amount field: reads as `Decimal | None`, and is built from a `Decimal` or an `int`."""

        @overload
        def __get__(self, instance: None, owner: type) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: type | None = None) -> Decimal | None: ...
        def __get__(self, instance: object, owner: type | None = None) -> Self | Decimal | None: ...
        def __set__(self, instance: object, value: Decimal | int | None) -> None: ...

    class MetadataField:
        """Static type of a metadata field: reads as `dict[str, str] | None`, is built with null and numbers, too."""

        @overload
        def __get__(self, instance: None, owner: type) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: type | None = None) -> dict[str, str] | None: ...
        def __get__(self, instance: object, owner: type | None = None) -> Self | dict[str, str] | None: ...
        def __set__(self, instance: object, value: Mapping[str, str | int | Decimal | None] | None) -> None: ...

    ABSENT: Any = None
else:
    MoneyField = Money | None
    MetadataField = Metadata | None
    ABSENT = None
"""Default of a field whose static type has a wider setter than getter (`MoneyField`, `MetadataField`, `Many`)."""
