"""Each comparison applies the caller's functions anew, so that a changed function takes effect (H434)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kit.calls import Run, Service, page
from reconcile.kit import differences, now, opened, story
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import DirectDebit, Season
from subscribekit.reconcile import Counts, Reconciliation
from subscribekit.reconcile._fields import place_of
from subscribekit.reconcile._values import packed, unpacked, wire_value

pytestmark = pytest.mark.hazard("H434")

S1 = {"object": "Subscription", "id": "s1", "status": "Active", "currency": "USD"}
PREFIX = "new"


class Prefixed:
    """A callable object."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def __call__(self, status: object) -> str:
        return f"{self.prefix} {status}"


def closure(prefix: str) -> Callable[[Any], object]:
    return lambda status: f"{prefix} {status}"


def default(prefix: str) -> Callable[[Any], object]:
    def to_ours(status: object, before: str = prefix) -> str:
        return f"{before} {status}"

    return to_ours


def from_global(prefix: str) -> Callable[[Any], object]:
    globals()["PREFIX"] = prefix
    return lambda status: f"{PREFIX} {status}"


def from_partial(prefix: str) -> Callable[[Any], object]:
    return partial("{} {}".format, prefix)


@pytest.mark.parametrize("make", [closure, default, from_global, from_partial, Prefixed])
def test_a_changed_function_is_applied_by_the_next_comparison(
    run: Run, tmp_path: Path, make: Callable[[str], Callable[[Any], object]]
) -> None:
    service = Service(page(S1), page(S1))

    async def scenario(prefix: str, local: str) -> Counts:
        pager = run.client("billing", transport=service).subscriptions.list()
        fields = {"status": ("state", make(prefix)), "currency": "currency"}
        async with opened(run, tmp_path / "n.db", pager, fields=fields) as check:
            await now(check.read())
            await now(check.compare([{"id": "s1", "state": local, "currency": "USD"}]))
            counts: Counts = await now(check.counts())
            return counts

    assert story(run, lambda: scenario("old", "old Active")) == Counts(equal=1)
    assert story(run, lambda: scenario("new", "old Active")) == Counts(differs=1)
    assert story(run, lambda: scenario("new", "new Active")) == Counts(equal=1)
    assert len(service.sent) == 1  # the later comparisons use the stored list


METHOD: dict[str, Any] = {
    "object": "PaymentMethod", "id": "p1", "created": "2026-03-01T12:00:00+02:00", "metadata": {"a": 1, "b": None},
    "direct_debit": {"object": "DirectDebit", "account": "XXXX1234", "more": {"$date": "x"}, "amount": 1.50},
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("created", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("metadata", {"a": "1", "b": None}),
        ("metadata.a", "1"),
        ("direct_debit.account", "XXXX1234"),
        ("direct_debit.more", {"$date": "x"}),
        ("direct_debit.more.x", None),
        ("direct_debit.amount", Decimal("1.50")),
        ("paypal", None),
        ("type", None),
    ],
)
def test_a_function_receives_the_value_that_the_service_sent(tmp_path: Path, path: str, expected: object) -> None:
    received: list[object] = []

    def to_ours(value: object) -> object:
        received.append(value)
        return None

    client = Run("blocking").client("billing", transport=Service(page(METHOD)))
    fields = {path: ("c", to_ours)}
    with Reconciliation(tmp_path / "n.db", client.payment_methods.list(), key="id", fields=fields) as check:
        check.read()
        check.compare([{"id": "p1", "c": None}])
    assert received == [expected]
    assert [type(each) for each in received] == [type(expected)]


