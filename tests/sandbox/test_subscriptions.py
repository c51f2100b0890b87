"""Tests subscriptions: creation with each kind of payment method, changes, cancellation, histories (H197, H206)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sandbox.wire import Wire

CARD = {"type": "CreditCard", "credit_card": {"account": "5555555555554444"}}
DECLINED = {"type": "CreditCard", "credit_card": {"account": "4000000000000002"}}


def order(**more: object) -> dict[str, object]:
    body: dict[str, object] = {
        "id": "new",
        "account": {"id": "acct-0009"},
        "billing_plan": {"id": "plan-monthly"},
        "items": [{"product": {"id": "prod-basic"}}],
    }
    return body | more


def log(transaction: Any) -> list[str]:
    return [entry["status"] for entry in transaction["status_log"]["data"]]


def test_a_card_is_charged_at_once(wire: Wire) -> None:
    made = wire.made("/subscriptions", order(metadata={"source": "shop"}))
    assert made == wire.good("/subscriptions/new")
    assert (made["status"], made["billing_state"], made["balance"]) == ("Active", "Good Standing", 0)
    assert (made["currency"], made["billing_day"]) == ("USD", 2)
    charge = made["most_recent_billing"]
    assert (charge["amount"], log(charge)) == (Decimal("9.99"), ["Captured", "Authorized", "New"])
    assert [line["sku"] for line in charge["items"]["data"]] == ["plan-monthly", "prod-basic", "Total Tax"]
    assert [line["index_number"] for line in charge["items"]["data"]] == [1, 2, 3]
    assert charge["metadata"].items() >= {"source": "shop", "vin:BillingCycle": "0", "vin:RetryNumber": "0"}.items()
    assert (charge["subscription_sequence"], charge["billing_attempt"]) == (1, 0)
    assert made["next_billing"]["created"] == "2026-04-02T00:00:00Z"
    assert "id" not in made["next_billing"]
    assert made["ends"] == made["entitled_through"] == "2026-04-09T23:59:59Z"
    assert made["account"]["payment_methods"]["total_count"] == 1
    assert wire.good("/accounts/acct-0009/entitlements/ent-basic")["state"] is True


FOREIGN = {"id": "pm-card-0001"}
"""A payment method that belongs to an account other than that of `order`."""


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/subscriptions", order(payment_method={**CARD, **FOREIGN})),
        ("/subscriptions", order(payment_method=FOREIGN)),
        ("/subscriptions", order(account={"id": "fresh", "payment_methods": [{**CARD, **FOREIGN}]})),
        ("/subscriptions/sub-trial-0003", {"payment_method": FOREIGN}),
        ("/accounts/acct-0009", {"payment_methods": [{**CARD, **FOREIGN}]}),
        (
            "/transactions",
            {
                "id": "t",
                "account": {"id": "acct-0009"},
                "source_payment_method": FOREIGN,
                "amount": 1,
                "currency": "USD",
            },
        ),
    ],
)
def test_the_card_of_another_customer_is_neither_charged_nor_changed(wire: Wire, path: str, body: object) -> None:
    """An account owns its payment methods, so a request for another account can't use them."""
    before = wire.good("/payment_methods/pm-card-0001")
    refused = wire.post(path, body)
    assert (refused.status, refused.body["message"]) == (400, "PaymentMethod belongs to another account.")
    assert wire.good("/payment_methods/pm-card-0001") == before
    assert wire.get("/accounts/fresh").status == 404


def test_a_card_on_file_is_named_and_not_changed_by_another_call(wire: Wire) -> None:
    """A call changes a single object, so creating a subscription doesn't change the card."""
    before = wire.good("/payment_methods/pm-card-0009")
    assert wire.made("/subscriptions", order(payment_method={**CARD, "id": "pm-card-0009"}))["status"] == "Active"
    assert wire.good("/payment_methods/pm-card-0009") == before
    changed = wire.made("/accounts/acct-0009", {"payment_methods": [{**CARD, "id": "pm-card-0009"}]})
    assert changed["payment_methods"]["data"][0]["credit_card"]["last_digits"] == "4444"


