"""Converts stored documents to responses of the billing API.

According to the specification, payment methods, items, descriptions, entitlements, and prices are in `List` objects.
Timestamps in responses are in UTC.

In the published samples, a reference to another resource is an object with `object`, `id`, and `vid`. In the published
samples, a subscription or transaction contains its complete account and payment method. Responses leave out fields
without a value, except the keys in `ALWAYS`. The published samples also contain `most_recent_refunds`, `status_log`,
and the lines of `next_billing`. The lines of `next_billing` don't include tax or credit.

The sandbox assumes that `Transaction.status` is `Complete` after a capture and `Cancelled` after a cancellation. Before
the capture or cancellation, only `status_log` contains the state of a transaction. The sandbox assumes that
`next_billing` is the first charge of a subscription that starts in the future. In `next_billing`, a billing plan has
its own line only if the plan has a price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from ..settings import Settings
from ..store import Store
from ..values import (
    Document,
    Link,
    Value,
    amount,
    documents,
    link,
    show_timestamp,
    start_of_day,
    text,
    timestamp,
    value_list,
    whole,
)
from .rules.entitlements import held_entitlements
from .rules.pricing import TOTAL_TAX, ZERO, charge_lines, period_at, reference_of, total

ENVELOPED = frozenset({
    "descriptions", "entitlements", "inherited_entitlements", "invoice_line_items", "invoice_payments",
    "invoice_tax_items", "items", "most_recent_refunds", "payment_methods", "prices", "promotion_code_aliases",
    "refund_items", "status_log", "tax",
})  # fmt: skip

# Fields that are plain lists in the specification, but `List` objects in the published samples.
ENVELOPED_AS_PUBLISHED = frozenset({"currency_amounts", "periods", "score_codes", "token_amounts"})

# For each field that contains nested objects, the value of `object` in these objects. Requests can leave out `object`.
OBJECTS = {
    "billing_address": "Address",
    "carrier_billing": "CarrierBilling",
    "credit_card": "CreditCard",
    "currency_amounts": "CurrencyAmount",
    "direct_debit": "DirectDebit",
    "dispute_address": "Address",
    "external_billing": "ExternalBilling",
    "merchant_accepted_payment": "MerchantAcceptedPayment",
    "paypal": "PayPal",
    "periods": "BillingPlanPeriod",
    "phone_number": "PhoneNumber",
    "sales_tax_address": "Address",
    "shipping_address": "Address",
    "token_amount": "TokenAmount",
    "token_amounts": "TokenAmount",
    "tokens": "TokenAmount",
    "trial": "BillingPlanPeriod",
}

# Keys that an object always has in responses, with their default values.
ALWAYS: Mapping[str, Document] = {
    "BillingPlanPeriod": {"do_not_notify_first_bill": False},
    "CreditCard": {"last_au_request_date": None, "last_update_date": None, "au_response_code": None},
    "DirectDebit": {"last_digits": None, "account_length": None, "rib_code": None},
    "InvoiceItem": {"tax_classification": None, "item_removed": None},
    "Mandate": {"identifier": None},
    "MerchantAcceptedPayment": {"last_digits": None},
    "PayPal": {"paypal_email": None, "payer_id": None, "reference_id": None},
    "TransactionItem": {"tax_classification": None},
    "TransactionStatus": {"payment_method_type": None},
    "TransactionStatusCreditCard": {"avs_code": None, "cvn_code": None},
}
# Kinds of objects that always have a vid if they are part of a resource.
_WITH_VID = frozenset({"Address", "CurrencyAmount", "TokenAmount"})
# Fields whose time of day in responses is always midnight, whatever the time of the call was.
DAYS: Mapping[str, tuple[str, ...]] = {"SubscriptionItem": ("starts",), "Transaction": ("original_billing_date",)}
# Keys that the specification documents, but that the published samples don't contain.
SPECIFIED: Mapping[str, tuple[str, ...]] = {
    "CreditCard": ("hash_type",),
    "Transaction": ("status", "to_be_captured", "billing_attempt"),
}
# Keys whose names in the published samples differ from the names in the specification.
PUBLISHED_NAMES = {"granted_by_service": "granted_by_cashbox"}
# Keys that a transaction item leaves out if the item is free.
_OF_COST = ("price", "discount", "subtotal")
# Keys that the lines of a charge have, but that the lines of `next_billing` don't have.
_OF_A_CHARGE = frozenset(
    {"subscription_item", "campaign_id", "campaign_description", "service_period_starts", "service_period_ends"}
)


def envelope(items: Iterable[Value]) -> Document:
    """Return a `List` object that contains the items."""
    data = list(items)
    return {"object": "List", "data": data, "total_count": len(data)}


def plan_history(subscription: Document) -> list[Document]:
    """Return the current, former, and scheduled billing plans of a subscription as `BillingPlanHistory` objects."""
    return [
        {
            "object": "BillingPlanHistory",
            "billing_plan": Link("billing_plans", text(entry, "plan")),
            "starts": entry["starts"],
        }
        for entry in documents(subscription, "_plan_history")
    ]


class Presenter:
    """Converts documents to the form that responses have at a given time.

    Args:
        store: The store that contains the documents.
        at: The time of the response.
        settings: The settings, which select the format of responses.
        changes: `True` if the call creates or changes a resource.
    """

    def __init__(self, store: Store, at: datetime, settings: Settings | None = None, *, changes: bool = False) -> None:
        self._store = store
        self._at = at
        self._published = settings is not None and settings.published
        self._changes = changes
        self._response: Document | None = None

    def show_response(self, document: Document) -> Document:
        """Convert a document that is a whole response or an item of a list, and not a part of another document."""
        self._response = document
        return self.show(document)

    def show(self, document: Document) -> Document:
        """Convert a document of the billing API, which can be a response or a part of a response."""
        shown = self._plain(document)
        kind = text(document, "object")
        complete = _COMPLETE.get(kind)
        if complete is not None:
            complete(self, document, shown)
        return self._formed(kind, shown)

    def _plain(self, document: Document) -> Document:
        names = PUBLISHED_NAMES if self._published else {}
        return {
            names.get(name, name): self._value(name, value)
            for name, value in document.items()
            if value is not None and not name.startswith("_")
        }

    def _value(self, name: str, value: Value) -> Value:
        if isinstance(value, Link):
            target = self._store.follow(value)
            return None if target is None else reference_of(target)
        if isinstance(value, datetime):
            return show_timestamp(value)
        if isinstance(value, dict):
            return self._nested(name, value) if name != "metadata" else value
        if isinstance(value, list):
            items = value_list(self._nested(name, item) if isinstance(item, dict) else item for item in value)
            is_enveloped = name in ENVELOPED or (self._published and name in ENVELOPED_AS_PUBLISHED)
            return envelope(items) if is_enveloped else items
        return value

    def _nested(self, name: str, document: Document) -> Document:
        kind = text(document, "object") or OBJECTS.get(name, "")
        named: Document = {"object": kind} if kind else {}
        return self._formed(kind, named | self._plain(document))

    def _formed(self, kind: str, shown: Document) -> Document:
        """Add the keys that an object of this kind always has, and remove the keys that it never has."""
        for name, unknown in ALWAYS.get(kind, {}).items():
            shown.setdefault(name, unknown)
        if kind in _WITH_VID:
            shown.setdefault("vid", self._store.digest(f"{kind}:{sorted(map(str, shown.items()))}"))
        elif kind == "Transaction" and shown.get("metadata") == {}:
            shown.pop("metadata")
        elif kind == "TransactionItem" and text(shown, "sku") != TOTAL_TAX and amount(shown, "price") == 0:
            for name in _OF_COST:
                shown.pop(name, None)
        for name in DAYS.get(kind, ()) + (("ends",) if "replaced_by" in shown else ()):
            if name in shown:
                shown[name] = f"{text(shown, name)[:10]}T00:00:00Z"
        for name in SPECIFIED.get(kind, ()) if self._published else ():
            shown.pop(name, None)
        return shown

    def _show_full(self, document: Document, shown: Document, *names: str) -> None:
        for name in names:
            target = self._store.follow(link(document, name))
            if target is not None:
                shown[name] = self.show(target)

    def account(self, document: Document, shown: Document) -> None:
        """Add the payment methods and the entitlements to an account."""
        owner = self._store["accounts"].link(document)
        methods = [self.show(method) for method in self._store["payment_methods"].referring("_account", owner)]
        is_child = self._published and document is self._response and "parent" in document
        if methods and not is_child:
            shown["payment_methods"] = envelope(methods)
        if self._published and isinstance(credit := shown.get("credit"), list):
            shown |= {"credit": credit[0]} if credit else {}
        held = self._store["subscriptions"].referring("account", owner)
        if any("discount_tickets" in item for one in held for item in documents(one, "items")):
            shown["discount_tickets"] = []
        granted = held_entitlements(self._store, owner, self._at)
        if granted:
            shown["entitlements"] = envelope(
                {name: right[name] for name in ("object", "id", "description") if name in right} for right in granted
            )

    def subscription(self, document: Document, shown: Document) -> None:
        """Add the account, payment method, plan, items, refunds, last bill, and next bill to a subscription."""
        self._show_full(document, shown, "account", "payment_method", "billing_plan")
        shown["items"] = envelope(self._item(item) for item in documents(document, "items"))
        charged = self._store["transactions"].referring("subscription", self._store["subscriptions"].link(document))
        billed = [one for one in charged if one.get("_payment") is not True]
        if self._changes or not self._published:
            shown["most_recent_billing"] = self.show(billed[-1]) if billed else None
        if billed:
            refunds = [self.show(refund) for refund in self._recent_refunds(billed)]
            if refunds:
                shown["most_recent_refunds"] = envelope(refunds)
        upcoming = _preview(self._store, document)
        if upcoming is not None:
            checked: Value = "No" if self._published else False
            unknown: Document = {"cvn_checked": checked, "cvn_code": None, "avs_code": None}
            shown["next_billing"] = self._nested("", upcoming) | unknown

    def _recent_refunds(self, billed: list[Document]) -> list[Document]:
        """Return the refunds that were created since the last bill, for all transactions of the subscription."""
        links = [self._store["transactions"].link(one) for one in billed]
        since = timestamp(billed[-1], "created") or self._at
        return [
            refund
            for refund in self._store["refunds"]
            if refund.get("transaction") in links and (timestamp(refund, "created") or self._at) >= since
        ]

    def _item(self, item: Document) -> Document:
        shown = self._plain(item)
        product = self._store.follow(link(item, "product"))
        if product is not None:
            shown["product"] = shown_product = self.show(product)
            self._show_full(product, shown_product, "default_billing_plan")
        return self._formed("SubscriptionItem", shown)

    def transaction(self, document: Document, shown: Document) -> None:
        """Add the account, the payment method, and the current status to a transaction."""
        self._show_full(document, shown, "account", "source_payment_method")
        newest = documents(document, "status_log")[:1]
        status = _TRANSACTION_STATUS.get(text(newest[0], "status")) if newest else None
        if status is not None:
            shown["status"] = status

    def payment_method(self, document: Document, shown: Document) -> None:
        """If the response is a payment method that wasn't validated, add `validation_status: null`."""
        if document is self._response and (self._changes or not self._published):
            shown.setdefault("validation_status", None)

    def entitlement(self, _document: Document, shown: Document) -> None:
        """Remove the vid of an entitlement, because entitlements in the published samples have no vid."""
        shown.pop("vid", None)

    def refund(self, document: Document, shown: Document) -> None:
        """Add the transaction to a refund."""
        self._show_full(document, shown, "transaction")

    def invoice(self, document: Document, shown: Document) -> None:
        """Add the payments to an invoice.

        Remove the invoice's vid, because invoices in the published samples have no vid.
        """
        shown.pop("vid")
        paid = self._store["transactions"].referring("_invoice", self._store["invoices"].link(document))
        shown["invoice_payments"] = envelope(self.show(one) for one in paid)


