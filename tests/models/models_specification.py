"""Tables copied by hand from the specification: wire names in order, types, constants, and enumerated values."""

from __future__ import annotations


def words(text: str) -> list[str]:
    """Return the names in a text, which are separated by spaces."""
    return text.split()


# Wire names of the fields that the specification lists, in its order.
SPECIFIED = {
    "Account": "object id external_id vid created parent default_currency email email_type language"
    " notify_before_billing company name shipping_address payment_methods metadata tax_exemptions tokens credit"
    " entitlements tax_use_code",
    "TaxExemption": "object region exemption_id active",
    "Entitlement": "id object description",
    "Address": "object vid name line1 line2 line3 city county district postal_code country phone fax latitude longitude"
    " tax_area_identifier",
    "TokenAmount": "object token amount source",
    "Token": "object id vid description",
    "Credit": "object token_amounts currency_amounts",
    "CurrencyAmount": "object vid currency amount metadata sort_value description reason granted_by_service granted"
    " account subscription",
    "PaymentMethod": "id vid object created type credit_card direct_debit paypal amazon apple_pay google_pay"
    " merchant_accepted_payment external_billing carrier_billing metadata account_holder billing_address"
    " customer_specified_type customer_description currency primary active validation_status policy",
    "CreditCard": "object vid last_digits account_length hash_type expiration_date extended_card_attributes cvn"
    " last_au_request_date last_update_date au_response_code au_response_message account bin",
    "MerchantAcceptedPayment": "object amount currency created payment_type account last_digits",
    "ExternalBilling": "object bill_receiver payment_channel financial_account",
    "TransactionStatus": "object status created payment_method_type service_avs funding_source_balance",
    "CarrierBilling": "object phone_number encoded_phone_number carrier payment_provider currency country_code"
    " price_criteria account_identifier carrier_billing_account_identifier_type customer_identifier"
    " customer_identifier_type validated",
    "PhoneNumber": "object phone_type country_code area_code local_number extension raw_input",
    "PaymentProvider": "object name dispute_address dispute_email dispute_uri auth_expiration_days"
    " auth_currency_override metadata",
    "PriceCriteria": "object payment_provider currency country_code price_point_deviation_policy dynamic_price_mode"
    " merchant_service_identifier sub_merchant_identifier description fwd_url static_selection_row_ref"
    " static_price_inc_sales_tax dynamic_deviation dynamic_match dynamic_target_price",
    "Campaign": "object id vid name description state offer_start_date offer_end_date type percentage_discount"
    " flat_amount_discounts products eligible_products billing_plans eligible_billing_plans"
    " restrict_to_new_subscription expiration_date number_of_periods period_length promotion_code"
    " promotion_code_aliases campaign_discount_method apply_discount_per_item item_display_text"
    " max_redemptions_per_customer max_redemptions_per_autobill stackability total_code_marked_used max_redemptions"
    " coupon_code_quantity coupon_code_prefix coupon_code_separator coupon_code_requires_activation"
    " on_demand_codes_allowed coupons voucher_credit apply_voucher_pre_transaction account_level_eligible"
    " purchase_level_eligible",
    "FlatAmountDiscount": "currency amount",
    "CampaignCoupon": "object id index expires max_redemptions codes_requested codes_generated coupon_prefix"
    " coupon_code_separator requires_activation_before_use on_demand_codes_allowed",
    "Subscription": "object id vid account status items created billing_plan payment_method source_payment_method"
    " currency billing_state starts ends entitled_through source_ip billing_descriptor billing_day minimum_commitment"
    " affiliate sub_affiliate notify_on_transition most_recent_billing metadata credit statement_format invoice_terms"
    " statement_offset statement_template billing_plan_campaign_code billing_plan_campaign_id unkonwn_starts balance"
    " mandate cancel_reason policy",
    "Mandate": "object created identifier status",
    "CancelReason": "reason_code description",
    "SubscriptionItem": "object id vid index product campaign_id amount currency rate_plan metadata quantity token"
    " cycles cycles_remaining created starts ends discount_tickets replaces replaced_by",
    "Product": "object id vid descriptions status created tax_classification br_tax_category default_billing_plan"
    " default_rate_plan end_of_life metadata entitlements inherited_entitlements billing_descriptor credit_granted"
    " prices bundled_products",
    "ProductDescription": "object language description",
    "ProductPrice": "object amount currency token",
    "BillingPlan": "object id vid created description status tax_classification br_tax_category trial periods"
    " billing_notification_days trial_end_notification_days skip_initial_billing_notification end_of_life metadata"
    " entitlements billing_descriptor times_to_run entitlements_valid_for repeat_every season_set"
    " days_before_season_to_bill days_entitled_before_season days_entitled_after_season entitled_off_season"
    " used_on_subscriptions grace_period_override",
    "BillingPlanPeriod": "object type quantity cycles prices",
    "BillingPlanPrice": "object amount currency price_list_name token_amount",
    "SeasonSet": "object id vid created seasons metadata",
    "Season": "object description starts ends",
    "Transaction": "object id vid created amount original_amount currency division_number previous_id account"
    " source_payment_method metadata credit status discount subtotal total affiliate sub_affiliate user_agent"
    " preferred_notification_language source_mac_address source_ip billing_descriptor sales_tax_address"
    " verification_code subscription_sequence billing_plan_sequence mandate original_billing_date billing_attempt"
    " subscription score score_calculated score_calculated_orig score_codes distance_ip_ba avs_code cvn_code"
    " cvn_checked policy to_be_captured",
    "ScoreCode": "object id description",
    "EventSummary": "object account subscription subscription_item product rate_plan current_total_rated_units_bill"
    " rated_unit_total rated_unit event_count",
    "RatableUsageMetric": "ratable_usage_metric.id ratable_usage_metric.name_singular ratable_usage_metric.name_plural"
    " ratable_usage_metric.merchant_id",
    "EntitlementCharge": "transactionId productCode amount currency originalTransactionId taxIncluded taxAmount"
    " chargeDate",
    "EntitlementChargeReceipt": "transactionReferenceId",
    "AccountAssociation": "association attributes subscriptions id type displayName status activatedDate suspendedDate"
    " deactivatedDate createdDate updatedDate",
    "Association": "attributes flags",
    "AccountAssociationAttributes": "bssName internalProviderAccountId paymentProviderAccountId paymentProviderId"
    " bssAccounts paymentDetails",
    "BssAccount": "accountId externalId email language name metadta id addresses",
    "BssAddress": "city country division fax phone name postalCode street longitude latitude id",
    "PaymentDetail": "paymentMethodId paymentMethodVid paymentMethodName paymentTypeName active primary status"
    " additionalFields billingAccountNumber cardNumber expirationMonth expirationYear classType id",
    "SubscriptionEntity": "association activatedDate createdDate deactivatedDate suspendedDate updatedDate displayName"
    " id status type attributes",
    "SubscriptionEntityAttributes": "paymentProviderSubscriptions",
    "PaymentProviderSubscription": "id providerSubscriptionId internalProviderSubscriptionId productId"
    " subscriptionStartDate subscriptionEndDate productDescription billingState subscriptionStatus"
    " nextSubscriptionBillingDate nextSubscriptionPrice subscriptionPrice nextSubscriptionCurrency"
    " subscriptionCurrency purchaseSource serviceType additionalFields plmCode entitledThrough paymentMethod",
    "StorefrontPaymentMethod": "id createdDate merchantAcceptedPayment creditCard carrierBilling debitCard"
    " externalBilling metadata primary active currency type",
    "StorefrontMerchantAcceptedPayment": "amount currency created paymentType account lastDigits",
    "StorefrontCreditCard": "lastDigits expirationDate",
    "StorefrontDebitCard": "lastDigits",
    "StorefrontExternalBilling": "billReceiver paymentChannel financialAccount",
}

