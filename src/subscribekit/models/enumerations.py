"""Documented values of the enumerated fields.

Editors complete the documented values. Other values are also valid, because the service decides which values it
accepts.
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
"""Values of `PaymentMethod.type`. The specification shows `Amazon` and `CreditCard`; only the public reference shows
the others. No source shows the value for Google Pay."""

HashType: TypeAlias = Literal["sha1"] | Text
"""Known values of `CreditCard.hash_type`; no source lists all of them."""

PhoneType: TypeAlias = Literal["CS"] | Text
"""Known values of `PhoneNumber.phone_type`; no source lists all of them."""

PricePointDeviationPolicy: TypeAlias = Literal["HiOnly"] | Text
"""Known values of `PriceCriteria.price_point_deviation_policy`; no source lists all of them."""

DynamicPriceMode: TypeAlias = Literal["PayoutGross"] | Text
"""Known values of `PriceCriteria.dynamic_price_mode`; no source lists all of them."""

CarrierBillingAccountIdentifierType: TypeAlias = Literal["MSISDN"] | Text
"""Known values of `CarrierBilling.carrier_billing_account_identifier_type`; no source lists all of them."""

CustomerIdentifierType: TypeAlias = Literal["PoS", "Web"] | Text
"""Known values of `CarrierBilling.customer_identifier_type`; no source lists all of them."""

TransactionStatusValue: TypeAlias = (
    Literal["New", "AuthorizationPending", "Authorized", "Captured", "Cancelled", "Refunded"] | Text
)
"""Values of `TransactionStatus.status`. The specification shows `New` and `Cancelled`; only the public reference shows
the others."""

AddressVerification: TypeAlias = Literal["FullMatch", "NoMatch"] | Text
"""Known values of `TransactionStatus.service_avs`; no source lists all of them."""

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
"""Values of `Subscription.status`, which says whether the subscription is served."""

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
"""Values of `Subscription.billing_state`, which says whether the subscription is paid."""

StatementFormat: TypeAlias = Literal["Attachment", "DoNotSend", "Inline"] | Text
"""Values of `Subscription.statement_format`."""

MandateStatus: TypeAlias = Literal["Active"] | Text
"""Known values of `Mandate.status`; no source lists all of them."""

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
"""Values of `Product.status`. The specification shows `Active`; only the public reference shows `Suspended`."""

BrTaxCategory: TypeAlias = Literal["Goods"] | Text
"""Known values of `br_tax_category`; no source lists all of them."""

BillingPlanStatus: TypeAlias = Literal["Active", "Suspended"] | Text
"""Values of `BillingPlan.status`. The specification shows `Active`; only the public reference shows `Suspended`."""

BillingPlanPeriodType: TypeAlias = Literal["Day", "Month", "Year"] | Text
"""Values of `BillingPlanPeriod.type`. The specification shows `Day`; only the public reference shows the others."""

CampaignState: TypeAlias = (
    Literal["Active", "Canceled", "Complete", "Inactive", "MatchAnyState", "Pending", "Undefined"] | Text
)
"""Values of `Campaign.state`."""

CampaignType: TypeAlias = Literal["Coupon", "Promotion", "Undefined", "Voucher"] | Text
"""Values of `Campaign.type`. The specification lists `Voucher` only for the activation, and marks it as not
implemented."""

PeriodLength: TypeAlias = Literal["Day", "Week", "Month", "Year", "Hour", "BillingCycle"] | Text
"""Values of `Campaign.period_length`."""

CampaignDiscountMethod: TypeAlias = Literal["Compounded", "Direct"] | Text
"""Values of `Campaign.campaign_discount_method`."""

Stackability: TypeAlias = Literal["Unspecified", "Stackable", "Unstackable"] | Text
"""Values of `Campaign.stackability`; the service uses `Stackable` if the field is absent."""

PaymentStatus: TypeAlias = Literal["Failure", "Pending", "Success"] | Text
"""Values of `Payment.status`. The specification shows `Failure`; only the public reference shows the others."""

OverageDisposition: TypeAlias = Literal["applyToThisAutoBill"] | Text
"""Known values of `Payment.overage_disposition`; no source lists all of them. Only the public reference documents these
values."""

TransactionState: TypeAlias = Literal["Complete", "Cancelled"] | Text
"""Values of `Transaction.status`. The specification shows `Complete`; the public reference shows `Cancelled`, but only
in the status log."""

TransactionItemType: TypeAlias = (
    Literal["Purchase", "TaxableCredit", "ModificationRefund", "Credit", "DiscountBeforeTax"] | Text
)
"""Values of `TransactionItem.item_type`; the service uses `Purchase` if the field is absent. Only the public reference
documents these values."""

TaxType: TypeAlias = Literal["Exclusive Sales", "Inclusive Sales"] | Text
"""Known values of `TransactionItem.tax_type`; no source lists all of them. Only the public reference documents these
values."""

RefundStatus: TypeAlias = Literal["Complete", "Processing"] | Text
"""Known values of `Refund.status`; no source lists all of them. Only the public reference documents these values."""

RefundTokenAction: TypeAlias = Literal["None"] | Text
"""Known values of `Refund.token_action`; no source lists all of them. Only the public reference documents these values.
"""

RefundDistributionStrategy: TypeAlias = Literal["None", "TaxClassification"] | Text
"""Known values of `Refund.refund_distribution_strategy`; no source lists all of them. Only the public reference
documents these values."""

InvoiceStatus: TypeAlias = Literal["Paid", "Due"] | Text
"""Known values of `Invoice.status`; no source lists all of them. Only the public reference documents these values."""

InvoiceItemType: TypeAlias = Literal["RecurringCharge", "Tax"] | Text
"""Known values of `InvoiceItem.type`; no source lists all of them. Only the public reference documents these values."""

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
"""Known values of `Activity.type`; no source lists all of them. Only the public reference documents these values."""

ActivityInitiator: TypeAlias = Literal["Customer"] | Text
"""Known values of `ActivityCancellation.initiator`; no source lists all of them. Only the public reference documents
these values."""

ActivityPhoneType: TypeAlias = Literal["FromCustomerToMerchant"] | Text
"""Known values of `ActivityPhone.type`; no source lists all of them. Only the public reference documents these values.
"""

PartnerSubscriptionType: TypeAlias = Literal["BILLING", "ENTITLEMENT"] | FreeText
"""Values of `PartnerSubscription.type`: the partner or the platform bills the subscription."""

BillingStatus: TypeAlias = Literal["CANCELLED"] | Annotated[str, TextLimit(50)]
"""Known values of `PartnerSubscription.billing_status`; no source lists all of them."""

EntityStatus: TypeAlias = (
    Literal["activating", "activated", "suspended", "deactivated", "pending", "unknown"] | FreeText
)
"""Values of the `status` of entities in the account-lifecycle API."""

StorefrontPaymentMethodType: TypeAlias = (
    Literal["CarrierBilling", "ExternalBilling", "MerchantAcceptedPayment", "CreditCard", "DebitCard"] | FreeText
)
"""Values of `StorefrontPaymentMethod.type`."""
