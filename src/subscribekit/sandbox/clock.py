"""The sandbox's time: it stands still unless a clock is given, and moves when told to."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from .._core.config.locks import Guard

__tracebackhide__ = True  # pytest shows the line of the caller instead

END = datetime(9000, 1, 1, tzinfo=UTC)
"""Time does not move beyond: what is due later has a date still."""

EXAMPLES = {"days": 31, "hours": 1, "minutes": 5, "seconds": 30}
"""The units that time is moved by, and how many of them an error shows."""

DEFAULT_START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class SandboxClock:
    """A clock with an offset."""

    def __init__(self, base: Callable[[], datetime] | None = None) -> None:
        self._base = base or (lambda: DEFAULT_START)
        self._guard = Guard()
        self._slept = 0.0
        self.offset: timedelta = timedelta()

    def now(self) -> datetime:
        """Return the sandbox's time, in UTC.

        Raises:
            ValueError: The clock that was given tells a time without a zone.
        """
        told = self._base()
        if told.tzinfo is None:
            raise ValueError("the sandbox's clock must tell an aware datetime")
        return told.astimezone(UTC) + self.offset

    def monotonic(self) -> float:
        """Return the seconds that clients of the sandbox have slept, or waited for slow responses."""
        return self._slept

    def sleep(self, seconds: float) -> None:
        """Let a client's back-off, or its wait for a piece of a response, pass at once."""
        with self._guard.lock:
            self._slept += max(seconds, 0.0)

    async def sleep_async(self, seconds: float) -> None:
        """The same for an asynchronous client."""
        self.sleep(seconds)
        await asyncio.sleep(0)


def time_ahead(now: datetime, **units: object) -> timedelta:
    """Add up what time moves by.

    Args:
        now: The present time.
        units: How many days, hours, minutes and seconds.

    Raises:
        TypeError: One of them is no number.
        ValueError: Time does not move back, nor beyond the year 9000.
    """
    numbers = {unit: _number(unit, given) for unit, given in units.items()}
    try:
        ahead = timedelta(**numbers)
    except OverflowError:
        ahead = timedelta.max if max(numbers.values()) > 0 else timedelta.min
    if ahead < timedelta():
        raise ValueError("time does not move back")
    if ahead > END - now:
        raise ValueError("time does not move beyond the year 9000")
    return ahead


def _number(unit: str, given: object) -> float:
    if not isinstance(given, int | float) or isinstance(given, bool):
        how = "seconds=delta.total_seconds()" if isinstance(given, timedelta) else f"{unit}={EXAMPLES[unit]}"
        kind = type(given).__name__
        raise TypeError(f"sandbox.advance() takes {unit} as a number, not {kind}: write sandbox.advance({how})")
    if isinstance(given, float) and not math.isfinite(given):
        raise ValueError(f"time moves by a finite number of {unit}, not {given}")
    return given
