"""The handler that changes a subscription: its plan, its items, and its payment method.

The published samples contain request bodies that add, replace, or remove an item, or change the plan of a subscription.
A request body can remove an item in three ways. An update doesn't change items that its body leaves out. If a
request has `effective_date=today` and `bill_prorated_period`, the service prorates by whole days, and rounds to cents.
To prorate an amount, the service multiplies the amount by the remaining days of the period, and divides the result by
all days of the period. The credit for removed items is a line of type `TaxableCredit` with a negative price. If the
credit exceeds the new charges, the service adds a `ModificationRefund` line, bills 0, and creates a refund. If a
request has `effective_date=nextBill`, responses contain the new plan immediately. If a request has
`effective_date=nextBill`, old items end and new items start at the time of the next bill, and the service charges
nothing now. A replaced item disappears from the list of items. A removed item stays at the end of the list of items,
with a value for `ends`.

The sandbox assumes that with `effective_date=nextBill`, the history shows the time of the next bill as the start of the
new plan and the new items. The sandbox assumes that the default of `effective_date` is `today`. The sandbox assumes
that without `bill_prorated_period`, the service charges nothing when a subscription changes. The sandbox assumes that
the service credits the rest of the current period if the plan changes today with `bill_prorated_period`. A prorated
plan change charges the whole first period of the new plan, and moves the billing day to today's day of the month. The
sandbox assumes that the service returns 400 if a campaign code would have no effect. A campaign code has no effect for
an item that is only edited, or for a plan that doesn't change. The sandbox assumes that the service ignores the `id`
and `vid` in the body of an update.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from ...http.call import Call
from ...http.responses import Reply, billing_refusal
from ...http.router import all_or_nothing
from ...values import Document, amount, documents, keys_of, link, nested, text, timestamp, value_list, whole
from ..payment_methods import account_body, make_primary
from ..resources import in_path, merge, missing, referred, reply_with
from ..rules.credit import spend
from ..rules.cycle import LATER_METHODS, PAID, advance_period, charge, make_invoice
from ..rules.ledger import declines, method_of
from ..rules.pricing import ZERO, cents, charge_lines, item_line, line, reference_of, serving, total
from ..rules.tax import closed, numbered, rate_of
from ..transactions import refund_subscription
from .subscriptions import log_item, new_item, redeem_for_plan, running, use_plan

_CHANGED_HERE = (
    "account", "items", "billing_plan", "payment_method", "policy", "status", "billing_state", "balance", "ends",
    "entitled_through", "next_billing", "most_recent_billing", "starts", "credit", "billing_plan_campaign_id",
    "billing_plan_campaign_code",
)  # fmt: skip
_MODIFIABLE = frozenset({"Active", "Processing"})


@dataclass
class _Change:
    """The items that a modification removes and adds."""

    removed: list[Document] = field(default_factory=list[Document])
    added: list[Document] = field(default_factory=list[Document])


@all_or_nothing
def update(call: Call) -> Reply:
    """Change a subscription. A dry run stores nothing."""
    call.accept_query("effective_date", "bill_prorated_period", "dryrun")
    with call.store.trial() if call.flag("dryrun") else nullcontext():
        return reply_with(call, _modify(call))


def _modify(call: Call) -> Document:
    effective = call.query.get("effective_date", "today")
    if effective not in {"today", "nextBill"}:
        raise billing_refusal(400, "effective_date must be one of today, nextBill.")
    prorated = call.flag("bill_prorated_period")
    subscription = in_path(call, "subscriptions", "subscription")
    body = call.body("Subscription")
    merge(subscription, body, leave=_CHANGED_HERE)
    _change_method(call, subscription, body)
    plan = referred(call.store, "billing_plans", body.get("billing_plan"))
    items = documents(body, "items")
    code = text(body, "billing_plan_campaign_code")
    if code and (plan is None or plan is call.store.follow(link(subscription, "billing_plan"))):
        raise billing_refusal(400, "billing_plan_campaign_code needs a new billing_plan in the same request.")
    if plan is None and not items:
        return subscription
    if text(subscription, "status") not in _MODIFIABLE:
        raise billing_refusal(400, "Only a subscription that is Active or Processing can be modified.")
    if plan is not None and plan is call.store.follow(link(subscription, "billing_plan")):
        plan = None
    today = effective == "today"
    credit = _credit_of_plan(call, subscription) if plan is not None and prorated and today else []
    change = _change_items(call, subscription, items, today=today)
    if plan is not None:
        use_plan(call, subscription, plan, call.now if today else timestamp(subscription, "_next"))
        redeem_for_plan(call, subscription, plan, code)
    if today and prorated:
        _settle(call, subscription, change, credit, plan_changed=plan is not None)
    _renumber(subscription, call.now)
    return subscription


def _change_method(call: Call, subscription: Document, body: Document) -> None:
    sent, owner = nested(body, "payment_method"), link(subscription, "account")
    if sent and owner is not None:
        method = account_body(call.store, owner, sent, call.now)
        if method.get("_account") == owner:
            make_primary(call.store, method, owner)
        subscription["payment_method"] = call.store["payment_methods"].link(method)


def _change_items(call: Call, subscription: Document, sent_items: list[Document], *, today: bool) -> _Change:
    change = _Change()
    at = call.now if today else timestamp(subscription, "_next") or call.now
    for sent in sent_items:
        if "replaced_by" in sent or ("replaces" in sent and not nested(sent, "product")):
            _remove(call, subscription, _target(call, subscription, sent), at, change)
        elif nested(sent, "replaces"):
            _replace(call, subscription, sent, at, change, today=today)
        elif nested(sent, "product") and not _existing(subscription, sent):
            _add(call, subscription, sent, at, change)
        else:
            _edit(call, subscription, sent)
    return change


def _existing(subscription: Document, sent: Document) -> Document | None:
    keys = keys_of(sent)
    for item in documents(subscription, "items"):
        if keys & keys_of(item):
            return item
    return None


def _target(call: Call, subscription: Document, sent: Document) -> Document:
    """Return the item that a change removes or replaces, which the request identifies by ID or vid, or by product."""
    named = nested(sent, "replaces") or sent
    found = _existing(subscription, named)
    if found is not None:
        return found
    product = referred(call.store, "products", named.get("product"))
    product_link = None if product is None else call.store["products"].link(product)
    for item in documents(subscription, "items"):
        if product_link is not None and item.get("product") == product_link and item.get("ends") is None:
            return item
    raise missing("SubscriptionItem")


def _add(call: Call, subscription: Document, sent: Document, at: datetime, change: _Change) -> Document:
    items = documents(subscription, "items")
    billed = whole(subscription, "_billed")
    item = new_item(call, sent, len(items), text(subscription, "currency"), at, billed)
    subscription["items"] = value_list([*items, item])
    log_item(subscription, "Add", item, call.now, at)
    change.added.append(item)
    return item


def _remove(call: Call, subscription: Document, item: Document, at: datetime, change: _Change) -> None:
    item["ends"] = at
    change.removed.append(item)
    log_item(subscription, "Remove", item, call.now, at)


def _replace(call: Call, subscription: Document, sent: Document, at: datetime, change: _Change, *, today: bool) -> None:
    old = _target(call, subscription, sent)
    _remove(call, subscription, old, at, change)
    new = _add(call, subscription, sent, at, change)
    new["replaces"] = reference_of(old)
    if today:
        subscription["items"] = value_list(item for item in documents(subscription, "items") if item is not old)
    else:
        old["replaced_by"] = reference_of(new)


def _edit(call: Call, subscription: Document, sent: Document) -> None:
    item = _existing(subscription, sent)
    if item is None:
        raise missing("SubscriptionItem")
    if text(sent, "campaign_code"):
        raise billing_refusal(400, "campaign_code is valid only for an item that is added or that replaces an item.")
    merge(item, sent, leave=("product", "campaign_code", "starts", "ends", "index"))
    log_item(subscription, "Edit", item, call.now)


def _share_left(subscription: Document, at: datetime) -> Decimal:
    """Return the share of the current period that is left: its remaining whole days divided by all its days."""
    starts, upcoming = timestamp(subscription, "_period_start"), timestamp(subscription, "_next")
    if starts is None or upcoming is None:
        return Decimal(0)
    days = (upcoming.date() - starts.date()).days
    return Decimal(max((upcoming.date() - at.date()).days, 0)) / Decimal(days) if days else Decimal(0)


def _credit_of_plan(call: Call, subscription: Document) -> list[Document]:
    """Return the lines that credit the rest of the current period for the subscription's items and plan."""
    share = _share_left(subscription, call.now)
    lines = charge_lines(call.store, running(subscription, call.now), call.now, back=1)
    return [_credit(call, subscription, one, share) for one in lines if (amount(one, "total") or ZERO) > 0]


