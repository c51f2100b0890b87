"""Values of other libraries and unusual values are compared, or refused by row and column (H435, H438)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from kit.calls import Run, Service, page
from reconcile.kit import differences, now, opened, story
from subscribekit.errors import InvalidArgumentError
from subscribekit.reconcile import Counts, Reconciliation
from subscribekit.reconcile._values import RefusedValueError, checked, packed, text_of, unpacked


class NaTType(datetime):
    """Simulates pandas' `NaTType`, a datetime that has no date and no offset, and doesn't equal itself."""

    def date(self) -> date:
        raise ValueError("NaTType does not support date")

    def utcoffset(self) -> Any:
        return self

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = datetime.__hash__


class NAType:
    """Simulates pandas' `NAType`, a value that can't be compared."""

    def __eq__(self, other: object) -> Any:
        return self

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")

    __hash__ = object.__hash__


class Timestamp(datetime):
    """Simulates pandas' `Timestamp`, a datetime with nanoseconds."""

    nanosecond = 0

    def isoformat(self, *_: object, **__: object) -> str:
        raise AssertionError("must not be called, because pandas formats a time in its own way")


def timestamp(nanosecond: int, zone: timezone = UTC) -> Timestamp:
    """Return the timestamp of 10 o'clock in UTC, in the given time zone."""
    moment = datetime(2026, 3, 1, 10, 0, 0, 5, tzinfo=UTC).astimezone(zone)
    result = Timestamp.combine(moment.date(), moment.timetz())
    result.nanosecond = nanosecond
    return result


class Number(float):
    """Simulates numpy's `float64`, a subclass of `float`."""


