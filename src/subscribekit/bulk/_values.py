"""Settings and results of a run: rate limit, stop rules, counts, and states."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from ..errors import ConfigurationError

State: TypeAlias = Literal["ready", "sent", "done", "rejected", "unknown"]
STATES: tuple[State, ...] = ("ready", "sent", "done", "rejected", "unknown")

RecordedOutcome: TypeAlias = Literal["applied", "not_applied", "rejected"]
"""The outcomes that `record_outcome` accepts."""


def positive(name: str, value: object, maximum: float) -> float:
    """Check a number that must be above 0 and at most `maximum`.

    Raises:
        ConfigurationError: The value isn't a number above 0 and at most `maximum`.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= maximum:
        raise ConfigurationError(f"{name} must be a number above 0 and at most {maximum:,g}")
    return float(value)


def count(name: str, value: object, maximum: int) -> int:
    """Check a whole number from 1 to `maximum`.

    Raises:
        ConfigurationError: The value isn't a whole number from 1 to `maximum`.
    """
    if type(value) is not int or not 1 <= value <= maximum:
        raise ConfigurationError(f"{name} must be a whole number from 1 to {maximum:,}")
    return value


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The maximum number of requests in a period. The run spreads the requests evenly over the period.

    The limit applies to all workers of all processes that share the ledger, so use the same limit in each process.

    Args:
        requests: The number of requests, from 1 to 10,000.
        per: The period in seconds, above 0 and at most 86,400.

    Raises:
        ConfigurationError: A value is out of range.
    """

    requests: int
    per: float = 1.0

    def __post_init__(self) -> None:
        count("RateLimit.requests", self.requests, 10_000)
        positive("RateLimit.per", self.per, 86_400)


@dataclass(frozen=True, slots=True, kw_only=True)
class StopPolicy:
    """The conditions that end a run early. Requests in flight are completed, and the remaining items stay `ready`.

    Except for `max_amount`, each limit counts the items that end in one call of `send`. A run also stops without a
    `StopPolicy` if the service rejects the credential, because it would reject all other items too.

    Args:
        max_rejected: Stop after this many rejected items. Default: no limit.
        max_unknown: Stop after this many unknown outcomes. Default: no limit.
        max_items: Stop after this many items were sent. Use `max_items` for a canary, to check the first results before
            the run sends the rest. Each further call of `send` sends up to `max_items` more items. Default: no limit.
        max_amount: The maximum total of the amounts of all `sent`, `done`, and `unknown` items, in units of `currency`:
            100 is 100 dollars. The total covers the whole ledger, including the items of earlier runs and of other
            processes. `max_amount` also applies to `send_once`. The amount of an item is the `amount` in its body. If a
            transaction has `items` but no `amount`, its amount is the sum of price times quantity. Each item of a
            transaction without an `amount` needs `tax_type="Inclusive Sales"` or `tax_classification="TaxExempt"`
            (published). The run refuses an item whose amount can't be determined.
        currency: The currency of `max_amount`, such as `USD`.

    Raises:
        ConfigurationError: `max_rejected`, `max_unknown`, or `max_items` isn't a whole number of at least 1. The SDK
            also raises `ConfigurationError` if `max_amount` isn't a finite `Decimal` above 0, or if `currency` isn't a
            code of three capital letters.
    """

    max_rejected: int | None = None
    max_unknown: int | None = None
    max_items: int | None = None
    max_amount: Decimal | None = None
    currency: str | None = None

    def __post_init__(self) -> None:
        for name in ("max_rejected", "max_unknown", "max_items"):
            value: object = getattr(self, name)
            if value is not None:
                count(f"StopPolicy.{name}", value, 10**12)
        self._check_money()

    def _check_money(self) -> None:
        amount: object = self.max_amount
        if amount is None and self.currency is None:
            return
        is_exact = isinstance(amount, Decimal) and amount.is_finite() and amount > 0
        if not is_exact or not isinstance(self.currency, str) or not re.fullmatch(r"[A-Z]{3}", self.currency):
            raise ConfigurationError(
                "max_amount must be a Decimal above 0 and needs a currency; write "
                "StopPolicy(max_amount=Decimal('10000'), currency='USD')"
            )


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of items in each state.

    Attributes:
        ready: Items to send.
        sent: Items in flight, and items that a dead process claimed, until the lease of that process ends.
        done: Items that were carried out.
        rejected: Items that the service rejected without changing anything.
        unknown: Items that may or may not have been carried out.
    """

    ready: int = 0
    sent: int = 0
    done: int = 0
    rejected: int = 0
    unknown: int = 0

    @property
    def total(self) -> int:
        """The number of all items."""
        return self.ready + self.sent + self.done + self.rejected + self.unknown
