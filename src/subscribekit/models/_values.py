"""Converts field values from responses, from Python, and from JSON that an application parsed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, Final, Self, TypeAlias, cast

from pydantic_core import PydanticCustomError, PydanticKnownError, core_schema

from .._datetimes import is_time
from .._decimals import own_context
from ._context import Info, is_built
from ._identifiers import RULE, fits_a_path
from ._masked_numbers import Test, without_masked_numbers

MAX_DIGITS: Final = 28
MAX_TEXT: Final = 1024
_MAX_FLOAT_DIGITS: Final = 15
"""Number of digits that every float can hold exactly."""
_ALL_DIGITS: Final = own_context(28)
"""A decimal context that keeps all digits of a float's `repr`, which has up to 17 digits."""
# The limit for exponents in responses is ten times the limit for sending. If there were no limit, printing a number
# from a response could fill the memory (H54).
_MAX_READ_EXPONENT: Final = 280
DECIMAL: Final = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_NUMBER = re.compile(DECIMAL, re.ASCII)
_DIGITS = re.compile(r"[+-]?\d+", re.ASCII)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)

TEXT: Final = "text"
"""The serialization mode of `model_dump_json`. A `Decimal` in an undocumented field stays a number with all of its
digits."""
WIRE: Final = "wire"
"""The serialization mode for JSON in the service's format, which the SDK stores and compares."""
BODY: Final = "body"
"""The serialization mode for request bodies: like `WIRE`, but without masked card and account numbers."""

Writing: TypeAlias = core_schema.SerializationInfo[Any]


def _fault(kind: str, message: str, context: dict[str, int] | None = None) -> PydanticCustomError:
    # pydantic requires `LiteralString`. All callers pass literals, but the type `str` doesn't express that.
    return PydanticCustomError(kind, message, context)  # pyright: ignore[reportArgumentType]


def build_identifier(value: str) -> str:
    if "/" in value:
        raise _fault("identifier_slash", f"Input should {RULE}, because paths contain the ID; use the `vid` instead")
    if not fits_a_path(value):
        raise _fault("identifier_path", f"Input should {RULE}, because paths contain the ID; use the `vid` instead")
    return value


def build_metadata_value(value: object, info: Info) -> object:
    if isinstance(value, str):
        return _build_text(str.__str__(value))
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        build_number(value, info)
        return value
    if isinstance(value, float) and not is_built(info):
        return build_number(value, info)
    if value is not None:
        raise _fault("metadata_type", "Input should be a string, a Decimal, an int, or None, which deletes the key")
    return None


def _build_text(value: str) -> str:
    if len(value) > MAX_TEXT:
        raise _fault("string_too_long", f"String should have at most {MAX_TEXT} characters", {"max_length": MAX_TEXT})
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise _fault("string_unicode", "Input should be a string without lone surrogates")
    return value


def build_open(value: object, info: Info) -> object:
    """Check the value of an undocumented field with the usual limits, at every level."""
    if isinstance(value, str):
        return _build_text(str.__str__(value))
    if isinstance(value, float):
        return build_number(value, info)
    if isinstance(value, Mapping):
        fields = cast("Mapping[object, object]", value)
        return {build_open(name, info): build_open(content, info) for name, content in fields.items()}
    if isinstance(value, list | tuple):
        return [build_open(each, info) for each in cast("list[object]", value)]
    return value


def take_unknown(value: object, info: Info) -> object:
    """Return the value of an unknown field, or raise an error if a model is being created or changed."""
    if is_built(info):
        raise PydanticKnownError("extra_forbidden")
    return exact(value, info)


class WrittenFloat(float):
    """A float that keeps its JSON text, so that no digits are lost."""

    def __new__(cls, text: str) -> Self:
        number = super().__new__(cls, text)
        number.text = text
        return number

    text: str


def exact(value: object, info: Info) -> object:
    """Replace floats in the JSON of an application with exact numbers, because a request body can't contain a float."""
    try:
        return _exact(value, info)
    except RecursionError:
        raise _fault("nested_too_deeply", "Input is nested too deeply; pass a value with fewer levels") from None


def _exact(value: object, info: Info) -> object:
    if isinstance(value, WrittenFloat):
        return read_number(value.text)
    if isinstance(value, float) and not is_built(info):
        return build_number(value, info)
    if isinstance(value, dict):
        fields = cast("dict[object, object]", value)
        return {name: _exact(content, info) for name, content in fields.items()}
    if isinstance(value, list):
        return [_exact(each, info) for each in cast("list[object]", value)]
    return value


def refuse_masked(value: str, info: Info, *, test: Test) -> str:
    if is_built(info) and test(value):
        raise _fault("masked_number", "account is masked; leave account out, or set the unmasked number")
    return value


def refuse_read_only(value: object, info: Info) -> object:
    if is_built(info):
        raise _fault("read_only", "Input isn't allowed, because only the service sets this field; leave this field out")
    return value


def read_integer(value: object) -> int:
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    number = read_number(value)
    if number != number.to_integral_value():
        raise _fault("int_from_fraction", "Input should be a whole number, without a fraction")
    return int(number)