def test_a_child_pays_with_the_card_of_its_parent(wire: Wire) -> None:
    wire.made("/accounts/acct-0001/children", {"id": "acct-0009", "parent": {"id": "acct-0001"}})
    assert wire.made("/subscriptions", order(payment_method=FOREIGN))["payment_method"]["id"] == "pm-card-0001"


CHECKED = {"validate_for_future_payment": 1}
"""The published policy that requests a validation of the payment method even if nothing is due."""


@pytest.mark.parametrize(
    "later",
    [{"billing_plan": {"id": "plan-trial-monthly"}}, {"starts": "2026-04-01T00:00:00Z"}, {"unkonwn_starts": True}],
)
def test_a_card_that_pays_later_is_checked_on_request(wire: Wire, later: dict[str, object]) -> None:
    refused = wire.post("/subscriptions", order(payment_method=DECLINED, policy=CHECKED, **later))
    assert (refused.status, refused.body["message"]) == (402, "The payment method could not be validated.")
    assert wire.get("/subscriptions/new").status == 404
    made = wire.made("/subscriptions", order(payment_method=CARD, policy=CHECKED, **later))
    assert made["status"] in {"Active", "Pending Activation"}
    unchecked = order(id="unchecked", payment_method=DECLINED, **later)
    assert wire.made("/subscriptions", unchecked)["status"] == made["status"]


def test_account_payment_method_and_items_in_one_call(wire: Wire) -> None:
    body = order(
        account={"id": "fresh", "email": "f@example.com"},
        payment_method={**CARD, "id": "pm-fresh"},
        items={"object": "List", "data": [{"product": {"id": "prod-addon"}, "quantity": "3", "amount": "2.50"}]},
    )
    made = wire.made("/subscriptions", body)
    assert (made["account"]["id"], made["payment_method"]["id"]) == ("fresh", "pm-fresh")
    assert made["most_recent_billing"]["amount"] == Decimal("7.50")
    assert wire.good("/accounts/fresh")["payment_methods"]["total_count"] == 1


def test_a_refused_creation_leaves_nothing_behind(wire: Wire) -> None:
    body = order(account={"id": "fresh", "email": "f@example.com"}, payment_method=DECLINED)
    result = wire.post("/subscriptions", body)
    assert (result.status, result.body["object"]) == (402, "Error")
    assert wire.get("/accounts/fresh").status == 404
    assert wire.get("/subscriptions/new").status == 404


def test_a_refused_card_may_start_in_the_retry_cycle(wire: Wire) -> None:
    policy = {"immediate_auth_failure_policy": "putAutoBillInRetryCycle"}
    made = wire.made("/subscriptions", order(payment_method=DECLINED, policy=policy))
    assert (made["status"], made["billing_state"], made["balance"]) == ("Active", "In Retry", Decimal("9.99"))
    assert log(made["most_recent_billing"]) == ["Cancelled", "New"]
    assert "policy" not in made


@pytest.mark.parametrize(
    ("account", "status", "state", "balance", "statuses", "continues"),
    [
        ("acct-0021", "Processing", "Unbilled", "9.99", ["New"], True),
        ("acct-0024", "Pending Activation", "Pending Acceptance", "0", ["AuthorizationPending", "New"], False),
    ],
)
def test_states_by_kind_of_payment_method(
    wire: Wire, account: str, status: str, state: str, balance: str, statuses: list[str], continues: bool
) -> None:
    made = wire.made("/subscriptions", order(account={"id": account}))
    assert (made["status"], made["billing_state"], made["balance"]) == (status, state, Decimal(balance))
    assert log(made["most_recent_billing"]) == statuses
    assert ("next_billing" in made) is continues


def test_a_merchant_accepted_payment_owes_the_amount(wire: Wire) -> None:
    method = {"type": "MerchantAcceptedPayment", "merchant_accepted_payment": {"payment_type": "Invoice"}}
    made = wire.made("/subscriptions", order(payment_method=method))
    assert (made["status"], made["billing_state"], made["balance"]) == ("Active", "Good Standing", Decimal("9.99"))


