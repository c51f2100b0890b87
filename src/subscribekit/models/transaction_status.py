"""Models of the statuses of transactions and of payment method checks."""

from typing import Literal

from pydantic import AliasChoices, Field

from ._base import Model
from ._scalars import ABSENT, Masked, MoneyField, Text, Timestamp
from .credit_card import ExtendedCardAttributes
from .enumerations import AddressVerification, PaymentMethodType, TransactionStatusValue


class TransactionStatusCreditCard(Model):
    """The payment processor's response for a card."""

    object: Literal["TransactionStatusCreditCard"] = "TransactionStatusCreditCard"
    """The name of the resource type, always `TransactionStatusCreditCard`. Only the public reference documents this
    field."""
    auth_code: Text | None = None
    """The authorization code, as a string. Only the public reference documents this field."""
    avs_code: Text | None = None
    """The result code of the address verification. Only the public reference documents this field."""
    cvn_code: Text | None = None
    """The result code of the security code check. Only the public reference documents this field."""
    extended_card_attributes: ExtendedCardAttributes | None = None
    """Attributes of the card, such as whether it's prepaid. Only the public reference documents this field."""


class TransactionStatusPayPal(Model):
    """PayPal's response for a transaction."""

    object: Literal["TransactionStatusPayPal"] = "TransactionStatusPayPal"
    """The name of the resource type, always `TransactionStatusPayPal`. Only the public reference documents this
    field."""
    token: Masked[Text | None] = None
    """The token with which PayPal identifies the approval. Only the public reference documents this field."""
    auth_code: Text | None = None
    """The authorization code, as a string. Only the public reference documents this field."""
    redirect_url: Masked[Text | None] = None
    """The URL at which the customer approves the payment. Only the public reference documents this field."""


class TransactionStatusDirectDebit(Model):
    """The bank's response for a direct debit."""

    object: Literal["TransactionStatusDirectDebit"] = "TransactionStatusDirectDebit"
    """The name of the resource type, always `TransactionStatusDirectDebit`. Only the public reference documents this
    field."""


class TransactionStatus(Model):
    """A status of a transaction, or the result of the check of a payment method."""

    object: Literal["TransactionStatus"] = "TransactionStatus"
    """The name of the resource type, always `TransactionStatus`."""
    status: TransactionStatusValue | None = None
    """The status that the transaction reached at the time `created`."""
    created: Timestamp | None = None
    """When the transaction reached this status."""
    payment_method_type: PaymentMethodType | None = None
    """The type of the payment method, such as `CreditCard`."""
    service_avs: AddressVerification | None = Field(
        default=None, validation_alias=AliasChoices("service_avs", "vin_avs")
    )
    """The result of the address verification. The public reference calls this field `vin_avs`, and the SDK reads both
    names."""
    funding_source_balance: MoneyField = ABSENT
    """The balance of the funding source."""
    note: Text | None = None
    """The service's note about the status, such as `VIN_900`. Only the public reference documents this field."""
    credit_card_status: TransactionStatusCreditCard | None = None
    """The payment processor's response, if the customer pays with a card. Only the public reference documents this
    field."""
    paypal_status: TransactionStatusPayPal | None = None
    """PayPal's response, if the customer pays with PayPal. Only the public reference documents this field."""
    direct_debit_status: TransactionStatusDirectDebit | None = None
    """The bank's response, if the customer pays by direct debit. Only the public reference documents this field."""
