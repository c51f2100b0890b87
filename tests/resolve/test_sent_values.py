"""Digests of sent values match the same values in any notation, and no other values."""

from __future__ import annotations

from datetime import timedelta, timezone
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from looped import looped
from subscribekit._core.operations.sent_values import MAX_VALUES, compare, digests

KEY = b"k" * 16


def same(sent: Any, shown: Any) -> str:
    """Return how a field compares: `same`, `different`, or `hidden`."""
    found = compare(dict(digests({"f": sent}, KEY)), KEY, {"f": shown})
    if found.different:
        return "different"
    return "hidden" if found.hidden else "same"


@looped(
    ("sent", "shown", "expected"),
    [
        (Decimal("4.90"), Decimal("4.9"), "same"),
        (Decimal("4.90"), 5, "different"),
        (5, Decimal("5.00"), "same"),
        (Decimal("4.90"), "4.9", "same"),
        ("4.90", Decimal("4.9"), "same"),
        ("1.10", "1.1", "hidden"),  # a text isn't a number
        ("007", "7", "different"),
        (0, Decimal("-0.0"), "same"),
        (True, 1, "same"),
        (1, True, "same"),
        (True, "true", "same"),
        (True, False, "different"),
        ("Ann", "Ann", "same"),
        ("Ann", "ann ", "hidden"),  # another spelling of the same value
        ("Ann", "Bob", "different"),
        ("4111", "************4111", "hidden"),
        ("a@b.c", "a***", "hidden"),
        ("Ann", None, "hidden"),
        ("2026-01-02T12:00:00Z", "2026-01-02T13:00:00+01:00", "same"),
        ("2026-01-02T12:00:00Z", "2026-01-02T12:00:00.000Z", "same"),
        ("2026-01-02T12:00:00Z", "2026-01-02T00:00:00Z", "hidden"),
        ("2026-01-02T12:00:00Z", "2026-01-03T12:00:00Z", "different"),
        ("2026-01-02T12:00:00Z", "2026-01-02T12:00:00", "hidden"),  # without a time zone
        ("2026-01-02T00:00:00Z", "2026-01-02", "hidden"),
        ("2026-01-02", "2026-01-02T00:00:00+02:00", "hidden"),
        ("2026-01-02", "2026-01-03", "different"),
        (None, None, "same"),
        (None, "", "same"),
        (None, "Ann", "different"),
        ([], None, "same"),
        ([], ["a"], "different"),
        (["a", "b"], ["b", "a"], "same"),
        (["a", "a"], ["a", "b"], "different"),
        (["a"], ["a", "b"], "hidden"),
        (["a"], {"object": "List", "data": ["a"], "total_count": 1}, "same"),
        ([{"sku": "x", "n": 1}, {"sku": "y", "n": 1}], [{"sku": "y", "n": 1, "z": 0}, {"sku": "x", "n": 1}], "same"),
        ([{"sku": "x", "n": 1}], [{"sku": "x", "n": 2}], "different"),
        ({"id": "a"}, {"id": "a", "vid": "v", "name": "n"}, "same"),
        ({"id": "v"}, {"id": "a", "vid": "v"}, "same"),
        ({"id": "b"}, {"id": "a", "vid": "v"}, "different"),
        ({"id": "b"}, {"id": "a"}, "hidden"),
        ({"a": 1}, "text", "hidden"),
        ({}, {"a": 1}, "hidden"),
        ("a", {"id": "a"}, "hidden"),
    ],
)
def test_how_values_compare(sent: Any, shown: Any, expected: str) -> None:
    assert same(sent, shown) == expected


def test_names_with_a_slash_or_a_tilde_are_compared() -> None:
    sent = dict(digests({"a/b": {"c~d": 1, "#0": 2}}, KEY))
    assert compare(sent, KEY, {"a/b": {"c~d": 1, "#0": 2}}).is_whole
    assert compare(sent, KEY, {"a/b": {"c~d": 1, "#0": 3}}).different


def test_keys_of_metadata_are_digested() -> None:
    sent = dict(digests({"metadata": {"birthday": "today", "none": None}}, KEY))
    assert "birthday" not in "".join(sent)
    assert compare(sent, KEY, {"metadata": {"birthday": "today", "other": "x"}}).is_whole
    assert compare(sent, KEY, {"metadata": {"birthday": "today", "none": "x"}}).different


def test_a_body_with_too_many_values_is_never_compared_completely() -> None:
    body = {f"f{number}": number for number in range(MAX_VALUES + 1)}
    sent = dict(digests(body, KEY))
    assert len(sent) == MAX_VALUES + 1
    assert compare(sent, KEY, body).hidden == ["..."]


times = st.datetimes(timezones=st.just(timezone(timedelta(hours=2)))).map(lambda each: each.isoformat())
amounts = st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-999, max_value=999)
leaves = st.one_of(st.booleans(), st.integers(-(10**6), 10**6), st.text(max_size=8), st.none(), amounts, times)
names = st.sampled_from(["name", "metadata", "a/b", "~", "#0", "x", "payment_methods"])


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3)


documents = st.dictionaries(names, st.recursive(leaves, nested, max_leaves=8), max_size=4)


@settings(max_examples=150)
@given(documents)
def test_a_document_that_is_shown_as_it_was_sent_has_no_differences(document: dict[str, Any]) -> None:
    found = compare(dict(digests(document, KEY)), KEY, document)
    assert found.different == []


@given(st.text(max_size=12), st.text(max_size=12))
def test_two_texts_are_the_same_only_when_they_are_equal(sent: str, shown: str) -> None:
    assert (same(sent, shown) == "same") == (sent == shown)
