"""The faults of one seed: a few random kinds, each with a high rate."""

from __future__ import annotations

from collections import Counter
from random import Random

from .scheduler import Scheduler

RATES = {
    # Faults at each switch point
    "killed": 0.02,
    "process is paused": 0.02,
    "thread is paused": 0.03,
    "clock steps forward": 0.02,
    "clock steps backward": 0.02,
    # Faults at each commit
    "commit fails before": 0.4,
    "commit fails after": 0.4,
    "killed before commit": 0.15,
    "killed in commit": 0.15,
    "killed after commit": 0.15,
    # Faults at each write
    "connection refused": 0.4,
    "request lost": 0.4,
    "response lost": 0.4,
    "late effect": 0.4,
    "late response": 0.4,
    "rejected": 0.3,
    "server error": 0.4,
    "slow down": 0.3,
    # Faults at each read
    "read fails": 0.3,
    "read is slow": 0.5,
    "read is cached": 0.5,
}
"""All kinds of faults, with their maximum rates."""
ACTIONS = {"run is left": 0.3, "resolve": 1.0, "operator records": 1.0}
"""The decisions of a process after each item or after a run has stopped, with their maximum rates."""
_MOST = {"killed": 3, "killed before commit": 2, "killed in commit": 2, "killed after commit": 2}
_MOST_OF_OTHERS = 12


class Faults:
    """Decides which faults happen.

    Args:
        random: The random generator of the seed.
        scheduler: Writes each fault to the trace.
    """

    def __init__(self, random: Random, scheduler: Scheduler) -> None:
        self.random, self._scheduler = random, scheduler
        kinds = random.sample(sorted(RATES), random.randint(2, 6))
        self.rates = {kind: RATES[kind] * random.uniform(0.3, 1.0) for kind in kinds}
        self.rates |= {kind: rate * random.random() for kind, rate in ACTIONS.items() if random.random() < 0.6}
        self.fired: Counter[str] = Counter()
        self.are_over = False

    def strike(self, kind: str) -> bool:
        """Return whether a fault happens here."""
        rate = self.rates.get(kind, 0.0)
        if self.are_over or not rate or self.random.random() >= rate:
            return False
        if self.fired[kind] >= _MOST.get(kind, _MOST_OF_OTHERS):
            return False
        self.fired[kind] += 1
        self._scheduler.note(f"FAULT: {kind}")
        return True
