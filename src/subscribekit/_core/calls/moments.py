"""Points in time on clocks that nobody can set, and the service's clock as a client's responses show it. No I/O."""

from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Final, NamedTuple, Self, TypeAlias

from ..._datetimes import http_date
from ..config.clock import Clock

QUICK: Final = 1.0
"""Seconds. The `Date` of a response that took longer doesn't show precisely enough when it was written."""
ROUNDED: Final = timedelta(seconds=1)
"""A `Date` has whole seconds."""

_NOTED = 8
_FIELDS = 6
_NONE = "-"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Bounds: TypeAlias = tuple[timedelta, timedelta]
"""The earliest and the latest time that a clock can have shown, each since 1970."""


def since_1970(time: datetime) -> timedelta:
    """Return a time of day as the time since 1970, which doesn't overflow at either end of the calendar."""
    return time - _EPOCH


def _uptime(clock: Clock) -> tuple[str, float]:
    """Return the start of the machine and the seconds since then, which no outcome depends on."""
    try:
        return clock.uptime() or (_NONE, 0.0)
    except OSError:  # the ID of the start is in a file: without a free descriptor it can't be read
        return _NONE, 0.0


class Moment(NamedTuple):
    """A point in time.

    Attributes:
        process: Names the process, and with it the monotonic clock.
        monotonic: Seconds of the monotonic clock.
        boot: Names the start of the machine; `-` if it isn't known.
        uptime: Seconds since then.
        service: The bounds of the service's time; `None` if it isn't known.
    """

    process: str
    monotonic: float
    boot: str
    uptime: float
    service: Bounds | None

    def __str__(self) -> str:
        told = (_NONE, _NONE) if self.service is None else [repr(each.total_seconds()) for each in self.service]
        return " ".join((self.process, repr(self.monotonic), self.boot, repr(self.uptime), *told))

    @classmethod
    def of(cls, text: str | None) -> Self | None:
        """Read the text of a moment; `None` for anything else."""
        fields = (text or "").split(" ")
        if len(fields) != _FIELDS:
            return None
        process, monotonic, boot, uptime, *told = fields
        try:
            numbers = [float(each) for each in (monotonic, uptime, *(each for each in told if each != _NONE))]
            earliest, latest = [timedelta(seconds=each) for each in numbers[2:]] or (None, None)
        except (ValueError, OverflowError):
            return None
        if not all(map(isfinite, numbers)):
            return None
        service = None if earliest is None or latest is None else (earliest, latest)
        return cls(process, numbers[0], boot, numbers[1], service)

    def age(self, clock: Clock) -> float | None:
        """Return the seconds since then, or `None` if no clock here ran at that moment, too (H401)."""
        if self.process == clock.process:
            return max(0.0, clock.monotonic() - self.monotonic)
        boot, uptime = _uptime(clock)
        return max(0.0, uptime - self.uptime) if boot == self.boot != _NONE else None


class ServiceDates:
    """The service's clock, as the `Date`s of the last responses to a client and its copies show it."""

    __slots__ = ("_noted",)

    def __init__(self) -> None:
        self._noted: deque[tuple[str, float, float]] = deque(maxlen=_NOTED)

    def note(self, headers: Mapping[str, str], began: float, ended: float) -> None:
        """Note the `Date` of a response, unless it took long or comes from a cache.

        Args:
            headers: The headers, by names in lower case.
            began: When its request began, by the client's monotonic clock.
            ended: When it was read.
        """
        date = headers.get("date")
        if date is None or ended - began > QUICK or headers.get("age", "0").strip().lstrip("0"):
            return
        if not self._noted or self._noted[-1][0] != date:
            self._noted.append((date, began, ended))

    def at(self, monotonic: float) -> Bounds | None:
        """Return the bounds of the service's time at a moment, by the `Date` that is furthest ahead.

        A `Date` that a cache kept falls behind the service's clock, so it isn't the one that is furthest ahead (H217).
        """
        bounds = list[Bounds]()
        for date, began, ended in tuple(self._noted):
            made = http_date(date)
            if made is not None:
                told = since_1970(made)
                earliest = told + timedelta(seconds=monotonic - ended)
                bounds.append((earliest, told + timedelta(seconds=monotonic - began) + ROUNDED))
        return max(bounds, default=None)


def moment_at(clock: Clock, dates: ServiceDates, monotonic: float, now: datetime) -> Moment:
    """Return the moment at a time of the client's monotonic clock.

    Args:
        clock: The client's clock.
        dates: The `Date`s of its responses.
        monotonic: The time, which isn't later than now.
        now: The time of day at that moment; it counts only if it's the service's own.
    """
    boot, uptime = _uptime(clock)
    service = (since_1970(now), since_1970(now)) if clock.is_service else dates.at(monotonic)
    return Moment(clock.process, monotonic, boot, uptime - (clock.monotonic() - monotonic), service)