def test_a_function_receives_an_object_as_its_class(tmp_path: Path) -> None:
    accounts: list[tuple[str | None, object]] = []

    def to_ours(value: DirectDebit) -> object:
        accounts.append((value.account, value.model_extra))
        return None

    client = Run("blocking").client("billing", transport=Service(page(METHOD)))
    fields = {"direct_debit": ("c", to_ours)}
    with Reconciliation(tmp_path / "n.db", client.payment_methods.list(), key="id", fields=fields) as check:
        check.read()
        check.compare([{"id": "p1", "c": None}])
    assert accounts == [("XXXX1234", {"more": {"$date": "x"}, "amount": Decimal("1.50")})]


def test_a_function_of_a_list_receives_all_values(tmp_path: Path) -> None:
    shown = {"object": "SeasonSet", "id": "s1", "seasons": [
        {"object": "Season", "starts": "2026-03-01"}, {"object": "Season", "starts": "2026-03-01T00:00:00Z"},
    ]}  # fmt: skip
    received: list[object] = []
    client = Run("blocking").client("billing", transport=Service(page(shown)))
    fields = {"seasons[].starts": ("c", lambda value: received.append(value) or len(value))}
    with Reconciliation(tmp_path / "n.db", client.season_sets.list(), key="id", fields=fields) as check:
        check.read()
        check.compare([{"id": "s1", "c": 2}])
        assert check.counts() == Counts(equal=1)
    assert received == [[date(2026, 3, 1), datetime(2026, 3, 1, tzinfo=UTC)]]


def test_a_resource_is_stored_under_its_wire_names() -> None:
    season = Season(description="x", starts=date(2026, 3, 1))
    assert unpacked(packed([wire_value([season, (1,)])])) == [
        [{"description": "x", "starts": date(2026, 3, 1)}, [1]],
    ]


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (1.5, "a float isn't exact"), ([1.5], "a float isn't exact"), (object(), "of type object"),
        (datetime(2026, 1, 1), "time zone"), (Decimal("NaN"), "finite"), (iter([]), "list_iterator"),  # noqa: DTZ001
    ],
)  # fmt: skip
def test_a_result_that_cannot_be_compared_is_refused_by_row_and_column(
    run: Run, tmp_path: Path, result: object, sentence: str
) -> None:
    results: list[object] = ["x"]

    async def scenario() -> None:
        pager = run.client("billing", transport=Service(page(S1))).subscriptions.list()
        fields = {"status": ("state", lambda _: results[0])}
        async with opened(run, tmp_path / "n.db", pager, fields=fields) as check:
            await now(check.read())
            await now(check.compare([{"id": "s1", "state": "y"}]))
            check._core.__dict__["_retrieve"] = None  # so that the list is read once more
            results[0] = result
            client = run.client("billing", transport=Service(page(S1)))
            check._core.driver = client.subscriptions.list()._driver
            with pytest.raises(InvalidArgumentError, match=f"key 's1': column 'state': .*{sentence}"):
                await differences(run, check)
            with pytest.raises(
                InvalidArgumentError, match=f"row 1: column 'state': the function returned .*{sentence}"
            ):
                await now(check.compare([{"id": "s1", "state": "y"}]))

    story(run, scenario)


def test_only_values_of_fields_with_a_function_are_stored(tmp_path: Path) -> None:
    shown = {"object": "Account", "id": "a1", "email": "stored@example.com", "company": "Not Stored Ltd"}
    client = Run("blocking").client("billing", transport=Service(page(shown)))
    fields = {"email": ("mail", str.lower), "company": "company"}
    with Reconciliation(tmp_path / "n.db", client.accounts.list(), key="id", fields=fields) as check:
        check.read()
        stored = b"".join(each.read_bytes() for each in tmp_path.iterdir())
        assert (b"stored@example.com" in stored, b"Not Stored" in stored) == (True, False)
        check.reset()
        assert b"stored@" not in b"".join(each.read_bytes() for each in tmp_path.iterdir())


def test_a_path_to_an_open_object_is_personal_if_its_fields_are() -> None:
    from subscribekit.models import PaymentMethod

    assert place_of(PaymentMethod, "direct_debit").is_personal
    assert not place_of(PaymentMethod, "created").is_personal