def read_number(value: object) -> Decimal:
    number = value if type(value) is Decimal else _to_decimal(value)
    if -_MAX_READ_EXPONENT <= number.adjusted() <= _MAX_READ_EXPONENT and number.is_finite():
        return number
    raise _fault("number_range", f"Input should be a finite number with an exponent of up to {_MAX_READ_EXPONENT}")


def _to_decimal(value: object) -> Decimal:
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, float) or (isinstance(value, str) and _NUMBER.fullmatch(value)):
        try:
            return Decimal(str(value))
        except InvalidOperation:  # the exponent has more digits than the decimal module supports
            return Decimal("Infinity")
    raise _fault("number_type", "Input should be a number, or a string that contains a number")


def read_quantity(value: object) -> int | Decimal:
    return value if type(value) is int else read_number(value)


def build_quantity(value: object, info: Info) -> int | Decimal:
    return value if type(value) is int else build_number(value, info)


def build_number(value: object, info: Info) -> Decimal:
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        number = Decimal(value)
    elif is_built(info) or not (isinstance(value, float) or (isinstance(value, str) and _NUMBER.fullmatch(value))):
        raise _fault(
            "money_type", "Input should be a Decimal or an int, because floats and strings aren't exact numbers"
        )
    else:
        number = _to_decimal(value)
        if isinstance(value, float) and len(number.normalize(_ALL_DIGITS).as_tuple().digits) > _MAX_FLOAT_DIGITS:
            raise _fault(
                "float_digits",
                f"A float should have at most {_MAX_FLOAT_DIGITS} digits; pass a longer number as a Decimal",
            )
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
        # Keep the offset if the time would be after year 9999 in UTC (a subscription that never ends) or before year 1.
        return value


def _from_iso(value: str) -> datetime:
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise _fault("timestamp_parsing", "Input should be an ISO 8601 timestamp") from None


def read_timestamp(value: object) -> datetime:
    if isinstance(value, str):
        moment = _from_iso(value)
    elif is_time(value):
        moment = value
    else:
        raise _fault("timestamp_type", "Input should be an ISO 8601 timestamp")
    if moment.tzinfo is UTC:  # skip the conversion, which a time in UTC doesn't need
        return moment
    return moment.replace(tzinfo=UTC) if moment.utcoffset() is None else _utc(moment)


def build_timestamp(value: object, info: Info) -> datetime:
    if isinstance(value, str) and not is_built(info):
        value = _from_iso(value)
    if not is_time(value):
        raise _fault("timestamp_type", "Input should be a datetime with a time zone")
    if value.utcoffset() is None:
        raise _fault("timezone_aware", "Input should have a time zone, because a naive datetime is ambiguous")
    return _utc(value)


def _date(value: object) -> date | None:
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return value if isinstance(value, date) and not isinstance(value, datetime) else None


def read_date_or_timestamp(value: object) -> datetime | date:
    return _date(value) or read_timestamp(value)


def build_date_or_timestamp(value: object, info: Info) -> datetime | date:
    if isinstance(value, str) and is_built(info):
        return build_timestamp(value, info)
    return _date(value) or build_timestamp(value, info)


def read_epoch_millis(value: object) -> datetime:
    if isinstance(value, datetime) or (isinstance(value, str) and not _NUMBER.fullmatch(value)):
        return read_timestamp(value)
    if isinstance(value, bool):
        raise _fault("epoch_type", "Input should be UNIX epoch milliseconds, not a Boolean")
    milliseconds = read_integer(value)
    try:
        return _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        raise _fault("epoch_range", "Input should be UNIX epoch milliseconds within the years 1 to 9999") from None


def write_iso(value: date, info: Writing) -> object:
    return value if info.mode == "python" else value.isoformat()


def write_epoch_millis(value: datetime, info: Writing) -> object:
    if info.mode not in (WIRE, BODY):
        return write_iso(value, info)  # an application could mistake milliseconds for seconds
    moment = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
    return (moment - _EPOCH) // _MILLISECOND


def write_open(value: object, info: Writing) -> object:
    """Return the value of an undocumented field, with floats in JSON mode, or without masked numbers in a request."""
    if info.mode == "json":
        return _with_floats(value)
    return without_masked_numbers(value) if info.mode == BODY else value


def _with_floats(value: object) -> object:
    """Convert a `Decimal` to an int or a float if no digit is lost, because pydantic writes a `Decimal` as a string."""
    if isinstance(value, Decimal):
        return _plain_number(value)
    if isinstance(value, dict):
        return {name: _with_floats(content) for name, content in cast("dict[object, object]", value).items()}
    if isinstance(value, list):
        return [_with_floats(each) for each in cast("list[object]", value)]
    return value


def _plain_number(value: Decimal) -> Decimal | float | int:
    if not value.is_finite() or abs(value.adjusted()) > _MAX_READ_EXPONENT:
        return value
    number = float(value)
    if len(value.normalize().as_tuple().digits) > _MAX_FLOAT_DIGITS or Decimal(str(number)) != value:
        return value
    return int(number) if number.is_integer() and value.adjusted() < _MAX_FLOAT_DIGITS else number
