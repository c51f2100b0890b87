"""Parses the filter expressions of custom data deletion (E9), and evaluates them for items.

The specification defines the operators and the precedence of filter expressions: `not`, then `and`, then `or`. The
sandbox assumes that filter expressions otherwise follow RFC 7644. Values are JSON literals, and property paths are
names that are separated by dots. A list matches a comparison if one of the list's values matches. Names and strings are
case-sensitive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import cast

from ..._json import DamagedJSONError, decode
from ..values import Document, Value, read_timestamp

Predicate = Callable[[Document], bool]

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<paren>[()])
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])
      | (?P<name>[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)
    )""",
    re.VERBOSE,
)
_OPERATORS = frozenset({"eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co"})
_WORDS = frozenset({"and", "or", "not"})
MAX_DEPTH = 50


class ExpressionError(ValueError):
    """A filter expression is invalid."""


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str


def parse(expression: str) -> Predicate:
    """Parse a filter expression, and return a function that decides whether an item matches the expression.

    Raises:
        ExpressionError: The expression is empty or doesn't follow the grammar.
    """
    parser = _Parser(_tokens(expression))
    predicate = parser.disjunction(0)
    parser.expect_end()
    return predicate


def _tokens(expression: str) -> list[_Token]:
    tokens: list[_Token] = []
    at, end = 0, len(expression.rstrip())
    while at < end:
        found = _TOKEN.match(expression, at)
        if found is None or found.lastgroup is None:
            raise ExpressionError(f"unexpected character at position {at}")
        tokens.append(_Token(found.lastgroup, found[found.lastgroup]))
        at = found.end()
    return tokens


class _Parser:
    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def disjunction(self, depth: int) -> Predicate:
        terms = [self._conjunction(depth)]
        while self._take("or"):
            terms.append(self._conjunction(depth))
        return lambda item: any(term(item) for term in terms)

    def expect_end(self) -> None:
        if self._at != len(self._tokens):
            raise ExpressionError("unexpected text after the end of the expression")

    def _conjunction(self, depth: int) -> Predicate:
        terms = [self._negation(depth)]
        while self._take("and"):
            terms.append(self._negation(depth))
        return lambda item: all(term(item) for term in terms)

    def _negation(self, depth: int) -> Predicate:
        if depth > MAX_DEPTH:
            raise ExpressionError("the expression is nested too deeply")
        if self._take("not"):
            negated = self._negation(depth + 1)
            return lambda item: not negated(item)
        if self._take("("):
            inner = self.disjunction(depth + 1)
            if not self._take(")"):
                raise ExpressionError("a closing parenthesis is missing")
            return inner
        return self._comparison()

    def _comparison(self) -> Predicate:
        path = self._next("name")
        operator = self._next("name").text.lower()
        if path.text.lower() in _WORDS or operator not in _OPERATORS:
            raise ExpressionError("expected a property, an operator, and a value")
        literal = self._literal()
        if operator in {"sw", "ew", "co"} and not isinstance(literal, str):
            raise ExpressionError("the operators sw, ew, and co need a string")
        names = path.text.split(".")
        return lambda item: _matches(list(_values_at(item, names)), operator, literal)

    def _literal(self) -> Value:
        token = self._next("string", "number", "name")
        try:
            return cast("Value", decode(token.text.encode()))
        except DamagedJSONError:
            raise ExpressionError('a value must be valid JSON, such as "text", 12, or true') from None

    def _take(self, word: str) -> bool:
        if self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token.kind != "string" and token.text.lower() == word:
                self._at += 1
                return True
        return False

    def _next(self, *kinds: str) -> _Token:
        if self._at >= len(self._tokens) or self._tokens[self._at].kind not in kinds:
            raise ExpressionError("expected a property, an operator, and a value")
        self._at += 1
        return self._tokens[self._at - 1]


def _values_at(value: Value, names: Sequence[str]) -> list[Value]:
    if isinstance(value, list):
        return [found for item in value for found in _values_at(item, names)]
    if not names:
        return [value]
    if isinstance(value, dict) and names[0] in value:
        return _values_at(value[names[0]], names[1:])
    return []


def _matches(found: list[Value], operator: str, literal: Value) -> bool:
    if operator == "ne":
        return not _matches(found, "eq", literal)
    if operator == "eq" and literal is None and not found:
        return True
    return any(_compare(value, operator, literal) for value in found)


def _compare(value: Value, operator: str, literal: Value) -> bool:
    if operator == "eq":
        return _same(value, literal)
    if isinstance(value, str) and isinstance(literal, str) and operator in {"sw", "ew", "co"}:
        return {"sw": value.startswith, "ew": value.endswith, "co": value.__contains__}[operator](literal)
    order = _order(value, literal)
    if order is None:
        return False
    return {"gt": order > 0, "ge": order >= 0, "lt": order < 0, "le": order <= 0}.get(operator, False)


def _same(value: Value, literal: Value) -> bool:
    if isinstance(value, bool) or isinstance(literal, bool):
        return value is literal
    order = _order(value, literal)
    return value == literal if order is None else order == 0


def _order(value: Value, literal: Value) -> int | None:
    """Compare two numbers, two timestamps, or two strings. If the values can't be compared, return `None`."""
    if isinstance(value, bool) or isinstance(literal, bool):
        return None
    if isinstance(value, int | Decimal) and isinstance(literal, int | Decimal):
        return (value > literal) - (value < literal)
    if isinstance(value, str) and isinstance(literal, str):
        first, second = _timestamp(value), _timestamp(literal)
        if first is not None and second is not None:
            return (first > second) - (first < second)
        return (value > literal) - (value < literal)
    return None


def _timestamp(value: str) -> datetime | None:
    return read_timestamp(value) if "T" in value else None