# Fields that the operator has published and the specification doesn't list. In a class, these fields follow the
# specified ones, and precede the fields of `models_typed_fields.py`.
PUBLISHED = {
    "Account": "discount_tickets",
    "TokenAmount": "vid",
    "CurrencyAmount": "source",
    "Entitlement": "account subscription subscription_item product billing_plan starts ends active",
    "TransactionStatus": "note credit_card_status paypal_status direct_debit_status",
    "TransactionStatusCreditCard": "object auth_code avs_code cvn_code extended_card_attributes",
    "TransactionStatusPayPal": "object token auth_code redirect_url",
    "TransactionStatusDirectDebit": "object",
    "ExtendedCardAttributes": "object commercial_card signature_debit_card pinless_debit_card prepaid_card payroll_card"
    " healthcare_card durbin_regulated affluent country_of_issuance",
    "DirectDebit": "object account last_digits account_length country_code bank_sort_code rib_code",
    "PayPal": "object return_url cancel_url request_reference_id reference_id payer_id paypal_email",
    "PaymentMethodPolicy": "validate min_chargeback_probability",
    "Subscription": "description next_billing most_recent_refunds billing_plan_history",
    "SubscriptionItemHistory": "object action effective created subscription_item",
    "CancelReason": "object",
    "BillingPlanHistory": "object billing_plan starts",
    "EntitlementCheck": "object state",
    "Transaction": "status_log payment_processor payment_processor_transaction_id shipping_address items"
    " purchase_level_discount_tickets",
    "TransactionPolicy": "min_chargeback_probability send_email_notification ignore_avs_policy ignore_cvn_policy",
    "TransactionItem": "object sku index_number item_type name price quantity tax_classification tax_type tax discount"
    " subtotal total campaign_id campaign_description subscription_item service_period_starts service_period_ends"
    " related_transactions item_refunds",
    "TaxItem": "object",
    "TransactionItemRefundSummary": "object created amount tax tax_only refund",
    "Refund": "object id vid created transaction refund_items refund_distribution_strategy amount amount_includes_tax"
    " currency metadata note token_action status",
    "RefundItem": "object transaction_item_index_number sku description amount tax_only",
    "Invoice": "object id billing_service_period_start billing_service_period_end due_date invoice_date status"
    " invoice_currency invoice_balance gross_charges_total tax_charges_total credit_total payments_received_total"
    " invoice_line_items invoice_tax_items invoice_payments account subscription billing_sequence",
    "InvoiceItem": "object index_number type sku description quantity unit_amount tax_classification item_added"
    " item_removed item_serviceperiod_start item_serviceperiod_end billing_plan subscription_item",
    "RatePlan": "object id vid description multiply_rated_units_by rated_unit tier rounding_decimals included_units"
    " minimum_fee maximum_fee rate_plan_model status has_event_recorded",
    "RatedUnit": "object name_singular name_plural",
    "RatePlanTier": "object name rate_price charge_customer begins_at_level",
    "RatePlanPrice": "object amount currency",
    "Payment": "object id vid created url metadata status account subscription invoice currency payment_method amount"
    " overage_disposition",
    "DiscountTicket": "object added_date start_billing_sequence campaign_id metadata id vid",
    "Activity": "object vid account timestamp type cancellation_args fulfillment_args login_args logout_args"
    " namedvalue_args note_args phone_args uriview_args usage_args",
    "ActivityCancellation": "object reason initiator confirmation_code",
    "ActivityFulfillment": "object shipper tracking_string shipping_address delivered received_ts receipt_name",
    "ActivityLogin": "object ip",
    "ActivityLogout": "object ip",
    "ActivityNamedValue": "object type name value",
    "ActivityNote": "object note",
    "ActivityPhone": "object type src_phone_number dest_phone_number cid_phone_number ani_phone_number"
    " duration_seconds note",
    "ActivityURIView": "object ip uri size bytes_transferred transfer_time description",
    "ActivityUsage": "object description total last_day last_week last_month last_year last_usage_date",
    # The fields that all entities of the account-lifecycle API have.
    "Entity": "association id type displayName status activatedDate suspendedDate deactivatedDate createdDate"
    " updatedDate",
    # Objects inside others, of which the sources show only the name.
    "Amazon": "object",
    "ApplePay": "object",
    "GooglePay": "object",
}

