"""When the write was sent, and whether responses are newer, by clocks that nobody can set. No I/O."""

from datetime import datetime, timedelta
from math import ceil

from ..._datetimes import http_date
from ...errors import NotFoundError
from ..calls.moments import QUICK, ROUNDED, Bounds, Moment, since_1970
from ..calls.response import Response
from ..config.clock import Clock

_SLACK = timedelta(seconds=0.5)
"""Servers note the time of a `Date` up to this much too early, and clocks are corrected while they run."""


class UnreadError(Exception):
    """A read gave nothing that counts; the text says why, as the rest of a sentence."""


class OldResponseError(UnreadError):
    """A response may be older than the write; a later look may get a newer one."""


class ServiceClock:
    """The service's clock, as the `Date`s of all looks show it (H216).

    It's written as the service's time at zero of the client's monotonic clock. A `Date` is never ahead of the clock
    that wrote it, and one that a cache keeps falls behind it, by more with each second. So the `Date` that is furthest
    ahead is the best one, and those that are behind it are kept.

    Args:
        sent: When the write was sent; `None` where that is not known.
        sent_at: The same by the time of day of the process that sent it.
        clock: The client's clock.
    """

    def __init__(self, sent: Moment | None, sent_at: datetime | None, clock: Clock) -> None:
        now, age = clock.now(), None if sent is None else sent.age(clock)
        self._clock = clock
        self._sent = None if age is None else timedelta(seconds=clock.monotonic() - age)
        self._told = None if sent is None else sent.service
        has_zone = sent_at is not None and sent_at.tzinfo is not None
        self._sent_at = since_1970(min(sent_at, now) if has_zone and sent_at is not None else now)
        self._ahead: timedelta | None = None
        self._most: list[timedelta] = []

    def check(self, name: str, reply: object) -> Bounds | None:
        """Return when a response was made at the earliest, and its clock's bound; `None` without a `Date`.

        Raises:
            OldResponseError: A cache gave it, or it was made before the write by its own `Date`.
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
        """Compare a `Date` with the service's time at sending, or with the time of day if that isn't known.

        The time of day may have been set, so it can only keep a response from counting.
        """
        sent_at = self._sent_at if self._told is None else self._told[0]
        if made >= _whole(sent_at):
            return
        early = int((sent_at - made).total_seconds())
        why = "a cache kept the response"
        if self._told is None:
            behind = int((since_1970(self._clock.now()) - made).total_seconds())
            why = f"the service's clock is {behind} s behind, or {why}"
        raise OldResponseError(f"{name} gave a response dated {early} s before the write: {why}")

    def are_new(self, looked: list[Bounds | None]) -> bool:
        """Whether no response of a look, by what `check` returned of it, is behind the best `Date`."""
        return self._ahead is None or all(each is not None and each[1] >= self._ahead for each in looked)

    @property
    def _sending(self) -> Bounds | None:
        """The bounds of the service's time at sending; `None` unless a read shows it (H400)."""
        if self._clock.is_service:
            return self._told
        quick = [] if self._ahead is None else [most for most in self._most if most >= self._ahead]
        if self._ahead is None or not quick:
            return None
        return self._told if self._sent is None else (self._ahead + self._sent, min(quick) + self._sent)

    def is_since(self, created: datetime | None) -> bool | None:
        """Whether something was made since the write was sent, or up to a second before; `None` if no clock shows it.

        Services that show whole seconds round down, which adds up to another second (H217).
        """
        sending = self._sending
        if created is None:
            return False
        if sending is None:
            return None
        told = since_1970(created)
        earliest, latest = sending if created.microsecond else map(_whole, sending)
        if told >= max(earliest, latest - ROUNDED):
            return True
        return None if told >= earliest else False

    @property
    def may_tell(self) -> bool:
        """Whether a later read may show what was made since the write was sent."""
        return self._ahead is not None and (self._sent is not None or self._told is not None)


def _whole(time: timedelta) -> timedelta:
    """Round down to whole seconds."""
    return time // ROUNDED * ROUNDED


class Waiting:
    """How long the write may still be under way.

    The first of these clocks that exists measures its age (H401): the monotonic clock, the machine's boot clock, or the
    service's clock. Otherwise it counts from the beginning of the looks.

    Args:
        latest: When the write was sent at the latest; `None` where that is not known.
        clock: The client's clock.
        begun: When the looks began, by the client's monotonic clock.
        after: Seconds after sending from which an absence counts.
    """

    def __init__(self, latest: Moment | None, clock: Clock, begun: float, after: float) -> None:
        age = None if latest is None else latest.age(clock)
        self._clock, self._after = clock, after
        self._begun = begun if age is None else clock.monotonic() - age
        self._service = latest.service[1] if latest is not None and latest.service is not None and age is None else None
        self._is_measured = age is not None

    @property
    def left(self) -> float:
        """Seconds that are left, at least zero."""
        return max(0.0, self._after - (self._clock.monotonic() - self._begun))

    def is_over(self, looked: list[Bounds | None]) -> bool:
        """Measure by the `Date`s of a look, if only the service's clock shows when the write was sent.

        Returns:
            Whether the whole time had passed when the responses were made.
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
            return f"the request may still be under way for {seconds}"
        return f"no clock shows when the request was sent, so an absence counts after a wait of {seconds} (wait=True)"
