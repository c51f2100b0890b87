"""Calls for the examples that the contract tests don't cover: rare objects, and each kind of error."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kit.calls import Group
from sandbox.wire import CREDENTIALS, Wire
from subscribekit.sandbox.faults import rate_limited, server_error

ADDRESS = {
    "name": "A. Holder", "line1": "1 Main Street", "city": "Austin", "district": "TX", "postal_code": "78701",
    "country": "US", "latitude": 30.27, "longitude": -97.74, "tax_area_identifier": 44,
}  # fmt: skip
TICKET = {"id": "ticket-1", "start_billing_sequence": 1, "campaign_id": "camp-summer"}
CREDIT = {
    "token_amounts": [{"token": {"id": "purchasePoints"}, "amount": 5}],
    "currency_amounts": [{"amount": 2.5, "currency": "USD", "reason": "late delivery"}],
}
CARD = {
    "account": "4111111111111111", "expiration_date": "203112", "hash_type": "sha1",
    "extended_card_attributes": {"commercial_card": 0, "prepaid_card": 1, "country_of_issuance": "US"},
}  # fmt: skip
CARRIER = {
    "phone_number": {"phone_type": "CS", "country_code": "1", "area_code": "512", "local_number": "5550100"},
    "carrier": "Example Mobile",
    "payment_provider": {"name": "Example Pay", "dispute_email": "disputes@example.com", "auth_expiration_days": 7},
    "currency": "USD",
    "country_code": "US",
    "price_criteria": {"price_point_deviation_policy": "HiOnly", "dynamic_price_mode": "PayoutGross"},
    "customer_identifier_type": "Web",
}
VALIDATED = {
    "status": "New",
    "payment_method_type": "CreditCard",
    "credit_card_status": {"auth_code": "100", "extended_card_attributes": {"prepaid_card": 1}},
    "paypal_status": {"token": "EC-1", "redirect_url": "https://paypal.example/EC-1"},
    "direct_debit_status": {"object": "TransactionStatusDirectDebit"},
}
METHODS: dict[str, dict[str, Any]] = {
    "card": {
        "type": "CreditCard", "credit_card": CARD, "billing_address": ADDRESS, "validation_status": VALIDATED,
        "policy": {"validate": True, "min_chargeback_probability": 90},
    },
    "debit-card": {"type": "DebitCard", "credit_card": CARD},
    "debit": {
        "type": "DirectDebit", "direct_debit": {"account": "1234567890", "country_code": "FR", "rib_code": "97"},
    },
    "paypal": {"type": "PayPal", "paypal": {"return_url": "https://shop.example/back", "request_reference_id": True}},
    "amazon": {"type": "Amazon", "amazon": {"object": "Amazon"}},
    "apple": {"type": "ApplePay", "apple_pay": {"object": "ApplePay"}},
    "google": {"type": "GooglePay", "google_pay": {"object": "GooglePay"}},
    "cash": {
        "type": "MerchantAcceptedPayment", "merchant_accepted_payment": {"account": "cash-9", "payment_type": "Cash"},
    },
    "external": {
        "type": "ExternalBilling",
        "external_billing": {"bill_receiver": "Reseller", "payment_channel": "web", "financial_account": "4000"},
    },
    "carrier": {"type": "CarrierBilling", "carrier_billing": CARRIER},
}  # fmt: skip
ACTIVITIES: dict[str, dict[str, Any]] = {
    "Cancellation": {"reason": "moved away", "initiator": "Customer", "confirmation_code": 7},
    "Fulfillment": {"shipper": "Example Post", "shipping_address": ADDRESS, "delivered": True},
    "Login": {"ip": "192.0.2.1"},
    "Logout": {"ip": "192.0.2.1"},
    "NamedValue": {"type": "text", "name": "channel", "value": "films"},
    "Phone": {"type": "FromCustomerToMerchant", "duration_seconds": 61, "note": "asked for a refund"},
    "URIView": {"ip": "192.0.2.1", "uri": "https://shop.example/", "size": 512},
    "Usage": {"description": "minutes", "total": 90, "last_month": 40},
}
AT = "2026-03-02T09:00:00Z"
ENTITLEMENT = {"id": "ent-basic", "description": "Basic"}
SUBSCRIPTION = {
    "id": "sub-shown",
    "account": {"id": "acct-shown", "email": "shown@example.com"},
    "billing_plan": {"id": "plan-monthly", "season_set": {"id": "season-football"}},
    "items": [{"product": {"id": "prod-basic", "default_rate_plan": {"id": "rate-api-calls"}}, "campaign_code": ""}],
    "credit": CREDIT,
    "mandate": {"identifier": "MND-1", "status": "Active"},
    "cancel_reason": {"reason_code": "100", "description": "Too expensive"},
    "policy": {"ignore_avs_policy": True, "min_chargeback_probability": 90},
    "next_billing": {"id": "t-next", "amount": 9.99, "currency": "USD"},
    "most_recent_refunds": [{"id": "r-shown", "amount": 1, "currency": "USD"}],
    "billing_plan_history": [{"starts": "2026-03-01T00:00:00Z", "billing_plan": {"id": "plan-monthly"}}],
}
SOLD = {"items": [{"sku": "one", "name": "One", "price": 5, "quantity": 1}], "currency": "USD"}
TRANSACTION = {
    "id": "t-shown",
    "account": {"id": "acct-0009"},
    "currency": "USD",
    "items": [
        {
            "sku": "sku-1", "name": "Thing", "price": 9.5, "quantity": 2,
            "tax": [{"jurisdiction": "State", "name": "Sales tax", "amount": 0.5, "tax_rate": 5}],
            "item_refunds": [{"amount": 1, "tax": 0, "tax_only": False, "refund": {"id": "r-shown"}}],
        }
    ],
    "score_codes": [{"id": "1", "description": "Known customer"}],
    "status_log": [VALIDATED],
    "policy": {"ignore_avs_policy": True, "min_chargeback_probability": 90},
    "subscription": {"id": "sub-shown"},
    "mandate": {"identifier": "MND-1", "status": "Active"},
    "purchase_level_discount_tickets": [TICKET],
    "to_be_captured": True,
}  # fmt: skip
BODIES: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("/payment_methods", {"id": f"pm-{name}", **body}) for name, body in METHODS.items()),
    *(
        ("/activities", {"type": name, "timestamp": AT, "account": {"id": "acct-0009"}, f"{name.lower()}_args": body})
        for name, body in ACTIVITIES.items()
    ),
    (
        "/accounts",
        {
            "id": "acct-shown",
            "shipping_address": ADDRESS,
            "tax_exemptions": [{"region": "US-TX", "exemption_id": "TX-1", "active": True}],
            "tokens": [{"token": {"id": "purchasePoints"}, "amount": 5}],
            "credit": [CREDIT],
            "entitlements": [ENTITLEMENT],
            "discount_tickets": [TICKET],
            "payment_methods": [{"id": "pm-shown", **METHODS["card"]}],
        },
    ),
    (
        "/campaigns",
        {
            "id": "camp-shown",
            "type": "Coupon",
            "flat_amount_discounts": [{"currency": "USD", "amount": 5}],
            "coupons": [{"id": "coupon-1", "index": 0, "codes_requested": 3, "coupon_prefix": "NEW"}],
            "voucher_credit": CREDIT,
            "eligible_products": [{"id": "prod-basic", "default_rate_plan": {"id": "rate-api-calls"}}],
        },
    ),
    ("/billing_plans", {"id": "plan-shown", "season_set": {"id": "season-football"}, "entitlements": [ENTITLEMENT]}),
    ("/products", {"id": "prod-shown", "default_rate_plan": {"id": "rate-api-calls"}, "credit_granted": CREDIT}),
    ("/subscriptions", SUBSCRIPTION),
    ("/transactions", TRANSACTION),
    ("/transactions/t-new/refunds", {"id": "r-shown", "refund_items": [{"sku": "sku-1", "amount": 1}]}),
)


@dataclass(frozen=True)
class Refused:
    """A request that the sandbox rejects with the given status."""

    status: int
    group: Group
    method: str
    path: str
    query: dict[str, object] = field(default_factory=dict[str, object])
    body: Any = None
    credential: dict[str, str] | None = None
    fault: Any = None


ACCOUNTS = "/platform/rest/v85/user/accounts"
CHARGE = "/v1/entitlement/psub-entitlement-0001/charge"
STOREFRONT = "/storefront/paymentMethod/account"
WRONG_KEY = {"authorization": "Basic d3Jvbmc6d3Jvbmc="}
SESSION = {"content-type": "application/json"}
REFUSED: tuple[Refused, ...] = (
    Refused(400, "billing", "GET", "/accounts", {"limit": 101}),
    Refused(401, "billing", "GET", "/accounts", credential={}),
    Refused(402, "billing", "POST", "/transactions", body={"id": "t-no", "account": {"id": "acct-0025"}, **SOLD}),
    Refused(403, "billing", "GET", "/accounts", credential=WRONG_KEY),
    Refused(404, "billing", "GET", "/accounts/nobody"),
    Refused(429, "billing", "GET", "/accounts", fault=rate_limited()),
    Refused(500, "billing", "GET", "/accounts", fault=server_error()),
    Refused(503, "billing", "GET", "/accounts", fault=server_error(503)),
    Refused(400, "gateway", "POST", CHARGE, body={"transactionId": "t" * 129}),
    Refused(401, "gateway", "POST", CHARGE, credential={}),
    Refused(404, "gateway", "GET", "/submgmt/v2/subscriptions/nothing"),
    Refused(500, "gateway", "POST", CHARGE, fault=server_error()),
    Refused(400, "user_mgmt", "GET", ACCOUNTS, {"size": 101}),
    Refused(401, "user_mgmt", "GET", ACCOUNTS, credential=SESSION),
    Refused(404, "user_mgmt", "GET", "/platform/rest/v85/user/nobody/accounts"),
    Refused(500, "user_mgmt", "GET", ACCOUNTS, fault=server_error()),
    Refused(400, "storefront", "PUT", f"{STOREFRONT}/acct-0001", body={"primary": True}),
    Refused(401, "storefront", "PUT", f"{STOREFRONT}/acct-0001", credential={}),
    Refused(404, "storefront", "PUT", f"{STOREFRONT}/nobody", body={"paymentMethodId": "pm-shown"}),
    Refused(500, "storefront", "PUT", f"{STOREFRONT}/acct-0001", fault=server_error()),
)


def show(wire: Wire) -> None:
    """Make every call of this module."""
    charge = {"transactionId": "t-0001", "amount": 4.9, "currency": "USD", "productCode": "film"}
    assert wire.call("gateway", "POST", CHARGE, body=charge).status == 200
    for path, body in BODIES:
        wire.made(path, body)
    wire.made("/accounts/acct-shown", {"metadata": {"channel": "web"}})
    for method in ("pm-card", "pm-debit-card", "pm-external", "pm-carrier"):
        wire.made("/accounts/acct-shown", {"payment_methods": [{"id": method}]})
        body = {"paymentMethodId": method, "active": True}
        assert wire.call("storefront", "PUT", f"{STOREFRONT}/acct-shown", body=body).status == 200
    for name in ("activities", "entitlements", "invoices"):
        listed = wire.good(f"/{name}")["data"][0]
        wire.good(f"/{name}/{listed.get('id') or listed['vid']}")
    wire.good(f"/event_summaries/{next(iter(wire.sandbox.service.store['usage']))['vid']}")
    for each in REFUSED:
        refuse(wire, each)


def refuse(wire: Wire, wanted: Refused) -> None:
    """Send a request, and check that the sandbox rejects it with the expected status."""
    if wanted.fault is not None:
        wire.sandbox.faults.add((wanted.method, wanted.path), wanted.fault)
    headers = CREDENTIALS[wanted.group] if wanted.credential is None else wanted.credential
    found = wire.call(
        wanted.group, wanted.method, wanted.path, wanted.query, wanted.body, headers=headers, credentials=False
    )
    assert found.status == wanted.status, (wanted, found)
