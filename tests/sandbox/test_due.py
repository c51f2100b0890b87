"""Tests the steps that become due over time, such as bills, retries, and expirations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from sandbox.wire import Wire
from subscribekit.sandbox import DEFAULT_START, Sandbox

CARD = {"type": "CreditCard", "credit_card": {"account": "5555555555554444"}}
DECLINED = {"type": "CreditCard", "credit_card": {"account": "4000000000000002"}}


def state(wire: Wire, key: str) -> tuple[str, str]:
    body = wire.good(f"/subscriptions/{key}")
    return body["status"], body["billing_state"]


def order(**more: object) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": "new",
        "account": {"id": "acct-0009"},
        "billing_plan": {"id": "plan-monthly"},
        "items": [{"product": {"id": "prod-basic"}}],
    }
    return body | more


def test_time_moves_only_forward(wire: Wire) -> None:
    assert wire.sandbox.advance(days=1, hours=2) == DEFAULT_START + timedelta(days=1, hours=2)
    assert wire.sandbox.now == DEFAULT_START + timedelta(days=1, hours=2)
    with pytest.raises(ValueError, match="back"):
        wire.sandbox.advance(hours=-1)
    moved = wire.sandbox.advance(minutes=1, seconds=30.5)
    assert moved == DEFAULT_START + timedelta(days=1, hours=2, seconds=90.5)
    now = wire.sandbox.now
    with pytest.raises(ValueError, match="past January 1, 9000"):
        wire.sandbox.advance(days=366 * 8000)
    assert wire.sandbox.now == now


def test_a_period_is_billed_once(wire: Wire) -> None:
    wire.sandbox.advance(days=7)
    assert wire.good("/transactions", {"subscription": "sub-basic-0001"})["total_count"] == 1
    wire.sandbox.advance(days=1)
    body = wire.good("/subscriptions/sub-basic-0001")
    charge = body["most_recent_billing"]
    assert (charge["created"], charge["amount"]) == ("2026-03-10T09:00:00Z", Decimal("9.99"))
    assert (charge["subscription_sequence"], charge["status"]) == (2, "Complete")
    assert body["next_billing"]["created"] == "2026-04-10T00:00:00Z"
    assert body["ends"] == "2026-04-17T23:59:59Z"
    wire.sandbox.advance(days=365)
    assert wire.good("/transactions", {"subscription": "sub-basic-0001"})["total_count"] == 14
    assert wire.good("/invoices/sub-basic-0001-00000013")["status"] == "Paid"


def test_months_end_on_their_last_day(wire: Wire) -> None:
    at = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
    wire = Wire(Sandbox(clock=lambda: at))
    wire.made("/subscriptions", order())
    wire.sandbox.advance(days=120)
    dates = [one["created"][:10] for one in wire.good("/transactions", {"subscription": "new"})["data"]]
    assert dates == ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]


def test_a_discount_ends_with_its_periods(wire: Wire) -> None:
    wire.made("/subscriptions", order(items=[{"product": {"id": "prod-basic"}, "campaign_code": "SUMMER"}]))
    wire.sandbox.advance(days=120)
    amounts = [one["amount"] for one in wire.good("/transactions", {"subscription": "new"})["data"]]
    assert amounts == [Decimal("7.99")] * 3 + [Decimal("9.99")]


def test_a_trial_turns_into_charges(wire: Wire) -> None:
    wire.sandbox.advance(days=5)
    body = wire.good("/subscriptions/sub-trial-0003")
    assert (body["most_recent_billing"]["amount"], body["billing_state"]) == (Decimal("9.99"), "Good Standing")


def test_pending_cancel_becomes_cancelled_when_its_service_ends(wire: Wire) -> None:
    wire.made("/subscriptions/sub-basic-0001/actions/cancel")
    wire.sandbox.advance(days=8)
    assert state(wire, "sub-basic-0001") == ("Pending Cancel", "Billing Completed")
    wire.sandbox.advance(hours=15)
    assert state(wire, "sub-basic-0001") == ("Cancelled", "Billing Completed")
    assert wire.good("/transactions", {"subscription": "sub-basic-0001"})["total_count"] == 1
    assert wire.good("/accounts/acct-0001/entitlements/ent-basic")["state"] is False


def test_a_fixed_plan_expires(wire: Wire) -> None:
    wire.made("/subscriptions", order(billing_plan={"id": "plan-three-months"}))
    wire.sandbox.advance(days=62)
    body = wire.good("/subscriptions/new")
    assert (body["status"], "next_billing" in body) == ("Active", False)
    wire.sandbox.advance(days=31)
    assert state(wire, "new") == ("Expired", "Billing Completed")
    assert wire.good("/transactions", {"subscription": "new"})["total_count"] == 3
    assert wire.good("/subscriptions/new")["ends"] == "2026-06-02T09:00:00Z"


def test_a_future_start_begins_then(wire: Wire) -> None:
    wire.sandbox.advance(days=29)
    assert state(wire, "sub-future-0008") == ("Pending Activation", "Unbilled")
    wire.sandbox.advance(days=1)
    assert state(wire, "sub-future-0008") == ("Active", "Good Standing")
    assert wire.good("/subscriptions/sub-future-0008")["most_recent_billing"]["amount"] == Decimal("9.99")


def test_a_start_without_a_payment_method_keeps_waiting(wire: Wire) -> None:
    wire.made("/accounts", {"id": "poor"})
    wire.made("/subscriptions", order(account={"id": "poor"}, starts="2026-03-05T00:00:00Z"))
    wire.sandbox.advance(days=10)
    assert state(wire, "new") == ("Pending Activation", "Unbilled")


def test_a_refused_charge_is_tried_again_and_recovers(wire: Wire) -> None:
    wire.made("/subscriptions", order(payment_method={**CARD, "id": "pm-own"}))
    wire.made("/subscriptions/new", {"payment_method": DECLINED})
    wire.sandbox.advance(days=31)
    body = wire.good("/subscriptions/new")
    assert (body["status"], body["billing_state"], body["balance"]) == ("Active", "In Retry", Decimal("9.99"))
    assert body["ends"] == "2026-04-09T23:59:59Z"
    wire.sandbox.advance(days=3)
    retried = wire.good("/subscriptions/new")["most_recent_billing"]
    assert (retried["billing_attempt"], retried["status"]) == (1, "Cancelled")
    assert retried["original_billing_date"] == "2026-04-02T00:00:00Z"
    wire.made("/subscriptions/new", {"payment_method": {"id": "pm-own"}})
    wire.sandbox.advance(days=3)
    body = wire.good("/subscriptions/new")
    assert (body["billing_state"], body["balance"], body["ends"]) == ("Good Standing", 0, "2026-05-09T23:59:59Z")
    assert (body["most_recent_billing"]["billing_attempt"], body["most_recent_billing"]["status"]) == (2, "Complete")
    assert wire.good("/invoices/new-00000001")["status"] == "Paid"


def test_a_charge_that_stays_unpaid_ends_the_service_after_the_grace_time(wire: Wire) -> None:
    wire.made("/subscriptions", order(payment_method=CARD))
    wire.made("/subscriptions/new", {"payment_method": DECLINED})
    wire.sandbox.advance(days=60)
    body = wire.good("/subscriptions/new")
    assert (body["status"], body["billing_state"]) == ("Cancelled", "Failed To Collect")
    assert body["cancel_reason"]["reason_code"] == "5"
    assert "next_billing" not in body
    assert [one["billing_attempt"] for one in wire.good("/transactions", {"subscription": "new"})["data"]] == [
        0,
        0,
        1,
        2,
    ]
    assert wire.good("/invoices/new-00000001")["status"] == "Due"


def test_a_refused_start_may_be_caught_up(wire: Wire) -> None:
    """H301: the update charges the failed bill once, and nothing else charges it again."""
    policy = {"immediate_auth_failure_policy": "putAutoBillInRetryCycle"}
    wire.made("/subscriptions", order(payment_method=DECLINED, policy=policy))
    query = {"update_behavior": "CatchUp", "replace_on_all_subscriptions": 1}
    wire.made("/accounts/acct-0009", {"payment_methods": [CARD]}, query)
    assert state(wire, "new") == ("Active", "Good Standing")
    assert wire.good("/subscriptions/new")["balance"] == 0
    assert wire.good("/transactions", {"subscription": "new"})["total_count"] == 2
    wire.made("/accounts/acct-0001", {}, {"update_behavior": "CatchUp"})
    assert wire.good("/transactions", {"account": "acct-0001"})["total_count"] == 4


def test_a_free_period_does_not_charge_a_declined_card(wire: Wire) -> None:
    items = [{"product": {"id": "prod-api"}}]
    wire.made("/subscriptions", order(items=items, payment_method=DECLINED))
    assert state(wire, "new") == ("Active", "Good Standing")
    wire.sandbox.advance(days=31)
    assert state(wire, "new") == ("Active", "Good Standing")
    assert wire.good("/subscriptions/new")["most_recent_billing"]["status"] == "Complete"


def test_refunds_and_campaigns_complete(wire: Wire) -> None:
    wire.made("/transactions/txn-pay-card-0002/refunds", {"id": "r", "amount": 1})
    wire.sandbox.advance(hours=23)
    assert wire.good("/refunds/r")["status"] == "Processing"
    wire.sandbox.advance(hours=1)
    assert wire.good("/refunds/r")["status"] == "Complete"
    wire.sandbox.advance(days=300)
    assert wire.good("/campaigns/camp-summer")["state"] == "Complete"
    assert wire.call("gateway", "POST", "/gateway/v1/campaigns/camp-summer/actions/activate").status == 400


def test_a_running_clock_does_the_same() -> None:
    now = [DEFAULT_START]
    wire = Wire(Sandbox(clock=lambda: now[0]))
    now[0] += timedelta(days=8)
    assert wire.good("/transactions", {"subscription": "sub-basic-0001"})["total_count"] == 2


def test_one_long_advance_equals_many_short_ones() -> None:
    long, short = Wire(), Wire()
    for wire in (long, short):
        wire.made(
            "/subscriptions",
            order(payment_method=DECLINED, policy={"immediate_auth_failure_policy": "putAutoBillInRetryCycle"}),
        )
    long.sandbox.advance(days=90)
    for _ in range(90):
        short.sandbox.advance(days=1)
    for path in ("/subscriptions", "/transactions", "/invoices"):
        assert long.good(path, {"limit": 100}) == short.good(path, {"limit": 100})


def test_snapshots_keep_the_time(wire: Wire) -> None:
    kept = wire.sandbox.snapshot()
    wire.sandbox.advance(days=40)
    wire.sandbox.restore(kept)
    assert wire.sandbox.now == DEFAULT_START
    assert wire.good("/transactions", {"subscription": "sub-basic-0001"})["total_count"] == 1
    wire.sandbox.advance(days=40)
    wire.sandbox.reset()
    assert wire.sandbox.now == DEFAULT_START
