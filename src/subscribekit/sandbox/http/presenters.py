"""What group A shows of a stored document: internal fields left out, references short, collections in their envelopes.

Specified: the envelopes of payment methods, items, descriptions, entitlements and prices, times in UTC. Observed: a
reference is {object, id, vid}; the account and the payment method inside a subscription or transaction are full;
absent values are left out; `next_billing`, `most_recent_refunds` and `status_log`. Assumed: `Transaction.status`
is `Complete` once money was taken and `Cancelled` after a cancellation; before, only the log tells the state; what
begins at a known time shows its first charge as `next_billing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from ..billing.rules.credit import lines_due
from ..billing.rules.entitlements import account_entitlements
from ..billing.rules.pricing import period_at, total
from ..store import Store
from ..values import Document, Link, Value, documents, link, show_timestamp, text, timestamp, value_list, whole

ENVELOPED = frozenset(
    {
        "descriptions",
        "entitlements",
        "inherited_entitlements",
        "invoice_line_items",
        "invoice_payments",
        "invoice_tax_items",
        "items",
        "most_recent_refunds",
        "payment_methods",
        "prices",
        "promotion_code_aliases",
        "refund_items",
        "status_log",
    }
)


def envelope(items: Iterable[Value]) -> Document:
    """Wrap a nested collection."""
    data = list(items)
    return {"object": "List", "data": data, "total_count": len(data)}


def reference(document: Document) -> Document:
    """Reduce a document to {object, id, vid}, without an id when it has none."""
    return {name: document[name] for name in ("object", "id", "vid") if document.get(name) is not None}


class Presenter:
    """Shows documents as they stand at a time."""

    def __init__(self, store: Store, at: datetime) -> None:
        self._store = store
        self._at = at

    def show(self, document: Document) -> Document:
        """Show a document of group A."""
        shown = self._plain(document)
        complete = _COMPLETE.get(text(document, "object"))
        if complete is not None:
            complete(self, document, shown)
        return shown

    def _plain(self, document: Document) -> Document:
        return {
            name: self._value(name, value)
            for name, value in document.items()
            if value is not None and not name.startswith("_")
        }

    def _value(self, name: str, value: Value) -> Value:
        if isinstance(value, Link):
            target = self._store.follow(value)
            return None if target is None else reference(target)
        if isinstance(value, datetime):
            return show_timestamp(value)
        if isinstance(value, dict):
            return self._plain(value) if name != "metadata" else value
        if isinstance(value, list):
            items = [self._value("", item) for item in value]
            return envelope(items) if name in ENVELOPED else items
        return value

    def _show_full(self, document: Document, shown: Document, *names: str) -> None:
        for name in names:
            target = self._store.follow(link(document, name))
            if target is not None:
                shown[name] = self.show(target)

    def account(self, document: Document, shown: Document) -> None:
        """Add payment methods and entitlements to an account."""
        here = self._store["accounts"].link(document)
        methods = [self.show(method) for method in self._store["payment_methods"] if method.get("_account") == here]
        shown["payment_methods"] = envelope(methods)
        granted = account_entitlements(self._store, here, self._at)
        if granted:
            shown["entitlements"] = envelope(
                {name: right[name] for name in ("object", "id", "description") if name in right} for right in granted
            )

    def subscription(self, document: Document, shown: Document) -> None:
        """Add what hangs on a subscription, its last and next billing among it."""
        self._show_full(document, shown, "account", "payment_method", "billing_plan")
        shown["items"] = envelope(self._item(item) for item in documents(document, "items"))
        here = self._store["subscriptions"].link(document)
        charged = [one for one in self._store["transactions"] if one.get("subscription") == here]
        billed = [one for one in charged if one.get("_payment") is not True]
        shown["most_recent_billing"] = self.show(billed[-1]) if billed else None
        if billed:
            refunds = [self.show(refund) for refund in self._recent_refunds(billed)]
            if refunds:
                shown["most_recent_refunds"] = envelope(refunds)
        upcoming = _preview(self._store, document)
        if upcoming is not None:
            shown["next_billing"] = self._plain(upcoming)

    def _recent_refunds(self, billed: list[Document]) -> list[Document]:
        """Return the refunds made since the last billing, of whatever charge of the subscription."""
        links = [self._store["transactions"].link(one) for one in billed]
        since = timestamp(billed[-1], "created") or self._at
        return [
            refund
            for refund in self._store["refunds"]
            if refund.get("transaction") in links and (timestamp(refund, "created") or self._at) >= since
        ]

    def _item(self, item: Document) -> Document:
        shown = self._plain(item)
        self._show_full(item, shown, "product")
        return shown

    def transaction(self, document: Document, shown: Document) -> None:
        """Add account, payment method and current status to a transaction."""
        self._show_full(document, shown, "account", "source_payment_method")
        newest = documents(document, "status_log")[:1]
        told = _TRANSACTION_STATUS.get(text(newest[0], "status")) if newest else None
        if told is not None:
            shown["status"] = told

    def entitlement(self, _document: Document, shown: Document) -> None:
        """Leave the vid out, which published entitlements do not have."""
        shown.pop("vid", None)

    def refund(self, document: Document, shown: Document) -> None:
        """Add the transaction to a refund."""
        self._show_full(document, shown, "transaction")

    def invoice(self, document: Document, shown: Document) -> None:
        """Add the payments to an invoice; it is known by its id and has no vid (observed)."""
        shown.pop("vid")
        here = self._store["invoices"].link(document)
        paid = [self.show(one) for one in self._store["transactions"] if one.get("_invoice") == here]
        shown["invoice_payments"] = envelope(paid)


def _preview(store: Store, subscription: Document) -> Document | None:
    """Return the next charge of a subscription as it stands, also the first; `None` when nothing more is due."""
    due = timestamp(subscription, "_next") or timestamp(subscription, "_begins")
    plan = store.follow(link(subscription, "billing_plan")) or {}
    if due is None or period_at(plan, whole(subscription, "_cycle")) is None:
        return None
    lines = lines_due(store, subscription, due)
    return {
        "object": "Transaction",
        "created": due,
        "amount": total(lines),
        "currency": text(subscription, "currency"),
        "items": value_list(lines),
        "purchase_level_discount_tickets": [],
    }


# What the specification shows of `Transaction.status`; which names authorization and capture lead to, it does not.
_TRANSACTION_STATUS = {"Captured": "Complete", "Refunded": "Complete", "Cancelled": "Cancelled"}

_COMPLETE: dict[str, Callable[[Presenter, Document, Document], None]] = {
    "Account": Presenter.account,
    "Entitlement": Presenter.entitlement,
    "Invoice": Presenter.invoice,
    "Refund": Presenter.refund,
    "Subscription": Presenter.subscription,
    "Transaction": Presenter.transaction,
}