# Fields that exist by convention. The specification says "Many resources also have `created` and `url`". In a class,
# these fields follow all others.
BY_CONVENTION = {
    **dict.fromkeys(
        words("Activity Address Campaign CurrencyAmount DiscountTicket RatePlan"),
        "created url",
    ),
    **dict.fromkeys(words("CancelReason Entitlement EventSummary Invoice"), "vid created url"),
    **dict.fromkeys(
        words("Account BillingPlan PaymentMethod Product Refund SeasonSet Subscription Transaction"), "url"
    ),
}
# The conventional fields of the billing API, and the resources of which only the name is known.
CONVENTIONAL = "id vid created url metadata object"
NAMED_ONLY = words(
    "CampaignCode CancelFeePolicy Charge Chargeback Diagnostics Event GiftCard GiftCardRedemption ReasonCode"
)

# Models whose `object` isn't the name of the class, and models without a constant `object`.
CONSTANTS = {"EntitlementCheck": "Boolean"}
WITHOUT_CONSTANT = words(
    "FlatAmountDiscount CampaignCoupon PaymentMethodPolicy SubscriptionPolicy TransactionPolicy RatableUsageMetric"
    " Amazon ApplePay GooglePay PartnerSubscription EntitlementCharge EntitlementChargeReceipt Entity"
    " AccountAssociation Association AccountAssociationAttributes BssAccount BssAddress PaymentDetail"
    " SubscriptionEntity SubscriptionEntityAttributes PaymentProviderSubscription StorefrontPaymentMethod"
    " StorefrontMerchantAcceptedPayment StorefrontCreditCard StorefrontDebitCard StorefrontExternalBilling"
)

