"""Rights of a customer."""

from __future__ import annotations

from typing import Literal, NoReturn

from ._base import Model
from ._references import Account, BillingPlan, Product, Subscription, SubscriptionItem
from ._scalars import Identifier, Text, Timestamp


class Entitlement(Model):
    """A right in the caller's application."""

    id: Identifier | None = None
    """Name of the right, chosen by the caller."""
    object: Literal["Entitlement"] = "Entitlement"
    """Resource type."""
    description: Text | None = None
    """Description of the right."""
    account: Account | None = None
    """Account that has the right (reference). Published, not in the specification."""
    subscription: Subscription | None = None
    """Subscription that gives the right (reference). Published, not in the specification."""
    subscription_item: SubscriptionItem | None = None
    """Item that gives the right (reference). Published, not in the specification."""
    product: Product | None = None
    """Product that gives the right (reference). Published, not in the specification."""
    billing_plan: BillingPlan | None = None
    """Billing plan that gives the right (reference). Published, not in the specification."""
    starts: Timestamp | None = None
    """When the right begins. Published, not in the specification."""
    ends: Timestamp | None = None
    """When the right ends, grace included. Published, not in the specification."""
    active: bool | None = None
    """Whether the right is active. Published, not in the specification."""
    vid: Identifier | None = None
    """Identifier assigned by the service, by the conventions of the billing API."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


class EntitlementCheck(Model):
    """A yes or no: whether an account has an entitlement."""

    object: Literal["Boolean"] = "Boolean"
    """Resource type. Published, not in the specification."""
    state: bool | None = None
    """Yes or no. Published, not in the specification."""

    def __bool__(self) -> NoReturn:
        raise TypeError("a EntitlementCheck is neither true nor false: write .state")
