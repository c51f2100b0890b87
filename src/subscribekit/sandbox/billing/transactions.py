"""Handlers for transactions and their refunds.

The specification says that `to_be_captured` decides whether the service only authorizes a transaction, or also captures
the transaction. Only a captured transaction can be refunded. A transaction can be refunded in any number of parts,
until the refunds add up to its amount.

In the published samples, the response to a new transaction contains only the statuses `New` and `Authorized`, even if
the request contains `to_be_captured`. In the published samples, `Captured` follows some minutes after the
authorization. A dry run of a transaction returns only the status `New`, and stores nothing. The response to a capture
is a reference to the transaction. A refund adds `Refunded` to the status log of a transaction. A cancellation with
`settle` adds the refund to the lines of the transaction. The status of a refund is first `Processing` and then
`Complete`.

The sandbox assumes that the service returns 402 and stores nothing if an authorization is declined. The sandbox assumes
that the service refunds the remaining amount if the request for a refund has no body. The request that cancels a
transaction is documented only in third-party code. The sandbox assumes that a transaction can be canceled until it's
captured, and that the response is the transaction.
"""

from __future__ import annotations

from decimal import Decimal

from ..http.call import PAGING, Call
from ..http.responses import Reply, billing_refusal
from ..http.router import all_or_nothing
from ..store import Store
from ..values import Document, Link, amount, documents, nested, read_boolean, text, value_list, whole
from .account_links import of_owners
from .accounts import make_account
from .payment_methods import method_for
from .resources import in_path, linked, list_found, listing, merge, refuse_duplicate, reply_with
from .rules.ledger import (
    capture_now,
    declines,
    ignored_checks,
    log_status,
    log_statuses,
    new_transaction,
    status_of,
)
from .rules.pricing import ZERO, line, reference_of, total
from .rules.tax import closed, rate_of

_REFUNDABLE = frozenset({"Captured", "Refunded"})
_OPEN = frozenset({"New", "Authorized", "AuthorizationPending"})


@listing("transactions", "account", "include_children", "subscription")
def list_transactions(call: Call) -> list[Document]:
    """List transactions, with optional filters by account (with or without its children) and by subscription."""
    return linked(call, of_owners(call, "transactions"), "subscription")


@all_or_nothing
def create(call: Call) -> Reply:
    """Authorize a transaction. If `to_be_captured` is true, also capture the transaction."""
    call.accept_query("dryrun")
    if call.flag("dryrun"):
        with call.store.trial():
            return reply_with(call, _make(call, dryrun=True))
    transaction = _make(call, dryrun=False)
    reply = reply_with(call, transaction)
    if transaction.get("to_be_captured") is True:
        log_statuses(call.store, transaction, ("Captured",), call.now, call.settings)
    return reply


def _make(call: Call, *, dryrun: bool) -> Document:
    body = call.body("Transaction")
    refuse_duplicate(call.store["transactions"], body)
    account = account_in(call, body)
    owner = call.store["accounts"].link(account)
    method = method_for(call, account, nested(body, "source_payment_method"))
    if method is None:
        raise billing_refusal(400, "A transaction needs a payment method.")
    lines = [_line(item) for item in documents(body, "items")]
    if lines:
        lines = closed(lines, rate_of(call.store, call.settings, body | {"account": owner}, method))
    charged = total(lines) if lines else amount(body, "amount")
    if charged is None or charged < 0:
        raise billing_refusal(400, "Transaction.amount must be zero or a positive number.")
    if declines(method) and not dryrun:
        raise billing_refusal(402, "The payment method could not be authorized.")
    transaction = new_transaction(
        call.store,
        call.now,
        call.settings,
        account=owner,
        method=method,
        amount=charged,
        currency=text(body, "currency") or text(account, "default_currency") or call.settings.currency,
        statuses=("New",) if dryrun else ("New", "Authorized"),
        items=lines,
        identifier=text(body, "id"),
        taxed_at=_address_of_order(body),
    )
    merge(transaction, body, leave=_HANDLED)
    if flags := ignored_checks(nested(body, "policy")):
        transaction["metadata"] = nested(transaction, "metadata") | flags
    return transaction


_HANDLED = (
    "account", "source_payment_method", "items", "amount", "currency", "policy", "status", "sales_tax_address",
)  # fmt: skip


def _address_of_order(body: Document) -> Document:
    """Return the address that the transaction shows as its `sales_tax_address`, or an empty document.

    The sandbox doesn't compute the tax from this address (`rules/tax.py`).
    """
    billed = nested(nested(body, "source_payment_method"), "billing_address")
    return nested(body, "sales_tax_address") or nested(body, "shipping_address") or billed


def account_in(call: Call, body: Document) -> Document:
    """Return the account that a body refers to. If the account doesn't exist, create it from the body."""
    sent = nested(body, "account")
    key = text(sent, "vid") or text(sent, "id")
    account = call.store["accounts"].find(key) if key else None
    if account is not None:
        return account
    if not set(sent) - {"object", "id", "vid"}:
        raise billing_refusal(404 if key else 400, "Account not found.")
    return make_account(call, sent)


def _line(sent: Document) -> Document:
    price, quantity = amount(sent, "price") or ZERO, amount(sent, "quantity")
    subtotal = price * (Decimal(1) if quantity is None else quantity)
    made = line(text(sent, "sku"), text(sent, "name"), price, 1) | sent
    made["quantity"] = Decimal(1) if quantity is None else quantity
    made["subtotal"] = subtotal
    made["total"] = subtotal + (amount(sent, "discount") or ZERO)
    return made


