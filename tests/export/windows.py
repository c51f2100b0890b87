"""A list of accounts with filters by creation time. A test chooses how the service interprets the filters."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kit.calls import Always, Sent, page

Account = dict[str, object]


def account(number: int, created: datetime | None, **more: object) -> Account:
    return {"object": "Account", "id": f"a{number}", "created": created and created.isoformat(), **more}


@dataclass
class Meaning:
    """The way in which a service interprets its filters.

    Attributes:
        after_is_open: Whether `created_after` excludes items with exactly this time.
        before_is_open: Whether `created_before` excludes items with exactly this time.
        fractions: Whether the filters use fractions of seconds. If not, the service cuts them off.
        days: Whether the service compares only days.
        known: The filters that the service knows.
        without_time: Whether accounts without a creation time are in every window.
        counts: Whether pages contain `total_count`.
    """

    after_is_open: bool = True
    before_is_open: bool = True
    fractions: bool = True
    days: bool = False
    known: Sequence[str] = ("created_after", "created_before")
    without_time: bool = False
    counts: bool = True


class Windows(Always):
    """A service that returns accounts in the given order, in pages of the requested size."""

    def __init__(self, accounts: Sequence[Account], meaning: Meaning) -> None:
        super().__init__(self._page)
        self.accounts, self.meaning = list(accounts), meaning
        self.times_sent: Counter[str] = Counter()
        """Number of times that each account was sent in a page whose limit is more than 1."""

    def _page(self, sent: Sent) -> Any:
        params = dict(sent.query) if "?" in sent.url else {}
        bounds = {name: self._time(params[name]) for name in self.meaning.known if name in params}
        matching = [each for each in self.accounts if self._matches(each, bounds)] if bounds else self.accounts
        after = params.get("starting_after")
        begin = 0 if after is None else 1 + next(i for i, each in enumerate(matching) if each["id"] == after)
        limit = int(params.get("limit", "20"))
        part = matching[begin : begin + limit]
        if limit > 1:
            self.times_sent.update(str(each["id"]) for each in part)
        more = f"/accounts?starting_after={part[-1]['id']}" if begin + limit < len(matching) else None
        return page(*part, next_link=more, **({"total_count": len(matching)} if self.meaning.counts else {}))

    def _matches(self, each: Account, bounds: dict[str, datetime]) -> bool:
        created = each["created"]
        if created is None:
            return self.meaning.without_time
        after = operator.gt if self.meaning.after_is_open else operator.ge
        before = operator.lt if self.meaning.before_is_open else operator.le
        at = self._time(str(created)) if self.meaning.days else datetime.fromisoformat(str(created))
        is_after = "created_after" not in bounds or after(at, bounds["created_after"])
        return is_after and ("created_before" not in bounds or before(at, bounds["created_before"]))

    def _time(self, text: str) -> datetime:
        time = datetime.fromisoformat(text)
        if self.meaning.days:
            return time.replace(hour=0, minute=0, second=0, microsecond=0)
        return time if self.meaning.fractions else time.replace(microsecond=0)
