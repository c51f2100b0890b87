"""Computes the current period of a subscription's plan, the end of the period, and the lines of a charge.

The specification says that a billing plan consists of billing periods with types, quantities, and cycles.

In the published samples, the trial is the first period of a plan. During the trial, an item is free, whatever its
product's price is. In the published samples, an item's own amount overrides the price of its product. A charge contains
a line for the plan, whose SKU is the plan's ID, and then a line for each item. Each line of a charge contains the first
and the last day that the line covers. A discount is negative, and its absolute value never exceeds the charge. The
total of each line includes the tax of the line. The amount of a charge is the sum of all lines except the last line,
`Total Tax`.
"""

from __future__ import annotations

import calendar
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from ...http.responses import billing_refusal
from ...store import Store
from ...values import (
    LAST_TIME,
    Document,
    Value,
    amount,
    documents,
    later,
    link,
    nested,
    start_of_day,
    text,
    timestamp,
    whole,
)

CENT = Decimal("0.01")
ZERO = Decimal("0.00")
TOTAL_TAX = "Total Tax"
_DAY = timedelta(days=1)


def cents(value: Decimal) -> Decimal:
    """Round an amount to cents. Half a cent is rounded up."""
    return value.quantize(CENT, ROUND_HALF_UP)


def period_at(plan: Document, number: int) -> Document | None:
    """Return the plan's period for a bill, or `None` after the plan's last period. The first bill has the number 0."""
    trial = nested(plan, "trial")
    periods = [trial, *documents(plan, "periods")] if trial else documents(plan, "periods")
    for period in periods:
        cycles = whole(period, "cycles") or (1 if period is trial else 0)
        if cycles == 0 or number < cycles:
            return period
        number -= cycles
    return None


def is_of_days(period: Document) -> bool:
    """Return whether the length of a period is in days or weeks, and not in months or years."""
    return text(period, "type") in {"Day", "Week"}


def period_end(start: datetime, period: Document, billing_day: int) -> datetime:
    """Return the end of a period.

    Periods of months or years end on the billing day, or on the last day of a shorter month.
    """
    quantity = whole(period, "quantity", 1) or 1
    kind = text(period, "type")
    if is_of_days(period):
        return later(start, timedelta(days=quantity * (7 if kind == "Week" else 1)))
    months = start.year * 12 + start.month - 1 + quantity * (12 if kind == "Year" else 1)
    year, month = divmod(months, 12)
    if year > LAST_TIME.year:
        return LAST_TIME
    day = min(billing_day, calendar.monthrange(year, month + 1)[1])
    return start.replace(year=year, month=month + 1, day=day)


def price_in(prices: list[Document], currency: str) -> Decimal | None:
    """Return the price in a currency from a list of prices, or `None` if there is no price in the currency."""
    for price in prices:
        if text(price, "currency") == currency:
            return amount(price, "amount")
    return None


def need_price(prices: list[Document], currency: str, owner: str) -> None:
    """Check that a list of prices is empty, or that it contains a price in the currency.

    A product or plan that has no prices is free.

    Raises:
        Refused: The list contains prices, but no price in the currency.
    """
    if prices and price_in(prices, currency) is None:
        raise billing_refusal(400, f"{owner} has no price in {currency}.")


def item_price(store: Store, item: Document, currency: str) -> Decimal:
    """Return the unit price of a subscription item: its own amount, or the price of its product in the currency."""
    own = amount(item, "amount")
    if own is not None:
        return own
    product = store.follow(link(item, "product")) or {}
    return price_in(documents(product, "prices"), currency) or ZERO


def billed_items(subscription: Document, at: datetime) -> list[Document]:
    """Return the subscription items that a bill at the given time covers."""
    return [
        item
        for item in documents(subscription, "items")
        if (timestamp(item, "starts") or at) <= at
        and (timestamp(item, "ends") is None or (timestamp(item, "ends") or at) > at)
    ]


