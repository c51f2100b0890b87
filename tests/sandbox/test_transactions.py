"""Tests transactions and refunds."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sandbox.wire import Wire


def sale(**more: object) -> dict[str, object]:
    body: dict[str, object] = {
        "id": "t",
        "account": {"id": "acct-0009"},
        "currency": "USD",
        "items": [
            {"sku": "a", "name": "A", "price": "10.00", "quantity": 2},
            {"sku": "b", "name": "B", "price": "1.50"},
        ],
    }
    return body | more


def log(transaction: Any) -> list[str]:
    return [entry["status"] for entry in transaction["status_log"]["data"]]


def test_authorize_then_capture(wire: Wire) -> None:
    made = wire.made("/transactions", sale(to_be_captured=False, source_ip="10.0.0.1"))
    assert (made["amount"], log(made)) == (Decimal("21.50"), ["Authorized", "New"])
    assert (made["source_payment_method"]["id"], made["account"]["id"]) == ("pm-card-0009", "acct-0009")
    lines = [(line["sku"], line["quantity"], line["total"]) for line in made["items"]["data"]]
    assert lines == [("a", 2, Decimal("20.00")), ("b", 1, Decimal("1.50")), ("Total Tax", 1, 0)]
    assert made["source_ip"] == "10.0.0.1"
    captured = wire.made("/transactions/t/actions/capture")
    assert captured == {"object": "Transaction", "id": "t", "vid": made["vid"]}
    assert log(wire.good("/transactions/t")) == ["Captured", "Authorized", "New"]
    assert wire.post("/transactions/t/actions/capture").status == 400


def test_capture_at_once_shows_only_afterwards(wire: Wire) -> None:
    made = wire.made("/transactions", sale(to_be_captured=1))
    assert log(made) == ["Authorized", "New"]
    assert log(wire.good("/transactions/t")) == ["Captured", "Authorized", "New"]


def test_an_amount_without_items(wire: Wire) -> None:
    made = wire.made("/transactions", {"account": {"id": "acct-0009"}, "amount": "5.00"})
    assert (made["amount"], made["currency"]) == (Decimal("5.00"), "USD")
    assert made["id"].startswith("SBX")


def test_an_amount_of_zero_is_an_authorization_too(wire: Wire) -> None:
    made = wire.made("/transactions", {"account": {"id": "acct-0009"}, "amount": 0})
    assert log(made)[0] == "Authorized"
    assert "status" not in made  # no source shows the status of an authorized transaction


def test_the_plain_status_has_only_specified_values(wire: Wire) -> None:
    wire.made("/transactions", sale(id="t"))
    assert "status" not in wire.good("/transactions/t")
    wire.made("/transactions/t/actions/capture")
    assert wire.good("/transactions/t")["status"] == "Complete"
    wire.made("/transactions/t/refunds", {"amount": "1.00"})
    assert wire.good("/transactions/t")["status"] == "Complete"
    wire.made("/transactions", sale(id="u"))
    assert wire.made("/transactions/u/actions/cancel")["status"] == "Cancelled"


def test_a_dry_run_stores_nothing(wire: Wire) -> None:
    made = wire.made("/transactions", sale(), {"dryrun": 1})
    assert (log(made), made["amount"]) == (["New"], Decimal("21.50"))
    assert wire.get("/transactions/t").status == 404


def test_cancelling(wire: Wire) -> None:
    wire.made("/transactions", sale())
    assert log(wire.made("/transactions/t/actions/cancel")) == ["Cancelled", "Authorized", "New"]
    assert wire.post("/transactions/t/actions/cancel").status == 400
    assert wire.post("/transactions/t/actions/capture").status == 400
    assert wire.post("/transactions/t/refunds", {"amount": 1}).status == 400


def test_account_and_card_in_the_same_call(wire: Wire) -> None:
    card = {"type": "CreditCard", "credit_card": {"account": "5555555555554444"}}
    made = wire.made("/transactions", sale(account={"id": "fresh", "name": "F"}, source_payment_method=card))
    assert made["source_payment_method"]["credit_card"]["last_digits"] == "4444"
    assert wire.good("/accounts/fresh")["name"] == "F"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"account": {"id": "nobody"}}, 404),
        ({"account": {}}, 400),
        ({"account": {"id": "acct-0025"}}, 402),
        ({"items": [], "amount": -1}, 400),
        ({"items": []}, 400),
        ({"id": "txn-pay-cash-0001"}, 400),
        ({"items": [{"sku": "a", "item_type": "Gift"}]}, 400),
    ],
)
def test_transactions_that_are_refused_are_not_kept(wire: Wire, change: dict[str, object], status: int) -> None:
    before = wire.good("/transactions")["total_count"]
    assert wire.post("/transactions", sale(**change)).status == status
    assert wire.good("/transactions")["total_count"] == before


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"subscription": "sub-basic-0001"}, 1),
        ({"account": "acct-0001"}, 4),
        ({"account": "acct-0001", "include_children": "true"}, 5),
        ({"account": "nobody"}, 0),
        ({"subscription": "nothing"}, 0),
    ],
)
def test_transactions_are_listed(wire: Wire, query: dict[str, object], found: int) -> None:
    assert wire.good("/transactions", query)["total_count"] == found


def test_refunds_up_to_the_amount_and_no_further(wire: Wire) -> None:
    wire.made("/transactions", sale(to_be_captured=True))
    first = wire.made("/transactions/t/refunds", {"id": "r-1", "amount": "20.00", "note": "sorry"})
    assert (first["object"], first["id"], first["status"]) == ("Refund", "r-1", "Processing")
    assert (first["amount"], first["currency"], first["note"]) == (Decimal("20.00"), "USD", "sorry")
    assert log(first["transaction"])[0] == "Refunded"
    too_much = wire.post("/transactions/t/refunds", {"amount": "1.51"})
    assert (too_much.status, too_much.body["object"]) == (400, "Error")
    second = wire.made("/transactions/t/refunds", {"amount": "1.50"})
    assert second["id"].startswith("SBX")
    assert wire.post("/transactions/t/refunds", {"amount": "0.01"}).status == 400
    page = wire.good("/transactions/t/refunds", {"limit": 1})
    assert ([refund["id"] for refund in page["data"]], page["total_count"]) == (["r-1"], 2)
    assert page["next"] == "/transactions/t/refunds?limit=1&starting_after=r-1"
    assert wire.good("/refunds/r-1")["amount"] == Decimal("20.00")


def test_a_refund_without_a_body_refunds_the_rest(wire: Wire) -> None:
    wire.made("/transactions", sale(to_be_captured=True))
    wire.made("/transactions/t/refunds", {"id": "r-1", "amount": "20.00"})
    rest = wire.made("/transactions/t/refunds")
    assert (rest["object"], rest["amount"], rest["status"]) == ("Refund", Decimal("1.50"), "Processing")
    assert rest["id"].startswith("SBX")
    again = wire.post("/transactions/t/refunds")
    assert (again.status, again.body["message"]) == (400, "Nothing is left to refund.")
    assert wire.post("/transactions/t/refunds", {}).status == 400
    assert wire.post("/transactions/nothing/refunds").status == 404


def test_an_authorization_is_not_refunded_without_a_body(wire: Wire) -> None:
    wire.made("/transactions", sale(to_be_captured=False))
    assert wire.post("/transactions/t/refunds").status == 400
    assert wire.good("/transactions/t/refunds")["data"] == []


def test_a_refund_of_items(wire: Wire) -> None:
    wire.made("/transactions", sale(to_be_captured=True))
    body = {
        "refund_distribution_strategy": "SpecifiedItems",
        "refund_items": [{"sku": "b", "amount": "1.00"}, {"transaction_item_index_number": "1", "amount": 2}],
    }
    refund = wire.made("/transactions/t/refunds", body)
    assert refund["amount"] == Decimal("3.00")
    assert refund["refund_items"]["data"][0] == {"object": "RefundItem", "sku": "b", "amount": Decimal("1.00")}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"amount": 0},
        {"amount": -1},
        {"amount": 1, "currency": "EUR"},
        {"amount": 1, "id": "x" * 256},
        {"amount": 1, "token_action": "Other"},
        {"amount": 1, "refund_distribution_strategy": "SpecifiedItems"},
        {"refund_items": [{"sku": "nothing", "amount": 1}]},
        {"refund_items": [{"sku": "b"}]},
    ],
)
def test_refunds_that_are_refused(wire: Wire, body: object) -> None:
    wire.made("/transactions", sale(to_be_captured=True))
    assert wire.post("/transactions/t/refunds", body).status == 400
    assert wire.good("/transactions/t/refunds")["data"] == []
    assert log(wire.good("/transactions/t"))[0] == "Captured"
