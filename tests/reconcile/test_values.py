"""Local and remote values are compared by their meaning, and invalid rows are refused (H284)."""

from __future__ import annotations

import csv
import io
import sqlite3
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from kit.calls import Run, Service, page
from reconcile.kit import differences, now, opened, story
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import Season
from subscribekit.reconcile import Counts, Reconciliation
from subscribekit.reconcile._values import packed, text_of, unpacked

pytestmark = pytest.mark.hazard("H284")

NEXT = {"object": "Transaction", "id": "t1", "amount": 19.9, "currency": "EUR"}
S1: dict[str, Any] = {
    "object": "Subscription", "id": "s1", "status": "Active", "ends": "2026-03-01T12:00:00+02:00", "billing_day": 5,
    "notify_on_transition": True, "next_billing": NEXT, "metadata": {"plan": "gold"}, "affiliate": "",
    "items": [{"object": "SubscriptionItem", "id": "i1", "product": {"object": "Product", "id": "p1"}},
              {"object": "SubscriptionItem", "id": "i2", "product": {"object": "Product", "id": "p2"}}],
}  # fmt: skip


class Ours(Enum):
    """An enumeration of the merchant."""

    ACTIVE = "Active"


def compared(path: str, value: object, remote: dict[str, Any] = S1, to: Any = None, **options: Any) -> Counts:
    """Compare one field of one subscription, and return the counts."""
    service = Service(page(remote))
    client = Run("blocking").client("billing", transport=service)
    file = Path(options.pop("folder")) / "n.db"
    column: Any = "c" if to is None else ("c", to)
    with Reconciliation(file, client.subscriptions.list(), key="id", fields={path: column}, **options) as check:
        check.read()
        check.compare([{"id": "s1", "c": value}])
        return check.counts()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("status", "Active"), ("status", Ours.ACTIVE), ("ends", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("ends", datetime(2026, 3, 1, 5, tzinfo=timezone(timedelta(hours=-5)))), ("ends", "2026-03-01T10:00:00Z"),
        ("next_billing.amount", Decimal("19.90")), ("next_billing.amount", "19.9"),
        ("next_billing.amount", " 19.900 "), ("billing_day", 5), ("billing_day", "5"), ("billing_day", Decimal("5.0")),
        ("notify_on_transition", True), ("notify_on_transition", 1), ("items[].product.id", ["p2", "p1"]),
        ("items[].product.id", {"p1", "p2"}), ("items[].product.id", '["p2", "p1", "p1"]'), ("starts", None),
        ("starts", ""), ("minimum_commitment", ""), ("currency", None), ("metadata.plan", "gold"),
        ("metadata", {"plan": "gold"}), ("metadata", '{"plan": "gold"}'), ("billing_plan.id", None),
        ("affiliate", ""),
    ],
)  # fmt: skip
def test_values_that_mean_the_same_are_equal(tmp_path: Path, path: str, value: object) -> None:
    assert compared(path, value, folder=tmp_path) == Counts(equal=1)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("status", "active"), ("status", None), ("ends", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("next_billing.amount", Decimal("19.91")), ("billing_day", 6), ("notify_on_transition", False),
        ("notify_on_transition", None), ("items[].product.id", ["p1"]), ("items[].product.id", []),
        ("starts", "2026-03-01T10:00:00Z"), ("currency", ""), ("metadata.plan", "silver"), ("metadata.more", "x"),
    ],
)  # fmt: skip
def test_values_that_mean_something_else_differ(tmp_path: Path, path: str, value: object) -> None:
    assert compared(path, value, folder=tmp_path) == Counts(differs=1)


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("next_billing.amount", 19.9, "column 'c': a float isn't exact"),
        ("next_billing.amount", "abc", "a number must be a Decimal"), ("next_billing.amount", Decimal("NaN"), "finite"),
        ("next_billing.amount", Decimal("1E+9999"), "finite"), ("next_billing.amount", True, "a number must be"),
        ("status", 1.5, "a float"), ("status", True, "not bool"), ("status", ["Active"], "not list"),
        ("ends", datetime(2026, 3, 1), "time zone"), ("ends", "2026-03-01T10:00:00", "an offset"),  # noqa: DTZ001
        ("ends", "tomorrow", "ISO 8601"), ("ends", date(2026, 3, 1), "not date"), ("ends", 5, "not int"),
        ("notify_on_transition", "true", "not str"), ("notify_on_transition", 2, "not int"),
        ("items[].product.id", "p1,p2", "JSON array"), ("items[].product.id", 5, "not int"),
        ("items[].product.id", {"p1": 1}, "not dict"),
    ],
)  # fmt: skip
def test_an_invalid_value_is_refused_by_column_and_is_not_shown(
    tmp_path: Path, path: str, value: object, sentence: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=sentence) as caught:
        compared(path, value, folder=tmp_path)
    assert "row 1" in str(caught.value)
    assert "abc" not in str(caught.value)