def test_a_free_subscription_needs_no_payment_method(wire: Wire) -> None:
    wire.made("/accounts", {"id": "poor"})
    free = wire.made("/subscriptions", order(account={"id": "poor"}, items=[{"product": {"id": "prod-api"}}]))
    assert (free["status"], free["billing_state"]) == ("Active", "Free Period")
    assert free["most_recent_billing"]["amount"] == 0
    assert wire.post("/subscriptions", order(id="other", account={"id": "poor"})).status == 400


def test_a_trial_is_free_and_then_charged(wire: Wire) -> None:
    made = wire.made("/subscriptions", order(billing_plan={"id": "plan-trial-monthly"}))
    assert (made["status"], made["billing_state"]) == ("Active", "Good Standing")
    assert made["most_recent_billing"]["amount"] == 0
    assert made["next_billing"]["created"] == "2026-03-09T00:00:00Z"
    assert made["next_billing"]["amount"] == Decimal("9.99")


def test_the_approval_of_a_paypal_sign_up(wire: Wire) -> None:
    made = wire.made("/subscriptions", order(account={"id": "acct-0024"}))
    first = made["most_recent_billing"]
    assert first["vid"] in first["status_log"]["data"][0]["paypal_status"]["redirect_url"]
    done = wire.made(f"/subscriptions/{first['id']}/actions/finish")
    assert (done["id"], done["status"], done["billing_state"]) == ("new", "Active", "Good Standing")
    assert log(done["most_recent_billing"])[:2] == ["Captured", "Authorized"]
    assert (done["balance"], "next_billing" in done) == (0, True)
    assert wire.good("/invoices/new-00000000")["status"] == "Paid"
    assert wire.post("/subscriptions/new/actions/finish").status == 400
    assert wire.post("/subscriptions/nothing/actions/finish").status == 404


def test_a_child_uses_its_parents_payment_method(wire: Wire) -> None:
    wire.made("/accounts/acct-0001/children", {"id": "kid", "parent": {"id": "acct-0001"}})
    made = wire.made("/subscriptions", order(account={"id": "kid"}))
    assert made["payment_method"]["id"] == "pm-card-0001"


def test_starts_ahead_and_unknown_starts_wait(wire: Wire) -> None:
    later = wire.made("/subscriptions", order(starts="2026-05-01T00:00:00Z"))
    assert (later["status"], later["starts"]) == ("Pending Activation", "2026-05-01T00:00:00Z")
    assert later["most_recent_billing"] is None
    assert (later["next_billing"]["created"], later["next_billing"]["amount"]) == (
        "2026-05-01T00:00:00Z", Decimal("9.99"),
    )  # fmt: skip
    unknown = wire.made("/subscriptions", order(id="unknown", unkonwn_starts=True))  # the service misspells this name
    assert "next_billing" not in unknown
    assert (unknown["status"], unknown["unkonwn_starts"]) == ("Pending Activation", True)
    assert "starts" not in unknown


def test_a_dry_run_stores_nothing(wire: Wire) -> None:
    body = order(account={"id": "fresh", "email": "f@example.com"}, payment_method=CARD)
    result = wire.made("/subscriptions", body, {"dryrun": "true"})
    assert (result["status"], result["most_recent_billing"]["amount"]) == ("Dryrun", Decimal("9.99"))
    for path in ("/subscriptions/new", "/accounts/fresh", f"/transactions/{result['most_recent_billing']['vid']}"):
        assert wire.get(path).status == 404
    assert wire.made("/subscriptions", body)["vid"] != result["vid"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"id": "sub-basic-0001"}, 400),
        ({"account": {}}, 400),
        ({"account": {"id": "nobody"}}, 404),
        ({"billing_plan": {"id": "nothing"}}, 404),
        ({"items": [{"product": {"id": "nothing"}}]}, 404),
        ({"items": [{"quantity": 1}]}, 400),
        ({"items": []}, 200),
        ({"items": [], "billing_plan": {}}, 400),
        ({"payment_method": {"id": "nothing"}}, 404),
        ({"statement_format": "Paper"}, 400),
        ({"items": [{"product": {"id": "prod-basic"}, "campaign_code": "WRONG"}]}, 400),
    ],
)
def test_valid_and_invalid_orders(wire: Wire, change: dict[str, object], status: int) -> None:
    assert wire.post("/subscriptions", order(**change)).status == status


