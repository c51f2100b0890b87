"""Tests the requests and responses of E5 to E11, with the limits and errors of the other three APIs."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox.wire import REST, Wire
from subscribekit.sandbox import Sandbox, Settings
from subscribekit.sandbox.user_mgmt.handlers import PAGINATED

ACTIVATE = "/gateway/v1/campaigns/{}/actions/activate"
CANCEL = "/partnersub/v2/partnerSubscription/{}/cancel"
CHARGE = "/v1/entitlement/{}/charge"
CUSTOM = "/customData/v1/user/{}/{}"
STOREFRONT = "/storefront/paymentMethod/account/{}"


def codes(body: Any) -> list[str]:
    return [error["code"] for error in body["validationErrors"]]


def test_an_active_campaign_can_be_used_and_stays_as_it_is(wire: Wire) -> None:
    result = wire.call("gateway", "POST", ACTIVATE.format("camp-summer"))
    assert (result.status, result.body["object"], result.body["state"]) == (200, "Campaign", "Active")
    assert wire.post("/campaigns/camp-summer", {}).body == result.body


@pytest.mark.parametrize(
    ("campaign", "status", "code"),
    [("nothing", 404, "not-found"), ("camp-draft", 400, "invalid-request"), ("camp-old", 400, "invalid-request")],
)
def test_a_campaign_that_cannot_be_used(wire: Wire, campaign: str, status: int, code: str) -> None:
    result = wire.call("gateway", "POST", ACTIVATE.format(campaign))
    assert (result.status, result.body["code"]) == (status, code)


def test_a_subscription_by_id_and_vid(wire: Wire) -> None:
    path = "/submgmt/v2/subscriptions/"
    by_id = wire.call("gateway", "GET", path + "sub-basic-0001")
    assert (by_id.status, by_id.body["object"], by_id.body["status"]) == (200, "Subscription", "Active")
    assert by_id.body["billing_state"] == "Good Standing"
    assert by_id.body["account"]["id"] == "acct-0001"
    assert wire.call("gateway", "GET", path + by_id.body["vid"]).body == by_id.body
    assert "billing_plan_history" not in by_id.body


def test_the_history_flag_adds_the_history(wire: Wire) -> None:
    path = "/submgmt/v2/subscriptions/sub-basic-0001"
    body = wire.call("gateway", "GET", path, {"include_billing_plan_history": "1"}).body
    entry = body["billing_plan_history"]["data"][0]
    assert (entry["object"], entry["billing_plan"]["id"]) == ("BillingPlanHistory", "plan-monthly")


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({"x-b3-traceid": "ABCDEF0123456789"}, {}),
        ({"x-b3-traceid": "0" * 20}, {}),
        ({"x-b3-spanid": "0" * 32}, {}),
        ({"x-b3-parentspanid": "xyz"}, {}),
        ({"x-partner-code": "p" * 33}, {}),
        ({}, {"include_billing_plan_history": "perhaps"}),
    ],
)
def test_wrong_headers_of_e6(wire: Wire, headers: dict[str, str], query: dict[str, str]) -> None:
    result = wire.call("gateway", "GET", "/submgmt/v2/subscriptions/sub-basic-0001", query, headers=headers)
    assert (result.status, result.body["code"], codes(result.body)) == (400, "invalid-request", ["invalid-field"])


@pytest.mark.parametrize("trace", ["0123456789abcdef", "0123456789abcdef0123456789abcdef"])
def test_good_b3_headers_pass(wire: Wire, trace: str) -> None:
    headers = {"x-b3-traceid": trace, "x-b3-spanid": "0123456789abcdef", "x-partner-code": "p" * 32}
    assert wire.call("gateway", "GET", "/submgmt/v2/subscriptions/sub-basic-0001", headers=headers).status == 200


def test_an_unknown_subscription_is_not_found(wire: Wire) -> None:
    result = wire.call("gateway", "GET", "/submgmt/v2/subscriptions/nothing")
    assert (result.status, result.body) == (404, {"code": "not-found", "message": "subscription not found"})


def test_cancelling_a_partner_subscription(wire: Wire) -> None:
    before = wire.sandbox.service.store.partner_subscriptions["psub-billing-0001"]["updatedDate"]
    result = wire.call("gateway", "POST", CANCEL.format("psub-billing-0001"))
    assert result.status == 200
    assert (result.body["billingStatus"], result.body["type"]) == ("CANCELLED", "BILLING")
    assert result.body["updatedDate"] == "2026-03-02T09:00:00Z"
    assert result.body["createdDate"] < result.body["updatedDate"]
    assert before != wire.sandbox.service.store.partner_subscriptions["psub-billing-0001"]["updatedDate"]
    again = wire.call("gateway", "POST", CANCEL.format("psub-billing-0001"))
    assert (again.status, again.body) == (200, result.body)


@pytest.mark.parametrize(
    ("key", "status", "code"),
    [
        ("nothing", 404, "partner-subscription-not-found"),
        ("psub-entitlement-0001", 400, "invalid-request"),
        ("p" * 37, 400, "invalid-request"),
    ],
)
def test_invalid_cancellations_are_rejected(wire: Wire, key: str, status: int, code: str) -> None:
    result = wire.call("gateway", "POST", CANCEL.format(key))
    assert (result.status, result.body["code"]) == (status, code)
    if status == 404:
        assert result.body["message"] == "partner subscription not found"


def test_a_charge_is_recorded_each_time_it_arrives(wire: Wire) -> None:
    body = b'{"transactionId": "t-1", "amount": 1.10, "currency": "USD", "taxIncluded": true}'
    first = wire.call("gateway", "POST", CHARGE.format("psub-entitlement-0001"), body=body)
    second = wire.call("gateway", "POST", CHARGE.format("psub-entitlement-0001"), body=body)
    assert (first.status, second.status) == (200, 200)
    assert list(first.body) == ["transactionReferenceId"]
    assert first.body != second.body
    charges = wire.sandbox.entitlement_charges
    assert [charge.fields["transactionId"] for charge in charges] == ["t-1", "t-1"]
    assert [str(charge.fields["amount"]) for charge in charges] == ["1.10", "1.10"]
    assert charges[0].transaction_reference_id == first.body["transactionReferenceId"]
    assert charges[0].partner_subscription == "psub-entitlement-0001"


def test_a_refund_needs_the_original_transaction(wire: Wire) -> None:
    path = CHARGE.format("psub-entitlement-0001")
    refused = wire.call("gateway", "POST", path, body={"transactionId": "t-2", "amount": -1})
    assert (refused.status, codes(refused.body)) == (400, ["missing-field"])
    body = {"transactionId": "t-2", "amount": -1, "originalTransactionId": "t-1"}
    assert wire.call("gateway", "POST", path, body=body).status == 200
    assert wire.call("gateway", "POST", path, body={"amount": 0}).status == 200
    assert wire.call("gateway", "POST", path, body=b'{"amount": 0.01}').status == 200
    assert len(wire.sandbox.entitlement_charges) == 3


@pytest.mark.parametrize(
    "body",
    [
        {"transactionId": "t" * 129},
        {"productCode": "p" * 129},
        {"currency": "USDX"},
        {"originalTransactionId": "t" * 129},
        {"transactionId": 7},
        {"amount": "1.10"},
        {"amount": True},
        {"taxAmount": []},
        {"taxIncluded": "yes"},
        {"chargeDate": "tomorrow"},
        [],
        b"{",
    ],
)
def test_a_wrong_charge_is_refused_and_not_recorded(wire: Wire, body: object) -> None:
    result = wire.call("gateway", "POST", CHARGE.format("psub-entitlement-0001"), body=body)
    assert (result.status, result.body["code"]) == (400, "invalid-request")
    assert wire.sandbox.entitlement_charges == []


@pytest.mark.parametrize(
    ("key", "status", "code"),
    [("nothing", 404, "not-found"), ("psub-billing-0001", 400, "invalid-request"), ("p" * 37, 400, "invalid-request")],
)
def test_invalid_charges_are_rejected(wire: Wire, key: str, status: int, code: str) -> None:
    result = wire.call("gateway", "POST", CHARGE.format(key), body={"amount": 1})
    assert (result.status, result.body["code"]) == (status, code)


@pytest.mark.parametrize(
    ("expression", "left"),
    [
        ('kind eq "phone"', ["living room", "tablet"]),
        ('kind ne "phone"', ["old phone", "new phone"]),
        ("age gt 3", ["new phone", "tablet"]),
        ("age ge 3", ["new phone"]),
        ("age lt 3", ["living room", "old phone", "tablet"]),
        ("age le 3", ["living room", "old phone"]),
        ('name sw "old"', ["living room", "new phone", "tablet"]),
        ('name ew "phone"', ["living room", "tablet"]),
        ('name co "o"', ["tablet"]),
        ("active eq true", ["old phone"]),
        ('os.name eq "android"', ["living room", "new phone"]),
        ("os eq null", ["living room", "old phone", "tablet"]),
        ('tags eq "home"', ["old phone", "tablet"]),
        ('kind eq "tv" or kind eq "phone" and age gt 5', ["new phone", "tablet"]),
        ('(kind eq "tv" or kind eq "phone") and age gt 5', ["living room", "new phone", "tablet"]),
        ('not kind eq "phone" and age gt 3', ["old phone", "new phone", "tablet"]),
        ('not (kind eq "phone" and age gt 3)', ["old phone"]),
        ("NOT active EQ true", ["living room", "new phone", "tablet"]),
        ('name eq "nobody"', ["living room", "old phone", "new phone", "tablet"]),
        ('age co "4"', ["living room", "old phone", "new phone", "tablet"]),
        ('age gt "3"', ["living room", "old phone", "new phone", "tablet"]),
        ('age eq "4"', ["living room", "old phone", "new phone", "tablet"]),
    ],
)
def test_deleting_custom_data_by_filter(wire: Wire, expression: str, left: list[str]) -> None:
    result = wire.call("user_mgmt", "DELETE", CUSTOM.format("me", "devices"), {"filter": expression})
    assert (result.status, result.body) == (204, None)
    assert [item["name"] for item in wire.sandbox.custom_data("user-0001", "devices")] == left


def test_the_user_may_be_named_by_id(wire: Wire) -> None:
    wire.call("user_mgmt", "DELETE", CUSTOM.format("user-0002", "devices"), {"filter": "age ge 0"})
    assert wire.sandbox.custom_data("user-0002", "devices") == []
    assert len(wire.sandbox.custom_data("me", "devices")) == 4


@pytest.mark.parametrize(
    "expression",
    [
        "",
        " ",
        "age",
        "age gt",
        "age above 3",
        "age gt 3 and",
        "(age gt 3",
        "age gt 3)",
        "age gt three",
        "age gt '3'",
        "age sw 3",
        'age eq "open',
        "age gt 03",
        "and eq 3",
        "a..b eq 3",
        "(" * 60 + "age eq 3" + ")" * 60,
    ],
)
def test_a_wrong_filter_deletes_nothing(wire: Wire, expression: str) -> None:
    result = wire.call("user_mgmt", "DELETE", CUSTOM.format("me", "devices"), {"filter": expression})
    assert result.status == 400
    assert (result.body["code"], len(result.body["validationErrors"])) == ("invalid-request", 1)
    assert set(result.body["validationErrors"][0]) == {"code", "message"}
    assert len(wire.sandbox.custom_data("me", "devices")) == 4


def test_no_filter_at_all_deletes_nothing(wire: Wire) -> None:
    for query in ({}, {"filter": ""}, {"filter": "  "}):
        result = wire.call("user_mgmt", "DELETE", CUSTOM.format("me", "devices"), query)
        assert (result.status, result.body["code"]) == (400, "invalid-request")
        assert "filter" in result.body["validationErrors"][0]["message"]
    assert len(wire.sandbox.custom_data("me", "devices")) == 4


@pytest.mark.parametrize(
    ("user", "array", "code"), [("nobody", "devices", "user-not-found"), ("me", "nothing", "not-found")]
)
def test_unknown_users_and_arrays(wire: Wire, user: str, array: str, code: str) -> None:
    result = wire.call("user_mgmt", "DELETE", CUSTOM.format(user, array), {"filter": "a eq 1"})
    assert (result.status, result.body["code"]) == (404, code)


def test_the_accounts_of_the_user(wire: Wire) -> None:
    result = wire.call("user_mgmt", "GET", f"{REST}/user/accounts")
    assert result.status == 200
    assert result.headers["X-Total-Count"] == "25"
    assert len(result.body) == 20
    first = result.body[0]
    assert (first["id"], first["type"], first["status"]) == (4001, "account", "activated")
    assert isinstance(first["createdDate"], int)
    assert first["createdDate"] > 1_700_000_000_000
    assert first["attributes"]["bssAccounts"][0]["accountId"] == "acct-0001"
    assert first["subscriptions"][0]["attributes"]["paymentProviderSubscriptions"][0]["id"] == "pps-0001"
    assert all(isinstance(value, str) for value in first["association"]["flags"].values())


@pytest.mark.parametrize(
    ("query", "first", "count"),
    [
        ({}, 4001, 20),
        ({"size": 0}, 4001, 25),
        ({"size": 100}, 4001, 25),
        ({"offset": 20}, 4021, 5),
        ({"offset": 3, "size": 2}, 4004, 2),
        ({"offset": 25}, None, 0),
        ({"offset": 1000}, None, 0),
    ],
)
def test_offset_and_size(wire: Wire, query: dict[str, object], first: int | None, count: int) -> None:
    result = wire.call("user_mgmt", "GET", f"{REST}/user/accounts", query)
    assert (result.status, len(result.body), result.headers["X-Total-Count"]) == (200, count, "25")
    assert (result.body[0]["id"] if result.body else None) == first


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"size": 101}, "page-size-error"),
        ({"size": -1}, "page-size-error"),
        ({"size": "many"}, "page-size-error"),
        ({"offset": -1}, "invalid-page-offset"),
        ({"offset": "x"}, "invalid-page-offset"),
    ],
)
def test_page_errors(wire: Wire, query: dict[str, object], code: str) -> None:
    result = wire.call("user_mgmt", "GET", f"{REST}/user/accounts", query)
    assert (result.status, result.body["operationError"]["code"]) == (400, code)
    assert "X-Total-Count" not in result.headers


def test_size_0_is_refused_when_there_are_more_than_a_page_may_hold() -> None:
    wire = Wire(Sandbox(settings=Settings(default_page_size=5, max_page_size=24)))
    result = wire.call("user_mgmt", "GET", f"{REST}/user/accounts", {"size": 0})
    assert (result.status, result.body["operationError"]["code"]) == (400, "max-return-page-size")
    assert len(wire.call("user_mgmt", "GET", f"{REST}/user/accounts").body) == 5
    exact = Wire(Sandbox(settings=Settings(max_page_size=25)))
    assert len(exact.call("user_mgmt", "GET", f"{REST}/user/accounts", {"size": 0}).body) == 25


def test_all_thirty_lists_answer_with_a_total(wire: Wire) -> None:
    assert len(PAGINATED) == 30
    keys = {
        "userId": "user-0001",
        "groupId": "2001",
        "accountId": "4001",
        "subscriptionId": "5001",
        "featureId": "6001",
        "runtimeId": "3001",
    }
    for template in PAGINATED:
        result = wire.call("user_mgmt", "GET", REST + template.format(**keys), {"size": 100})
        assert result.status == 200, template
        assert result.headers["X-Total-Count"] == str(len(result.body))
    assert wire.call("user_mgmt", "GET", f"{REST}/group/2001/users").body[0]["displayName"] == "First user"
    assert wire.call("user_mgmt", "GET", f"{REST}/account/4001/subscriptions").body[0]["id"] == 5001
    assert wire.call("user_mgmt", "GET", f"{REST}/subscription/5001/features").body[0]["type"] == "feature"


def test_unknown_owners(wire: Wire) -> None:
    user = wire.call("user_mgmt", "GET", f"{REST}/user/nobody/accounts")
    assert (user.status, user.body["code"]) == (404, "user-not-found")
    group = wire.call("user_mgmt", "GET", f"{REST}/group/9/users")
    assert (group.status, group.body["code"]) == (404, "not-found")


def test_group_c_demands_the_content_type_and_answers_a_trace_id(wire: Wire) -> None:
    refused = wire.call("user_mgmt", "GET", f"{REST}/user/accounts", headers={"content-type": "text/plain"})
    assert (refused.status, refused.body["operationErrors"][0]["code"]) == (400, "invalid-input-error")
    assert len(refused.headers["X-B3-TraceId"]) == 32
    echoed = wire.call("user_mgmt", "GET", f"{REST}/user/accounts", headers={"x-b3-traceid": "0123456789abcdef"})
    assert echoed.headers["X-B3-TraceId"] == "0123456789abcdef"


def test_a_new_primary_method_replaces_the_previous_one(wire: Wire) -> None:
    body = {"paymentMethodId": "pm-cash-0001", "primary": True, "active": True}
    result = wire.call("storefront", "PUT", STOREFRONT.format("acct-0001"), body=body)
    assert result.status == 200
    assert (result.body["id"], result.body["primary"], result.body["active"]) == ("pm-cash-0001", True, True)
    assert result.body["type"] == "MerchantAcceptedPayment"
    assert result.body["merchantAcceptedPayment"]["paymentType"] == "Cheque"
    methods = wire.good("/accounts", {"limit": 1})["data"][0]["payment_methods"]["data"]
    assert {method["id"]: method["primary"] for method in methods} == {"pm-card-0001": False, "pm-cash-0001": True}


def test_flags_that_are_not_sent_stay(wire: Wire) -> None:
    body = {"paymentMethodId": "pm-card-0001", "active": False}
    result = wire.call("storefront", "PUT", STOREFRONT.format("acct-0001"), body=body)
    assert (result.body["primary"], result.body["active"]) == (True, False)
    assert result.body["creditCard"] == {"lastDigits": "1111", "expirationDate": "203112"}


def test_a_method_may_be_made_primary_without_a_word_on_active(wire: Wire) -> None:
    wire.call(
        "storefront", "PUT", STOREFRONT.format("acct-0001"), body={"paymentMethodId": "pm-cash-0001", "active": False}
    )
    body = {"paymentMethodId": "pm-cash-0001", "primary": True}
    result = wire.call("storefront", "PUT", STOREFRONT.format("acct-0001"), body=body)
    assert (result.body["primary"], result.body["active"]) == (True, False)
    assert wire.good("/payment_methods/pm-card-0001")["primary"] is False
    assert wire.good("/payment_methods/pm-card-0001")["active"] is True


@pytest.mark.parametrize(
    ("account", "body", "status", "code"),
    [
        ("acct-0001", {"primary": True}, 400, "invalid-request"),
        ("acct-0001", {"paymentMethodId": 7}, 400, "invalid-request"),
        ("acct-0001", {"paymentMethodId": "pm-card-0001", "primary": "yes"}, 400, "invalid-request"),
        ("acct-0001", [], 400, "invalid-request"),
        ("acct-0001", b"{", 400, "invalid-request"),
        ("nobody", {"paymentMethodId": "pm-card-0001"}, 404, "not-found"),
        ("acct-0001", {"paymentMethodId": "nothing"}, 404, "not-found"),
        ("acct-0001", {"paymentMethodId": "pm-card-0002"}, 404, "not-found"),
    ],
)
def test_wrong_updates_of_payment_methods(wire: Wire, account: str, body: object, status: int, code: str) -> None:
    result = wire.call("storefront", "PUT", STOREFRONT.format(account), body=body)
    assert (result.status, result.body["code"]) == (status, code)
    assert ("validationErrors" in result.body) == (code == "invalid-request" and body != b"{")


@pytest.mark.parametrize("group", ["gateway", "user_mgmt", "storefront"])
def test_unknown_paths(wire: Wire, group: str) -> None:
    result = wire.call(group, "GET", "/nothing")
    assert (result.status, result.body["code"]) == (404, "not-found")


def test_a_debit_card_has_the_shape_of_group_d(wire: Wire) -> None:
    card = {"account": "4111111111111129", "expiration_date": "203112"}
    body = {"payment_methods": [{"id": "pm-debit", "type": "DebitCard", "credit_card": card}]}
    wire.made("/accounts/acct-0009", body)
    sent = {"paymentMethodId": "pm-debit", "active": True}
    told = wire.call("storefront", "PUT", "/storefront/paymentMethod/account/acct-0009", (), sent).body
    assert (told["type"], told["debitCard"]) == ("DebitCard", {"lastDigits": "1129"})
    assert "creditCard" not in told
