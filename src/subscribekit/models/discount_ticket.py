"""The model of discounts that are applied to subscription items and purchases."""

from typing import Literal

from ._base import Model
from ._scalars import ABSENT, Identifier, Integer, Masked, MetadataField, Text, Timestamp


class DiscountTicket(Model):
    """A campaign that is applied to a subscription item or a purchase."""

    object: Literal["DiscountTicket"] = "DiscountTicket"
    """The name of the resource type, always `DiscountTicket`. Only the public reference documents this field."""
    added_date: Timestamp | None = None
    """When the campaign was applied. Only the public reference documents this field."""
    start_billing_sequence: Integer | None = None
    """The number of the first discounted bill. Only the public reference documents this field."""
    campaign_id: Text | None = None
    """The ID of the campaign that was applied. Only the public reference documents this field."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the service, such as `use_type`. Only the public reference documents this field."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters; no source shows this field here, but many
    other resources have it."""
    vid: Identifier | None = None
    """The service's ID of the resource; no source shows this field here, but every resource has a `vid`."""
    created: Timestamp | None = None
    """When the resource was created; no source shows this field here, but many other resources have it."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""
