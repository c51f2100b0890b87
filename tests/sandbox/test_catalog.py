"""Tests the catalog, invoices, activities, and the resources that the specification only names."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sandbox.wire import Wire
from subscribekit.sandbox.store import CONVENTIONAL_COLLECTIONS


def ids(page: Any) -> list[str]:
    return [item["id"] for item in page["data"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["prod-basic", "prod-premium", "prod-addon", "prod-api"]),
        ({"entitlement": "ent-addon"}, ["prod-addon"]),
        ({"account": "acct-0002"}, ["prod-premium", "prod-addon"]),
        ({"account": "acct-0001"}, ["prod-basic", "prod-premium"]),
        ({"account": "acct-0001", "include_children": 1}, ["prod-basic", "prod-premium", "prod-addon"]),
        ({"account": "nobody"}, []),
        ({"status": "Suspended"}, []),
        ({"status": "Active", "limit": 1}, ["prod-basic"]),
    ],
)
def test_products_are_listed(wire: Wire, query: dict[str, object], found: list[str]) -> None:
    assert ids(wire.good("/products", query)) == found


def test_a_product_is_created_and_its_prices_are_replaced(wire: Wire) -> None:
    body = {
        "id": "p",
        "default_billing_plan": {"id": "plan-annual"},
        "prices": [{"amount": "74.99", "currency": "USD"}, {"amount": 70, "currency": "EUR"}],
        "inherited_entitlements": [],
    }
    product = wire.made("/products", body)
    assert (product["status"], product["default_billing_plan"]["id"]) == ("Active", "plan-annual")
    assert product["prices"]["data"][0]["amount"] == Decimal("74.99")
    assert "inherited_entitlements" not in product
    changed = wire.made("/products/p", {"prices": [{"amount": 1, "currency": "USD"}], "status": "Suspended"})
    assert changed["prices"]["total_count"] == 1
    assert wire.good("/products/p") == changed
    assert wire.post("/products", {"id": "q", "default_billing_plan": {"id": "nothing"}}).status == 404
    assert wire.get("/products/q").status == 404


def test_billing_plans(wire: Wire) -> None:
    assert wire.good("/billing_plans", {"status": "active"})["total_count"] == 4
    plan = wire.made("/billing_plans", {"id": "weekly plan", "periods": [{"type": "Week", "quantity": 1, "cycles": 0}]})
    assert (plan["status"], plan["times_to_run"], plan["used_on_subscriptions"]) == ("Active", "1", False)
    updated = wire.made("/billing_plans/weekly%20plan", {"status": "Suspended", "used_on_subscriptions": True})
    assert (updated["status"], updated["used_on_subscriptions"]) == ("Suspended", False)
    assert ids(wire.good("/billing_plans", {"status": "suspended"})) == ["weekly plan"]
    assert wire.good("/billing_plans/plan-trial-monthly")["trial"]["quantity"] == 7


def test_season_sets_and_rate_plans(wire: Wire) -> None:
    assert ids(wire.good("/season_sets")) == ["season-football"]
    season = wire.made("/season_sets", {"id": "s", "seasons": [{"starts": "2026-05-01", "ends": "2026-06-01"}]})
    assert season["seasons"][0]["starts"] == "2026-05-01T00:00:00Z"
    assert wire.good("/rate_plans/rate-api-calls")["tier"][1]["begins_at_level"] == 11
    plan = wire.made("/rate_plans/", {"id": "r", "rate_plan_model": "UsageBased", "included_units": "10"})
    assert (plan["included_units"], plan["status"], plan["has_event_recorded"]) == (10, "Active", False)
    assert wire.post("/rate_plans", {"rate_plan_model": "Other"}).status == 400


def test_campaigns_are_listed_and_created_pending(wire: Wire) -> None:
    assert ids(wire.good("/campaigns", {"limit": 2})) == ["camp-summer", "camp-flat"]
    campaign = wire.made("/campaigns/", {"id": "c", "type": "Promotion", "percentage_discount": "10"})
    assert (campaign["state"], campaign["stackability"], campaign["percentage_discount"]) == (
        "Pending",
        "Stackable",
        10,
    )
    assert "_codes" not in str(wire.good("/campaigns"))


def test_invoices(wire: Wire) -> None:
    page = wire.good("/invoices", {"subscription": "sub-cash-0006", "status": "Due"})
    assert ids(page) == ["sub-cash-0006-00000000"]
    invoice = wire.good("/invoices/sub-cash-0006-00000000")
    assert invoice == page["data"][0]
    assert (invoice["invoice_balance"], invoice["gross_charges_total"]) == (Decimal("19.99"), Decimal("19.99"))
    assert [line["sku"] for line in invoice["invoice_line_items"]["data"]] == ["plan-monthly", "prod-premium"]
    assert ids(wire.good("/invoices", {"account": "acct-0003", "status": "Due"})) == []
    assert ids(wire.good("/invoices", {"invoice_date": "2026-02-25"})) == ["sub-cash-0006-00000000"]
    paid = wire.good("/invoices/sub-basic-0001-00000000")
    assert (paid["status"], paid["invoice_balance"]) == ("Paid", 0)
    assert paid["invoice_payments"]["data"][0]["object"] == "Transaction"


def test_a_payment_settles_an_invoice_and_its_reversal_opens_it_again(wire: Wire) -> None:
    body = {
        "id": "pay-1",
        "subscription": "sub-cash-0006",
        "invoice": "sub-cash-0006-00000000",
        "currency": "USD",
        "payment_method": {"id": "pm-cash-0001"},
        "amount": "19.99",
        "overage_disposition": "applyToThisAutoBill",
    }
    payment = wire.made("/payments", body)
    assert (payment["status"], payment["subscription"], payment["amount"]) == (
        "Success",
        "sub-cash-0006",
        Decimal("19.99"),
    )
    invoice = wire.good("/invoices/sub-cash-0006-00000000")
    assert (invoice["status"], invoice["invoice_balance"]) == ("Paid", 0)
    subscription = wire.good("/subscriptions/sub-cash-0006")
    assert subscription["balance"] == 0
    assert subscription["most_recent_billing"]["status_log"]["data"][0]["status"] == "New"
    newest = wire.good("/transactions", {"subscription": "sub-cash-0006"})["data"][-1]
    assert [entry["status"] for entry in newest["status_log"]["data"]] == ["Captured", "New"]
    wire.made("/payments/pay-1/actions/reverse")
    assert wire.good("/payments/pay-1")["status"] == "Failure"
    assert wire.good("/invoices/sub-cash-0006-00000000")["status"] == "Due"
    assert wire.good("/subscriptions/sub-cash-0006")["balance"] == Decimal("19.99")
    cancelled = wire.good(f"/transactions/{newest['id']}")
    assert (cancelled["status"], cancelled["status_log"]["data"][0]["status"]) == ("Cancelled", "Cancelled")
    for number in ("pay-2", "pay-3"):
        wire.made("/payments", body | {"id": number})
    wire.made("/payments/pay-2/actions/reverse")
    still = wire.good("/invoices/sub-cash-0006-00000000")
    assert (still["status"], still["invoice_balance"]) == ("Paid", 0)  # only one of the two payments was reversed


def test_a_payment_by_card(wire: Wire) -> None:
    body = {"amount": 1, "account": {"id": "acct-0009"}, "payment_method": {"id": "pm-card-0009"}}
    payment = wire.made("/payments", body)
    assert (payment["status"], payment["id"].startswith("SBX")) == ("Success", True)
    transaction = wire.good("/transactions", {"account": "acct-0009"})["data"][-1]
    assert [entry["status"] for entry in transaction["status_log"]["data"]] == ["Captured", "Authorized", "New"]
    assert wire.post(f"/payments/{payment['id']}/actions/reverse").status == 400


def test_a_payment_that_is_refused_settles_nothing(wire: Wire) -> None:
    body = {"id": "p", "amount": 1, "subscription": "sub-cash-0006", "invoice": "sub-cash-0006-00000000"}
    payment = wire.made("/payments", {**body, "payment_method": {"id": "pm-declined-0025"}})
    assert payment["status"] == "Failure"
    assert wire.good("/subscriptions/sub-cash-0006")["balance"] == Decimal("19.99")
    assert wire.good("/invoices/sub-cash-0006-00000000")["invoice_balance"] == Decimal("19.99")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"amount": 1, "payment_method": {"id": "pm-cash-0001"}}, 400),
        ({"amount": 1, "account": {"id": "acct-0001"}}, 400),
        ({"account": {"id": "acct-0001"}, "payment_method": {"id": "pm-cash-0001"}}, 400),
        ({"amount": 0, "account": {"id": "acct-0001"}, "payment_method": {"id": "pm-cash-0001"}}, 400),
        ({"amount": 1, "subscription": "nothing", "payment_method": {"id": "pm-cash-0001"}}, 404),
        ({"amount": 1, "account": {"id": "acct-0001"}, "payment_method": {"id": "nothing"}}, 404),
        ({"id": "pay-cash-0001", "amount": 1}, 400),
        ({"overage_disposition": "keep"}, 400),
    ],
)
def test_payments_that_cannot_be_made(wire: Wire, body: object, status: int) -> None:
    assert wire.post("/payments", body).status == status
    assert wire.good("/payments")["total_count"] == 2


def test_recording_an_activity(wire: Wire) -> None:
    body = {
        "type": "URIView",
        "account": {"id": "acct-0001"},
        "timestamp": "2026-03-01T10:00:00-08:00",
        "uriview_args": {"uri": "https://example.com", "size": "22"},
    }
    activity = wire.made("/activities", body)
    assert activity["uriview_args"] == {"object": "ActivityURIView", "uri": "https://example.com", "size": 22}
    assert (activity["timestamp"], set(activity["account"])) == ("2026-03-01T18:00:00Z", {"object", "id", "vid"})
    assert "id" not in activity
    page = wire.good("/activities/", {"account": "acct-0001"})
    assert page["data"] == [activity]
    assert page["next"].endswith(f"starting_after={activity['vid']}")
    assert wire.good("/activities", {"account": "acct-0002"})["data"] == []


@pytest.mark.parametrize(
    "change",
    [
        {"type": "Dance"},
        {"type": None},
        {"account": None},
        {"timestamp": None},
        {"note_args": None},
        {"login_args": {"ip": "1"}},
        {"note_args": {"object": "ActivityLogin"}},
    ],
)
def test_activities_that_cannot_be_recorded(wire: Wire, change: dict[str, object]) -> None:
    body = {"type": "Note", "account": {"id": "acct-0001"}, "timestamp": "2026-03-01", "note_args": {"note": "x"}}
    assert wire.post("/activities", body | change).status == 400
    assert wire.good("/activities")["data"] == []
    assert wire.post("/activities", body).status == 200


@pytest.mark.parametrize(("name", "kind"), CONVENTIONAL_COLLECTIONS.items())
def test_resources_that_are_only_named_can_be_stored(wire: Wire, name: str, kind: str) -> None:
    assert wire.good(f"/{name}")["data"] == []
    made = wire.made(f"/{name}", {"id": "one", "metadata": {"a": "b"}})
    assert (made["object"], made["id"], made["metadata"]) == (kind, "one", {"a": "b"})
    assert wire.good(f"/{name}/one") == made
    assert wire.made(f"/{name}/one", {"description": "x"})["description"] == "x"
    assert ids(wire.good(f"/{name}")) == ["one"]
    assert wire.call("billing", "DELETE", f"/{name}/one").status == 200
    assert wire.get(f"/{name}/one").status == 404
    assert wire.call("billing", "DELETE", f"/{name}/one").status == 404
    assert wire.post(f"/{name}", {"object": "Account"}).status == 400
