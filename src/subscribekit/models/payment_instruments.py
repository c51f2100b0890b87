"""Models of the details of payment methods other than cards."""

from typing import Literal

from ._base import Model, OpenModel
from ._scalars import ABSENT, AccountNumber, Integer, Masked, MerchantAccount, MoneyField, Text, Timestamp


class DirectDebit(OpenModel):
    """A bank account for direct debits. You can also set undocumented fields."""

    object: Literal["DirectDebit"] = "DirectDebit"
    """The name of the resource type, always `DirectDebit`. Only the public reference documents this field."""
    account: Masked[AccountNumber | None] = None
    """The account number. The service masks the number in responses, and the SDK never sends a masked number. Only the
    public reference documents this field."""
    last_digits: Text | None = None
    """The last digits of the account number, as a string. Only the public reference documents this field."""
    account_length: Integer | None = None
    """The number of digits of the account number. Only the public reference documents this field."""
    country_code: Text | None = None
    """The code of the bank's country, such as `DE`. Only the public reference documents this field."""
    bank_sort_code: Masked[Text | None] = None
    """The sort code of the bank. Only the public reference documents this field."""
    rib_code: Masked[Text | None] = None
    """The RIB code of a French account. Only the public reference documents this field."""


class PayPal(OpenModel):
    """A PayPal agreement. You can set undocumented fields."""

    object: Literal["PayPal"] = "PayPal"
    """The name of the resource type, always `PayPal`. Only the public reference documents this field."""
    return_url: Text | None = None
    """The URL to which PayPal redirects the customer after an approval. Only the public reference documents this
    field."""
    cancel_url: Text | None = None
    """The URL to which PayPal redirects the customer after a refusal. Only the public reference documents this
    field."""
    request_reference_id: bool | None = None
    """Whether to request an agreement that future payments can use. Only the public reference documents this field."""
    reference_id: Masked[Text | None] = None
    """The ID of the agreement that future payments use. Only the public reference documents this field."""
    payer_id: Masked[Text | None] = None
    """PayPal's ID of the customer. Only the public reference documents this field."""
    paypal_email: Masked[Text | None] = None
    """The customer's email address at PayPal. Only the public reference documents this field."""


class Amazon(OpenModel):
    """An Amazon agreement. The fields of an agreement aren't documented, so you can set any field."""

    object: Text | None = None
    """The name of the resource type; no source documents the value."""


class ApplePay(OpenModel):
    """An Apple Pay token. The fields of the token aren't documented, so you can set any field."""

    object: Text | None = None
    """The name of the resource type; no source documents the value."""


class GooglePay(OpenModel):
    """A Google Pay token. The fields of the token aren't documented, so you can set any field."""

    object: Text | None = None
    """The name of the resource type; no source documents the value."""


class MerchantAcceptedPayment(Model):
    """A payment that the merchant records, such as cash or a check."""

    object: Literal["MerchantAcceptedPayment"] = "MerchantAcceptedPayment"
    """The name of the resource type, always `MerchantAcceptedPayment`."""
    amount: MoneyField = ABSENT
    """The amount that the merchant accepted, in `currency`."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    created: Timestamp | None = None
    """When the merchant accepted the payment."""
    payment_type: Text | None = None
    """The type of payment, in the merchant's own words."""
    account: Masked[MerchantAccount | None] = None
    """The account, in the merchant's own format. The service masks the number in responses, and the SDK never sends a
    masked number."""
    last_digits: Text | None = None
    """The last digits of the account number, as a string."""


class ExternalBilling(Model):
    """The details of a bill that another system sends."""

    object: Literal["ExternalBilling"] = "ExternalBilling"
    """The name of the resource type, always `ExternalBilling`."""
    bill_receiver: Text | None = None
    """The system that receives the bill; the possible values aren't documented."""
    payment_channel: Text | None = None
    """The channel of the payment; the possible values aren't documented."""
    financial_account: Masked[Text | None] = None
    """The financial account that is billed."""