def test_a_promotion_reduces_the_price_for_its_periods(wire: Wire) -> None:
    items = [{"product": {"id": "prod-basic"}, "campaign_code": "SUN"}]
    made = wire.made("/subscriptions", order(items=items))
    assert made["items"]["data"][0]["campaign_id"] == "camp-summer"
    assert "campaign_code" not in made["items"]["data"][0]
    line = made["most_recent_billing"]["items"]["data"][1]
    assert (line["subtotal"], line["discount"], line["total"]) == (Decimal("9.99"), Decimal("-2.00"), Decimal("7.99"))
    assert (line["campaign_id"], line["campaign_description"]) == ("camp-summer", "Summer promotion")
    assert made["most_recent_billing"]["amount"] == Decimal("7.99")
    assert made["next_billing"]["amount"] == Decimal("7.99")


def test_a_coupon_is_redeemed_once_and_never_below_zero(wire: Wire) -> None:
    items = [{"product": {"id": "prod-addon"}, "campaign_code": "FIVE-0001"}]
    made = wire.made("/subscriptions", order(items=items))
    assert made["most_recent_billing"]["amount"] == 0
    assert wire.post("/subscriptions", order(id="again", items=items)).status == 400


def test_a_campaign_for_other_products_is_refused(wire: Wire) -> None:
    wire.made("/campaigns/camp-summer", {"eligible_products": [{"id": "prod-premium"}]})
    items = [{"product": {"id": "prod-basic"}, "campaign_code": "SUMMER"}]
    assert wire.post("/subscriptions", order(items=items)).status == 400
    items = [{"product": {"id": "prod-premium"}, "campaign_code": "SUMMER"}]
    assert wire.post("/subscriptions", order(items=items)).status == 200


def test_a_plan_campaign_is_kept_by_id(wire: Wire) -> None:
    made = wire.made("/subscriptions", order(billing_plan_campaign_code="SUMMER"))
    assert made["billing_plan_campaign_id"] == "camp-summer"
    assert "billing_plan_campaign_code" not in made


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"account": "acct-0001"}, ["sub-basic-0001", "sub-cash-0006"]),
        ({"account": "acct-0001", "include_children": "Yes"}, ["sub-basic-0001", "sub-premium-0002", "sub-cash-0006"]),
        ({"email": "customer-0003@example.com"}, ["sub-trial-0003"]),
        ({"account": "nobody"}, []),
    ],
)
def test_subscriptions_are_listed(wire: Wire, query: dict[str, object], found: list[str]) -> None:
    assert [item["id"] for item in wire.good("/subscriptions", query)["data"]] == found


@pytest.mark.parametrize(
    "more", [{}, {"billing_plan": {"id": "plan-trial-monthly"}}, {"billing_plan": {"id": "plan-annual"}}]
)
def test_a_dry_run_of_a_later_start_shows_the_first_bill(wire: Wire, more: dict[str, object]) -> None:
    body = order(starts="2026-03-10T23:59:59Z", **more)
    told = wire.made("/subscriptions", body, {"dryrun": 1})["next_billing"]
    made = wire.made("/subscriptions", body)["next_billing"]
    assert (made["created"], made["amount"]) == (told["created"], told["amount"])
    wire.sandbox.advance(days=9)
    billed = wire.good("/subscriptions/new")["most_recent_billing"]
    assert (billed["created"][:10], billed["amount"]) == (told["created"][:10], told["amount"])


