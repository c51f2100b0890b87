"""Tests accounts, their children, credit, entitlements, and payment methods."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from sandbox.wire import Wire
from subscribekit.sandbox import Sandbox, Settings

CARD = {"type": "CreditCard", "credit_card": {"account": "5555555555554444", "expiration_date": "203001", "cvn": "123"}}
DECLINED = {"type": "CreditCard", "credit_card": {"account": "4000000000000002"}}


def ids(page: Any) -> list[str]:
    return [item["id"] for item in page["data"]]


def test_creating_an_account_with_a_payment_method(wire: Wire) -> None:
    body = {
        "id": "new-1",
        "email": "n@example.com",
        "notify_before_billing": "0",
        "metadata": {"age": 7, "vip": True},
        "shipping_address": {"city": "Ulm", "latitude": "48.40"},
        "payment_methods": [CARD],
    }
    account = wire.made("/accounts", body)
    assert account == wire.good("/accounts/new-1")
    assert wire.good(f"/accounts/{account['vid']}") == account
    assert account["created"] == "2026-03-02T09:00:00Z"
    assert account["notify_before_billing"] is False
    assert account["metadata"] == {"age": "7", "vip": True}
    assert account["shipping_address"]["latitude"] == Decimal("48.40")
    card = account["payment_methods"]["data"][0]
    assert card["credit_card"]["account"] == "555555XXXXXX4444"
    assert (card["credit_card"]["last_digits"], card["primary"], card["active"]) == ("4444", True, True)
    assert "cvn" not in card["credit_card"]
    assert wire.good("/accounts", {"starting_after": "acct-0025"})["total_count"] == 26
    assert ids(wire.good("/accounts", {"starting_after": "acct-0025"})) == ["new-1"]
    assert ids(wire.good("/accounts", {"credit_card_account": "5555555555554444"})) == ["new-1"]


def test_an_account_without_an_id_is_known_by_its_vid(wire: Wire) -> None:
    account = wire.made("/accounts", {"email": "n@example.com"})
    assert "id" not in account
    page = wire.good("/accounts", {"email": "n@example.com"})
    assert page["next"].endswith(f"starting_after={account['vid']}")
    assert wire.good(f"/accounts/{account['vid']}")["email"] == "n@example.com"


@pytest.mark.parametrize("body", [{"id": "acct-0001"}, {"id": "a/b"}, {"id": "x" * 129}, {"object": "Campaign"}])
def test_an_account_that_cannot_be_created(wire: Wire, body: dict[str, str]) -> None:
    assert wire.post("/accounts", body).status == 400
    assert wire.good("/accounts")["total_count"] == 25


def test_an_external_id_is_unique(wire: Wire) -> None:
    wire.made("/accounts", {"id": "a", "external_id": "x"})
    assert wire.post("/accounts", {"id": "b", "external_id": "x"}).status == 400
    assert wire.post("/accounts/a", {"external_id": "x"}).status == 200
    assert wire.post("/accounts/acct-0001", {"external_id": "x"}).status == 400


def test_a_partial_update_keeps_the_rest(wire: Wire) -> None:
    before = wire.good("/accounts/acct-0001")
    after = wire.made("/accounts/acct-0001", {"id": "acct-0001", "company": "Example", "language": None})
    assert after["company"] == "Example"
    assert "language" not in after
    assert {**after, "language": "en-US"} == {**before, "company": "Example"}


def test_an_update_adds_a_payment_method_and_may_use_it_everywhere(wire: Wire) -> None:
    body = {"payment_methods": {"object": "List", "data": [{**CARD, "id": "pm-new", "primary": True}]}}
    query = {"update_behavior": "CatchUp", "replace_on_all_subscriptions": 1, "ignore_avs": 0, "ignore_cvn": "true"}
    account = wire.made("/accounts/acct-0001", body, query)
    flags = {method["id"]: method["primary"] for method in account["payment_methods"]["data"]}
    assert flags == {"pm-card-0001": False, "pm-cash-0001": False, "pm-new": True}
    for key in ("sub-basic-0001", "sub-cash-0006"):
        assert wire.good(f"/subscriptions/{key}")["payment_method"]["id"] == "pm-new"


def test_linking_a_method_made_before_leaves_the_primary_one(wire: Wire) -> None:
    made = wire.made("/payment_methods", CARD)
    assert (made["primary"], made["active"]) == (True, True)
    account = wire.made("/accounts/acct-0002", {"payment_methods": [{"vid": made["vid"]}]})
    assert [method["primary"] for method in account["payment_methods"]["data"]] == [True, False]


@pytest.mark.parametrize("query", [{"update_behavior": "Never"}, {"replace_on_all_subscriptions": "x"}, {"other": 1}])
def test_an_update_with_a_wrong_parameter(wire: Wire, query: dict[str, object]) -> None:
    assert wire.post("/accounts/acct-0001", {"company": "x"}, query).status == 400
    assert "company" not in wire.good("/accounts/acct-0001")


def test_children(wire: Wire) -> None:
    assert ids(wire.good("/accounts/acct-0001/children")) == ["acct-0002"]
    assert wire.good("/accounts/acct-0001/children/acct-0002")["parent"]["id"] == "acct-0001"
    body = {"id": "acct-0003", "parent": {"id": "acct-0001"}}
    assert wire.made("/accounts/acct-0001/children", body)["parent"]["id"] == "acct-0001"
    created = wire.made("/accounts/acct-0001/children", {"id": "child-new", "parent": {"id": "acct-0001"}})
    assert created["id"] == "child-new"
    assert ids(wire.good("/accounts/acct-0001/children")) == ["acct-0002", "acct-0003", "child-new"]
    removed = wire.call("billing", "DELETE", "/accounts/acct-0001/children/acct-0003")
    assert (removed.status, removed.body) == (200, None)
    assert "parent" not in wire.good("/accounts/acct-0003")
    assert wire.get("/accounts/acct-0001/children/acct-0003").status == 404


@pytest.mark.parametrize(
    ("parent", "child", "named"),
    [
        ("acct-0001", "acct-0003", "acct-0004"),
        ("acct-0002", "acct-0003", "acct-0002"),
        ("acct-0003", "acct-0001", "acct-0003"),
        ("acct-0003", "acct-0003", "acct-0003"),
    ],
)
def test_families_have_two_levels(wire: Wire, parent: str, child: str, named: str) -> None:
    result = wire.post(f"/accounts/{parent}/children", {"id": child, "parent": {"id": named}})
    assert result.status == 400


def test_granting_credit(wire: Wire) -> None:
    assert wire.good("/accounts/acct-0003/credits") == {"object": "Credit"}
    grant = {"currency_amounts": {"object": "List", "data": [{"currency": "USD", "amount": "5.50", "reason": "sorry"}]}}
    credit = wire.made("/accounts/acct-0003/credits", grant)
    amount = credit["currency_amounts"][0]
    assert (amount["amount"], amount["currency"], amount["reason"]) == (Decimal("5.50"), "USD", "sorry")
    assert (amount["granted_by_service"], amount["granted"]) == (False, "2026-03-02T09:00:00Z")
    wire.made("/accounts/acct-0003/credits", {"token_amounts": [{"token": {"id": "purchasePoints"}, "amount": 3}]})
    kept = wire.good("/accounts/acct-0003/credits")
    assert (len(kept["currency_amounts"]), len(kept["token_amounts"])) == (1, 1)
    assert wire.good("/accounts/acct-0003")["credit"] == [kept]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"currency_amounts": [{"currency": "USD"}]},
        {"currency_amounts": [{"currency": "USD", "amount": -1}]},
        {"token_amounts": [{"amount": 1}]},
    ],
)
def test_credit_that_cannot_be_granted(wire: Wire, body: object) -> None:
    assert wire.post("/accounts/acct-0003/credits", body).status == 400


def test_granting_checking_and_revoking_an_entitlement(wire: Wire) -> None:
    path = "/accounts/acct-0009/entitlements"
    assert wire.good(f"{path}/gift") == {"object": "Boolean", "state": False}
    granted = wire.made(path, {"id": "gift", "description": "A gift"})
    assert (granted["object"], granted["id"], granted["account"]["id"]) == ("Entitlement", "gift", "acct-0009")
    assert wire.good(f"{path}/gift") == {"object": "Boolean", "state": True}
    account = wire.good("/accounts/acct-0009")
    assert account["entitlements"]["data"] == [{"object": "Entitlement", "id": "gift", "description": "A gift"}]
    revoked = wire.call("billing", "DELETE", f"{path}/gift")
    assert (revoked.status, revoked.body) == (200, None)
    assert wire.good(f"{path}/gift")["state"] is False
    assert wire.call("billing", "DELETE", f"{path}/gift").status == 404


def test_entitlements_of_subscriptions_grants_and_children(wire: Wire) -> None:
    own = wire.good("/entitlements", {"account": "acct-0001"})
    assert ids(own) == ["ent-basic", "ent-premium"]
    first = own["data"][0]
    assert (first["subscription"]["id"], first["product"]["id"]) == ("sub-basic-0001", "prod-basic")
    assert first["active"] is True
    family = wire.good("/entitlements", {"account": "acct-0001", "include_children": "true"})
    assert ids(family) == ["ent-basic", "ent-premium", "ent-premium", "ent-addon"]
    wire.made("/accounts/acct-0009/entitlements", {"id": "over", "ends": "2026-01-01T00:00:00Z"})
    assert ids(wire.good("/entitlements", {"account": "acct-0009"})) == []
    assert ids(wire.good("/entitlements", {"account": "acct-0009", "show_all": 1})) == ["over"]


def test_entitlement_pages_do_not_confuse_equal_ids(wire: Wire) -> None:
    everything = wire.good("/entitlements", {"limit": 100})["data"]
    seen: list[Any] = []
    address = "/entitlements?limit=2"
    while address:
        parts = urlsplit(address)
        page = wire.get(parts.path, parse_qsl(parts.query)).body
        seen += page["data"]
        address = page.get("next", "")
    assert seen == everything
    assert len({right["id"] for right in seen}) < len(seen)


def test_entitlement_pages_lose_nothing_when_one_is_granted_meanwhile(wire: Wire) -> None:
    first = wire.good("/entitlements", {"limit": 3})
    wire.made("/accounts/acct-0001/entitlements", {"id": "gift"})
    rest = wire.get("/entitlements", parse_qsl(urlsplit(first["next"]).query.replace("limit=3", "limit=100"))).body
    together = ids(first) + ids(rest)
    assert len(together) == rest["total_count"] == first["total_count"] + 1
    assert together[-1] == "gift"


def test_payment_methods_of_an_account(wire: Wire) -> None:
    assert ids(wire.good("/payment_methods", {"account": "acct-0001"})) == ["pm-card-0001", "pm-cash-0001"]
    assert ids(wire.good("/payment_methods", {"account": "nobody"})) == []
    assert wire.good("/payment_methods")["total_count"] == 26
    assert wire.good("/payment_methods/pm-debit-0021")["direct_debit"]["account"] == "XXXXXXXXXXXXXXXXXX3000"


def test_the_same_card_has_the_same_vid(wire: Wire) -> None:
    first, second = wire.made("/payment_methods", CARD), wire.made("/payment_methods", CARD)
    assert first["vid"] != second["vid"]
    assert first["credit_card"]["vid"] == second["credit_card"]["vid"]


def test_a_partial_update_of_a_card(wire: Wire) -> None:
    body = {"credit_card": {"expiration_date": "203412"}, "account_holder": "New Holder", "active": False}
    method = wire.made("/payment_methods/pm-card-0001", body)
    assert method["credit_card"]["expiration_date"] == "203412"
    assert method["credit_card"]["account"] == "411111XXXXXX1111"
    assert (method["account_holder"], method["active"]) == ("New Holder", False)


def test_a_payment_method_is_validated_only_on_request(wire: Wire) -> None:
    assert wire.made("/payment_methods", DECLINED)["validation_status"] is None
    checked = wire.made("/payment_methods", {**CARD, "policy": {"validate": 1}})
    assert checked["validation_status"]["status"] == "New"
    assert checked["validation_status"]["payment_method_type"] == "CreditCard"
    assert "policy" not in checked
    before = wire.good("/payment_methods")["total_count"]
    assert wire.post("/payment_methods", {**DECLINED, "policy": {"validate": True}}).status == 402
    assert wire.good("/payment_methods")["total_count"] == before


def test_bank_and_cash_numbers_are_masked(wire: Wire) -> None:
    debit = wire.made("/payment_methods", {"type": "DirectDebit", "direct_debit": {"account": "DE123456"}})
    assert debit["direct_debit"]["account"] == "XXXX3456"
    cash = wire.made(
        "/payment_methods",
        {
            "type": "MerchantAcceptedPayment",
            "merchant_accepted_payment": {"account": "99887766", "payment_type": "Cheque"},
        },
    )
    assert cash["merchant_accepted_payment"]["account"] == "XXXX7766"
    assert cash["merchant_accepted_payment"]["amount"] == 0


@pytest.mark.hazard("H405")
def test_masked_numbers_are_ignored(wire: Wire) -> None:
    shown = wire.good("/payment_methods/pm-declined-0025")
    assert shown["credit_card"]["account"] == "400000XXXXXX0002"
    for body in (shown, {"credit_card": {"account": "400000******0002", "expiration_date": "203912"}}):
        changed = wire.made("/payment_methods/pm-declined-0025", body)
        assert changed["credit_card"]["account"] == "400000XXXXXX0002"
    assert changed["credit_card"]["expiration_date"] == "203912"
    assert wire.post("/payment_methods/pm-declined-0025", {"policy": {"validate": 1}}).status == 402
    for kind, details in (
        ("direct_debit", {"account": "DE123456"}),
        ("direct_debit", {"account": "NL53FXBB0123456789"}),
        ("merchant_accepted_payment", {"account": "2121_sMAP"}),
    ):
        made = wire.made("/payment_methods", {kind: details})
        shown = {name: value for name, value in made[kind].items() if name != "amount"}
        again = wire.made(f"/payment_methods/{made['vid']}", {kind: shown})
        assert again[kind] == made[kind]
        assert again[kind]["last_digits"] == details["account"][-4:]
    new = wire.made("/payment_methods", {"credit_card": {"account": "411111XXXXXX1111", "expiration_date": "203912"}})
    assert "account" not in {name for name, value in new["credit_card"].items() if value is not None}


def test_a_new_account_may_name_its_parent(wire: Wire) -> None:
    made = wire.made("/accounts", {"id": "kid", "parent": {"id": "acct-0003"}})
    assert made["parent"]["id"] == "acct-0003"
    assert [child["id"] for child in wire.good("/accounts/acct-0003/children")["data"]] == ["kid"]
    for parent, status in (("kid", 400), ("nobody", 404)):
        assert wire.post("/accounts", {"id": "grandkid", "parent": {"id": parent}}).status == status
    assert wire.get("/accounts/grandkid").status == 404


def test_a_child_has_one_parent(wire: Wire) -> None:
    refused = wire.post("/accounts/acct-0003/children", {"id": "acct-0002"})
    expected = "The account already has another parent; remove the account from that parent first."
    assert (refused.status, refused.body["message"]) == (400, expected)
    assert wire.made("/accounts/acct-0001/children", {"id": "acct-0002"})["parent"]["id"] == "acct-0001"
    assert wire.call("billing", "DELETE", "/accounts/acct-0001/children/acct-0002").status == 200
    assert wire.made("/accounts/acct-0003/children", {"id": "acct-0002"})["parent"]["id"] == "acct-0003"


@pytest.mark.parametrize("identifier", [".", "..", "a/b", "/"])
def test_an_id_that_no_path_can_name_is_refused(wire: Wire, identifier: str) -> None:
    assert wire.post("/accounts", {"id": identifier}).status == 400
    with pytest.raises(ValueError, match="slash"):
        Wire(Sandbox(ids=lambda: identifier)).made("/transactions", {"account": {"id": "acct-0009"}, "amount": 1})


def test_a_setting_accepts_unknown_query_parameters() -> None:
    wire = Wire(Sandbox(settings=Settings(unknown_parameters=True)))
    assert wire.good("/accounts", {"e-mail": "nobody@example.com"})["total_count"] == 25
    assert Wire().get("/accounts", {"e-mail": "nobody@example.com"}).status == 400