BOOLEANS = words("""
Account.notify_before_billing TaxExemption.active CurrencyAmount.granted_by_service PaymentMethod.primary
PaymentMethod.active Campaign.restrict_to_new_subscription Campaign.apply_discount_per_item
Campaign.coupon_code_requires_activation Campaign.on_demand_codes_allowed Campaign.apply_voucher_pre_transaction
Campaign.account_level_eligible Campaign.purchase_level_eligible CampaignCoupon.requires_activation_before_use
CampaignCoupon.on_demand_codes_allowed Subscription.notify_on_transition Subscription.unkonwn_starts
BillingPlan.skip_initial_billing_notification BillingPlan.entitled_off_season BillingPlan.used_on_subscriptions
Transaction.cvn_checked Transaction.to_be_captured EntitlementCharge.taxIncluded PaymentDetail.active
PaymentDetail.primary StorefrontPaymentMethod.primary StorefrontPaymentMethod.active Entitlement.active
EntitlementCheck.state Refund.amount_includes_tax RefundItem.tax_only RatePlan.has_event_recorded
BillingPlanPeriod.do_not_notify_first_bill ActivityFulfillment.delivered PayPal.request_reference_id
""")

INTEGERS = words("""
Address.tax_area_identifier CurrencyAmount.sort_value CreditCard.account_length PaymentProvider.auth_expiration_days
PriceCriteria.static_selection_row_ref PriceCriteria.dynamic_deviation PriceCriteria.dynamic_match
Campaign.number_of_periods Campaign.max_redemptions_per_customer Campaign.max_redemptions_per_autobill
Campaign.total_code_marked_used Campaign.max_redemptions Campaign.coupon_code_quantity CampaignCoupon.index
CampaignCoupon.max_redemptions CampaignCoupon.codes_requested CampaignCoupon.codes_generated Subscription.billing_day
Subscription.minimum_commitment Subscription.invoice_terms Subscription.statement_offset SubscriptionItem.index
SubscriptionItem.quantity SubscriptionItem.cycles SubscriptionItem.cycles_remaining
BillingPlan.billing_notification_days BillingPlan.trial_end_notification_days BillingPlan.days_before_season_to_bill
BillingPlan.days_entitled_before_season BillingPlan.days_entitled_after_season BillingPlan.grace_period_override
BillingPlanPeriod.quantity BillingPlanPeriod.cycles Transaction.subscription_sequence
Transaction.billing_plan_sequence Transaction.billing_attempt EventSummary.current_total_rated_units_bill
EventSummary.rated_unit_total EventSummary.event_count AccountAssociation.id BillingPlanPeriod.expire_warning_days
Invoice.billing_sequence InvoiceItem.index_number TransactionItem.index_number RatePlan.rounding_decimals
""")

