"""Renders the status page of a sandbox, an HTML page without scripts, from the template `status_page.html`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from string import Template
from typing import TypeVar
from urllib.parse import unquote

from ..._json import encode
from ..billing.presenters import Presenter
from ..facade import Sandbox
from ..faults import FaultRule
from ..faults.requests import FAULTS
from ..http.wire import RecordedRequest
from ..routes import ROUTES
from ..store import RecordedCharge
from ..values import Document, documents, nested, text
from .control import PREFIX, match_of

T = TypeVar("T")

_PAGE = Path(__file__).with_name("status_page.html")
_LAST = 25
_MASKED = "***"
_COLORS = {"Active": "good", "Good Standing": "good", "lost": "bad", "In Retry": "bad"}


def render(sandbox: Sandbox, snapshots: Sequence[str] = ()) -> str:
    """Return the status page of a sandbox as HTML, with masked names and email addresses of customers.

    Args:
        sandbox: The sandbox that the page shows.
        snapshots: The names of the snapshots that the page offers to restore.
    """
    with sandbox.service.lock:
        sandbox.service.catch_up()
        now = f"{sandbox.now:%Y-%m-%d %H:%M} UTC"
        show = Presenter(sandbox.service.store, sandbox.now).show
        accounts, subscriptions, payments, transactions = (
            [show(document) for document in sandbox.service.store[name]]
            for name in ("accounts", "subscriptions", "payments", "transactions")
        )
        requests, charges, pending = sandbox.requests, sandbox.entitlement_charges, sandbox.faults.pending
    facts = {
        "Sandbox time": now,
        "Requests": len(requests),
        "Subscriptions": len(subscriptions),
        "Accounts": len(accounts),
        "Entitlement charges": len(charges),
    }
    masked = f"The last {_LAST} requests, newest first. Values of query parameters are masked."
    counted = f"Charges, including duplicates: {len(charges)}. The table shows the last {_LAST} charges, newest first."
    both_states = (
        "The status says whether a subscription is served. The billing state says whether a subscription is paid."
    )
    initials = "All letters of names and email addresses are masked, except the first letter."
    tables = (
        _table("Requests", masked, requests[: -_LAST - 1 : -1], _REQUESTS),
        _table("Subscriptions", both_states, subscriptions, _SUBSCRIPTIONS),
        _table("Entitlement charges", counted, charges[: -_LAST - 1 : -1], _CHARGES),
        _money_table("Payments", payments),
        _money_table("Transactions", transactions),
        _table("Accounts", initials, accounts, _ACCOUNTS),
    )
    restore = (
        f'<form method=post action="{PREFIX}/restore"><select name=name aria-label="Snapshot">'
        f"{_options(snapshots)}</select><button>Restore the snapshot</button></form>\n"
    )
    return Template(_PAGE.read_text(encoding="utf-8")).substitute(
        prefix=PREFIX,
        facts="".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts.items()),
        waiting=escape(_waiting(pending)),
        faults=_options(FAULTS),
        routes=_options(sorted({f"{route.method} {route.template}" for route in ROUTES})),
        restore=restore if snapshots else "",
        tables="".join(tables),
    )


def _options(options: Iterable[str]) -> str:
    return "".join(f"<option>{escape(option)}</option>" for option in options)


def _waiting(pending: Iterable[FaultRule]) -> str:
    rules = ((rule, "always" if rule.times is None else f"{rule.times - rule.fired} left") for rule in pending)
    waiting = ", ".join(f"{rule.fault.name} for {match_of(rule)} ({left})" for rule, left in rules)
    return f"Active faults: {waiting}." if waiting else "There are no active faults."


def _table(title: str, note: str, rows: Sequence[T], columns: Mapping[str, Callable[[T], str]]) -> str:
    head = "".join(f"<th scope=col>{escape(column)}</th>" for column in columns)
    body = "".join(
        f"<tr>{''.join(_cell(column, value(row)) for column, value in columns.items())}</tr>" for row in rows
    )
    none = f'<tr><td class=none colspan="{len(columns)}">There are none yet.</td></tr>'
    return (
        f"<section><h2>{escape(title)}</h2><p>{escape(note)}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body or none}</tbody></table></section>"
    )


def _cell(column: str, value: str) -> str:
    kind = ""
    if column == "Status" and value.isdigit():
        kind = "good" if value < "400" else "bad"
    elif column in ("Status", "Billing state"):
        kind = _COLORS.get(value, "plain")
    shown = f'<span class="{kind}">{escape(value)}</span>' if kind else escape(value)
    return f'<td data-label="{escape(column)}">{shown}</td>'


def _money_table(title: str, found: Sequence[Document]) -> str:
    note = f"{title}: {len(found)}. The table shows the last {_LAST} {title.lower()}, newest first."
    return _table(title, note, found[: -_LAST - 1 : -1], {title.removesuffix("s"): _identity, **_MONEY})


def _request_line(request: RecordedRequest) -> str:
    names = "&".join(f"{name}={_MASKED}" for name, _ in request.query)
    return f"{request.method} {unquote(request.path)}" + (f"?{names}" if names else "")


def _last_status(document: Document) -> str:
    """Return the `status` of a document. If a transaction has no `status` yet, return the newest status in its log."""
    log = documents(nested(document, "status_log"), "data")
    return text(document, "status") or (text(log[0], "status") if log else "")


def _initial(name: str, document: Document) -> str:
    return text(document, name)[:1] + _MASKED if text(document, name) else ""


def _identity(document: Document) -> str:
    return text(document, "id") or text(document, "vid")


def _identity_in(name: str, document: Document) -> str:
    return _identity(nested(document, name))


def _money(fields: Document) -> str:
    amount = fields.get("amount")
    return f"{amount if amount is not None else ''} {text(fields, 'currency')}".strip()


_REQUESTS: Mapping[str, Callable[[RecordedRequest], str]] = {
    "Request": _request_line,
    "API": lambda request: request.group,
    "Result for the client": lambda request: f"{request.client_saw}" + (f", {request.fault}" if request.fault else ""),
}
_SUBSCRIPTIONS: Mapping[str, Callable[[Document], str]] = {
    "Subscription": _identity,
    "Account": partial(_identity_in, "account"),
    "Plan": partial(_identity_in, "billing_plan"),
    "Status": lambda one: text(one, "status"),
    "Billing state": lambda one: text(one, "billing_state"),
    "Entitled through": lambda one: text(one, "entitled_through")[:10],
}
_CHARGES: Mapping[str, Callable[[RecordedCharge], str]] = {
    "Reference": lambda charge: charge.transaction_reference_id,
    "Accepted": lambda charge: "" if charge.created is None else f"{charge.created:%Y-%m-%d %H:%M} UTC",
    "Partner subscription": lambda charge: charge.partner_subscription,
    "Transaction ID": lambda charge: text(charge.fields, "transactionId"),
    "Amount": lambda charge: _money(charge.fields),
    "Body": lambda charge: encode(charge.fields).decode(),
}
_MONEY: Mapping[str, Callable[[Document], str]] = {
    "Created": lambda one: text(one, "created")[:16].replace("T", " "),
    "Account": partial(_identity_in, "account"),
    "Amount": _money,
    "Status": _last_status,
}
_ACCOUNTS: Mapping[str, Callable[[Document], str]] = {
    "Account": _identity,
    "Name": partial(_initial, "name"),
    "Email": partial(_initial, "email"),
    "Created": lambda account: text(account, "created")[:10],
    "Payment methods": lambda account: ", ".join(map(_identity, documents(nested(account, "payment_methods"), "data"))),
}