def capture(call: Call) -> Reply:
    """Capture an authorized transaction."""
    transaction = in_path(call, "transactions", "transaction")
    if status_of(transaction) != "Authorized":
        raise billing_refusal(400, "Only an authorized transaction can be captured.")
    call.store.uncaptured.pop(text(transaction, "vid"), None)
    log_status(transaction, "Captured", call.now)
    return Reply(reference_of(transaction))


def cancel(call: Call) -> Reply:
    """Cancel a transaction that isn't captured yet."""
    transaction = in_path(call, "transactions", "transaction")
    if status_of(transaction) not in _OPEN:
        raise billing_refusal(400, "Only a transaction that is not captured can be cancelled.")
    call.store.uncaptured.pop(text(transaction, "vid"), None)
    log_status(transaction, "Cancelled", call.now)
    return reply_with(call, transaction)


def list_refunds(call: Call) -> Reply:
    """List the refunds of a transaction."""
    found = refunds_of(call.store, in_path(call, "transactions", "transaction"))
    call.accept_query(*PAGING)
    return list_found(call, "refunds", found)


def refunds_of(store: Store, transaction: Document) -> list[Document]:
    """Return the refunds of a transaction."""
    return store["refunds"].referring("transaction", store["transactions"].link(transaction))


def refundable(store: Store, transaction: Document) -> Decimal:
    """Return the amount of a transaction that isn't refunded yet."""
    refunded = sum((amount(refund, "amount") or ZERO for refund in refunds_of(store, transaction)), ZERO)
    return (amount(transaction, "amount") or ZERO) - refunded


def create_refund(call: Call) -> Reply:
    """Refund a captured transaction."""
    transaction = in_path(call, "transactions", "transaction")
    body = call.body("Refund") if call.request.body else {}
    refuse_duplicate(call.store["refunds"], body)
    items = documents(body, "refund_items")
    _check_items(transaction, items, text(body, "refund_distribution_strategy"))
    requested = _requested(body, items) if call.request.body else refundable(call.store, transaction)
    if requested <= 0:
        raise billing_refusal(400, "Refund.amount must be a positive number." if body else "Nothing is left to refund.")
    currency = text(transaction, "currency")
    if text(body, "currency") not in {"", currency}:
        raise billing_refusal(400, "Refund.currency must be the currency of the transaction.")
    if status_of(transaction) not in _REFUNDABLE:
        raise billing_refusal(400, "Only a captured transaction can be refunded.")
    if requested > refundable(call.store, transaction):
        raise billing_refusal(400, "Refund.amount is larger than the amount that is not refunded yet.")
    refund = make_refund(call, transaction, requested, text(body, "id"))
    merge(refund, body, leave=("transaction", "amount", "currency", "status", "refund_items"))
    if items:
        refund["refund_items"] = value_list({"object": "RefundItem", **item} for item in items)
    return reply_with(call, refund)


def _requested(body: Document, items: list[Document]) -> Decimal:
    requested = amount(body, "amount")
    if requested is None:
        return sum((amount(item, "amount") or ZERO for item in items), ZERO)
    return requested


def make_refund(call: Call, transaction: Document, refunded: Decimal, identifier: str = "") -> Document:
    """Create a refund of a transaction."""
    refund = call.store.add(
        "refunds",
        {
            "id": identifier or call.store.new_id(),
            "created": call.now,
            "transaction": call.store["transactions"].link(transaction),
            "amount": refunded,
            "amount_includes_tax": True,
            "currency": text(transaction, "currency"),
            "refund_distribution_strategy": "None",
            "token_action": "None",
            "status": "Processing",
        },
    )
    log_status(transaction, "Refunded", call.now)
    return refund


def add_refund_to_lines(transaction: Document, refund: Document) -> None:
    """Add a summary of a refund to each transaction line that the refund affects."""
    for item in documents(refund, "refund_items"):
        for made in documents(transaction, "items"):
            if made.get("index_number") == item.get("transaction_item_index_number"):
                summary: Document = {"object": "TransactionItemRefundSummary", "created": refund["created"]}
                summary |= {"amount": item["amount"], "tax": ZERO, "tax_only": False, "refund": reference_of(refund)}
                made["item_refunds"] = value_list([*documents(made, "item_refunds"), summary])


def refund_subscription(call: Call, subscription: Link, owed: Decimal) -> list[Document]:
    """Refund an amount from the captured transactions of a subscription.

    Begin with the newest transaction, and stop when the whole amount is refunded.
    """
    made: list[Document] = []
    for transaction in reversed(call.store["transactions"].referring("subscription", subscription)):
        capture_now(call.store, transaction, call.now)
        if status_of(transaction) in _REFUNDABLE:
            share = min(owed, refundable(call.store, transaction))
            if share > 0:
                made.append(make_refund(call, transaction, share))
                owed -= share
    return made


def _check_items(transaction: Document, items: list[Document], strategy: str) -> None:
    if strategy == "SpecifiedItems" and not items:
        raise billing_refusal(400, "SpecifiedItems needs refund_items.")
    lines = documents(transaction, "items")
    for item in items:
        number, sku = whole(item, "transaction_item_index_number"), text(item, "sku")
        named = [one for one in lines if (number and one.get("index_number") == number) or (sku and one["sku"] == sku)]
        if len(named) != 1:
            raise billing_refusal(400, "A refund item must refer to exactly one item of the transaction.")
        if read_boolean(item.get("tax_only")) is not True and (amount(item, "amount") or ZERO) <= 0:
            raise billing_refusal(400, "A refund item needs a positive amount.")
