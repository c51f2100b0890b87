"""Determines the entitlements of an account: those granted directly, and those from its subscriptions.

In the published samples, an entitlement in a list has the fields `account`, `subscription`, `subscription_item`,
`product` or `billing_plan`, `starts`, `ends`, and `active`. In the published samples, the `ends` of an entitlement
includes the grace period. A subscription grants entitlements only if its status is `Active`, `Pending Cancel`, or
`Processing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ...store import Store
from ...values import Document, Link, documents, is_within, link, text
from .pricing import reference_of

_SERVING = frozenset({"Active", "Pending Cancel", "Processing"})


def entitlement_documents(store: Store, account: Link | None, at: datetime) -> Iterator[Document]:
    """Yield the active and inactive entitlements of an account, or of all accounts if `account` is `None`."""
    grants, subscriptions = store["grants"], store["subscriptions"]
    for grant in grants if account is None else grants.referring("account", account):
        yield {**grant, "active": grant.get("active") is not False and is_within(grant, at)}
    for subscription in subscriptions if account is None else subscriptions.referring("account", account):
        for right in _of_subscription(store, subscription):
            yield {**right, "active": text(subscription, "status") in _SERVING and is_within(right, at)}


def held_entitlements(store: Store, account: Link | None, at: datetime) -> list[Document]:
    """Return the active entitlements of an account or, if `account` is `None`, of all accounts."""
    return [right for right in entitlement_documents(store, account, at) if right["active"] is True]


def _of_subscription(store: Store, subscription: Document) -> Iterator[Document]:
    planned = link(subscription, "billing_plan")
    for right in documents(store.follow(planned) or {}, "entitlements"):
        yield _derived(store, subscription, right, "billing_plan", planned)
    for item in documents(subscription, "items"):
        product = link(item, "product")
        for right in documents(store.follow(product) or {}, "entitlements"):
            made = _derived(store, subscription, right, "product", product, text(item, "vid"))
            made["subscription_item"] = reference_of(item)
            yield made


def _derived(
    store: Store, subscription: Document, right: Document, source: str, origin: Link | None, item: str = ""
) -> Document:
    key = text(right, "id") or text(right, "vid")
    return {
        "object": "Entitlement",
        "id": key,
        "vid": store.digest(f"entitlement:{text(subscription, 'vid')}:{item}:{key}"),
        "description": text(right, "description"),
        "account": subscription.get("account"),
        "subscription": store["subscriptions"].link(subscription),
        source: origin,
        "starts": subscription.get("starts"),
        "ends": subscription.get("ends"),
    }
