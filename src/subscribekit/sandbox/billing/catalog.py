"""Handlers for the catalog: products, billing plans, season sets, and rate plans.

The published samples document the filters of the lists, partial updates, and the default values of a new billing plan.
In the published samples, an update that contains a list of prices replaces the old list of prices.

The sandbox assumes that a new product or rate plan is `Active`. The sandbox assumes that a subscription can't use a
billing plan without a billing period. The operations that retrieve and update season sets and rate plans follow the
specification's conventions.
"""

from __future__ import annotations

from ..http.call import Call
from ..http.responses import Reply
from ..http.router import Handler
from ..values import Document, Link, documents, link, text
from .account_links import owners_asked
from .resources import fresh, in_path, listing, merge, referred_link, refuse_duplicate, reply_with

_DEFAULTS: dict[str, Document] = {
    "products": {"status": "Active"},
    "billing_plans": {
        "status": "Active",
        "times_to_run": "1",
        "skip_initial_billing_notification": False,
        "used_on_subscriptions": False,
    },
    "rate_plans": {"status": "Active", "has_event_recorded": False},
    "season_sets": {},
}
_LINKS = {"default_billing_plan": "billing_plans", "default_rate_plan": "rate_plans", "season_set": "season_sets"}
_READ_ONLY = ("used_on_subscriptions", "has_event_recorded", "inherited_entitlements", "bundled_products")


def creating(name: str) -> Handler:
    """Return the handler that creates resources of a collection.

    `name` is a collection of the catalog, or a collection of resources without documented operations.
    """

    def handle(call: Call) -> Reply:
        collection = call.store[name]
        body = call.body(collection.kind)
        refuse_duplicate(collection, body)
        made = fresh(call, _sent(name, body))
        return reply_with(call, call.store.add(name, {**_DEFAULTS.get(name, {}), **made, **_links(call, name, body)}))

    return handle


def updating(name: str, param: str) -> Handler:
    """Return the handler that updates resources of a collection.

    `name` is a collection of the catalog, or a collection of resources without documented operations.
    """

    def handle(call: Call) -> Reply:
        document = in_path(call, name, param)
        body = call.body(call.store[name].kind)
        links = _links(call, name, body)
        merge(document, _sent(name, body))
        document |= links
        return reply_with(call, document)

    return handle


def _sent(name: str, body: Document) -> Document:
    """Return the fields of a request body without the read-only fields."""
    return {key: value for key, value in body.items() if name not in _DEFAULTS or key not in _READ_ONLY}


def _links(call: Call, name: str, body: Document) -> Document:
    return {
        field: referred_link(call.store, collection, body[field])
        for field, collection in _LINKS.items()
        if name in _DEFAULTS and body.get(field) is not None
    }


@listing("products", "account", "include_children", "entitlement", "status")
def list_products(call: Call) -> list[Document]:
    """List products.

    The optional filters are the status of the product, the account that bought the product, and an entitlement that the
    product grants.
    """
    found = _of_status(call, "products")
    entitlement = call.key("entitlement")
    if entitlement is not None:
        found = [
            one for one in found if any(entitlement == right.get("id") for right in documents(one, "entitlements"))
        ]
    if (owners := owners_asked(call)) is not None:
        bought = _bought(call, owners)
        found = [one for one in found if text(one, "vid") in bought]
    return found


def _bought(call: Call, owners: list[Link]) -> set[str]:
    held = [one for one in call.store["subscriptions"] if link(one, "account") in owners]
    products = (link(item, "product") for one in held for item in documents(one, "items"))
    return {product.vid for product in products if product is not None}


@listing("billing_plans", "status")
def list_plans(call: Call) -> list[Document]:
    """List billing plans, with an optional filter by status, which ignores case."""
    return _of_status(call, "billing_plans")


def _of_status(call: Call, name: str) -> list[Document]:
    status = call.query.get("status")
    return [one for one in call.store[name] if status is None or text(one, "status").lower() == status.lower()]
