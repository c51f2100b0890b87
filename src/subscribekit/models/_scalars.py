"""Field types of the models: strict and limited when a value is built, tolerant when it is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Annotated, Any, Final, Self, TypeVar, overload

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from ._identifiers import MAX_IDENTIFIER, RULE, fits_a_path

T = TypeVar("T")

MAX_DIGITS: Final = 28
MAX_TEXT: Final = 1024
# Ten times what may be sent: enough for any amount, and no number can be written out to fill the memory (H54).
_MAX_READ_EXPONENT: Final = 280
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_DIGITS = re.compile(r"[+-]?\d+", re.ASCII)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


class Sensitive:
    """Tag of a field that holds personal or payment data: its value is masked wherever the model is printed."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Sensitive()"


SENSITIVE: Final = Sensitive()
Masked = Annotated[T, SENSITIVE]
"""Type of a sensitive field: `Masked[Text | None]`. The tag has to be the outermost annotation of the field."""


class TextLimit:
    """Limits of a text that hold when it is built; when read, any length is taken and a number becomes text.

    Args:
        max_length: Longest text, in characters; `None` for any.
        min_length: Shortest text.
        in_paths: Whether it has to be a path segment, as identifiers have.
    """

    __slots__ = ("in_paths", "max_length", "min_length")

    def __init__(self, max_length: int | None, *, min_length: int | None = None, in_paths: bool = False) -> None:
        self.max_length: int | None = max_length
        self.min_length: int | None = min_length
        self.in_paths: bool = in_paths

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        strict: CoreSchema = core_schema.str_schema(strict=True, max_length=self.max_length, min_length=self.min_length)
        if self.in_paths:
            strict = core_schema.no_info_after_validator_function(_build_identifier, strict)
        return core_schema.lax_or_strict_schema(core_schema.str_schema(coerce_numbers_to_str=True), strict)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        limits = {"minLength": self.min_length, "maxLength": self.max_length}
        return {"type": "string", **{name: limit for name, limit in limits.items() if limit is not None}}


Text = Annotated[str, TextLimit(MAX_TEXT)]
"""Text of at most 1,024 characters."""
Identifier = Annotated[str, TextLimit(MAX_IDENTIFIER, min_length=1, in_paths=True)]
"""An `id` or `vid`: 1 to 128 characters that can be a path segment."""
FreeText = Annotated[str, TextLimit(None)]
"""Text for which no limit is documented (groups C and D)."""


class _Integer:
    """Schema of `Integer`."""

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        # Not pydantic's own lax schema: it writes out a number such as 1e999999999 before it refuses it.
        lax = core_schema.no_info_plain_validator_function(_read_integer)
        return core_schema.lax_or_strict_schema(
            lax, core_schema.int_schema(strict=True), serialization=core_schema.simple_ser_schema("int")
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "integer"}