SEASONS: dict[str, Any] = {
    "object": "SeasonSet", "id": "s1",
    "seasons": [{"object": "Season", "starts": "2026-03-01", "ends": "2026-04-01T10:00:00Z"}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("starts", date(2026, 3, 1), "equal"), ("starts", "2026-03-01", "equal"), ("starts", "", "differs"),
        ("starts", datetime(2026, 3, 1, tzinfo=UTC), "equal"), ("starts", "2026-03-01T00:00:00Z", "equal"),
        ("starts", date(2026, 3, 2), "differs"), ("starts", "2026-03-01T00:00:01Z", "differs"),
        ("ends", "2026-04-01T12:00:00+02:00", "equal"), ("ends", date(2026, 4, 1), "differs"),
        ("starts", "2026-13-01", "a date must be"), ("starts", "tomorrow", "a time must be"),
        ("starts", 5, "not int"),
    ],
)  # fmt: skip
def test_a_date_means_midnight_in_utc(tmp_path: Path, path: str, value: object, expected: str) -> None:
    client = Run("blocking").client("billing", transport=Service(page(SEASONS)))
    fields = {f"seasons[].{path}": "c"}
    with Reconciliation(tmp_path / "n.db", client.season_sets.list(), key="id", fields=fields) as check:
        check.read()
        if expected not in ("equal", "differs"):
            with pytest.raises(InvalidArgumentError, match=expected):
                check.compare([{"id": "s1", "c": [value]}])
        else:
            check.compare([{"id": "s1", "c": [value]}])
            assert check.counts() == Counts(**{expected: 1})


@pytest.mark.parametrize(
    ("one", "other", "are_equal"),
    [
        (Ours.ACTIVE, "Active", True), (Decimal("1.0"), 1, True), (True, 1, False), ([1, Decimal("1.0")], (1, 1), True),
        ({"b": None, "a": [Ours.ACTIVE]}, {"a": ["Active"]}, True), ({"a": "1"}, {"a": 1}, False),
        ({"a": date(2026, 3, 1)}, {"a": datetime(2026, 3, 1, tzinfo=UTC)}, True), ({"a": True}, {"a": 1}, False),
        (Season(description="x"), {"object": "Season", "description": "x"}, True),
    ],
)  # fmt: skip
def test_structures_are_equal_if_their_values_are_equal(one: object, other: object, are_equal: bool) -> None:
    assert (text_of(one, scale=False) == text_of(other, scale=False)) is are_equal


def test_results_of_a_function_are_stored_as_json() -> None:
    values = [MappingProxyType({"a": 1}), {"y", "x"}, Ours.ACTIVE, date(2026, 3, 1), Decimal("1.10")]
    assert unpacked(packed(values)) == [{"a": 1}, ["x", "y"], "Active", date(2026, 3, 1), Decimal("1.10")]


def test_the_scale_counts_only_with_compare_scale(tmp_path: Path) -> None:
    transaction = {**S1, "next_billing": {**NEXT, "amount": 20}}
    for number, (value, expected) in enumerate([("20", Counts(equal=1)), ("20.00", Counts(differs=1))]):
        (tmp_path / str(number)).mkdir()
        found = compared("next_billing.amount", value, transaction, folder=tmp_path / str(number), compare_scale=True)
        assert found == expected


@pytest.mark.parametrize(
    ("to", "value", "expected"),
    [
        (lambda status: {"Active": "running"}.get(status), "running", Counts(equal=1)),
        (lambda status: {"Active": 1}[status], 1, Counts(equal=1)),
        (lambda _: None, "", Counts(equal=1)),
        (lambda _: None, "x", Counts(differs=1)),
        (lambda status: status == "Active", True, Counts(equal=1)),
        (lambda _: [1, 2], [2, 1], Counts(equal=1)),
    ],
)
def test_a_function_converts_the_value_of_the_service(tmp_path: Path, to: Any, value: object, expected: Counts) -> None:
    assert compared("status", value, to=to, folder=tmp_path) == expected


def test_a_function_that_fails_ends_the_comparison(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        compared("status", "x", to=lambda _: 1 / 0, folder=tmp_path)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**12), max_value=10**12))
def test_numbers_are_equal_by_value(number: Decimal) -> None:
    assert text_of(number, scale=False) == text_of(number.normalize(), scale=False)
    assert Decimal(str(text_of(number, scale=False))) == number


