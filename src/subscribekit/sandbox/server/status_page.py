"""The page that shows a person what the sandbox holds: one HTML text, no script, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from urllib.parse import unquote

from ..._json import encode
from ..billing.presenters import Presenter
from ..facade import Sandbox
from ..http.wire import RecordedRequest
from ..store import EntitlementCharge
from ..values import Document, Value, documents, nested, text
from .forms import orders

_LAST = 25
_MASKED = "***"


@dataclass(frozen=True)
class _Table:
    title: str
    note: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]

    def html(self) -> str:
        head = "".join(f"<th scope=col>{escape(column)}</th>" for column in self.columns)
        body = "".join(self._row(row) for row in self.rows)
        if not self.rows:
            body = f'<tr><td class=none colspan="{len(self.columns)}">None yet</td></tr>'
        return (
            f"<section><h2>{escape(self.title)}</h2><p>{escape(self.note)}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></section>"
        )

    def _row(self, row: Sequence[str]) -> str:
        cells = zip(self.columns, row, strict=True)
        return "<tr>" + "".join(_cell(column, value) for column, value in cells) + "</tr>"


def _cell(column: str, value: str) -> str:
    kind = _kind(column, value)
    shown = f'<span class="{kind}">{escape(value)}</span>' if kind else escape(value)
    return f'<td data-label="{escape(column)}">{shown}</td>'


def _kind(column: str, value: str) -> str:
    """Return the colour of a state or a status."""
    if column == "Status" and value.isdigit():
        return "good" if value < "400" else "bad"
    if column in ("Status", "State", "Billing"):
        return {"Active": "good", "Good Standing": "good", "lost": "bad", "In Retry": "bad"}.get(value, "plain")
    return ""


def render(sandbox: Sandbox, snapshots: Sequence[str] = ()) -> str:
    """Return the page for a sandbox as it is now; names and addresses of people are masked.

    Args:
        sandbox: The sandbox.
        snapshots: Names of the states that can be restored.
    """
    with sandbox.service.lock:
        sandbox.service.catch_up()
        store, now = sandbox.service.store, sandbox.now
        presenter = Presenter(store, now)
        accounts = [presenter.show(document) for document in store["accounts"]]
        subscriptions = [presenter.show(document) for document in store["subscriptions"]]
        payments = [presenter.show(document) for document in store["payments"]]
        transactions = [presenter.show(document) for document in store["transactions"]]
        requests, charges, pending = sandbox.requests, sandbox.charges, sandbox.faults.pending
    tables = (
        _requests(requests),
        _subscriptions(subscriptions),
        _charges(charges),
        _money_rows("Payments", payments),
        _money_rows("Transactions", transactions),
        _accounts(accounts),
    )
    facts = (
        ("Sandbox time", _time(now)),
        ("Requests", str(len(requests))),
        ("Subscriptions", str(len(subscriptions))),
        ("Accounts", str(len(accounts))),
        ("Charges made", str(len(charges))),
    )
    return _page(facts, orders(pending, snapshots), tables)


def _requests(requests: Sequence[RecordedRequest]) -> _Table:
    return _Table(
        "Last requests",
        f"The newest {_LAST}, newest first. Values of the query are masked.",
        ("Request", "Group", "The client saw"),
        [
            (_asked(request), request.group, f"{request.client_saw}" + (f", {request.fault}" if request.fault else ""))
            for request in reversed(requests[-_LAST:])
        ],
    )


def _asked(request: RecordedRequest) -> str:
    names = "&".join(f"{name}={_MASKED}" for name, _ in request.query)
    return f"{request.method} {unquote(request.path)}" + (f"?{names}" if names else "")


def _charges(charges: Sequence[EntitlementCharge]) -> _Table:
    return _Table(
        "Entitlement charges",
        f"{len(charges)} accepted, duplicates counted.",
        ("Reference", "Made at", "Partner subscription", "Transaction id", "Amount", "Body"),
        [
            (
                charge.transaction_reference_id,
                "" if charge.created is None else _time(charge.created),
                charge.partner_subscription,
                text(charge.fields, "transactionId"),
                _money(charge.fields),
                encode(charge.fields).decode(),
            )
            for charge in reversed(charges[-_LAST:])
        ],
    )


def _money_rows(title: str, found: Sequence[Document]) -> _Table:
    return _Table(
        title,
        f"{len(found)} in all; the newest {_LAST}, newest first.",
        (title.removesuffix("s"), "Created", "Account", "Amount", "Status"),
        [
            (
                _identity(document),
                text(document, "created")[:16].replace("T", " "),
                _identity(nested(document, "account")),
                _money(document),
                text(document, "status") or _last_status(document),
            )
            for document in reversed(found[-_LAST:])
        ],
    )


def _last_status(document: Document) -> str:
    """The newest entry of a transaction's log, which tells the state before `status` does."""
    log = documents(nested(document, "status_log"), "data")
    return text(log[0], "status") if log else ""


