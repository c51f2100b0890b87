"""Filter expressions for calls that select items by a condition (E9).

`field("age").ge(18) & ~field("name").co("x")` builds a `Filter`; `str()` of it is the text that is sent.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import ClassVar, Final, Literal, NoReturn, final

from ._datetimes import is_time
from .errors import InvalidArgumentError

__all__ = ["Field", "Filter", "FilterValue", "OrderedValue", "field", "filter_text"]

OrderedValue = str | int | Decimal | datetime
"""Operands of `gt`, `ge`, `lt` and `le`. A `bool`, although an `int` to Python, is refused."""

FilterValue = OrderedValue | bool | None
"""Operands of `eq` and `ne`."""

_WAY_OUT: Final = "If the service's own notation for it is known to you, pass the whole filter as a plain string"

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_-]*"
_PATH: Final = re.compile(rf"{_NAME}(?:\.{_NAME})*")

# A property with one of these names would read as an operator in some parsers, and E9 deletes what it selects.
_RESERVED: Final = frozenset({"and", "or", "not", "eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co"})

_MAX_DIGITS: Final = 28  # the exactness of every number that leaves the SDK (H45)


class _Expression:
    """Base of fields and filters: neither is true or false, neither is equal to anything."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("a filter expression has no truth value: combine filters with & | ~, not with and, or, not")

    def __eq__(self, other: object) -> NoReturn:
        raise TypeError("filter expressions have no ==: write field(name).eq(value), or compare the text, str(filter)")

    def __ne__(self, other: object) -> NoReturn:
        raise TypeError("filter expressions have no !=: write field(name).ne(value), or compare the text, str(filter)")

    # Hashing promises a working ==, which there is not.
    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # the standard way to say "unhashable"; typeshed declares a method


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Filter(_Expression):
    """A condition on the items of a custom data array. Made by `field`; immutable.

    Combine with `&` (and), `|` (or) and `~` (not). The text carries parentheses wherever two operators meet, so that
    nothing hangs on how the service ranks them.
    """

    _text: str
    _joined_by: Literal["and", "or"] | None

    def __post_init__(self) -> None:
        filter_text(self._text)

    def __and__(self, other: Filter) -> Filter:
        return self._join("and", other)

    def __or__(self, other: Filter) -> Filter:
        return self._join("or", other)

    def __invert__(self) -> Filter:
        return Filter(f"not ({self._text})", None)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Filter({self._text!r})"

    def _join(self, word: Literal["and", "or"], other: object) -> Filter:
        if not isinstance(other, Filter):
            raise InvalidArgumentError(f"a filter is joined only to another filter, not to {type(other).__name__}")
        right = other._operand_of(word)  # noqa: SLF001 - the other one is of this class too
        return Filter(f"{self._operand_of(word)} {word} {right}", word)

    def _operand_of(self, word: Literal["and", "or"]) -> str:
        return self._text if self._joined_by in (None, word) else f"({self._text})"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Field(_Expression):
    """A property of the items, by its name or dotted path. Made by `field`; each method gives a `Filter`."""

    path: str

    def __post_init__(self) -> None:
        _check_path(self.path)

    def eq(self, value: FilterValue) -> Filter:
        """Select items whose property equals `value`."""
        return self._compare("eq", _literal(value))

    def ne(self, value: FilterValue) -> Filter:
        """Select items whose property differs from `value`."""
        return self._compare("ne", _literal(value))

    def gt(self, value: OrderedValue) -> Filter:
        """Select items whose property is greater than `value`."""
        return self._compare("gt", _ordered(value))

    def ge(self, value: OrderedValue) -> Filter:
        """Select items whose property is greater than `value` or equal to it."""
        return self._compare("ge", _ordered(value))

    def lt(self, value: OrderedValue) -> Filter:
        """Select items whose property is less than `value`."""
        return self._compare("lt", _ordered(value))

    def le(self, value: OrderedValue) -> Filter:
        """Select items whose property is less than `value` or equal to it."""
        return self._compare("le", _ordered(value))

    def sw(self, value: str) -> Filter:
        """Select items whose property starts with `value`."""
        return self._compare("sw", _part(value))

    def ew(self, value: str) -> Filter:
        """Select items whose property ends with `value`."""
        return self._compare("ew", _part(value))

    def co(self, value: str) -> Filter:
        """Select items whose property contains `value`."""
        return self._compare("co", _part(value))

    def _compare(self, operator: str, literal: str) -> Filter:
        return Filter(f"{self.path} {operator} {literal}", None)


