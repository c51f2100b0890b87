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
    """The name of the resource type, in the service's spelling (by convention, not published)."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters."""
    vid: Identifier | None = None
    """The service's ID of the resource (by convention, not published)."""
    created: Timestamp | None = None
    """When the resource was created (by convention, not published)."""
    url: Text | None = None
    """The URL of the resource (by convention, not published)."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters (by convention, not
    published)."""
    status: PaymentStatus | None = None
    """The status; `Failure` after a reversal (E1)."""
    account: Ref[Account] | None = None
    """Reference to the account. Only the public reference documents this field."""
    subscription: Text | None = None
    """The ID of the subscription. Only the public reference documents this field."""
    invoice: Text | None = None
    """The ID of the invoice. Only the public reference documents this field."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`. Only the public reference documents this field."""
    payment_method: Ref[PaymentMethod] | None = None
    """The payment method (reference). Only the public reference documents this field."""
    amount: MoneyField = ABSENT
    """The amount paid, in `currency`. Only the public reference documents this field."""
    overage_disposition: OverageDisposition | None = None
    """The action for an amount that exceeds the balance. Only the public reference documents this field."""
