"""Parses and writes JSON with exact numbers.

The parser returns fractional numbers as `Decimal`. The parser rejects NaN and infinity, which aren't standard JSON, and
duplicate keys, which parsers interpret differently (H54, H55). The writer writes a `Decimal` as a number in plain
notation (H45), because the standard library can write it only as a float or a string.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from json.encoder import encode_basestring
from typing import cast

import jiter

from ._datetimes import is_time
from ._json_type import JSON as JSON  # noqa: PLC0414  type checkers then let other modules import the name from here

MAX_DIGITS = 28
"""The maximum number of significant digits in a number that is sent."""

OUT_OF_RANGE = "a number is out of range"
_MAX_EXPONENT = 60


class DamagedJSONError(ValueError):
    """The bytes aren't a complete JSON document."""


def decode(data: bytes) -> JSON:
    """Parse JSON, with fractional numbers as `Decimal`.

    Raises:
        DamagedJSONError: The data isn't UTF-8, isn't complete, isn't standard JSON, or contains duplicate keys.
    """
    return _parsed(data, refuse_duplicate_keys=True)


def decode_response(data: bytes) -> tuple[JSON, bool]:
    """Parse JSON like `decode`, but faster. Return the value, and whether `check_numbers` would accept the value.

    To find duplicate keys, the function compares the number of strings in the parsed value with the number of quotation
    marks in the bytes. If there are more than two quotation marks for each string, a key may be repeated, or a string
    may contain a quotation mark. In this case, `decode` parses the bytes again and checks the keys.

    Raises:
        DamagedJSONError: The data isn't UTF-8, isn't complete, isn't standard JSON, or contains duplicate keys.
    """
    value = _parsed(data, refuse_duplicate_keys=False)
    texts, is_in_range = _survey(value)
    if data.count(b'"') != 2 * texts:
        value = decode(data)
    return value, is_in_range


def check_numbers(value: JSON) -> None:
    """Reject numbers that are so large or so small that arithmetic with them wouldn't end, such as `1e999999999`.

    Args:
        value: The result of `decode`. `check_numbers` ignores instances of subclasses of the types in `JSON`.

    Raises:
        DamagedJSONError: The value contains a number that is too large or too small.
    """
    _, is_in_range = _survey(value)
    if not is_in_range:
        raise DamagedJSONError(OUT_OF_RANGE)


def _parsed(data: bytes, *, refuse_duplicate_keys: bool) -> JSON:
    try:
        value: JSON = jiter.from_json(
            data,
            allow_inf_nan=False,
            # Cache only keys, because other strings, such as names, seldom repeat and would stay in memory after the
            # response.
            cache_mode="keys",
            catch_duplicate_keys=refuse_duplicate_keys,
            float_mode="decimal",
        )
    except (ValueError, RecursionError, ArithmeticError):
        # Don't use the message of jiter, because it quotes the key at which parsing failed.
        raise DamagedJSONError("the body isn't complete, standard JSON") from None
    return value


def _survey(value: JSON) -> tuple[int, bool]:
    """Return the number of strings in a value, including keys, and whether all numbers in the value are in range."""
    is_in_range = True
    keys = others = 0
    groups: list[Collection[JSON]] = [(value,)]
    for group in groups:  # the loop also iterates over the groups that it appends
        for item in group:
            if type(item) is str:  # strings are checked first, because strings are the most frequent values
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
    """Return a value as JSON to send, with exact numbers in plain notation.

    Raises:
        TypeError: The value contains a float, a datetime without a time zone, or a type that JSON doesn't have.
        ValueError: A number isn't finite or has more than 28 digits, or a string contains a lone surrogate.
    """
    return "".join(_write(value, number)).encode()


def encode_stored(value: object) -> bytes:
    """Return a value as JSON to store.

    Unlike `encode`, this function accepts numbers of any length, which the service may send.

    Raises:
        TypeError: The value contains a float, a datetime without a time zone, or a type that JSON doesn't have.
        ValueError: A number isn't finite, or a string contains a lone surrogate.
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
            raise TypeError("a datetime without a time zone can't be sent; set its tzinfo")
        yield encode_basestring(value.isoformat())
    elif isinstance(value, Mapping):
        yield from _write_object(cast("Mapping[object, object]", value), number)
    elif isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        yield from _write_array(cast("Sequence[object]", value), number)
    else:
        raise TypeError(f"a value of type {type(value).__name__} can't be sent as JSON; pass amounts as Decimal or int")


def _write_object(value: Mapping[object, object], number: Callable[[int | Decimal], str]) -> Iterator[str]:
    separator = "{"
    for key, item in value.items():
        if not isinstance(key, str):
            raise TypeError("the keys of a JSON object must be str")
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
    """Return a number in plain notation with its scale, such as `19.90`, and never in the form `1E+2`."""
    exact = Decimal(value)
    if not exact.is_finite():
        raise ValueError("a number must be finite to be sent")
    if len(exact.as_tuple().digits) > MAX_DIGITS or not -_MAX_EXPONENT <= exact.adjusted() <= _MAX_EXPONENT:
        raise ValueError(f"a number must have at most {MAX_DIGITS} digits to be sent")
    return format(exact, "f")


def stored_number(value: int | Decimal) -> str:
    """Return the text of a number, with all digits of the number.

    To save memory, very large and very small numbers are written with an exponent.
    """
    exact = Decimal(value)
    if not exact.is_finite():
        raise ValueError("a number must be finite")
    return format(exact, "f") if -_MAX_EXPONENT <= exact.adjusted() <= _MAX_EXPONENT else str(exact)