def _subscriptions(subscriptions: Iterable[Document]) -> _Table:
    return _Table(
        "Subscriptions",
        "Status of the service, and state of the money.",
        ("Subscription", "Account", "Plan", "Status", "Billing", "Entitled through"),
        [
            (
                _identity(subscription),
                _identity(nested(subscription, "account")),
                _identity(nested(subscription, "billing_plan")),
                text(subscription, "status"),
                text(subscription, "billing_state"),
                text(subscription, "entitled_through")[:10],
            )
            for subscription in subscriptions
        ],
    )


def _accounts(accounts: Iterable[Document]) -> _Table:
    return _Table(
        "Accounts",
        "Names and e-mail addresses are masked but for the initial.",
        ("Account", "Name", "E-mail", "Created", "Payment methods"),
        [
            (
                _identity(account),
                _initial(text(account, "name")),
                _initial(text(account, "email")),
                text(account, "created")[:10],
                ", ".join(_identity(method) for method in documents(nested(account, "payment_methods"), "data")),
            )
            for account in accounts
        ],
    )


def _initial(personal: str) -> str:
    return personal[:1] + _MASKED if personal else ""


def _identity(document: Document) -> str:
    return text(document, "id") or text(document, "vid")


def _money(fields: Document) -> str:
    amount: Value = fields.get("amount")
    return f"{amount if amount is not None else ''} {text(fields, 'currency')}".strip()


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


_STYLE = """
:root{color-scheme:light dark;--line:#d5dbdb;--soft:#5b6769;--card:#f4f7f7;
--good:#0b6e4f;--bad:#b3261e;--ground:#fff;--ink:#152022}
@media(prefers-color-scheme:dark){
:root{--line:#334043;--soft:#9fb0b3;--card:#1b2527;--good:#5ad1a3;--bad:#ff9d94;--ground:#111819;--ink:#e6eeee}
}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:70rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.5rem;margin:0 0 .25rem}
h2{font-size:1.1rem;margin:2.25rem 0 0}
p{margin:.1rem 0 .75rem;color:var(--soft)}
dl{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.25rem 0 0}
dl div{background:var(--card);border-radius:.5rem;padding:.5rem .9rem;flex:1 1 8rem}
dt{color:var(--soft);font-size:.8rem}
dd{margin:0;font-weight:600;white-space:nowrap;font-variant-numeric:tabular-nums}
table{border-collapse:collapse;width:100%}
th{text-align:left;color:var(--soft);font-weight:500;font-size:.8rem}
th,td{padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
td:first-child{font-weight:600}
.good{color:var(--good)}.bad{color:var(--bad);font-weight:600}.none{color:var(--soft);font-weight:400!important}
form{display:inline-flex;flex-wrap:wrap;gap:.4rem;align-items:center;margin:0 1.25rem .5rem 0}
input,select,button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.35rem;
padding:.25rem .5rem}
select{max-width:100%}input[type=number]{width:5rem}
button{cursor:pointer;font-weight:600}
@media(max-width:640px){
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody,tr,td{display:block}
tr{border:1px solid var(--line);border-radius:.5rem;padding:.4rem .75rem;margin-bottom:.6rem}
td{border:0;padding:.15rem 0;display:flex;gap:1rem;justify-content:space-between;text-align:right}
td[data-label]::before{content:attr(data-label);color:var(--soft);font-weight:400;text-align:left;flex:none}
td:first-child{justify-content:start;text-align:left}
td:first-child::before{content:none}
}
"""


def _page(facts: Iterable[tuple[str, str]], orders: str, tables: Iterable[_Table]) -> str:
    told = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>subscribekit sandbox</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body><main><h1>subscribekit sandbox</h1>"
        "<p>A merchant that exists in this process only. Reload the page to see what has changed.</p>"
        f"<dl>{told}</dl>{orders}{''.join(table.html() for table in tables)}</main></body></html>"
    )
