"""Making transactions and moving them through their status log.

Observed: the log is newest first; sequences New-Authorized-Captured, New-Captured, New-Authorized-Cancelled, and
Refunded after Captured; ids with the merchant's prefix. The card number `4000000000000002` is the sandbox's own way
to see a refused authorization.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from ...store import Store
from ...values import Document, Link, Value, documents, link, nested, text, value_list

DECLINED_CARD = "4000000000000002"


def log_status(transaction: Document, status: str, at: datetime, **details: Value) -> None:
    """Put a new status at the head of a transaction's log."""
    entry: Document = {
        "object": "TransactionStatus",
        "status": status,
        "created": at,
        "payment_method_type": text(transaction, "_method_type") or None,
        **details,
    }
    transaction["status_log"] = value_list([entry, *documents(transaction, "status_log")])


def status_of(transaction: Document) -> str:
    """Return the newest status of a transaction."""
    log = documents(transaction, "status_log")
    return text(log[0], "status") if log else ""


def new_transaction(
    store: Store,
    at: datetime,
    *,
    account: Link,
    method: Document | None,
    amount: Decimal,
    currency: str,
    statuses: Sequence[str],
    items: Sequence[Document] = (),
    subscription: Link | None = None,
    identifier: str = "",
    **more: Value,
) -> Document:
    """Make and keep a transaction that went through the statuses, oldest first."""
    fields: Document = {
        "id": identifier or store.new_id(),
        "created": at,
        "amount": amount,
        "currency": currency,
        "account": account,
        "items": value_list(items),
        "billing_attempt": 0,
        **more,
    }
    if subscription is not None:
        fields["subscription"] = subscription
    if method is not None:
        fields["source_payment_method"] = store["payment_methods"].link(method)
        fields["_method_type"] = text(method, "type")
        fields["payment_processor"] = "Test"
    transaction = store.add("transactions", fields)
    for status in statuses:
        log_status(transaction, status, at)
    return transaction


def declines(method: Document | None) -> bool:
    """Tell whether the sandbox refuses to authorize a payment method."""
    return method is not None and text(nested(method, "credit_card"), "_account") == DECLINED_CARD


def method_of(store: Store, document: Document) -> Document | None:
    """Return the payment method of a subscription or transaction."""
    return store.follow(link(document, "payment_method") or link(document, "source_payment_method"))
