"""Products within a subscription."""

from __future__ import annotations

from typing import Literal

from ._base import Model
from ._lists import Many
from ._references import Product, RatePlan
from ._scalars import UNSET, Identifier, Integer, Masked, MetadataField, MoneyField, Text, Timestamp
from .credit import Token
from .discount_ticket import DiscountTicket
from .enumerations import SubscriptionItemAction


class SubscriptionItem(Model):
    """A product-based line of a subscription."""

    object: Literal["SubscriptionItem"] = "SubscriptionItem"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    index: Integer | None = None
    """Position, from 0."""
    product: Product | None = None
    """Product."""
    campaign_id: Text | None = None
    """Campaign that discounts the item; responses only."""
    amount: MoneyField = UNSET
    """Price in place of the product's own."""
    currency: Text | None = None
    """Currency code."""
    rate_plan: RatePlan | None = None
    """Rate plan (reference)."""
    metadata: Masked[MetadataField] = UNSET
    """Key/value pairs of the caller."""
    quantity: Integer | None = None
    """Number of the product; the service takes 1 when none is given."""
    token: Token | None = None
    """Kind of token, for a price in tokens."""
    cycles: Integer | None = None
    """Number of cycles that the item is billed."""
    cycles_remaining: Integer | None = None
    """Cycles still to come."""
    created: Timestamp | None = None
    """When it was added."""
    starts: Timestamp | None = None
    """When it begins."""
    ends: Timestamp | None = None
    """When it ends."""
    discount_tickets: Many[DiscountTicket] = UNSET
    """Discounts of the item."""
    replaces: SubscriptionItem | None = None
    """Item that this one replaces (reference)."""
    replaced_by: SubscriptionItem | None = None
    """Item that replaces this one (reference); an empty one in a request removes the item."""
    campaign_code: Text | None = None
    """Coupon or promotion code to redeem on an item that is new or replaces another one; request only.

    Published, not in the specification.
    """


class SubscriptionItemHistory(Model):
    """A change of the items of a subscription."""

    object: Literal["SubscriptionItemHistory"] = "SubscriptionItemHistory"
    """Resource type. Published, not in the specification."""
    action: SubscriptionItemAction | None = None
    """The change. Published, not in the specification."""
    effective: Timestamp | None = None
    """When it takes effect. Published, not in the specification."""
    created: Timestamp | None = None
    """When it was done. Published, not in the specification."""
    subscription_item: SubscriptionItem | None = None
    """Item concerned. Published, not in the specification."""