def field(path: str) -> Field:
    """Name the property that a filter looks at.

    Args:
        path: A property name, or a path of names joined by dots: `"age"`, `"address.city"`.

    Raises:
        InvalidArgumentError: The path is not made of such names, or is one of the operator words.
    """
    return Field(path)


def filter_text(expression: Filter | str) -> str:
    """Return the text of a filter as it is sent; a plain string is taken as it is.

    Raises:
        InvalidArgumentError: It is neither a filter nor a string, or a blank one, or has characters that cannot be
            sent.
    """
    text = _text_of(expression)
    if not text.strip():
        # An empty filter may delete everything; no source says (H43).
        raise InvalidArgumentError("the filter is empty; say which items are meant")
    if _has_unsendable(text):
        raise InvalidArgumentError("the filter has a control character or a lone surrogate, which cannot be sent")
    return text


def _text_of(expression: object) -> str:
    if isinstance(expression, Filter):
        return str(expression)
    if isinstance(expression, str):
        return str.__str__(expression)
    raise InvalidArgumentError(f"a filter is built with field(...) or is a string, not {type(expression).__name__}")


def _check_path(path: object) -> None:
    if not isinstance(path, str):
        raise InvalidArgumentError(f"a property path is a string, not {type(path).__name__}")
    if _PATH.fullmatch(path) is None:
        raise InvalidArgumentError(
            "a property path is one or more names joined by dots; each name starts with a letter or an underscore "
            "and goes on with letters, digits, underscores and hyphens"
        )
    if path.lower() in _RESERVED:
        raise InvalidArgumentError(f"a property cannot be named like an operator of the filter language. {_WAY_OUT}")


def _literal(value: object) -> str:
    """Write a value as the JSON literal that stands for it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | Decimal():
            return _number(value)
        case datetime() if is_time(value):
            return _timestamp(value)
        case str():
            return _quoted(value)
        case float():
            raise InvalidArgumentError(
                "the value of a filter can't be a float, which isn't exact; write a Decimal or an int"
            )
        case _:
            raise InvalidArgumentError(
                f"the value of a filter must be a str, int, Decimal, bool, datetime or None, not {type(value).__name__}"
            )


def _ordered(value: object) -> str:
    if value is None or isinstance(value, bool):
        raise InvalidArgumentError("None and bool have no order; compare them with eq or ne")
    return _literal(value)


def _part(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidArgumentError(f"sw, ew and co take a string, not {type(value).__name__}")
    if not value:
        # Every string starts with, ends with and contains the empty one: E9 would delete all items.
        raise InvalidArgumentError("sw, ew and co with an empty string match every item; give at least one character")
    return _quoted(value)


def _number(value: int | Decimal) -> str:
    exact = Decimal(value)
    if not exact.is_finite():
        raise InvalidArgumentError("the value of a filter must be a finite number, not NaN or infinity")
    exponent = exact.as_tuple().exponent
    # The exponent is looked at before the number is written out: Decimal("1E+999999") has a million digits.
    if max(exact.adjusted(), 0) >= _MAX_DIGITS or (isinstance(exponent, int) and exponent <= -_MAX_DIGITS):
        raise InvalidArgumentError(f"a number in a filter has at most {_MAX_DIGITS} digits")
    text = format(exact, "f")
    if sum(character.isdigit() for character in text) > _MAX_DIGITS:
        raise InvalidArgumentError(f"a number in a filter has at most {_MAX_DIGITS} digits")
    return text


def _timestamp(value: datetime) -> str:
    offset = value.utcoffset()
    if offset is None:
        raise InvalidArgumentError("a datetime in a filter must carry its time zone, for example tzinfo=datetime.UTC")
    if offset % timedelta(minutes=1):
        raise InvalidArgumentError(
            "ISO 8601 writes offsets in whole minutes; convert the datetime with .astimezone(UTC)"
        )
    return _quoted(value.isoformat())


def _quoted(value: str) -> str:
    text = str.__str__(value)  # an enumeration's member has its value here, but its name in str()
    # How E9 escapes is not shown. Where a guess is wrong, the rest of the value becomes filter language (H43). An
    # apostrophe needs no escape between double quotes.
    if _has_unsendable(text) or '"' in text or "\\" in text:
        raise InvalidArgumentError(
            "a filter value with a double quote, a backslash, a control character or a lone surrogate is refused, "
            f"because the service does not state how its filter language escapes them. {_WAY_OUT}"
        )
    return json.dumps(text, ensure_ascii=False)


def _has_unsendable(text: str) -> bool:
    return any(unicodedata.category(character) in {"Cc", "Cs"} for character in text)
