"""Subscriptions that a partner provisions (group B)."""

from typing import Annotated

from ._base import CamelModel
from ._scalars import Masked, TextLimit, Timestamp
from .enumerations import BillingStatus, PartnerSubscriptionType

Text50 = Annotated[str, TextLimit(50)]
Text15 = Annotated[str, TextLimit(15)]


class PartnerSubscription(CamelModel):
    """The provisioning record of a partner's subscription."""

    id: Text50 | None = None
    """Identifier of the record."""
    organization_id: Text50 | None = None
    """Aggregator's organization."""
    partner_code: Text15 | None = None
    """Partner."""
    created_date: Timestamp | None = None
    """When it was created."""
    updated_date: Timestamp | None = None
    """When it was last changed."""
    type: PartnerSubscriptionType | None = None
    """The manager of the subscription."""
    partner_customer_id: Masked[Text50 | None] = None
    """Customer at the partner."""
    billing_payment_method: Text15 | None = None
    """Payment method."""
    billing_status: BillingStatus | None = None
    """State of billing; `CANCELLED` after a cancellation (E7)."""
