"""Payment instruments on file."""

from typing import ClassVar, Literal

from pydantic import ConfigDict

from ._base import Model, OpenModel
from ._ref import Ref
from ._scalars import ABSENT, Identifier, Integer, Masked, MetadataField, Text, Timestamp
from .address import Address
from .carrier_billing import CarrierBilling
from .credit_card import CreditCard
from .enumerations import PaymentMethodType
from .payment_instruments import (
    Amazon,
    ApplePay,
    DirectDebit,
    ExternalBilling,
    GooglePay,
    MerchantAcceptedPayment,
    PayPal,
)
from .transaction_status import TransactionStatus


def _policy_name(name: str) -> str:
    # pydantic's own `validate` cannot be shadowed by a field.
    return name.removesuffix("_")


class PaymentMethodPolicy(OpenModel):
    """Checks asked for when a payment method is sent."""

    model_config: ClassVar[ConfigDict] = ConfigDict(alias_generator=_policy_name)

    validate_: bool | None = None
    """Check the payment method now; `validate` on the wire. Published, not in the specification."""
    min_chargeback_probability: Integer | None = None
    """Accepted risk score, 0 to 100. Published, not in the specification."""


class PaymentMethod(Model):
    """An on-file payment instrument."""

    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    object: Literal["PaymentMethod"] = "PaymentMethod"
    """Resource type."""
    created: Timestamp | None = None
    """When it was created."""
    type: PaymentMethodType | None = None
    """Kind of payment method: the sub-object of this kind holds the details."""
    credit_card: CreditCard | None = None
    """Card."""
    direct_debit: Ref[DirectDebit] | None = None
    """Bank account."""
    paypal: Ref[PayPal] | None = None
    """PayPal agreement."""
    amazon: Ref[Amazon] | None = None
    """Amazon agreement."""
    apple_pay: Ref[ApplePay] | None = None
    """Apple Pay token."""
    google_pay: Ref[GooglePay] | None = None
    """Google Pay token."""
    merchant_accepted_payment: Ref[MerchantAcceptedPayment] | None = None
    """Payment taken by the merchant."""
    external_billing: Ref[ExternalBilling] | None = None
    """Bill of another system."""
    carrier_billing: Ref[CarrierBilling] | None = None
    """Account with a telephone carrier."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller."""
    account_holder: Masked[Text | None] = None
    """Name of the holder."""
    billing_address: Address | None = None
    """Billing address."""
    customer_specified_type: Text | None = None
    """Kind of payment method in the customer's words."""
    customer_description: Masked[Text | None] = None
    """Description in the customer's words."""
    currency: Text | None = None
    """Currency code."""
    primary: bool | None = None
    """Whether it is the account's primary payment method."""
    active: bool | None = None
    """Whether it may be used."""
    validation_status: Ref[TransactionStatus] | None = None
    """Result of the check, if one was asked for."""
    policy: PaymentMethodPolicy | list[Text] | None = None
    """Checks asked for; request only."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
