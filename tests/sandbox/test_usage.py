"""Events: counted on a subscription's item, shown by summaries, billed once at the cycle (H312)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sandbox.wire import Wire


def order() -> dict[str, object]:
    item = {"id": "i", "product": {"id": "prod-api"}, "rate_plan": {"id": "rate-api-calls"}}
    return {"id": "new", "account": {"id": "acct-0009"}, "items": [item]}


def test_events_are_billed_once_at_the_cycle(wire: Wire) -> None:
    """H312: usage that is billed at every cycle again, or never, is money that nobody owes, or that is lost."""
    wire.made("/subscriptions", order())
    for units in (3, 9):
        wire.made("/events", {"subscription": {"id": "new"}, "amount": units})
    (summary,) = wire.good("/event_summaries", {"subscription": "new", "billed": 0})["data"]
    assert (summary["event_count"], summary["current_total_rated_units_bill"]) == (2, 22)
    wire.sandbox.advance(days=31)
    charge = wire.good("/subscriptions/new")["most_recent_billing"]
    assert charge["amount"] == Decimal(22)  # ten at 2.00 and two at 1.00
    (line,) = [one for one in charge["items"]["data"] if one["sku"] == "rate-api-calls"]
    assert (line["total"], line["subscription_item"]["id"]) == (Decimal(22), "i")
    assert wire.good("/event_summaries", {"subscription": "new", "billed": 0})["data"] == []
    wire.sandbox.advance(days=31)
    assert wire.good("/subscriptions/new")["most_recent_billing"]["amount"] == 0


@pytest.mark.parametrize(
    "change",
    [{"amount": 0}, {"amount": "many"}, {"subscription": {"id": "sub-basic-0001"}}, {"subscription_item": {"id": "x"}}],
)
def test_an_event_that_counts_on_nothing_is_refused(wire: Wire, change: dict[str, object]) -> None:
    wire.made("/subscriptions", order())
    assert wire.post("/events", {"subscription": {"id": "new"}} | change).status == 400
    assert wire.good("/events")["total_count"] == 0


def test_an_event_without_a_subscription_is_kept_and_billed_nowhere(wire: Wire) -> None:
    assert wire.made("/events", {"id": "e", "amount": 3})["amount"] == 3
    assert wire.good("/event_summaries", {"billed": 0})["total_count"] == 1  # the seeded one
