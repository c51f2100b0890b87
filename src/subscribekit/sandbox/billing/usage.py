"""Handlers for usage events and event summaries (E4).

An event summary is the usage of one subscription item, priced by the item's rate plan. The specification defines the
filters of event summaries: account, subscription, product, rate plan, start, end, and `billed`. The specification
explains only `billed=0`, which selects unbilled usage. The sandbox assumes that requests with `billed=1` and requests
without `billed` return all usage, because no source explains these requests. The filters `start` and `end` are
inclusive, as in the platform's SOAP interface.

An event summary has neither an ID nor a vid. The sandbox creates its own cursors for the pages of event summaries. You
can also retrieve an event summary by its cursor. The specification names the keys `id` and `merchant_id` of the metric,
and diagnostic keys that begin with an underscore, but doesn't document their values. In the sandbox, the metric's `id`
is the service's ID, and its `merchant_id` is the merchant's ID.

The specification and the samples don't document the fields of a usage event. The sandbox reads the fields
`subscription`, `subscription_item`, `amount` (a number of units, 1 by default), and `timestamp` of a usage event.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from ..http.call import PAGING, Call
from ..http.pages import cursor_page
from ..http.responses import Reply, billing_refusal
from ..store import Store
from ..values import Document, amount, documents, keys_of, link, nested, read_number, text, timestamp, value_list
from .resources import fresh, in_path, linked, referred, refuse_duplicate, reply_with
from .rules.pricing import ZERO, reference_of
from .rules.rating import new_usage, rate, rate_plan_of
from .rules.rating import usage_of as _of_item

_FILTERS = ("account", "subscription", "product", "rate_plan", "start", "end", "billed")


def record_event(call: Call) -> Reply:
    """Record a usage event. If the event contains a subscription, add the usage to the subscription's next bill."""
    body = call.body("Event")
    refuse_duplicate(call.store["events"], body)
    subscription = referred(call.store, "subscriptions", body.get("subscription"))
    if subscription is not None:
        _count(call, subscription, body)
    return reply_with(call, call.store.add("events", fresh(call, body)))


def _count(call: Call, subscription: Document, body: Document) -> None:
    named = nested(body, "subscription_item")
    keys = keys_of(named)
    for item in documents(subscription, "items"):
        plan = rate_plan_of(call.store, item)
        if plan is not None and (not keys or keys & keys_of(item)):
            break
    else:
        raise billing_refusal(400, "The subscription has no matching item with a rate plan.")
    units = read_number(body.get("amount", 1))
    if units is None or units <= 0:
        raise billing_refusal(400, "Event.amount must be a positive number.")
    event: Document = {"at": timestamp(body, "timestamp") or call.now, "units": units, "billed": False}
    usage = _of_item(call.store, item)
    if usage is None:
        usage = new_usage(call.store, subscription, item, call.store["rate_plans"].link(plan))
    usage["_events"] = value_list([*documents(usage, "_events"), event])


def list_summaries(call: Call) -> Reply:
    """List event summaries (E4)."""
    call.accept_query(*PAGING, *_FILTERS)
    unbilled = not call.flag("billed", default=True)
    start, end = call.timestamp("start"), call.timestamp("end")
    found: list[Document] = []
    events: dict[str, list[Document]] = {}
    matching: Iterable[Document] = call.store["usage"]
    for name in _FILTERS[:4]:
        matching = linked(call, matching, name)
    for usage in matching:
        chosen = [event for event in documents(usage, "_events") if _counts(event, start, end, unbilled=unbilled)]
        if chosen:
            found.append(usage)
            events[text(usage, "vid")] = chosen
    return cursor_page(
        call,
        found,
        call.store["usage"],
        lambda usage: _summary(call.store, usage, events[text(usage, "vid")]),
    )


def retrieve(call: Call) -> Reply:
    """Retrieve an event summary by its cursor, which the list of event summaries contains."""
    usage = in_path(call, "usage", "id")
    return Reply(_summary(call.store, usage, documents(usage, "_events")))


def _counts(event: Document, start: datetime | None, end: datetime | None, *, unbilled: bool) -> bool:
    at = timestamp(event, "at")
    if at is None or (start is not None and at < start) or (end is not None and at > end):
        return False
    return not (unbilled and event.get("billed") is True)


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


def _integer(value: Decimal) -> int:
    return int(value.to_integral_value(ROUND_HALF_UP))
