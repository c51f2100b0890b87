"""Handlers that list, create, and finish subscriptions, delay bills, and return histories.

The published samples contain dry runs, and the status of a new subscription for each kind of payment method. In the
published samples, `items` is an array or a `List` object. The published samples also contain subscriptions with a
campaign code, with a start in the future, with the payment method of a parent account, and with a delayed bill.

The specification says that a request with `unkonwn_starts` creates a subscription that is `Pending Activation`. If a
request's body contains an existing account, the account doesn't change.

The sandbox assumes that a subscription uses the default plan of its first product if the request contains no plan. The
sandbox assumes that the service rejects a product or plan that has prices but no price in the subscription's currency.
The sandbox assumes that the operation `finish` returns the subscription. The path of `finish` contains the ID of the
subscription or of its first transaction. The sandbox assumes that the service returns 400 if a delay doesn't move the
next bill to a later day.
"""

from __future__ import annotations

from datetime import datetime

from ...http.call import Call
from ...http.pages import here_address
from ...http.responses import Reply, billing_refusal
from ...http.router import all_or_nothing
from ...values import Document, Link, amount, documents, link, nested, text, timestamp, value_list, whole
from ..account_links import add_credit, of_owners
from ..payment_methods import method_for
from ..presenters import plan_history
from ..resources import fresh, in_path, listing, merged_metadata, missing, referred, refuse_duplicate, reply_with
from ..rules.cycle import entitle, finish_approval, open_billing, pay_in_full, refuse_unusable
from ..rules.ledger import log_statuses, method_of
from ..rules.pricing import ZERO, need_price
from ..rules.redemption import redeem
from ..transactions import account_in

_HANDLED = (
    "account", "items", "billing_plan", "payment_method", "policy", "credit", "billing_plan_campaign_code",
    "unkonwn_starts",
)  # fmt: skip
_COMPUTED = ("status", "billing_state", "balance", "ends", "entitled_through", "next_billing", "most_recent_billing")


@listing("subscriptions", "account", "include_children", "email")
def list_subscriptions(call: Call) -> list[Document]:
    """List subscriptions, with optional filters by account (with or without its children) and by email address."""
    found, email = of_owners(call, "subscriptions"), call.query.get("email")
    if email is not None:
        found = [one for one in found if text(call.store.follow(link(one, "account")) or {}, "email") == email]
    return found


@all_or_nothing
def create(call: Call) -> Reply:
    """Create a subscription and, if necessary, its account and payment method. A dry run stores nothing."""
    call.accept_query("dryrun")
    if not call.flag("dryrun"):
        return reply_with(call, _make(call))
    with call.store.trial():
        subscription = _make(call)
        subscription["status"] = "Dryrun"
        return reply_with(call, subscription)


def _make(call: Call) -> Document:
    body = call.body("Subscription")
    store = call.store
    refuse_duplicate(store["subscriptions"], body)
    account = account_in(call, body)
    fields = fresh(call, {name: value for name, value in body.items() if name not in (*_HANDLED, *_COMPUTED)})
    fields["account"] = store["accounts"].link(account)
    fields["currency"] = text(body, "currency") or text(account, "default_currency") or "USD"
    method = method_for(call, account, nested(body, "payment_method"))
    if method is not None:
        fields["payment_method"] = store["payment_methods"].link(method)
    fields["_policy"] = nested(body, "policy")
    starts = timestamp(body, "starts") or call.now
    fields |= {"minimum_commitment": whole(body, "minimum_commitment"), "notify_on_transition": False} | fields
    subscription = store.add("subscriptions", fields)
    subscription["starts"] = starts
    chosen = whole(body, "billing_day")
    subscription |= {"billing_day": chosen or starts.day, "_day_chosen": bool(chosen)}
    items = [
        new_item(call, sent, at, text(fields, "currency"), starts) for at, sent in enumerate(documents(body, "items"))
    ]
    subscription["items"] = value_list(items)
    if sent_credit := nested(body, "credit"):
        credit: Document = {"object": "Credit"}
        add_credit(call, credit, sent_credit, subscription=store["subscriptions"].link(subscription))
        subscription["credit"] = credit
    if mandate := _mandate(call, subscription, method):
        subscription["mandate"] = mandate
    _set_plan(call, subscription, body, items)
    for item in items:
        log_item(subscription, "Add", item, call.now)
    _begin(call, subscription, body, starts)
    return subscription


