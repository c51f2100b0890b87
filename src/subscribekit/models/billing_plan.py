"""Schedules by which subscriptions are billed."""

from __future__ import annotations

from typing import Literal

from ._base import Model
from ._lists import Many
from ._scalars import UNSET, Identifier, Integer, Masked, MetadataField, MoneyField, Text, Timestamp
from .credit import TokenAmount
from .entitlement import Entitlement
from .enumerations import BillingPlanPeriodType, BillingPlanStatus, BrTaxCategory
from .season_set import SeasonSet


class BillingPlanPrice(Model):
    """Price of one period in one currency."""

    object: Literal["BillingPlanPrice"] = "BillingPlanPrice"
    """Resource type."""
    amount: MoneyField = UNSET
    """Price."""
    currency: Text | None = None
    """Currency code."""
    price_list_name: Text | None = None
    """Price list."""
    token_amount: TokenAmount | None = None
    """Price in tokens."""


class BillingPlanPeriod(Model):
    """A stretch of equal billing cycles."""

    object: Literal["BillingPlanPeriod"] = "BillingPlanPeriod"
    """Resource type."""
    type: BillingPlanPeriodType | None = None
    """Unit of time."""
    quantity: Integer | None = None
    """Units of time in a cycle."""
    cycles: Integer | None = None
    """Number of cycles; 0 without end."""
    prices: Many[BillingPlanPrice] = UNSET
    """Prices."""
    do_not_notify_first_bill: bool | None = None
    """Whether the first bill goes without a notice. Published, not in the specification."""
    expire_warning_days: Integer | None = None
    """Days before the end at which the customer is warned. Published, not in the specification."""


class BillingPlan(Model):
    """A billing and pricing schedule made of one or more periods."""

    object: Literal["BillingPlan"] = "BillingPlan"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    created: Timestamp | None = None
    """When it was created."""
    description: Text | None = None
    """Description."""
    status: BillingPlanStatus | None = None
    """Whether the plan is offered."""
    tax_classification: Text | None = None
    """Class of tax."""
    br_tax_category: BrTaxCategory | None = None
    """Category of tax in Brazil."""
    trial: BillingPlanPeriod | None = None
    """Trial period."""
    periods: Many[BillingPlanPeriod] = UNSET
    """Periods, in order; only the last may be without end."""
    billing_notification_days: Integer | None = None
    """Days before a billing at which the customer is notified; none or 0 for no notice."""
    trial_end_notification_days: Integer | None = None
    """Days before the end of the trial at which the customer is notified."""
    skip_initial_billing_notification: bool | None = None
    """Whether the first billing goes without a notice."""
    end_of_life: Timestamp | None = None
    """When the plan ends; for information only."""
    metadata: Masked[MetadataField] = UNSET
    """Key/value pairs of the caller."""
    entitlements: Many[Entitlement] = UNSET
    """Rights that the plan gives."""
    billing_descriptor: Text | None = None
    """Text on the customer's statement."""
    times_to_run: Text | None = None
    """How often the plan runs."""
    entitlements_valid_for: Text | None = None
    """How long rights hold."""
    repeat_every: Text | None = None
    """Interval at which the plan repeats."""
    season_set: SeasonSet | None = None
    """Seasons of a seasonal plan."""
    days_before_season_to_bill: Integer | None = None
    """Days before a season at which it is billed."""
    days_entitled_before_season: Integer | None = None
    """Days before a season at which rights begin."""
    days_entitled_after_season: Integer | None = None
    """Days after a season at which rights end."""
    entitled_off_season: bool | None = None
    """Whether rights hold between seasons."""
    used_on_subscriptions: bool | None = None
    """Whether subscriptions use the plan; read only."""
    grace_period_override: Integer | None = None
    """Days of grace, in place of the merchant's own."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


class BillingPlanHistory(Model):
    """A billing plan that a subscription had from some moment on."""

    object: Literal["BillingPlanHistory"] = "BillingPlanHistory"
    """Resource type. Published, not in the specification."""
    billing_plan: BillingPlan | None = None
    """Billing plan (reference). Published, not in the specification."""
    starts: Timestamp | None = None
    """When the plan took effect. Published, not in the specification."""
