"""Values of pandas and NumPy are sent exactly, or refused with the name of the argument (H446)."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, NoReturn

import pytest
from pydantic import ValidationError

from subscribekit import BillingClient, RetryPolicy, Timeouts, UserMgmtClient, webhooks
from subscribekit.bulk import Run, StopPolicy
from subscribekit.errors import SubscribekitError
from subscribekit.export import partition, to_arrow
from subscribekit.filters import field
from subscribekit.models import Account, Subscription, SubscriptionItem, Transaction

pytestmark = pytest.mark.hazard("H446")


class NotATime(datetime):
    """Behaves like `NaT` of pandas: a `datetime` that has no offset and isn't equal to any value."""

    def utcoffset(self) -> NoReturn:
        raise ValueError("NaTType does not support utcoffset")

    def isoformat(self, *_: object) -> str:  # type: ignore[override]  # the method of pandas has other arguments too
        return "NaT"

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = datetime.__hash__


class NotAvailable:
    """Behaves like `NA` of pandas, which has no truth value and is the result of each comparison with it."""

    def __bool__(self) -> NoReturn:
        raise TypeError("boolean value of NA is ambiguous")

    def __eq__(self, other: object) -> Any:
        return self

    __hash__ = object.__hash__


class Exact(datetime):
    """Behaves like a `Timestamp` of pandas with nanoseconds."""

    def isoformat(self, *_: object) -> str:  # type: ignore[override]  # the method of pandas has other arguments too
        return "2026-01-02T03:04:05.123456789+00:00"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exact)

    __hash__ = datetime.__hash__

    def __sub__(self, other: object) -> NoReturn:  # type: ignore[override]  # a distant date overflows in pandas
        raise ValueError("Cannot cast 0001-01-01 00:00:00+00:00 to unit='ns' without overflow")


class Whole(int):
    """An integer whose text isn't its number, like a member of an enumeration."""

    def __str__(self) -> str:
        return "Whole.FIVE"


class Text(str, Enum):  # noqa: UP042  the text of a StrEnum member is its value
    """A string whose text isn't its value."""

    A = "abc"


MOMENT = Exact(2026, 1, 2, 3, 4, 5, 123456, tzinfo=UTC)
WRITTEN = "2026-01-02T03:04:05.123456789"


def missing() -> Iterator[object]:
    """Yield values that mean a missing value, and values that have no exact text."""
    yield from (NotATime(2026, 1, 1), NotAvailable(), float("nan"), Decimal("NaN"), Decimal("sNaN"))
    try:
        import numpy as np
    except ModuleNotFoundError:
        return
    yield from (np.float64("nan"), np.float64(4.9), np.bool_(True), np.int64(5), np.datetime64("NaT"))
    yield from (np.datetime64("2026-01-01"), np.array([1, 2]), np.array([]))


MISSING = {f"{type(each).__name__} {at}": each for at, each in enumerate(missing())}


@pytest.fixture
def billing() -> Iterator[BillingClient]:
    with BillingClient(environment="sandbox") as client:
        yield client


def calls(billing: BillingClient) -> list[tuple[str, Callable[[Any], object]]]:
    """Return a use of each kind of argument that takes any value, with the name that its error shows."""
    prepare, now = billing.prepare, datetime.now(UTC)
    return [
        ("value of a filter", lambda value: field("a").eq(value)),
        ("value of a filter", lambda value: field("a").ge(value)),
        ("sw, ew, and co", lambda value: field("a").co(value)),
        ("property path", field),
        ("x", lambda value: prepare.accounts.list(params={"x": value})),
        ("x", lambda value: prepare.accounts.list(params={"x": [value]})),
        ("x", lambda value: prepare.request("GET", "/x", params={"x": value})),
        ("params", lambda value: prepare.accounts.list(params=value)),
        ("created_after", lambda value: prepare.accounts.list(created_after=value)),
        ("email", lambda value: prepare.accounts.list(email=value)),
        ("limit", lambda value: prepare.accounts.list(limit=value)),
        ("checkpoint", lambda value: billing.accounts.list(checkpoint=value)),
        ("account", prepare.accounts.retrieve),
        ("path", lambda value: prepare.request("GET", value)),
        ("json", lambda value: prepare.request("POST", "/x", json={"x": value})),
        ("json", lambda value: prepare.request("POST", "/x", json=value)),
        ("body", prepare.accounts.create),
        ("name", lambda value: Account(name=value)),
        ("id", lambda value: Account(id=value)),
        ("metadata", lambda value: Account(metadata=value)),
        ("metadata.k", lambda value: Account(metadata={"k": value})),
        ("starts", lambda value: Subscription(starts=value)),
        ("quantity", lambda value: SubscriptionItem(quantity=value)),
        ("amount", lambda value: Transaction(amount=value)),
        ("since", lambda value: partition(billing.accounts.list, size=1, since=value)),
        ("until", lambda value: partition(billing.accounts.list, size=1, since=now - timedelta(days=1), until=value)),
        ("size", lambda value: partition(billing.accounts.list, size=value, since=now - timedelta(days=1))),
        ("column", lambda value: to_arrow(billing.accounts.list(), columns=value)),
        ("no column", lambda value: to_arrow(billing.accounts.list(), columns=[value])),
        ("deadline", lambda value: billing.with_options(deadline=value)),
        ("headers", lambda value: billing.with_options(headers=value)),
        ("header X", lambda value: billing.with_options(headers={"X": value})),
        ("environment", lambda value: BillingClient(environment=value)),
        ("trace", lambda value: billing.with_options(trace=value)),
        ("max_bytes", lambda value: webhooks.unwrap(b"{}", "", "k", max_bytes=value)),
        ("now", lambda value: webhooks.unwrap(b"{}", "", "k", max_age=1, now=value)),
        ("key", lambda value: webhooks.unwrap(b"{}", "", value)),
    ]


