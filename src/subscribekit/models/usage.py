"""Measured usage, and the charges that it will make."""

from typing import ClassVar, Literal, cast

from pydantic import ConfigDict, model_validator

from ._base import ConventionalModel, Model
from ._ref import Ref
from ._scalars import Identifier, Integer, Quantity, Text, Timestamp
from .billing import Account, Product, Subscription, SubscriptionItem
from .rate_plan import RatePlan


def _metric_name(name: str) -> str:
    return f"ratable_usage_metric.{name}"


class RatableUsageMetric(Model):
    """The metric that usage is counted in; the service's diagnostic keys are kept in `model_extra`.

    It is read from flat keys with a dot (`ratable_usage_metric.id`) and from an object under `ratable_usage_metric`;
    it is written with flat keys.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(alias_generator=_metric_name)

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, value: object) -> object:
        """Take the keys out of an object `ratable_usage_metric`, unless they are there with the prefix as well."""
        if not isinstance(value, dict):
            return value
        fields = cast("dict[str, object]", value)
        nested = fields.get("ratable_usage_metric")
        if not isinstance(nested, dict):
            return fields
        inner = {_metric_name(name): content for name, content in cast("dict[str, object]", nested).items()}
        if inner.keys() & fields.keys():
            return fields
        return {**{name: content for name, content in fields.items() if content is not nested}, **inner}

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
    account: Ref[Account] | None = None
    """Account (reference)."""
    subscription: Ref[Subscription] | None = None
    """Subscription (reference)."""
    subscription_item: Ref[SubscriptionItem] | None = None
    """Subscription item (reference)."""
    product: Ref[Product] | None = None
    """Product (reference)."""
    rate_plan: Ref[RatePlan] | None = None
    """Rate plan (reference)."""
    current_total_rated_units_bill: Quantity | None = None
    """Charge of the current cycle so far."""
    rated_unit_total: Quantity | None = None
    """Units of the current cycle so far."""
    rated_unit: RatableUsageMetric | None = None
    """Metric that the units are counted in."""
    event_count: Integer | None = None
    """Number of events."""
    vid: Identifier | None = None
    """Identifier assigned by the service, by the conventions of the billing API."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


class Event(ConventionalModel):
    """A measured usage record; its other fields are not documented."""

    object: Literal["Event"] = "Event"
    """Resource type."""