def charge_lines(store: Store, subscription: Document, at: datetime, *, back: int = 0) -> list[Document]:
    """Return the lines of a subscription's next bill, before tax.

    If `back` is set, return the lines of the bill that is `back` bills earlier than the next bill.
    """
    plan = store.follow(link(subscription, "billing_plan")) or {}
    cycle, billed = whole(subscription, "_cycle") - back, whole(subscription, "_billed") - back
    period = period_at(plan, cycle) or {}
    currency = text(subscription, "currency")
    free = period is plan.get("trial")
    items = billed_items(subscription, at)
    lines = [item_line(store, item, currency, free=free, billed=billed) for item in items]
    plan_price = price_in(documents(period, "prices"), currency) or ZERO
    key = text(plan, "id") or text(plan, "vid")
    name = text(plan, "description") or f"Recurring Charge, Billing Plan {key}"
    first = store.follow(link(items[0], "product")) if items else None
    planned = line(key, name, plan_price, 1, _plan=reference_of(plan))
    planned["tax_classification"] = plan.get("tax_classification") or (first or {}).get("tax_classification")
    _apply(store, planned, text(subscription, "billing_plan_campaign_id"), currency, billed)
    until = period_end(start_of_day(at), period, whole(subscription, "billing_day", at.day)) if period else None
    return [serving(made, at, until) for made in (planned, *lines)]


def serving(made: Document, at: datetime, until: datetime | None) -> Document:
    """Add the first and the last day that a line of a charge covers. The last day is the day before `until`."""
    made["service_period_starts"] = start_of_day(at)
    made["service_period_ends"] = None if until is None else start_of_day(until) - _DAY
    return made


def line(sku: str, name: str, price: Decimal, quantity: int, **more: Value) -> Document:
    """Return a transaction item with its price, quantity, and total."""
    subtotal = price * quantity
    return {
        "object": "TransactionItem",
        "sku": sku,
        "item_type": "Purchase",
        "name": name,
        "price": price,
        "quantity": quantity,
        "tax_type": "Exclusive Sales",
        "discount": ZERO,
        "subtotal": subtotal,
        "total": subtotal,
        **more,
    }


def item_line(store: Store, item: Document, currency: str, *, free: bool = False, billed: int = 0) -> Document:
    """Return the line of a subscription item in a charge, with the discount of a campaign that still applies."""
    product = store.follow(link(item, "product")) or {}
    made = line(
        text(product, "id") or text(product, "vid"),
        product_name(product),
        ZERO if free else item_price(store, item, currency),
        whole(item, "quantity", 1),
        subscription_item=reference_of(item),
        tax_classification=product.get("tax_classification"),
    )
    _apply(store, made, text(item, "campaign_id"), currency, billed - whole(item, "_campaign_from"))
    return made


def reference_of(document: Document) -> Document:
    """Return only the `object`, the `id` (if there is one), and the `vid` of a document."""
    return {name: document[name] for name in ("object", "id", "vid") if document.get(name) is not None}


def product_name(product: Document) -> str:
    """Return the first description of a product. If the product has no description, return its ID."""
    descriptions = documents(product, "descriptions")
    return text(descriptions[0], "description") if descriptions else text(product, "id")


def _apply(store: Store, made: Document, campaign_id: str, currency: str, used: int) -> None:
    campaign = store["campaigns"].find(campaign_id) if campaign_id else None
    if campaign is None:
        return
    periods = whole(campaign, "number_of_periods")
    if periods == 0 or used < periods:
        _discount(made, campaign, currency)


def _discount(made: Document, campaign: Document, currency: str) -> None:
    subtotal = amount(made, "subtotal") or ZERO
    percentage = amount(campaign, "percentage_discount")
    flat = price_in(documents(campaign, "flat_amount_discounts"), currency) or ZERO
    off = min(subtotal, cents(subtotal * percentage / 100) if percentage is not None else flat)
    made["discount"] = -off
    made["total"] = subtotal - off
    made["campaign_id"] = text(campaign, "id") or text(campaign, "vid")
    made["campaign_description"] = text(campaign, "description") or text(campaign, "name")


def total(lines: list[Document]) -> Decimal:
    """Return the amount of a charge: the sum of its lines, except the `Total Tax` line, which only repeats tax."""
    return sum((amount(made, "total") or ZERO for made in lines if text(made, "sku") != TOTAL_TAX), ZERO)