class Name(str):
    """Simulates numpy's `str_`, a subclass of `str`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Name({str.__str__(self)!r})"

    __str__ = __repr__


class Half(Enum):
    """An enumeration of floats."""

    HALF = 0.5


NAT = NaTType(2026, 1, 1)
DEEP: list[object] = []
DEEP.append(DEEP)
S1: dict[str, Any] = {
    "object": "Subscription", "id": "s1", "status": "Active", "ends": "2026-03-01T10:00:00.000005Z",
    "starts": "9999-12-31T23:59:59-08:00", "created": "0001-01-01T01:00:00+02:00", "billing_day": 5,
    "notify_on_transition": True, "metadata": {"a": 1, "b": 1.5, "c": "@x", "d": None}, "currency": "@USD",
    "next_billing": {"object": "Transaction", "amount": -0.00, "currency": "EUR"},
    "items": [{"object": "SubscriptionItem", "product": {"object": "Product", "id": "@p"}}],
}  # fmt: skip
VALUES: list[object] = [
    NAT, NAType(), Timestamp(2026, 1, 1), timestamp(1), Number("nan"), float("nan"), 1.5, Half.HALF,
    Decimal("sNaN"), Decimal("Infinity"), Decimal("1E+999999"), 10**5000, -(10**5000), b"x", bytearray(b"x"),
    uuid.UUID(int=1), timedelta(1), time(1), 1j, object(), iter([1]), range(3), DEEP, {"a": DEEP}, {"a": 1.5},
    {"a": NAT}, {1: "a"}, [NAT], [{"a": [1.5]}], {"a": Decimal("NaN")}, {"$date": "x"}, {"$decimal": "x"},
    {"$time": {"$object": 1}}, {"a": b"x"}, {"a": {1, 2}}, {Decimal("1.0"), Decimal(2)}, '{"a": 1E+999999}',
    '{"a": NaN}', "NaN", "[" * 100_000, "1" * 5000, '{"$date": "x"}', "\ud800", "9999-12-31T23:59:59-08:00",
    "0001-01-01T00:00:00+10:00", datetime(9999, 12, 31, 23, tzinfo=timezone(-timedelta(hours=8))), "'@x", "",
]  # fmt: skip
PATHS = [
    "status", "ends", "next_billing.amount", "billing_day", "notify_on_transition", "metadata", "metadata.a",
    "items[].product.id",
]  # fmt: skip


@pytest.mark.hazard("H435")
@pytest.mark.parametrize("path", [*PATHS, "own"])
def test_any_value_is_compared_or_refused_by_row_and_column(run: Run, tmp_path: Path, path: str) -> None:
    fields: dict[str, Any] = {"status": ("c", lambda _: "x")} if path == "own" else {path: "c"}
    pages = [page(S1)] * (1 + len(VALUES))

    async def scenario() -> None:
        pager = run.client("billing", transport=Service(*pages)).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields=fields) as check:
            await now(check.read())
            check._core.__dict__["_retrieve"] = None
            for value in VALUES:
                rows = [{"id": "s1", "c": None}, {"id": "s2", "c": value}]
                try:
                    await now(check.compare(rows))
                except InvalidArgumentError as error:
                    assert str(error).startswith("row 2: column 'c': "), error  # noqa: PT017  the error isn't required
                else:
                    assert {each.key for each in await differences(run, check)} >= {"s2"}
                    assert await now(check.report(tmp_path / "d.csv")) > 0

    story(run, scenario)


@pytest.mark.hazard("H435")
@pytest.mark.parametrize(
    "value",
    [NAT, NAType(), float("nan"), 10**5000, b"x", Half.HALF, object(), None, ""],
    ids=lambda value: type(value).__name__,
)
def test_a_key_of_another_kind_is_refused_by_row_and_name(tmp_path: Path, value: object) -> None:
    client = Run("blocking").client("billing", transport=Service(page(S1)))
    with Reconciliation(tmp_path / "n.db", client.subscriptions.list(), key="id", fields={}) as check:
        check.read()
        with pytest.raises(InvalidArgumentError, match="row 1: the key 'id' "):
            check.compare([{"id": value}])


@pytest.mark.hazard("H435")
@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (NAT, "NaTType isn't a time; pass None for an absent value"), (float("nan"), "or None for an absent value"),
        ({"a": 1.5}, "a float isn't exact"), (Number("1.5"), "a float isn't exact"),
        (DEEP, "too many nested levels"), ("[" * 100_000, "too many nested levels"),
        (uuid.UUID(int=1), "a value of type UUID"), ({1: "a"}, "the names in an object must be strings, not int"),
    ],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_the_error_names_the_value_to_write(tmp_path: Path, value: object, sentence: str) -> None:
    with pytest.raises(InvalidArgumentError, match=f"row 1: column 'c': .*{sentence}"):
        compared(tmp_path, "metadata", value)


@pytest.mark.hazard("H435")
@pytest.mark.parametrize("value", [timestamp(0), timestamp(1), date(2026, 3, 1)])
def test_a_time_is_refused_for_a_text_field(tmp_path: Path, value: object) -> None:
    with pytest.raises(
        InvalidArgumentError, match="row 1: column 'c': the field is text, so the value must be a string"
    ):
        compared(tmp_path, "status", value)


@pytest.mark.hazard("H435")
def test_a_key_of_a_subclass_of_str_counts_as_its_text(tmp_path: Path) -> None:
    client = Run("blocking").client("billing", transport=Service(page(S1)))
    with Reconciliation(tmp_path / "n.db", client.subscriptions.list(), key="id", fields={}) as check:
        check.read()
        check.compare([{"id": Name("s1")}])
        assert check.counts() == Counts(equal=1)


def compared(folder: Path, path: str, value: object, **options: Any) -> Counts:
    """Compare one field of one subscription, and check that a second read has the same result."""
    client = Run("blocking").client("billing", transport=Service(page(S1), page(S1)))
    pager = client.subscriptions.list()
    with Reconciliation(folder / "n.db", pager, key="id", fields={path: "c"}, **options) as check:
        check.read()
        check.compare([{"id": "s1", "c": value}])
        check._core.__dict__["_retrieve"] = None  # so that the list is read once more
        first = check.counts()
        list(check.differences())
        assert check.counts() == first, "the second read has another result than the first"
        return first


@pytest.mark.hazard("H438")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("metadata", {"a": 1, "b": Decimal("1.5"), "c": "@x"}), ("metadata", '{"a": 1, "b": 1.5, "c": "@x"}'),
        ("metadata", MappingProxyType({"a": "1", "b": "1.5", "c": "@x", "d": None})), ("metadata.a", 1),
        ("metadata.c", "'@x"), ("currency", "'@USD"), ("currency", "@USD"), ("items[].product.id", ["'@p"]),
        ("next_billing.amount", "0.00"), ("next_billing.amount", Decimal("-0.0")), ("next_billing.amount", 0),
        ("ends", timestamp(0)), ("ends", timestamp(0, timezone(timedelta(hours=5)))),
        ("ends", "2026-03-01T10:00:00.000005000Z"), ("starts", "9999-12-31T23:59:59-08:00"),
        ("starts", datetime(9999, 12, 31, 22, 59, 59, tzinfo=timezone(timedelta(hours=-9)))),
        ("created", "0001-01-01T00:00:00+01:00"), ("status", Name("Active")), ("items[].product.id", [Name("@p")]),
        ("metadata", {Name("a"): Name("1"), "b": Name("1.5"), "c": "@x"}),
    ],
)  # fmt: skip
def test_values_that_mean_the_same_are_equal(tmp_path: Path, path: str, value: object) -> None:
    assert compared(tmp_path, path, value) == Counts(equal=1)


@pytest.mark.hazard("H438")
def test_a_zero_has_no_sign_even_if_its_scale_counts(tmp_path: Path) -> None:
    for number, (value, expected) in enumerate([("0.0", 1), ("-0.0", 1), ("0.00", 0)]):
        (tmp_path / str(number)).mkdir()
        assert compared(tmp_path / str(number), "next_billing.amount", value, compare_scale=True).equal == expected


@pytest.mark.hazard("H438")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("ends", timestamp(1)), ("ends", timestamp(100, timezone(timedelta(hours=5)))),
        ("ends", "2026-03-01T10:00:00.000005001Z"), ("ends", "2026-03-01T10:00:00,0000051+00:00"),
        ("starts", "9999-12-31T23:59:59.0000001-08:00"), ("metadata", {"a": 2, "b": "1.5", "c": "@x"}),
        ("metadata", {"a": "1"}), ("currency", "''@USD"), ("currency", "'USD"),
    ],
)  # fmt: skip
def test_values_that_differ_still_differ_at_the_second_read(tmp_path: Path, path: str, value: object) -> None:
    assert compared(tmp_path, path, value) == Counts(differs=1)


@pytest.mark.hazard("H438")
@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_stored_value_equals_itself(value: object) -> None:
    try:
        accepted = checked(value)
    except (RefusedValueError, RecursionError):
        return
    (again,) = unpacked(packed([accepted]))
    for scale in (False, True):
        assert text_of(again, scale=scale) == text_of(accepted, scale=scale) == text_of(checked(again), scale=scale)


@pytest.mark.hazard("H438")
def test_the_order_of_a_set_does_not_count() -> None:
    one, other = [{"a": frozenset(order)} for order in (("x", "y", "z"), ("z", "y", "x"))]
    assert text_of(one, scale=False) == text_of(other, scale=False) == text_of(checked(other), scale=False)
    mapping: Mapping[str, object] = {"a": {Decimal("1.0"), Decimal(2)}}
    assert text_of(checked(mapping), scale=False) == text_of({"a": {2, 1}}, scale=False)
