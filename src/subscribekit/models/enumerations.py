"""Documented values of the enumerated fields.

Each is open: completion shows the documented values, a value that is not among them is an ordinary text, and the
service judges what is sent.
"""

from typing import Annotated, Literal, TypeAlias

from ._scalars import FreeText, Text, TextLimit

EmailType: TypeAlias = Literal["html", "multipart", "plaintext"] | Text
"""Values of `Account.email_type`. Published, not in the specification."""

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
"""Values of `PaymentMethod.type`: `Amazon` and `CreditCard` are specified, the others are published. The name for
Google Pay is not shown."""

HashType: TypeAlias = Literal["sha1"] | Text
"""Values of `CreditCard.hash_type` that were seen."""

PhoneType: TypeAlias = Literal["CS"] | Text
"""Values of `PhoneNumber.phone_type` that were seen."""

PricePointDeviationPolicy: TypeAlias = Literal["HiOnly"] | Text
"""Values of `PriceCriteria.price_point_deviation_policy` that were seen."""

DynamicPriceMode: TypeAlias = Literal["PayoutGross"] | Text
"""Values of `PriceCriteria.dynamic_price_mode` that were seen."""

CarrierBillingAccountIdentifierType: TypeAlias = Literal["MSISDN"] | Text
"""Values of `CarrierBilling.carrier_billing_account_identifier_type` that were seen."""

CustomerIdentifierType: TypeAlias = Literal["PoS", "Web"] | Text
"""Values of `CarrierBilling.customer_identifier_type` that were seen."""

TransactionStatusValue: TypeAlias = (
    Literal["New", "AuthorizationPending", "Authorized", "Captured", "Cancelled", "Refunded"] | Text
)
"""Values of `TransactionStatus.status`: `New` and `Cancelled` are specified, the others are published."""

AddressVerification: TypeAlias = Literal["FullMatch", "NoMatch"] | Text
"""Values of `TransactionStatus.service_avs` that were seen."""

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
"""Values of `Subscription.status`, the state of the service."""

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
"""Values of `Subscription.billing_state`, the state of the money."""

StatementFormat: TypeAlias = Literal["Attachment", "DoNotSend", "Inline"] | Text
"""Values of `Subscription.statement_format`."""

MandateStatus: TypeAlias = Literal["Active"] | Text
"""Values of `Mandate.status` that were seen."""

ImmediateAuthFailurePolicy: TypeAlias = (
    Literal[
        "doNotSaveAutoBill",
        "putAutoBillInRetryCycle",
        "putAutoBillInRetryCycleIfPaymentMethodIsValid",
    ]
    | Text
)
"""Values of `SubscriptionPolicy.immediate_auth_failure_policy`. Published, not in the specification."""

SubscriptionItemAction: TypeAlias = Literal["Add", "Remove"] | Text
"""Values of `SubscriptionItemHistory.action`. Published, not in the specification."""

ProductStatus: TypeAlias = Literal["Active", "Suspended"] | Text
"""Values of `Product.status`: `Active` is specified, `Suspended` is published."""

BrTaxCategory: TypeAlias = Literal["Goods"] | Text
"""Values of `br_tax_category` that were seen."""

BillingPlanStatus: TypeAlias = Literal["Active", "Suspended"] | Text
"""Values of `BillingPlan.status`: `Active` is specified, `Suspended` is published."""

BillingPlanPeriodType: TypeAlias = Literal["Day", "Month", "Year"] | Text
"""Values of `BillingPlanPeriod.type`: `Day` is specified, the others are published."""

CampaignState: TypeAlias = (
    Literal["Active", "Canceled", "Complete", "Inactive", "MatchAnyState", "Pending", "Undefined"] | Text
)
"""Values of `Campaign.state`."""

CampaignType: TypeAlias = Literal["Coupon", "Promotion", "Undefined", "Voucher"] | Text
"""Values of `Campaign.type`; `Voucher` is listed by the activation only and marked as not implemented."""

PeriodLength: TypeAlias = Literal["Day", "Week", "Month", "Year", "Hour", "BillingCycle"] | Text
"""Values of `Campaign.period_length`."""

CampaignDiscountMethod: TypeAlias = Literal["Compounded", "Direct"] | Text
"""Values of `Campaign.campaign_discount_method`."""