def _begin(call: Call, subscription: Document, body: Document, starts: datetime) -> None:
    if body.get("unkonwn_starts") is not True and starts <= call.now:
        open_billing(call.store, subscription, call.now, call.settings)
        return
    refuse_unusable(subscription, method_of(call.store, subscription))
    subscription |= {"status": "Pending Activation", "billing_state": "Unbilled", "balance": ZERO}
    if body.get("unkonwn_starts") is True:
        subscription.pop("starts")
        subscription["unkonwn_starts"] = True
    else:
        subscription["_begins"] = starts


def _mandate(call: Call, subscription: Document, method: Document | None) -> Document:
    """Return the mandate of a subscription, or an empty document.

    A subscription has a mandate if it's paid by direct debit, and its metadata contains `vin:MandateFlag`.
    """
    metadata = nested(subscription, "metadata")
    if text(method or {}, "type") != "DirectDebit" or "vin:MandateFlag" not in metadata:
        return {}
    identifier = metadata.get("vin:MandateID")
    return {"object": "Mandate", "created": call.now, "identifier": identifier, "status": "Active"}


def new_item(call: Call, sent: Document, index: int, currency: str, starts: datetime, billed: int = 0) -> Document:
    """Create a subscription item from a request body. `billed` is the number of bills before the item is added."""
    product = referred(call.store, "products", sent.get("product"))
    if product is None:
        raise billing_refusal(400, f"Subscription.items[{index}] needs a product.")
    if amount(sent, "amount") is None:
        need_price(documents(product, "prices"), currency, f"The product {text(product, 'id')}")
    fields = {name: value for name, value in sent.items() if name not in {"campaign_code", "replaces", "replaced_by"}}
    item: Document = {
        "object": "SubscriptionItem",
        "quantity": 1,
        **fields,
        "vid": call.store.new_vid("SubscriptionItem"),
        "index": index,
        "product": call.store["products"].link(product),
        "currency": currency,
        "created": call.now,
        "starts": starts,
    }
    if "metadata" in sent:
        item["metadata"] = merged_metadata({}, nested(sent, "metadata"))
    code = text(sent, "campaign_code")
    if code:
        item["campaign_id"] = redeem(call.store, code, call.now, eligible="products", target=product)
        ticket: Document = {"object": "DiscountTicket", "added_date": call.now, "campaign_id": item["campaign_id"]}
        ticket |= {"start_billing_sequence": billed, "metadata": {"use_type": "SpecifiedItem"}}
        item["discount_tickets"] = [ticket]
        item["_campaign_from"] = billed
    return item


def _set_plan(call: Call, subscription: Document, body: Document, items: list[Document]) -> None:
    plan = referred(call.store, "billing_plans", body.get("billing_plan"))
    if plan is None and items:
        product = call.store.follow(link(items[0], "product")) or {}
        plan = call.store.follow(link(product, "default_billing_plan"))
    if plan is None:
        raise billing_refusal(400, "A subscription needs a billing_plan, or a product with a default_billing_plan.")
    use_plan(call, subscription, plan)
    redeem_for_plan(call, subscription, plan, text(body, "billing_plan_campaign_code"))


def redeem_for_plan(call: Call, subscription: Document, plan: Document, code: str) -> None:
    """Redeem a campaign code, if there is one, for the new plan of a subscription."""
    if code:
        campaign = redeem(call.store, code, call.now, eligible="billing_plans", target=plan)
        subscription["billing_plan_campaign_id"] = campaign


def use_plan(call: Call, subscription: Document, plan: Document, starts: datetime | None = None) -> None:
    """Set the plan of a subscription, beginning with the plan's first period.

    In the history, the plan starts at `starts`, or now if `starts` is `None`.
    """
    if not documents(plan, "periods"):
        raise billing_refusal(400, "The billing plan has no period.")
    for period in (nested(plan, "trial"), *documents(plan, "periods")):
        need_price(documents(period, "prices"), text(subscription, "currency"), f"The billing plan {text(plan, 'id')}")
    plan["used_on_subscriptions"] = True
    current, plan_link = running(subscription, call.now), call.store["billing_plans"].link(plan)
    if subscription is current and (history := documents(subscription, "_plan_history")):
        history[-1]["cycle"] = whole(subscription, "_cycle")
    is_back = subscription is not current and link(current, "billing_plan") == plan_link
    subscription |= {"billing_plan": plan_link, "_cycle": whole(current, "_cycle") if is_back else 0}
    entry: Document = {"plan": text(plan, "vid"), "starts": starts or call.now}
    # The new entry replaces any plan change that is still scheduled for the next bill.
    subscription["_plan_history"] = value_list([*_begun(subscription, call.now), entry])


