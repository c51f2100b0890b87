"""Payment methods as the storefront shows them (group D)."""

from ._base import CamelModel
from ._scalars import ABSENT, FreeText, Masked, MetadataField, MoneyField, Timestamp
from .carrier_billing import CarrierBilling
from .enumerations import StorefrontPaymentMethodType


class StorefrontMerchantAcceptedPayment(CamelModel):
    """A payment that the merchant takes, such as cash or a cheque."""

    amount: MoneyField = ABSENT
    """Amount taken."""
    currency: FreeText | None = None
    """Currency code."""
    created: Timestamp | None = None
    """When it was taken."""
    payment_type: FreeText | None = None
    """Kind of payment."""
    account: Masked[FreeText | None] = None
    """Account."""
    last_digits: FreeText | None = None
    """Last digits of the account."""


class StorefrontCreditCard(CamelModel):
    """A credit card."""

    last_digits: FreeText | None = None
    """Last digits of the card number."""
    expiration_date: Masked[FreeText | None] = None
    """When the card expires."""


class StorefrontDebitCard(CamelModel):
    """A debit card."""

    last_digits: FreeText | None = None
    """Last digits of the card number."""


class StorefrontExternalBilling(CamelModel):
    """A bill that another system sends."""

    bill_receiver: FreeText | None = None
    """System that receives the bill."""
    payment_channel: FreeText | None = None
    """Channel of payment."""
    financial_account: Masked[FreeText | None] = None
    """Financial account that is billed."""


class StorefrontPaymentMethod(CamelModel):
    """A payment method of an account."""

    id: FreeText | None = None
    """Identifier."""
    created_date: Timestamp | None = None
    """When it was created."""
    merchant_accepted_payment: StorefrontMerchantAcceptedPayment | None = None
    """Payment taken by the merchant."""
    credit_card: StorefrontCreditCard | None = None
    """Credit card."""
    carrier_billing: CarrierBilling | None = None
    """Account with a telephone carrier; its own fields are snake_case on the wire."""
    debit_card: StorefrontDebitCard | None = None
    """Debit card."""
    external_billing: StorefrontExternalBilling | None = None
    """Bill of another system."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs."""
    primary: bool | None = None
    """Whether it is the account's primary payment method."""
    active: bool | None = None
    """Whether it may be used."""
    currency: FreeText | None = None
    """Currency code."""
    type: StorefrontPaymentMethodType | None = None
    """Kind of payment method."""
