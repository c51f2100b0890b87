"""Models of payment methods."""

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
    # A field can't be named `validate`, because pydantic has a method of that name.
    return name.removesuffix("_")


class PaymentMethodPolicy(OpenModel):
    """The checks that the service runs when you send a payment method."""

    model_config: ClassVar[ConfigDict] = ConfigDict(alias_generator=_policy_name)

    validate_: bool | None = None
    """Whether to check the payment method now. The wire name is `validate`. Only the public reference documents this
    field."""
    min_chargeback_probability: Integer | None = None
    """The highest risk score that the service accepts, 0 to 100. Only the public reference documents this field."""


class PaymentMethod(Model):
    """A card, a bank account, or an agreement that is on file."""

    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters without `/`."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    object: Literal["PaymentMethod"] = "PaymentMethod"
    """The name of the resource type, always `PaymentMethod`."""
    created: Timestamp | None = None
    """When the service created the resource, in UTC."""
    type: PaymentMethodType | None = None
    """The type of the payment method, such as `CreditCard`. The details are in the field of that type, such as
    `credit_card`."""
    credit_card: CreditCard | None = None
    """The card, if `type` is `CreditCard`."""
    direct_debit: Ref[DirectDebit] | None = None
    """The bank account, if `type` is `DirectDebit`."""
    paypal: Ref[PayPal] | None = None
    """The PayPal agreement, if `type` is `PayPal`."""
    amazon: Ref[Amazon] | None = None
    """The Amazon agreement, if `type` is `Amazon`."""
    apple_pay: Ref[ApplePay] | None = None
    """The Apple Pay token, if `type` is `ApplePay`."""
    google_pay: Ref[GooglePay] | None = None
    """The Google Pay token; the `type` for Google Pay isn't documented."""
    merchant_accepted_payment: Ref[MerchantAcceptedPayment] | None = None
    """The payment that the merchant accepted, if `type` is `MerchantAcceptedPayment`."""
    external_billing: Ref[ExternalBilling] | None = None
    """The bill that another system sends, if `type` is `ExternalBilling`."""
    carrier_billing: Ref[CarrierBilling] | None = None
    """The account with a telephone carrier, if `type` is `CarrierBilling`."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters."""
    account_holder: Masked[Text | None] = None
    """The name of the account holder."""
    billing_address: Address | None = None
    """The billing address of the customer."""
    customer_specified_type: Text | None = None
    """The type of the payment method, in the customer's own words."""
    customer_description: Masked[Text | None] = None
    """The description of the payment method, in the customer's own words."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    primary: bool | None = None
    """Whether this payment method pays for subscriptions and transactions that don't name a payment method."""
    active: bool | None = None
    """Whether the payment method can be used."""
    validation_status: Ref[TransactionStatus] | None = None
    """The result of the check, or null if the request didn't ask for a check."""
    policy: PaymentMethodPolicy | list[Text] | None = None
    """The checks that you request; only in requests."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""
