"""Points in time on clocks that nobody can set, and estimates of the service's clock. Does no I/O."""

from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Final, NamedTuple, Self, TypeAlias

from ..._datetimes import http_date
from ..config.clock import Clock

QUICK: Final = 1.0
"""Seconds. The `Date` of a slower response is ignored, because it can be too far from the time of the response."""
ROUNDED: Final = timedelta(seconds=1)
"""The precision of a `Date`, which has whole seconds."""

_MAX_DATES = 8
_FIELDS = 6
_NONE = "-"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Bounds: TypeAlias = tuple[timedelta, timedelta]
"""The earliest and the latest possible time of a clock, each as the time since 1970."""


def since_1970(time: datetime) -> timedelta:
    """Return the time since 1970, whose arithmetic can't overflow near the first or the last date."""
    return time - _EPOCH


def _uptime(clock: Clock) -> tuple[str, float]:
    """Return the ID of the machine's start and the seconds since then, or placeholders if they can't be read."""
    try:
        return clock.uptime() or (_NONE, 0.0)
    except OSError:  # the ID is in a file, which can't be read if no file descriptor is free
        return _NONE, 0.0


class Moment(NamedTuple):
    """A point in time.

    Attributes:
        process: ID of the process, which owns the monotonic clock.
        monotonic: Seconds of the monotonic clock.
        boot: ID of the machine's start, or `-` if it isn't known.
        uptime: Seconds since the machine's start.
        service: The bounds of the service's time, or `None` if it isn't known.
    """

    process: str
    monotonic: float
    boot: str
    uptime: float
    service: Bounds | None

    def __str__(self) -> str:
        service = (_NONE, _NONE) if self.service is None else [repr(each.total_seconds()) for each in self.service]
        return " ".join((self.process, repr(self.monotonic), self.boot, repr(self.uptime), *service))

    @classmethod
    def of(cls, text: str | None) -> Self | None:
        """Parse the string form of a moment, or return `None` for any other string."""
        fields = (text or "").split(" ")
        if len(fields) != _FIELDS:
            return None
        process, monotonic, boot, uptime, *bounds = fields
        try:
            numbers = [float(each) for each in (monotonic, uptime, *(each for each in bounds if each != _NONE))]
            earliest, latest = [timedelta(seconds=each) for each in numbers[2:]] or (None, None)
        except (ValueError, OverflowError):
            return None
        if not all(map(isfinite, numbers)):
            return None
        service = None if earliest is None or latest is None else (earliest, latest)
        return cls(process, numbers[0], boot, numbers[1], service)

    def age(self, clock: Clock) -> float | None:
        """Return the seconds since this moment, or `None` if no clock of this process was running then (H401)."""
        if self.process == clock.process:
            return max(0.0, clock.monotonic() - self.monotonic)
        boot, uptime = _uptime(clock)
        return max(0.0, uptime - self.uptime) if boot == self.boot != _NONE else None


class ServiceDates:
    """Estimates the service's clock from the `Date` headers of the last responses to a client and its copies."""

    __slots__ = ("_recorded",)

    def __init__(self) -> None:
        self._recorded: deque[tuple[str, float, float]] = deque(maxlen=_MAX_DATES)

    def note(self, headers: Mapping[str, str], began: float, ended: float) -> None:
        """Record the `Date` of a response, unless the response was slow or comes from a cache.

        Args:
            headers: The headers, by lowercase names.
            began: Start of the request, by the client's monotonic clock.
            ended: End of reading the response, by the same clock.
        """
        date = headers.get("date")
        if date is None or ended - began > QUICK or headers.get("age", "0").strip().lstrip("0"):
            return
        if not self._recorded or self._recorded[-1][0] != date:
            self._recorded.append((date, began, ended))

    def at(self, monotonic: float) -> Bounds | None:
        """Return the bounds of the service's time at a moment, or `None` if no `Date` is recorded.

        The bounds come from the `Date` that puts the service's clock furthest ahead, because a cached `Date` is behind
        that clock (H217).
        """
        bounds = list[Bounds]()
        for date, began, ended in tuple(self._recorded):
            parsed = http_date(date)
            if parsed is not None:
                sent = since_1970(parsed)
                earliest = sent + timedelta(seconds=monotonic - ended)
                bounds.append((earliest, sent + timedelta(seconds=monotonic - began) + ROUNDED))
        return max(bounds, default=None)


def moment_at(clock: Clock, dates: ServiceDates, monotonic: float, now: datetime) -> Moment:
    """Return the moment at a time of the client's monotonic clock.

    Args:
        clock: The client's clock.
        dates: The `Date` headers of the client's responses.
        monotonic: The time, which isn't later than now.
        now: The time of day at that moment. It's used only if the clock is the service's own.
    """
    boot, uptime = _uptime(clock)
    service = (since_1970(now), since_1970(now)) if clock.is_service else dates.at(monotonic)
    return Moment(clock.process, monotonic, boot, uptime - (clock.monotonic() - monotonic), service)
