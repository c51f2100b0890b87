"""Determines when a write was sent, and which responses are newer than the write. Does no I/O."""

from datetime import datetime, timedelta
from math import ceil

from ..._datetimes import http_date
from ...errors import NotFoundError
from ..calls.moments import QUICK, ROUNDED, Bounds, Moment, since_1970
from ..calls.response import Response
from ..config.clock import Clock

_SLACK = timedelta(seconds=0.5)
"""Tolerance for a `Date`, because a server can write the `Date` too early, and because clocks are corrected."""


class UnreadError(Exception):
    """A read doesn't show whether a write was carried out. The error's message is a clause for `Verdict.evidence`."""


class OldResponseError(UnreadError):
    """A response may be older than the write. A later check may get a response that is newer than the write."""


class ServiceClock:
    """The service's clock, estimated from the `Date` headers of all checks (H216).

    The estimate is the difference between the service's clock and the client's monotonic clock. A `Date` is never ahead
    of the service's clock, but a cached `Date` falls behind the service's clock. The estimate therefore uses the `Date`
    that is furthest ahead. If a response's `Date` is behind the estimated clock, the response comes from a cache.

    Args:
        sent: The moment when the write was sent, or `None` if the moment isn't known.
        sent_at: The date and time when the write was sent, by the clock of the process that sent the write.
        clock: The client's clock.
    """

    def __init__(self, sent: Moment | None, sent_at: datetime | None, clock: Clock) -> None:
        now, age = clock.now(), None if sent is None else sent.age(clock)
        self._clock = clock
        self._sent = None if age is None else timedelta(seconds=clock.monotonic() - age)
        self._service_at_sending = None if sent is None else sent.service
        has_zone = sent_at is not None and sent_at.tzinfo is not None
        self._sent_at = since_1970(min(sent_at, now) if has_zone and sent_at is not None else now)
        self._ahead: timedelta | None = None
        self._most: list[timedelta] = []

    def check(self, name: str, reply: object) -> Bounds | None:
        """Return the earliest and the latest time of the service's clock that a response allows.

        Returns:
            The `Date` of the response and the latest time, or `None` if the response has no `Date`.

        Raises:
            OldResponseError: The response comes from a cache, or its `Date` is before the write.
        """
        if not isinstance(reply, Response | NotFoundError):
            return None
        ended = timedelta(seconds=self._clock.monotonic())
        began = ended - timedelta(seconds=reply.elapsed)
        date = http_date(reply.headers.get("date", ""))
        made = None if date is None else since_1970(date)
        if made is not None:
            self._ahead = made - ended if self._ahead is None else max(self._ahead, made - ended)
        age = reply.headers.get("age", "0").strip()
        if age.lstrip("0"):
            raise OldResponseError(f"{name} was read from a cache (Age: {age[:20]})")
        if made is None:
            return None
        self._refuse_before_the_write(name, made)
        most = made + ROUNDED - began
        if reply.elapsed <= QUICK:
            self._most.append(most)
        return made, most + _SLACK

    def _refuse_before_the_write(self, name: str, made: timedelta) -> None:
        """Raise `OldResponseError` if a response's `Date` is before the time when the write was sent.

        If the service's time when the write was sent isn't known, use the local time. The local time can be wrong,
        because someone can set the clock, so the method uses the local time only to reject a response.
        """
        sent_at = self._sent_at if self._service_at_sending is None else self._service_at_sending[0]
        if made >= _whole(sent_at):
            return
        early = int((sent_at - made).total_seconds())
        why = "a cache kept the response"
        if self._service_at_sending is None:
            behind = int((since_1970(self._clock.now()) - made).total_seconds())
            why = f"the service's clock is {behind} s behind, or {why}"
        raise OldResponseError(f"the response of {name} has a Date that is {early} s before the write (cause: {why})")

    def are_new(self, looked: list[Bounds | None]) -> bool:
        """Return whether all responses of a check are as new as the estimate of the service's clock.

        Args:
            looked: The results of `check` for the responses.
        """
        return self._ahead is None or all(each is not None and each[1] >= self._ahead for each in looked)

    @property
    def _sending(self) -> Bounds | None:
        """The earliest and latest possible time of sending, by the service's clock, or `None` if unknown (H400)."""
        if self._clock.is_service:
            return self._service_at_sending
        quick = [] if self._ahead is None else [most for most in self._most if most >= self._ahead]
        if self._ahead is None or not quick:
            return None
        return self._service_at_sending if self._sent is None else (self._ahead + self._sent, min(quick) + self._sent)

    def is_since(self, created: datetime | None) -> bool | None:
        """Return whether a resource was created after the write was sent, or up to a second before the write.

        If the service returns times in whole seconds, the returned time of the creation can be up to two seconds before
        the write, because the service rounds times down (H217).

        Returns:
            `True` or `False`, or `None` if the clocks don't show the order of the write and the creation.
        """
        sending = self._sending
        if created is None:
            return False
        if sending is None:
            return None
        time = since_1970(created)
        earliest, latest = sending if created.microsecond else map(_whole, sending)
        if time >= max(earliest, latest - ROUNDED):
            return True
        return None if time >= earliest else False

    @property
    def may_tell(self) -> bool:
        """Whether later reads may show if a resource was created after the write was sent."""
        return self._ahead is not None and (self._sent is not None or self._service_at_sending is not None)


def _whole(time: timedelta) -> timedelta:
    """Round down to whole seconds."""
    return time // ROUNDED * ROUNDED


class Waiting:
    """The time for which the write may still be in flight.

    The age of the write is measured by the first available of these clocks: the monotonic clock, the machine's boot
    clock, and the service's clock (H401). If no clock is available, the age of the write is the time since the first
    check.

    Args:
        latest: The latest moment when the write can have been sent, or `None` if that moment isn't known.
        clock: The client's clock.
        begun: Time of the first check, on the client's monotonic clock.
        after: If the write is at least this many seconds old, a missing resource proves that the write wasn't carried
            out.
    """

    def __init__(self, latest: Moment | None, clock: Clock, begun: float, after: float) -> None:
        age = None if latest is None else latest.age(clock)
        self._clock, self._after = clock, after
        self._begun = begun if age is None else clock.monotonic() - age
        self._service = latest.service[1] if latest is not None and latest.service is not None and age is None else None
        self._is_measured = age is not None

    @property
    def left(self) -> float:
        """Seconds for which the write may still be in flight, at least 0."""
        return max(0.0, self._after - (self._clock.monotonic() - self._begun))

    def is_over(self, looked: list[Bounds | None]) -> bool:
        """Measure the age of the write by the `Date` headers of a check, if only the service's clock is available.

        Args:
            looked: The results of `ServiceClock.check` for the responses.

        Returns:
            Whether `after` seconds had passed before the service wrote the responses.
        """
        made = [each[0] for each in looked if each is not None]
        if self._service is None or not made or len(made) < len(looked):
            return False
        age = (min(made) - self._service).total_seconds()
        self._begun, self._is_measured = min(self._begun, self._clock.monotonic() - max(0.0, age)), True
        return age >= self._after

    def __str__(self) -> str:
        seconds = f"{ceil(self.left)} s"
        if self._is_measured:
            return f"the request may still be in flight for {seconds}"
        return (
            f"no clock shows when the request was sent, so a missing resource counts only after a wait of {seconds} "
            f"(wait=True)"
        )