def _credit(call: Call, subscription: Document, charged: Document, share: Decimal) -> Document:
    """Return a line that credits the given share of the amount of a charged line."""
    back = -cents((amount(charged, "total") or ZERO) * share)
    sku = text(charged, "sku")
    kind = "merchantBillingPlanId" if "_plan" in charged else "merchantProductId"
    made = line(sku, f"Credit for {kind} {sku}", back, 1, item_type="TaxableCredit")
    made |= {name: charged[name] for name in ("subscription_item", "tax_classification") if name in charged}
    charged_by = call.store["transactions"].referring("subscription", call.store["subscriptions"].link(subscription))
    billed = [
        text(one, "id") for one in charged_by if any(text(each, "sku") == sku for each in documents(one, "items"))
    ]
    made["related_transactions"] = value_list(billed[-1:])

    return serving(made, call.now, timestamp(subscription, "_next"))


def _settle(call: Call, subscription: Document, change: _Change, credit: list[Document], *, plan_changed: bool) -> None:
    currency = text(subscription, "currency")
    if plan_changed:
        lines = [*charge_lines(call.store, subscription, call.now), *credit]
    else:
        share, until = _share_left(subscription, call.now), timestamp(subscription, "_next")
        added = [_part(item_line(call.store, item, currency), share) for item in change.added]
        lines = [serving(one, call.now, until) for one in added]
        lines += [_credit(call, subscription, item_line(call.store, item, currency), share) for item in change.removed]
    lines = closed(lines, rate_of(call.store, call.settings, subscription))
    net = total(lines)
    if net < 0:
        refunds = refund_subscription(call, call.store["subscriptions"].link(subscription), -net)
        made = line("Modification Refund", "Modification Refund", -net, 1, item_type="ModificationRefund")
        charged = [text(call.store.follow(link(refund, "transaction")) or {}, "id") for refund in refunds]
        made |= {"tax_classification": "TaxExempt", "related_transactions": value_list(charged)}
        lines = numbered([*lines, made])
    _bill(call, subscription, lines, net, plan_changed=plan_changed)


