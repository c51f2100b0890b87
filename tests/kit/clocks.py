"""Clocks whose sleeps take no time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from subscribekit._core.config.clock import Clock


@dataclass
class FakeTime:
    """A clock that only sleeps move forward. A test can also set `seconds`."""

    seconds: float = 1000.0
    slept: list[float] = field(default_factory=list[float])
    draws: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    while_asleep: Callable[[], None] = lambda: None

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds
        self.while_asleep()

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)

    def uniform(self, low: float, high: float) -> float:
        self.draws.append((low, high))
        return high

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def clock(self) -> Clock:
        return Clock(
            monotonic=self.monotonic,
            now=self.now,
            sleep=self.sleep,
            sleep_async=self.sleep_async,
            uniform=self.uniform,
        )


@dataclass
class RunningTime(FakeTime):
    """Real time, which every sleep moves forward. Sockets need it, because their timeouts pass in real time."""

    seconds: float = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.seconds

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self.seconds)
