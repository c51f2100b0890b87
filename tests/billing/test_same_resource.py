"""Checks that the identifiers in the path and in the body of a call must name the same resource (H180)."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from looped import looped
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import (
    Account,
    BillingPlan,
    Campaign,
    Chargeback,
    Credit,
    CurrencyAmount,
    Entitlement,
    Event,
    PaymentMethod,
    Product,
    Refund,
    Transaction,
)
from subscribekit.models.subscription_changes import change_plan
from subscribekit.sandbox import Sandbox

VID = "0123456789abcdef0123456789abcdef01234567"
Call = Callable[[Any, Any, str], Any]
CALLS: dict[str, tuple[Call, Callable[..., Any]]] = {
    "subscriptions.update": (
        lambda c, b, at: c.subscriptions.update(at, b),
        lambda **of: _with(change_plan("x", "p"), of),
    ),
    "accounts.update": (lambda c, b, at: c.accounts.update(at, b), Account),
    "payment_methods.update": (lambda c, b, at: c.payment_methods.update(at, b), PaymentMethod),
    "products.update": (lambda c, b, at: c.products.update(at, b), Product),
    "billing_plans.update": (lambda c, b, at: c.billing_plans.update(at, b), BillingPlan),
    "campaigns.update": (lambda c, b, at: c.campaigns.update(at, b), Campaign),
    "events.update": (lambda c, b, at: c.events.update(at, b), Event),
    "generic_resource.update": (lambda c, b, at: c.resource("chargebacks", Chargeback).update(at, b), Chargeback),
    "refunds.create": (
        lambda c, b, at: c.refunds.create(at, b),
        lambda **of: Refund(id="r1", amount=Decimal(1), transaction=Transaction(**of)),
    ),
    "accounts.grant_entitlement": (
        lambda c, b, at: c.accounts.grant_entitlement(at, b),
        lambda **of: Entitlement(id="films", account=Account(**of)),
    ),
    "accounts.add_child": (
        lambda c, b, at: c.accounts.add_child(at, b),
        lambda **of: Account(id="child", parent=Account(**of)),
    ),
    "accounts.grant_credit": (
        lambda c, b, at: c.accounts.grant_credit(at, b),
        lambda **of: Credit(
            currency_amounts=[
                CurrencyAmount(amount=Decimal(1), currency="USD"),
                CurrencyAmount(amount=Decimal(1), currency="USD", account=Account(**of)),
            ]
        ),
    ),
}


def _with(body: Any, of: dict[str, str]) -> Any:
    body.id = of.get("id")
    if "vid" in of:
        body.vid = of["vid"]
    return body


def test_every_update_is_in_the_table() -> None:
    with Sandbox().billing() as billing:
        updates = {
            f"{name}.update"
            for name in dir(billing)
            if not name.startswith("_") and inspect.ismethod(getattr(getattr(billing, name), "update", None))
        }
    assert updates == {name for name in CALLS if name.endswith(".update")} - {"generic_resource.update"}


@looped("of", [{"id": "other"}, {"vid": "f" * 40}, {"id": "other", "vid": "f" * 40}])
@looped("name", CALLS)
def test_two_identifiers_of_different_resources_are_refused(name: str, of: dict[str, str]) -> None:
    call, body = CALLS[name]
    sandbox = Sandbox()
    with sandbox.billing() as billing:
        for client in (billing, billing.with_raw_response, billing.prepare):
            with pytest.raises(InvalidArgumentError, match=r"is '(other|f+)', but the call names 'mine'"):
                call(client, body(**of), "mine")

    async def story() -> None:
        async with sandbox.async_billing() as client:
            with pytest.raises(InvalidArgumentError, match="same identifier in the body and in the method's arguments"):
                await call(client, body(**of), "mine")

    asyncio.run(story())
    assert sandbox.requests == []


@looped(
    ("of", "at"),
    [
        ({"id": "mine"}, "mine"),
        ({"id": "mine", "vid": VID}, "mine"),
        ({"id": "mine", "vid": VID}, VID),
        ({"vid": VID}, VID),
        ({"id": "mine"}, VID),  # accepted, because the SDK doesn't know which resource has this vid
        ({}, "mine"),
    ],
)
@looped("name", CALLS)
def test_two_identifiers_of_the_same_resource_are_accepted(name: str, of: dict[str, str], at: str) -> None:
    call, body = CALLS[name]
    with Sandbox().billing() as billing:
        assert call(billing.prepare, body(**of), at).body


def test_a_vid_of_another_resource_is_refused() -> None:
    with Sandbox().billing() as billing, pytest.raises(InvalidArgumentError, match="pass the same identifier"):
        billing.prepare.accounts.update("f" * 40, Account(id="mine", vid=VID))
