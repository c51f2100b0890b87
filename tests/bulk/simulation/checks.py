"""Checks the promises of bulk runs after each commit and each effect, by comparing the ledger with the service."""

from __future__ import annotations

import sqlite3
from decimal import Decimal
from pathlib import Path

from subscribekit.bulk._ledger.schema import items

from .scheduler import Scheduler
from .service import Service

_LOOK = f"SELECT key, state, verdict, sends FROM {items.name}"


class Checks:
    """Compares the ledger with the service.

    Args:
        place: The path of the ledger.
        service: The service, which counts the effects.
        amounts: The amount of each item.
        limit: The maximum total of all effects, or `None` if there is no limit.
        has_own_id: Whether the request of an item contains the ID of its resource.
        scheduler: Receives the findings.
    """

    def __init__(
        self,
        place: Path,
        service: Service,
        amounts: dict[str, Decimal],
        limit: Decimal | None,
        has_own_id: bool,
        scheduler: Scheduler,
    ) -> None:
        self._place, self._service, self._amounts, self._limit = place, service, amounts, limit
        self._has_own_id, self._fail, self._note = has_own_id, scheduler.fail, scheduler.note
        self._known: dict[str, tuple[str, int]] = {}
        self._connection: sqlite3.Connection | None = None

    def after_effect(self, key: str) -> None:
        """Check an item that has just taken effect, and the total of all effects."""
        number = self._service.effects(key)
        if number > 1:
            self._fail(f"{key} took effect {number} times")
        spent = sum((self._amounts[each] * self._service.effects(each) for each in self._amounts), Decimal(0))
        if self._limit is not None and spent > self._limit:
            self._fail(f"the effects add up to {spent}, and the limit is {self._limit}")
        self.after_commit()

    def after_commit(self) -> None:
        """Check the state of every item."""
        for key, state, verdict, sends in self.rows():
            if self._known.get(key) != (state, sends):
                self._note(f"LEDGER: {key} is {state}, verdict {verdict}, claimed {sends} times")
                self._known[key] = state, sends
            problem = self.problem_with(key, state, verdict)
            if problem:
                self._fail(problem)

    def rows(self) -> list[tuple[str, str, str | None, int]]:
        """Return the committed items."""
        if self._connection is None:
            self._connection = sqlite3.connect(self._place, isolation_level=None, check_same_thread=False)
        try:
            return self._connection.execute(_LOOK).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return []
            raise

    def close(self) -> None:
        """Close the file, which moves its whole log into the database."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def problem_with(self, key: str, state: str, verdict: str | None) -> str | None:
        """Return why a recorded state is wrong, or `None` if it's right."""
        effects, to_come = self._service.effects(key), self._service.to_come[key]
        if state == "done" and not effects and not (verdict == "in_effect" and self._is_in_effect(key)):
            return f"{key} is recorded as applied ({verdict or 'by its response'}), and had no effect"
        if state in ("ready", "rejected") and effects:
            return f"{key} is recorded as {state} ({verdict or 'no verdict'}), and had its effect"
        if state in ("ready", "rejected") and to_come:
            return f"{key} is recorded as {state} ({verdict or 'no verdict'}), and its request is still on its way"
        return None

    def _is_in_effect(self, key: str) -> bool:
        """Whether another caller had already made an equal resource with the item's ID."""
        return self._has_own_id and bool(self._service.made.get(key))

    def at_the_end(self) -> None:
        """Check that every item has ended, with or without an effect, unless a limit keeps it from being sent."""
        for key, state, *_ in self.rows():
            if state in ("sent", "unknown") or (state == "ready" and self._limit is None):
                self._fail(f"{key} is {state} in the end")
