"""The filter builder of E9: the text of filters, the refused values, and the same meaning in every correct parser."""

from __future__ import annotations

import copy
import datetime as dt
import enum
import pickle
import re
from collections.abc import Callable
from decimal import Decimal
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from looped import looped
from subscribekit.errors import InvalidArgumentError
from subscribekit.filters import Field, Filter, FilterValue, field, filter_text

AGE = field("age").ge(18)
NAME = field("name").co("x")
TOWN = field("address.city").eq("Oslo")


class Tier(enum.StrEnum):
    GOLD = "gold"


class Labelled(str):
    """A string whose `str()` differs from its value, as that of a plain `(str, Enum)` member does."""

    __slots__ = ()

    def __str__(self) -> str:
        return "label"


class Level(enum.IntEnum):
    TOP = 3


@pytest.mark.parametrize("operator", ["eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co"])
def test_each_operator_writes_its_name(operator: str) -> None:
    compare = cast("Callable[[str], Filter]", getattr(field("tag"), operator))
    assert str(compare("v")) == f'tag {operator} "v"'


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        ("Oslo", '"Oslo"'),
        ("Ærø 東京", '"Ærø 東京"'),
        ("", '""'),
        (") or (a eq 1", '") or (a eq 1"'),
        (Tier.GOLD, '"gold"'),
        (Labelled("own"), '"own"'),
        (0, "0"),
        (-7, "-7"),
        (Level.TOP, "3"),
        (10**28 - 1, "9" * 28),
        (Decimal("19.90"), "19.90"),
        (Decimal("1E+2"), "100"),
        (Decimal("1E-27"), "0." + "0" * 26 + "1"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        (dt.datetime(2024, 5, 1, 12, 0, tzinfo=dt.UTC), '"2024-05-01T12:00:00+00:00"'),
        (
            dt.datetime(2024, 5, 1, 12, 0, 0, 250000, dt.timezone(dt.timedelta(hours=-3, minutes=-30))),
            '"2024-05-01T12:00:00.250000-03:30"',
        ),
    ],
)
def test_a_value_is_written_as_its_json_literal(value: FilterValue, literal: str) -> None:
    assert str(field("p").eq(value)) == f"p eq {literal}"


@pytest.mark.parametrize(
    ("built", "text"),
    [
        (AGE & ~NAME, 'age ge 18 and not (name co "x")'),
        (AGE & NAME & TOWN, 'age ge 18 and name co "x" and address.city eq "Oslo"'),
        (AGE & (NAME & TOWN), 'age ge 18 and name co "x" and address.city eq "Oslo"'),
        (AGE | NAME | TOWN, 'age ge 18 or name co "x" or address.city eq "Oslo"'),
        (AGE | NAME & TOWN, 'age ge 18 or (name co "x" and address.city eq "Oslo")'),
        ((AGE | NAME) & TOWN, '(age ge 18 or name co "x") and address.city eq "Oslo"'),
        (~(AGE | NAME), 'not (age ge 18 or name co "x")'),
        (~~AGE, "not (not (age ge 18))"),
    ],
)
def test_operators_write_the_tree_that_was_built(built: Filter, text: str) -> None:
    assert str(built) == text
    assert filter_text(built) == text


@looped(
    "value",
    ['say "x"', "back\\slash", "tab\t", "line\n", "nul\0", "del\x7f", "c1\x85", "lone \ud800"],
)
@looped("operator", ["eq", "ge", "co", "sw", "ew"])
def test_a_value_whose_escape_is_not_known_is_refused(operator: str, value: str) -> None:
    compare = cast("Callable[[str], Filter]", getattr(field("p"), operator))
    with pytest.raises(InvalidArgumentError, match=r"escaping .* isn't documented.* as a plain string") as caught:
        compare(value)
    assert value not in str(caught.value)


@pytest.mark.parametrize("operator", ["eq", "ge", "co", "sw", "ew"])
def test_an_apostrophe_needs_no_escape(operator: str) -> None:
    compare = cast("Callable[[str], Filter]", getattr(field("p"), operator))
    assert str(compare("O'Brien's")) == f"p {operator} \"O'Brien's\""