def _begun(subscription: Document, at: datetime) -> list[Document]:
    return [each for each in documents(subscription, "_plan_history") if (timestamp(each, "starts") or at) <= at]


def running(subscription: Document, at: datetime) -> Document:
    """Return a subscription with the plan of its current period, even if the plan changes at the next bill."""
    begun = _begun(subscription, at)
    if not begun or len(begun) == len(documents(subscription, "_plan_history")):
        return subscription
    plan = Link("billing_plans", text(begun[-1], "plan"))
    return subscription | {"billing_plan": plan, "_cycle": whole(begun[-1], "cycle")}


def log_item(
    subscription: Document, action: str, item: Document, at: datetime, effective: datetime | None = None
) -> None:
    """Add an entry to the history of a subscription's items.

    `effective` is the time when the change takes effect, by default `at`.
    """
    entry: Document = {"object": "SubscriptionItemHistory", "action": action, "created": at}
    entry["effective"] = effective or at
    entry["subscription_item"] = {name: item[name] for name in _OF_HISTORY if name in item}
    subscription["_item_history"] = value_list([*documents(subscription, "_item_history"), entry])


_OF_HISTORY = ("object", "id", "vid", "index", "product", "quantity", "currency", "created", "starts", "ends")


def finish(call: Call) -> Reply:
    """Activate a subscription after the customer's approval."""
    subscription = call.store["subscriptions"].find(call.params["subscription"])
    if subscription is None:
        transaction = call.store["transactions"].find(call.params["subscription"]) or {}
        subscription = call.store.follow(link(transaction, "subscription"))
    if subscription is None:
        raise missing("Subscription")
    if text(subscription, "billing_state") != "Pending Acceptance":
        raise billing_refusal(400, "Only a subscription whose billing_state is Pending Acceptance can be finished.")
    target = call.store["subscriptions"].link(subscription)
    for transaction in call.store["transactions"].referring("subscription", target):
        log_statuses(call.store, transaction, ("Authorized", "Captured"), call.now, call.settings)
    for invoice in call.store["invoices"].referring("subscription", target):
        pay_in_full(invoice)

    finish_approval(call.store, subscription, call.now, call.settings)
    return reply_with(call, subscription)


def delay_billing(call: Call) -> Reply:
    """Delay the next bill of a subscription to `to_date`.

    If `perm` is set, the day of `to_date` becomes the billing day.
    """
    call.accept_query("to_date", "perm")
    subscription = in_path(call, "subscriptions", "subscription")
    to_date, permanent = call.timestamp("to_date"), call.flag("perm")
    upcoming = timestamp(subscription, "_next")
    if to_date is None:
        raise billing_refusal(400, "to_date is required.")
    if upcoming is None or to_date.date() <= upcoming.date():
        raise billing_refusal(400, "to_date must be after the day of the next bill.")
    subscription["_next"] = upcoming.replace(year=to_date.year, month=to_date.month, day=to_date.day)
    if permanent:
        subscription["billing_day"] = to_date.day
    entitle(call.store, subscription, call.settings)
    return reply_with(call, subscription)


def list_plan_history(call: Call) -> Reply:
    """List the current, former, and scheduled billing plans of a subscription."""
    return _history(call, plan_history(in_path(call, "subscriptions", "subscription")))


def list_item_history(call: Call) -> Reply:
    """List the changes to a subscription's items."""
    return _history(call, documents(in_path(call, "subscriptions", "subscription"), "_item_history"))


def _history(call: Call, entries: list[Document]) -> Reply:
    """Return a list without cursors, as in the published samples of plan histories and item histories."""
    shown = value_list(call.show(entry) for entry in entries)
    return Reply({"object": "List", "data": shown, "total_count": len(shown), "url": here_address(call)})
