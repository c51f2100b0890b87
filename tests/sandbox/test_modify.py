"""Tests changes to subscriptions: proration, credit, refunds, and plan changes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sandbox.wire import Wire

ANNUAL = Decimal("90.00")  # the price of plan-annual itself, without products
NOW = {"effective_date": "today", "bill_prorated_period": "true"}
SUB = "/subscriptions/sub-basic-0001"
# The current period of sub-basic-0001 has 28 days, of which 8 are left.


def skus(transaction: Any) -> list[tuple[str, str, Decimal]]:
    return [(line["sku"], line["item_type"], line["total"]) for line in transaction["items"]["data"]]


def products(subscription: Any) -> list[str]:
    return [item["product"]["id"] for item in subscription["items"]["data"]]


def test_adding_an_item_today_charges_the_days_left(wire: Wire) -> None:
    result = wire.made(SUB, {"items": [{"id": "extra", "product": {"id": "prod-addon"}}]}, NOW)
    assert products(result) == ["prod-basic", "prod-addon"]
    assert [item["index"] for item in result["items"]["data"]] == [0, 1]
    charge = result["most_recent_billing"]
    assert charge["amount"] == Decimal("1.43")  # 4.99 * 8 / 28
    assert charge["metadata"]["vin:type"] == "modify"
    assert result["next_billing"]["amount"] == Decimal("14.98")
    history = wire.good(f"{SUB}/subscription_item_history")["data"]
    assert [(entry["action"], entry["subscription_item"]["id"]) for entry in history] == [("Add", "extra")]


def test_replacing_an_item_nets_credit_and_charge(wire: Wire) -> None:
    change = {"id": "big", "product": {"id": "prod-premium"}, "replaces": {"product": {"id": "prod-basic"}}}
    result = wire.made(SUB, {"items": [change]}, NOW)
    assert products(result) == ["prod-premium"]
    assert result["items"]["data"][0]["replaces"]["id"] == "sub-basic-0001-item-0"
    assert skus(result["most_recent_billing"])[:2] == [
        ("prod-premium", "Purchase", Decimal("5.71")),
        ("prod-basic", "TaxableCredit", Decimal("-2.85")),
    ]
    assert result["most_recent_billing"]["amount"] == Decimal("2.86")


@pytest.mark.parametrize(
    "form",
    [
        {"id": "sub-premium-0002-item-1", "replaced_by": {}},
        {"product": {"id": "prod-addon"}, "replaced_by": {"object": "SubscriptionItem"}},
        {"replaces": {"product": {"id": "prod-addon"}}},
    ],
)
def test_removing_an_item_refunds_and_bills_nothing(wire: Wire, form: dict[str, object]) -> None:
    result = wire.made("/subscriptions/sub-premium-0002", {"items": [form]}, NOW)
    assert products(result) == ["prod-premium", "prod-addon"]
    assert result["items"]["data"][1]["ends"] == "2026-03-02T09:00:00Z"
    charge = result["most_recent_billing"]
    assert charge["amount"] == 0
    left = Decimal("3.62")  # 4.99 * 265 / 365
    assert skus(charge) == [
        ("prod-addon", "TaxableCredit", -left),
        ("Total Tax", "Purchase", Decimal(0)),
        ("Modification Refund", "ModificationRefund", left),
    ]
    assert [refund["amount"] for refund in result["most_recent_refunds"]["data"]] == [left]
    assert result["next_billing"]["amount"] == Decimal("19.99") + ANNUAL


def test_a_removed_item_stands_behind_the_others(wire: Wire) -> None:
    result = wire.made(
        "/subscriptions/sub-premium-0002", {"items": [{"replaces": {"product": {"id": "prod-premium"}}}]}
    )
    assert products(result) == ["prod-addon", "prod-premium"]
    assert [item["index"] for item in result["items"]["data"]] == [0, 1]


def test_a_direct_debit_owes_what_is_added(wire: Wire) -> None:
    body = {
        "id": "debit",
        "account": {"id": "acct-0021"},
        "billing_plan": {"id": "plan-monthly"},
        "items": [{"product": {"id": "prod-basic"}}],
    }
    wire.made("/subscriptions", body)
    result = wire.made("/subscriptions/debit", {"items": [{"product": {"id": "prod-addon"}}]}, NOW)
    assert (result["most_recent_billing"]["status_log"]["data"][0]["status"], result["balance"]) == (
        "New",
        Decimal("14.98"),
    )


def test_without_proration_nothing_is_charged_now(wire: Wire) -> None:
    before = wire.good(SUB)["most_recent_billing"]
    result = wire.made(SUB, {"items": [{"product": {"id": "prod-addon"}}]}, {"effective_date": "today"})
    assert result["most_recent_billing"]["id"] == before["id"]
    assert result["next_billing"]["amount"] == Decimal("14.98")


def test_a_change_at_the_next_billing(wire: Wire) -> None:
    change = {"id": "big", "product": {"id": "prod-premium"}, "replaces": {"id": "sub-basic-0001-item-0"}}
    body = {"billing_plan": {"id": "plan-annual"}, "items": [change]}
    before = wire.good(SUB)
    result = wire.made(SUB, body, {"effective_date": "nextBill", "bill_prorated_period": 1})
    assert result["billing_plan"]["id"] == "plan-annual"
    assert result["most_recent_billing"] == before["most_recent_billing"] | {
        "account": result["most_recent_billing"]["account"]
    }
    old, new = result["items"]["data"]
    assert (old["ends"], old["replaced_by"]["id"]) == ("2026-03-10T00:00:00Z", "big")
    assert (new["starts"], new["replaces"]["id"]) == ("2026-03-10T00:00:00Z", "sub-basic-0001-item-0")
    assert result["next_billing"]["created"] == before["next_billing"]["created"]
    assert result["next_billing"]["amount"] == Decimal("19.99") + ANNUAL


def test_a_plan_change_today_credits_the_old_and_charges_the_new(wire: Wire) -> None:
    wire.made(
        "/billing_plans",
        {
            "id": "plan-club",
            "periods": [{"type": "Year", "quantity": 1, "prices": [{"amount": "100.00", "currency": "USD"}]}],
        },
    )
    result = wire.made(SUB, {"billing_plan": {"id": "plan-club"}}, NOW)
    charge = result["most_recent_billing"]
    assert charge["amount"] == Decimal("9.99") + Decimal("100.00") - Decimal("2.85")
    assert (result["billing_day"], result["next_billing"]["created"]) == (
        2,
        "2027-03-02T00:00:00Z",
    )  # after a whole year
    history = wire.good(f"{SUB}/billing_plan_history")["data"]
    assert [entry["billing_plan"]["id"] for entry in history] == ["plan-monthly", "plan-club"]
    assert wire.good("/billing_plans/plan-club")["used_on_subscriptions"] is True


def test_a_plan_change_credits_what_was_added_meanwhile(wire: Wire) -> None:
    wire.made(SUB, {"items": [{"product": {"id": "prod-addon"}}]}, NOW)
    charge = wire.made(SUB, {"billing_plan": {"id": "plan-annual"}}, NOW)["most_recent_billing"]
    assert skus(charge)[3:5] == [
        ("prod-basic", "TaxableCredit", Decimal("-2.85")),
        ("prod-addon", "TaxableCredit", Decimal("-1.43")),
    ]
    assert charge["amount"] == Decimal("14.98") + ANNUAL - Decimal("4.28")


def test_a_discount_is_prorated_too(wire: Wire) -> None:
    body = {"items": [{"product": {"id": "prod-premium"}, "campaign_code": "SUMMER"}]}
    line = wire.made(SUB, body, NOW)["most_recent_billing"]["items"]["data"][0]
    assert (line["subtotal"], line["discount"], line["total"]) == (Decimal("5.71"), Decimal("-1.14"), Decimal("4.57"))


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"items": [{"id": "sub-basic-0001-item-0", "campaign_code": "SUMMER"}]}, 400),
        ({"billing_plan_campaign_code": "SUMMER"}, 400),
        ({"billing_plan": {"id": "plan-monthly"}, "billing_plan_campaign_code": "SUMMER"}, 400),
        ({"billing_plan": {"id": "plan-annual"}, "billing_plan_campaign_code": "WRONG"}, 400),
        ({"billing_plan": {"id": "plan-annual"}, "billing_plan_campaign_code": "SUMMER"}, 200),
    ],
)
def test_a_code_counts_or_is_refused(wire: Wire, body: dict[str, Any], status: int) -> None:
    assert wire.post(SUB, body).status == status
    kept = wire.good(SUB)
    assert kept.get("billing_plan_campaign_id") == ("camp-summer" if status == 200 else None)
    assert kept["billing_plan"]["id"] == ("plan-annual" if status == 200 else "plan-monthly")


def test_a_code_for_an_existing_product_bills_nothing_now(wire: Wire) -> None:
    """H302: if the code were sent with a new item, the customer would be billed twice for the product."""
    same = {"product": {"id": "prod-basic"}}
    before = wire.good(SUB)["most_recent_billing"]
    body = {"items": [{**same, "replaces": same, "campaign_code": "SUMMER"}]}
    after = wire.made(SUB, body, {"effective_date": "nextBill"})
    assert after["most_recent_billing"]["id"] == before["id"]
    assert after["next_billing"]["amount"] == Decimal("7.99")


def test_an_even_exchange_does_not_charge_the_card(wire: Wire) -> None:
    wire.made(SUB, {"payment_method": {"type": "CreditCard", "credit_card": {"account": "4000000000000002"}}})
    change = {"id": "same", "product": {"id": "prod-basic"}, "replaces": {"product": {"id": "prod-basic"}}}
    result = wire.made(SUB, {"items": [change]}, NOW)
    assert (result["most_recent_billing"]["amount"], "most_recent_refunds" in result) == (0, False)


def test_changing_the_payment_method(wire: Wire) -> None:
    made = wire.made("/payment_methods", {"type": "CreditCard", "credit_card": {"account": "5555555555554444"}})
    result = wire.made(SUB, {"payment_method": {"object": "PaymentMethod", "vid": made["vid"]}})
    assert result["payment_method"]["vid"] == made["vid"]


def test_editing_an_item_and_plain_fields(wire: Wire) -> None:
    body = {"description": "Mine", "items": [{"id": "sub-basic-0001-item-0", "quantity": 2}]}
    result = wire.made(SUB, body)
    assert result["description"] == "Mine"
    assert (result["items"]["data"][0]["quantity"], result["next_billing"]["amount"]) == (2, Decimal("19.98"))
    assert wire.good(f"{SUB}/subscription_item_history")["data"][-1]["action"] == "Edit"


def test_a_dry_run_changes_nothing(wire: Wire) -> None:
    before = wire.good(SUB)
    result = wire.made(SUB, {"items": [{"product": {"id": "prod-addon"}}]}, NOW | {"dryrun": 1})
    assert result["most_recent_billing"]["amount"] == Decimal("1.43")
    assert wire.good(SUB) == before


@pytest.mark.parametrize(
    ("key", "body", "query", "status"),
    [
        ("sub-basic-0001", {"items": [{"product": {"id": "nothing"}}]}, NOW, 404),
        ("sub-basic-0001", {"items": [{"id": "nothing", "quantity": 2}]}, NOW, 404),
        ("sub-basic-0001", {"items": [{"id": "nothing", "replaced_by": {}}]}, NOW, 404),
        ("sub-basic-0001", {"billing_plan": {"id": "nothing"}}, NOW, 404),
        ("sub-basic-0001", {"billing_plan": {"id": "plan-annual"}}, {"effective_date": "tomorrow"}, 400),
        ("sub-basic-0001", {}, {"prorate": 1}, 400),
        ("sub-cancelled-0005", {"billing_plan": {"id": "plan-annual"}}, NOW, 400),
        ("sub-cash-0006", {"items": [{"product": {"id": "prod-addon"}}]}, NOW, 400),
        ("nothing", {}, {}, 404),
    ],
)
def test_modifications_that_are_refused_change_nothing(
    wire: Wire, key: str, body: object, query: dict[str, object], status: int
) -> None:
    before = wire.get(f"/subscriptions/{key}").body
    assert wire.post(f"/subscriptions/{key}", body, query).status == status
    assert wire.get(f"/subscriptions/{key}").body == before


def test_a_refused_card_stops_a_modification(wire: Wire) -> None:
    wire.made(SUB, {"payment_method": {"type": "CreditCard", "credit_card": {"account": "4000000000000002"}}})
    assert wire.post(SUB, {"items": [{"product": {"id": "prod-addon"}}]}, NOW).status == 402
    assert products(wire.good(SUB)) == ["prod-basic"]


LATER = {"effective_date": "nextBill"}


def plans(wire: Wire) -> list[tuple[str, str]]:
    entries = wire.good(f"{SUB}/billing_plan_history")["data"]
    return [(entry["billing_plan"]["id"], entry["starts"][:10]) for entry in entries]


def test_a_plan_at_the_next_billing_is_in_the_history_from_then_on(wire: Wire) -> None:
    upcoming = wire.good(SUB)["next_billing"]["created"][:10]
    (first,) = plans(wire)
    result = wire.made(SUB, {"billing_plan": {"id": "plan-annual"}}, LATER)
    assert result["billing_plan"]["id"] == "plan-annual"  # shown immediately, as in the published samples
    assert plans(wire) == [first, ("plan-annual", upcoming)]
    wire.made(SUB, {"billing_plan": {"id": "plan-monthly"}}, LATER)
    assert plans(wire) == [first, ("plan-monthly", upcoming)]  # the replaced change never took effect
    wire.made(SUB, {"billing_plan": {"id": "plan-annual"}}, LATER)
    wire.sandbox.advance(days=20)
    assert wire.good(SUB)["most_recent_billing"]["created"][:10] == upcoming
    assert wire.good(SUB)["most_recent_billing"]["amount"] == ANNUAL + Decimal("9.99")
    wire.made(SUB, {"billing_plan": {"id": "plan-monthly"}})
    assert [plan for plan, _ in plans(wire)] == ["plan-monthly", "plan-annual", "plan-monthly"]


def test_a_plan_today_is_in_the_history_from_today_on(wire: Wire) -> None:
    for effective in ({}, {"effective_date": "today"}):
        wire.made(SUB, {"billing_plan": {"id": "plan-annual" if effective else "plan-monthly"}}, effective)
    assert plans(wire)[-1] == ("plan-annual", "2026-03-02")


def test_items_at_the_next_billing_take_effect_then(wire: Wire) -> None:
    upcoming = wire.good(SUB)["next_billing"]["created"][:10]
    change = {"product": {"id": "prod-premium"}, "replaces": {"product": {"id": "prod-basic"}}}
    wire.made(SUB, {"items": [change]}, LATER)
    entries = wire.good(f"{SUB}/subscription_item_history")["data"]
    assert [(entry["action"], entry["effective"][:10]) for entry in entries] == [
        ("Remove", upcoming),
        ("Add", upcoming),
    ]
    assert {entry["created"] for entry in entries} == {"2026-03-02T09:00:00Z"}