def test_cancelling_by_default_runs_to_the_end_of_the_period(wire: Wire) -> None:
    result = wire.made("/subscriptions/sub-basic-0001/actions/cancel", None, {"reason_code": "106"})
    assert (result["status"], result["billing_state"]) == ("Pending Cancel", "Billing Completed")
    assert result["ends"] == result["entitled_through"] == "2026-03-10T23:59:59Z"
    assert result["items"]["data"][0]["ends"] == "2026-03-10T00:00:00Z"
    assert "next_billing" not in result
    assert result["cancel_reason"]["reason_code"] == "106"
    assert wire.post("/subscriptions/sub-basic-0001/actions/cancel").status == 400
    assert wire.good("/accounts/acct-0001/entitlements/ent-basic")["state"] is True


def test_disentitling_ends_now(wire: Wire) -> None:
    result = wire.made("/subscriptions/sub-basic-0001/actions/cancel", None, {"disentitle": "Yes"})
    assert (result["status"], result["ends"]) == ("Cancelled", "2026-03-02T09:00:00Z")
    assert result["items"]["data"][0]["ends"] == "2026-03-02T09:00:00Z"
    assert "most_recent_refunds" not in result
    assert wire.good("/accounts/acct-0001/entitlements/ent-basic")["state"] is False


def test_settling_refunds_the_unused_part_by_exact_time(wire: Wire) -> None:
    query = {"disentitle": 1, "settle": 1}
    result = wire.made("/subscriptions/sub-basic-0001/actions/cancel", None, query)
    refund = result["most_recent_refunds"]["data"][0]
    assert refund["amount"] == Decimal("2.85")  # 9.99 * 8 / 28 days
    assert (refund["status"], refund["refund_distribution_strategy"]) == ("Processing", "TaxClassification")
    assert refund["refund_items"]["data"][0]["sku"] == "prod-basic"
    assert log(refund["transaction"])[0] == "Refunded"


def test_settling_refunds_what_the_running_period_cost(wire: Wire) -> None:
    prorated = {"bill_prorated_period": 1}
    wire.made("/subscriptions/sub-basic-0001", {"items": [{"product": {"id": "prod-addon"}}]}, prorated)
    query = {"disentitle": 1, "settle": 1}
    result = wire.made("/subscriptions/sub-basic-0001/actions/cancel", None, query)
    refunds = {refund["transaction"]["amount"]: refund["amount"] for refund in result["most_recent_refunds"]["data"]}
    assert refunds == {Decimal("1.43"): Decimal("1.43"), Decimal("9.99"): Decimal("2.85")}  # 14.98 * 8 / 28 days


def test_settling_a_later_period_refunds_its_own_charge(wire: Wire) -> None:
    wire.sandbox.advance(days=15)
    query = {"disentitle": 1, "settle": 1}
    result = wire.made("/subscriptions/sub-basic-0001/actions/cancel", None, query)
    (refund,) = result["most_recent_refunds"]["data"]
    assert refund["amount"] == Decimal("7.73")  # 9.99 * 24 / 31 days
    assert refund["transaction"]["created"] == "2026-03-10T09:00:00Z"


def test_settling_without_disentitling_refunds_nothing(wire: Wire) -> None:
    result = wire.made("/subscriptions/sub-basic-0001/actions/cancel", None, {"settle": 1})
    assert "most_recent_refunds" not in result


@pytest.mark.parametrize("first", [{}, {"settle": 1}])
def test_settling_after_a_cancellation_at_the_end_of_the_period_refunds_as_much(
    wire: Wire, first: dict[str, object]
) -> None:
    assert "most_recent_refunds" not in wire.made("/subscriptions/sub-premium-0002/actions/cancel", None, first)
    result = wire.made("/subscriptions/sub-premium-0002/actions/cancel", None, {"disentitle": 1, "settle": 1})
    assert [refund["amount"] for refund in result["most_recent_refunds"]["data"]] == [Decimal("83.48")]
    assert (
        wire.post("/subscriptions/sub-premium-0002/actions/cancel", None, {"disentitle": 1, "settle": 1}).status == 400
    )


