"""Sets related fields of random models to consistent values, so that a model with a card has no bank account."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final, TypeAlias, cast

from .field_values import Draw

LEFT_OUT = frozenset(
    {
        # References to other resources of the same class, such as an account's parent. Most resources have none.
        "parent", "replaces", "replaced_by", "bundled_products", "previous_id", "related_transactions",
        # Fields that the service sets only when a resource ends or is reversed.
        "ends", "end_of_life", "cancel_reason", "deactivated_date", "suspended_date", "most_recent_refunds",
        "item_refunds", "refund_items",
        # Fields that only the service sets.
        "billing_plan_campaign_id", "billing_plan_history",
        # Fields of requests, and fields that the specification marks as not implemented or not returned.
        "cvn", "policy", "unkonwn_starts", "billing_plan_campaign_code", "account_level_eligible",
        "purchase_level_eligible",
        # Fields that have no value in most resources.
        "voucher_credit", "credit", "credit_granted", "token", "tokens", "token_amount", "tax_exemptions",
        "discount_tickets", "purchase_level_discount_tickets", "mandate", "validation_status",
    }
)  # fmt: skip
"""Fields that random models contain only if the caller sets them."""
USUAL: Final = object()
"""Marks a field for which the rule has no value, so that the field gets the usual random value."""

Related: TypeAlias = Mapping[str, object]
"""The values of related fields. A value can be `USUAL`, or `None` if the model must not contain the field."""
_Rule: TypeAlias = Callable[[Draw, frozenset[str]], Related]
"""A function that returns the values of related fields, given the random choices and the fields that the caller
sets."""

_INSTRUMENTS = {
    "CreditCard": "credit_card",
    "DirectDebit": "direct_debit",
    "PayPal": "paypal",
    "MerchantAcceptedPayment": "merchant_accepted_payment",
}
_ALL_INSTRUMENTS = (*_INSTRUMENTS.values(), "amazon", "apple_pay", "google_pay", "external_billing", "carrier_billing")
_STOREFRONT_INSTRUMENTS = {
    "CreditCard": "credit_card",
    "DebitCard": "debit_card",
    "MerchantAcceptedPayment": "merchant_accepted_payment",
    "ExternalBilling": "external_billing",
    "CarrierBilling": "carrier_billing",
}
_ACTIVITIES = {
    kind: f"{kind.lower()}_args"
    for kind in ("Cancellation", "Fulfillment", "Login", "Logout", "NamedValue", "Note", "Phone", "URIView", "Usage")
}
_MONTH = timedelta(days=30)


def _one_of(kinds: Mapping[str, str], every: tuple[str, ...]) -> _Rule:
    """Return a rule that chooses a type, such as `CreditCard`, and leaves out the objects of all other types.

    If the caller sets the object of a type, such as `credit_card`, the rule chooses that type.
    """

    def rule(draw: Draw, given: frozenset[str]) -> Related:
        chosen = next((kind for kind, name in kinds.items() if name in given), None)
        if chosen is None:
            chosen = draw.source.choice(list(kinds)) if not given & {*every, "type"} else ""
        values: dict[str, object] = {name: None for name in every}  # noqa: C420  fromkeys has another type
        if chosen:
            values |= {"type": chosen, kinds[chosen]: USUAL}
        return values

    return rule


def _fields(
    fixed: Related | None = None, *, starts: str = "", ends: str = "", money: str = "", zero: str = "", none: str = ""
) -> _Rule:
    """Return a rule that sets groups of fields to common values.

    Args:
        fixed: Fields with constant values.
        starts: Names of the fields that the rule sets to the start of a random period, separated by spaces.
        ends: Names of the fields that the rule sets to the end of the period, which is 30 days after its start.
        money: Names of the fields that the rule sets to the same random amount.
        zero: Names of the fields that the rule sets to 0.00.
        none: Names of the fields that the model doesn't contain.
    """

    def rule(draw: Draw, _: frozenset[str]) -> Related:
        values: dict[str, object] = dict(fixed or {})
        if starts:
            first = draw.timestamp()
            values |= dict.fromkeys(starts.split(), first) | dict.fromkeys(ends.split(), first + _MONTH)
        if money:
            values |= dict.fromkeys(money.split(), draw.amount())
        return values | dict.fromkeys(zero.split(), Decimal("0.00")) | dict.fromkeys(none.split())

    return rule


def _campaign(draw: Draw, given: frozenset[str]) -> Related:
    starts = draw.timestamp()
    values: dict[str, object] = {
        "offer_start_date": starts,
        "offer_end_date": starts + 3 * _MONTH,
        "expiration_date": starts + 6 * _MONTH,
        "state": "Active",
        "stackability": "Stackable",
    }
    kind, none = "Coupon", "percentage_discount promotion_code"
    if "percentage_discount" in given or ("flat_amount_discounts" not in given and draw.source.random() < 0.5):
        kind, none = "Promotion", "flat_amount_discounts coupons"
    return values | {"type": kind} | dict.fromkeys(f"products billing_plans {none}".split())


def _subscription(draw: Draw, given: frozenset[str]) -> Related:
    values = _RUNNING(draw, given)
    return {**values, "billing_day": min(cast("datetime", values["starts"]).day, 28)}


def _entitlement_charge(draw: Draw, given: frozenset[str]) -> Related:
    amount = draw.amount()
    tax = None if "amount" in given else (amount / 5).quantize(Decimal("0.01"))
    # The random amount is positive, so the charge isn't a refund and has no `original_transaction_id`. A caller that
    # sets a negative amount must also set `original_transaction_id`.
    return {"amount": amount, "tax_included": True, "original_transaction_id": None, "tax_amount": tax}


def _entity(kind: str) -> _Rule:
    return _fields({"type": kind, "status": "activated"}, starts="created_date activated_date updated_date")


_ACTIVE = _fields({"status": "Active"})
_RUNNING = _fields(
    {"status": "Active", "billing_state": "Good Standing"},
    starts="created starts",
    ends="entitled_through",
    none="next_billing",
)
_RULES: Mapping[str, _Rule] = {
    "AccountAssociation": _entity("account"),
    "Activity": _one_of(_ACTIVITIES, tuple(_ACTIVITIES.values())),
    "BillingPlan": _ACTIVE,
    "Campaign": _campaign,
    "Entity": _entity("user"),
    "EntitlementCharge": _entitlement_charge,
    "Invoice": _fields(
        {"status": "Due"},
        starts="billing_service_period_start invoice_date",
        ends="billing_service_period_end due_date",
        money="gross_charges_total invoice_balance",
        zero="tax_charges_total credit_total payments_received_total",
        none="invoice_tax_items invoice_payments",
    ),
    "Mandate": _ACTIVE,
    # `CANCELLED` is the only documented billing status, so an active record has no billing status.
    "PartnerSubscription": _fields(starts="created_date updated_date", none="billing_status"),
    # The specification shows only payments with the status `Failure`. The status `Success` is an assumption.
    "Payment": _fields({"status": "Success"}, none="invoice"),
    "PaymentMethod": _one_of(_INSTRUMENTS, _ALL_INSTRUMENTS),
    "Product": _ACTIVE,
    "RatePlan": _ACTIVE,
    "Refund": _fields({"status": "Complete", "refund_distribution_strategy": "None", "token_action": "None"}),
    "StorefrontPaymentMethod": _one_of(_STOREFRONT_INSTRUMENTS, tuple(_STOREFRONT_INSTRUMENTS.values())),
    "Subscription": _subscription,
    "SubscriptionEntity": _entity("subscription"),
    "SubscriptionItem": _fields(starts="created starts", none="cycles cycles_remaining"),
    "Transaction": _fields(
        {"status": "Complete", "billing_attempt": 1, "to_be_captured": True},
        money="amount original_amount subtotal total",
        zero="discount",
        none="items status_log",
    ),
    "TransactionItem": _fields(
        {"item_type": "Purchase", "quantity": Decimal(1)},
        starts="service_period_starts",
        ends="service_period_ends",
        money="price subtotal total",
        none="tax tax_type",
    ),
}


def related(draw: Draw, kind: str, given: frozenset[str]) -> Related:
    """Return consistent values for the related fields of a model.

    Args:
        draw: The source of the random values of the model.
        kind: The name of the model's class.
        given: The names of the fields that the caller sets.
    """
    return _RULES.get(kind, _fields())(draw, given)
