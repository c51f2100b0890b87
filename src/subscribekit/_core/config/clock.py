"""Time and chance as one value, so that tests and the sandbox can replace them.

A transport may bring its own clock as an attribute `clock`; the sandbox does, so that a client connected to it never
really sleeps.
"""

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime


def _now() -> datetime:
    return datetime.now(UTC)


async def _sleep(seconds: float) -> None:
    import asyncio  # a blocking client does without it

    await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Clock:
    """Where the drivers take time, sleep and randomness from.

    Args:
        monotonic: Seconds that never go back, for deadlines and durations.
        now: The time of day, with its time zone.
        sleep: Wait for some seconds, blocking.
        sleep_async: Wait for some seconds in the event loop.
        uniform: Draw a number between two others, for the back-off.
    """

    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = _now
    sleep: Callable[[float], None] = time.sleep
    sleep_async: Callable[[float], Awaitable[None]] = _sleep
    uniform: Callable[[float, float], float] = random.uniform


SYSTEM = Clock()
"""The system's clock. All code of a call takes the time from this object, and no module gives `time.monotonic` another
name. freezegun replaces such names, and a call would then compare two clocks (H421)."""
