"""The sandbox's time. Unless the sandbox has a `clock`, the time changes only when you call `advance`."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from .._core.config.locks import Guard

__tracebackhide__ = True  # pytest leaves modules with this variable out of tracebacks, and shows the line of the caller

END = datetime(9000, 1, 1, tzinfo=UTC)
"""The latest time that `advance` can reach.

The limit leaves room for the dates of later bills, because Python's dates end in 9999.
"""

EXAMPLES = {"days": 31, "hours": 1, "minutes": 5, "seconds": 30}
"""The units that `advance` accepts, each with an example value for error messages."""

DEFAULT_START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class SandboxClock:
    """The clock of a sandbox: the time of its base clock, plus the time by which `advance` has moved it."""

    def __init__(self, base: Callable[[], datetime] | None = None) -> None:
        self._base = base or (lambda: DEFAULT_START)
        self._guard = Guard()
        self._slept = 0.0
        self.offset: timedelta = timedelta()

    def now(self) -> datetime:
        """Return the sandbox's time, in UTC.

        Raises:
            ValueError: The sandbox's `clock` returned a time without a time zone.
        """
        time = self._base()
        if time.tzinfo is None:
            raise ValueError("the sandbox's clock must return datetimes with a time zone, such as datetime.now(UTC)")
        return time.astimezone(UTC) + self.offset

    def monotonic(self) -> float:
        """Return the total time of the clients' simulated waits, in seconds."""
        return self._slept

    def sleep(self, seconds: float) -> None:
        """Simulate the wait of a client: add the seconds to the clients' clock, and return immediately."""
        with self._guard.lock:
            self._slept += max(seconds, 0.0)

    async def sleep_async(self, seconds: float) -> None:
        """Simulate the wait of an async client, and let other tasks run once."""
        self.sleep(seconds)
        await asyncio.sleep(0)


def time_ahead(now: datetime, **units: object) -> timedelta:
    """Return the time by which `Sandbox.advance` moves the sandbox's time.

    Args:
        now: The sandbox's current time.
        units: The numbers of days, hours, minutes, and seconds by which the time moves.

    Raises:
        TypeError: An argument isn't a number.
        ValueError: An argument isn't finite, the sum is negative, or the new time would be after January 1, 9000.
    """
    numbers = {unit: _number(unit, number) for unit, number in units.items()}
    try:
        ahead = timedelta(**numbers)
    except OverflowError:
        ahead = timedelta.max if max(numbers.values()) > 0 else timedelta.min
    if ahead < timedelta():
        raise ValueError("sandbox.advance() can't move the time back; use sandbox.restore(snapshot)")
    if ahead > END - now:
        raise ValueError("sandbox.advance() can't move the time past January 1, 9000")
    return ahead


def _number(unit: str, value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        example = "seconds=delta.total_seconds()" if isinstance(value, timedelta) else f"{unit}={EXAMPLES[unit]}"
        kind = type(value).__name__
        raise TypeError(f"{unit} must be a number, not {kind}; for example, call sandbox.advance({example})")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{unit} must be a finite number, not {value}")
    return value
