"""The clock and the random numbers of a client, as an object that tests and the sandbox can replace.

A transport can replace the clock with its attribute `clock`. The sandbox replaces the clock, so that clients of the
sandbox never really sleep.
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
"""The ID of the monotonic clock of this process. A forked child has the same monotonic clock as its parent, and
therefore the same ID."""
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@cache
def _boot() -> str | None:
    """Return the boot ID of the machine, or `None` if the machine has no boot ID or no boot clock."""
    return _BOOT_ID.read_text("utf-8").strip() if hasattr(time, "CLOCK_BOOTTIME") and _BOOT_ID.exists() else None


def uptime() -> tuple[str, float] | None:
    """Return the machine's boot ID and the seconds since the machine started, or `None` if the machine has no boot ID.

    All processes of a machine share the boot clock. The boot clock also runs while the machine sleeps, and nobody can
    set it.
    """
    boot = _boot()
    return None if boot is None else (boot, time.clock_gettime(time.CLOCK_BOOTTIME))


def machine_clock() -> tuple[str, float]:
    """Return the ID of a clock that all processes of this machine share, and the clock's time in seconds.

    The clock is the boot clock, or the time of day if the machine has no boot ID.
    """
    return uptime() or ("time of day", time.time())


def _now() -> datetime:
    return datetime.now(UTC)


def _no_uptime() -> None:
    """Return `None`, because a transport's own clock runs differently from the machine's clock."""


async def _sleep(seconds: float) -> None:
    import asyncio  # asyncio is imported here, because a sync client doesn't need it

    await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Clock:
    """The clock of a call, which returns the time, sleeps, and draws random numbers.

    Args:
        monotonic: Returns seconds that never decrease, for deadlines and durations.
        now: Returns the current date and time, with a time zone.
        sleep: Blocks the thread for a number of seconds.
        sleep_async: Waits for a number of seconds in the event loop.
        uniform: Returns a random number between two numbers, for the backoff.
        uptime: Returns the machine's boot ID and the seconds since the machine started, or `None` if the boot ID isn't
            known.
        process: The ID of the process whose clock is `monotonic`.
        is_service: Whether `now` is the clock of the service, as in the sandbox.
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
"""The system's clock, from which all code of a call reads the time. No module imports `time.monotonic` by name, because
freezegun replaces such names, and a call would then compare two different clocks (H421)."""
