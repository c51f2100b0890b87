"""Handlers for payments: the reversal (E1), and the published operation to create a payment.

The specification says that a payment creates a transaction. The specification says that you can reverse a payment only
if the create-payment call created the payment with a Merchant Accepted Payment method. A reversal sets the status of
the payment to `Failure`, and the status of its transaction to `Cancelled`.

The published samples contain the body of the create request, where `subscription` and `invoice` are strings. The
payment status `Success` is documented only for the platform's SOAP interface.

The sandbox assumes that the response to creating or reversing a payment is the payment. If a payment is reversed again,
the sandbox returns the payment unchanged.
"""

from __future__ import annotations

from decimal import Decimal

from ..http.call import Call
from ..http.responses import Reply, billing_refusal
from ..store import Store
from ..values import Document, amount, link, text
from .resources import fresh, in_path, named, referred, refuse_duplicate, reply_with
from .rules.cycle import PAID
from .rules.ledger import declines, log_status, new_transaction
from .rules.pricing import ZERO

MERCHANT_ACCEPTED = "MerchantAcceptedPayment"


def reverse(call: Call) -> Reply:
    """Reverse a payment (E1)."""
    payment = in_path(call, "payments", "payment")
    method = call.store.follow(link(payment, "payment_method")) or {}
    if text(method, "type") != MERCHANT_ACCEPTED:
        raise billing_refusal(400, "Only payments made with a Merchant Accepted Payment method can be reversed.")
    if text(payment, "status") != "Failure":
        payment["status"] = "Failure"
        transaction = call.store.follow(link(payment, "_transaction"))
        if transaction is not None:
            call.store.uncaptured.pop(text(transaction, "vid"), None)
            log_status(transaction, "Cancelled", call.now)
        _update_balances(call.store, payment, reversal=True)
    return reply_with(call, payment)


def create(call: Call) -> Reply:
    """Create a payment for a subscription, an invoice, or an account."""
    body = call.body("Payment")
    collection = call.store["payments"]
    refuse_duplicate(collection, body)
    paid = amount(body, "amount")
    if paid is None or paid <= 0:
        raise billing_refusal(400, "Payment.amount must be a positive number.")
    method = referred(call.store, "payment_methods", body.get("payment_method"))
    account = referred(call.store, "accounts", body.get("account"))
    subscription = _named(call.store, "subscriptions", text(body, "subscription"))
    invoice = _named(call.store, "invoices", text(body, "invoice"))
    if account is None and subscription is not None:
        account = call.store.follow(link(subscription, "account"))
    if account is None or method is None:
        raise billing_refusal(400, "A payment needs a payment method, and an account or a subscription.")
    fields = fresh(call, body)
    fields["account"] = call.store["accounts"].link(account)
    fields["payment_method"] = call.store["payment_methods"].link(method)
    fields["status"] = "Failure" if declines(method) else "Success"
    payment = call.store.add("payments", {"id": call.store.new_id(), **fields})
    transaction = _transact(call, payment, account, method, subscription)
    if text(payment, "status") == "Success":
        _update_balances(call.store, payment, reversal=False)
    if invoice is not None:
        transaction["_invoice"] = call.store["invoices"].link(invoice)
    return reply_with(call, payment)


def _transact(
    call: Call, payment: Document, account: Document, method: Document, subscription: Document | None
) -> Document:
    """Create the transaction of a payment.

    For a Merchant Accepted Payment, the transaction is captured without an authorization.
    """
    statuses = ("New", "Captured") if text(method, "type") == MERCHANT_ACCEPTED else PAID
    transaction = new_transaction(
        call.store,
        call.now,
        call.settings,
        account=call.store["accounts"].link(account),
        method=method,
        amount=amount(payment, "amount") or ZERO,
        currency=text(payment, "currency") or text(account, "default_currency") or call.settings.currency,
        statuses=("New", "Cancelled") if declines(method) else statuses,
        subscription=None if subscription is None else call.store["subscriptions"].link(subscription),
        _payment=True,
    )
    payment["_transaction"] = call.store["transactions"].link(transaction)
    return transaction


def _update_balances(store: Store, payment: Document, *, reversal: bool) -> None:
    """Subtract a payment from the balances of its invoice and its subscription, or add it again if it was reversed."""
    paid = (amount(payment, "amount") or ZERO) * (-1 if reversal else 1)
    invoice = _named(store, "invoices", text(payment, "invoice"))
    if invoice is not None:
        _add(invoice, "invoice_balance", -paid)
        _add(invoice, "payments_received_total", paid)
        if (amount(invoice, "invoice_balance") or ZERO) <= 0:
            invoice["status"] = "Paid"
        elif reversal:
            invoice["status"] = "Due"
    subscription = _named(store, "subscriptions", text(payment, "subscription"))
    if subscription is not None:
        _add(subscription, "balance", -paid)


def _named(store: Store, name: str, key: str) -> Document | None:
    return named(store, name, key) if key else None


def _add(document: Document, name: str, change: Decimal) -> None:
    document[name] = (amount(document, name) or ZERO) + change
