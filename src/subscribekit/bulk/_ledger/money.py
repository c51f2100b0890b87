"""The amount limit: the amounts of items, and the total that a ledger has sent. All calculations are exact."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce

import sqlalchemy as sa

from ...errors import BulkError, InvalidArgumentError
from .charged import EXACT, Charged, charged
from .entries import Entry, entry_of
from .schema import items
from .statements import JOINED, SET_SPENT, SPENT, SPENT_TO_CHANGE

COUNTED = ("sent", "done", "unknown")
"""The states of items that may have moved money."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The maximum total amount that a ledger may send."""

    amount: Decimal
    currency: str

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts of the `ready` items in one currency.

    Attributes:
        currency: The currency code.
        items: The number of items.
        total: The sum of the items' amounts.
        largest: The largest amount.
        smallest: The smallest amount.
    """

    currency: str
    items: int
    total: Decimal
    largest: Decimal
    smallest: Decimal

    def __str__(self) -> str:
        total = f"{self.items:,} items with a total of {self.total} {self.currency}"
        return f"{total}, the largest {self.largest}, the smallest {self.smallest}"


def refuse_uncounted(limit: Limit, key: str, found: Charged) -> None:
    """Refuse an item whose amount can't be counted toward the amount limit.

    Raises:
        InvalidArgumentError: The amount isn't known, is negative, or is in another currency.
    """
    why = found.why
    if found.amount is None:
        why = why or "the request body has no amount or no currency"
    elif found.currency != limit.currency:
        why = f"its currency is {(found.currency or '')[:20]}, but the limit is in {limit.currency}"
    elif Decimal(found.amount).is_signed() and Decimal(found.amount) != 0:
        why = "its amount is negative"
    if why:
        raise InvalidArgumentError(f"can't count {key!r} toward the amount limit: {why}")


def _stored(entry: Entry) -> Charged:
    """Return the stored amount of an item, or the reason why the item has no amount."""
    if entry.amount is not None:
        return Charged(entry.amount, entry.currency)
    return Charged() if entry.call is None else Charged(why=charged(entry.operation, entry.call.body).why)


def start_counting(connection: sa.Connection, limit: Limit) -> None:
    """Store the total that the ledger has sent, to which every process then adds the amounts of its claims.

    Raises:
        InvalidArgumentError: The amount of an item can't be counted toward the amount limit.
    """
    if connection.dialect.name == "postgresql":
        # This statement waits until no other transaction is claiming items. If another transaction wants to claim
        # items, it waits until this transaction ends, and then adds the amounts to the total.
        connection.exec_driver_sql(f"LOCK TABLE {items.name} IN SHARE ROW EXCLUSIVE MODE")
    is_other = (items.c.amount.is_(None)) | (items.c.currency != limit.currency) | items.c.amount.startswith("-")
    found = JOINED.where(items.c.state != "rejected", is_other).order_by(items.c.id)
    for entry in map(entry_of, connection.execute(found)):
        refuse_uncounted(limit, entry.key, _stored(entry))
    _write(connection, limit.currency, _sum(connection, limit.currency))


def add_spent(connection: sa.Connection, entries: Iterable[Entry]) -> None:
    """Add the amounts of items that were claimed, or recorded as done, to the ledger's total, if there is a total.

    Call this function after the statements that change the items. If another process starts to count at the same time,
    that process either sees the changed items, or has already stored a total that this function updates.
    """
    if SPENT.run(connection).scalar_one() is None:
        return
    currency, spent = _read(connection)
    more = _total(entry.amount for entry in entries if entry.currency == currency)
    _write(connection, currency, EXACT.add(spent, more))


def affordable(connection: sa.Connection, limit: Limit, chosen: list[Entry]) -> tuple[list[Entry], str | None]:
    """Return the first items whose total is within the limit, and the reason why the next item exceeds the limit.

    Raises:
        InvalidArgumentError: The amount of the first item can't be counted toward the amount limit.
    """
    currency, spent = _read(connection)
    # Compute the total again before the limit stops the run, because the stored total may include unsent items.
    if currency != limit.currency or EXACT.add(spent, _total(entry.amount for entry in chosen)) > limit.amount:
        spent = _sum(connection, limit.currency)
        _write(connection, limit.currency, spent)
    for number, entry in enumerate(chosen):
        try:
            refuse_uncounted(limit, entry.key, _stored(entry))
        except InvalidArgumentError:
            if number:
                return chosen[:number], None
            raise
        after = EXACT.add(spent, Decimal(entry.amount or 0))
        if after > limit.amount:
            return chosen[:number], (
                f"{spent} of {limit.amount} {limit.currency} are sent, done, or unknown, and the next item, "
                f"{entry.key!r}, would add {entry.amount}"
            )
        spent = after
    return chosen, None


def limit_error(reason: str) -> BulkError:
    """Return the error of an item that isn't sent because of the amount limit."""
    return BulkError(f"the amount limit is reached: {reason}", outcome="not_sent")


def amounts_of(connection: sa.Connection) -> tuple[Amounts, ...]:
    """Return the amounts of all `ready` items, for each currency."""
    chosen = sa.select(items.c.currency, items.c.amount).where(items.c.state == "ready", items.c.amount.is_not(None))
    by_currency: dict[str, Amounts] = {}
    for currency, text in connection.execute(chosen):
        amount = Decimal(text)
        earlier = by_currency.get(currency, Amounts(currency, 0, Decimal(0), amount, amount))
        by_currency[currency] = Amounts(
            currency,
            earlier.items + 1,
            EXACT.add(earlier.total, amount),
            max(earlier.largest, amount),
            min(earlier.smallest, amount),
        )
    return tuple(by_currency[currency] for currency in sorted(by_currency))


def _total(amounts: Iterable[str | None]) -> Decimal:
    return reduce(EXACT.add, (Decimal(each or 0) for each in amounts), Decimal(0))


def _sum(connection: sa.Connection, currency: str) -> Decimal:
    chosen = sa.select(items.c.amount).where(items.c.state.in_(COUNTED), items.c.currency == currency)
    return _total(connection.execute(chosen).scalars())


def _read(connection: sa.Connection) -> tuple[str, Decimal]:
    currency, _, amount = str(SPENT_TO_CHANGE.run(connection).scalar_one()).partition(" ")
    return currency, Decimal(amount)


def _write(connection: sa.Connection, currency: str, spent: Decimal) -> None:
    SET_SPENT.run(connection, {"now_spent": f"{currency} {spent}"})
