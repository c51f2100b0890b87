"""Documented values of the enumerated fields.

Code editors offer the documented values as completions. You can also set other values, because only the service decides
which values it accepts.
"""

from typing import Annotated, Literal, TypeAlias

from ._scalars import FreeText, Text, TextLimit

EmailType: TypeAlias = Literal["html", "multipart", "plaintext"] | Text
"""Values of `Account.email_type`. Only the public reference documents these values."""

PaymentMethodType: TypeAlias = (
    Literal[
        "Amazon",
        "ApplePay",
        "Boleto",
        "CarrierBilling",
        "CreditCard",
        "DirectDebit",
        "ECP",
        "ExternalBilling",
        "HostedPage",
        "MerchantAcceptedPayment",
        "MilitaryStar",
        "PayPal",
        "Skrill",
        "Token",
    ]
    | Text
)
"""Values of `PaymentMethod.type`. The specification lists `Amazon` and `CreditCard`; only the public reference
lists the other types. No source states the type for Google Pay."""

HashType: TypeAlias = Literal["sha1"] | Text
"""Known values of `CreditCard.hash_type`; the list may be incomplete."""

PhoneType: TypeAlias = Literal["CS"] | Text
"""Known values of `PhoneNumber.phone_type`; the list may be incomplete."""

PricePointDeviationPolicy: TypeAlias = Literal["HiOnly"] | Text
"""Known values of `PriceCriteria.price_point_deviation_policy`; the list may be incomplete."""

DynamicPriceMode: TypeAlias = Literal["PayoutGross"] | Text
"""Known values of `PriceCriteria.dynamic_price_mode`; the list may be incomplete."""

CarrierBillingAccountIdentifierType: TypeAlias = Literal["MSISDN"] | Text
"""Known values of `CarrierBilling.carrier_billing_account_identifier_type`; the list may be incomplete."""

CustomerIdentifierType: TypeAlias = Literal["PoS", "Web"] | Text
"""Known values of `CarrierBilling.customer_identifier_type`; the list may be incomplete."""

TransactionStatusValue: TypeAlias = (
    Literal["New", "AuthorizationPending", "Authorized", "Captured", "Cancelled", "Refunded"] | Text
)
"""Values of `TransactionStatus.status`. The specification lists `New` and `Cancelled`; only the public reference
lists the other statuses."""

AddressVerification: TypeAlias = Literal["FullMatch", "NoMatch"] | Text
"""Known values of `TransactionStatus.service_avs`; the list may be incomplete."""

SubscriptionStatus: TypeAlias = (
    Literal[
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
    ]
    | Text
)
"""Values of `Subscription.status`, which determines whether the subscription is served."""

BillingState: TypeAlias = (
    Literal[
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
    ]
    | Text
)
"""Values of `Subscription.billing_state`, which determines whether the subscription is paid."""

StatementFormat: TypeAlias = Literal["Attachment", "DoNotSend", "Inline"] | Text
"""Values of `Subscription.statement_format`."""

MandateStatus: TypeAlias = Literal["Active"] | Text
"""Known values of `Mandate.status`; the list may be incomplete."""

ImmediateAuthFailurePolicy: TypeAlias = (
    Literal[
        "doNotSaveAutoBill",
        "putAutoBillInRetryCycle",
        "putAutoBillInRetryCycleIfPaymentMethodIsValid",
    ]
    | Text
)
"""Values of `SubscriptionPolicy.immediate_auth_failure_policy`. Only the public reference documents these values."""

SubscriptionItemAction: TypeAlias = Literal["Add", "Remove"] | Text
"""Values of `SubscriptionItemHistory.action`. Only the public reference documents these values."""

ProductStatus: TypeAlias = Literal["Active", "Suspended"] | Text
"""Values of `Product.status`. The specification lists `Active`; only the public reference lists `Suspended`."""

BrTaxCategory: TypeAlias = Literal["Goods"] | Text
"""Known values of `br_tax_category`; the list may be incomplete."""

BillingPlanStatus: TypeAlias = Literal["Active", "Suspended"] | Text
"""Values of `BillingPlan.status`. The specification lists `Active`; only the public reference lists
`Suspended`."""

BillingPlanPeriodType: TypeAlias = Literal["Day", "Month", "Year"] | Text
"""Values of `BillingPlanPeriod.type`. The specification lists `Day`; only the public reference lists `Month` and
`Year`."""

CampaignState: TypeAlias = (
    Literal["Active", "Canceled", "Complete", "Inactive", "MatchAnyState", "Pending", "Undefined"] | Text
)
"""Values of `Campaign.state`."""

CampaignType: TypeAlias = Literal["Coupon", "Promotion", "Undefined", "Voucher"] | Text
"""Values of `Campaign.type`. The specification lists `Voucher` only for the activation of campaigns, and marks
`Voucher` as not implemented."""