@pytest.mark.parametrize("value", MISSING.values(), ids=MISSING)
def test_a_value_without_an_exact_form_is_refused_with_the_name_of_its_argument(
    billing: BillingClient, value: object
) -> None:
    for name, use in calls(billing):
        with pytest.raises((SubscribekitError, ValidationError)) as failed:
            use(value)
        assert name in str(failed.value).replace("\n", "."), name


@pytest.mark.parametrize("value", MISSING.values(), ids=MISSING)
def test_the_error_about_the_type_of_a_webhook_names_the_body_or_signature(value: Any) -> None:
    with pytest.raises(TypeError, match="body must be the raw bytes"):
        webhooks.unwrap(value, "", "k")
    with pytest.raises(TypeError, match="signature must be the value of the header"):
        webhooks.unwrap(b"{}", value, "k")


@pytest.mark.parametrize("value", MISSING.values(), ids=MISSING)
def test_settings_and_keys_of_items_refuse_such_values(billing: BillingClient, value: Any, tmp_path: Path) -> None:
    settings: tuple[Callable[[], object], ...] = (
        lambda: RetryPolicy(max_attempts=value),
        lambda: StopPolicy(max_rejected=value),
        lambda: StopPolicy(max_amount=value, currency="USD"),
        lambda: Run(tmp_path / "a.db", billing, concurrency=value),
    )
    for make in settings:
        with pytest.raises(SubscribekitError):
            make()
    with Run(tmp_path / "run.db", billing) as run, pytest.raises(SubscribekitError, match="the key of an item"):
        run.add([(value, billing.prepare.accounts.create(Account(id="a")))])


def test_a_time_keeps_its_nanoseconds_or_is_refused(billing: BillingClient) -> None:
    prepare = billing.prepare
    assert str(field("a").eq(MOMENT)) == f'a eq "{WRITTEN}+00:00"'
    for listed in (prepare.accounts.list(created_after=MOMENT), prepare.accounts.list(params={"x": MOMENT})):
        assert WRITTEN.replace(":", "%3A") in listed.url
    assert prepare.request("POST", "/x", json={"x": MOMENT}).body == f'{{"x":"{WRITTEN}+00:00"}}'.encode()
    with pytest.raises(SubscribekitError, match="since must not have fractions of a microsecond"):
        partition(billing.accounts.list, size=1, since=MOMENT)
    with pytest.raises(webhooks.WebhookSignatureError):
        webhooks.unwrap(b"{}", "", "k", max_age=1, now=MOMENT)


def test_a_subclass_of_str_or_int_is_sent_as_its_value_and_stored_as_a_plain_value(billing: BillingClient) -> None:
    request = billing.prepare.accounts.retrieve(Text.A)
    assert request.url.endswith("/accounts/abc")
    assert __name__.encode() not in pickle.dumps(request)
    listed = billing.prepare.accounts.list(params={Text.A: [Text.A, Whole(5)]}, email=Text.A)
    assert listed.url.endswith("?email=abc&abc=abc&abc=5")
    assert __name__.encode() not in pickle.dumps(listed)


def test_columns_may_be_a_numpy_array(billing: BillingClient) -> None:
    numpy = pytest.importorskip("numpy")
    columns = numpy.array(["id", "name"])
    assert to_arrow(billing.accounts.list(), columns=columns, include_personal=True).schema.names == ["id", "name"]


def test_values_of_pandas_itself_are_refused_or_exact(billing: BillingClient) -> None:
    pandas = pytest.importorskip("pandas")
    stamp = pandas.Timestamp("2026-01-02T03:04:05.123456789Z")
    assert str(field("a").eq(stamp)) == f'a eq "{WRITTEN}+00:00"'
    for name, use in calls(billing):
        for value in (pandas.NaT, pandas.NA, pandas.Series([1, 2]), pandas.Timedelta("1s"), pandas.Period("2026-01")):
            with pytest.raises((SubscribekitError, ValidationError)) as failed:
                use(value)
            assert name in str(failed.value).replace("\n", "."), name


def test_the_error_about_a_user_id_of_another_type_names_the_argument() -> None:
    with UserMgmtClient(environment="sandbox") as users:
        for value in MISSING.values():
            with pytest.raises(SubscribekitError, match="user_id must be a string"):
                users.prepare.custom_data.delete(value, "notes", filter="a eq 1")  # type: ignore[arg-type]  # the test needs the wrong type


def test_timeouts_refuse_such_values() -> None:
    for value in MISSING.values():
        with pytest.raises(SubscribekitError, match=r"Timeouts\.read must be"):
            Timeouts(read=value)  # type: ignore[arg-type]  # the test needs the wrong type
