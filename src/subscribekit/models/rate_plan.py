"""Models of rate plans, which price usage."""

from typing import Literal

from ._base import Model
from ._lists import Many
from ._scalars import ABSENT, Identifier, Integer, MoneyField, Text, Timestamp
from .enumerations import ChargeCustomer, RatedUnitMultiplication, RatePlanModel, RatePlanStatus


class RatedUnit(Model):
    """The unit in which usage is counted."""

    object: Literal["RatedUnit"] = "RatedUnit"
    """The name of the resource type, always `RatedUnit`. Only the public reference documents this field."""
    name_singular: Text | None = None
    """The singular name of the unit. Only the public reference documents this field."""
    name_plural: Text | None = None
    """The plural name of the unit. Only the public reference documents this field."""


class RatePlanPrice(Model):
    """A price of a rate plan in one currency."""

    object: Literal["RatePlanPrice"] = "RatePlanPrice"
    """The name of the resource type, always `RatePlanPrice`. Only the public reference documents this field."""
    amount: MoneyField = ABSENT
    """The price in `currency`. Only the public reference documents this field."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`. Only the public reference documents this field."""


class RatePlanTier(Model):
    """A level of usage, with its price."""

    object: Literal["RatePlanTier"] = "RatePlanTier"
    """The name of the resource type, always `RatePlanTier`. Only the public reference documents this field."""
    name: Text | None = None
    """The name of the tier. Only the public reference documents this field."""
    rate_price: Many[RatePlanPrice] = ABSENT
    """The prices of the tier, one for each currency. Only the public reference documents this field."""
    charge_customer: ChargeCustomer | None = None
    """`FlatFee` if the price is for the whole tier, or `PerUnit` if the price is for each unit. Only the public
    reference documents this field."""
    begins_at_level: MoneyField = ABSENT
    """The number of units at which the tier starts. Only the public reference documents this field."""


class RatePlan(Model):
    """The pricing of usage: per unit, tiered, or flat."""

    object: Literal["RatePlan"] = "RatePlan"
    """The name of the resource type, always `RatePlan`. Only the public reference documents this field."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters without `/`. Only the public reference documents this
    field."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource. Only the public reference documents this field."""
    description: Text | None = None
    """The merchant's description of the rate plan. Only the public reference documents this field."""
    multiply_rated_units_by: RatedUnitMultiplication | None = None
    """Whether each unit has the price of the unit's tier, or all units have the price of the highest tier. Only the
    public reference documents this field."""
    rated_unit: RatedUnit | None = None
    """The unit in which usage is counted. Only the public reference documents this field."""
    tier: Many[RatePlanTier] = ABSENT
    """The tiers, each with its price. Only the public reference documents this field."""
    rounding_decimals: Integer | None = None
    """The number of decimals to which the service rounds prices. Only the public reference documents this field."""
    included_units: MoneyField = ABSENT
    """The number of units per cycle that are included in the price. Only the public reference documents this field."""
    minimum_fee: Many[RatePlanPrice] = ABSENT
    """The minimum charge of a billing cycle, one for each currency. Only the public reference documents this field."""
    maximum_fee: Many[RatePlanPrice] = ABSENT
    """The maximum charge of a billing cycle, one for each currency. Only the public reference documents this field."""
    rate_plan_model: RatePlanModel | None = None
    """Whether the plan prices licenses or usage. Only the public reference documents this field."""
    status: RatePlanStatus | None = None
    """`Active` if the merchant offers the rate plan, or else `Suspended`. Only the public reference documents this
    field."""
    has_event_recorded: bool | None = None
    """Whether usage was recorded for the rate plan; only the service sets this field. Only the public reference
    documents this field."""
    created: Timestamp | None = None
    """When the resource was created; no source shows this field here, but many other resources have it."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""