@pytest.mark.parametrize(
    "value",
    [None, True, 5, "ü", Decimal("19.90"), datetime(2026, 1, 1, 1, 2, 3, 4, tzinfo=UTC), date(2026, 1, 1), ["a", None]],
)
def test_values_of_rows_are_stored_unchanged(value: object) -> None:
    (found,) = unpacked(packed([value]))
    assert found == value
    assert type(found) is type(value)
    assert str(found) == str(value)


ROW: dict[str, object] = {"id": "s1", "c": "Active"}


def _sqlite() -> Any:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    return connection.execute("SELECT 's1' AS id, 'Active' AS c")


def _sqlalchemy() -> Any:
    return sa.create_engine("sqlite://").connect().execute(sa.text("SELECT 's1' AS id, 'Active' AS c"))


TABLE = pa.table({"id": ["s1"], "c": ["Active"]})


@pytest.mark.parametrize(
    "rows",
    [
        [ROW], (ROW,), iter([ROW]), csv.DictReader(io.StringIO("id,c\ns1,Active\n")), TABLE, TABLE.to_reader(),
        TABLE.to_batches(), TABLE.to_pylist(), _sqlite(), _sqlalchemy(), _sqlalchemy().mappings(),
    ],
    ids=lambda rows: type(rows).__name__,
)  # fmt: skip
def test_rows_can_come_from_any_source(tmp_path: Path, rows: Any) -> None:
    client = Run("blocking").client("billing", transport=Service(page(S1)))
    with Reconciliation(tmp_path / "n.db", client.subscriptions.list(), key="id", fields={"status": "c"}) as check:
        check.read()
        check.compare(rows)
        assert check.counts() == Counts(equal=1)


def test_rows_can_be_an_async_iterator(tmp_path: Path) -> None:
    async def rows() -> Any:
        for number in range(1200):
            yield {"id": f"s{number}", "c": "Active"}

    async def scenario() -> None:
        client = Run("async").client("billing", transport=Service(page(S1)))
        pager = client.subscriptions.list()
        async with opened(Run("async"), tmp_path / "n.db", pager, fields={"status": "c"}) as check:
            await now(check.read())
            await now(check.compare(rows()))
            assert await now(check.counts()) == Counts(equal=1, local_only=1199)

    story(Run("async"), scenario)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (ROW, "not dict"), ("rows.csv", "not str"), (5, "not int"), (None, "not NoneType"), ([["s1"]], "not list"),
        (["id"], "not str"), ([{"id": "s1"}], "row 1: the row has no column 'c'"), ([{"c": "x"}], "no column 'id'"),
        ([{"id": None, "c": "x"}], "the key 'id' has no value"), ([{"id": "", "c": "x"}], "has no value"),
        ([{"id": 1.5, "c": "x"}], "not float"), ([{"id": True, "c": "x"}], "not bool"),
        ([{"id": "\ud800", "c": "x"}], "lone surrogate"), ([ROW, ROW], "duplicate key 's1'"),
        ([{"id": f"s{n % 700}", "c": "x"} for n in range(1000)], "duplicate key"),
    ],
    ids=str,
)  # fmt: skip
def test_invalid_rows_are_refused_without_a_request(tmp_path: Path, run: Run, rows: Any, sentence: str) -> None:
    service = Service(page(S1))

    async def scenario() -> None:
        pager = run.client("billing", transport=service).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields={"status": "c"}) as check:
            await now(check.read())
            with pytest.raises(InvalidArgumentError, match=sentence):
                await now(check.compare(rows))
            assert len(service.sent) == 1
            await now(check.compare([ROW]))
            assert await differences(run, check) == []

    story(run, scenario)


def repeated(far: int) -> list[dict[str, object]]:
    """Return rows of which the fourth and the last have the same key."""
    return [{"id": f"s{number}", "c": "x"} for number in range(far)] + [{"id": "s3", "c": "x"}]


@pytest.mark.parametrize("far", [5, 499, 500, 2000])
def test_a_key_that_repeats_is_named_with_both_rows(run: Run, tmp_path: Path, far: int) -> None:
    async def scenario() -> None:
        pager = run.client("billing", transport=Service(page(S1))).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields={"status": "c"}) as check:
            await now(check.read())
            with pytest.raises(InvalidArgumentError, match=f"duplicate key 's3' in row 4 and in row {far + 1:,}$"):
                await now(check.compare(repeated(far)))

    story(run, scenario)


def test_a_personal_key_that_repeats_is_not_shown(tmp_path: Path) -> None:
    account = {"object": "Account", "id": "a1", "email": "a@example.com"}
    client = Run("blocking").client("billing", transport=Service(page(account)))
    with Reconciliation(tmp_path / "n.db", client.accounts.list(), key="email", fields={}) as check:
        check.read()
        with pytest.raises(InvalidArgumentError, match=r"\*\*\* in row 1 and in row 2$"):
            check.compare([{"email": "b@example.com"}] * 2)
