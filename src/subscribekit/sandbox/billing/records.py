"""Handlers for invoices, for activities, and for resources that have no documented operations.

The published samples document the filters of invoices, the ID of an invoice, and activities without an ID. In the
published samples, the name of an activity's `_args` field depends on the type of the activity.

Some resources in the specification have no documented operations. For resources without documented operations, the
sandbox follows the specification's conventions: GET lists and retrieves, POST creates and updates, and DELETE deletes.
"""

from __future__ import annotations

from ..http.call import Call
from ..http.responses import Reply, billing_refusal
from ..http.router import Handler
from ..values import Document, nested, text, timestamp
from .resources import in_path, linked, listing, referred_link, reply_with


@listing("invoices", "account", "subscription", "status", "invoice_date")
def list_invoices(call: Call) -> list[Document]:
    """List invoices."""
    found = linked(call, linked(call, call.store["invoices"], "account"), "subscription")
    status, date = call.query.get("status"), call.timestamp("invoice_date")
    if status is not None:
        found = [invoice for invoice in found if text(invoice, "status") == status]
    if date is not None:
        found = [one for one in found if (timestamp(one, "invoice_date") or call.now).date() == date.date()]
    return found


@listing("activities", "account")
def list_activities(call: Call) -> list[Document]:
    """List activities, with an optional filter by account."""
    return linked(call, call.store["activities"], "account")


def record_activity(call: Call) -> Reply:
    """Record an activity of an account."""
    body = call.body("Activity")
    kind = text(body, "type")
    args = f"{kind.lower()}_args"
    account = referred_link(call.store, "accounts", body.get("account"))
    if not kind or account is None or timestamp(body, "timestamp") is None:
        raise billing_refusal(400, "An activity needs type, account, and timestamp.")
    if not isinstance(body.get(args), dict):
        raise billing_refusal(400, f"An activity of this type needs {args}.")
    other = [name for name in body if name.endswith("_args") and name != args]
    if other:
        raise billing_refusal(400, f"An activity of this type can have only {args}.")
    fields = {name: value for name, value in body.items() if name not in {"object", "id", "vid", "created"}}
    made = call.store.add("activities", {**fields, "account": account})
    made[args] = {"object": f"Activity{kind}", **nested(made, args)}
    return reply_with(call, made)


def deleting(name: str) -> Handler:
    """Return the handler that deletes a resource without documented operations."""

    def handle(call: Call) -> Reply:
        in_path(call, name, "id")
        call.store[name].remove(call.params["id"])
        return Reply()

    return handle
