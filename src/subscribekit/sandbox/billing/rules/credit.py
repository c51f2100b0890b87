"""Spends granted credit on bills. A bill uses credit first, and charges the remaining amount to the payment method.

In the published samples, responses leave out used credit, and a `Credit` without amounts is empty. According to the
operator's help, a bill uses the credit of the subscription before the credit of the account.

The following details of credit are assumptions of the sandbox, because the sources don't describe these details. Within
a `Credit`, a bill uses the amounts in the order of `sort_value`. Among amounts with the same `sort_value`, a bill uses
the oldest amount first. A bill uses only amounts in its own currency. Responses include the used amounts in a line of
type `Credit` with a negative total, in `Transaction.credit`, and in the invoice's `credit_total`. The charge for a
modification also uses credit. The retry of a declined bill doesn't use credit, and a one-time transaction doesn't use
credit. A refund returns money and doesn't restore credit. The sandbox stores and returns tokens, but tokens don't pay
for anything.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from ...store import Store
from ...values import Document, Value, amount, documents, link, nested, text, value_list, whole
from .pricing import TOTAL_TAX, ZERO, charge_lines, line, total
from .tax import numbered

SKU = "Credit"
_SHOWN = ("object", "vid", "currency", "description", "reason", "granted", "granted_by_service", "source")


def lines_due(store: Store, subscription: Document, at: datetime) -> list[Document]:
    """Return the lines of the next bill, including the credit that the bill would use, but don't spend the credit."""
    return _with_credit(charge_lines(store, subscription, at), _usable(store, subscription))


def spend(store: Store, subscription: Document, lines: list[Document]) -> tuple[list[Document], Document]:
    """Spend credit on the lines of a bill.

    Returns:
        The lines of the bill, including a line for the used credit, and the `Credit` that was spent. If the bill uses
        no credit, the lines are unchanged, and the `Credit` is an empty document.
    """
    used = _shares(total(lines), _usable(store, subscription))
    if not used:
        return lines, {}
    paid = _with_credit(lines, [granted for granted, _ in used])
    spent = [{name: granted[name] for name in _SHOWN if name in granted} | {"amount": share} for granted, share in used]
    for granted, share in used:
        granted["amount"] = (amount(granted, "amount") or ZERO) - share
    for credit in _credits(store, subscription):
        _drop_empty(credit)
    return paid, {"object": "Credit", "currency_amounts": value_list(spent)}


def credit_used(lines: list[Document]) -> Decimal:
    """Return the amount of credit that the lines of a charge use."""
    return -total([one for one in lines if text(one, "item_type") == SKU])


def _credits(store: Store, subscription: Document) -> list[Document]:
    """Return the `Credit` of a subscription and the `Credit` of its account, in the order in which a bill uses them."""
    account = store.follow(link(subscription, "account")) or {}
    own = nested(subscription, "credit")
    return [*([own] if own else ()), *documents(account, "credit")]


def _usable(store: Store, subscription: Document) -> list[Document]:
    currency = text(subscription, "currency")
    found: list[Document] = []
    for credit in _credits(store, subscription):
        granted = [one for one in documents(credit, "currency_amounts") if text(one, "currency") == currency]
        found += sorted(granted, key=lambda one: whole(one, "sort_value"))
    return found


def _shares(due: Decimal, usable: list[Document]) -> list[tuple[Document, Decimal]]:
    shares: list[tuple[Document, Decimal]] = []
    for granted in usable:
        share = min(due, amount(granted, "amount") or ZERO)
        if share > 0:
            shares.append((granted, share))
            due -= share
    return shares


def _with_credit(lines: list[Document], usable: list[Document]) -> list[Document]:
    used = sum((share for _, share in _shares(total(lines), usable)), ZERO)
    if used == 0:
        return lines
    credit = line(SKU, SKU, -used, 1, item_type=SKU)
    before_tax = sum(text(one, "sku") != TOTAL_TAX for one in lines)
    return numbered([*lines[:before_tax], credit, *lines[before_tax:]])


def _drop_empty(credit: Document) -> None:
    left: list[Value] = [one for one in documents(credit, "currency_amounts") if (amount(one, "amount") or ZERO) > 0]
    if left:
        credit["currency_amounts"] = left
    else:
        credit.pop("currency_amounts", None)
