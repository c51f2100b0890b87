"""Checks that the models can parse every response of the sandbox, and that they know all of its fields."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

import pytest

import subscribekit.models as models
from sandbox.wire import CREDENTIALS, REST, Wire
from subscribekit._json import decode
from subscribekit.models import Model, ModelList
from subscribekit.models._base import read
from subscribekit.sandbox import SandboxRequest
from subscribekit.sandbox.billing import shapes
from subscribekit.sandbox.store import CONVENTIONAL_COLLECTIONS

# The specification defines only the end of this attribute's key.
OPEN_ENDING = ".account.AccountNumber"
# These models are for parts of other resources, so they don't have the common fields of resources.
EMBEDDED = frozenset({"CancelReason", "DiscountTicket"})

FAMILIES = {
    "accounts": "Account",
    "activities": "Activity",
    "billing_plans": "BillingPlan",
    "campaigns": "Campaign",
    "entitlements": "Entitlement",
    "event_summaries": "EventSummary",
    "invoices": "Invoice",
    "payment_methods": "PaymentMethod",
    "payments": "Payment",
    "products": "Product",
    "rate_plans": "RatePlan",
    "refunds": "Refund",
    "season_sets": "SeasonSet",
    "subscriptions": "Subscription",
    "tokens": "Token",
    "transactions": "Transaction",
}


def raw(wire: Wire, group: str, method: str, path: str, body: object = None) -> object:
    query = (("limit", "100"),) if method == "GET" and group == "billing" and path.count("/") == 1 else ()
    sent = b"" if body is None else json.dumps(body).encode()
    answer = wire.sandbox.handle(SandboxRequest(group, method, path, query, dict(CREDENTIALS[group]), sent))  # type: ignore[arg-type]  # a literal
    assert answer.status == 200, answer.body
    return decode(answer.body)


def unknown(value: object, path: str) -> Iterator[str]:
    if isinstance(value, Model):
        extra = [name for name in value.model_extra or {} if not name.endswith(OPEN_ENDING)]
        # According to the specification, an EventSummary has diagnostic keys that start with an underscore.
        yield from (f"{path}.{name}" for name in extra if not (path.endswith("rated_unit") and name.startswith("_")))
        for name in type(value).model_fields:
            yield from unknown(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, list | ModelList):
        for item in cast("list[object]", value):
            yield from unknown(item, f"{path}[]")


def check(kind: str, answer: object) -> Model:
    model: Model = read(getattr(models, kind), answer)
    assert list(unknown(model, kind)) == []
    return model


@pytest.fixture
def busy() -> Wire:
    """Return a sandbox that contains resources of every kind, after a year has passed."""
    wire = Wire()
    card = {"type": "CreditCard", "credit_card": {"account": "5555555555554444"}, "policy": {"validate": 1}}
    order = {
        "id": "new",
        "account": {"id": "acct-0009"},
        "billing_plan": {"id": "plan-trial-monthly"},
        "items": [{"id": "one", "product": {"id": "prod-basic"}, "campaign_code": "SUMMER"}],
        "payment_method": card,
    }
    wire.made("/subscriptions", order)
    wire.made("/subscriptions", {**order, "id": "waiting", "account": {"id": "acct-0024"}, "payment_method": None})
    change = {"id": "two", "product": {"id": "prod-premium"}, "replaces": {"id": "one"}}
    wire.made("/subscriptions/new", {"items": [change]}, {"effective_date": "nextBill"})
    prorated = {"bill_prorated_period": 1}
    remove = {"product": {"id": "prod-addon"}, "replaced_by": {}}
    wire.made("/subscriptions/sub-premium-0002", {"items": [remove]}, prorated)
    wire.made("/subscriptions/sub-basic-0001/actions/cancel", None, {"disentitle": 1, "settle": 1, "reason_code": 106})
    grant = {
        "currency_amounts": [{"currency": "USD", "amount": 5, "metadata": {"a": "b"}}],
        "token_amounts": [{"token": {"id": "purchasePoints"}, "amount": 2}],
    }
    wire.made("/accounts/acct-0001/credits", grant)
    wire.made("/accounts/acct-0001/entitlements", {"id": "gift", "description": "x"})
    for kind in ("Note", "Login"):
        args = {f"{kind.lower()}_args": {"note": "x"} if kind == "Note" else {"ip": "1"}}
        wire.made("/activities", {"type": kind, "account": {"id": "acct-0001"}, "timestamp": "2026-03-01", **args})
    body = {"amount": 1, "subscription": "sub-cash-0006", "payment_method": {"id": "pm-cash-0001"}}
    wire.made("/payments", {**body, "invoice": "sub-cash-0006-00000000"})
    wire.made("/transactions/txn-pay-card-0002/refunds", {"amount": 1, "refund_items": []})
    wire.sandbox.advance(days=365)
    return wire


@pytest.mark.parametrize(("name", "kind"), FAMILIES.items())
def test_the_model_knows_every_field_of_every_resource(busy: Wire, name: str, kind: str) -> None:
    page = cast("dict[str, list[object]]", raw(busy, "billing", "GET", f"/{name}"))
    assert page["data"]
    for resource in page["data"]:
        check(kind, resource)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/accounts/acct-0001/credits", "Credit"),
        ("/accounts/acct-0003/credits", "Credit"),
        ("/accounts/acct-0001/entitlements/gift", "EntitlementCheck"),
    ],
)
def test_the_model_knows_every_field_of_other_responses(busy: Wire, path: str, kind: str) -> None:
    check(kind, raw(busy, "billing", "GET", path))


@pytest.mark.parametrize(
    ("name", "kind"),
    [("billing_plan_history", "BillingPlanHistory"), ("subscription_item_history", "SubscriptionItemHistory")],
)
def test_the_model_knows_every_field_of_a_history(busy: Wire, name: str, kind: str) -> None:
    page = cast("dict[str, list[object]]", raw(busy, "billing", "GET", f"/subscriptions/new/{name}"))
    assert page["data"]
    for entry in page["data"]:
        check(kind, entry)


def test_the_models_know_every_field_of_the_other_apis(busy: Wire) -> None:
    check("Subscription", raw(busy, "gateway", "GET", "/submgmt/v2/subscriptions/new"))
    cancel = "/partnersub/v2/partnerSubscription/psub-billing-0001/cancel"
    check("PartnerSubscription", raw(busy, "gateway", "POST", cancel))
    charge = "/v1/entitlement/psub-entitlement-0001/charge"
    check("EntitlementChargeReceipt", raw(busy, "gateway", "POST", charge, {"amount": 1}))
    for account in cast("list[object]", raw(busy, "user_mgmt", "GET", f"{REST}/user/accounts")):
        check("AccountAssociation", account)
    for target in ("runtimes", "groups", "subscriptions"):
        for entity in cast("list[object]", raw(busy, "user_mgmt", "GET", f"{REST}/user/{target}")):
            check("Entity", entity)
    for number in (1, 9, 22, 23, 24):
        key = {
            1: "pm-cash-0001",
            9: "pm-card-0009",
            22: "pm-carrier-0022",
            23: "pm-external-0023",
            24: "pm-paypal-0024",
        }
        path = f"/storefront/paymentMethod/account/acct-{number:04d}"
        check("StorefrontPaymentMethod", raw(busy, "storefront", "PUT", path, {"paymentMethodId": key[number]}))


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, kind in CONVENTIONAL_COLLECTIONS.items()])
def test_resources_that_are_only_named_have_models(name: str, kind: str) -> None:
    wire = Wire()
    made = raw(wire, "billing", "POST", f"/{name}", {"id": "one"})
    assert isinstance(made, dict)
    if kind not in EMBEDDED:
        check(kind, made)
    assert made["object"] == kind


def test_the_table_of_shapes_names_only_shapes_of_its_own() -> None:
    named = {field.shape for shape in shapes.SHAPES.values() for field in shape.fields.values() if field.shape}
    assert named - {"Text"} <= set(shapes.SHAPES)  # `Text` marks a list of strings, which isn't in SHAPES
    assert {name.partition(".")[0] for name in shapes._RESTRICTED} | set(shapes._OBJECT_NAMES) <= set(shapes.SHAPES)