PeriodLength: TypeAlias = Literal["Day", "Week", "Month", "Year", "Hour", "BillingCycle"] | Text
"""Values of `Campaign.period_length`."""

CampaignDiscountMethod: TypeAlias = Literal["Compounded", "Direct"] | Text
"""Values of `Campaign.campaign_discount_method`."""

Stackability: TypeAlias = Literal["Unspecified", "Stackable", "Unstackable"] | Text
"""Values of `Campaign.stackability`. If the field is absent, the service uses `Stackable`."""

PaymentStatus: TypeAlias = Literal["Failure", "Pending", "Success"] | Text
"""Values of `Payment.status`. The specification lists `Failure`; only the public reference lists `Pending` and
`Success`."""

OverageDisposition: TypeAlias = Literal["applyToThisAutoBill"] | Text
"""Known values of `Payment.overage_disposition`, which only the public reference documents. The list may be
incomplete."""

TransactionState: TypeAlias = Literal["Complete", "Cancelled"] | Text
"""Values of `Transaction.status`. The specification lists `Complete`; the public reference lists `Cancelled` only for
`status_log`."""

TransactionItemType: TypeAlias = (
    Literal["Purchase", "TaxableCredit", "ModificationRefund", "Credit", "DiscountBeforeTax"] | Text
)
"""Values of `TransactionItem.item_type`. If the field is absent, the service uses `Purchase`. Only the public reference
documents these values."""

TaxType: TypeAlias = Literal["Exclusive Sales", "Inclusive Sales"] | Text
"""Known values of `TransactionItem.tax_type`, which only the public reference documents. The list may be incomplete."""

RefundStatus: TypeAlias = Literal["Complete", "Processing"] | Text
"""Known values of `Refund.status`, which only the public reference documents. The list may be incomplete."""

RefundTokenAction: TypeAlias = Literal["None"] | Text
"""Known values of `Refund.token_action`, which only the public reference documents. The list may be incomplete.
"""

RefundDistributionStrategy: TypeAlias = Literal["None", "TaxClassification"] | Text
"""Known values of `Refund.refund_distribution_strategy`, which only the public reference documents. The list may be
incomplete."""

InvoiceStatus: TypeAlias = Literal["Paid", "Due"] | Text
"""Known values of `Invoice.status`, which only the public reference documents. The list may be incomplete."""

InvoiceItemType: TypeAlias = Literal["RecurringCharge", "Tax"] | Text
"""Known values of `InvoiceItem.type`, which only the public reference documents. The list may be incomplete."""

RatedUnitMultiplication: TypeAlias = Literal["EachRespectiveTier", "HighestApplicableTier"] | Text
"""Values of `RatePlan.multiply_rated_units_by`. Only the public reference documents these values."""

RatePlanModel: TypeAlias = Literal["LicenseBased", "UsageBased"] | Text
"""Values of `RatePlan.rate_plan_model`. Only the public reference documents these values."""

RatePlanStatus: TypeAlias = Literal["Active", "Suspended"] | Text
"""Values of `RatePlan.status`. Only the public reference documents these values."""

ChargeCustomer: TypeAlias = Literal["FlatFee", "PerUnit"] | Text
"""Values of `RatePlanTier.charge_customer`. Only the public reference documents these values."""

ActivityType: TypeAlias = (
    Literal["Cancellation", "Fulfillment", "Login", "Logout", "NamedValue", "Note", "Phone", "URIView", "Usage"] | Text
)
"""Known values of `Activity.type`, which only the public reference documents. The list may be incomplete."""

ActivityInitiator: TypeAlias = Literal["Customer"] | Text
"""Known values of `ActivityCancellation.initiator`, which only the public reference documents. The list may be
incomplete."""

ActivityPhoneType: TypeAlias = Literal["FromCustomerToMerchant"] | Text
"""Known values of `ActivityPhone.type`, which only the public reference documents. The list may be incomplete.
"""

PartnerSubscriptionType: TypeAlias = Literal["BILLING", "ENTITLEMENT"] | FreeText
"""Values of `PartnerSubscription.type`: `BILLING` if the partner bills the subscription, or `ENTITLEMENT` if the
platform bills the subscription."""

BillingStatus: TypeAlias = Literal["CANCELLED"] | Annotated[str, TextLimit(50)]
"""Known values of `PartnerSubscription.billing_status`; the list may be incomplete."""

EntityStatus: TypeAlias = (
    Literal["activating", "activated", "suspended", "deactivated", "pending", "unknown"] | FreeText
)
"""Values of the field `status` of entities in the account-lifecycle API."""

StorefrontPaymentMethodType: TypeAlias = (
    Literal["CarrierBilling", "ExternalBilling", "MerchantAcceptedPayment", "CreditCard", "DebitCard"] | FreeText
)
"""Values of `StorefrontPaymentMethod.type`."""
