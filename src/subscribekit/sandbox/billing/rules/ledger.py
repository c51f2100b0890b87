"""Creates transactions, writes their status log, and masks the numbers of cards and bank accounts.

In the published samples, the newest entry of a status log is the first entry. In the published samples, a status log
contains, from oldest to newest, `New`, `Authorized`, and `Captured`; `New` and `Captured`; or `New`, `Authorized`, and
`Cancelled`. In a status log, `Refunded` follows `Captured`. The published samples also contain IDs with the merchant's
prefix, and the codes of the test processor. In the published samples, a missing score is -1, and the city of the tax
address is in capital letters.

According to the specification, the service captures a charge immediately. In the published samples, the service
captures a charge some minutes after the authorization. The sandbox assumes the division number of a transaction,
because no source documents the number. The sandbox always declines the card number `4000000000000002`.
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
    """Add a status to a transaction's log as the newest entry."""
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
    """Add the statuses of a charge to its log, oldest first.

    If the setting `responses` is `"published"`, schedule the capture of an authorized charge for later.
    """
    for status in statuses:
        if status == "Captured" and settings.published and status_of(transaction) == "Authorized":
            store.uncaptured[text(transaction, "vid")] = at + settings.capture_time
        else:
            log_status(transaction, status, at)


def capture_now(store: Store, transaction: Document, at: datetime) -> None:
    """Capture a transaction now, if its capture is scheduled for later."""
    if store.uncaptured.pop(text(transaction, "vid"), None) is not None:
        log_status(transaction, "Captured", at)


def status_of(transaction: Document) -> str:
    """Return the newest status of a transaction, or an empty string."""
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
    """Create and store a transaction. `statuses` contains the transaction's statuses from the oldest to the newest."""
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
        shown: Document = {key: value for key, value in address.items() if key != "vid"}
        fields["sales_tax_address"] = shown | {"city": text(address, "city").upper() or None}
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
    """Return the name of the processor that charges a payment method."""
    return _PROCESSORS.get(text(method, "type"), "Test")


def ignored_checks(policy: Document) -> Document:
    """Return the metadata keys of the card checks that a policy turns off, as in the published samples."""
    checks = {"vin:ignoreAvsPolicy": "ignore_avs_policy", "vin:ignoreCvnPolicy": "ignore_cvn_policy"}
    return {key: "1" for key, name in checks.items() if read_boolean(policy.get(name)) is True}


def tax_address(store: Store, account: Link, method: Document | None) -> Document:
    """Return the address that determines the tax.

    The shipping address of the account takes precedence over the billing address of the payment method.
    """
    owner = store.follow(account) or {}
    return nested(owner, "shipping_address") or nested(method or {}, "billing_address")


def declines(method: Document | None) -> bool:
    """Return whether the sandbox declines charges to a payment method."""
    return method is not None and text(nested(method, "credit_card"), "_account") == DECLINED_CARD


def kept_card(store: Store, number: str) -> Document:
    """Return the fields that the sandbox stores for a card number."""
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
    """Mask all characters of a number except the first `front` characters and the last four."""
    hidden = max(len(number) - front - SHOWN_BACK, 0)
    return number[:front] + "X" * hidden + number[front + hidden :]


def without_masked_numbers(method: Document) -> Document:
    """Return the payment method of a request without the masked numbers, which the service ignores."""
    tests = {"credit_card": _is_masked, "direct_debit": _is_masked, "merchant_accepted_payment": _is_masked_account}
    cleaned = dict(method)
    for name, is_hidden in tests.items():
        details = nested(method, name)
        if is_hidden(text(details, "account")):
            cleaned[name] = {key: value for key, value in details.items() if key != "account"}
    return cleaned


def _is_masked(number: str) -> bool:
    """Return whether the number of a card or bank account is masked.

    An IBAN that contains only one `X` isn't masked.
    """
    hidden = len(re.findall(r"[Xx*]", number))
    return hidden > 1 or (hidden == 1 and not re.match(r"[A-Z]{2}\d\d", number))


def _is_masked_account(account: str) -> bool:
    return re.fullmatch(r"[Xx*]+.{0,4}", account) is not None


def method_of(store: Store, document: Document) -> Document | None:
    """Return the payment method of a subscription or transaction."""
    return store.follow(link(document, "payment_method") or link(document, "source_payment_method"))
