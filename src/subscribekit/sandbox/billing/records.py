"""Invoices, activities and the families without published operations.

Observed: the filters of invoices, the id of an invoice, activities without an id, their args named after the type.
Conventional, not published: GET of one and of all, POST to create and update, DELETE, for the families the
specification only names.
"""

from __future__ import annotations

from ..http.call import PAGING, Call
from ..http.responses import Reply, billing_refusal
from ..http.router import Handler
from ..store import CONVENTIONAL_COLLECTIONS
from ..values import Document, text, timestamp
from .resources import answer, fresh, in_path, list_found, merge, referred_link, refuse_duplicate


def list_invoices(call: Call) -> Reply:
    """List invoices."""
    filters = ("account", "subscription", "status", "invoice_date")
    call.accept_query(*PAGING, *filters)
    found = [invoice for invoice in call.store["invoices"] if _belongs(call, invoice)]
    status, date = call.query.get("status"), call.timestamp("invoice_date")
    if status is not None:
        found = [invoice for invoice in found if text(invoice, "status") == status]
    if date is not None:
        found = [one for one in found if (timestamp(one, "invoice_date") or call.now).date() == date.date()]
    return list_found(call, "invoices", found, *filters)


def _belongs(call: Call, invoice: Document) -> bool:
    for name in ("account", "subscription"):
        key = call.key(name)
        if key is not None:
            found = call.store[f"{name}s"].find(key)
            if found is None or invoice.get(name) != call.store[f"{name}s"].link(found):
                return False
    return True


def list_activities(call: Call) -> Reply:
    """List activities, with `account` those of one account."""
    call.accept_query(*PAGING, "account")
    key = call.key("account")
    found = list(call.store["activities"])
    if key is not None:
        account = call.store["accounts"].find(key)
        here = None if account is None else call.store["accounts"].link(account)
        found = [one for one in found if here is not None and one.get("account") == here]
    return list_found(call, "activities", found, "account")


def record_activity(call: Call) -> Reply:
    """Record an activity of an account."""
    body = call.body("Activity")
    kind = text(body, "type")
    args = f"{kind.lower()}_args"
    account = referred_link(call.store, "accounts", body.get("account"))
    if not kind or account is None or timestamp(body, "timestamp") is None:
        raise billing_refusal(400, "An activity needs type, account and timestamp.")
    if not isinstance(body.get(args), dict):
        raise billing_refusal(400, f"An activity of this type needs {args}.")
    other = [name for name in body if name.endswith("_args") and name != args]
    if other:
        raise billing_refusal(400, "An activity has only the args of its type.")
    fields = {name: value for name, value in body.items() if name not in {"object", "id", "vid", "created"}}
    made = call.store.add("activities", {**fields, "account": account})
    made[args] = {"object": f"Activity{kind}", **_document(made, args)}
    return answer(call, made)


def _document(document: Document, name: str) -> Document:
    value = document[name]
    return value if isinstance(value, dict) else {}


def creating(name: str) -> Handler:
    """Return the handler that creates a conventional resource."""

    def handle(call: Call) -> Reply:
        body = call.body(CONVENTIONAL_COLLECTIONS[name])
        refuse_duplicate(call.store[name], body)
        return answer(call, call.store.add(name, fresh(call, body)))

    return handle


def updating(name: str) -> Handler:
    """Return the handler that updates a conventional resource."""

    def handle(call: Call) -> Reply:
        document = in_path(call, name, "id")
        merge(document, call.body(CONVENTIONAL_COLLECTIONS[name]))
        return answer(call, document)

    return handle


def deleting(name: str) -> Handler:
    """Return the handler that deletes a conventional resource."""

    def handle(call: Call) -> Reply:
        in_path(call, name, "id")
        call.store[name].remove(call.params["id"])
        return Reply()

    return handle