@looped(
    "value",
    [
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("-Infinity"),
        10**28,
        -(10**28),
        10**5000,
        Decimal("1E+28"),
        Decimal("1E+999999"),
        Decimal("1E-28"),
        Decimal("1E-999999"),
        Decimal("1." + "0" * 28),
        Decimal("12345678901234567890.123456789"),
        dt.datetime(2024, 5, 1),  # noqa: DTZ001 - a naive datetime is what the test needs
        dt.datetime(1890, 5, 1, tzinfo=dt.timezone(dt.timedelta(minutes=19, seconds=32))),
        cast("FilterValue", 1.5),
        cast("FilterValue", float("nan")),
        cast("FilterValue", b"bytes"),
        cast("FilterValue", dt.date(2024, 5, 1)),
        cast("FilterValue", ["a"]),
        cast("FilterValue", object()),
    ],
)
@looped("operator", ["eq", "gt"])
def test_a_value_that_has_no_exact_literal_is_refused(operator: str, value: FilterValue) -> None:
    compare = cast("Callable[[FilterValue], Filter]", getattr(field("p"), operator))
    with pytest.raises(InvalidArgumentError) as caught:
        compare(value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("operator", ["gt", "ge", "lt", "le"])
@pytest.mark.parametrize("value", [None, True, False])
def test_order_operators_refuse_values_without_an_order(operator: str, value: object) -> None:
    compare = cast("Callable[[object], Filter]", getattr(field("p"), operator))
    with pytest.raises(InvalidArgumentError, match="have no order"):
        compare(value)


@pytest.mark.parametrize("operator", ["sw", "ew", "co"])
@pytest.mark.parametrize("value", [1, Decimal(1), None, True, b"x", ""])
def test_text_operators_refuse_other_types_and_the_empty_string(operator: str, value: object) -> None:
    compare = cast("Callable[[object], Filter]", getattr(field("p"), operator))
    with pytest.raises(InvalidArgumentError, match="sw, ew, and co"):
        compare(value)


@pytest.mark.parametrize("path", ["age", "_id", "a-b", "a_b9", "address.city", "a.b.c", "notes", "and.or"])
def test_a_property_path_is_written_as_it_is(path: str) -> None:
    assert str(field(path).eq(1)) == f"{path} eq 1"


@pytest.mark.parametrize(
    "path",
    ["", " ", "9a", "-a", ".a", "a.", "a..b", "a b", "a\n", "a[0]", "a)", "é", "a.9", 'a"', "a eq 1 or b", "a%20"],
)
def test_a_path_outside_the_grammar_is_refused_without_printing_it(path: str) -> None:
    with pytest.raises(InvalidArgumentError, match="one or more names joined by dots") as caught:
        field(path)
    assert not path.strip(' "') or repr(path) not in str(caught.value)


@pytest.mark.parametrize("path", ["and", "OR", "Not", "eq", "co", "GE"])
def test_the_name_of_an_operator_is_refused_as_a_path(path: str) -> None:
    with pytest.raises(InvalidArgumentError, match="the name of a filter operator"):
        field(path)


@pytest.mark.parametrize("path", [None, 1, b"age", ["age"]])
def test_a_path_that_is_not_a_string_is_refused(path: object) -> None:
    with pytest.raises(InvalidArgumentError, match="a property path must be a str, not"):
        field(cast("str", path))


def test_a_refused_value_is_not_in_the_error() -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        field("phone").eq('+4712"345678')
    assert "345678" not in str(caught.value)
    assert "345678" not in repr(caught.value)


@pytest.mark.parametrize("expression", [AGE, field("age")], ids=["filter", "field"])
def test_an_expression_has_no_truth_value(expression: Filter | Field) -> None:
    with pytest.raises(TypeError, match="no truth value; combine filters with & | ~".replace("|", r"\|")):
        bool(expression)


@pytest.mark.parametrize("expression", [AGE, field("age")], ids=["filter", "field"])
def test_an_expression_has_no_equality(expression: object) -> None:
    with pytest.raises(TypeError, match=r"write field\(name\)\.eq\(value\)"):
        _ = expression == 18
    with pytest.raises(TypeError, match=r"write field\(name\)\.ne\(value\)"):
        _ = expression != 18
    with pytest.raises(TypeError, match="unhashable"):
        hash(expression)


def test_a_chained_comparison_is_an_error_and_not_half_a_filter() -> None:
    unchecked = cast("object", AGE)  # type checkers report this mistake for a Filter
    with pytest.raises(TypeError, match="no truth value"):
        _ = unchecked and NAME
    with pytest.raises(TypeError, match="no truth value"):
        _ = not unchecked


@pytest.mark.parametrize("other", [True, "age eq 1", None, field("age")])
def test_a_filter_joins_only_filters(other: object) -> None:
    with pytest.raises(InvalidArgumentError, match="can only be combined with a filter"):
        _ = AGE & cast("Filter", other)
    with pytest.raises(InvalidArgumentError, match="can only be combined with a filter"):
        _ = AGE | cast("Filter", other)


def test_a_filter_cannot_be_created_or_changed_directly() -> None:
    with pytest.raises(TypeError):
        Filter()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue] - an empty filter must not exist
    with pytest.raises(AttributeError):
        AGE._text = "x"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue, reportPrivateUsage] - frozen
    with pytest.raises(InvalidArgumentError, match="is empty"):
        Filter(" ", None)


def through_pickle(built: Filter) -> Filter:
    return cast("Filter", pickle.loads(pickle.dumps(built)))


def shallow(built: Filter) -> Filter:
    return copy.copy(built)


def deep(built: Filter) -> Filter:
    return copy.deepcopy(built)


@pytest.mark.parametrize("clone", [through_pickle, shallow, deep])
def test_a_copy_of_a_filter_keeps_its_precedence(clone: Callable[[Filter], Filter]) -> None:
    twin = clone(AGE | NAME)
    assert str(twin & TOWN) == '(age ge 18 or name co "x") and address.city eq "Oslo"'
    assert repr(clone(AGE)) == "Filter('age ge 18')"


