"""Spending granted credit: the next billing uses it before money is charged.

Observed: credit that is used up is no longer shown, and a Credit without any is empty. From the operator's help: the
credit of a subscription is used before that of its account. Assumed, as no sample shows it: the order within each is
`sort_value`, then the time of the grant; a billing uses only amounts of its own currency, and names them in a line of
type `Credit` (its total is negative), in `Transaction.credit` and in the invoice's `credit_total`; a modification is
such a billing; a later attempt to collect what was refused is not, nor is a one-time transaction; a refund gives
money back and no credit. Tokens are kept and shown and pay for nothing.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from ...store import Store
from ...values import Document, Value, amount, documents, link, nested, text, value_list, whole
from .pricing import TOTAL_TAX, ZERO, charge_lines, line, total
from .tax import numbered

SKU = "Credit"
_TOLD = ("object", "vid", "currency", "description", "reason", "granted", "granted_by_service", "source")


def lines_due(store: Store, subscription: Document, at: datetime) -> list[Document]:
    """Return the lines of the next billing with the credit that it would use; nothing is spent."""
    return _with_credit(charge_lines(store, subscription, at), _usable(store, subscription))


def spend(store: Store, subscription: Document, lines: list[Document]) -> tuple[list[Document], Document]:
    """Use credit for the lines of a billing.

    Returns:
        The lines with the credit that is used, and that credit, empty when there is none.
    """
    used = _shares(total(lines), _usable(store, subscription))
    if not used:
        return lines, {}
    paid = _with_credit(lines, [granted for granted, _ in used])
    told = [{name: granted[name] for name in _TOLD if name in granted} | {"amount": share} for granted, share in used]
    for granted, share in used:
        granted["amount"] = (amount(granted, "amount") or ZERO) - share
    for credit in _credits(store, subscription):
        _drop_empty(credit)
    return paid, {"object": "Credit", "currency_amounts": value_list(told)}


def credit_used(lines: list[Document]) -> Decimal:
    """Return the credit that the lines of a charge show."""
    return -total([one for one in lines if text(one, "item_type") == SKU])


def _credits(store: Store, subscription: Document) -> list[Document]:
    """Return the Credit of a subscription and that of its account, in the order of use."""
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
    kept: list[Value] = [one for one in documents(credit, "currency_amounts") if (amount(one, "amount") or ZERO) > 0]
    if kept:
        credit["currency_amounts"] = kept
    else:
        credit.pop("currency_amounts", None)