@pytest.mark.parametrize("pending", [["plan-annual"], ["plan-annual", "plan-monthly"], ["plan-trial-monthly"]])
@pytest.mark.parametrize("first", [False, True])
def test_settling_before_a_change_of_plan_takes_effect_refunds_what_was_paid(
    wire: Wire, pending: list[str], first: bool
) -> None:
    for plan in pending:
        wire.made("/subscriptions/sub-basic-0001", {"billing_plan": {"id": plan}}, {"effective_date": "nextBill"})
    if first:
        wire.made("/subscriptions/sub-basic-0001/actions/cancel")
    result = wire.made("/subscriptions/sub-basic-0001/actions/cancel", None, {"disentitle": 1, "settle": 1})
    assert [refund["amount"] for refund in result["most_recent_refunds"]["data"]] == [Decimal("2.85")]  # no change


def test_going_back_to_the_running_plan_begins_no_second_trial(wire: Wire) -> None:
    wire.sandbox.advance(days=8)
    path, later = "/subscriptions/sub-trial-0003", {"effective_date": "nextBill"}
    before = wire.good(path)["next_billing"]["amount"]
    wire.made(path, {"billing_plan": {"id": "plan-annual"}}, later)
    after = wire.made(path, {"billing_plan": {"id": "plan-trial-monthly"}}, later)
    assert after["next_billing"]["amount"] == before == Decimal("9.99")


def test_a_change_today_credits_the_running_plan_and_not_one_that_was_to_come(wire: Wire) -> None:
    today: dict[str, object] = {"effective_date": "today", "bill_prorated_period": 1, "dryrun": 1}
    path, annual = "/subscriptions/sub-basic-0001", {"billing_plan": {"id": "plan-annual"}}
    wanted = wire.made(path, annual, today)["most_recent_billing"]["amount"]
    wire.made(path, {"billing_plan": {"id": "plan-trial-monthly"}}, {"effective_date": "nextBill"})
    assert wire.made(path, annual, today)["most_recent_billing"]["amount"] == wanted == Decimal("97.14")


def test_settling_a_seeded_pending_cancellation_refunds_the_unused_part(wire: Wire) -> None:
    result = wire.made("/subscriptions/sub-cancelling-0004/actions/cancel", None, {"disentitle": 1, "settle": 1})
    assert [refund["amount"] for refund in result["most_recent_refunds"]["data"]] == [Decimal("6.42")]  # 9.99 * 18 / 28


def test_settling_on_the_last_day_refunds_hours_of_the_product_and_then_nothing(wire: Wire) -> None:
    wire.made("/subscriptions/sub-basic-0001/actions/cancel", None, {})
    before = wire.sandbox.snapshot()
    wire.sandbox.advance(days=7, hours=20)  # to 5:00; the items ended at 0:00, and the paid time ends at 9:00
    result = wire.made("/subscriptions/sub-basic-0001/actions/cancel", None, {"disentitle": 1, "settle": 1})
    assert [refund["amount"] for refund in result["most_recent_refunds"]["data"]] == [Decimal("0.06")]  # 9.99 * 4 / 672
    wire.sandbox.restore(before)
    wire.sandbox.advance(days=8, hours=2)
    result = wire.made("/subscriptions/sub-basic-0001/actions/cancel", None, {"disentitle": 1, "settle": 1})
    assert (result["status"], "most_recent_refunds" in result) == ("Cancelled", False)


def test_a_product_that_was_removed_before_is_not_paid_back(wire: Wire) -> None:
    removal = {"items": [{"product": {"id": "prod-addon"}, "replaced_by": {}}]}
    wire.made("/subscriptions/sub-premium-0002", removal, {"effective_date": "today"})
    ended = wire.made("/subscriptions/sub-premium-0002/actions/cancel")["items"]["data"]
    assert [item["ends"] for item in ended] == ["2026-11-22T00:00:00Z", "2026-03-02T09:00:00Z"]
    wire.sandbox.advance(days=1)
    result = wire.made("/subscriptions/sub-premium-0002/actions/cancel", None, {"disentitle": 1, "settle": 1})
    assert sum(each["amount"] for each in result["most_recent_refunds"]["data"]) < Decimal(80)


