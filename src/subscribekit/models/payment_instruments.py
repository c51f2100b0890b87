"""The kinds of payment instrument that a payment method may hold, but for cards."""

from typing import Literal

from ._base import Model, OpenModel
from ._scalars import ABSENT, AccountNumber, Integer, Masked, MerchantAccount, MoneyField, Text, Timestamp


class DirectDebit(OpenModel):
    """A bank account that is debited; its fields are not all documented, so any may be given."""

    object: Literal["DirectDebit"] = "DirectDebit"
    """Resource type. Published, not in the specification."""
    account: Masked[AccountNumber | None] = None
    """Account number. The service masks it in responses; the SDK never sends a masked one. Published, not in the
    specification."""
    last_digits: Text | None = None
    """Last digits of the account number. Published, not in the specification."""
    account_length: Integer | None = None
    """Number of digits of the account number. Published, not in the specification."""
    country_code: Text | None = None
    """Country of the bank. Published, not in the specification."""
    bank_sort_code: Masked[Text | None] = None
    """Sort code of the bank. Published, not in the specification."""
    rib_code: Masked[Text | None] = None
    """RIB code of a French account. Published, not in the specification."""


class PayPal(OpenModel):
    """A PayPal agreement; its fields are not all documented, so any may be given."""

    object: Literal["PayPal"] = "PayPal"
    """Resource type. Published, not in the specification."""
    return_url: Text | None = None
    """Where the customer lands after approval. Published, not in the specification."""
    cancel_url: Text | None = None
    """Where the customer lands after refusal. Published, not in the specification."""
    request_reference_id: bool | None = None
    """Whether a lasting agreement is asked for. Published, not in the specification."""
    reference_id: Masked[Text | None] = None
    """The lasting agreement. Published, not in the specification."""
    payer_id: Masked[Text | None] = None
    """Payer at PayPal. Published, not in the specification."""
    paypal_email: Masked[Text | None] = None
    """E-mail address of the payer. Published, not in the specification."""


class Amazon(OpenModel):
    """An Amazon agreement; its fields are not documented, so any may be given."""

    object: Text | None = None
    """Resource type; its value is not shown."""


class ApplePay(OpenModel):
    """An Apple Pay token; its fields are not documented, so any may be given."""

    object: Text | None = None
    """Resource type; its value is not shown."""


class GooglePay(OpenModel):
    """A Google Pay token; its fields are not documented, so any may be given."""

    object: Text | None = None
    """Resource type; its value is not shown."""


class MerchantAcceptedPayment(Model):
    """A payment that the merchant takes, such as cash or a cheque."""

    object: Literal["MerchantAcceptedPayment"] = "MerchantAcceptedPayment"
    """Resource type."""
    amount: MoneyField = ABSENT
    """Amount taken."""
    currency: Text | None = None
    """Currency code."""
    created: Timestamp | None = None
    """When it was taken."""
    payment_type: Text | None = None
    """Kind of payment, in the merchant's own words."""
    account: Masked[MerchantAccount | None] = None
    """Account. The service masks it in responses; the SDK never sends a masked one."""
    last_digits: Text | None = None
    """Last digits of the account."""


class ExternalBilling(Model):
    """A bill that another system sends."""

    object: Literal["ExternalBilling"] = "ExternalBilling"
    """Resource type."""
    bill_receiver: Text | None = None
    """System that receives the bill."""
    payment_channel: Text | None = None
    """Channel of payment."""
    financial_account: Masked[Text | None] = None
    """Financial account that is billed."""
