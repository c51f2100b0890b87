"""Handlers for payment methods, and functions that add payment methods to accounts.

In the published samples, a new payment method is active and primary. If the account already has a primary payment
method, a new payment method isn't primary unless the request sets `primary`. Responses mask the numbers of cards and
bank accounts. If the request doesn't set `policy.validate`, the payment method has no `validation_status`. To update a
payment method, published clients can also send a create request whose `vin_vid` is the vid of the existing payment
method.

The specification says that a payment method belongs to an account, and that only this account and its children can pay
with the payment method. If a request contains a masked number, the service ignores the number. The specification says
that an update changes only the object that the request addresses. A stored payment method changes only through its own
operations or, as in the published samples, through an update of its account. In the specification's sample, the status
of a validation is `New`.

The sandbox assumes that the service creates nothing and returns 402 if the validation of a payment method fails.
"""

from __future__ import annotations

from datetime import datetime

from ..http.call import Call
from ..http.responses import Reply, billing_refusal
from ..http.router import all_or_nothing
from ..store import Store
from ..values import Document, Link, link, nested, read_boolean, text
from .resources import in_path, linked, listing, merge, named, refuse_duplicate, reply_with
from .rules.ledger import SHOWN_BACK, declines, kept_card, masked, without_masked_numbers
from .rules.pricing import ZERO

_DETAILS = (
    "credit_card", "direct_debit", "paypal", "merchant_accepted_payment", "carrier_billing", "external_billing",
    "amazon", "apple_pay", "google_pay",
)  # fmt: skip


@listing("payment_methods", "account")
def list_methods(call: Call) -> list[Document]:
    """List payment methods."""
    return linked(call, call.store["payment_methods"], "account", "_account")


def create(call: Call) -> Reply:
    """Create a payment method without an account.

    If the body has a `vin_vid`, update the existing payment method with this vid.
    """
    body = call.body("PaymentMethod")
    if text(body, "vin_vid"):
        return _update_named(call)
    return reply_with(call, make_method(call.store, body, call.now, None))


@all_or_nothing
def _update_named(call: Call) -> Reply:
    body = call.body("PaymentMethod")
    method = named(call.store, "payment_methods", text(body, "vin_vid"))
    change_method(call.store, method, body, call.now)
    return reply_with(call, method)


@all_or_nothing
def update(call: Call) -> Reply:
    """Update a payment method. In a nested object, change only the fields that the body contains."""
    method = in_path(call, "payment_methods", "payment_method")
    change_method(call.store, method, call.body("PaymentMethod"), call.now)
    return reply_with(call, method)


def make_method(store: Store, body: Document, at: datetime, account: Link | None) -> Document:
    """Create a payment method and, if an account is given, add the payment method to the account."""
    refuse_duplicate(store["payment_methods"], body)
    body = without_masked_numbers(body)
    fields: Document = {"created": at}
    merge(fields, body, leave=("policy", "vin_vid"))
    if text(body, "id"):
        fields["id"] = text(body, "id")
    _keep_details(store, fields, body)
    fields.setdefault("active", True)
    primary = body.get("primary")
    fields["primary"] = primary if isinstance(primary, bool) else True
    _validate(fields, body, at)
    method = store.add("payment_methods", fields)
    if account is not None:
        attach(store, method, account, primary=primary is True)
    return method


def change_method(store: Store, method: Document, body: Document, at: datetime) -> None:
    """Apply the fields of an update to a payment method."""
    body = without_masked_numbers(body)
    merge(method, body, leave=("policy", "primary", "vin_vid", *_DETAILS))
    for name in _DETAILS:
        if name in body:
            method[name] = nested(method, name) | nested(body, name)
    _keep_details(store, method, body)
    _validate(method, body, at)
    owner = link(method, "_account")
    if body.get("primary") is True and owner is not None:
        make_primary(store, method, owner)
    elif isinstance(body.get("primary"), bool):
        method["primary"] = body["primary"]


def attach(store: Store, method: Document, account: Link, *, primary: bool) -> None:
    """Add a payment method to an account."""
    others = store["payment_methods"].referring("_account", account)
    method["_account"] = account
    if primary:
        make_primary(store, method, account)
    else:
        method["primary"] = not any(other.get("primary") is True for other in others)


def make_primary(store: Store, method: Document, account: Link) -> None:
    """Make a payment method the primary payment method of its account."""
    for other in store["payment_methods"].referring("_account", account):
        other["primary"] = other is method


def primary_of(store: Store, account: Document) -> Document | None:
    """Return the active primary payment method of an account or, if the account has none, of its parent.

    Return `None` if neither the account nor its parent has an active primary payment method.
    """
    for method in store["payment_methods"].referring("_account", store["accounts"].link(account)):
        if method.get("primary") is True and method.get("active") is not False:
            return method
    above = store.follow(link(account, "parent"))
    return None if above is None else primary_of(store, above)


def method_for(call: Call, account: Document, sent: Document) -> Document | None:
    """Return the payment method in the request or, if the request has none, the account's primary payment method."""
    if not sent:
        return primary_of(call.store, account)
    return account_body(call.store, call.store["accounts"].link(account), sent, call.now)


def account_body(store: Store, account: Link, body: Document, at: datetime, *, changes: bool = False) -> Document:
    """Find or create the payment method that a nested body describes.

    If `changes` is set, also update an existing payment method with the fields of the body.
    """
    key = text(body, "vid") or text(body, "id")
    method = store["payment_methods"].find(key) if key else None
    if method is None:
        if not set(body) - {"object", "id", "vid"}:
            raise billing_refusal(404, "PaymentMethod not found.")
        return make_method(store, body, at, account)
    owner = method.get("_account")
    if owner is None:
        attach(store, method, account, primary=body.get("primary") is True)
    elif owner not in (account, (store.follow(account) or {}).get("parent")):
        raise billing_refusal(400, "PaymentMethod belongs to another account.")
    if owner is None or changes:
        change_method(store, method, body, at)
    return method


def _keep_details(store: Store, fields: Document, body: Document) -> None:
    card = nested(fields, "credit_card")
    if text(nested(body, "credit_card"), "account"):
        card |= kept_card(store, text(card, "account"))
    card.pop("cvn", None)
    debit = nested(fields, "direct_debit")
    if number := text(nested(body, "direct_debit"), "account"):
        shown: Document = {"last_digits": number[-SHOWN_BACK:], "account_length": len(number)}
        debit |= {"_account": number, "account": masked(number, 0), **shown}
    cash = nested(fields, "merchant_accepted_payment")
    if cash:
        cash.setdefault("amount", ZERO)
        cash.setdefault("created", fields["created"])
        if number := text(nested(body, "merchant_accepted_payment"), "account"):
            cash |= {"account": masked(number, 0), "last_digits": number[-SHOWN_BACK:]}


def _validate(fields: Document, body: Document, at: datetime) -> None:
    if read_boolean(nested(body, "policy").get("validate")) is not True:
        return
    if declines(fields):
        raise billing_refusal(402, "The payment method could not be validated.")
    fields["validation_status"] = {
        "object": "TransactionStatus",
        "status": "New",
        "created": at,
        "payment_method_type": text(fields, "type") or None,
    }