def test_a_minimum_commitment_must_be_served_or_forced(wire: Wire) -> None:
    wire.made("/subscriptions", order(minimum_commitment=2))
    assert wire.post("/subscriptions/new/actions/cancel").status == 400
    assert wire.good("/subscriptions/new")["status"] == "Active"
    assert wire.made("/subscriptions/new/actions/cancel", None, {"force": "true"})["status"] == "Pending Cancel"


def test_a_subscription_that_has_not_begun_is_cancelled_at_once(wire: Wire) -> None:
    assert wire.made("/subscriptions/sub-future-0008/actions/cancel")["status"] == "Cancelled"


@pytest.mark.parametrize(
    ("key", "query", "status"),
    [
        ("sub-cancelled-0005", {}, 400),
        ("sub-cancelling-0004", {}, 400),
        ("sub-cancelling-0004", {"disentitle": 1}, 200),
        ("nothing", {}, 404),
        ("sub-basic-0001", {"disentitle": "maybe"}, 400),
        ("sub-basic-0001", {"reason_code": ""}, 400),
        ("sub-basic-0001", {"reason_code": "7"}, 200),
        ("sub-basic-0001", {"reason_code": "r" * 64}, 200),
        ("sub-basic-0001", {"reason_code": "r" * 65}, 400),
        ("sub-basic-0001", {"reason": "x"}, 400),
    ],
)
def test_cancellations(wire: Wire, key: str, query: dict[str, object], status: int) -> None:
    assert wire.post(f"/subscriptions/{key}/actions/cancel", None, query).status == status


def test_delaying_the_next_billing(wire: Wire) -> None:
    path = "/subscriptions/sub-basic-0001/billing_day_changes"
    once = wire.made(path, None, {"to_date": "2026-03-15"})
    assert (once["next_billing"]["created"], once["billing_day"]) == ("2026-03-15T00:00:00Z", 10)
    assert once["ends"] == "2026-03-22T23:59:59Z"
    for_good = wire.made(path, None, {"to_date": "2026-03-20", "perm": "true"})
    assert (for_good["next_billing"]["created"], for_good["billing_day"]) == ("2026-03-20T00:00:00Z", 20)


@pytest.mark.parametrize(
    ("key", "query"),
    [
        ("sub-basic-0001", {}),
        ("sub-basic-0001", {"to_date": "2026-03-10"}),
        ("sub-basic-0001", {"to_date": "soon"}),
        ("sub-cancelled-0005", {"to_date": "2026-03-15"}),
    ],
)
def test_delays_that_are_refused(wire: Wire, key: str, query: dict[str, object]) -> None:
    assert wire.post(f"/subscriptions/{key}/billing_day_changes", None, query).status == 400


def bills(wire: Wire, key: str) -> list[str]:
    """Return the days on which a subscription was billed."""
    found = wire.good("/transactions", {"subscription": key})["data"]
    return sorted(each["created"][:10] for each in found)


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (0, ["2026-03-02", "2026-03-09", "2026-04-09", "2026-05-09"]),
        (24, ["2026-03-26", "2026-04-02", "2026-05-02", "2026-06-02"]),  # the trial ends in the next month
        (
            22,
            ["2026-03-24", "2026-03-31", "2026-04-30", "2026-05-31"],
        ),  # April is shorter, so it's billed on its last day
    ],
)
def test_the_months_behind_a_trial_of_days_are_whole_ones(wire: Wire, days: int, expected: list[str]) -> None:
    wire.sandbox.advance(days=days)
    made = wire.made("/subscriptions", order(billing_plan={"id": "plan-trial-monthly"}, id="sub-tried"))
    assert made["next_billing"]["created"][:10] == expected[1]
    assert made["billing_day"] == int(expected[1][8:])
    wire.sandbox.advance(days=70)
    assert bills(wire, "sub-tried") == expected


