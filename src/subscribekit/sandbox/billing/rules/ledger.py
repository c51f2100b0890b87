"""Making transactions and moving them through their status log; what is kept of a card, and when one is refused.

Observed: the log is newest first; sequences New-Authorized-Captured, New-Captured, New-Authorized-Cancelled, and
Refunded after Captured; ids with the merchant's prefix; the codes of the test processor; a score of -1, which stands
for none; the address of the tax in capitals. Specified: a capture is immediate; observed: it comes minutes after the
authorization. Assumed: the division number. The card number `4000000000000002` is the sandbox's own way
to see a refused authorization.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from ...settings import Settings
from ...store import Store
from ...values import Document, Link, Value, copied, documents, link, nested, read_boolean, text, value_list

DECLINED_CARD = "4000000000000002"
SHOWN_FRONT = 6
SHOWN_BACK = 4
DIVISION = "000001"
_CODES = {"CreditCard": "T00", "PayPal": "000"}
_STATUS_OBJECTS = {
    "CreditCard": ("credit_card_status", "TransactionStatusCreditCard"),
    "DirectDebit": ("direct_debit_status", "TransactionStatusDirectDebit"),
    "PayPal": ("paypal_status", "TransactionStatusPayPal"),
}
_PROCESSORS = {"PayPal": "PayPal", "MerchantAcceptedPayment": "Vindicia"}


def log_status(transaction: Document, status: str, at: datetime) -> None:
    """Put a new status at the head of a transaction's log."""
    kind = text(transaction, "_method_type")
    entry: Document = {"object": "TransactionStatus", "status": status, "created": at}
    entry["payment_method_type"] = kind or None
    code = _CODES.get(kind, "VIN_900")
    if kind in _STATUS_OBJECTS:
        name, object_name = _STATUS_OBJECTS[kind]
        details: Document = {"object": object_name}
        if kind in _CODES:
            details["auth_code"] = code
        if kind == "PayPal":
            details["token"] = f"EC-{text(transaction, 'vid')[:17].upper()}"
        entry[name] = details
    if status in {"Authorized", "AuthorizationPending"}:
        entry["note"] = f"{code} - NA"
    elif status == "Captured":
        entry["note"] = code
    transaction["status_log"] = value_list([entry, *documents(transaction, "status_log")])


def log_statuses(
    store: Store, transaction: Document, statuses: Sequence[str], at: datetime, settings: Settings
) -> None:
    """Log the statuses of a payment, oldest first; in published responses the capture of a method comes later."""
    for status in statuses:
        if status == "Captured" and settings.published and status_of(transaction) == "Authorized":
            store.uncaptured[text(transaction, "vid")] = at + settings.capture_time
        else:
            log_status(transaction, status, at)


def capture_now(store: Store, transaction: Document, at: datetime) -> None:
    """Capture a transaction whose capture is under way."""
    if store.uncaptured.pop(text(transaction, "vid"), None) is not None:
        log_status(transaction, "Captured", at)


def status_of(transaction: Document) -> str:
    """Return the newest status of a transaction."""
    log = documents(transaction, "status_log")
    return text(log[0], "status") if log else ""


def new_transaction(
    store: Store,
    at: datetime,
    settings: Settings,
    *,
    account: Link,
    method: Document | None,
    amount: Decimal,
    currency: str,
    statuses: Sequence[str],
    items: Sequence[Document] = (),
    subscription: Link | None = None,
    identifier: str = "",
    taxed_at: Document | None = None,
    also: Document | None = None,
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
        "score": -1,
        "score_codes": [],
        "cvn_checked": False,
        **(also or {}),
        **more,
    }
    owner = store.follow(account) or {}
    if nested(owner, "shipping_address"):
        fields.setdefault("shipping_address", copied(nested(owner, "shipping_address")))
    if address := taxed_at or tax_address(store, account, method):
        told: Document = {key: value for key, value in address.items() if key != "vid"}
        fields["sales_tax_address"] = told | {"city": text(address, "city").upper() or None}
    if subscription is not None:
        fields["subscription"] = subscription
    if method is not None:
        fields["source_payment_method"] = store["payment_methods"].link(method)
        fields["_method_type"] = text(method, "type")
        fields["payment_processor"] = processor_of(method)
        fields["payment_processor_transaction_id"] = fields["id"]
    transaction = store.add("transactions", fields)
    log_statuses(store, transaction, statuses, at, settings)
    return transaction


def processor_of(method: Document) -> str:
    """Return the name of the processor that a payment method is charged by."""
    return _PROCESSORS.get(text(method, "type"), "Test")


def ignored_checks(policy: Document) -> Document:
    """Return the metadata that say which checks of a card the policy of a request leaves out (published)."""
    checks = {"vin:ignoreAvsPolicy": "ignore_avs_policy", "vin:ignoreCvnPolicy": "ignore_cvn_policy"}
    return {key: "1" for key, name in checks.items() if read_boolean(policy.get(name)) is True}


def tax_address(store: Store, account: Link, method: Document | None) -> Document:
    """Return the address that tax goes by: where it is shipped to, or else where the method is billed."""
    owner = store.follow(account) or {}
    return nested(owner, "shipping_address") or nested(method or {}, "billing_address")


def declines(method: Document | None) -> bool:
    """Tell whether the sandbox refuses to authorize a payment method."""
    return method is not None and text(nested(method, "credit_card"), "_account") == DECLINED_CARD


def kept_card(store: Store, number: str) -> Document:
    """Return what is kept of the number of a card."""
    return {
        "vid": store.digest(f"card:{number}"),
        "account": masked(number, SHOWN_FRONT),
        "_account": number,
        "bin": number[:SHOWN_FRONT],
        "last_digits": number[-SHOWN_BACK:],
        "account_length": len(number),
        "hash_type": "sha1",
    }


def masked(number: str, front: int) -> str:
    """Mask a number but for its last four characters, and for its first ones when it is a card."""
    hidden = max(len(number) - front - SHOWN_BACK, 0)
    return number[:front] + "X" * hidden + number[front + hidden :]


def without_masked_numbers(method: Document) -> Document:
    """Leave the masked numbers out of a payment method that is sent: the service ignores them."""
    tests = {"credit_card": _is_masked, "direct_debit": _is_masked, "merchant_accepted_payment": _is_masked_account}
    told = dict(method)
    for name, is_hidden in tests.items():
        details = nested(method, name)
        if is_hidden(text(details, "account")):
            told[name] = {key: value for key, value in details.items() if key != "account"}
    return told


def _is_masked(number: str) -> bool:
    """Tell whether a card or bank number is masked. The bank code of an IBAN may have an `X` of its own."""
    hidden = len(re.findall(r"[Xx*]", number))
    return hidden > 1 or (hidden == 1 and not re.match(r"[A-Z]{2}\d\d", number))


def _is_masked_account(account: str) -> bool:
    return re.fullmatch(r"[Xx*]+.{0,4}", account) is not None


def method_of(store: Store, document: Document) -> Document | None:
    """Return the payment method of a subscription or transaction."""
    return store.follow(link(document, "payment_method") or link(document, "source_payment_method"))
