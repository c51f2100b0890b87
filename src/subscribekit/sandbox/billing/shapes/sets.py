"""The sets of values of enumerated fields, each with its source. A value outside its set is refused with 400.

Three sources are told apart. `specification`: the specification lists the set. `published`: the operator's REST guide
lists it. `assumed`: only samples or the schema of the sibling SOAP interface show values; the set is the fullest of
them, and the service may know more.

Fields that are enumerated by name alone stay open, because a set of one sample would refuse what the service takes:
`br_tax_category`, `carrier_billing_account_identifier_type`, and `customer_identifier_type`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

SetSource: TypeAlias = Literal["specification", "published", "assumed"]


@dataclass(frozen=True)
class ValueSet:
    """The values of a field, and where they come from."""

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
    # The two spellings of one value are those of the guide and of the operator's code.
    "Payment.overage_disposition": _assumed(
        "applyToThisAutoBill", "applytoOldestInvoice", "applyToOldestInvoice", "applytoCredit", "applyToCredit",
    ),
    "Payment.status": _assumed("Failure", "Pending", "Success"),
    # `DebitCard` is the storefront's, and the name for Google Pay is made like that for Apple Pay.
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
"""The sets, by resource and field."""
