"""Payments against outstanding balances."""

from typing import Literal

from ._base import Model
from ._ref import Ref
from ._scalars import ABSENT, Identifier, Masked, MetadataField, MoneyField, Text, Timestamp
from .billing import Account
from .enumerations import OverageDisposition, PaymentStatus
from .payment_method import PaymentMethod


class Payment(Model):
    """A payment against an outstanding balance."""

    object: Literal["Payment"] = "Payment"
    """Resource type, by the conventions of the billing API."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service, by the conventions of the billing API."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller, by the conventions of the billing API."""
    status: PaymentStatus | None = None
    """State; `Failure` after a reversal (E1)."""
    account: Ref[Account] | None = None
    """Account (reference). Published, not in the specification."""
    subscription: Text | None = None
    """Identifier of the subscription. Published, not in the specification."""
    invoice: Text | None = None
    """Identifier of the invoice. Published, not in the specification."""
    currency: Text | None = None
    """Currency code. Published, not in the specification."""
    payment_method: Ref[PaymentMethod] | None = None
    """Payment method (reference). Published, not in the specification."""
    amount: MoneyField = ABSENT
    """Amount paid. Published, not in the specification."""
    overage_disposition: OverageDisposition | None = None
    """Use of money beyond the balance. Published, not in the specification."""