NUMBERS = words("""
Address.latitude Address.longitude TokenAmount.amount CurrencyAmount.amount MerchantAcceptedPayment.amount
TransactionStatus.funding_source_balance Campaign.percentage_discount FlatAmountDiscount.amount Subscription.balance
SubscriptionItem.amount ProductPrice.amount BillingPlanPrice.amount Transaction.amount Transaction.original_amount
Transaction.discount Transaction.subtotal Transaction.total Transaction.score Transaction.distance_ip_ba
EntitlementCharge.amount EntitlementCharge.taxAmount PaymentProviderSubscription.nextSubscriptionPrice
PaymentProviderSubscription.subscriptionPrice StorefrontMerchantAcceptedPayment.amount Refund.amount
RefundItem.amount Payment.amount TransactionItem.price TransactionItem.quantity TransactionItem.total TaxItem.amount
TaxItem.tax_rate Invoice.invoice_balance InvoiceItem.unit_amount RatePlanPrice.amount RatePlanTier.begins_at_level
RatePlan.included_units
""")

TIMESTAMPS = words("""
Account.created CurrencyAmount.granted PaymentMethod.created MerchantAcceptedPayment.created TransactionStatus.created
Campaign.offer_start_date Campaign.offer_end_date Campaign.expiration_date CampaignCoupon.expires Subscription.created
Subscription.starts Subscription.ends Subscription.entitled_through Mandate.created SubscriptionItem.created
SubscriptionItem.starts SubscriptionItem.ends Product.created Product.end_of_life BillingPlan.created
BillingPlan.end_of_life SeasonSet.created Transaction.created Transaction.original_billing_date
PartnerSubscription.createdDate PartnerSubscription.updatedDate EntitlementCharge.chargeDate
StorefrontPaymentMethod.createdDate StorefrontMerchantAcceptedPayment.created Entitlement.starts Entitlement.ends
Refund.created Invoice.due_date Activity.timestamp BillingPlanHistory.starts CreditCard.last_update_date
""")

EPOCH_MILLIS = words("""
AccountAssociation.activatedDate AccountAssociation.suspendedDate AccountAssociation.deactivatedDate
AccountAssociation.createdDate AccountAssociation.updatedDate SubscriptionEntity.activatedDate
SubscriptionEntity.createdDate SubscriptionEntity.deactivatedDate SubscriptionEntity.suspendedDate
SubscriptionEntity.updatedDate PaymentProviderSubscription.subscriptionStartDate
PaymentProviderSubscription.subscriptionEndDate PaymentProviderSubscription.nextSubscriptionBillingDate
PaymentProviderSubscription.entitledThrough Entity.createdDate
""")

