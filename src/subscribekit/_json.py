"""JSON with exact numbers: strict when read, digit for digit when written.

Reading keeps every fractional number as a `Decimal` and refuses what the standard does not know (NaN, infinity) and
what two readers may understand differently (duplicate keys) (H54, H55). Writing puts a `Decimal` on the wire as a
number in plain notation (H45); the standard library can only write floats or strings.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from json.encoder import encode_basestring
from typing import cast

import jiter

from ._datetimes import is_time
from ._json_type import JSON as JSON  # noqa: PLC0414  checkers then see that others may import it from here

MAX_DIGITS = 28
"""Significant digits of a number that is sent."""

OUT_OF_RANGE = "a number is out of range"
_MAX_EXPONENT = 60


class DamagedJSONError(ValueError):
    """The bytes are not one complete JSON text."""


def decode(data: bytes) -> JSON:
    """Parse JSON text, fractional numbers as `Decimal`.

    Raises:
        DamagedJSONError: Not UTF-8, not complete, not standard JSON, or an object with the same key twice.
    """
    return _parsed(data, refuse_duplicate_keys=True)


def decode_response(data: bytes) -> tuple[JSON, bool]:
    """Parse JSON text as `decode` does, in less time, and return whether `check_numbers` would accept the value.

    If an object has the same key twice, the value holds fewer texts than the bytes do. A quote that is part of a text
    makes the counts differ, too, so `decode` decides whenever they differ.

    Raises:
        DamagedJSONError: As `decode`.
    """
    value = _parsed(data, refuse_duplicate_keys=False)
    texts, is_in_range = _survey(value)
    if data.count(b'"') != 2 * texts:
        value = decode(data)
    return value, is_in_range


def check_numbers(value: JSON) -> None:
    """Refuse numbers so large or small that plain arithmetic on them would not end (`1e999999999`).

    Args:
        value: The result of `decode`: its types are exactly those of `JSON`, never subclasses of them.

    Raises:
        DamagedJSONError: There is such a number.
    """
    _, is_in_range = _survey(value)
    if not is_in_range:
        raise DamagedJSONError(OUT_OF_RANGE)


def _parsed(data: bytes, *, refuse_duplicate_keys: bool) -> JSON:
    try:
        value: JSON = jiter.from_json(
            data,
            allow_inf_nan=False,
            cache_mode="keys",  # a text seldom repeats, and cached it would outlive its response: a name, an address
            catch_duplicate_keys=refuse_duplicate_keys,
            float_mode="decimal",
        )
    except (ValueError, RecursionError, ArithmeticError):
        # jiter's own message quotes the key it stumbled over.
        raise DamagedJSONError("the body is not complete, standard JSON") from None
    return value


def _survey(value: JSON) -> tuple[int, bool]:
    """Return the number of texts in a value, keys included, and whether all of its numbers are in range."""
    is_in_range = True
    keys = others = 0
    groups: list[Collection[JSON]] = [(value,)]
    for group in groups:  # grows on the way
        for item in group:
            if type(item) is str:  # as most are
                continue
            others += 1
            if type(item) is dict:
                keys += len(item)
                groups.append(item.values())
            elif type(item) is list:
                groups.append(item)
            elif type(item) is Decimal and not -_MAX_EXPONENT <= item.adjusted() <= _MAX_EXPONENT and item:
                is_in_range = False
    return keys + sum(map(len, groups)) - others, is_in_range


def encode(value: object) -> bytes:
    """Write a value as JSON, numbers exact and in plain notation.

    Raises:
        TypeError: A float, a datetime without a time zone, or a type that JSON does not have.
        ValueError: A number that is not finite or has more than 28 digits, or text that is not Unicode.
    """
    return "".join(_write(value, number)).encode()


def encode_stored(value: object) -> bytes:
    """Write a value as JSON that is kept, not sent: as `encode`, but for any number that was received.

    Raises:
        TypeError: As `encode`.
        ValueError: A number that is not finite, or text that is not Unicode.
    """
    return "".join(_write(value, stored_number)).encode()


def _write(value: object, number: Callable[[int | Decimal], str]) -> Iterator[str]:
    if value is None:
        yield "null"
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, str):
        yield encode_basestring(value)
    elif isinstance(value, int | Decimal):
        yield number(value)
    elif is_time(value):
        if value.utcoffset() is None:
            raise TypeError("a datetime without a time zone cannot be sent")
        yield encode_basestring(value.isoformat())
    elif isinstance(value, Mapping):
        yield from _write_object(cast("Mapping[object, object]", value), number)
    elif isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        yield from _write_array(cast("Sequence[object]", value), number)
    else:
        raise TypeError(f"a value of type {type(value).__name__} cannot be sent as JSON; amounts are Decimal or int")


def _write_object(value: Mapping[object, object], number: Callable[[int | Decimal], str]) -> Iterator[str]:
    separator = "{"
    for key, item in value.items():
        if not isinstance(key, str):
            raise TypeError("the keys of a JSON object are text")
        yield separator
        yield encode_basestring(key)
        yield ":"
        yield from _write(item, number)
        separator = ","
    yield "}" if separator == "," else "{}"


def _write_array(value: Sequence[object], number: Callable[[int | Decimal], str]) -> Iterator[str]:
    separator = "["
    for item in value:
        yield separator
        yield from _write(item, number)
        separator = ","
    yield "]" if separator == "," else "[]"


def number(value: int | Decimal) -> str:
    """Write a number in plain notation, its scale kept (`19.90`, never `1E+2`)."""
    exact = Decimal(value)
    if not exact.is_finite():
        raise ValueError("a number that is sent must be finite")
    if len(exact.as_tuple().digits) > MAX_DIGITS or not -_MAX_EXPONENT <= exact.adjusted() <= _MAX_EXPONENT:
        raise ValueError(f"a number that is sent has at most {MAX_DIGITS} digits")
    return format(exact, "f")


def stored_number(value: int | Decimal) -> str:
    """Write a number of any length, each digit kept; one far from 1 with its exponent, or it would fill the memory."""
    exact = Decimal(value)
    if not exact.is_finite():
        raise ValueError("a number must be finite")
    return format(exact, "f") if -_MAX_EXPONENT <= exact.adjusted() <= _MAX_EXPONENT else str(exact)
