"""Handlers for an account's children, credit, and entitlements.

The paths and request bodies for children, credit, and entitlements follow the published samples. In the published
samples, a child account still exists after the link to its parent is removed. The response to a request for an
account's credit is one `Credit` object, not a list. Revoking an entitlement returns no content, and checking an
entitlement returns a `Boolean`.

The published samples don't contain the responses to requests that add a child, grant credit, or grant an entitlement.
The sandbox assumes that adding a child returns the child, and that granting returns the `Credit` or the `Entitlement`.
The module `rules.credit` describes how bills use credit.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..http.call import PAGING, Call
from ..http.pages import cursor_page
from ..http.responses import Reply, billing_refusal
from ..http.router import all_or_nothing
from ..store import Store
from ..values import Document, Link, amount, documents, keys_of, link, nested, text, value_list
from .accounts import make_account, two_levels
from .resources import fresh, in_path, list_found, missing, referred, reply_with
from .rules.entitlements import entitlement_documents, held_entitlements


def list_children(call: Call) -> Reply:
    """List the children of an account."""
    found = children(call.store, in_path(call, "accounts", "account"))
    call.accept_query(*PAGING)
    return list_found(call, "accounts", found)


def children(store: Store, account: Document) -> list[Document]:
    """Return the children of an account."""
    return store["accounts"].referring("parent", store["accounts"].link(account))


def family(store: Store, account: Document, *, include_children: bool) -> list[Link]:
    """Return links to an account and, if `include_children` is set, to the children of the account."""
    members = [account, *(children(store, account) if include_children else ())]
    return [store["accounts"].link(member) for member in members]


def owners_asked(call: Call) -> list[Link] | None:
    """Return links to the accounts that the query selects, or `None` if the query doesn't contain `account`.

    If the query contains `include_children`, the result includes the children of the account.
    """
    key = call.key("account")
    if key is None:
        return None
    include_children, account = call.flag("include_children"), call.store["accounts"].find(key)
    return [] if account is None else family(call.store, account, include_children=include_children)


def of_owners(call: Call, name: str) -> list[Document]:
    """Return the documents of a collection that belong to the accounts in the query.

    The query parameters `account` and `include_children` select the accounts.
    """
    owners = owners_asked(call)
    return [one for one in call.store[name] if owners is None or link(one, "account") in owners]


def retrieve_child(call: Call) -> Reply:
    """Retrieve a child of an account."""
    return reply_with(call, _child(call))


def _child(call: Call) -> Document:
    account, child = in_path(call, "accounts", "account"), in_path(call, "accounts", "child")
    if child.get("parent") != call.store["accounts"].link(account):
        raise missing("Account")
    return child


@all_or_nothing
def add_child(call: Call) -> Reply:
    """Add a child to an account. If the child account doesn't exist, create it."""
    account = in_path(call, "accounts", "account")
    body = call.body("Account")
    named = nested(body, "parent")
    if named and call.store["accounts"].find(text(named, "vid") or text(named, "id")) is not account:
        raise billing_refusal(400, "Account.parent must name the account in the path.")
    key = text(body, "vid") or text(body, "id")
    found = call.store["accounts"].find(key) if key else None
    child = make_account(call, body) if found is None else found
    if child is account or link(account, "parent") is not None or children(call.store, child):
        raise two_levels()
    if link(child, "parent") not in (None, call.store["accounts"].link(account)):
        raise billing_refusal(400, "The account already has another parent; remove the account from that parent first.")
    child["parent"] = call.store["accounts"].link(account)
    return reply_with(call, child)


def remove_child(call: Call) -> Reply:
    """Remove the link between an account and its child."""
    _child(call).pop("parent")
    return Reply()


def read_credit(call: Call) -> Reply:
    """Return the credit of an account, or an empty `Credit` if the account has no credit."""
    account = in_path(call, "accounts", "account")
    credit = documents(account, "credit")
    return Reply(call.show(credit[0] if credit else {"object": "Credit"}))


def grant_credit(call: Call) -> Reply:
    """Grant credit to an account."""
    account = in_path(call, "accounts", "account")
    body = call.body("Credit")
    amounts, tokens = documents(body, "currency_amounts"), documents(body, "token_amounts")
    if not amounts and not tokens:
        raise billing_refusal(400, "A credit needs currency_amounts or token_amounts.")
    existing = documents(account, "credit")
    credit: Document = existing[0] if existing else {"object": "Credit"}
    add_credit(call, credit, body, account=call.store["accounts"].link(account))
    account["credit"] = [credit]
    return Reply(call.show(credit))


