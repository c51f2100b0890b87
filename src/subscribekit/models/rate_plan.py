"""Prices of usage."""

from typing import Literal

from ._base import Model
from ._lists import Many
from ._scalars import ABSENT, Identifier, Integer, MoneyField, Text, Timestamp
from .enumerations import ChargeCustomer, RatedUnitMultiplication, RatePlanModel, RatePlanStatus


class RatedUnit(Model):
    """The unit in which usage is counted."""

    object: Literal["RatedUnit"] = "RatedUnit"
    """Resource type. Published, not in the specification."""
    name_singular: Text | None = None
    """Name of one unit. Published, not in the specification."""
    name_plural: Text | None = None
    """Name of several units. Published, not in the specification."""


class RatePlanPrice(Model):
    """A price in one currency."""

    object: Literal["RatePlanPrice"] = "RatePlanPrice"
    """Resource type. Published, not in the specification."""
    amount: MoneyField = ABSENT
    """Price. Published, not in the specification."""
    currency: Text | None = None
    """Currency code. Published, not in the specification."""


class RatePlanTier(Model):
    """A level of usage with its price."""

    object: Literal["RatePlanTier"] = "RatePlanTier"
    """Resource type. Published, not in the specification."""
    name: Text | None = None
    """Name. Published, not in the specification."""
    rate_price: Many[RatePlanPrice] = ABSENT
    """Prices. Published, not in the specification."""
    charge_customer: ChargeCustomer | None = None
    """Whether the price is for the tier or for each unit. Published, not in the specification."""
    begins_at_level: MoneyField = ABSENT
    """Number of units at which the tier begins. Published, not in the specification."""


class RatePlan(Model):
    """How usage is priced."""

    object: Literal["RatePlan"] = "RatePlan"
    """Resource type. Published, not in the specification."""
    id: Identifier | None = None
    """Identifier chosen by the caller. Published, not in the specification."""
    vid: Identifier | None = None
    """Identifier assigned by the service. Published, not in the specification."""
    description: Text | None = None
    """Description. Published, not in the specification."""
    multiply_rated_units_by: RatedUnitMultiplication | None = None
    """Whether units are priced tier by tier or all at the highest. Published, not in the specification."""
    rated_unit: RatedUnit | None = None
    """Unit of usage. Published, not in the specification."""
    tier: Many[RatePlanTier] = ABSENT
    """Tiers. Published, not in the specification."""
    rounding_decimals: Integer | None = None
    """Decimals that prices are rounded to. Published, not in the specification."""
    included_units: MoneyField = ABSENT
    """Units contained in the price of each cycle. Published, not in the specification."""
    minimum_fee: Many[RatePlanPrice] = ABSENT
    """Least charge of a cycle. Published, not in the specification."""
    maximum_fee: Many[RatePlanPrice] = ABSENT
    """Highest charge of a cycle. Published, not in the specification."""
    rate_plan_model: RatePlanModel | None = None
    """Licences or usage. Published, not in the specification."""
    status: RatePlanStatus | None = None
    """Whether the plan is offered. Published, not in the specification."""
    has_event_recorded: bool | None = None
    """Whether usage was recorded against it; read only. Published, not in the specification."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
