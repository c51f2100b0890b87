"""The model of partner subscriptions, for the gateway."""

from typing import Annotated

from ._base import CamelModel
from ._scalars import Masked, TextLimit, Timestamp
from .enumerations import BillingStatus, PartnerSubscriptionType

Text50 = Annotated[str, TextLimit(50)]
Text15 = Annotated[str, TextLimit(15)]


class PartnerSubscription(CamelModel):
    """The shared record of a partner's subscription."""

    id: Text50 | None = None
    """The ID of the record, at most 50 characters."""
    organization_id: Text50 | None = None
    """The ID of the aggregator's organization, at most 50 characters."""
    partner_code: Text15 | None = None
    """The code of the partner, at most 15 characters."""
    created_date: Timestamp | None = None
    """When the record was created."""
    updated_date: Timestamp | None = None
    """When the record was last changed."""
    type: PartnerSubscriptionType | None = None
    """`BILLING` if the partner bills the subscription, or `ENTITLEMENT` if the platform bills the subscription."""
    partner_customer_id: Masked[Text50 | None] = None
    """The partner's ID of the customer, at most 50 characters."""
    billing_payment_method: Text15 | None = None
    """The payment method, at most 15 characters."""
    billing_status: BillingStatus | None = None
    """The billing status; `CANCELLED` after a cancellation (E7)."""
