"""Discounts applied to subscriptions and transactions."""

from typing import Literal

from ._base import Model
from ._scalars import ABSENT, Identifier, Integer, Masked, MetadataField, Text, Timestamp


class DiscountTicket(Model):
    """A campaign that was put on a subscription item or a purchase."""

    object: Literal["DiscountTicket"] = "DiscountTicket"
    """Resource type. Published, not in the specification."""
    added_date: Timestamp | None = None
    """When the campaign was put on. Published, not in the specification."""
    start_billing_sequence: Integer | None = None
    """First billing that is discounted. Published, not in the specification."""
    campaign_id: Text | None = None
    """Campaign. Published, not in the specification."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the service. Published, not in the specification."""
    id: Identifier | None = None
    """Identifier chosen by the caller, by the conventions of the billing API."""
    vid: Identifier | None = None
    """Identifier assigned by the service, by the conventions of the billing API."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
