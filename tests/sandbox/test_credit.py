"""Tests that the next bill uses granted credit before it charges the payment method."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sandbox.wire import Wire

DECLINED = {"type": "CreditCard", "credit_card": {"account": "4000000000000002"}}


def order(**more: object) -> dict[str, object]:
    body: dict[str, object] = {
        "id": "new",
        "account": {"id": "acct-0009"},
        "billing_plan": {"id": "plan-monthly"},
        "items": [{"product": {"id": "prod-basic"}}],
    }
    return body | more


def usd(value: str, **more: object) -> dict[str, Any]:
    return {"currency_amounts": [{"currency": "USD", "amount": value, **more}]}


def grant(wire: Wire, value: str, account: str = "acct-0009", **more: object) -> None:
    wire.made(f"/accounts/{account}/credits", usd(value, **more))


def left(wire: Wire, account: str = "acct-0009") -> list[Decimal]:
    return [one["amount"] for one in wire.good(f"/accounts/{account}/credits").get("currency_amounts", [])]


def charges(wire: Wire, key: str = "new") -> list[Decimal]:
    return [one["amount"] for one in wire.good("/transactions", {"subscription": key, "limit": 100})["data"]]


def test_the_next_billings_use_credit_before_money(wire: Wire) -> None:
    wire.made("/subscriptions", order())
    grant(wire, "15.00")
    before = wire.good("/subscriptions/new")["next_billing"]
    assert before["amount"] == Decimal("9.99")  # without credit, as in the published samples
    assert left(wire) == [Decimal("15.00")]  # a read doesn't spend credit
    wire.sandbox.advance(days=31)
    assert charges(wire) == [Decimal("9.99"), Decimal("0.00")]
    assert left(wire) == [Decimal("5.01")]
    wire.sandbox.advance(days=30)
    wire.sandbox.advance(days=31)
    assert charges(wire) == [Decimal("9.99"), Decimal("0.00"), Decimal("4.98"), Decimal("9.99")]
    assert wire.good("/accounts/acct-0009/credits") == {"object": "Credit"}
    assert wire.good("/accounts/acct-0009")["credit"] == [{"object": "Credit"}]


def test_a_charge_and_its_invoice_show_the_used_credit(wire: Wire) -> None:
    grant(wire, "4.00", reason="sorry")
    charge = wire.made("/subscriptions", order())["most_recent_billing"]
    assert (charge["amount"], charge["credit"]["currency_amounts"][0]["amount"]) == (Decimal("5.99"), Decimal("4.00"))
    assert charge["credit"]["currency_amounts"][0]["reason"] == "sorry"
    used = [one for one in charge["items"]["data"] if one["item_type"] == "Credit"]
    assert [(one["sku"], one["total"]) for one in used] == [("Credit", Decimal("-4.00"))]
    assert [one["index_number"] for one in charge["items"]["data"]] == [1, 2, 3, 4]
    assert charge["items"]["data"][-1]["sku"] == "Total Tax"
    assert sum(one["total"] for one in charge["items"]["data"][:-1]) == charge["amount"]
    invoice = wire.good("/invoices/new-00000000")
    assert (invoice["gross_charges_total"], invoice["credit_total"]) == (Decimal("9.99"), Decimal("4.00"))
    assert (invoice["payments_received_total"], invoice["invoice_balance"]) == (Decimal("5.99"), 0)
    assert "Credit" not in [one["sku"] for one in invoice["invoice_line_items"]["data"]]


def test_the_subscriptions_own_credit_comes_first_and_then_the_order_of_use(wire: Wire) -> None:
    grant(wire, "1.00", sort_value=3, description="late")
    grant(wire, "1.00", sort_value=1, description="early")
    made = wire.made("/subscriptions", order(credit=usd("8.00")))
    used = made["most_recent_billing"]["credit"]["currency_amounts"]
    assert [(one["amount"], one.get("description")) for one in used] == [
        (Decimal("8.00"), None), (Decimal("1.00"), "early"), (Decimal("0.99"), "late"),
    ]  # fmt: skip
    assert made["most_recent_billing"]["amount"] == 0
    assert made["credit"] == {"object": "Credit"}
    assert left(wire) == [Decimal("0.01")]


def test_credit_of_another_currency_or_account_stays(wire: Wire) -> None:
    wire.made("/accounts/acct-0009/credits", {"currency_amounts": [{"currency": "EUR", "amount": 50}]})
    wire.made("/accounts/acct-0009/credits", {"token_amounts": [{"token": {"id": "purchasePoints"}, "amount": 50}]})
    grant(wire, "50.00", "acct-0010")
    assert wire.made("/subscriptions", order())["most_recent_billing"]["amount"] == Decimal("9.99")
    assert (left(wire), left(wire, "acct-0010")) == ([Decimal(50)], [Decimal("50.00")])


def test_credit_that_covers_a_bill_needs_no_money(wire: Wire) -> None:
    grant(wire, "9.99", "acct-0025")
    made = wire.made("/subscriptions", order(account={"id": "acct-0025"}))  # its card is always declined
    assert (made["status"], made["billing_state"], made["balance"]) == ("Active", "Good Standing", 0)
    wire.sandbox.advance(days=31)
    assert wire.good("/subscriptions/new")["billing_state"] == "In Retry"


def test_a_bill_paid_later_is_reduced_by_credit(wire: Wire) -> None:
    cash = order(account={"id": "acct-0001"}, payment_method={"id": "pm-cash-0001"})
    grant(wire, "12.00", "acct-0001")
    assert wire.made("/subscriptions", cash)["balance"] == 0
    sub = wire.good("/subscriptions/sub-cash-0006")["balance"]
    wire.sandbox.advance(days=31)
    # Three subscriptions share the account, but the remaining credit must be used only once.
    assert left(wire, "acct-0001") == []
    owed = wire.good("/subscriptions/new")["balance"] + wire.good("/subscriptions/sub-cash-0006")["balance"] - sub
    billed = [
        one for one in wire.good("/invoices", {"account": "acct-0001", "limit": 100})["data"] if one["status"] == "Due"
    ]
    assert sum(one["credit_total"] for one in billed) + sum(one["invoice_balance"] for one in billed) == sum(
        one["gross_charges_total"] for one in billed
    )
    assert owed >= 0


def test_calls_without_a_bill_spend_no_credit(wire: Wire) -> None:
    grant(wire, "5.00")
    wire.made("/subscriptions", order(), {"dryrun": 1})
    assert left(wire) == [Decimal("5.00")]
    refused = wire.post("/subscriptions", order(payment_method=DECLINED))
    assert refused.status == 402
    assert left(wire) == [Decimal("5.00")]
    wire.made("/subscriptions", order(billing_plan={"id": "plan-trial-monthly"}))
    assert left(wire) == [Decimal("5.00")]  # the trial is free


def test_a_modification_uses_credit_too(wire: Wire) -> None:
    wire.made("/subscriptions", order())
    grant(wire, "3.00")
    body = {"items": [{"product": {"id": "prod-addon"}}]}
    charge = wire.made("/subscriptions/new", body, {"bill_prorated_period": 1})["most_recent_billing"]
    assert (charge["amount"], charge["credit"]["currency_amounts"][0]["amount"]) == (Decimal("1.99"), Decimal("3.00"))
    assert left(wire) == []


def test_a_refund_returns_money_and_no_credit(wire: Wire) -> None:
    grant(wire, "4.00")
    charge = wire.made("/subscriptions", order())["most_recent_billing"]
    assert wire.post(f"/transactions/{charge['id']}/refunds", {"amount": "6.00"}).status == 400
    assert wire.post(f"/transactions/{charge['id']}/refunds", {"amount": "5.99"}).status == 200
    assert left(wire) == []


@pytest.mark.parametrize(
    "credit", [{"currency_amounts": [{"currency": "USD", "amount": -1}]}, {"token_amounts": [{"amount": 1}]}]
)
def test_credit_that_a_subscription_cannot_have(wire: Wire, credit: object) -> None:
    assert wire.post("/subscriptions", order(credit=credit)).status == 400
    assert wire.get("/subscriptions/new").status == 404


def test_an_update_grants_no_credit(wire: Wire) -> None:
    wire.made("/subscriptions", order(credit=usd("20.00")))
    kept = wire.made("/subscriptions/new", {"credit": usd("99.00")})["credit"]
    assert [one["amount"] for one in kept["currency_amounts"]] == [Decimal("10.01")]
    assert kept["currency_amounts"][0]["subscription"]["id"] == "new"
