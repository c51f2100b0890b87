"""Event summaries (E4): temporary charges of one subscription item, rated by its rate plan.

Specified: the filters account, subscription, product, rate plan, start, end and `billed` (0 limits to unbilled
usage). `billed=1` and no `billed` both mean all usage here, since only 0 is explained. Start and end are inclusive,
as in the sibling interface. Summaries have neither id nor vid: the cursor of their pages is the sandbox's own, and by
convention retrieves one. Of the metric the id is the service's and `merchant_id` the caller's here; the specification
names both, and diagnostic keys that begin with an underscore, without a value.
"""

from __future__ import annotations

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from ..http.call import PAGING, Call
from ..http.pages import cursor_page
from ..http.responses import Reply
from ..store import Store
from ..values import Document, amount, documents, link, nested, text, timestamp
from .resources import in_path
from .rules.pricing import ZERO, price_in, reference_of

FILTERS = ("account", "subscription", "product", "rate_plan", "start", "end", "billed")


def list_summaries(call: Call) -> Reply:
    """List event summaries (E4)."""
    call.accept_query(*PAGING, *FILTERS)
    unbilled = not call.flag("billed", default=True)
    start, end = call.timestamp("start"), call.timestamp("end")
    found: list[Document] = []
    events: dict[str, list[Document]] = {}
    for usage in call.store["usage"]:
        chosen = [event for event in documents(usage, "_events") if _counts(event, start, end, unbilled=unbilled)]
        if chosen and _belongs(call, usage):
            found.append(usage)
            events[text(usage, "vid")] = chosen
    return cursor_page(
        call,
        found,
        call.store["usage"],
        lambda usage: _summary(call.store, usage, events[text(usage, "vid")]),
        filters=FILTERS,
    )


def retrieve(call: Call) -> Reply:
    """Retrieve the event summary that a cursor of the list names."""
    usage = in_path(call, "usage", "id")
    return Reply(_summary(call.store, usage, documents(usage, "_events")))


def _counts(event: Document, start: datetime | None, end: datetime | None, *, unbilled: bool) -> bool:
    at = timestamp(event, "at")
    if at is None or (start is not None and at < start) or (end is not None and at > end):
        return False
    return not (unbilled and event.get("billed") is True)


def _belongs(call: Call, usage: Document) -> bool:
    for name, collection in (
        ("account", "accounts"),
        ("subscription", "subscriptions"),
        ("product", "products"),
        ("rate_plan", "rate_plans"),
    ):
        wanted = call.key(name)
        if wanted is not None:
            found = call.store[collection].find(wanted)
            if found is None or usage.get(name) != call.store[collection].link(found):
                return False
    return True


def _summary(store: Store, usage: Document, events: list[Document]) -> Document:
    plan = store.follow(link(usage, "rate_plan")) or {}
    units = sum((amount(event, "units") or ZERO for event in events), ZERO)
    shown: Document = {"object": "EventSummary"}
    for name in ("account", "subscription", "product", "rate_plan"):
        target = store.follow(link(usage, name))
        shown[name] = None if target is None else reference_of(target)
    shown["subscription_item"] = reference_of(nested(usage, "subscription_item"))
    shown["current_total_rated_units_bill"] = _integer(rate(plan, units, text(usage, "_currency")))
    shown["rated_unit_total"] = _integer(units)
    unit = nested(plan, "rated_unit")
    vid = store.digest(f"metric:{text(plan, 'vid')}")
    shown["rated_unit"] = {
        "ratable_usage_metric.id": vid,
        "ratable_usage_metric.merchant_id": text(plan, "id"),
        "ratable_usage_metric.name_singular": text(unit, "name_singular"),
        "ratable_usage_metric.name_plural": text(unit, "name_plural"),
        "_ratable_usage_metric.vid": vid,
    }
    shown["event_count"] = len(events)
    return shown


def rate(plan: Document, units: Decimal, currency: str) -> Decimal:
    """Return the charge for units under a rate plan: tiers, then the minimum and maximum fee of a cycle."""
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


def _integer(value: Decimal) -> int:
    return int(value.to_integral_value(ROUND_HALF_UP))
