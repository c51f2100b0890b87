"""Models of payment methods, as the storefront returns them."""

from ._base import CamelModel
from ._scalars import ABSENT, FreeText, Masked, MetadataField, MoneyField, Timestamp
from .carrier_billing import CarrierBilling
from .enumerations import StorefrontPaymentMethodType


class StorefrontMerchantAcceptedPayment(CamelModel):
    """A payment that the merchant records, such as cash or a check."""

    amount: MoneyField = ABSENT
    """The amount that the merchant accepted, in `currency`."""
    currency: FreeText | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    created: Timestamp | None = None
    """When the merchant accepted the payment."""
    payment_type: FreeText | None = None
    """The type of payment, as a string."""
    account: Masked[FreeText | None] = None
    """The account number, as the service returns it."""
    last_digits: FreeText | None = None
    """The last digits of the account number, as a string."""


class StorefrontCreditCard(CamelModel):
    """A credit card, as the storefront returns it."""

    last_digits: FreeText | None = None
    """The last digits of the card number, as a string."""
    expiration_date: Masked[FreeText | None] = None
    """The expiration date of the card, as a string; the format isn't documented."""


class StorefrontDebitCard(CamelModel):
    """A debit card, as the storefront returns it."""

    last_digits: FreeText | None = None
    """The last digits of the card number, as a string."""


class StorefrontExternalBilling(CamelModel):
    """The details of a bill that another system sends."""

    bill_receiver: FreeText | None = None
    """The system that receives the bill; the possible values aren't documented."""
    payment_channel: FreeText | None = None
    """The channel of the payment; the possible values aren't documented."""
    financial_account: Masked[FreeText | None] = None
    """The financial account that is billed."""


class StorefrontPaymentMethod(CamelModel):
    """A payment method of an account, as the storefront returns it."""

    id: FreeText | None = None
    """The ID of the payment method in the storefront, as a string."""
    created_date: Timestamp | None = None
    """When the payment method was created."""
    merchant_accepted_payment: StorefrontMerchantAcceptedPayment | None = None
    """The payment that the merchant accepted, if `type` is `MerchantAcceptedPayment`."""
    credit_card: StorefrontCreditCard | None = None
    """The last digits and the expiration date of a credit card."""
    carrier_billing: CarrierBilling | None = None
    """The account with a telephone carrier; its wire names are in snake_case."""
    debit_card: StorefrontDebitCard | None = None
    """The last digits of a debit card."""
    external_billing: StorefrontExternalBilling | None = None
    """The bill that another system sends, if `type` is `ExternalBilling`."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs, as the service returns them."""
    primary: bool | None = None
    """Whether this payment method pays for subscriptions and transactions that don't name a payment method."""
    active: bool | None = None
    """Whether the payment method can be used."""
    currency: FreeText | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    type: StorefrontPaymentMethodType | None = None
    """The type of the payment method, such as `DebitCard`."""
