"""Prices usage by the rate plan of a subscription item, and returns the lines of a bill for this usage.

The specification says that usage events are temporary charges of one subscription item, and that the item's rate plan
determines the price of the events. The sandbox assumes that a bill has one line for each item that has unbilled events
at the time of the bill. If a subscription item and its product both have a rate plan, the sandbox uses the rate plan of
the item.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from ...store import Store
from ...values import Document, Link, amount, documents, link, nested, text, timestamp
from .pricing import ZERO, billed_items, cents, line, price_in, reference_of


def rate_plan_of(store: Store, item: Document) -> Document | None:
    """Return the rate plan of a subscription item, or the default rate plan of its product, or `None`."""
    own = nested(item, "rate_plan")
    key = text(own, "vid") or text(own, "id")
    if key:
        return store["rate_plans"].find(key)
    return store.follow(link(store.follow(link(item, "product")) or {}, "default_rate_plan"))


def usage_of(store: Store, item: Document) -> Document | None:
    """Return the recorded usage of a subscription item. If no usage is recorded, return `None`."""
    vid = text(item, "vid")
    return next((one for one in store["usage"] if text(nested(one, "subscription_item"), "vid") == vid), None)


def new_usage(store: Store, subscription: Document, item: Document, rate_plan: Link) -> Document:
    """Create an empty record of the usage of a subscription item."""
    fields: Document = {
        "account": subscription.get("account"),
        "subscription": store["subscriptions"].link(subscription),
        "subscription_item": reference_of(item),
        "product": item.get("product"),
        "rate_plan": rate_plan,
        "_currency": text(subscription, "currency"),
    }
    return store.add("usage", fields)


def bill_usage(store: Store, subscription: Document, at: datetime) -> list[Document]:
    """Return the lines of a bill for the unbilled usage events until a given time, and mark these events as billed."""
    lines: list[Document] = []
    for item in billed_items(subscription, at):
        plan, usage = rate_plan_of(store, item), usage_of(store, item)
        events = [
            event
            for event in documents(usage or {}, "_events")
            if event.get("billed") is not True and (timestamp(event, "at") or at) <= at
        ]
        if plan is None or not events:
            continue
        units = sum((amount(event, "units") or ZERO for event in events), ZERO)
        for event in events:
            event["billed"] = True
        fee = cents(rate(plan, units, text(subscription, "currency")))
        key = text(plan, "id") or text(plan, "vid")
        more: Document = {"subscription_item": reference_of(item), "tax_classification": None}
        lines.append(line(key, text(plan, "description") or key, fee, 1) | more)
    return lines


def rate(plan: Document, units: Decimal, currency: str) -> Decimal:
    """Compute the price of a number of units from the tiers, the minimum fee, and the maximum fee of a rate plan."""
    charged = max(units - (amount(plan, "included_units") or ZERO), ZERO)
    tiers = documents(plan, "tier")
    reached = [tier for tier in tiers if (amount(tier, "begins_at_level") or ZERO) <= max(charged, Decimal(1))]
    fee = ZERO
    if text(plan, "multiply_rated_units_by") == "HighestApplicableTier":
        fee = _tier_fee(reached[-1], charged, currency) if reached else ZERO
    else:
        for at, tier in enumerate(reached):
            begins = max((amount(tier, "begins_at_level") or ZERO) - 1, ZERO)
            ends = (amount(reached[at + 1], "begins_at_level") or ZERO) - 1 if at + 1 < len(reached) else charged
            fee += _tier_fee(tier, max(ends - begins, ZERO), currency)
    least, most = (price_in(documents(plan, name), currency) for name in ("minimum_fee", "maximum_fee"))
    fee = fee if least is None else max(fee, least)
    return fee if most is None else min(fee, most)


def _tier_fee(tier: Document, units: Decimal, currency: str) -> Decimal:
    price = price_in(documents(tier, "rate_price"), currency) or ZERO
    return price if text(tier, "charge_customer") == "FlatFee" else price * units
