"""Tests the keys and values of responses: those that the published samples always have, omit, or write differently.

Also tests that a later capture follows the state of the transaction (H310, H311).
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from sandbox.wire import Wire
from subscribekit.sandbox import Sandbox, Settings

CARD = {"type": "CreditCard", "credit_card": {"account": "4111111111111129", "expiration_date": "203112"}}
HERE = {"line1": "1 Main Street", "city": "Austin", "country": "US"}
TODAY = {"effective_date": "today", "bill_prorated_period": 1}


@pytest.fixture(params=["specification", "published"])
def both(request: pytest.FixtureRequest) -> Wire:
    return Wire(Sandbox(responses=request.param))


@pytest.fixture
def published() -> Wire:
    return Wire(Sandbox(responses="published"))


def order(**more: object) -> dict[str, object]:
    return {"id": "new", "account": {"id": "acct-0009"}, "items": [{"product": {"id": "prod-basic"}}]} | more


def statuses(transaction: Any) -> list[str]:
    return [entry["status"] for entry in transaction["status_log"]["data"]]


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for one in value.values():
            yield from objects(one)
    elif isinstance(value, list):
        for one in value:
            yield from objects(one)


def test_a_card_has_the_keys_of_the_updater(both: Wire) -> None:
    made = both.made("/payment_methods", {**CARD, "billing_address": HERE})
    card = made["credit_card"]
    assert [card[name] for name in ("last_au_request_date", "last_update_date", "au_response_code")] == [None] * 3
    assert made["validation_status"] is None
    assert made["billing_address"]["object"] == "Address"
    assert made["billing_address"]["vid"]


def test_bank_cash_and_paypal_have_their_keys(both: Wire) -> None:
    bank = both.made("/payment_methods", {"type": "DirectDebit", "direct_debit": {"account": "34697856"}})
    told = {"account": "XXXX7856", "last_digits": "7856", "account_length": 8, "rib_code": None}
    assert bank["direct_debit"] == {"object": "DirectDebit", **told}
    cash = {"type": "MerchantAcceptedPayment", "merchant_accepted_payment": {"account": "ThisIsMAP"}}
    made = both.made("/payment_methods", cash)["merchant_accepted_payment"]
    assert (made["account"], made["last_digits"], made["created"]) == ("XXXXXsMAP", "sMAP", "2026-03-02T09:00:00Z")
    paypal = both.good("/payment_methods/pm-paypal-0024")["paypal"]
    assert (paypal["payer_id"], paypal["reference_id"]) == (None, None)
    assert both.good("/payment_methods/pm-carrier-0022")["carrier_billing"]["object"] == "CarrierBilling"


def test_lines_show_their_days_and_their_tax(both: Wire) -> None:
    charge = both.made("/subscriptions", order())["most_recent_billing"]
    plan, product, tax = charge["items"]["data"]
    assert [line["index_number"] for line in (plan, product, tax)] == [1, 2, 3]
    for line in (plan, product, tax):
        assert line["service_period_starts"] == "2026-03-02T00:00:00Z"
        assert line["service_period_ends"] == "2026-04-01T00:00:00Z"
        assert line["tax_type"] == "Exclusive Sales"
        assert "tax_classification" in line
    assert (tax["sku"], tax["tax_classification"]) == ("Total Tax", "TaxExempt")
    assert {"price", "subtotal", "discount"}.isdisjoint(plan)  # the plan itself is free
    assert (product["price"], product["subtotal"], product["discount"]) == (Decimal("9.99"), Decimal("9.99"), 0)


def test_a_billing_has_the_keys_of_the_processor(both: Wire) -> None:
    body = order(source_ip="192.0.2.1", affiliate="400")
    charge = both.made("/subscriptions", body)["most_recent_billing"]
    assert charge["payment_processor_transaction_id"] == charge["id"]
    assert charge["metadata"] == {
        "vin:BillingCycle": "0",
        "vin:RetryNumber": "0",
        "vin:recurring": "1",
        "vin:AutoBillVID": charge["subscription"]["vid"],
        "vin:BillingPlanUnit": "month",
        "vin:BillingPlanLength": "1",
        "vin:FutureAmount": "9.99",
        "vin:payment_processor": "Test",
    }
    assert (charge["source_ip"], charge["affiliate"], charge["cvn_checked"]) == ("192.0.2.1", "400", False)
    assert charge["shipping_address"] == both.good("/accounts/acct-0009")["shipping_address"]
    assert (charge["division_number"], charge["score"]) == ("000001", -1)
    assert charge["original_billing_date"] == "2026-03-02T00:00:00Z"
    for entry in charge["status_log"]["data"]:
        status = entry["credit_card_status"]
        assert status["object"] == "TransactionStatusCreditCard"
        assert (status["auth_code"], status["avs_code"], status["cvn_code"]) == ("T00", None, None)
    assert [entry.get("note") for entry in charge["status_log"]["data"]][-2:] == ["T00 - NA", None]


def test_bank_and_paypal_have_a_status_of_their_own(both: Wire) -> None:
    bank = both.made("/subscriptions", order(account={"id": "acct-0021"}))["most_recent_billing"]
    (entry,) = bank["status_log"]["data"]
    assert entry["direct_debit_status"] == {"object": "TransactionStatusDirectDebit"}
    waiting = both.made("/subscriptions", order(id="other", account={"id": "acct-0024"}))
    for entry in waiting["most_recent_billing"]["status_log"]["data"]:
        assert entry["paypal_status"]["token"].startswith("EC-")
        assert entry["paypal_status"]["auth_code"] == "000"
        assert "redirect_url" in entry["paypal_status"]
    assert (waiting["balance"], waiting["ends"]) == (0, waiting["entitled_through"])
    assert "next_billing" not in waiting


def test_a_mandate_is_shown(both: Wire) -> None:
    metadata = {"vin:MandateFlag": 1, "vin:MandateID": "m-1"}
    made = both.made("/subscriptions", order(account={"id": "acct-0021"}, metadata=metadata))
    told = {"created": "2026-03-02T09:00:00Z", "identifier": "m-1", "status": "Active"}
    assert made["mandate"] == {"object": "Mandate", **told}
    assert made["most_recent_billing"]["metadata"]["vin:MandateID"] == "m-1"
    assert made["most_recent_billing"]["mandate"] == made["mandate"]
    assert "mandate" not in both.made("/subscriptions", order(id="card", metadata=metadata))


def test_a_charge_shows_the_checks_that_its_policy_turned_off(both: Wire) -> None:
    policy = {"ignore_avs_policy": 1, "ignore_cvn_policy": "true"}
    told = {"vin:ignoreAvsPolicy": "1", "vin:ignoreCvnPolicy": "1"}
    later = both.made("/subscriptions", order(starts="2026-03-05", policy=policy))
    assert "most_recent_billing" not in later or later["most_recent_billing"] is None
    both.sandbox.advance(days=4)
    (charge,) = both.good("/transactions", {"subscription": "new"})["data"]
    assert charge["metadata"].items() >= told.items()
    body = {"id": "once", "account": {"id": "acct-0009"}, "amount": 1, "policy": policy, "metadata": {"a": "b"}}
    assert both.made("/transactions", body)["metadata"] == {"a": "b", **told}


def test_the_last_charge_of_a_plan_names_no_future_amount(both: Wire) -> None:
    both.made("/subscriptions", order(billing_plan={"id": "plan-three-months"}))
    both.sandbox.advance(days=95)
    charges = both.good("/transactions", {"subscription": "new"})["data"]
    told = [charge["metadata"].get("vin:FutureAmount") for charge in charges]
    assert told == ["9.99", "9.99", None]


def test_an_order_that_waits_for_an_approval_names_its_future_amount(both: Wire) -> None:
    made = both.made("/subscriptions", order(account={"id": "acct-0024"}))
    assert made["most_recent_billing"]["metadata"]["vin:FutureAmount"] == "9.99"
    assert made["most_recent_billing"]["metadata"]["vin:payment_processor"] == "PayPal"


def test_the_next_bill_shows_that_no_code_was_checked(both: Wire) -> None:
    upcoming = both.made("/subscriptions", order())["next_billing"]
    published = both.sandbox._settings.published
    assert upcoming["cvn_checked"] == ("No" if published else False)
    assert (upcoming["cvn_code"], upcoming["avs_code"], upcoming["purchase_level_discount_tickets"]) == (None, None, [])


def test_an_account_has_an_email_type_and_amounts_have_a_vid(both: Wire) -> None:
    assert both.made("/accounts", {"id": "plain"})["email_type"] == "html"
    assert both.made("/accounts", {"id": "text", "email_type": "plaintext"})["email_type"] == "plaintext"
    token = {"token": {"id": "purchasePoints"}, "amount": 2}
    product = both.made("/products", {"id": "points", "credit_granted": {"token_amounts": [token]}})
    granted = product["credit_granted"]["token_amounts"]
    (amount,) = granted["data"] if isinstance(granted, dict) else granted
    assert (amount["object"], len(amount["vid"])) == ("TokenAmount", 40)
    assert both.good("/products/points") == product


def test_the_address_in_an_order_determines_its_tax(both: Wire) -> None:
    def taxed_at(**more: object) -> str:
        body = {"account": {"id": "acct-0009"}, "amount": 1, **more}
        return str(both.made("/transactions", body)["sales_tax_address"]["city"])

    shipped, billed = {"city": "Reno", "country": "US"}, {"city": "Provo", "country": "US"}
    method = {"type": "CreditCard", "credit_card": {"account": "4111111111111129"}, "billing_address": billed}
    assert taxed_at(sales_tax_address={"city": "Miami"}, shipping_address=shipped) == "MIAMI"
    assert taxed_at(shipping_address=shipped, source_payment_method=method) == "RENO"
    assert taxed_at(source_payment_method=method) == "PROVO"
    assert taxed_at() == both.good("/accounts/acct-0009")["shipping_address"]["city"].upper()


def test_an_invoice_has_the_keys_of_its_lines(both: Wire) -> None:
    both.made("/subscriptions", order())
    invoice = both.good("/invoices/new-00000000")
    plan, product = invoice["invoice_line_items"]["data"]
    (tax,) = invoice["invoice_tax_items"]["data"]
    assert [line["index_number"] for line in (plan, product, tax)] == [0, 1, 2]
    for line in (plan, product, tax):
        assert (line["item_added"], line["item_removed"]) == ("2026-03-02T00:00:00Z", None)
        assert line["item_serviceperiod_end"] == invoice["billing_service_period_end"] == "2026-04-01T00:00:00Z"
        assert "tax_classification" in line
    assert set(plan["billing_plan"]) == {"object", "id", "vid"}
    assert product["subscription_item"]["object"] == "SubscriptionItem"
    assert (tax["type"], tax["sku"], plan["unit_amount"]) == ("Tax", "VIN_SALES_TAX", 0)


def test_a_history_has_whole_items(both: Wire) -> None:
    both.made("/subscriptions", order())
    (entry,) = both.good("/subscriptions/new/subscription_item_history")["data"]
    item = entry["subscription_item"]
    assert set(item["product"]) == {"object", "id", "vid"}
    assert (item["index"], item["quantity"], item["currency"]) == (0, 1, "USD")
    assert item["starts"] == "2026-03-02T00:00:00Z"


def test_a_coupon_leaves_a_ticket(both: Wire) -> None:
    items = [{"product": {"id": "prod-basic"}, "campaign_code": "SUMMER"}]
    made = both.made("/subscriptions", order(items=items))
    (ticket,) = made["items"]["data"][0]["discount_tickets"]
    assert (ticket["object"], ticket["campaign_id"], ticket["start_billing_sequence"]) == (
        "DiscountTicket",
        "camp-summer",
        0,
    )
    assert (ticket["added_date"], ticket["metadata"]) == ("2026-03-02T09:00:00Z", {"use_type": "SpecifiedItem"})
    assert made["account"]["discount_tickets"] == []
    (line,) = made["next_billing"]["items"]["data"]
    assert line["total"] == Decimal("7.99")
    assert {"index_number", "subscription_item", "campaign_id", "campaign_description"}.isdisjoint(line)


def test_a_product_in_a_subscription_has_its_whole_plan(both: Wire) -> None:
    made = both.made("/subscriptions", order())
    assert "periods" in made["items"]["data"][0]["product"]["default_billing_plan"]
    assert "periods" not in both.good("/products/prod-basic")["default_billing_plan"]


def test_an_account_without_a_payment_method_names_none(both: Wire) -> None:
    both.made("/accounts", {"id": "poor"})
    assert "payment_methods" not in both.good("/accounts/poor")


def test_a_transaction_without_metadata_has_none(both: Wire) -> None:
    body = {"account": {"id": "acct-0009"}, "amount": "5.00"}
    assert "metadata" not in both.made("/transactions", body)


def test_the_next_billing_has_no_line_of_a_free_plan(both: Wire) -> None:
    both.made("/accounts/acct-0009/credits", {"currency_amounts": [{"currency": "USD", "amount": 2}]})
    told = both.made("/subscriptions", order())["next_billing"]
    assert [line["sku"] for line in told["items"]["data"]] == ["prod-basic"]
    assert told["amount"] == Decimal("9.99")  # without credit
    annual = both.made("/subscriptions", order(id="year", billing_plan={"id": "plan-annual"}))["next_billing"]
    assert sum(line["total"] for line in annual["items"]["data"]) == annual["amount"] == Decimal("99.99")


def test_a_credit_line_names_the_product_and_its_charge(both: Wire) -> None:
    first = both.made("/subscriptions", order())["most_recent_billing"]["id"]
    change = {"product": {"id": "prod-premium"}, "replaces": {"product": {"id": "prod-basic"}}}
    made = both.made("/subscriptions/new", {"items": [change]}, TODAY)
    credit = made["most_recent_billing"]["items"]["data"][1]
    assert (credit["name"], credit["related_transactions"]) == ("Credit for merchantProductId prod-basic", [first])
    assert credit["subscription_item"]["object"] == "SubscriptionItem"


def test_the_method_that_a_subscription_moves_to_is_primary(both: Wire) -> None:
    both.made("/subscriptions", order())
    assert both.made("/subscriptions/new", {"payment_method": {**CARD, "id": "pm-2"}})["payment_method"]["primary"]


def test_a_currency_that_nothing_names_is_the_merchants() -> None:
    wire = Wire(Sandbox(settings=Settings(currency="EUR")))
    wire.made("/accounts", {"id": "bare"})
    body = {"account": {"id": "bare"}, "amount": "5.00", "source_payment_method": CARD}
    assert wire.made("/transactions", body)["currency"] == "EUR"


def test_the_capture_follows_when_the_time_advances(published: Wire) -> None:
    made = published.made("/subscriptions", order())
    assert statuses(made["most_recent_billing"]) == ["Authorized", "New"]
    identifier = made["most_recent_billing"]["id"]
    published.sandbox.advance(minutes=5)
    assert statuses(published.good(f"/transactions/{identifier}")) == ["Authorized", "New"]
    published.sandbox.advance(minutes=1)
    told = published.good(f"/transactions/{identifier}")["status_log"]["data"][0]
    assert (told["status"], told["created"], told["note"]) == ("Captured", "2026-03-02T09:06:00Z", "T00")


def test_a_setting_determines_the_time_of_the_capture() -> None:
    wire = Wire(Sandbox(settings=Settings(capture_minutes=60), responses="published"))
    body = {"id": "t", "account": {"id": "acct-0009"}, "amount": "5.00", "to_be_captured": True}
    assert statuses(wire.made("/transactions", body)) == ["Authorized", "New"]
    wire.sandbox.advance(minutes=59)
    assert wire.post("/transactions/t/refunds", {"amount": "5.00"}).status == 400
    wire.sandbox.advance(minutes=1)
    assert wire.post("/transactions/t/refunds", {"amount": "5.00"}).status == 200


@pytest.mark.parametrize("action", ["capture", "cancel"])
def test_a_transaction_that_is_captured_or_cancelled_by_a_call_is_not_captured_again(
    published: Wire, action: str
) -> None:
    """H310: the scheduled capture must not capture a canceled transaction, or capture a transaction twice."""
    body = {"id": "t", "account": {"id": "acct-0009"}, "amount": "5.00", "to_be_captured": True}
    published.made("/transactions", body)
    published.made(f"/transactions/t/actions/{action}")
    published.sandbox.advance(days=1)
    ended = {"capture": "Captured", "cancel": "Cancelled"}[action]
    assert statuses(published.good("/transactions/t")) == [ended, "Authorized", "New"]


def test_a_settlement_minutes_after_the_order_refunds_the_money(published: Wire) -> None:
    published.made("/subscriptions", order())
    body = published.made("/subscriptions/new/actions/cancel", None, {"disentitle": 1, "settle": 1})
    (refund,) = body["most_recent_refunds"]["data"]
    assert refund["amount"] == Decimal("9.99")
    product = refund["transaction"]["items"]["data"][1]
    assert (product["item_refunds"][0]["amount"], product["item_refunds"][0]["refund"]["id"]) == (
        Decimal("9.99"),
        refund["id"],
    )


def test_a_restored_state_repeats_the_scheduled_capture(published: Wire) -> None:
    """H311: a snapshot includes the captures that are scheduled for later."""
    made = published.made("/subscriptions", order())["most_recent_billing"]["id"]
    before = published.sandbox.snapshot()
    published.sandbox.advance(days=1)
    published.sandbox.restore(before)
    assert statuses(published.good(f"/transactions/{made}")) == ["Authorized", "New"]
    published.sandbox.advance(days=1)
    assert statuses(published.good(f"/transactions/{made}")) == ["Captured", "Authorized", "New"]


def test_published_responses_have_envelopes_and_one_credit(published: Wire) -> None:
    published.made("/accounts/acct-0009/credits", {"currency_amounts": [{"currency": "USD", "amount": 2}]})
    credit = published.good("/accounts/acct-0009")["credit"]
    (granted,) = credit["currency_amounts"]["data"]
    assert (granted["granted_by_cashbox"], granted["source"]) == (False, "Account")
    assert published.good("/billing_plans/plan-monthly")["periods"]["object"] == "List"
    assert Wire().good("/billing_plans/plan-monthly")["periods"][0]["object"] == "BillingPlanPeriod"


def test_published_responses_leave_out_what_only_the_specification_shows(published: Wire) -> None:
    made = published.made("/subscriptions", order())
    changed = published.made("/subscriptions/new", {"payment_method": {**CARD, "id": "pm-2"}})
    read, listed = published.good("/subscriptions/new"), published.good("/subscriptions")["data"]
    ended = published.made("/subscriptions/new/actions/cancel")
    assert ["most_recent_billing" in one for one in (made, changed, read, listed[-1], ended)] == [True, True] + [
        False
    ] * 3
    for one in objects([made, published.good("/transactions"), published.good("/accounts/acct-0001/children")]):
        if one.get("object") == "Transaction":
            assert {"status", "to_be_captured", "billing_attempt"}.isdisjoint(one)
        assert "hash_type" not in one
    (child,) = published.good("/accounts/acct-0001/children")["data"]
    assert "payment_methods" not in child
    assert "validation_status" not in published.good("/payment_methods/pm-card-0001")


def test_another_form_of_responses_is_refused() -> None:
    with pytest.raises(ValueError, match="responses must be one of specification, published"):
        Sandbox(responses="samples")  # type: ignore[arg-type]  # the wrong type is the subject of the test
