"""Fields that belong together: a card has no bank account, a percentage excludes flat amounts, totals add up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Final, TypeAlias

from .field_values import Draw

LEFT_OUT = frozenset(
    {
        # Models that refer to their own kind: most have none.
        "parent", "replaces", "replaced_by", "bundled_products", "previous_id", "related_transactions",
        # Fields that mark an end or a reversal.
        "ends", "end_of_life", "cancel_reason", "deactivated_date", "suspended_date", "most_recent_refunds",
        "item_refunds", "refund_items",
        # Fields that only the service sets.
        "billing_plan_campaign_id", "billing_plan_history",
        # Fields that only requests carry, or that the specification marks as not implemented or not returned.
        "cvn", "policy", "unkonwn_starts", "billing_plan_campaign_code", "account_level_eligible",
        "purchase_level_eligible",
        # Fields that most resources lack.
        "voucher_credit", "credit", "credit_granted", "token", "tokens", "token_amount", "tax_exemptions",
        "discount_tickets", "purchase_level_discount_tickets", "mandate", "validation_status",
    }
)  # fmt: skip
"""Fields that are set only when asked for."""
USUAL: Final = object()
"""Stands for the value that a field has anyway."""

Belonging: TypeAlias = Mapping[str, object]
"""Values of fields, `USUAL`, or `None` for a field that is left out."""
_Rule: TypeAlias = Callable[[Draw, frozenset[str]], Belonging]
"""Draws fields; it is given the names of those that the caller sets."""

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
    """Set the one sub-object that goes with the type; a given sub-object decides the type."""

    def rule(draw: Draw, given: frozenset[str]) -> Belonging:
        chosen = next((kind for kind, name in kinds.items() if name in given), None)
        if chosen is None:
            chosen = draw.source.choice(list(kinds)) if not given & {*every, "type"} else ""
        values: dict[str, object] = {name: None for name in every}  # noqa: C420  fromkeys has another type
        if chosen:
            values |= {"type": chosen, kinds[chosen]: USUAL}
        return values

    return rule


def _campaign(draw: Draw, given: frozenset[str]) -> Belonging:
    starts = draw.timestamp()
    window: dict[str, object] = {
        "offer_start_date": starts,
        "offer_end_date": starts + 3 * _MONTH,
        "expiration_date": starts + 6 * _MONTH,
        "state": "Active",
        "stackability": "Stackable",
        "products": None,
        "billing_plans": None,
    }
    if "percentage_discount" in given or ("flat_amount_discounts" not in given and draw.source.random() < 0.5):
        return {**window, "type": "Promotion", "flat_amount_discounts": None, "coupons": None}
    return {**window, "type": "Coupon", "percentage_discount": None, "promotion_code": None}


def _subscription(draw: Draw, _: frozenset[str]) -> Belonging:
    starts = draw.timestamp()
    return {
        "status": "Active",
        "billing_state": "Good Standing",
        "created": starts,
        "starts": starts,
        "entitled_through": starts + _MONTH,
        "billing_day": min(starts.day, 28),
        "next_billing": None,
    }


def _subscription_item(draw: Draw, _: frozenset[str]) -> Belonging:
    starts = draw.timestamp()
    return {"created": starts, "starts": starts, "cycles": None, "cycles_remaining": None}


def _transaction(draw: Draw, _: frozenset[str]) -> Belonging:
    amount = draw.amount()
    return {
        "status": "Complete",
        "amount": amount,
        "original_amount": amount,
        "subtotal": amount,
        "total": amount,
        "discount": Decimal("0.00"),
        "billing_attempt": 1,
        "to_be_captured": True,
        "items": None,
        "status_log": None,
    }


def _transaction_item(draw: Draw, _: frozenset[str]) -> Belonging:
    price = draw.amount()
    starts = draw.timestamp()
    return {
        "item_type": "Purchase",
        "price": price,
        "quantity": Decimal(1),
        "subtotal": price,
        "total": price,
        "tax": None,
        "tax_type": None,
        "service_period_starts": starts,
        "service_period_ends": starts + _MONTH,
    }


def _invoice(draw: Draw, _: frozenset[str]) -> Belonging:
    starts, charges = draw.timestamp(), draw.amount()
    return {
        "status": "Due",
        "billing_service_period_start": starts,
        "billing_service_period_end": starts + _MONTH,
        "invoice_date": starts,
        "due_date": starts + _MONTH,
        "gross_charges_total": charges,
        "invoice_balance": charges,
        "tax_charges_total": Decimal("0.00"),
        "credit_total": Decimal("0.00"),
        "payments_received_total": Decimal("0.00"),
        "invoice_tax_items": None,
        "invoice_payments": None,
    }


def _entitlement_charge(draw: Draw, given: frozenset[str]) -> Belonging:
    amount = draw.amount()
    tax = {"tax_amount": (amount / 5).quantize(Decimal("0.01"))} if "amount" not in given else {"tax_amount": None}
    # A given negative amount needs the charge that it refunds, which only the caller knows.
    return {"amount": amount, "tax_included": True, "original_transaction_id": None, **tax}


def _partner_subscription(draw: Draw, _: frozenset[str]) -> Belonging:
    created = draw.timestamp()
    # `CANCELLED` is the only documented value, so an active record has none.
    return {"billing_status": None, "created_date": created, "updated_date": created}


def _entity(kind: str) -> _Rule:
    def rule(draw: Draw, _: frozenset[str]) -> Belonging:
        created = draw.timestamp()
        return {
            "type": kind,
            "status": "activated",
            "created_date": created,
            "activated_date": created,
            "updated_date": created,
        }

    return rule


def _always(**values: object) -> _Rule:
    return lambda _draw, _given: values


_RULES: Mapping[str, _Rule] = {
    "AccountAssociation": _entity("account"),
    "Activity": _one_of(_ACTIVITIES, tuple(_ACTIVITIES.values())),
    "BillingPlan": _always(status="Active"),
    "Campaign": _campaign,
    "Entity": _entity("user"),
    "EntitlementCharge": _entitlement_charge,
    "Invoice": _invoice,
    "Mandate": _always(status="Active"),
    "PartnerSubscription": _partner_subscription,
    # Values of a payment's status other than `Failure` are not shown; the sandbox uses the same word.
    "Payment": _always(status="Success", invoice=None),
    "PaymentMethod": _one_of(_INSTRUMENTS, _ALL_INSTRUMENTS),
    "Product": _always(status="Active"),
    "RatePlan": _always(status="Active"),
    "Refund": _always(status="Complete", refund_distribution_strategy="None", token_action="None"),  # noqa: S106  no password: what becomes of tokens
    "StorefrontPaymentMethod": _one_of(_STOREFRONT_INSTRUMENTS, tuple(_STOREFRONT_INSTRUMENTS.values())),
    "Subscription": _subscription,
    "SubscriptionEntity": _entity("subscription"),
    "SubscriptionItem": _subscription_item,
    "Transaction": _transaction,
    "TransactionItem": _transaction_item,
}


def together(draw: Draw, kind: str, given: frozenset[str]) -> Belonging:
    """Draw the fields of a resource that must agree with each other.

    Args:
        draw: The choices of the resource.
        kind: Name of its class.
        given: Names of the fields that the caller sets.
    """
    return _RULES.get(kind, _always())(draw, given)
