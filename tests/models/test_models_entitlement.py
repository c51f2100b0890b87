"""Checks whether a subscription entitles its customer: yes, no, or unknown with a reason (H178)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any, get_args

import pytest

from subscribekit._core.resolving.verdict import Verdict
from subscribekit.models import (
    BillingState,
    EntitlementCheck,
    EntitlementDecision,
    Subscription,
    SubscriptionStatus,
    Transaction,
)
from subscribekit.models._base import read

NOW = datetime(2030, 6, 15, 12, tzinfo=UTC)
DAY = timedelta(days=1)
OF_STATUS: list[tuple[str | None, str]] = [
    ("Active", "yes"),
    ("Pending Cancel", "yes"),
    ("Pending Pause", "yes"),
    ("Pending Activation", "no"),
    ("Cancelled", "no"),
    ("Expired", "no"),
    ("Deleted", "no"),
    ("Dryrun", "no"),
    ("Upgraded", "no"),
    ("Paused", "no"),
    ("Processing", "unknown"),
    ("Unknown", "unknown"),
    ("Legacy Suspended", "unknown"),
    ("Bogus AutoBill Status", "unknown"),
    ("A status of tomorrow", "unknown"),
    (None, "unknown"),
]
OF_BILLING_STATE: list[tuple[str, str]] = [
    ("Good Standing", "yes"),
    ("Free/Trial", "yes"),
    ("Free Period", "yes"),
    ("Billing Completed", "yes"),
    ("Unbilled", "yes"),
    ("Pending Pause", "yes"),
    ("Pending Resume", "yes"),
    ("Grace Period", "yes"),
    ("In Retry", "yes"),
    ("Overdue", "yes"),
    ("Unusable PaymentMethod", "yes"),
    ("Failed To Collect", "unknown"),
    ("Terminated", "unknown"),
    ("Paused", "unknown"),
    ("Pending Acceptance", "unknown"),
    ("Bogus BillingState", "unknown"),
    ("Legacy Unknown BillingState", "unknown"),
    ("Unknown", "unknown"),
    ("A state of tomorrow", "unknown"),
]


def decision(**fields: object) -> str:
    return Subscription.model_validate(fields).entitlement_at(NOW).decision


@pytest.mark.parametrize(("status", "expected"), OF_STATUS)
def test_the_status_decides_within_the_dates(status: str | None, expected: str) -> None:
    assert decision(status=status, starts=NOW - DAY, ends=NOW + DAY, entitled_through=NOW + DAY) == expected
    assert decision(status=status, billing_state="Good Standing") == expected


@pytest.mark.parametrize(("state", "expected"), OF_BILLING_STATE)
def test_the_billing_state_decides_for_an_active_subscription(state: str, expected: str) -> None:
    assert decision(status="Active", billing_state=state, entitled_through=NOW + DAY) == expected


def test_both_tables_above_are_complete() -> None:
    statuses = get_args(get_args(SubscriptionStatus)[0])
    states = get_args(get_args(BillingState)[0])
    assert set(statuses) == {status for status, _ in OF_STATUS} - {"A status of tomorrow", None}
    assert set(states) == {state for state, _ in OF_BILLING_STATE} - {"A state of tomorrow"}


@pytest.mark.parametrize("state", ["Grace Period", "In Retry", "Overdue", "Unusable PaymentMethod"])
def test_grace_without_an_end_is_unknown(state: str) -> None:
    assert decision(status="Active", billing_state=state) == "unknown"
    assert decision(status="Active", billing_state=state, ends=NOW + DAY) == "yes"


@pytest.mark.parametrize(
    "dates",
    [
        {"starts": NOW + DAY},
        {"ends": NOW - DAY},
        {"ends": NOW},
        {"entitled_through": NOW},
        {"entitled_through": NOW - DAY, "ends": NOW + DAY},
    ],
)
def test_dates_can_exclude_an_active_subscription(dates: dict[str, object]) -> None:
    assert decision(status="Active", billing_state="Good Standing", **dates) == "no"


def test_the_first_moment_is_included() -> None:
    assert decision(status="Active", starts=NOW, ends=NOW + timedelta(microseconds=1)) == "yes"


@pytest.mark.parametrize(
    "damage",
    [{"ends": "soon"}, {"starts": 5}, {"entitled_through": []}, {"status": {}}, {"billing_state": True}],
)
def test_a_field_that_cannot_be_parsed_makes_the_decision_unknown(damage: dict[str, object]) -> None:
    raw = {"status": "Active", "billing_state": "Good Standing", **damage}
    entitled = read(Subscription, raw).entitlement_at(NOW)
    assert entitled == EntitlementDecision("unknown", f"the received {next(iter(damage))} can't be parsed")


@pytest.mark.parametrize("ends", ["2031-01-01", "2031-01-01T00:00:00"])
def test_a_received_time_without_a_zone_is_utc(ends: str) -> None:
    subscription = read(Subscription, {"status": "Active", "ends": ends})
    assert subscription.entitlement_at(datetime(2030, 12, 31, 23, 59, 59, tzinfo=UTC)).decision == "yes"
    assert subscription.entitlement_at(datetime(2031, 1, 1, tzinfo=UTC)).decision == "no"


def test_an_unchecked_date_without_a_time_zone_makes_the_decision_unknown() -> None:
    subscription = Subscription(status="Active").model_copy(update={"ends": datetime(2031, 1, 1)})  # noqa: DTZ001
    assert subscription.entitlement_at(NOW) == EntitlementDecision("unknown", "ends has no time zone")


def test_a_naive_moment_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        Subscription(status="Active").entitlement_at(datetime(2030, 1, 1))  # noqa: DTZ001


def test_the_reason_names_the_fact() -> None:
    reason = Subscription(status="Cancelled").entitlement_at(NOW).reason
    assert reason == "the subscription is canceled"
    reason = Subscription(status="Active", ends=NOW - DAY).entitlement_at(NOW).reason
    assert reason == "the subscription ended at 2030-06-14T12:00:00+00:00"


@pytest.mark.parametrize("at", ["2026-03-05", date(2026, 3, 5), 1_772_000_000, None])
def test_the_error_about_a_wrong_type_says_what_to_write(at: Any) -> None:
    with pytest.raises(TypeError, match=r"datetime\.now\(UTC\).*, not (str|date|int|NoneType)"):
        Subscription(status="Active").entitlement_at(at)


def test_a_decision_has_no_truth_value() -> None:
    entitled = Subscription(status="Cancelled").entitlement_at(NOW)
    with pytest.raises(TypeError, match=r"\.decision == 'yes'"):
        bool(entitled)
    with pytest.raises(TypeError, match=r"\.state"):
        bool(EntitlementCheck(state=False))
    with pytest.raises(TypeError, match=r"\.state == 'applied'.*\.safe_to_retry"):
        bool(Verdict("not_applied", None, "", safe_to_retry=True, support_details=""))


def test_a_subscription_that_renews_has_not_ended() -> None:
    """The reason tells a caller whose clock differs from the service's to retrieve the subscription again."""
    due = Transaction(created=NOW - 2 * DAY)
    subscription = Subscription(status="Active", ends=NOW - DAY, entitled_through=NOW - DAY, next_billing=due)
    entitled = subscription.entitlement_at(NOW)
    assert entitled.decision == "no"
    assert "ended" not in entitled.reason
    assert "end at 2030-06-14T12:00:00+00:00; the next bill is due at 2030-06-13" in entitled.reason
    subscription.next_billing = Transaction()
    assert "the next bill is due, so retrieve the subscription again" in subscription.entitlement_at(NOW).reason
