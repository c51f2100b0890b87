"""Settings and results of a run: rate limit, stop rules, counts, and states."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from ..errors import ConfigurationError

State: TypeAlias = Literal["ready", "sent", "done", "rejected", "unknown"]
STATES: tuple[State, ...] = ("ready", "sent", "done", "rejected", "unknown")

RecordedOutcome: TypeAlias = Literal["applied", "not_applied", "rejected"]
"""Outcomes that `record_outcome` stores."""


def positive(name: str, value: object, longest: float) -> float:
    """Check a number that is more than 0 and at most `longest`.

    Raises:
        ConfigurationError: It is not one.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= longest:
        raise ConfigurationError(f"{name} must be a number above 0 and at most {longest:,g}")
    return float(value)


def count(name: str, value: object, most: int) -> int:
    """Check a whole number from 1 to `most`.

    Raises:
        ConfigurationError: It is not one.
    """
    if type(value) is not int or not 1 <= value <= most:
        raise ConfigurationError(f"{name} must be a whole number from 1 to {most:,}")
    return value


@dataclass(frozen=True, slots=True)
class RateLimit:
    """How many requests are sent at most, evenly spread.

    It holds for all workers of all processes that share the ledger, so give each process the same limit.

    Args:
        requests: How many, 1 to 10,000.
        per: In so many seconds, at most 86,400.

    Raises:
        ConfigurationError: A value is not one of these.
    """

    requests: int
    per: float = 1.0

    def __post_init__(self) -> None:
        count("RateLimit.requests", self.requests, 10_000)
        positive("RateLimit.per", self.per, 86_400)


@dataclass(frozen=True, slots=True, kw_only=True)
class StopPolicy:
    """When a run ends before all items have: what is under way ends, the rest stays `ready`.

    Items that end in one call of `send` count. A run stops by itself when the service refuses the
    credential, since every further item would be rejected, too.

    Args:
        max_rejected: Stop after this many rejected items. Default: no limit.
        max_unknown: Stop after this many unknown outcomes. Default: no limit.
        max_items: Stop after this many items were sent: a canary, to check the first results before the run sends the
            rest. The limit holds for each call of `send`, so another call sends this many more. Default: no limit.
        max_amount: The most money, in units of `currency` (100 is 100 dollars), that items which are `sent`, `done` or
            `unknown` may add up to. It counts the whole ledger, with earlier runs and other processes, and holds for
            `send_once` too. An item counts with the `amount` and `currency` of its body. A transaction with `items` and
            without `amount` counts with price times quantity, if each item has `tax_type="Inclusive Sales"` or
            `tax_classification="TaxExempt"` (published). An item whose amount isn't known so is refused.
        currency: The currency of `max_amount`, such as `USD`.

    Raises:
        ConfigurationError: A value is no whole number of at least 1; or `amount` is not exact or not above 0, or comes
            without `currency`.
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
                "an amount limit needs an exact amount above 0 and a currency; write "
                "StopPolicy(max_amount=Decimal('10000'), currency='USD')"
            )


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items are in which state.

    Attributes:
        ready: Not sent, to be sent.
        sent: Under way; or sent by a process that died, until its lease ends.
        done: Carried out.
        rejected: Refused by the service; nothing was changed.
        unknown: It is not known whether they were carried out.
    """

    ready: int = 0
    sent: int = 0
    done: int = 0
    rejected: int = 0
    unknown: int = 0

    @property
    def total(self) -> int:
        """All items."""
        return self.ready + self.sent + self.done + self.rejected + self.unknown
