"""The model of discounts that are applied to subscription items and purchases."""

from typing import Literal

from ._base import Model
from ._scalars import ABSENT, Identifier, Integer, Masked, MetadataField, Text, Timestamp


class DiscountTicket(Model):
    """A campaign that is applied to a subscription item or a purchase."""

    object: Literal["DiscountTicket"] = "DiscountTicket"
    """The name of the resource type, in the service's spelling. Only the public reference documents this field."""
    added_date: Timestamp | None = None
    """When the campaign was applied. Only the public reference documents this field."""
    start_billing_sequence: Integer | None = None
    """The number of the first discounted bill. Only the public reference documents this field."""
    campaign_id: Text | None = None
    """The ID of the campaign. Only the public reference documents this field."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the service. Only the public reference documents this field."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters (by convention, not published)."""
    vid: Identifier | None = None
    """The service's ID of the resource (by convention, not published)."""
    created: Timestamp | None = None
    """When the resource was created (by convention, not published)."""
    url: Text | None = None
    """The URL of the resource (by convention, not published)."""
