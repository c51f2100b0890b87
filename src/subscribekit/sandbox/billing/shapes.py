"""The table of group A shapes that request bodies are read by.

Field names and enumerations come from the specification; those of Refund, Payment, RatePlan, TransactionItem and
Activity, which it does not show, come from published samples. Complete value sets that are "not shown" stay open.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..http.schema import (
    ANY,
    BOOLEAN,
    IDENTIFIER,
    INTEGER,
    NUMBER,
    TEXT,
    TIMESTAMP,
    Field,
    Reader,
    Shape,
    many,
    one,
    one_of,
)
from ..store import CONVENTIONAL_COLLECTIONS

CAMPAIGN_STATES = ("Active", "Canceled", "Complete", "Inactive", "MatchAnyState", "Pending", "Undefined")
SUBSCRIPTION_STATUSES = (
    "Pending Activation",
    "Active",
    "Pending Cancel",
    "Cancelled",
    "Expired",
    "Processing",
    "Deleted",
    "Dryrun",
    "Unknown",
    "Upgraded",
    "Legacy Suspended",
    "Bogus AutoBill Status",
    "Paused",
    "Pending Pause",
)
BILLING_STATES = (
    "Free/Trial",
    "Billing Completed",
    "Failed To Collect",
    "Free Period",
    "Bogus BillingState",
    "Paused",
    "Good Standing",
    "Grace Period",
    "In Retry",
    "Legacy Unknown BillingState",
    "Overdue",
    "Pending Acceptance",
    "Terminated",
    "Unbilled",
    "Unknown",
    "Unusable PaymentMethod",
    "Pending Resume",
    "Pending Pause",
)
CAMPAIGN_TYPES = ("Coupon", "Promotion", "Undefined", "Voucher")
ACTIVITY_TYPES = (
    "Cancellation",
    "Fulfillment",
    "Login",
    "Logout",
    "NamedValue",
    "Note",
    "Phone",
    "URIView",
    "Usage",
)
OVERAGE_DISPOSITIONS = (
    "applyToThisAutoBill",
    "applytoOldestInvoice",
    "applyToOldestInvoice",
    "applytoCredit",
    "applyToCredit",
)

_COMMON: dict[str, Field] = {"id": IDENTIFIER, "vid": IDENTIFIER, "created": TIMESTAMP, "metadata": ANY, "url": TEXT}


def _shape(name: str, fields: Mapping[str, Field] | None = None, /, **more: Field) -> Shape:
    return Shape(name, _COMMON | dict(fields or {}) | more)


_ADDRESS = _shape("Address", latitude=NUMBER, longitude=NUMBER, tax_area_identifier=INTEGER)

_ACCOUNT = _shape(
    "Account",
    external_id=TEXT,
    parent=one("AccountReference"),
    default_currency=TEXT,
    email=TEXT,
    email_type=TEXT,
    language=TEXT,
    notify_before_billing=BOOLEAN,
    shipping_address=one("Address"),
    payment_methods=many("PaymentMethod"),
    tax_exemptions=many("TaxExemption"),
    tokens=many("TokenAmount"),
    credit=many("Credit"),
    entitlements=many("Entitlement"),
)

# Enumerated, says the specification, and shows two. The others are published; the name for Google Pay is assumed.
_METHOD_TYPES = (
    "Amazon", "ApplePay", "Boleto", "CarrierBilling", "CreditCard", "DebitCard", "DirectDebit", "ECP",
    "ExternalBilling", "GooglePay", "HostedPage", "MerchantAcceptedPayment", "MilitaryStar", "PayPal", "Skrill",
    "Token",
)  # fmt: skip
_YEAR_AND_MONTH = Field(form="(19|20)[0-9]{2}(0[1-9]|1[0-2])", example="203112, year and month")

_PAYMENT_METHOD = _shape(
    "PaymentMethod",
    type=one_of(*_METHOD_TYPES),
    credit_card=one("CreditCard"),
    direct_debit=one("DirectDebit"),
    paypal=one("PayPal"),
    merchant_accepted_payment=one("MerchantAcceptedPayment"),
    carrier_billing=one("CarrierBilling"),
    external_billing=one("ExternalBilling"),
    account_holder=TEXT,
    billing_address=one("Address"),
    primary=BOOLEAN,
    active=BOOLEAN,
)

_CAMPAIGN = _shape(
    "Campaign",
    name=TEXT,
    description=TEXT,
    state=one_of(*CAMPAIGN_STATES),
    offer_start_date=TIMESTAMP,
    offer_end_date=TIMESTAMP,
    type=one_of(*CAMPAIGN_TYPES),
    percentage_discount=NUMBER,
    flat_amount_discounts=many("FlatAmountDiscount"),
    products=many("Product"),
    eligible_products=many("Product"),
    billing_plans=many("BillingPlan"),
    eligible_billing_plans=many("BillingPlan"),
    restrict_to_new_subscription=BOOLEAN,
    expiration_date=TIMESTAMP,
    number_of_periods=INTEGER,
    period_length=one_of("Day", "Week", "Month", "Year", "Hour", "BillingCycle"),
    promotion_code=TEXT,
    promotion_code_aliases=many("Text"),
    campaign_discount_method=one_of("Compounded", "Direct"),
    apply_discount_per_item=BOOLEAN,
    max_redemptions_per_customer=INTEGER,
    max_redemptions_per_autobill=INTEGER,
    stackability=one_of("Unspecified", "Stackable", "Unstackable"),
    total_code_marked_used=INTEGER,
    max_redemptions=INTEGER,
    coupon_code_quantity=INTEGER,
    coupon_code_requires_activation=BOOLEAN,
    on_demand_codes_allowed=BOOLEAN,
    coupons=many("CampaignCoupon"),
    voucher_credit=one("Credit"),
    apply_voucher_pre_transaction=BOOLEAN,
    account_level_eligible=BOOLEAN,
    purchase_level_eligible=BOOLEAN,
)

_SUBSCRIPTION = _shape(
    "Subscription",
    account=one("Account"),
    status=one_of(*SUBSCRIPTION_STATUSES),
    billing_state=one_of(*BILLING_STATES),
    credit=one("Credit"),
    items=many("SubscriptionItem"),
    billing_plan=one("BillingPlan"),
    payment_method=one("PaymentMethod"),
    source_payment_method=one("PaymentMethod"),
    starts=TIMESTAMP,
    ends=TIMESTAMP,
    billing_day=INTEGER,
    minimum_commitment=INTEGER,
    notify_on_transition=BOOLEAN,
    statement_format=one_of("Attachment", "DoNotSend", "Inline"),
    invoice_terms=INTEGER,
    statement_offset=INTEGER,
    unkonwn_starts=BOOLEAN,  # sic
    billing_plan_campaign_code=TEXT,
    policy=ANY,
)

_SUBSCRIPTION_ITEM = _shape(
    "SubscriptionItem",
    index=INTEGER,
    product=one("Product"),
    amount=NUMBER,
    rate_plan=one("RatePlan"),
    quantity=INTEGER,
    token=one("Token"),
    cycles=INTEGER,
    cycles_remaining=INTEGER,
    starts=TIMESTAMP,
    ends=TIMESTAMP,
    campaign_code=TEXT,
    replaces=one("SubscriptionItem"),
    replaced_by=one("SubscriptionItem"),
)

_PRODUCT = _shape(
    "Product",
    descriptions=many("ProductDescription"),
    status=TEXT,
    default_billing_plan=one("BillingPlan"),
    default_rate_plan=one("RatePlan"),
    end_of_life=TIMESTAMP,
    entitlements=many("Entitlement"),
    credit_granted=one("Credit"),
    prices=many("Price"),
)

_BILLING_PLAN = _shape(
    "BillingPlan",
    status=TEXT,
    trial=one("BillingPlanPeriod"),
    periods=many("BillingPlanPeriod"),
    billing_notification_days=INTEGER,
    trial_end_notification_days=INTEGER,
    skip_initial_billing_notification=BOOLEAN,
    end_of_life=TIMESTAMP,
    entitlements=many("Entitlement"),
    times_to_run=TEXT,
    days_before_season_to_bill=INTEGER,
    days_entitled_before_season=INTEGER,
    days_entitled_after_season=INTEGER,
    entitled_off_season=BOOLEAN,
    grace_period_override=INTEGER,
)

_TRANSACTION = _shape(
    "Transaction",
    amount=NUMBER,
    account=one("Account"),
    source_payment_method=one("PaymentMethod"),
    items=many("TransactionItem"),
    sales_tax_address=one("Address"),
    shipping_address=one("Address"),
    policy=ANY,
    to_be_captured=BOOLEAN,
)

SHAPES: dict[str, Shape] = {
    "Account": _ACCOUNT,
    "AccountReference": _shape("Account"),
    "Activity": _shape(
        "Activity",
        account=one("AccountReference"),
        timestamp=TIMESTAMP,
        type=one_of(*ACTIVITY_TYPES),
        cancellation_args=one("ActivityCancellation"),
        fulfillment_args=one("ActivityFulfillment"),
        login_args=one("ActivityLogin"),
        logout_args=one("ActivityLogout"),
        namedvalue_args=one("ActivityNamedValue"),
        note_args=one("ActivityNote"),
        phone_args=one("ActivityPhone"),
        uriview_args=one("ActivityURIView"),
        usage_args=one("ActivityUsage"),
    ),
    "ActivityCancellation": Shape("ActivityCancellation", {"confirmation_code": INTEGER}),
    "ActivityFulfillment": Shape(
        "ActivityFulfillment", {"shipping_address": one("Address"), "delivered": BOOLEAN, "received_ts": TIMESTAMP}
    ),
    "ActivityLogin": Shape("ActivityLogin", {"ip": TEXT}),
    "ActivityLogout": Shape("ActivityLogout", {"ip": TEXT}),
    "ActivityNamedValue": Shape("ActivityNamedValue", {"type": TEXT, "name": TEXT, "value": TEXT}),
    "ActivityNote": Shape("ActivityNote", {"note": TEXT}),
    "ActivityPhone": Shape("ActivityPhone", {"duration_seconds": INTEGER}),
    "ActivityURIView": Shape(
        "ActivityURIView", {"size": INTEGER, "bytes_transferred": INTEGER, "transfer_time": INTEGER}
    ),
    "ActivityUsage": Shape(
        "ActivityUsage",
        {
            "total": INTEGER,
            "last_day": INTEGER,
            "last_week": INTEGER,
            "last_month": INTEGER,
            "last_year": INTEGER,
            "last_usage_date": TIMESTAMP,
        },
    ),
    "Address": _ADDRESS,
    "BillingPlan": _BILLING_PLAN,
    "BillingPlanPeriod": Shape(
        "BillingPlanPeriod",
        {
            "type": TEXT,
            "quantity": INTEGER,
            "cycles": INTEGER,
            "prices": many("Price"),
            "do_not_notify_first_bill": BOOLEAN,
            "expire_warning_days": INTEGER,
        },
    ),
    "Campaign": _CAMPAIGN,
    "CampaignCoupon": Shape("", {}),
    "CarrierBilling": Shape("CarrierBilling", {"phone_number": Field(shape="PhoneNumber")}),
    "Credit": Shape("Credit", {"token_amounts": many("TokenAmount"), "currency_amounts": many("CurrencyAmount")}),
    "CreditCard": Shape(
        "CreditCard", {"account": TEXT, "expiration_date": _YEAR_AND_MONTH, "account_length": INTEGER, "cvn": TEXT}
    ),
    "CurrencyAmount": _shape("CurrencyAmount", amount=NUMBER, currency=TEXT, sort_value=INTEGER, granted=TIMESTAMP),
    "DirectDebit": Shape("DirectDebit", {"account": TEXT, "account_length": INTEGER}),
    "Entitlement": _shape(
        "Entitlement",
        description=TEXT,
        account=one("AccountReference"),
        starts=TIMESTAMP,
        ends=TIMESTAMP,
        active=BOOLEAN,
    ),
    "ExternalBilling": Shape("ExternalBilling", {}),
    "FlatAmountDiscount": Shape("", {"currency": TEXT, "amount": NUMBER}),
    "MerchantAcceptedPayment": Shape(
        "MerchantAcceptedPayment", {"amount": NUMBER, "created": TIMESTAMP, "payment_type": TEXT, "account": TEXT}
    ),
    "PayPal": Shape("PayPal", {"request_reference_id": BOOLEAN}),
    "Payment": _shape(
        "Payment",
        account=one("AccountReference"),
        subscription=TEXT,
        invoice=TEXT,
        currency=TEXT,
        payment_method=one("PaymentMethod"),
        amount=NUMBER,
        overage_disposition=one_of(*OVERAGE_DISPOSITIONS),
    ),
    "PaymentMethod": _PAYMENT_METHOD,
    "PhoneNumber": Shape("PhoneNumber", {}),
    "Price": Shape("", {"amount": NUMBER, "currency": TEXT, "token_amount": one("TokenAmount"), "token": one("Token")}),
    "Product": _PRODUCT,
    "ProductDescription": Shape("ProductDescription", {"language": TEXT, "description": TEXT}),
    "RatePlan": _shape(
        "RatePlan",
        multiply_rated_units_by=one_of("EachRespectiveTier", "HighestApplicableTier"),
        rated_unit=one("RatedUnit"),
        tier=many("RatePlanTier"),
        rounding_decimals=INTEGER,
        included_units=NUMBER,
        minimum_fee=many("RatePlanPrice"),
        maximum_fee=many("RatePlanPrice"),
        rate_plan_model=one_of("LicenseBased", "UsageBased"),
        status=one_of("Active", "Suspended"),
    ),
    "RatePlanPrice": Shape("RatePlanPrice", {"amount": NUMBER, "currency": TEXT}),
    "RatePlanTier": Shape(
        "RatePlanTier",
        {
            "rate_price": many("RatePlanPrice"),
            "charge_customer": one_of("FlatFee", "PerUnit"),
            "begins_at_level": NUMBER,
        },
    ),
    "RatedUnit": Shape("RatedUnit", {"name_singular": TEXT, "name_plural": TEXT}),
    "Refund": _shape(
        "Refund",
        id=Field(limit=255),
        amount=NUMBER,
        amount_includes_tax=BOOLEAN,
        currency=TEXT,
        note=TEXT,
        refund_distribution_strategy=one_of("None", "TaxClassification", "SpecifiedItems"),
        refund_items=many("RefundItem"),
        token_action=one_of("None", "CancelNegativeBalance", "CancelZeroBalance"),
    ),
    "RefundItem": Shape(
        "RefundItem", {"transaction_item_index_number": INTEGER, "amount": NUMBER, "tax_only": BOOLEAN}
    ),
    "Season": Shape("Season", {"starts": TIMESTAMP, "ends": TIMESTAMP}),
    "SeasonSet": _shape("SeasonSet", seasons=many("Season")),
    "Subscription": _SUBSCRIPTION,
    "SubscriptionItem": _SUBSCRIPTION_ITEM,
    "TaxExemption": Shape("TaxExemption", {"active": BOOLEAN}),
    "Token": _shape("Token"),
    "TokenAmount": _shape("TokenAmount", token=one("Token"), amount=NUMBER),
    "Transaction": _TRANSACTION,
    "TransactionItem": Shape(
        "TransactionItem",
        {
            "sku": TEXT,
            "index_number": INTEGER,
            "item_type": one_of("Purchase", "TaxableCredit", "ModificationRefund", "Credit", "DiscountBeforeTax"),
            "price": NUMBER,
            "quantity": NUMBER,
            "discount": NUMBER,
        },
    ),
}

SHAPES.update({kind: _shape(kind) for kind in CONVENTIONAL_COLLECTIONS.values()})

READER = Reader(SHAPES)