def _preview(store: Store, subscription: Document) -> Document | None:
    """Return the next charge of a subscription, which can be its first charge, or `None` if no charge is due."""
    due = timestamp(subscription, "_next") or timestamp(subscription, "_begins")
    plan = store.follow(link(subscription, "billing_plan")) or {}
    if due is None or period_at(plan, whole(subscription, "_cycle")) is None:
        return None
    lines = [
        {name: value for name, value in made.items() if name not in _OF_A_CHARGE}
        for made in charge_lines(store, subscription, due)
        if "subscription_item" in made or amount(made, "total") != ZERO
    ]
    return {
        "object": "Transaction",
        "created": start_of_day(due),
        "amount": total(lines),
        "currency": text(subscription, "currency"),
        "items": value_list(lines),
        "purchase_level_discount_tickets": [],
    }


# The specification documents only the values `Complete` and `Cancelled` of `Transaction.status`, and no value for an
# authorized transaction.
_TRANSACTION_STATUS = {"Captured": "Complete", "Refunded": "Complete", "Cancelled": "Cancelled"}

_COMPLETE: dict[str, Callable[[Presenter, Document, Document], None]] = {
    "Account": Presenter.account,
    "Entitlement": Presenter.entitlement,
    "Invoice": Presenter.invoice,
    "PaymentMethod": Presenter.payment_method,
    "Refund": Presenter.refund,
    "Subscription": Presenter.subscription,
    "Transaction": Presenter.transaction,
}
