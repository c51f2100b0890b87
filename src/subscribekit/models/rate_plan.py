"""Models of rate plans, which price usage."""

from typing import Literal

from ._base import Model
from ._lists import Many
from ._scalars import ABSENT, Identifier, Integer, MoneyField, Text, Timestamp
from .enumerations import ChargeCustomer, RatedUnitMultiplication, RatePlanModel, RatePlanStatus


class RatedUnit(Model):
    """The unit in which usage is counted."""

    object: Literal["RatedUnit"] = "RatedUnit"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    name_singular: Text | None = None
    """The singular name of the unit. Published, not in the specification."""
    name_plural: Text | None = None
    """The plural name of the unit. Published, not in the specification."""


class RatePlanPrice(Model):
    """A price of a rate plan in one currency."""

    object: Literal["RatePlanPrice"] = "RatePlanPrice"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    amount: MoneyField = ABSENT
    """The price in `currency`. Published, not in the specification."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`. Published, not in the specification."""


class RatePlanTier(Model):
    """A level of usage, with its price."""

    object: Literal["RatePlanTier"] = "RatePlanTier"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    name: Text | None = None
    """The name of the tier. Published, not in the specification."""
    rate_price: Many[RatePlanPrice] = ABSENT
    """The prices of the tier, one for each currency. Published, not in the specification."""
    charge_customer: ChargeCustomer | None = None
    """Whether the price is for the whole tier or for each unit. Published, not in the specification."""
    begins_at_level: MoneyField = ABSENT
    """The number of units at which the tier starts. Published, not in the specification."""


class RatePlan(Model):
    """The pricing of usage: per unit, tiered, or flat."""

    object: Literal["RatePlan"] = "RatePlan"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters. Published, not in the specification."""
    vid: Identifier | None = None
    """The service's ID of the resource. Published, not in the specification."""
    description: Text | None = None
    """The description of the rate plan. Published, not in the specification."""
    multiply_rated_units_by: RatedUnitMultiplication | None = None
    """Whether each unit has the price of its tier or all units have the price of the highest tier. Published, not in
    the specification."""
    rated_unit: RatedUnit | None = None
    """The unit in which usage is counted. Published, not in the specification."""
    tier: Many[RatePlanTier] = ABSENT
    """The tiers, each with its price. Published, not in the specification."""
    rounding_decimals: Integer | None = None
    """The number of decimals to which the service rounds prices. Published, not in the specification."""
    included_units: MoneyField = ABSENT
    """The number of units that the price of each cycle includes. Published, not in the specification."""
    minimum_fee: Many[RatePlanPrice] = ABSENT
    """The minimum charge of a cycle. Published, not in the specification."""
    maximum_fee: Many[RatePlanPrice] = ABSENT
    """The maximum charge of a cycle. Published, not in the specification."""
    rate_plan_model: RatePlanModel | None = None
    """Whether the plan prices licenses or usage. Published, not in the specification."""
    status: RatePlanStatus | None = None
    """Whether the rate plan is offered. Published, not in the specification."""
    has_event_recorded: bool | None = None
    """Whether usage was recorded for the rate plan; only the service sets it. Published, not in the specification."""
    created: Timestamp | None = None
    """When the resource was created, by the conventions of the billing API."""
    url: Text | None = None
    """The URL of the resource, by the conventions of the billing API."""
