"""The model of payments toward outstanding balances."""

from typing import Literal

from ._base import Model
from ._ref import Ref
from ._scalars import ABSENT, Identifier, Masked, MetadataField, MoneyField, Text, Timestamp
from .billing import Account
from .enumerations import OverageDisposition, PaymentStatus
from .payment_method import PaymentMethod


class Payment(Model):
    """A payment toward an outstanding balance."""

    object: Literal["Payment"] = "Payment"
    """The name of the resource type, always `Payment`; no source shows this field here, but every resource
    has this field."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters without `/`."""
    vid: Identifier | None = None
    """The service's ID of the resource; no source shows this field here, but every resource has a `vid`."""
    created: Timestamp | None = None
    """When the resource was created; no source shows this field here, but many other resources have it."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters. No source shows this field
    here, but many other resources have it."""
    status: PaymentStatus | None = None
    """The status of the payment, which is `Failure` after a reversal (E1)."""
    account: Ref[Account] | None = None
    """Reference to the account whose balance the payment reduces. Only the public reference documents this field."""
    subscription: Text | None = None
    """The ID of the subscription to pay for, as a string instead of a reference. Only the public reference documents
    this field."""
    invoice: Text | None = None
    """The ID of the invoice to pay, as a string instead of a reference. Only the public reference documents this
    field."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`. Only the public reference documents this field."""
    payment_method: Ref[PaymentMethod] | None = None
    """Reference to the payment method that pays, by its `id` or `vid`. Only the public reference documents this
    field."""
    amount: MoneyField = ABSENT
    """The amount paid, in `currency`. Only the public reference documents this field."""
    overage_disposition: OverageDisposition | None = None
    """The service's action if the amount exceeds the balance, such as `applyToThisAutoBill`. Only the public reference
    documents this field."""