LISTS = {
    "Account.payment_methods": "PaymentMethod",
    "Account.tax_exemptions": "TaxExemption",
    "Account.tokens": "TokenAmount",
    "Account.credit": "Credit",
    "Account.entitlements": "Entitlement",
    "Credit.token_amounts": "TokenAmount",
    "Credit.currency_amounts": "CurrencyAmount",
    "Campaign.flat_amount_discounts": "FlatAmountDiscount",
    "Campaign.products": "Product",
    "Campaign.eligible_products": "Product",
    "Campaign.billing_plans": "BillingPlan",
    "Campaign.eligible_billing_plans": "BillingPlan",
    "Campaign.coupons": "CampaignCoupon",
    "Subscription.items": "SubscriptionItem",
    "Subscription.most_recent_refunds": "Refund",
    "SubscriptionItem.discount_tickets": "DiscountTicket",
    "Product.descriptions": "ProductDescription",
    "Product.entitlements": "Entitlement",
    "Product.inherited_entitlements": "Entitlement",
    "Product.prices": "ProductPrice",
    "Product.bundled_products": "Product",
    "BillingPlan.periods": "BillingPlanPeriod",
    "BillingPlan.entitlements": "Entitlement",
    "BillingPlanPeriod.prices": "BillingPlanPrice",
    "SeasonSet.seasons": "Season",
    "Transaction.score_codes": "ScoreCode",
    "Transaction.status_log": "TransactionStatus",
    "Transaction.items": "TransactionItem",
    "AccountAssociation.subscriptions": "SubscriptionEntity",
    "AccountAssociationAttributes.bssAccounts": "BssAccount",
    "AccountAssociationAttributes.paymentDetails": "PaymentDetail",
    "BssAccount.addresses": "BssAddress",
    "SubscriptionEntityAttributes.paymentProviderSubscriptions": "PaymentProviderSubscription",
    "Refund.refund_items": "RefundItem",
    "Invoice.invoice_payments": "Transaction",
    "RatePlan.tier": "RatePlanTier",
}

OBJECTS = {
    "Account.parent": "Account",
    "Account.shipping_address": "Address",
    "TokenAmount.token": "Token",
    "CurrencyAmount.account": "Account",
    "CurrencyAmount.subscription": "Subscription",
    "PaymentMethod.credit_card": "CreditCard",
    "PaymentMethod.direct_debit": "DirectDebit",
    "PaymentMethod.paypal": "PayPal",
    "PaymentMethod.amazon": "Amazon",
    "PaymentMethod.apple_pay": "ApplePay",
    "PaymentMethod.google_pay": "GooglePay",
    "PaymentMethod.merchant_accepted_payment": "MerchantAcceptedPayment",
    "PaymentMethod.external_billing": "ExternalBilling",
    "PaymentMethod.carrier_billing": "CarrierBilling",
    "PaymentMethod.billing_address": "Address",
    "PaymentMethod.validation_status": "TransactionStatus",
    "CarrierBilling.phone_number": "PhoneNumber",
    "CarrierBilling.payment_provider": "PaymentProvider",
    "CarrierBilling.price_criteria": "PriceCriteria",
    "Campaign.voucher_credit": "Credit",
    "Subscription.account": "Account",
    "Subscription.billing_plan": "BillingPlan",
    "Subscription.payment_method": "PaymentMethod",
    "Subscription.source_payment_method": "PaymentMethod",
    "Subscription.most_recent_billing": "Transaction",
    "Subscription.next_billing": "Transaction",
    "Subscription.credit": "Credit",
    "Subscription.mandate": "Mandate",
    "Subscription.cancel_reason": "CancelReason",
    "SubscriptionItem.product": "Product",
    "SubscriptionItem.rate_plan": "RatePlan",
    "SubscriptionItem.token": "Token",
    "SubscriptionItem.replaces": "SubscriptionItem",
    "SubscriptionItem.replaced_by": "SubscriptionItem",
    "Product.default_billing_plan": "BillingPlan",
    "Product.default_rate_plan": "RatePlan",
    "Product.credit_granted": "Credit",
    "ProductPrice.token": "Token",
    "BillingPlan.trial": "BillingPlanPeriod",
    "BillingPlan.season_set": "SeasonSet",
    "BillingPlanPrice.token_amount": "TokenAmount",
    "Transaction.account": "Account",
    "Transaction.source_payment_method": "PaymentMethod",
    "Transaction.sales_tax_address": "Address",
    "Transaction.mandate": "Mandate",
    "Transaction.subscription": "Subscription",
    "EventSummary.account": "Account",
    "EventSummary.subscription": "Subscription",
    "EventSummary.subscription_item": "SubscriptionItem",
    "EventSummary.product": "Product",
    "EventSummary.rate_plan": "RatePlan",
    "EventSummary.rated_unit": "RatableUsageMetric",
    "AccountAssociation.association": "Association",
    "AccountAssociation.attributes": "AccountAssociationAttributes",
    "SubscriptionEntity.attributes": "SubscriptionEntityAttributes",
    "PaymentProviderSubscription.paymentMethod": "PaymentDetail",
    "StorefrontPaymentMethod.creditCard": "StorefrontCreditCard",
    "StorefrontPaymentMethod.carrierBilling": "CarrierBilling",
    "Refund.transaction": "Transaction",
}

