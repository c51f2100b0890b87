"""A table of the shapes that request bodies of the billing API must have.

The table of shapes contains the field names of the specification. The specification doesn't document the fields of
`Refund`, `Payment`, `RatePlan`, `TransactionItem`, and `Activity`, so for these resources, the table of shapes contains
the field names of the published samples. The table of shapes includes fields that only responses contain, because a
client can send back a resource that it has received. The module `sets` contains the values of enumerated fields.
"""

from __future__ import annotations

from ...http.schema import SCALARS, Field, Reader, Shape, one_of
from ...store import CONVENTIONAL_COLLECTIONS
from .sets import SETS

# In this table, `name` is a string field, and `name:integer` is a field of another scalar type. `name:Shape` is a
# nested object, and `name:[Shape]` is a list of objects. `name:Shape?` is an object or a list of strings.
_COMMON = "id:identifier vid:identifier created:timestamp metadata:metadata url"
_RESOURCES = {
    "Account": """
        external_id parent:AccountReference default_currency email email_type language notify_before_billing:boolean
        company name shipping_address:Address payment_methods:[PaymentMethod] tax_exemptions:[TaxExemption]
        tokens:[TokenAmount] credit:[Credit] entitlements:[Entitlement] tax_use_code
        discount_tickets:[DiscountTicket]
    """,
    "AccountReference": "",
    "Activity": """
        account:AccountReference timestamp:timestamp cancellation_args:ActivityCancellation
        fulfillment_args:ActivityFulfillment login_args:ActivityLogin logout_args:ActivityLogout
        namedvalue_args:ActivityNamedValue note_args:ActivityNote phone_args:ActivityPhone
        uriview_args:ActivityURIView usage_args:ActivityUsage
    """,
    "Address": """
        name line1 line2 line3 city county district postal_code country phone fax
        latitude:number longitude:number tax_area_identifier:integer
    """,
    "BillingPlan": """
        description status tax_classification br_tax_category trial:BillingPlanPeriod periods:[BillingPlanPeriod]
        billing_notification_days:count trial_end_notification_days:count skip_initial_billing_notification:boolean
        end_of_life:timestamp entitlements:[Entitlement] billing_descriptor times_to_run entitlements_valid_for
        repeat_every season_set:SeasonSet days_before_season_to_bill:count days_entitled_before_season:count
        days_entitled_after_season:count entitled_off_season:boolean used_on_subscriptions:boolean
        grace_period_override:count
    """,
    "Campaign": """
        name description offer_start_date:timestamp offer_end_date:timestamp percentage_discount:percentage
        flat_amount_discounts:[FlatAmountDiscount] products:[Product] eligible_products:[Product]
        billing_plans:[BillingPlan] eligible_billing_plans:[BillingPlan] restrict_to_new_subscription:boolean
        expiration_date:timestamp number_of_periods:count promotion_code promotion_code_aliases:[Text]
        apply_discount_per_item:boolean item_display_text max_redemptions_per_customer:count
        max_redemptions_per_autobill:count total_code_marked_used:count max_redemptions:count
        coupon_code_quantity:count coupon_code_prefix coupon_code_separator coupon_code_requires_activation:boolean
        on_demand_codes_allowed:boolean coupons:[CampaignCoupon] voucher_credit:Credit
        apply_voucher_pre_transaction:boolean account_level_eligible:boolean purchase_level_eligible:boolean
    """,
    "CancelReason": "reason_code description",
    "CurrencyAmount": """
        amount:number currency sort_value:integer description reason granted_by_service:boolean
        granted_by_cashbox:boolean granted:timestamp account:AccountReference subscription:SubscriptionReference source
    """,
    "DiscountTicket": "added_date:timestamp start_billing_sequence:count campaign_id",
    "Entitlement": """
        description account:AccountReference subscription:SubscriptionReference
        subscription_item:SubscriptionItemReference product:ProductReference billing_plan:BillingPlanReference
        starts:timestamp ends:timestamp active:boolean
    """,
    "Event": """
        subscription:SubscriptionReference subscription_item:SubscriptionItemReference amount:units timestamp:timestamp
        description
    """,
    "Payment": """
        account:AccountReference subscription invoice currency payment_method:PaymentMethod amount:number status
    """,
    "PaymentMethod": """
        vin_vid:identifier credit_card:CreditCard direct_debit:DirectDebit paypal:PayPal amazon:Open apple_pay:Open
        google_pay:Open merchant_accepted_payment:MerchantAcceptedPayment carrier_billing:CarrierBilling
        external_billing:ExternalBilling account_holder billing_address:Address customer_specified_type
        customer_description currency primary:boolean active:boolean validation_status:TransactionStatus
        policy:PaymentMethodPolicy?
    """,
    "Product": """
        descriptions:[ProductDescription] status tax_classification br_tax_category default_billing_plan:BillingPlan
        default_rate_plan:RatePlan end_of_life:timestamp entitlements:[Entitlement]
        inherited_entitlements:[Entitlement] billing_descriptor credit_granted:Credit prices:[Price]
        bundled_products:[Product]
    """,
    "RatePlan": """
        description rated_unit:RatedUnit tier:[RatePlanTier] rounding_decimals:count included_units:units
        minimum_fee:[RatePlanPrice] maximum_fee:[RatePlanPrice] has_event_recorded:boolean
    """,
    "Refund": """
        transaction:Transaction amount:number amount_includes_tax:boolean currency note refund_items:[RefundItem]
    """,
    "SeasonSet": "seasons:[Season]",
    "Subscription": """
        account:Account credit:Credit items:[SubscriptionItem] billing_plan:BillingPlan payment_method:PaymentMethod
        source_payment_method:PaymentMethod currency starts:timestamp ends:timestamp entitled_through:timestamp
        source_ip billing_descriptor minimum_commitment:count affiliate sub_affiliate
        notify_on_transition:boolean most_recent_billing:Transaction invoice_terms:count statement_offset:count
        statement_template unkonwn_starts:boolean billing_plan_campaign_code billing_plan_campaign_id balance:number
        mandate:Mandate cancel_reason:CancelReason policy:SubscriptionPolicy? description next_billing:Transaction
        most_recent_refunds:[Refund] billing_plan_history:[BillingPlanHistory]
    """,
    "SubscriptionItem": """
        index:count product:Product campaign_id amount:number currency rate_plan:RatePlan quantity:count token:Token
        cycles:count cycles_remaining:count starts:timestamp ends:timestamp campaign_code
        discount_tickets:[DiscountTicket] replaces:SubscriptionItem replaced_by:SubscriptionItem
    """,
    "Token": "description",
    "TokenAmount": "token:Token amount:number source",
    "Transaction": """
        amount:number original_amount:number currency division_number previous_id account:Account
        source_payment_method:PaymentMethod credit:Credit status discount:number subtotal:number total:number affiliate
        sub_affiliate user_agent preferred_notification_language source_mac_address source_ip billing_descriptor
        sales_tax_address:Address shipping_address:Address verification_code subscription_sequence:count
        billing_plan_sequence:count mandate:Mandate original_billing_date:timestamp billing_attempt:count
        subscription:SubscriptionReference score:number score_calculated:any score_calculated_orig:any
        score_codes:[ScoreCode] distance_ip_ba:number avs_code cvn_code
        cvn_checked:boolean status_log:[TransactionStatus] payment_processor payment_processor_transaction_id
        items:[TransactionItem] purchase_level_discount_tickets:[DiscountTicket] policy:TransactionPolicy?
        to_be_captured:boolean
    """,
    "BillingPlanReference": "",
    "ProductReference": "",
    "SubscriptionItemReference": "",
    "SubscriptionReference": "",
}
"""The fields of each resource, except the fields in `_COMMON`, which every resource has."""
_PARTS = {
    "ActivityCancellation": "reason confirmation_code:integer",
    "ActivityFulfillment": """
        shipper tracking_string shipping_address:Address delivered:boolean received_ts:timestamp receipt_name
    """,
    "ActivityLogin": "ip",
    "ActivityLogout": "ip",
    "ActivityNamedValue": "type name value",
    "ActivityNote": "note",
    "ActivityPhone": """
        src_phone_number dest_phone_number cid_phone_number ani_phone_number duration_seconds:count note
    """,
    "ActivityURIView": "ip uri size:count bytes_transferred:count transfer_time:count description",
    "ActivityUsage": """
        description total:count last_day:count last_week:count last_month:count last_year:count
        last_usage_date:timestamp
    """,
    "BillingPlanHistory": "billing_plan:BillingPlanReference starts:timestamp",
    "BillingPlanPeriod": "cycles:count prices:[Price] do_not_notify_first_bill:boolean expire_warning_days:count",
    "CampaignCoupon": """
        id:identifier index:count expires:timestamp max_redemptions:count codes_requested:count codes_generated:count
        coupon_prefix coupon_code_separator requires_activation_before_use:boolean on_demand_codes_allowed:boolean
    """,
    "CarrierBilling": """
        phone_number:PhoneNumber encoded_phone_number carrier payment_provider:PaymentProvider currency country_code
        price_criteria:PriceCriteria account_identifier carrier_billing_account_identifier_type customer_identifier
        customer_identifier_type validated
    """,
    "Credit": "token_amounts:[TokenAmount] currency_amounts:[CurrencyAmount]",
    "CreditCard": """
        vid:identifier account account_length:count last_digits hash_type cvn bin extended_card_attributes:Open
        last_au_request_date:timestamp last_update_date:timestamp au_response_code au_response_message
    """,
    "DirectDebit": "account account_length:count last_digits country_code bank_sort_code rib_code",
    "ExternalBilling": "bill_receiver payment_channel financial_account",
    "FlatAmountDiscount": "currency amount:number",
    "Mandate": "created:timestamp identifier",
    "MerchantAcceptedPayment": "amount:number currency created:timestamp payment_type account last_digits",
    "Open": "",
    "PayPal": "return_url cancel_url request_reference_id:boolean reference_id payer_id paypal_email",
    "PaymentMethodPolicy": "validate:boolean min_chargeback_probability:percentage",
    "PaymentProvider": """
        name dispute_address:Address dispute_email dispute_uri auth_expiration_days:count auth_currency_override
        metadata:metadata
    """,
    "PhoneNumber": "country_code area_code local_number extension raw_input",
    "Price": "amount:number currency price_list_name token_amount:TokenAmount token:Token",
    "PriceCriteria": """
        payment_provider currency country_code merchant_service_identifier sub_merchant_identifier description fwd_url
        static_selection_row_ref:integer static_price_inc_sales_tax dynamic_deviation:integer dynamic_match:integer
        dynamic_target_price
    """,
    "ProductDescription": "language description",
    "RatePlanPrice": "amount:number currency",
    "RatePlanTier": "name rate_price:[RatePlanPrice] begins_at_level:units",
    "RatedUnit": "name_singular name_plural",
    "RefundItem": "transaction_item_index_number:count sku description amount:number tax_only:boolean",
    "ScoreCode": "id description",
    "Season": "vid:identifier description starts:timestamp ends:timestamp",
    "SubscriptionPolicy": """
        ignore_cvn_policy:boolean ignore_avs_policy:boolean min_chargeback_probability:percentage
        validate_for_future_payment:boolean
    """,
    "TaxExemption": "region exemption_id active:boolean",
    "TaxItem": "jurisdiction name amount:number external_tax_name external_jurisdiction_name tax_rate:number",
    "TransactionItem": """
        sku index_number:count name price:number quantity:units tax_classification tax:[TaxItem] discount:number
        subtotal:number total:number campaign_id campaign_description subscription_item:SubscriptionItemReference
        service_period_starts:timestamp service_period_ends:timestamp related_transactions:[Text]
        item_refunds:[TransactionItemRefundSummary]
    """,
    "TransactionItemRefundSummary": "created:timestamp amount:number tax:number tax_only:boolean refund:Refund",
    "TransactionPolicy": """
        min_chargeback_probability:percentage send_email_notification:boolean ignore_avs_policy:boolean
        ignore_cvn_policy:boolean
    """,
    "TransactionStatus": """
        created:timestamp payment_method_type note service_avs vin_avs funding_source_balance:number
        credit_card_status:Open paypal_status:Open direct_debit_status:Open
    """,
}
"""The fields of each object that is part of a resource."""
_RESTRICTED = {
    "BillingPlanPeriod.quantity": Field("integer", least=1, most=10_000),
    "CreditCard.expiration_date": Field(form="(19|20)[0-9]{2}(0[1-9]|1[0-2])", example="203112 (year and month)"),
    "Refund.id": Field(limit=255),
    "Subscription.billing_day": Field("integer", least=1, most=31),
} | {name: one_of(*found.values) for name, found in SETS.items()}
"""The fields that accept only certain values, or only certain lengths, formats, or numbers."""
_OBJECT_NAMES = {
    "AccountReference": "Account",
    "BillingPlanReference": "BillingPlan",
    "CampaignCoupon": "",
    "FlatAmountDiscount": "",
    "Open": "",
    "PaymentMethodPolicy": "",
    "Price": "",
    "ProductReference": "Product",
    "SubscriptionItemReference": "SubscriptionItem",
    "SubscriptionPolicy": "",
    "SubscriptionReference": "Subscription",
    "TransactionPolicy": "",
}
"""The values of `object` that differ from the name of the shape.

If no source documents the value of `object`, the string is empty.
"""


def _shape(name: str, fields: str) -> Shape:
    read: dict[str, Field] = {}
    for each in fields.split():
        field, _, kind = each.partition(":")
        read[field] = SCALARS.get(kind) or Field(shape=kind.strip("[]?"), many="[" in kind, or_texts="?" in kind)
    restricted = {key.partition(".")[2]: field for key, field in _RESTRICTED.items() if key.startswith(f"{name}.")}
    return Shape(_OBJECT_NAMES.get(name, name), read | restricted)


_ALL = dict.fromkeys(CONVENTIONAL_COLLECTIONS.values(), "") | _RESOURCES
_WITH_COMMON = {name: f"{_COMMON} {fields}" for name, fields in _ALL.items()}
SHAPES: dict[str, Shape] = {name: _shape(name, fields) for name, fields in (_WITH_COMMON | _PARTS).items()}

READER = Reader(SHAPES)
