"""The table of group A shapes that request bodies are read by.

Field names and enumerations come from the specification; those of Refund, Payment, RatePlan, TransactionItem and
Activity, which it does not show, come from published samples. Complete value sets that are "not shown" stay open.
"""

from __future__ import annotations

from ..http.schema import SCALARS, Field, Reader, Shape, one_of
from ..store import CONVENTIONAL_COLLECTIONS

# `name` is a text, `name:integer` another scalar, `name:Shape` a nested object, `name:[Shape]` a list of them.
_COMMON = "id:identifier vid:identifier created:timestamp metadata:any url"
_RESOURCES = {
    "Account": """
        external_id parent:AccountReference default_currency email email_type language notify_before_billing:boolean
        shipping_address:Address payment_methods:[PaymentMethod] tax_exemptions:[TaxExemption] tokens:[TokenAmount]
        credit:[Credit] entitlements:[Entitlement]
    """,
    "AccountReference": "",
    "Activity": """
        account:AccountReference timestamp:timestamp cancellation_args:ActivityCancellation
        fulfillment_args:ActivityFulfillment login_args:ActivityLogin logout_args:ActivityLogout
        namedvalue_args:ActivityNamedValue note_args:ActivityNote phone_args:ActivityPhone
        uriview_args:ActivityURIView usage_args:ActivityUsage
    """,
    "Address": "latitude:number longitude:number tax_area_identifier:integer",
    "BillingPlan": """
        status trial:BillingPlanPeriod periods:[BillingPlanPeriod] billing_notification_days:integer
        trial_end_notification_days:integer skip_initial_billing_notification:boolean end_of_life:timestamp
        entitlements:[Entitlement] times_to_run days_before_season_to_bill:integer days_entitled_before_season:integer
        days_entitled_after_season:integer entitled_off_season:boolean grace_period_override:integer
    """,
    "Campaign": """
        name description offer_start_date:timestamp offer_end_date:timestamp percentage_discount:number
        flat_amount_discounts:[FlatAmountDiscount] products:[Product] eligible_products:[Product]
        billing_plans:[BillingPlan] eligible_billing_plans:[BillingPlan] restrict_to_new_subscription:boolean
        expiration_date:timestamp number_of_periods:integer promotion_code promotion_code_aliases:[Text]
        apply_discount_per_item:boolean max_redemptions_per_customer:integer max_redemptions_per_autobill:integer
        total_code_marked_used:integer max_redemptions:integer coupon_code_quantity:integer
        coupon_code_requires_activation:boolean on_demand_codes_allowed:boolean coupons:[CampaignCoupon]
        voucher_credit:Credit apply_voucher_pre_transaction:boolean account_level_eligible:boolean
        purchase_level_eligible:boolean
    """,
    "CurrencyAmount": "amount:number currency sort_value:integer granted:timestamp",
    "Entitlement": "description account:AccountReference starts:timestamp ends:timestamp active:boolean",
    "Payment": """
        account:AccountReference subscription invoice currency payment_method:PaymentMethod amount:number
    """,
    "PaymentMethod": """
        credit_card:CreditCard direct_debit:DirectDebit paypal:PayPal
        merchant_accepted_payment:MerchantAcceptedPayment carrier_billing:CarrierBilling
        external_billing:ExternalBilling account_holder billing_address:Address primary:boolean active:boolean
    """,
    "Product": """
        descriptions:[ProductDescription] status default_billing_plan:BillingPlan default_rate_plan:RatePlan
        end_of_life:timestamp entitlements:[Entitlement] credit_granted:Credit prices:[Price]
    """,
    "RatePlan": """
        rated_unit:RatedUnit tier:[RatePlanTier] rounding_decimals:integer included_units:number
        minimum_fee:[RatePlanPrice] maximum_fee:[RatePlanPrice]
    """,
    "Refund": "amount:number amount_includes_tax:boolean currency note refund_items:[RefundItem]",
    "SeasonSet": "seasons:[Season]",
    "Subscription": """
        account:Account credit:Credit items:[SubscriptionItem] billing_plan:BillingPlan payment_method:PaymentMethod
        source_payment_method:PaymentMethod starts:timestamp ends:timestamp billing_day:integer
        minimum_commitment:integer notify_on_transition:boolean invoice_terms:integer statement_offset:integer
        unkonwn_starts:boolean billing_plan_campaign_code policy:any
    """,
    "SubscriptionItem": """
        index:integer product:Product amount:number rate_plan:RatePlan quantity:integer token:Token cycles:integer
        cycles_remaining:integer starts:timestamp ends:timestamp campaign_code replaces:SubscriptionItem
        replaced_by:SubscriptionItem
    """,
    "Token": "",
    "TokenAmount": "token:Token amount:number",
    "Transaction": """
        amount:number account:Account source_payment_method:PaymentMethod items:[TransactionItem]
        sales_tax_address:Address shipping_address:Address policy:any to_be_captured:boolean
    """,
}
"""Fields of resources, which have the common ones too."""
_PARTS = {
    "ActivityCancellation": "confirmation_code:integer",
    "ActivityFulfillment": "shipping_address:Address delivered:boolean received_ts:timestamp",
    "ActivityLogin": "ip",
    "ActivityLogout": "ip",
    "ActivityNamedValue": "type name value",
    "ActivityNote": "note",
    "ActivityPhone": "duration_seconds:integer",
    "ActivityURIView": "size:integer bytes_transferred:integer transfer_time:integer",
    "ActivityUsage": """
        total:integer last_day:integer last_week:integer last_month:integer last_year:integer
        last_usage_date:timestamp
    """,
    "BillingPlanPeriod": """
        type quantity:integer cycles:integer prices:[Price] do_not_notify_first_bill:boolean
        expire_warning_days:integer
    """,
    "CampaignCoupon": "",
    "CarrierBilling": "phone_number:PhoneNumber",
    "Credit": "token_amounts:[TokenAmount] currency_amounts:[CurrencyAmount]",
    "CreditCard": "account account_length:integer cvn",
    "DirectDebit": "account account_length:integer",
    "ExternalBilling": "",
    "FlatAmountDiscount": "currency amount:number",
    "MerchantAcceptedPayment": "amount:number created:timestamp payment_type account",
    "PayPal": "request_reference_id:boolean",
    "PhoneNumber": "",
    "Price": "amount:number currency token_amount:TokenAmount token:Token",
    "ProductDescription": "language description",
    "RatePlanPrice": "amount:number currency",
    "RatePlanTier": "rate_price:[RatePlanPrice] begins_at_level:number",
    "RatedUnit": "name_singular name_plural",
    "RefundItem": "transaction_item_index_number:integer amount:number tax_only:boolean",
    "Season": "starts:timestamp ends:timestamp",
    "TaxExemption": "active:boolean",
    "TransactionItem": "sku index_number:integer price:number quantity:number discount:number",
}
"""Fields of objects inside a resource."""
_RESTRICTED = {
    "Activity.type": one_of(
        "Cancellation", "Fulfillment", "Login", "Logout", "NamedValue", "Note", "Phone", "URIView", "Usage",
    ),
    "Campaign.state": one_of("Active", "Canceled", "Complete", "Inactive", "MatchAnyState", "Pending", "Undefined"),
    "Campaign.type": one_of("Coupon", "Promotion", "Undefined", "Voucher"),
    "Campaign.period_length": one_of("Day", "Week", "Month", "Year", "Hour", "BillingCycle"),
    "Campaign.campaign_discount_method": one_of("Compounded", "Direct"),
    "Campaign.stackability": one_of("Unspecified", "Stackable", "Unstackable"),
    "CreditCard.expiration_date": Field(form="(19|20)[0-9]{2}(0[1-9]|1[0-2])", example="203112, year and month"),
    "Payment.overage_disposition": one_of(
        "applyToThisAutoBill", "applytoOldestInvoice", "applyToOldestInvoice", "applytoCredit", "applyToCredit",
    ),
    # Enumerated, says the specification, and shows two. The others are published; Google Pay's name is assumed.
    "PaymentMethod.type": one_of(
        "Amazon", "ApplePay", "Boleto", "CarrierBilling", "CreditCard", "DebitCard", "DirectDebit", "ECP",
        "ExternalBilling", "GooglePay", "HostedPage", "MerchantAcceptedPayment", "MilitaryStar", "PayPal", "Skrill",
        "Token",
    ),
    "RatePlan.multiply_rated_units_by": one_of("EachRespectiveTier", "HighestApplicableTier"),
    "RatePlan.rate_plan_model": one_of("LicenseBased", "UsageBased"),
    "RatePlan.status": one_of("Active", "Suspended"),
    "RatePlanTier.charge_customer": one_of("FlatFee", "PerUnit"),
    "Refund.id": Field(limit=255),
    "Refund.refund_distribution_strategy": one_of("None", "TaxClassification", "SpecifiedItems"),
    "Refund.token_action": one_of("None", "CancelNegativeBalance", "CancelZeroBalance"),
    "Subscription.status": one_of(
        "Pending Activation", "Active", "Pending Cancel", "Cancelled", "Expired", "Processing", "Deleted", "Dryrun",
        "Unknown", "Upgraded", "Legacy Suspended", "Bogus AutoBill Status", "Paused", "Pending Pause",
    ),
    "Subscription.billing_state": one_of(
        "Free/Trial", "Billing Completed", "Failed To Collect", "Free Period", "Bogus BillingState", "Paused",
        "Good Standing", "Grace Period", "In Retry", "Legacy Unknown BillingState", "Overdue", "Pending Acceptance",
        "Terminated", "Unbilled", "Unknown", "Unusable PaymentMethod", "Pending Resume", "Pending Pause",
    ),
    "Subscription.statement_format": one_of("Attachment", "DoNotSend", "Inline"),
    "TransactionItem.item_type": one_of(
        "Purchase", "TaxableCredit", "ModificationRefund", "Credit", "DiscountBeforeTax",
    ),
}  # fmt: skip
"""Fields that take only some texts, or have a limit of their own."""
_OBJECT_NAMES = {"AccountReference": "Account", "CampaignCoupon": "", "FlatAmountDiscount": "", "Price": ""}
"""The value of `object` where it is not the name of the shape; empty where none is shown."""


def _shape(name: str, fields: str) -> Shape:
    read: dict[str, Field] = {}
    for each in fields.split():
        field, _, kind = each.partition(":")
        read[field] = SCALARS.get(kind) or Field(shape=kind.strip("[]"), many="[" in kind)
    restricted = {key.partition(".")[2]: field for key, field in _RESTRICTED.items() if key.startswith(f"{name}.")}
    return Shape(_OBJECT_NAMES.get(name, name), read | restricted)


_ALL = dict.fromkeys(CONVENTIONAL_COLLECTIONS.values(), "") | _RESOURCES
_WITH_COMMON = {name: f"{_COMMON} {fields}" for name, fields in _ALL.items()}
SHAPES: dict[str, Shape] = {name: _shape(name, fields) for name, fields in (_WITH_COMMON | _PARTS).items()}

READER = Reader(SHAPES)