@pytest.mark.parametrize("text", ["age ge 18", "  a eq 'b' ", 'x co "\\""', "anything at all"])
def test_a_plain_string_is_returned_unchanged(text: str) -> None:
    assert filter_text(text) == text


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u2003"])
def test_a_blank_string_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgumentError, match="filter is empty"):
        filter_text(text)


@pytest.mark.parametrize("text", ["a eq 1\n", "a\0", "a \x85 b", "\ud800"])
def test_a_string_that_cannot_be_sent_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgumentError, match="control character or a lone surrogate"):
        filter_text(text)


@pytest.mark.parametrize("value", [None, 1, b"a eq 1", field("age"), ["a eq 1"]])
def test_a_value_that_is_neither_a_filter_nor_a_string_is_refused(value: object) -> None:
    with pytest.raises(InvalidArgumentError, match="or a str, not"):
        filter_text(cast("str", value))


# A parser of the language, independent of the builder. A tree is the text of a comparison, ("not", tree), or
# (word, trees). Chains of one word are flat, because the specification doesn't say in which direction they're grouped.

Tree = str | tuple[str, tuple["Tree", ...]]

TOKEN = re.compile(r'\s*("[^"]*"|[()]|[^\s()"]+)')


class ReferenceParser:
    """Parses a filter with the precedence of the specification: `not`, then `and`, then `or`."""

    def __init__(self, text: str) -> None:
        self._tokens = TOKEN.findall(text)

    def parse(self) -> Tree:
        tree = self._chain("or")
        assert not self._tokens
        return tree

    def _chain(self, word: str) -> Tree:
        def operand() -> Tree:
            return self._chain("and") if word == "or" else self._unary()

        operands = [operand()]
        while self._tokens and self._tokens[0] == word:
            self._tokens.pop(0)
            operands.append(operand())
        return operands[0] if len(operands) == 1 else (word, tuple(operands))

    def _unary(self) -> Tree:
        first = self._tokens.pop(0)
        if first == "not":
            return ("not", (self._unary(),))
        if first == "(":
            tree = self._chain("or")
            assert self._tokens.pop(0) == ")"
            return tree
        operator, value = self._tokens.pop(0), self._tokens.pop(0)
        return f"{first} {operator} {value}"


def build(tree: Tree) -> Filter:
    """Build a filter from a tree with the public operators only."""
    if isinstance(tree, str):
        path, operator, value = tree.split(" ", 2)
        compare = cast("Callable[[FilterValue], Filter]", getattr(field(path), operator))
        return compare(value.strip('"') if value.startswith('"') else int(value))
    word, parts = tree
    built = [build(part) for part in parts]
    if word == "not":
        return ~built[0]
    result = built[0]
    for part in built[1:]:
        result = result & part if word == "and" else result | part
    return result


def flatten(tree: Tree) -> Tree:
    """Merge chains of one word, because their grouping isn't specified and doesn't change the result."""
    if isinstance(tree, str):
        return tree
    word, parts = tree[0], tuple(flatten(part) for part in tree[1])
    if word == "not":
        return (word, parts)
    merged: list[Tree] = []
    for part in parts:
        merged.extend(part[1] if not isinstance(part, str) and part[0] == word else (part,))
    return (word, tuple(merged))


words = st.sampled_from(["a", "and", "or", "not", "(", ")", "x or y", ") and ("])
leaves: st.SearchStrategy[Tree] = st.one_of(
    st.builds("{} ge {}".format, st.sampled_from(["a", "b.c", "_d"]), st.integers(-99, 99)),
    st.builds('{} co "{}"'.format, st.sampled_from(["a", "notes"]), words),
)
trees: st.SearchStrategy[Tree] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.just("not"), st.tuples(inner)),
        st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=4).map(tuple)),
    ),
    max_leaves=12,
)


@given(trees)
@example(("or", ("a ge 1", ("and", ("a ge 2", "a ge 3")))))
@example(("and", (("or", ("a ge 1", "a ge 2")), ("not", (("and", ("a ge 3", "a ge 4")),)))))
def test_a_parser_with_the_precedence_of_the_specification_returns_the_same_tree(tree: Tree) -> None:
    assert ReferenceParser(str(build(tree))).parse() == flatten(tree)


@given(trees)
def test_and_is_never_mixed_with_or_without_parentheses(tree: Tree) -> None:
    depths: dict[int, set[str]] = {}
    depth = 0
    for token in TOKEN.findall(str(build(tree))):
        if token == "(":
            depth += 1
            depths[depth] = set()
        elif token == ")":
            depth -= 1
        elif token in {"and", "or"}:
            words_here = depths.setdefault(depth, set())
            words_here.add(token)
            assert len(words_here) == 1


@given(st.text(min_size=1, max_size=20))
def test_a_string_value_is_either_refused_or_one_quoted_token(value: str) -> None:
    try:
        text = str(field("p").eq(value))
    except InvalidArgumentError:
        return
    assert text == f'p eq "{value}"'
    assert len(TOKEN.findall(text)) == 3
