"""The field types of the models, which are strict when you create a model and tolerant when a response is read."""

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
"""The JSON schema of a `Decimal`, which pydantic writes as a string to keep its digits."""
_EXACT_COUNT: Final = {"anyOf": [_INTEGER, _EXACT_TEXT]}
_NUMBER: Final = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": f"^{values.DECIMAL}$"}]}


class Sensitive:
    """The tag of a field with personal or payment data, which is masked when the model is printed."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Sensitive()"


SENSITIVE: Final = Sensitive()
Masked = Annotated[T, SENSITIVE]
"""The type of a sensitive field, such as `Masked[Text | None]`. `Masked` must be the outermost annotation."""


@dataclass(frozen=True, slots=True)
class TextLimit:
    """The length limits of a string when you create a model.

    In a response, a string can have any length, or be a number.

    Attributes:
        max_length: Maximum length, in characters; `None` for no limit.
        min_length: Minimum length, in characters; `None` for no limit.
        in_paths: Whether the string must be valid as a path segment, like an identifier.
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
        # Received strings can exceed the length limits.
        limits = {"minLength": self.min_length, "maxLength": self.max_length} if handler.mode == "validation" else {}
        return {"type": "string", **{name: limit for name, limit in limits.items() if limit is not None}}


Text = Annotated[str, TextLimit(MAX_TEXT)]
"""A string of up to 1,024 characters."""
Identifier = Annotated[str, TextLimit(MAX_IDENTIFIER, min_length=1, in_paths=True)]
"""An `id` or a `vid`: 1 to 128 characters that are valid as a path segment."""
FreeText = Annotated[str, TextLimit(None)]
"""A string without a documented limit, in the account-lifecycle API and the storefront."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scalar:
    """The schemas of a field type: for reading a response, for creating a model, and for writing."""

    lax: CoreSchema
    """The schema for reading a response."""
    strict: CoreSchema
    """The schema for creating a model."""
    accepted: JsonSchemaValue
    """The JSON schema of accepted values."""
    written: JsonSchemaValue | None = None
    """The JSON schema of serialized values, or `None` if `accepted` also describes serialized values."""
    write: core_schema.SerSchema | None = None
    """The pydantic-core schema for serialization, or `None` for pydantic's default serialization."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.lax_or_strict_schema(self.lax, self.strict, serialization=self.write)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return self.accepted if handler.mode == "validation" or self.written is None else self.written


@dataclass(frozen=True, slots=True, eq=False)
class ExactNumber(_Scalar):
    """The schema of `Money`, `Number`, and `Quantity`."""

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
    """The tag of a number that the service masks.

    A response can contain a masked number, but a model that you create can't.

    Attributes:
        test: A function that returns whether a number is masked.
    """

    test: Test

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        value = handler(source)
        refuse = partial(values.refuse_masked, test=self.test)
        return core_schema.lax_or_strict_schema(value, core_schema.with_info_after_validator_function(refuse, value))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(schema)


AccountNumber = Annotated[Text, MaskedInResponses(is_masked)]
"""The number of a card or a bank account."""
MerchantAccount = Annotated[Text, MaskedInResponses(is_masked_but_for_the_end)]
"""The account of a Merchant Accepted Payment, in the merchant's own format."""


class _ReadOnly:
    """The schema of `ReadOnly`."""

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        value = handler(source)
        refused = core_schema.with_info_before_validator_function(values.refuse_read_only, value)
        return core_schema.lax_or_strict_schema(value, refused)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "readOnly": True}


# Don't use pydantic's own lax schema, because pydantic expands a number such as 1e999999999 before rejecting the
# number.
Integer = Annotated[
    int,
    _Scalar(
        _reading(values.read_integer),
        core_schema.int_schema(strict=True),
        _INTEGER,
        write=core_schema.simple_ser_schema("int"),
    ),
]
"""An integer. In a response, an integer can also be a string or have a fraction of zero, such as `22.0`."""
Money = Annotated[Decimal, ExactNumber(_read_number, _build_number, _NUMBER, _EXACT_TEXT)]
"""An exact amount of up to 28 digits. An amount can't be a float. Trailing zeros are kept, so `1.10` stays `1.10`."""
Number = Annotated[Decimal, ExactNumber(_read_number, _build_number, _NUMBER, _EXACT_TEXT, is_amount=False)]
"""An exact number that isn't an amount, such as a coordinate."""
Quantity = Annotated[
    int | Decimal, ExactNumber(_reading(values.read_quantity), _building(values.build_quantity), _NUMBER, _EXACT_COUNT)
]
"""A count. The specification declares counts as integers, but the service can return fractions."""
Timestamp = Annotated[datetime, _Scalar(_reading(values.read_timestamp), _build_timestamp, _MOMENT, write=_write_iso)]
"""A time in UTC.

When you create a model, the time must have a time zone. In a response, a time without an offset is in UTC, because the
service documents UTC for all responses. If a response contains a date without a time, the field contains midnight UTC
of that date.
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
"""A date, or a time in UTC. If a response contains a date without a time, the field contains a `date`."""
EpochMillis = Annotated[
    datetime,
    _Scalar(
        _reading(values.read_epoch_millis),
        _build_timestamp,
        _MOMENT,
        write=_writing(values.write_epoch_millis),
    ),
]
"""A time in UTC, which the account-lifecycle API sends as Unix epoch milliseconds: 1000 is one second after 1970."""
Metadata = Annotated[dict[str, str], _METADATA]
"""Key-value pairs; keys and strings have at most 1,024 characters. When you set metadata, a value can also be a number.
`None` as a value deletes the key.

In the metadata of a response, the SDK converts numbers to strings, and leaves null and nested values unchanged.
"""
ReadOnly = Annotated[T, _ReadOnly()]
"""The type of a field that only the service sets, such as `ReadOnly[Text | None]`. You can't set a read-only field."""
OpenValue = Annotated[
    object, _Scalar(core_schema.any_schema(), _building(values.build_open), {}, write=_writing(values.write_open))
]
"""An undocumented field. When you create a model, the field can't contain floats or strings of over 1,024
characters."""
UNKNOWN: Final = core_schema.lax_or_strict_schema(
    core_schema.any_schema(), _building(values.take_unknown), serialization=_writing(values.write_open)
)
"""The schema of an unknown field. A response can contain unknown fields, but a model that you create can't."""
_ExactValue = Annotated[
    object, _Scalar(core_schema.any_schema(), _building(values.exact), {}, write=_writing(values.write_open))
]
JsonObject = dict[str, _ExactValue]
"""A JSON object with undocumented fields."""

if TYPE_CHECKING:

    class MoneyField:
        """Static type of an amount field: you read a `Decimal | None`, and can assign a `Decimal` or an `int`."""

        @overload
        def __get__(self, instance: None, owner: type) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: type | None = None) -> Decimal | None: ...
        def __get__(self, instance: object, owner: type | None = None) -> Self | Decimal | None: ...
        def __set__(self, instance: object, value: Decimal | int | None) -> None: ...

    class MetadataField:
        """Static type of a metadata field: you read a `dict[str, str] | None`, but values can be numbers or `None`."""

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
"""The default of a field that accepts more types than it returns: `MoneyField`, `MetadataField`, and `Many`."""
