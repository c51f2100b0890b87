"""The limit in money: the amount of an item, and the sum of what a ledger has sent. Exact, never a float."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, Inexact
from functools import reduce

import sqlalchemy as sa

from ... import _json as json
from ..._decimals import own_context
from ..._json import DamagedJSONError
from ...errors import BulkError, RequestError
from .entries import Entry
from .schema import items
from .statements import SET_SPENT, SPENT, SPENT_TO_CHANGE

COUNTED = ("sent", "done", "unknown")
"""The states of items whose money may have moved."""
_EXACT = own_context(1_000, Inexact)


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that a ledger may send."""

    amount: Decimal
    currency: str

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"


@dataclass(frozen=True, slots=True)
class Amounts:
    """The money of items that are `ready`, in one currency.

    Attributes:
        currency: Its code.
        items: How many items.
        total: Their sum.
        largest: The largest amount.
        smallest: The smallest amount.
    """

    currency: str
    items: int
    total: Decimal
    largest: Decimal
    smallest: Decimal

    def __str__(self) -> str:
        told = f"{self.items:,} items of {self.total} {self.currency} in all"
        return f"{told}, the largest {self.largest}, the smallest {self.smallest}"


def amount_of(body: bytes | None) -> tuple[str | None, str | None]:
    """Give `amount` and `currency` of a body as texts; `None` for both where it does not have both."""
    try:
        fields = None if body is None else json.decode(body)
    except DamagedJSONError:
        return None, None
    if not isinstance(fields, dict):
        return None, None
    amount, currency = fields.get("amount"), fields.get("currency")
    if isinstance(amount, bool) or not isinstance(amount, int | Decimal) or not isinstance(currency, str):
        return None, None
    return str(amount), currency


def refuse_uncounted(limit: Limit, key: str, amount: str | None, currency: str | None) -> None:
    """Refuse an item that a limit in money cannot count.

    Raises:
        RequestError: It has no amount and currency, a negative amount, or another currency.
    """
    why = ""
    if amount is None or currency is None:
        why = "its body has no amount and currency"
    elif currency != limit.currency:
        why = f"its currency is {currency[:20]}"
    elif Decimal(amount).is_signed() and Decimal(amount) != 0:
        why = "its amount is negative"
    if why:
        raise RequestError(f"Stop(amount={limit.amount}, currency={limit.currency}) cannot count {key!r}: {why}")


def start(connection: sa.Connection, limit: Limit) -> None:
    """Count what the ledger has sent, and let every process that takes items count from now on.

    Raises:
        RequestError: An item cannot be counted.
    """
    if connection.dialect.name == "postgresql":  # a process that takes items now must end first, or count itself
        connection.exec_driver_sql(f"LOCK TABLE {items.name} IN SHARE ROW EXCLUSIVE MODE")
    is_other = (items.c.amount.is_(None)) | (items.c.currency != limit.currency) | items.c.amount.startswith("-")
    found = sa.select(items.c.key, items.c.amount, items.c.currency).where(items.c.state != "rejected", is_other)
    for key, amount, currency in connection.execute(found.order_by(items.c.id)):
        refuse_uncounted(limit, key, amount, currency)
    _write(connection, limit.currency, _sum(connection, limit.currency))


def count(connection: sa.Connection, entries: Iterable[Entry]) -> None:
    """Add what is taken, or was done by another way, where a process counts.

    It is called after the items were changed: a process that starts to count sees the change, or is seen here.
    """
    if SPENT.run(connection).scalar_one() is None:
        return
    currency, spent = _read(connection)
    more = _total(entry.amount for entry in entries if entry.currency == currency)
    _write(connection, currency, _EXACT.add(spent, more))


def affordable(connection: sa.Connection, limit: Limit, chosen: list[Entry]) -> tuple[list[Entry], str | None]:
    """Give the first items that stay within a limit, and why the next one does not.

    Raises:
        RequestError: The first item cannot be counted.
    """
    currency, spent = _read(connection)
    # Rejected and unsent items still count in the stored sum.
    if currency != limit.currency or _EXACT.add(spent, _total(entry.amount for entry in chosen)) > limit.amount:
        spent = _sum(connection, limit.currency)
        _write(connection, limit.currency, spent)
    for number, entry in enumerate(chosen):
        try:
            refuse_uncounted(limit, entry.key, entry.amount, entry.currency)
        except RequestError:
            if number:
                return chosen[:number], None
            raise
        after = _EXACT.add(spent, Decimal(entry.amount or 0))
        if after > limit.amount:
            return chosen[:number], (
                f"{spent} {limit.currency} of at most {limit.amount} are sent, done or unknown, and the next item, "
                f"{entry.key!r}, has {entry.amount}"
            )
        spent = after
    return chosen, None


def over(reason: str) -> BulkError:
    """Say that an item is not sent because of the limit."""
    return BulkError(f"the limit in money is reached: {reason}", outcome="not_sent")


def amounts_of(connection: sa.Connection) -> tuple[Amounts, ...]:
    """Give the money of all items that are `ready`, for each currency."""
    chosen = sa.select(items.c.currency, items.c.amount).where(items.c.state == "ready", items.c.amount.is_not(None))
    kept: dict[str, Amounts] = {}
    for currency, text in connection.execute(chosen):
        amount = Decimal(text)
        was = kept.get(currency, Amounts(currency, 0, Decimal(0), amount, amount))
        kept[currency] = Amounts(
            currency, was.items + 1, _EXACT.add(was.total, amount), max(was.largest, amount), min(was.smallest, amount)
        )
    return tuple(kept[currency] for currency in sorted(kept))


def _total(amounts: Iterable[str | None]) -> Decimal:
    return reduce(_EXACT.add, (Decimal(each or 0) for each in amounts), Decimal(0))


def _sum(connection: sa.Connection, currency: str) -> Decimal:
    chosen = sa.select(items.c.amount).where(items.c.state.in_(COUNTED), items.c.currency == currency)
    return _total(connection.execute(chosen).scalars())


def _read(connection: sa.Connection) -> tuple[str, Decimal]:
    currency, _, amount = str(SPENT_TO_CHANGE.run(connection).scalar_one()).partition(" ")
    return currency, Decimal(amount)


def _write(connection: sa.Connection, currency: str, spent: Decimal) -> None:
    SET_SPENT.run(connection, {"now_spent": f"{currency} {spent}"})
