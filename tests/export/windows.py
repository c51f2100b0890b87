"""A list of accounts that is filtered by time of creation, whatever the borders of a window mean."""

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
    """Make an account."""
    return {"object": "Account", "id": f"a{number}", "created": created and created.isoformat(), **more}


@dataclass
class Meaning:
    """How a service understands its filters.

    Attributes:
        after_is_open: Whether `created_after` leaves out its own moment.
        before_is_open: The same of `created_before`.
        fractions: Whether filters have them, or are cut to whole seconds.
        days: Whether only days are compared.
        known: The filters that it knows.
        without_time: Whether accounts without a time are in a window.
        counts: Whether it gives `total_count`.
    """

    after_is_open: bool = True
    before_is_open: bool = True
    fractions: bool = True
    days: bool = False
    known: Sequence[str] = ("created_after", "created_before")
    without_time: bool = False
    counts: bool = True


class Windows(Always):
    """Serves accounts in the order of their ids, in pages as asked for."""

    def __init__(self, accounts: Sequence[Account], meaning: Meaning) -> None:
        super().__init__(self._page)
        self.accounts, self.meaning = list(accounts), meaning
        self.handed: Counter[str] = Counter()
        """How often each account was sent in pages of more than one item."""

    def _page(self, sent: Sent) -> Any:
        asked = dict(sent.query) if "?" in sent.url else {}
        bounds = {name: self._time(asked[name]) for name in self.meaning.known if name in asked}
        wanted = [each for each in self.accounts if self._is_wanted(each, bounds)] if bounds else self.accounts
        after = asked.get("starting_after")
        begin = 0 if after is None else 1 + next(i for i, each in enumerate(wanted) if each["id"] == after)
        limit = int(asked.get("limit", "20"))
        part = wanted[begin : begin + limit]
        if limit > 1:
            self.handed.update(str(each["id"]) for each in part)
        more = f"/accounts?starting_after={part[-1]['id']}" if begin + limit < len(wanted) else None
        return page(*part, next_link=more, **({"total_count": len(wanted)} if self.meaning.counts else {}))

    def _is_wanted(self, each: Account, bounds: dict[str, datetime]) -> bool:
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
