"""Tests usage events: they're added to a subscription item, shown in summaries, and billed once (H312)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sandbox.wire import Wire
from subscribekit.sandbox.billing.rules.rating import rate
from subscribekit.sandbox.values import Document


def order() -> dict[str, object]:
    item = {"id": "i", "product": {"id": "prod-api"}, "rate_plan": {"id": "rate-api-calls"}}
    return {"id": "new", "account": {"id": "acct-0009"}, "items": [item]}


def test_events_are_billed_once_at_the_cycle(wire: Wire) -> None:
    """H312: each event is billed exactly once. Otherwise, the customer pays twice, or the merchant loses money."""
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
    assert wire.good("/event_summaries", {"billed": 0})["total_count"] == 1  # the seeded event summary


def price(amount: str) -> list[Document]:
    return [{"currency": "EUR", "amount": Decimal(99)}, {"currency": "USD", "amount": Decimal(amount)}]


TIERS: list[Document] = [
    {"begins_at_level": 1, "rate_price": price("2"), "charge_customer": "PerUnit"},
    {"begins_at_level": 11, "rate_price": price("1"), "charge_customer": "PerUnit"},
]
FLAT: list[Document] = [{"begins_at_level": 1, "rate_price": price("7"), "charge_customer": "FlatFee"}]


@pytest.mark.parametrize(
    ("plan", "units", "fee"),
    [
        ({"tier": TIERS}, "10", "20"),
        ({"tier": TIERS}, "14", "24"),
        ({"tier": TIERS, "multiply_rated_units_by": "EachRespectiveTier"}, "14", "24"),
        ({"tier": TIERS, "multiply_rated_units_by": "HighestApplicableTier"}, "14", "14"),
        ({"tier": TIERS, "multiply_rated_units_by": "HighestApplicableTier"}, "10", "20"),
        ({"tier": TIERS, "included_units": 4}, "14", "20"),
        ({"tier": TIERS, "minimum_fee": price("5")}, "1", "5"),
        ({"tier": TIERS, "maximum_fee": price("15")}, "14", "15"),
        ({"tier": FLAT}, "14", "7"),
        ({"multiply_rated_units_by": "HighestApplicableTier"}, "14", "0"),
    ],
    ids=str,
)
def test_a_rate_plan_charges_as_published(plan: Document, units: str, fee: str) -> None:
    assert rate(plan, Decimal(units), "USD") == Decimal(fee)