Stackability: TypeAlias = Literal["Unspecified", "Stackable", "Unstackable"] | Text
"""Values of `Campaign.stackability`; the service takes `Stackable` when none is given."""

PaymentStatus: TypeAlias = Literal["Failure", "Pending", "Success"] | Text
"""Values of `Payment.status`: `Failure` is specified, the others are published."""

OverageDisposition: TypeAlias = Literal["applyToThisAutoBill"] | Text
"""Values of `Payment.overage_disposition` that were seen. Published, not in the specification."""

TransactionState: TypeAlias = Literal["Complete", "Cancelled"] | Text
"""Values of `Transaction.status`: `Complete` is specified, `Cancelled` is published for its log of states."""

TransactionItemType: TypeAlias = (
    Literal["Purchase", "TaxableCredit", "ModificationRefund", "Credit", "DiscountBeforeTax"] | Text
)
"""Values of `TransactionItem.item_type`; the service takes `Purchase` when none is given. Published, not in the
specification."""

TaxType: TypeAlias = Literal["Exclusive Sales", "Inclusive Sales"] | Text
"""Values of `TransactionItem.tax_type` that were seen. Published, not in the specification."""

RefundStatus: TypeAlias = Literal["Complete", "Processing"] | Text
"""Values of `Refund.status` that were seen. Published, not in the specification."""

RefundTokenAction: TypeAlias = Literal["None"] | Text
"""Values of `Refund.token_action` that were seen. Published, not in the specification."""

RefundDistributionStrategy: TypeAlias = Literal["None", "TaxClassification"] | Text
"""Values of `Refund.refund_distribution_strategy` that were seen. Published, not in the specification."""

InvoiceStatus: TypeAlias = Literal["Paid", "Due"] | Text
"""Values of `Invoice.status` that were seen. Published, not in the specification."""

InvoiceItemType: TypeAlias = Literal["RecurringCharge", "Tax"] | Text
"""Values of `InvoiceItem.type` that were seen. Published, not in the specification."""

RatedUnitMultiplication: TypeAlias = Literal["EachRespectiveTier", "HighestApplicableTier"] | Text
"""Values of `RatePlan.multiply_rated_units_by`. Published, not in the specification."""

RatePlanModel: TypeAlias = Literal["LicenseBased", "UsageBased"] | Text
"""Values of `RatePlan.rate_plan_model`. Published, not in the specification."""

RatePlanStatus: TypeAlias = Literal["Active", "Suspended"] | Text
"""Values of `RatePlan.status`. Published, not in the specification."""

ChargeCustomer: TypeAlias = Literal["FlatFee", "PerUnit"] | Text
"""Values of `RatePlanTier.charge_customer`. Published, not in the specification."""

ActivityType: TypeAlias = (
    Literal["Cancellation", "Fulfillment", "Login", "Logout", "NamedValue", "Note", "Phone", "URIView", "Usage"] | Text
)
"""Values of `Activity.type` that were seen. Published, not in the specification."""

ActivityInitiator: TypeAlias = Literal["Customer"] | Text
"""Values of `ActivityCancellation.initiator` that were seen. Published, not in the specification."""

ActivityPhoneType: TypeAlias = Literal["FromCustomerToMerchant"] | Text
"""Values of `ActivityPhone.type` that were seen. Published, not in the specification."""

PartnerSubscriptionType: TypeAlias = Literal["BILLING", "ENTITLEMENT"] | FreeText
"""Values of `PartnerSubscription.type`: managed by the partner, or by the platform."""

BillingStatus: TypeAlias = Literal["CANCELLED"] | Annotated[str, TextLimit(50)]
"""Values of `PartnerSubscription.billing_status`; the full set is not shown."""

EntityStatus: TypeAlias = (
    Literal["activating", "activated", "suspended", "deactivated", "pending", "unknown"] | FreeText
)
"""Values of the `status` of group C entities."""

StorefrontPaymentMethodType: TypeAlias = (
    Literal["CarrierBilling", "ExternalBilling", "MerchantAcceptedPayment", "CreditCard", "DebitCard"] | FreeText
)
"""Values of `StorefrontPaymentMethod.type`."""
