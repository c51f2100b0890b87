"""The handler of the storefront's operation on payment methods (E11).

The specification defines the flags `primary` and `active` of a payment method, and the shape of the response.

The sandbox assumes that the storefront returns the payment methods of the billing account. The sandbox also assumes
that only one payment method of an account can be primary. If a request leaves out a flag, the flag doesn't change.
Errors of the storefront have the same shape as errors of the gateway.
"""

from __future__ import annotations

import re

from .http.call import Call
from .http.responses import Reply, coded_refusal, invalid, present
from .store import Store
from .values import Document, Link, Value, nested, show_timestamp, text, timestamp

MAX_TEXT = 1024


def update_payment_method(call: Call) -> Reply:
    """Update the flags of a payment method of an account (E11)."""
    call.check_trace()
    body = call.fields()
    key = body.get("paymentMethodId")
    if not isinstance(key, str) or not 1 <= len(key) <= MAX_TEXT:
        raise invalid("paymentMethodId", "must be a string")
    for name in ("primary", "active"):
        if body.get(name) is not None and not isinstance(body[name], bool):
            raise invalid(name, "must be a boolean")
    account = present(call.store["accounts"].find(call.params["id"]), "account")
    owner = call.store["accounts"].link(account)
    method = call.store["payment_methods"].find(key)
    if method is None or method.get("_account") != owner:
        raise coded_refusal("not-found", "payment method not found")
    set_flags(call.store, owner, method, body)
    return Reply(storefront_method(method, call.show(method)))


def set_flags(store: Store, account: Link, method: Document, flags: Document) -> None:
    """Set the flags of a payment method as in a request. A new primary payment method replaces the old one."""
    if flags.get("primary") is True:
        for other in store["payment_methods"].referring("_account", account):
            other["primary"] = False
    for name in ("primary", "active"):
        if isinstance(flags.get(name), bool):
            method[name] = flags[name]


def storefront_method(method: Document, shown: Document) -> Document:
    """Convert a payment method from the shape of the billing API to the shape of the storefront."""
    created = timestamp(method, "created")
    view: Document = {
        "id": text(method, "id") or text(method, "vid"),
        "createdDate": None if created is None else show_timestamp(created),
        "type": text(method, "type"),
        "currency": shown.get("currency"),
        "primary": method.get("primary") is True,
        "active": method.get("active") is not False,
        "metadata": shown.get("metadata"),
        **_kind(shown),
    }
    return {name: value for name, value in view.items() if value is not None}


def _kind(shown: Document) -> Document:
    card, cash, external = (
        nested(shown, name) for name in ("credit_card", "merchant_accepted_payment", "external_billing")
    )
    view: dict[str, Value] = {}
    if card and text(shown, "type") == "DebitCard":
        view["debitCard"] = {"lastDigits": card.get("last_digits")}
    elif card:
        view["creditCard"] = {"lastDigits": card.get("last_digits"), "expirationDate": card.get("expiration_date")}
    if cash:
        view["merchantAcceptedPayment"] = _camel(cash, "amount currency created payment_type account last_digits")
    if external:
        view["externalBilling"] = _camel(external, "bill_receiver payment_channel financial_account")
    if nested(shown, "carrier_billing"):
        # In `carrierBilling`, the storefront uses the snake_case names of the billing API, as the specification says.
        view["carrierBilling"] = nested(shown, "carrier_billing")
    return view


def _camel(source: Document, names: str) -> Document:
    """Return the fields that have a value, with their names converted to camelCase."""
    present = {name: source[name] for name in names.split() if source.get(name) is not None}
    return {re.sub("_(.)", lambda found: found[1].upper(), name): value for name, value in present.items()}
