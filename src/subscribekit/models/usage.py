"""Models of usage events and of their unbilled charges."""

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
    """The metric in which usage is counted. `model_extra` contains the service's diagnostic keys.

    The SDK reads flat keys with a dot, such as `ratable_usage_metric.id`, or an object under `ratable_usage_metric`.
    The SDK sends only the flat keys.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(alias_generator=_metric_name)

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, value: object) -> object:
        """Replace an object under `ratable_usage_metric` with flat keys, unless the flat keys are also present."""
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
    """The ID of the metric. The wire name is `ratable_usage_metric.id`."""
    name_singular: Text | None = None
    """The singular name of the unit. The wire name is `ratable_usage_metric.name_singular`."""
    name_plural: Text | None = None
    """The plural name of the unit. The wire name is `ratable_usage_metric.name_plural`."""
    merchant_id: Text | None = None
    """The merchant's ID of the metric. The wire name is `ratable_usage_metric.merchant_id`."""


class EventSummary(Model):
    """The unbilled usage of one subscription item."""

    object: Literal["EventSummary"] = "EventSummary"
    """The name of the resource type, always `EventSummary`."""
    account: Ref[Account] | None = None
    """Reference to the customer's account, with only its `id` and `vid`."""
    subscription: Ref[Subscription] | None = None
    """Reference to the subscription, with only its `id` and `vid`."""
    subscription_item: Ref[SubscriptionItem] | None = None
    """Reference to the item whose usage was counted, with only its `id` and `vid`."""
    product: Ref[Product] | None = None
    """Reference to the product of the item, with only its `id` and `vid`."""
    rate_plan: Ref[RatePlan] | None = None
    """Reference to the rate plan that prices the usage, with only its `id` and `vid`."""
    current_total_rated_units_bill: Quantity | None = None
    """The charge of the current cycle so far, in the subscription's currency."""
    rated_unit_total: Quantity | None = None
    """The number of units in the current cycle so far."""
    rated_unit: RatableUsageMetric | None = None
    """The metric in which the units are counted."""
    event_count: Integer | None = None
    """The number of usage events that the summary counts."""
    vid: Identifier | None = None
    """The service's ID of the resource; no source shows this field here, but every resource has a `vid`."""
    created: Timestamp | None = None
    """When the resource was created; no source shows this field here, but many other resources have it."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""


class Event(ConventionalModel):
    """A usage event. The model also accepts undocumented fields."""

    object: Literal["Event"] = "Event"
    """The name of the resource type, always `Event`."""
