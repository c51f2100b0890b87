"""Time and chance as one value, so that tests and the sandbox can replace them.

A transport may bring its own clock as an attribute `clock`; the sandbox does, so that a client connected to it never
really sleeps.
"""

import random
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

PROCESS = secrets.token_hex(8)
"""Names the monotonic clock of this process, which a forked child shares."""
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@cache
def _boot() -> str | None:
    """Return the ID of this start of the machine, or `None` if the machine has none."""
    return _BOOT_ID.read_text("utf-8").strip() if hasattr(time, "CLOCK_BOOTTIME") and _BOOT_ID.exists() else None


def uptime() -> tuple[str, float] | None:
    """Return the ID of this start of the machine and the seconds since then, or `None` if the machine has no ID.

    All processes of a machine share this clock. It runs while the machine sleeps, and nobody can set it.
    """
    boot = _boot()
    return None if boot is None else (boot, time.clock_gettime(time.CLOCK_BOOTTIME))


def machine_clock() -> tuple[str, float]:
    """Return the origin and the seconds of the clock that all processes of this machine share.

    It's the clock of `uptime`, or the time of day if the machine has no such clock.
    """
    return uptime() or ("time of day", time.time())


def _now() -> datetime:
    return datetime.now(UTC)


def _no_uptime() -> None:
    """Return nothing: a clock that a transport brings runs differently from the machine's."""


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
        uptime: The ID of this start of the machine, and the seconds since then; `None` if they aren't known.
        process: Names the process whose clock `monotonic` is.
        is_service: Whether `now` is the clock of the service itself, as in the sandbox.
    """

    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = _now
    sleep: Callable[[float], None] = time.sleep
    sleep_async: Callable[[float], Awaitable[None]] = _sleep
    uniform: Callable[[float, float], float] = random.uniform
    uptime: Callable[[], tuple[str, float] | None] = _no_uptime
    process: str = PROCESS
    is_service: bool = False


SYSTEM = Clock(uptime=uptime)
"""The system's clock. All code of a call takes the time from this object, and no module gives `time.monotonic` another
name. freezegun replaces such names, and a call would then compare two clocks (H421)."""
