"""Filter expressions, which select items of custom data by a condition (E9).

`field("age").ge(18) & ~field("name").co("x")` creates a `Filter`. The SDK sends the text of a filter, which is
`str(filter)`.
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
"""The types that `gt`, `ge`, `lt`, and `le` accept. A `bool` isn't accepted, although `bool` is a subclass of `int`."""

FilterValue = OrderedValue | bool | None
"""The types that `eq` and `ne` accept."""

_PLAIN_STRING_ADVICE: Final = "If you know the notation of the service, pass the whole filter as a plain string"

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_-]*"
_PATH: Final = re.compile(rf"{_NAME}(?:\.{_NAME})*")

# A property can't have the name of a filter operator. The service could parse the name as this operator. A deletion by
# filter (E9) could then delete items that don't match.
_RESERVED: Final = frozenset({"and", "or", "not", "eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co"})

_MAX_DIGITS: Final = 28  # the maximum number of digits in a number that the SDK sends (H45)


class _Expression:
    """Base class of fields and filters, which have no truth value and can't be compared."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("a filter expression has no truth value; combine filters with & | ~, not with and, or, not")

    def __eq__(self, other: object) -> NoReturn:
        raise TypeError("filter expressions don't support ==; write field(name).eq(value), or compare str(filter)")

    def __ne__(self, other: object) -> NoReturn:
        raise TypeError("filter expressions don't support !=; write field(name).ne(value), or compare str(filter)")

    # The class is unhashable, because `==` always raises an error. The annotation contradicts typeshed,
    # which declares `__hash__` as a method.
    __hash__: ClassVar[None] = None  # type: ignore[assignment]


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Filter(_Expression):
    """A condition on the items of a custom data array. Create a filter with `field`. Filters are immutable.

    Combine filters with `&` (and), `|` (or), and `~` (not). The filter's text has parentheses wherever different
    operators are combined, so that the result doesn't depend on the service's operator precedence.
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
            raise InvalidArgumentError(f"a filter can only be combined with a filter, not with {type(other).__name__}")
        right = other._operand_of(word)  # noqa: SLF001 - the other filter is an instance of the same class
        return Filter(f"{self._operand_of(word)} {word} {right}", word)

    def _operand_of(self, word: Literal["and", "or"]) -> str:
        return self._text if self._joined_by in (None, word) else f"({self._text})"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Field(_Expression):
    """A property of the items, with methods that return a `Filter`. To create this object, call `field`."""

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
        """Select items whose property is greater than or equal to `value`."""
        return self._compare("ge", _ordered(value))

    def lt(self, value: OrderedValue) -> Filter:
        """Select items whose property is less than `value`."""
        return self._compare("lt", _ordered(value))

    def le(self, value: OrderedValue) -> Filter:
        """Select items whose property is less than or equal to `value`."""
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
    """Return the property that a filter compares.

    Args:
        path: The name of a property, such as `"age"`, or names joined by dots, such as `"address.city"`.

    Raises:
        InvalidArgumentError: The path contains an invalid name, or is the name of an operator, such as `and`.
    """
    return Field(path)


def filter_text(expression: Filter | str) -> str:
    """Return the text of a filter as the SDK sends it. If the filter is a plain string, the text is the same string.

    Raises:
        InvalidArgumentError: The expression isn't a filter or a string, is blank, or contains a control character or a
            lone surrogate.
    """
    text = _text_of(expression)
    if not text.strip():
        # No source says which items an empty filter selects, so a deletion with an empty filter may delete
        # everything (H43).
        raise InvalidArgumentError("the filter is empty; write a condition that selects the items")
    if _has_unsendable(text):
        raise InvalidArgumentError("the filter contains a control character or a lone surrogate; remove that character")
    return text


def _text_of(expression: object) -> str:
    if isinstance(expression, Filter):
        return str(expression)
    if isinstance(expression, str):
        return str.__str__(expression)
    raise InvalidArgumentError(f"a filter must be a Filter from field(...) or a str, not {type(expression).__name__}")


def _check_path(path: object) -> None:
    if not isinstance(path, str):
        raise InvalidArgumentError(f"a property path must be a str, not {type(path).__name__}")
    if _PATH.fullmatch(path) is None:
        raise InvalidArgumentError(
            "a property path must be one or more names joined by dots. Each name must start with a letter or an "
            "underscore, and contain only letters, digits, underscores, and hyphens"
        )
    if path.lower() in _RESERVED:
        raise InvalidArgumentError(f"a property can't have the name of a filter operator. {_PLAIN_STRING_ADVICE}")


def _literal(value: object) -> str:
    """Return the JSON literal of a value."""
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
                "the value of a filter can't be a float, because a float isn't exact; write a Decimal or an int"
            )
        case _:
            raise InvalidArgumentError(
                f"the value of a filter must be a str, int, Decimal, bool, datetime, or None, not "
                f"{type(value).__name__}"
            )


def _ordered(value: object) -> str:
    if value is None or isinstance(value, bool):
        raise InvalidArgumentError("None and bool have no order; compare them with eq or ne")
    return _literal(value)


def _part(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidArgumentError(f"the value of sw, ew, and co must be a str, not {type(value).__name__}")
    if not value:
        # Every string contains the empty string, so a deletion with an empty filter value (E9) would delete all items.
        raise InvalidArgumentError(
            "sw, ew, and co select every item if the string is empty; pass at least one character"
        )
    return _quoted(value)


def _number(value: int | Decimal) -> str:
    exact = Decimal(value)
    if not exact.is_finite():
        raise InvalidArgumentError("the value of a filter must be a finite number, not NaN or infinity")
    exponent = exact.as_tuple().exponent
    # Check the exponent before formatting the number, because Decimal("1E+999999") would become a million digits.
    if max(exact.adjusted(), 0) >= _MAX_DIGITS or (isinstance(exponent, int) and exponent <= -_MAX_DIGITS):
        raise InvalidArgumentError(f"a number in a filter can have at most {_MAX_DIGITS} digits")
    text = format(exact, "f")
    if sum(character.isdigit() for character in text) > _MAX_DIGITS:
        raise InvalidArgumentError(f"a number in a filter can have at most {_MAX_DIGITS} digits")
    return text


def _timestamp(value: datetime) -> str:
    offset = value.utcoffset()
    if offset is None:
        raise InvalidArgumentError("a datetime in a filter must have a time zone, for example tzinfo=datetime.UTC")
    if offset % timedelta(minutes=1):
        raise InvalidArgumentError(
            "the UTC offset of a datetime in a filter must be whole minutes; convert the datetime with .astimezone(UTC)"
        )
    return _quoted(value.isoformat())


def _quoted(value: str) -> str:
    # `str(value)` could return the name of an enum member instead of the member's value.
    text = str.__str__(value)
    # The escaping of characters in filters (E9) isn't documented. If the SDK escaped a character incorrectly, the
    # service would read the rest of the value as part of the filter (H43). An apostrophe needs no escape between double
    # quotes.
    if _has_unsendable(text) or '"' in text or "\\" in text:
        raise InvalidArgumentError(
            "a filter value can't contain a double quote, a backslash, a control character, or a lone surrogate, "
            f"because the escaping of such characters isn't documented. {_PLAIN_STRING_ADVICE}"
        )
    return json.dumps(text, ensure_ascii=False)


def _has_unsendable(text: str) -> bool:
    return any(unicodedata.category(character) in {"Cc", "Cs"} for character in text)
