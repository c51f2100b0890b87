"""States of a transaction, and of the check of a payment method."""

from typing import Literal

from pydantic import AliasChoices, Field

from ._base import Model
from ._scalars import ABSENT, Masked, MoneyField, Text, Timestamp
from .credit_card import ExtendedCardAttributes
from .enumerations import AddressVerification, PaymentMethodType, TransactionStatusValue


class TransactionStatusCreditCard(Model):
    """The processor's response for a card."""

    object: Literal["TransactionStatusCreditCard"] = "TransactionStatusCreditCard"
    """Resource type. Published, not in the specification."""
    auth_code: Text | None = None
    """Authorization code. Published, not in the specification."""
    avs_code: Text | None = None
    """Result of the address check. Published, not in the specification."""
    cvn_code: Text | None = None
    """Result of the security code check. Published, not in the specification."""
    extended_card_attributes: ExtendedCardAttributes | None = None
    """Data of the card. Published, not in the specification."""


class TransactionStatusPayPal(Model):
    """PayPal's response."""

    object: Literal["TransactionStatusPayPal"] = "TransactionStatusPayPal"
    """Resource type. Published, not in the specification."""
    token: Masked[Text | None] = None
    """Token of the approval. Published, not in the specification."""
    auth_code: Text | None = None
    """Authorization code. Published, not in the specification."""
    redirect_url: Masked[Text | None] = None
    """Address at which the customer approves. Published, not in the specification."""


class TransactionStatusDirectDebit(Model):
    """The bank's response for a direct debit."""

    object: Literal["TransactionStatusDirectDebit"] = "TransactionStatusDirectDebit"
    """Resource type. Published, not in the specification."""


class TransactionStatus(Model):
    """One state of a transaction, or the result of the check of a payment method."""

    object: Literal["TransactionStatus"] = "TransactionStatus"
    """Resource type."""
    status: TransactionStatusValue | None = None
    """State."""
    created: Timestamp | None = None
    """When the state was reached."""
    payment_method_type: PaymentMethodType | None = None
    """Kind of payment method."""
    service_avs: AddressVerification | None = Field(
        default=None, validation_alias=AliasChoices("service_avs", "vin_avs")
    )
    """Result of the address verification; also read from the published name `vin_avs`."""
    funding_source_balance: MoneyField = ABSENT
    """Balance of the funding source."""
    note: Text | None = None
    """Remark of the service. Published, not in the specification."""
    credit_card_status: TransactionStatusCreditCard | None = None
    """Response for a card. Published, not in the specification."""
    paypal_status: TransactionStatusPayPal | None = None
    """Response of PayPal. Published, not in the specification."""
    direct_debit_status: TransactionStatusDirectDebit | None = None
    """Response for a direct debit. Published, not in the specification."""
