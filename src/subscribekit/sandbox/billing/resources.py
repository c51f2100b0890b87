"""Shared parts of the handlers of group A: finding, creating, merging and returning documents.

Observed: updates take partial bodies and keep what they do not name. Assumed: `null` clears a field, metadata keeps
the keys that an update does not name, the identity of a resource cannot be changed by an update, and creating a second
resource with the same id is a 400. Published is the text of that refusal for a payment method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps

from ..http.call import PAGING, Call
from ..http.pages import cursor_page
from ..http.responses import Refused, Reply, billing_refusal
from ..http.router import Handler
from ..store import Collection, Store
from ..values import Document, Link, Value, nested, text

UNNAMEABLE = frozenset({".", ".."})
IDENTITY = frozenset({"object", "id", "vid", "created", "url"})


def missing(kind: str) -> Refused:
    """Return the refusal of a resource that does not exist."""
    return billing_refusal(404, f"{kind} not found.")


def named(store: Store, name: str, key: str) -> Document:
    """Return the document with an id or vid, or refuse it."""
    found = store[name].find(key)
    if found is None:
        raise missing(store[name].kind)
    return found


def in_path(call: Call, name: str, param: str) -> Document:
    """Return the document that a path parameter names."""
    return named(call.store, name, call.params[param])


def referred(store: Store, name: str, value: Value) -> Document | None:
    """Return the document that {id} or {vid} in a body names; refuse one that does not exist."""
    key = (text(value, "vid") or text(value, "id")) if isinstance(value, dict) else ""
    return named(store, name, key) if key else None


def referred_link(store: Store, name: str, value: Value) -> Link | None:
    """Return a link to the document that a body names."""
    found = referred(store, name, value)
    return None if found is None else store[name].link(found)


def linked(call: Call, found: Iterable[Document], param: str, field: str = "") -> list[Document]:
    """Keep the documents that refer to the resource that a query parameter names; without the parameter, all."""
    key = call.key(param)
    if key is None:
        return list(found)
    collection = call.store[f"{param}s"]
    target = collection.find(key)
    return [one for one in found if target is not None and one.get(field or param) == collection.link(target)]


def refuse_duplicate(collection: Collection, body: Document) -> None:
    """Refuse an id that is taken, or that no path can name: with a slash, or a segment that means a folder."""
    identifier = text(body, "id")
    if "/" in identifier or identifier in UNNAMEABLE:
        raise billing_refusal(400, f"The id of {collection.kind} must not contain a slash, or be . or ..")
    if identifier and collection.find(identifier) is not None:
        raise billing_refusal(400, f'{collection.kind} already exists: id="{identifier}"')


def merge(document: Document, body: Document, *, leave: Iterable[str] = ()) -> None:
    """Put the fields of an update into a document; null takes a field away."""
    kept = IDENTITY | set(leave)
    for name, value in body.items():
        if name in kept:
            continue
        if value is None:
            document.pop(name, None)
        elif name == "metadata" and isinstance(value, dict):
            document[name] = merged_metadata(document, value)
        else:
            document[name] = value


def merged_metadata(document: Document, sent: Document) -> Document:
    """Return the metadata of a document after an update: null deletes a key, and scalars become texts, as observed."""
    kept = {key: item for key, item in nested(document, "metadata").items() if key not in sent}
    return kept | {
        key: item if isinstance(item, bool | dict | list) else str(item)
        for key, item in sent.items()
        if item is not None
    }


def fresh(call: Call, body: Document) -> Document:
    """Return the fields of a body for a new document, with the time of creation."""
    made: Document = {}
    merge(made, body)
    if text(body, "id"):
        made = {"id": text(body, "id"), **made}
    return {**made, "created": call.now}


def reply_with(call: Call, document: Document) -> Reply:
    """Respond with a document."""
    return Reply(call.show(document))


def listing(name: str, *filters: str) -> Callable[[Callable[[Call], list[Document]]], Handler]:
    """Make a handler that lists a collection of what finds its documents by the parameters that it may have."""

    def decorate(find: Callable[[Call], list[Document]]) -> Handler:
        @wraps(find)
        def handle(call: Call) -> Reply:
            call.accept_query(*PAGING, *filters)
            return list_found(call, name, find(call))

        return handle

    return decorate


def listing_all(name: str) -> Handler:
    """Return the handler that lists a whole collection."""
    return listing(name)(lambda call: list(call.store[name]))


def list_found(call: Call, name: str, found: list[Document]) -> Reply:
    """Respond with a page of the documents found."""
    return cursor_page(call, found, call.store[name], call.show)


def retrieving(name: str, param: str) -> Handler:
    """Return the handler that returns one document."""

    def handle(call: Call) -> Reply:
        return reply_with(call, in_path(call, name, param))

    return handle
