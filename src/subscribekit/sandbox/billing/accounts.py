"""Handlers for accounts: the list (E3), and the published operations to create, retrieve, and update an account.

The specification defines the filters of the account list (E3), but not the wire names of the filters by card number,
bank account number, and other payment details. The sandbox defines its own wire names for the filters by payment
details.

The published samples document partial updates of accounts, and payment methods in the body of an account. The published
samples also document the four query parameters of an account update. In the published samples, an account that was
created without an `email_type` has the `email_type` `html`.

The sandbox assumes that `created_after` and `created_before` exclude the given timestamp. The sandbox assumes that
`update_behavior=CatchUp` retries the account's failed bills. The sandbox also assumes that the body of a new account
can contain a `parent`.
"""

from __future__ import annotations

from ..http.call import Call
from ..http.responses import Refused, Reply, billing_refusal
from ..http.router import all_or_nothing
from ..store import Store
from ..values import Document, Link, documents, keys_of, link, nested, text, timestamp
from .payment_methods import account_body
from .resources import fresh, in_path, listing, merge, referred, refuse_duplicate, reply_with
from .rules.cycle import retry

_DETAILS = {
    "boleto_fiscal_number": ("boleto", "_fiscal_number"),
    "carrier_billing_encoded_phone_number": ("carrier_billing", "encoded_phone_number"),
    "credit_card_account": ("credit_card", "_account"),
    "direct_debit_account": ("direct_debit", "_account"),
}
_PHONE = "carrier_billing_phone_number"

_DERIVED = ("payment_methods", "entitlements", "credit", "parent")
_UPDATE_BEHAVIORS = frozenset({"Update", "Validate", "CatchUp"})


@listing("accounts", "email", "created_after", "created_before", "payment_method", *_DETAILS, _PHONE)
def list_accounts(call: Call) -> list[Document]:
    """List accounts (E3)."""
    return [account for account in call.store["accounts"] if _matches_filters(call, account)]


def create(call: Call) -> Reply:
    """Create an account."""
    body = call.body("Account")
    if not documents(body, "payment_methods"):
        return reply_with(call, make_account(call, body))
    return _create_with_methods(call)


@all_or_nothing
def _create_with_methods(call: Call) -> Reply:
    return reply_with(call, make_account(call, call.body("Account")))


def make_account(call: Call, body: Document) -> Document:
    """Create an account with the payment methods in the body."""
    accounts = call.store["accounts"]
    refuse_duplicate(accounts, body)
    _refuse_external_duplicate(call.store, body, None)
    fields = fresh(call, {name: value for name, value in body.items() if name not in _DERIVED})
    parent = referred(call.store, "accounts", body.get("parent"))
    if parent is not None and link(parent, "parent") is not None:
        raise two_levels()
    account = call.store.add("accounts", {**fields, "email_type": fields.get("email_type", "html")})
    if parent is not None:
        account["parent"] = accounts.link(parent)
    for method in documents(body, "payment_methods"):
        account_body(call.store, accounts.link(account), method, call.now)
    return account


def two_levels() -> Refused:
    """Return the error response for a request that would create a third level of accounts."""
    return billing_refusal(400, "Accounts have only two levels, so a child account cannot be a parent.")


@all_or_nothing
def update(call: Call) -> Reply:
    """Update an account and the payment methods in the body."""
    call.accept_query("update_behavior", "replace_on_all_subscriptions", "ignore_avs", "ignore_cvn")
    behavior = call.query.get("update_behavior")
    if behavior is not None and behavior not in _UPDATE_BEHAVIORS:
        raise billing_refusal(400, "update_behavior must be one of Update, Validate, CatchUp.")
    replace = call.flag("replace_on_all_subscriptions")
    for name in ("ignore_avs", "ignore_cvn"):
        call.flag(name)
    account = in_path(call, "accounts", "account")
    body = call.body("Account")
    _refuse_external_duplicate(call.store, body, account)
    merge(account, body, leave=_DERIVED)
    owner = call.store["accounts"].link(account)
    for sent in documents(body, "payment_methods"):
        method = account_body(call.store, owner, sent, call.now, changes=True)
        if replace:
            _use_everywhere(call.store, owner, method)
    if behavior == "CatchUp":
        _catch_up(call, owner)
    return reply_with(call, account)


def _use_everywhere(store: Store, account: Link, method: Document) -> None:
    for subscription in store["subscriptions"].referring("account", account):
        subscription["payment_method"] = store["payment_methods"].link(method)


def _catch_up(call: Call, account: Link) -> None:
    for subscription in call.store["subscriptions"].referring("account", account):
        if text(subscription, "billing_state") == "In Retry":
            retry(call.store, subscription, call.now, call.settings)


def _refuse_external_duplicate(store: Store, body: Document, account: Document | None) -> None:
    external = text(body, "external_id")
    if external and any(text(one, "external_id") == external and one is not account for one in store["accounts"]):
        raise billing_refusal(400, "An account with this external_id already exists.")


def _matches_filters(call: Call, account: Document) -> bool:
    after, before = call.timestamp("created_after"), call.timestamp("created_before")
    created = timestamp(account, "created") or call.now
    if (after is not None and created <= after) or (before is not None and created >= before):
        return False
    email = call.query.get("email")
    if email is not None and text(account, "email") != email:
        return False
    return _has_matching_method(call, account)


def _has_matching_method(call: Call, account: Document) -> bool:
    methods = call.store["payment_methods"].referring("_account", call.store["accounts"].link(account))

    key = call.key("payment_method")
    if key is not None and not any(key in keys_of(method) for method in methods):
        return False
    for name, (kind, detail) in _DETAILS.items():
        value = call.query.get(name)
        if value is not None and not _is_among(value, [text(nested(method, kind), detail) for method in methods]):
            return False
    phone = call.query.get(_PHONE)
    return phone is None or _is_among(_digits(phone), [_phone_digits(method) for method in methods])


def _is_among(value: str, values: list[str]) -> bool:
    """Return whether a list contains a value.

    The result for an empty value is `False`, because an empty string in the list stands for a missing field.
    """
    return value != "" and value in values


def _phone_digits(method: Document) -> str:
    number = nested(nested(method, "carrier_billing"), "phone_number")
    return _digits("".join(text(number, name) for name in ("country_code", "area_code", "local_number")))


def _digits(value: str) -> str:
    return "".join(character for character in value if character.isdigit())