def test_a_billing_day_that_was_named_is_kept_behind_a_trial(wire: Wire) -> None:
    body = order(billing_plan={"id": "plan-trial-monthly"}, billing_day=20, id="sub-tried")
    assert wire.made("/subscriptions", body)["billing_day"] == 20
    wire.sandbox.advance(days=50)
    assert bills(wire, "sub-tried") == ["2026-03-02", "2026-03-09", "2026-04-20"]


def test_a_billing_day_that_was_named_ends_with_the_plan_that_it_was_named_for(wire: Wire) -> None:
    wire.made("/subscriptions", order(billing_day=20, id="sub-moved"))
    change = {"billing_plan": {"id": "plan-trial-monthly"}}
    wire.made("/subscriptions/sub-moved", change, {"effective_date": "today", "bill_prorated_period": "1"})
    wire.sandbox.advance(days=50)
    assert bills(wire, "sub-moved") == ["2026-03-02", "2026-03-02", "2026-03-09", "2026-04-09"]


def test_a_first_bill_that_was_delayed_for_good_sets_the_day_of_the_later_ones(wire: Wire) -> None:
    wire.made("/subscriptions", order(billing_plan={"id": "plan-trial-monthly"}, id="sub-tried"))
    wire.made("/subscriptions/sub-tried/billing_day_changes", None, {"to_date": "2026-03-12", "perm": "true"})
    wire.sandbox.advance(days=50)
    assert bills(wire, "sub-tried") == ["2026-03-02", "2026-03-12", "2026-04-12"]


def test_a_first_bill_that_was_delayed_once_leaves_the_later_ones(wire: Wire) -> None:
    wire.made("/subscriptions", order(billing_plan={"id": "plan-trial-monthly"}, id="sub-tried"))
    wire.made("/subscriptions/sub-tried/billing_day_changes", None, {"to_date": "2026-03-12"})
    wire.sandbox.advance(days=50)
    assert bills(wire, "sub-tried") == ["2026-03-02", "2026-03-12", "2026-04-09"]


def test_histories_have_no_cursors(wire: Wire) -> None:
    for name, kind in (
        ("billing_plan_history", "BillingPlanHistory"),
        ("subscription_item_history", "SubscriptionItemHistory"),
    ):
        wire.made("/subscriptions", order(id=name))
        page = wire.good(f"/subscriptions/{name}/{name}")
        assert set(page) == {"object", "data", "total_count", "url"}
        assert page["data"][0]["object"] == kind


def told_of(result: Any) -> str:
    assert result.status == 400
    return str(result.body["message"])


@pytest.mark.parametrize("currency", ["usd", "XXX", "JPY"])
def test_a_product_without_a_price_in_the_currency_is_rejected(wire: Wire, currency: str) -> None:
    told = told_of(wire.post("/subscriptions", order(currency=currency)))
    assert told == f"The product prod-basic has no price in {currency}."
    assert wire.get("/subscriptions/new").status == 404
    own = {"product": {"id": "prod-basic"}, "amount": "5.00"}
    assert wire.made("/subscriptions", order(currency=currency, items=[own]))["most_recent_billing"]["amount"] == 5


def test_a_plan_without_a_price_in_the_currency_is_refused(wire: Wire) -> None:
    free = {"product": {"id": "prod-basic"}, "amount": "5.00"}
    body = order(currency="JPY", items=[free], billing_plan={"id": "plan-annual"})
    assert told_of(wire.post("/subscriptions", body)) == "The billing plan plan-annual has no price in JPY."


@pytest.mark.parametrize("date", ["12/31", "122031", "122012", "2031-12", "203113", "203100", ""])
def test_an_expiration_date_of_another_form_is_refused(wire: Wire, date: str) -> None:
    card = {"type": "CreditCard", "credit_card": {"account": "5555555555554444", "expiration_date": date}}
    told = told_of(wire.post("/payment_methods", card))
    assert told == "PaymentMethod.credit_card.expiration_date must be in the form 203112 (year and month)."


def test_an_unknown_type_of_payment_method_is_rejected(wire: Wire) -> None:
    told = told_of(wire.post("/payment_methods", {"type": "card"}))
    assert told.startswith("PaymentMethod.type must be one of Amazon, ApplePay,")
