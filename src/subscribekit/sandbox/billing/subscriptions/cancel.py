"""The handler that cancels a subscription.

In the published samples, a canceled subscription is `Pending Cancel` by default. The service of a subscription that is
`Pending Cancel` continues until the last second of the day of the next bill. The items of a subscription that is
`Pending Cancel` end at the start of the day of the next bill. If the request contains `disentitle`, the subscription
becomes `Cancelled`, and its service ends immediately. The billing state becomes `Billing Completed`, whether or not the
request contains `disentitle`. If the request contains `settle`, the service refunds the unused part of the period, in
proportion to the exact time.

The specification says that a cancellation before the end of the minimum commitment requires `force`.

The sandbox assumes that the service rejects a cancellation with 400 if the subscription has ended, or if the minimum
commitment isn't over. The sandbox assumes that `settle` without `disentitle` refunds nothing, because the customer can
use the whole period. If a request contains `disentitle` and `settle`, the cancellation ends a `Pending Cancel`
subscription immediately, and refunds the unused part.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

from ...http.call import Call
from ...http.responses import Reply, billing_refusal
from ...values import Document, amount, documents, end_of_day, link, start_of_day, text, timestamp, value_list, whole
from ..resources import in_path, reply_with
from ..rules.pricing import TOTAL_TAX, ZERO, cents, charge_lines, total
from ..rules.tax import closed, rate_of
from ..transactions import add_refund_to_lines, refund_subscription
from .subscriptions import running

_OVER = frozenset({"Cancelled", "Expired", "Deleted", "Pending Cancel"})
_REASON_LIMIT = 64
_FLAGS = ("disentitle", "force", "settle", "send_cancellation_notice")
_DESCRIPTIONS = {"106": "Merchant: Generic Cancel (Other)"}


def cancel(call: Call) -> Reply:
    """Cancel a subscription."""
    call.accept_query(*_FLAGS, "reason_code")
    flags = {name: call.flag(name) for name in _FLAGS}
    subscription = in_path(call, "subscriptions", "subscription")
    reason = _reason(call)
    status = text(subscription, "status")
    if status in _OVER and not (status == "Pending Cancel" and flags["disentitle"]):
        raise billing_refusal(400, _over(status))
    if whole(subscription, "_billed") < whole(subscription, "minimum_commitment") and not flags["force"]:
        raise billing_refusal(400, "The minimum commitment is not over; set force to cancel the subscription anyway.")
    if flags["disentitle"] and flags["settle"]:
        _settle(call, subscription)
    _end(subscription, call.now, now=flags["disentitle"])
    if reason is not None:
        subscription["cancel_reason"] = reason
    return reply_with(call, subscription)


def _over(status: str) -> str:
    """Return the error message for a subscription that can't be canceled again."""
    if status == "Pending Cancel":
        return "The subscription is already canceled at the end of the paid period; set disentitle to end it now."
    return f"The subscription has already ended; its status is {status}."


def _reason(call: Call) -> Document | None:
    code = call.query.get("reason_code")
    if code is None:
        return None
    if not 1 <= len(code) <= _REASON_LIMIT:
        raise billing_refusal(400, f"reason_code must have 1 to {_REASON_LIMIT} characters.")
    reason: Document = {"object": "CancelReason", "reason_code": code}
    if code in _DESCRIPTIONS:
        reason["description"] = _DESCRIPTIONS[code]
    return reason


def _end(subscription: Document, at: datetime, *, now: bool) -> None:
    upcoming = timestamp(subscription, "_next")
    for name in ("_next", "_retry", "_begins", "_paid_until"):
        subscription.pop(name, None)
    if now or upcoming is None:
        status, ends, item_ends = "Cancelled", at, at
    else:
        status, ends, item_ends = "Pending Cancel", end_of_day(upcoming.date()), start_of_day(upcoming.date())
        subscription["_paid_until"] = upcoming
    subscription |= {"status": status, "billing_state": "Billing Completed", "ends": ends, "entitled_through": ends}
    for item in documents(subscription, "items"):
        item["ends"] = min(timestamp(item, "ends") or item_ends, item_ends)


def _settle(call: Call, subscription: Document) -> None:
    starts, at = timestamp(subscription, "_period_start"), call.now
    upcoming = timestamp(subscription, "_next")
    if upcoming is None and (upcoming := timestamp(subscription, "_paid_until")) is not None:
        # The items of a `Pending Cancel` subscription end at the start of the day of the next bill, although they are
        # paid until that bill. Compute the lines as of one second before the items end, so that the refund includes the
        # items.
        at = min(at, start_of_day(upcoming.date()) - timedelta(seconds=1))
    if starts is None or upcoming is None or upcoming <= call.now:
        return
    unused = Decimal(int((upcoming - call.now).total_seconds())) / Decimal(int((upcoming - starts).total_seconds()))
    running_plan = running(subscription, call.now)
    lines = closed(charge_lines(call.store, running_plan, at, back=1), rate_of(call.store, call.settings, subscription))
    owed = cents(total(lines) * unused)
    for refund in refund_subscription(call, call.store["subscriptions"].link(subscription), owed):
        charged = call.store.follow(link(refund, "transaction")) or {}
        refund["refund_distribution_strategy"] = "TaxClassification"
        refund["refund_items"] = value_list(_spread(documents(charged, "items"), amount(refund, "amount") or ZERO))
        add_refund_to_lines(charged, refund)


def _spread(lines: list[Document], owed: Decimal) -> list[Document]:
    """Distribute a refund over the lines of its transaction, in their order, up to the total of each line."""
    made: list[Document] = []
    for line in lines:
        share = min(owed, amount(line, "total") or ZERO)
        if share > 0 and line["sku"] != TOTAL_TAX:
            owed -= share
            made.append(_refund_item(line, share))
    return made


def _refund_item(line: Document, share: Decimal) -> Document:
    return {
        "object": "RefundItem",
        "transaction_item_index_number": line["index_number"],
        "sku": line["sku"],
        "description": line["name"],
        "amount": share,
        "tax_only": False,
    }
