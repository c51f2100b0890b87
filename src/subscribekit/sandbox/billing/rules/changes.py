"""Determines the webhook events of a call from the differences between two states of the store.

This module compares the states before and after a call, so the handlers of the billing API don't need to create events.
A call that is rejected or undone causes no events, and a dry run causes no events.

The operator has published programs that receive webhooks. An event contains the keys that these published receivers
read. The sandbox includes every key in an event, even with an empty value, because published receivers read most keys
without a default value. If a resource has no ID, an event identifies the resource by `VID`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from ...store import Store
from ...values import Document, Link, Value, amount, copied, documents, link, nested, text, timestamp, whole
from .entitlements import held_entitlements

CLASSES = ("accounts", "adjustments", "autobills", "entitlement", "invoices", "payment methods", "transactions")
_WATCHED = ("accounts", "payment_methods", "subscriptions", "transactions", "invoices", "refunds")
_SERVING = frozenset({"Active", "Pending Cancel", "Processing"})
_PAID = frozenset({"Authorized", "Captured"})
# Fields that bills can change. If only these fields of a subscription change, the sandbox sends no `modify` event.
_COMPUTED = frozenset(
    {"status", "billing_state", "balance", "ends", "entitled_through", "next_billing", "most_recent_billing", "credit"}
)

State: TypeAlias = dict[str, dict[str, Document]]
# Two versions of a document: before a change ({} if the document is new), and after the change.
_Pair: TypeAlias = tuple[Document, Document]


@dataclass(frozen=True)
class Change:
    """A change to a resource, which the sandbox sends as a webhook event."""

    class_name: str
    event_name: str
    content: Document


def state_of(store: Store, at: datetime) -> State:
    """Return a copy of all documents whose changes can cause events."""
    state = {name: {text(each, "vid"): copied(each) for each in store[name]} for name in _WATCHED}
    state["rights"] = {text(right, "vid"): copied(right) for right in held_entitlements(store, None, at)}
    return state


def changes(store: Store, before: State, after: State) -> Iterator[Change]:
    """Yield the changes from one state of the store to the next. A change precedes the changes that it causes."""
    for old, new in _changed(before, after, "accounts"):
        if _shown(old) != _shown(new):
            yield Change("accounts", "data change", {"account": _identity("merchantAccountId", new)})
    for old, new in _changed(before, after, "payment_methods"):
        if _shown(old) != _shown(new):
            yield Change("payment methods", "data change", _identity("merchantPaymentMethodId", new))
    for old, new in _changed(before, after, "subscriptions"):
        yield from _of_subscription(old, new)
    yield from _of_rights(store, before["rights"], after["rights"])
    for old, new in _changed(before, after, "transactions"):
        yield from _of_transaction(old, new)
    for old, new in _changed(before, after, "invoices"):
        yield from _of_invoice(old, new)
    for old, new in _changed(before, after, "refunds"):
        if not old:
            yield Change("adjustments", "refund", _identity("merchantRefundId", new))


def _changed(before: State, after: State, name: str) -> Iterator[_Pair]:
    for vid, new in after[name].items():
        old = before[name].get(vid, {})
        if old != new:
            yield old, new


def _shown(document: Document, leave: frozenset[str] = frozenset()) -> Document:
    return {name: value for name, value in document.items() if not name.startswith("_") and name not in leave}


def _identity(name: str, document: Document) -> Document:
    """Return the identifiers in a webhook: the document's ID, which can be empty, as `name`, and the vid as `VID`."""
    return {name: text(document, "id"), "VID": document["vid"]}


def _of_subscription(old: Document, new: Document) -> Iterator[Change]:
    served, serves = text(old, "status") in _SERVING, text(new, "status") in _SERVING
    identity = _identity("merchantAutoBillId", new)
    if served != serves:
        yield Change("autobills", "start" if serves else "stop", identity)
    elif serves and _shown(old, _COMPUTED) != _shown(new, _COMPUTED):
        yield Change("autobills", "modify", {"autobill": identity})


def _of_rights(store: Store, before: dict[str, Document], after: dict[str, Document]) -> Iterator[Change]:
    for vid, right in before.items():
        if vid not in after:
            yield Change("entitlement", "stop", _right(store, right))
    for vid, right in after.items():
        if vid not in before:
            yield Change("entitlement", "start", _right(store, right))


def _right(store: Store, right: Document) -> Document:
    def named(name: str) -> str:
        return text(store.follow(link(right, name)) or {}, "id")

    item = nested(right, "subscription_item")
    source = next((kind for name, kind in _SOURCES if name in right), "")
    return {
        **_identity("merchantAccountId", store.follow(link(right, "account")) or {"vid": ""}),
        "merchantEntitlementId": [text(right, "id") or text(right, "vid")],
        "entitlementSource": source,
        "merchantAutobillId": named("subscription"),
        "merchantAutoBillItemId": text(item, "id"),
        "autoBillItemVid": text(item, "vid"),
        "merchantProductId": named("product"),
        "merchantBillingPlanId": named("billing_plan"),
        "startTimestamp": timestamp(right, "starts") or "",
        "endTimestamp": timestamp(right, "ends") or "",
    }


_SOURCES = (("product", "Product"), ("billing_plan", "BillingPlan"))


def _of_transaction(old: Document, new: Document) -> Iterator[Change]:
    before, after = _statuses(old), _statuses(new)
    if not _PAID.isdisjoint(after) and _PAID.isdisjoint(before):
        yield Change("transactions", "attempt succeeded", _transaction(new))
    if after[:1] == ["Cancelled"] and before[:1] != ["Cancelled"]:
        yield Change("transactions", "attempt failed", _transaction(new))


def _statuses(transaction: Document) -> list[str]:
    return [text(entry, "status") for entry in documents(transaction, "status_log")]


def _transaction(transaction: Document) -> Document:
    content = _identity("merchantTransactionId", transaction) | {"amount": transaction.get("amount")}
    subscription: Value = transaction.get("subscription")
    if isinstance(subscription, Link):
        content["autobillVID"] = subscription.vid
        content["autoBillCycle"] = max(whole(transaction, "subscription_sequence", 1) - 1, 0)
    content["retryNumber"] = whole(transaction, "billing_attempt")
    return content


def _of_invoice(old: Document, new: Document) -> Iterator[Change]:
    content: Document = {"invoice_id": text(new, "id") or text(new, "vid")}
    if (amount(new, "payments_received_total") or 0) > (amount(old, "payments_received_total") or 0):
        yield Change("invoices", "payment received", content)
    if text(old, "status") != text(new, "status"):
        yield Change("invoices", "status change", content)
