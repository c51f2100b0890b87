"""Measured usage, and the charges that it will make."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import ConfigDict

from ._base import Identifier, Integer, Masked, Metadata, Model, Quantity, Text, Timestamp, late

if TYPE_CHECKING:
    from .account import Account
    from .product import Product
    from .rate_plan import RatePlan
    from .subscription import Subscription
    from .subscription_item import SubscriptionItem
else:
    Account = late("account", "Account")
    Product = late("product", "Product")
    RatePlan = late("rate_plan", "RatePlan")
    Subscription = late("subscription", "Subscription")
    SubscriptionItem = late("subscription_item", "SubscriptionItem")


def _metric_name(name: str) -> str:
    return f"ratable_usage_metric.{name}"


class RatableUsageMetric(Model):
    """The metric that usage is counted in; the service's diagnostic keys are kept in `model_extra`."""

    model_config: ClassVar[ConfigDict] = ConfigDict(alias_generator=_metric_name)

    id: Text | None = None
    """Identifier; `ratable_usage_metric.id` on the wire."""
    name_singular: Text | None = None
    """Name of one unit; `ratable_usage_metric.name_singular` on the wire."""
    name_plural: Text | None = None
    """Name of several units; `ratable_usage_metric.name_plural` on the wire."""
    merchant_id: Text | None = None
    """Merchant's identifier; `ratable_usage_metric.merchant_id` on the wire."""


class EventSummary(Model):
    """The charges of one subscription item that are not billed yet."""

    object: Literal["EventSummary"] = "EventSummary"
    """Resource type."""
    account: Account | None = None
    """Account (reference)."""
    subscription: Subscription | None = None
    """Subscription (reference)."""
    subscription_item: SubscriptionItem | None = None
    """Subscription item (reference)."""
    product: Product | None = None
    """Product (reference)."""
    rate_plan: RatePlan | None = None
    """Rate plan (reference)."""
    current_total_rated_units_bill: Quantity | None = None
    """Charge of the current cycle so far."""
    rated_unit_total: Quantity | None = None
    """Units of the current cycle so far."""
    rated_unit: RatableUsageMetric | None = None
    """Metric that the units are counted in."""
    event_count: Integer | None = None
    """Number of events."""


class Event(Model):
    """A measured usage record; its fields are not documented beyond the conventions of the billing API."""

    object: Literal["Event"] = "Event"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    created: Timestamp | None = None
    """When it was created."""
    url: Text | None = None
    """Address of the resource."""
    metadata: Masked[Metadata | None] = None
    """Key/value pairs of the caller."""
