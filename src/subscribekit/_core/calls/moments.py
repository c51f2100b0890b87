"""Points in time on monotonic clocks, which can't be set, and estimates of the service's clock. Does no I/O."""

from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Final, NamedTuple, Self, TypeAlias

from ..._datetimes import http_date
from ..config.clock import Clock

QUICK: Final = 1.0
"""Maximum duration in seconds of an exchange whose `Date` is used. The `Date` of a slow exchange is inaccurate."""
ROUNDED: Final = timedelta(seconds=1)
"""The precision of a `Date` header, which contains whole seconds."""

_MAX_DATES = 8
_FIELDS = 6
_NONE = "-"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Bounds: TypeAlias = tuple[timedelta, timedelta]
"""The earliest and the latest possible time of a clock, each as the time since 1970."""


def since_1970(time: datetime) -> timedelta:
    """Return the duration since 1970. Unlike a `datetime`, a duration can't overflow near the year 1 or 9999."""
    return time - _EPOCH


def _uptime(clock: Clock) -> tuple[str, float]:
    """Return the machine's boot ID and uptime in seconds, or placeholders if the system doesn't report an uptime."""
    try:
        return clock.uptime() or (_NONE, 0.0)
    except OSError:  # the boot ID is in a file, which can't be read if no file descriptor is free
        return _NONE, 0.0


class Moment(NamedTuple):
    """A point in time, as measured by several clocks.

    Attributes:
        process: ID of the process that read the monotonic clock.
        monotonic: Time of the monotonic clock, in seconds.
        boot: Boot ID of the machine, or `-` if the ID isn't known.
        uptime: Seconds since the machine's start.
        service: The earliest and the latest possible time of the service, or `None` if the service's time isn't known.
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
        """Return the seconds since this moment, or `None` if no clock of this process measured this moment (H401)."""
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
            headers: Headers of the response, by lowercase names.
            began: Time when the request started, on the client's monotonic clock.
            ended: Time when the whole response had been read, on the client's monotonic clock.
        """
        date = headers.get("date")
        if date is None or ended - began > QUICK or headers.get("age", "0").strip().lstrip("0"):
            return
        if not self._recorded or self._recorded[-1][0] != date:
            self._recorded.append((date, began, ended))

    def at(self, monotonic: float) -> Bounds | None:
        """Return the earliest and the latest possible time of the service, or `None` if no valid `Date` is recorded.

        If the recorded `Date` headers disagree, the method uses the header that results in the latest time, because
        the `Date` of a cached response is too early (H217).
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
    """Convert a time of the client's monotonic clock to a `Moment`, which contains this time on several clocks.

    Args:
        clock: The client's clock.
        dates: The `Date` headers of the client's responses.
        monotonic: The time on the client's monotonic clock, which must not be in the future.
        now: The date and time of the moment. The function uses `now` only if the client's clock is the service's clock.
    """
    boot, uptime = _uptime(clock)
    service = (since_1970(now), since_1970(now)) if clock.is_service else dates.at(monotonic)
    return Moment(clock.process, monotonic, boot, uptime - (clock.monotonic() - monotonic), service)
