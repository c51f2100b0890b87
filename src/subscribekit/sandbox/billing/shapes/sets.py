"""The sets of values of enumerated fields, and the source of each set.

If a request contains a value that isn't in the set of its field, the sandbox rejects the request with status 400.

Each set of values has one of three sources: `specification`, `published`, or `assumed`. The source `specification`
means that the specification lists the values. The source `published` means that the operator's REST guide lists the
values. The source `assumed` means that the values appear only in samples, or in the schema of the platform's SOAP
interface. For an `assumed` set, the sandbox uses the longest list of values that the samples or the SOAP schema
contain. The service can accept values that aren't in the set.

Three fields seem to be enumerated, but no source lists their values: `br_tax_category`,
`carrier_billing_account_identifier_type`, and `customer_identifier_type`. If no source lists the values of a field, the
sandbox accepts any value. If a set contained only the values of one sample, the sandbox would reject other values that
the service accepts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

SetSource: TypeAlias = Literal["specification", "published", "assumed"]


@dataclass(frozen=True)
class ValueSet:
    """The allowed values of a field, and the source of these values."""

    values: tuple[str, ...]
    source: SetSource


def _specified(*values: str) -> ValueSet:
    return ValueSet(values, "specification")


def _published(*values: str) -> ValueSet:
    return ValueSet(values, "published")


def _assumed(*values: str) -> ValueSet:
    return ValueSet(values, "assumed")


_ADDRESS_MATCH = _assumed("FullMatch", "PartialMatch", "NoMatch", "IssuerError", "NoOpinion", "NotSupported")
_CATALOG_STATUS = _assumed("Active", "Suspended")

SETS: Mapping[str, ValueSet] = {
    "Account.email_type": _published("html", "multipart", "plaintext"),
    "Activity.type": _assumed(
        "Cancellation", "Email", "Fulfillment", "Login", "Logout", "NamedValue", "Note", "Phone", "URIView", "Usage",
    ),
    "ActivityCancellation.initiator": _assumed("Chargeback", "Customer", "Merchant"),
    "ActivityPhone.type": _assumed(
        "FromCustomerToMerchant", "FromCustomerToOther", "FromMerchantToCustomer", "FromMerchantToOther",
        "FromOtherToCustomer", "FromOtherToMerchant",
    ),
    "BillingPlan.status": _CATALOG_STATUS,
    "BillingPlanPeriod.type": _assumed("Day", "Week", "Month", "Year"),
    "Campaign.campaign_discount_method": _specified("Compounded", "Direct"),
    "Campaign.period_length": _specified("Day", "Week", "Month", "Year", "Hour", "BillingCycle"),
    "Campaign.stackability": _specified("Unspecified", "Stackable", "Unstackable"),
    "Campaign.state": _specified(
        "Active", "Canceled", "Complete", "Inactive", "MatchAnyState", "Pending", "Undefined",
    ),
    "Campaign.type": _specified("Coupon", "Promotion", "Undefined", "Voucher"),
    "CreditCard.hash_type": _assumed("sha1", "md5"),
    "Mandate.status": _assumed("Pending", "Active", "Failed", "Cancelled", "Expired"),
    # The values `applytoOldestInvoice` and `applytoCredit` each have a second spelling, because the REST guide and the
    # operator's code use different spellings.
    "Payment.overage_disposition": _assumed(
        "applyToThisAutoBill", "applytoOldestInvoice", "applyToOldestInvoice", "applytoCredit", "applyToCredit",
    ),
    "Payment.status": _assumed("Failure", "Pending", "Success"),
    # The value `DebitCard` comes from the storefront. The value `GooglePay` is an assumption, by analogy with
    # `ApplePay`.
    "PaymentMethod.type": _assumed(
        "Amazon", "ApplePay", "Boleto", "CarrierBilling", "CreditCard", "DebitCard", "DirectDebit", "ECP",
        "ExternalBilling", "GooglePay", "HostedPage", "MerchantAcceptedPayment", "MilitaryStar", "PayPal", "Skrill",
        "Token",
    ),
    "PhoneNumber.phone_type": _assumed("Unspecified", "Home", "Work", "Mobile", "Fax", "Pager", "Main", "CS"),
    "PriceCriteria.dynamic_price_mode": _assumed("Price", "PayoutGross", "PayoutNet"),
    "PriceCriteria.price_point_deviation_policy": _assumed(
        "HiPreferred", "HiOnly", "LowPreferred", "LowOnly", "NearestNoPreference",
    ),
    "Product.status": _CATALOG_STATUS,
    "RatePlan.multiply_rated_units_by": _published("EachRespectiveTier", "HighestApplicableTier"),
    "RatePlan.rate_plan_model": _published("LicenseBased", "UsageBased"),
    "RatePlan.status": _published("Active", "Suspended"),
    "RatePlanTier.charge_customer": _published("FlatFee", "PerUnit"),
    "Refund.refund_distribution_strategy": _assumed("None", "TaxClassification", "SpecifiedItems"),
    "Refund.status": _assumed("Complete", "Failed", "Processing", "Reported"),
    "Refund.token_action": _assumed("None", "CancelNegativeBalance", "CancelZeroBalance"),
    "Subscription.billing_state": _specified(
        "Free/Trial", "Billing Completed", "Failed To Collect", "Free Period", "Bogus BillingState", "Paused",
        "Good Standing", "Grace Period", "In Retry", "Legacy Unknown BillingState", "Overdue", "Pending Acceptance",
        "Terminated", "Unbilled", "Unknown", "Unusable PaymentMethod", "Pending Resume", "Pending Pause",
    ),
    "Subscription.statement_format": _specified("Attachment", "DoNotSend", "Inline"),
    "Subscription.status": _specified(
        "Pending Activation", "Active", "Pending Cancel", "Cancelled", "Expired", "Processing", "Deleted", "Dryrun",
        "Unknown", "Upgraded", "Legacy Suspended", "Bogus AutoBill Status", "Paused", "Pending Pause",
    ),
    "SubscriptionPolicy.immediate_auth_failure_policy": _assumed(
        "doNotSaveAutoBill", "putAutoBillInRetryCycle", "putAutoBillInRetryCycleIfPaymentMethodIsValid",
    ),
    "TransactionItem.item_type": _assumed(
        "Purchase", "TaxableCredit", "ModificationRefund", "Credit", "DiscountBeforeTax",
    ),
    "TransactionItem.tax_type": _assumed("Exclusive Sales", "Inclusive Sales", "Exclusive Use", "Inclusive Use"),
    "TransactionStatus.service_avs": _ADDRESS_MATCH,
    "TransactionStatus.vin_avs": _ADDRESS_MATCH,
    "TransactionStatus.status": _assumed(
        "New", "AuthorizationPending", "AuthorizedPending", "Authorized", "AuthorizedForValidation", "Cancelled",
        "Captured", "Settled", "Refunded", "Pending",
    ),
}  # fmt: skip
"""The sets of allowed values. The keys are the names of resources and fields, such as `Account.email_type`."""
