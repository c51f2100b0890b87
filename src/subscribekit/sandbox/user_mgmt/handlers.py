"""Handlers for the accounts of the signed-in user (E10), custom data (E9), and the paginated lists.

For the account-lifecycle API, the specification defines the paths, the paging rules, and the shapes of the errors. The
specification also defines the status 204 and the error `invalid-request` of custom data deletion (E9), and the user ID
`me`.

The sandbox assumes the HTTP statuses of all errors of the account-lifecycle API except page errors. The sandbox assumes
that the items of all lists, except the list of accounts, have the common fields of entities. The sandbox assumes that a
request without `Content-Type: application/json` returns 400. The sandbox rejects a deletion without a filter, so that a
missing filter doesn't delete all items.
"""

from __future__ import annotations

from ..http.call import Call
from ..http.pages import offset_page
from ..http.responses import Reply, coded_refusal, input_refusal, invalid, present
from ..http.router import Handler
from ..store import Store
from ..values import Document, value_list
from .expressions import ExpressionError, parse

ROOT = "/platform/rest/v85"
FILTER = "filter"
SESSION_USER = "me"

_LISTS = {
    "user": ("runtimes", "features", "subscriptions", "groups", "accounts"),
    "group": ("users", "accounts", "subscriptions", "runtimes", "features"),
    "account": ("users", "groups", "runtimes", "subscriptions"),
    "subscription": ("users", "groups", "features", "runtimes"),
    "feature": ("groups", "runtimes", "users"),
    "runtime": ("groups", "accounts", "subscriptions", "features"),
}
PAGINATED = tuple(
    f"/{owner}{key}/{listed}"
    for owner, lists in _LISTS.items()
    for listed in lists
    for key in (("", "/{userId}") if owner == "user" else (f"/{{{owner}Id}}",))
)
"""The paths of all lists that have pages (specification, Limits, rule 6)."""


def require_json(call: Call) -> None:
    """Reject a request without the JSON content type, which the account-lifecycle API always requires."""
    kind = call.request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise input_refusal("invalid-input-error", "Content-Type must be application/json")


def listing(template: str) -> Handler:
    """Return the handler of a paginated list."""
    parts = template.removeprefix("/").split("/")
    owner, target = parts[0], parts[-1].removesuffix("s")

    def handle(call: Call) -> Reply:
        require_json(call)
        key = next(iter(call.params.values()), SESSION_USER)
        found = related(call.store, _owner(call.store, owner, key), target)
        shown = [association(call.store, entity) if target == "account" else _common(entity) for entity in found]
        return offset_page(call, shown)

    return handle


def _owner(store: Store, kind: str, key: str) -> tuple[str, str]:
    found = (kind, store.users.get(key, key) if kind == "user" else key)
    if found in store.entities:
        return found
    if kind == "user":
        raise coded_refusal("user-not-found", "user not found")
    raise coded_refusal("not-found", f"{kind} not found")


def related(store: Store, owner: tuple[str, str], target: str) -> list[Document]:
    """Return the entities of a kind that are linked to another entity, in the order in which they were linked."""
    joined = [other for pair in store.edges for one, other in (pair, pair[::-1]) if one == owner]
    return [store.entities[other] for other in joined if other[0] == target]


def association(store: Store, entity: Document) -> Document:
    """Return an account with its attributes and its subscriptions, as in the account list (E10)."""
    return {**entity, "subscriptions": value_list(related(store, ("account", str(entity["id"])), "subscription"))}


def _common(entity: Document) -> Document:
    return {name: value for name, value in entity.items() if name != "attributes"}


def delete_custom_data(call: Call) -> Reply:
    """Delete the items of a custom data array that match a filter (E9)."""
    require_json(call)
    user, name = call.store.users.get(call.params["userId"], call.params["userId"]), call.params["propertyArrayName"]
    arrays = present(call.store.custom_data.get(user), "user", "user-not-found")
    items = present(arrays.get(name), "custom data array")
    expression = call.query.get(FILTER, "")
    if not expression.strip():
        raise invalid(FILTER, "a filter expression is required")
    try:
        selects = parse(expression)
    except ExpressionError as error:
        raise invalid(FILTER, str(error)) from None
    arrays[name] = [item for item in items if not selects(item)]
    return Reply(status=204)