ENUMERATIONS = {
    "SubscriptionStatus": (
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
    ),
    "BillingState": (
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
    ),
    "CampaignState": ("Active", "Canceled", "Complete", "Inactive", "MatchAnyState", "Pending", "Undefined"),
    "CampaignType": ("Coupon", "Promotion", "Undefined", "Voucher"),
    "PeriodLength": ("Day", "Week", "Month", "Year", "Hour", "BillingCycle"),
    "CampaignDiscountMethod": ("Compounded", "Direct"),
    "Stackability": ("Unspecified", "Stackable", "Unstackable"),
    "StatementFormat": ("Attachment", "DoNotSend", "Inline"),
    "EntityStatus": ("activating", "activated", "suspended", "deactivated", "pending", "unknown"),
    "PartnerSubscriptionType": ("BILLING", "ENTITLEMENT"),
    "BillingStatus": ("CANCELLED",),
    "StorefrontPaymentMethodType": (
        "CarrierBilling",
        "ExternalBilling",
        "MerchantAcceptedPayment",
        "CreditCard",
        "DebitCard",
    ),
}

# Sample values of enumerations that the specification doesn't list in full.
SAMPLES = {
    "PaymentMethodType": ("Amazon", "CreditCard"),
    "TransactionStatusValue": ("New", "Cancelled"),
    "AddressVerification": ("FullMatch",),
    "HashType": ("sha1",),
    "PhoneType": ("CS",),
    "PricePointDeviationPolicy": ("HiOnly",),
    "DynamicPriceMode": ("PayoutGross",),
    "CarrierBillingAccountIdentifierType": ("MSISDN",),
    "CustomerIdentifierType": ("PoS", "Web"),
    "MandateStatus": ("Active",),
    "ProductStatus": ("Active",),
    "BrTaxCategory": ("Goods",),
    "BillingPlanStatus": ("Active",),
    "BillingPlanPeriodType": ("Day",),
    "TransactionState": ("Complete",),
    "PaymentStatus": ("Failure",),
}

ENUMERATED_FIELDS = {
    "Subscription.status": "SubscriptionStatus",
    "Subscription.billing_state": "BillingState",
    "Subscription.statement_format": "StatementFormat",
    "Campaign.state": "CampaignState",
    "Campaign.type": "CampaignType",
    "Campaign.period_length": "PeriodLength",
    "Campaign.campaign_discount_method": "CampaignDiscountMethod",
    "Campaign.stackability": "Stackability",
    "AccountAssociation.status": "EntityStatus",
    "SubscriptionEntity.status": "EntityStatus",
    "Entity.status": "EntityStatus",
    "PartnerSubscription.type": "PartnerSubscriptionType",
    "PartnerSubscription.billingStatus": "BillingStatus",
    "StorefrontPaymentMethod.type": "StorefrontPaymentMethodType",
    "Payment.status": "PaymentStatus",
}
