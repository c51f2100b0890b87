"""Functions that the handlers of the billing API use to find, create, update, and return documents.

In the published samples, an update changes only the fields that its body contains. The error message for a second
payment method with the same ID is from the published samples.

The sandbox assumes that `null` in an update removes a field. The sandbox assumes that an update doesn't change the
metadata keys that its body leaves out. An update can't change the identifiers of a resource. If a request creates a
second resource with the same ID, the sandbox rejects the request with status 400.
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
    """Return the error response for a resource that doesn't exist."""
    return billing_refusal(404, f"{kind} not found.")


def named(store: Store, name: str, key: str) -> Document:
    """Return the document with a given ID or vid. If the document doesn't exist, reject the request."""
    found = store[name].find(key)
    if found is None:
        raise missing(store[name].kind)
    return found


def in_path(call: Call, name: str, param: str) -> Document:
    """Return the document whose ID or vid is in a path parameter. If the document doesn't exist, reject the request."""
    return named(call.store, name, call.params[param])


def referred(store: Store, name: str, value: Value) -> Document | None:
    """Return the document that a body refers to, or `None` if the body contains no reference.

    If the body refers to an unknown document, reject the request.
    """
    key = (text(value, "vid") or text(value, "id")) if isinstance(value, dict) else ""
    return named(store, name, key) if key else None


def referred_link(store: Store, name: str, value: Value) -> Link | None:
    """Return a link to the document that a body refers to, or `None` if the body contains no reference."""
    found = referred(store, name, value)
    return None if found is None else store[name].link(found)


def linked(call: Call, found: Iterable[Document], param: str, field: str = "") -> list[Document]:
    """Return the documents that refer to the resource of a query parameter, or all documents without this parameter."""
    key = call.key(param)
    if key is None:
        return list(found)
    collection = call.store[f"{param}s"]
    target = collection.find(key)
    return [one for one in found if target is not None and one.get(field or param) == collection.link(target)]


def refuse_duplicate(collection: Collection, body: Document) -> None:
    """Reject an ID that already exists or can't be a path segment, because it contains a slash, or is `.` or `..`."""
    identifier = text(body, "id")
    if "/" in identifier or identifier in UNNAMEABLE:
        raise billing_refusal(400, f"{collection.kind}.id must not contain a slash, and must not be . or ..")
    if identifier and collection.find(identifier) is not None:
        raise billing_refusal(400, f'{collection.kind} already exists: id="{identifier}"')


def merge(document: Document, body: Document, *, leave: Iterable[str] = ()) -> None:
    """Apply the fields of an update to a document. If a field is `null`, remove the field from the document."""
    excluded = IDENTITY | set(leave)
    for name, value in body.items():
        if name in excluded:
            continue
        if value is None:
            document.pop(name, None)
        elif name == "metadata" and isinstance(value, dict):
            document[name] = merged_metadata(document, value)
        else:
            document[name] = value


def merged_metadata(document: Document, sent: Document) -> Document:
    """Return a document's metadata after an update.

    If the update sets a key to `null`, remove the key. Convert numbers to strings, as in the published samples.
    """
    unchanged = {key: item for key, item in nested(document, "metadata").items() if key not in sent}
    return unchanged | {
        key: item if isinstance(item, bool | dict | list) else str(item)
        for key, item in sent.items()
        if item is not None
    }


def fresh(call: Call, body: Document) -> Document:
    """Return the fields of a new document: the fields of the request body, and the time of creation."""
    made: Document = {}
    merge(made, body)
    if text(body, "id"):
        made = {"id": text(body, "id"), **made}
    return {**made, "created": call.now}


def reply_with(call: Call, document: Document) -> Reply:
    """Return a response that contains a document."""
    return Reply(call.show(document))


def listing(name: str, *filters: str) -> Callable[[Callable[[Call], list[Document]]], Handler]:
    """Turn a function that finds documents into a handler that lists these documents and accepts the given filters."""

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
    """Return the page of the documents in `found` that the request asks for."""
    return cursor_page(call, found, call.store[name], call.show)


def retrieving(name: str, param: str) -> Handler:
    """Return the handler that retrieves a document by a path parameter."""

    def handle(call: Call) -> Reply:
        return reply_with(call, in_path(call, name, param))

    return handle