def _part(charged: Document, share: Decimal) -> Document:
    for name in ("price", "discount", "subtotal", "total"):
        whole_price = amount(charged, name)
        if whole_price is not None:
            charged[name] = cents(whole_price * share)
    charged["subtotal"] = cents((amount(charged, "total") or ZERO) - (amount(charged, "discount") or ZERO))
    return charged


def _bill(call: Call, subscription: Document, lines: list[Document], net: Decimal, *, plan_changed: bool) -> None:
    method = method_of(call.store, subscription)
    if text(method or {}, "type") == "MerchantAcceptedPayment":
        raise billing_refusal(
            400,
            "A subscription paid by Merchant Accepted Payment cannot have a prorated change that takes effect today.",
        )
    credit: Document = {}
    if net > 0:
        lines, credit = spend(call.store, subscription, lines)
        net = total(lines)
    if net > 0 and (method is None or declines(method)):
        raise billing_refusal(402, "The payment method could not be authorized.")
    if plan_changed:
        subscription |= {"_period_start": call.now, "billing_day": call.now.day, "_day_chosen": False}
        advance_period(call.store, subscription, call.now, call.settings)
    later = text(method or {}, "type") in LATER_METHODS
    statuses = ("New",) if later or net <= 0 else PAID
    kind: Document = {"vin:type": "modify"}
    transaction = charge(call.store, subscription, lines, call.now, statuses, call.settings, credit, kind)
    if plan_changed:
        make_invoice(call.store, subscription, transaction, lines, call.now, paid=not later)
    if later:
        subscription["balance"] = (amount(subscription, "balance") or ZERO) + max(net, ZERO)


def _renumber(subscription: Document, at: datetime) -> None:
    """Move ended items to the end of the subscription's list of items, and number all items from 0."""

    def ended(item: Document) -> bool:
        ends = timestamp(item, "ends")
        return ends is not None and ends <= at

    items = sorted(documents(subscription, "items"), key=ended)
    for index, item in enumerate(items):
        item["index"] = index
    subscription["items"] = value_list(items)