class ExactNumber:
    """Schema of `Money` and `Number`."""

    __slots__ = ("is_amount",)

    def __init__(self, *, is_amount: bool) -> None:
        self.is_amount: bool = is_amount

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.lax_or_strict_schema(
            core_schema.no_info_plain_validator_function(_read_number),
            core_schema.no_info_plain_validator_function(_build_number),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return _number_schema(handler)


class ExactQuantity:
    """Schema of `Quantity`."""

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.lax_or_strict_schema(
            core_schema.no_info_plain_validator_function(_read_quantity),
            core_schema.union_schema(
                [
                    core_schema.int_schema(strict=True),
                    core_schema.no_info_plain_validator_function(_build_number),
                ],
                mode="left_to_right",
            ),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return _number_schema(handler)


class _Timestamp:
    """Schema of `Timestamp`."""

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.lax_or_strict_schema(
            core_schema.no_info_plain_validator_function(_read_timestamp),
            core_schema.no_info_plain_validator_function(_build_timestamp),
            serialization=core_schema.plain_serializer_function_ser_schema(_write_iso, info_arg=True),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "string", "format": "date-time"}


class _DateOrTimestamp:
    """Schema of `DateOrTimestamp`."""

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.lax_or_strict_schema(
            core_schema.no_info_plain_validator_function(_read_date_or_timestamp),
            core_schema.no_info_plain_validator_function(_build_date_or_timestamp),
            serialization=core_schema.plain_serializer_function_ser_schema(_write_iso, info_arg=True),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]}


class _EpochMillis:
    """Schema of `EpochMillis`."""

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.lax_or_strict_schema(
            core_schema.no_info_plain_validator_function(_read_epoch_millis),
            core_schema.no_info_plain_validator_function(_build_timestamp),
            serialization=core_schema.plain_serializer_function_ser_schema(_write_epoch_millis, info_arg=True),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "integer"}


class _Metadata:
    """Schema of `Metadata`."""

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        text = core_schema.str_schema(coerce_numbers_to_str=True)
        as_received = core_schema.union_schema([text, core_schema.any_schema()], mode="left_to_right")
        key = core_schema.str_schema(strict=True, max_length=MAX_TEXT)
        value = core_schema.no_info_plain_validator_function(_build_metadata_value)
        return core_schema.lax_or_strict_schema(
            core_schema.dict_schema(core_schema.str_schema(), as_received),
            core_schema.dict_schema(key, value, strict=True),
            serialization=core_schema.plain_serializer_function_ser_schema(dict),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "object", "additionalProperties": {"type": ["string", "number", "null"]}}


class _ReadOnly:
    """Schema of `ReadOnly`."""

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        value = handler(source)
        refused = core_schema.no_info_before_validator_function(_refuse_read_only, value)
        return core_schema.lax_or_strict_schema(value, refused)


Integer = Annotated[int, _Integer()]
"""A whole number; when read also one sent as text or as `22.0`."""
Money = Annotated[Decimal, ExactNumber(is_amount=True)]
"""An exact amount of at most 28 digits. A float is refused when built, and the scale is kept (`1.10` stays `1.10`)."""
Number = Annotated[Decimal, ExactNumber(is_amount=False)]
"""An exact number that is no money: a coordinate."""
Quantity = Annotated[int | Decimal, ExactQuantity()]
"""A count that the specification gives as an integer and the service may answer with a fraction."""
Timestamp = Annotated[datetime, _Timestamp()]
"""An aware point in time, in UTC.

A naive one is refused when built: it could mean any zone. When read, a time without offset is UTC, as the service says
that all its answers are; so is midnight of a bare date.
"""
DateOrTimestamp = Annotated[datetime | date, _DateOrTimestamp()]
"""A calendar date, or an aware point in time, in UTC. When read, a bare date stays a date."""
EpochMillis = Annotated[datetime, _EpochMillis()]
"""An aware point in time, in UTC, that travels as UNIX epoch milliseconds (group C): 1000 is one second after 1970."""
Metadata = Annotated[dict[str, str], _Metadata()]
"""Key/value pairs of at most 1,024 characters each. When built, a number is sent as one and null deletes its key.

When read, numbers become text, and null or nested values stay as they came.
"""
ReadOnly = Annotated[T, _ReadOnly()]
"""Type of a field that only the service sets: `ReadOnly[Text | None]`. It is read, and refused when it is built."""
JsonObject = dict[str, object]
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

    UNSET: Any = None
else:
    MoneyField = Money | None
    MetadataField = Metadata | None
    UNSET = None
"""Default of a field whose static type has a wider setter than getter (`MoneyField`, `MetadataField`, `Many`)."""


def _fault(kind: str, message: str) -> PydanticCustomError:
    # Both are written as literals in this package; the class asks for `LiteralString`, which a `str` parameter is not.
    return PydanticCustomError(kind, message)  # pyright: ignore[reportArgumentType]


def _number_schema(handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    # pydantic writes a Decimal into JSON as text, which keeps its digits.
    return {"type": "number"} if handler.mode == "validation" else {"type": "string", "format": "decimal"}


def _build_identifier(value: str) -> str:
    if "/" in value:
        raise _fault("identifier_slash", f"Input should {RULE}: no path could name it; use the `vid` in its place")
    if not fits_a_path(value):
        raise _fault("identifier_path", f"Input should {RULE}: no path could name it; use the `vid` in its place")
    return value


def _build_metadata_value(value: object) -> object:
    if value is None:
        return None
    if isinstance(value, str):
        return _build_metadata_text(str.__str__(value))
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        _build_number(value)
        return value
    raise _fault("metadata_type", "Input should be a text, a Decimal, an int or None, which deletes the key")


def _build_metadata_text(value: str) -> str:
    if len(value) > MAX_TEXT:
        raise _fault("string_too_long", f"String should have at most {MAX_TEXT} characters")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise _fault("string_unicode", "Input should be text without lone surrogates")
    return value


def _refuse_read_only(_: object) -> object:
    raise _fault("read_only", "Input is not allowed: only the service sets this field")


def _read_integer(value: object) -> int:
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    number = _read_number(value)
    if number != number.to_integral_value():
        raise _fault("int_from_fraction", "Input should be a whole number, got a number with a fractional part")
    return int(number)


def _read_number(value: object) -> Decimal:
    number = value if type(value) is Decimal else _to_decimal(value)
    if -_MAX_READ_EXPONENT <= number.adjusted() <= _MAX_READ_EXPONENT and number.is_finite():
        return number
    raise _fault("number_range", "Input should be a finite number of a readable size")


def _to_decimal(value: object) -> Decimal:
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, float) or (isinstance(value, str) and _NUMBER.fullmatch(value)):
        try:
            return Decimal(str(value))
        except InvalidOperation:  # an exponent of more digits than the decimal module takes
            return Decimal("Infinity")
    raise _fault("number_type", "Input should be a number, or a number in text")


def _read_quantity(value: object) -> int | Decimal:
    return value if type(value) is int else _read_number(value)


def _build_number(value: object) -> Decimal:
    if isinstance(value, Decimal):
        number = value
    elif isinstance(value, int) and not isinstance(value, bool):
        number = Decimal(value)
    else:
        raise _fault("money_type", "Input should be a Decimal or an int: a float or a text is not an exact number")
    if not number.is_finite():
        raise _fault("finite_number", "Input should be a finite number")
    exponent = number.as_tuple().exponent
    digits = len(number.as_tuple().digits)
    if digits > MAX_DIGITS or number.adjusted() >= MAX_DIGITS or (isinstance(exponent, int) and exponent < -MAX_DIGITS):
        raise _fault("number_digits", "Input should have at most 28 digits")
    return number


def _utc(value: datetime) -> datetime:
    try:
        return value.astimezone(UTC)
    except OverflowError:
        # The last hours of year 9999 ("never ends") and the first of year 1 do not exist in UTC: keep their own offset.
        return value


def _read_timestamp(value: object) -> datetime:
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            raise _fault("timestamp_parsing", "Input should be an ISO 8601 timestamp") from None
    elif isinstance(value, datetime):
        moment = value
    else:
        raise _fault("timestamp_type", "Input should be an ISO 8601 timestamp")
    if moment.tzinfo is UTC:  # as nearly all are
        return moment
    return moment.replace(tzinfo=UTC) if moment.utcoffset() is None else _utc(moment)


def _build_timestamp(value: object) -> datetime:
    if not isinstance(value, datetime):
        raise _fault("timestamp_type", "Input should be a datetime with a time zone")
    if value.utcoffset() is None:
        raise _fault("timezone_aware", "Input should have a time zone: a naive datetime is ambiguous")
    return _utc(value)


def _read_date_or_timestamp(value: object) -> datetime | date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return _read_timestamp(value)
    return _read_timestamp(value)


def _build_date_or_timestamp(value: object) -> datetime | date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    return _build_timestamp(value)


def _read_epoch_millis(value: object) -> datetime:
    if isinstance(value, datetime) or (isinstance(value, str) and not _NUMBER.fullmatch(value)):
        return _read_timestamp(value)
    milliseconds = _read_integer(value)
    try:
        return _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        raise _fault("epoch_range", "Input should be UNIX epoch milliseconds within the years 1 to 9999") from None


def _write_iso(value: date, info: core_schema.SerializationInfo) -> object:
    return value if info.mode == "python" else value.isoformat()


def _write_epoch_millis(value: datetime, info: core_schema.SerializationInfo) -> object:
    if info.mode == "python":
        return value
    moment = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
    return (moment - _EPOCH) // _MILLISECOND
