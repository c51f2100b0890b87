"""The sandbox's time: it stands still unless a clock is given, and moves when told to."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

DEFAULT_START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class SandboxClock:
    """A clock with an offset."""

    def __init__(self, base: Callable[[], datetime] | None = None) -> None:
        self._base = base or (lambda: DEFAULT_START)
        self._lock = threading.Lock()
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
        with self._lock:
            self._slept += max(seconds, 0.0)

    async def sleep_async(self, seconds: float) -> None:
        """The same for an asynchronous client."""
        self.sleep(seconds)
        await asyncio.sleep(0)