def add_credit(call: Call, credit: Document, sent: Document, **holder: Link) -> None:
    """Add the granted amounts to a `Credit`.

    `holder` is a link to the account or the subscription that owns the credit.
    """
    for name, granted in (
        ("currency_amounts", [_currency_amount(call, one, holder) for one in documents(sent, "currency_amounts")]),
        ("token_amounts", [_token_amount(call, one) for one in documents(sent, "token_amounts")]),
    ):
        if granted:
            credit[name] = value_list([*documents(credit, name), *granted])


def _currency_amount(call: Call, sent: Document, holder: Mapping[str, Link]) -> Document:
    if (amount(sent, "amount") or 0) <= 0 or not text(sent, "currency"):
        raise billing_refusal(400, "A currency amount needs a currency and a positive amount.")
    return {
        "object": "CurrencyAmount",
        **sent,
        "vid": call.store.new_vid("CurrencyAmount"),
        "granted": call.now,
        "granted_by_service": False,
        "source": "Account",
        **holder,
    }


def _token_amount(call: Call, sent: Document) -> Document:
    token = referred(call.store, "tokens", sent.get("token"))
    if token is None or (amount(sent, "amount") or 0) <= 0:
        raise billing_refusal(400, "A token amount needs an existing token and a positive amount.")
    shown: Document = {name: token[name] for name in ("object", "id", "vid", "description") if name in token}
    return {"object": "TokenAmount", **sent, "vid": call.store.new_vid("TokenAmount"), "token": shown}


def grant_entitlement(call: Call) -> Reply:
    """Grant an entitlement to an account."""
    account = in_path(call, "accounts", "account")
    body = call.body("Entitlement")
    if not text(body, "id"):
        raise billing_refusal(400, "Entitlement.id is required.")
    owner = call.store["accounts"].link(account)
    for grant in call.store["grants"].referring("account", owner):
        if grant["id"] == body["id"]:
            call.store["grants"].remove(text(grant, "vid"))
    fields: Document = {"starts": call.now, "active": True, **fresh(call, body), "account": owner}
    fields.pop("created")
    return reply_with(call, call.store.add("grants", fields))


def check_entitlement(call: Call) -> Reply:
    """Check whether an account has an entitlement."""
    account = in_path(call, "accounts", "account")
    owner = call.store["accounts"].link(account)
    held = held_entitlements(call.store, owner, call.now)
    return Reply({"object": "Boolean", "state": any(right["id"] == call.params["entitlement"] for right in held)})


def revoke_entitlement(call: Call) -> Reply:
    """Revoke an entitlement that was granted directly to an account."""
    account = in_path(call, "accounts", "account")
    for grant in call.store["grants"].referring("account", call.store["accounts"].link(account)):
        if call.params["entitlement"] in keys_of(grant):
            call.store["grants"].remove(text(grant, "vid"))
            return Reply()
    raise missing("Entitlement")


def retrieve_entitlement(call: Call) -> Reply:
    """Retrieve an entitlement by its ID.

    If several accounts have an entitlement with this ID, return the entitlement of the first account.
    """
    for account in call.store["accounts"]:
        for right in entitlement_documents(call.store, call.store["accounts"].link(account), call.now):
            if call.params["id"] in keys_of(right):
                return reply_with(call, right)
    raise missing("Entitlement")


def list_entitlements(call: Call) -> Reply:
    """List the entitlements of an account, or of all accounts."""
    call.accept_query(*PAGING, "account", "include_children", "show_all")
    owners = owners_asked(call)
    if owners is None:
        owners = [call.store["accounts"].link(account) for account in call.store["accounts"]]
    everything = call.flag("show_all")
    found: list[Document] = []
    for owner in owners:
        rights = entitlement_documents(call.store, owner, call.now)
        found += [right for right in rights if everything or right["active"] is True]
    order = call.store["rights"]
    for right in found:
        # The sandbox computes most entitlements from subscriptions, so they have no position in the store. Record
        # the order in which entitlements are first listed, so that cursors stay valid.
        order.put({"vid": right["vid"]})

    found.sort(key=lambda right: order.position(text(right, "vid")) or 0)
    return cursor_page(call, found, order, call.show, cursor="vid")
