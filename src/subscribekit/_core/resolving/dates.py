"""Whether responses are newer than a write, by `Age` and `Date`, and how far the service's clock is ahead. No I/O."""

from datetime import datetime, timedelta

from ...errors import NotFoundError
from ..calls.backoff import http_date
from ..calls.response import Response

_ROUNDED = timedelta(seconds=1)
"""A `Date` has whole seconds."""
_SLACK = timedelta(seconds=0.5)
"""Servers note the time of a `Date` up to this much too early, and clocks are corrected while they run."""


class UnreadError(Exception):
    """A read gave nothing that counts; the text says why, as the rest of a sentence."""


class OldResponseError(UnreadError):
    """A response may be older than the write; a later look may get a newer one."""


class ServiceClock:
    """The service's clock, as the `Date`s of all looks show it (H216).

    A `Date` is never ahead of the clock that wrote it, and one that a cache keeps falls behind it, by more with each
    second. So the `Date` that is furthest ahead of the clock here is the best one, and those that are behind it are
    kept.

    Args:
        sent_at: When the write was sent, by the clock of the process that sent it; `None` where that is not known.
        now: The time here, when the first look begins.
    """

    def __init__(self, sent_at: datetime | None, now: datetime) -> None:
        self._sent_at = None if sent_at is None or sent_at.tzinfo is None else sent_at
        self.sent_at = now if self._sent_at is None else min(self._sent_at, now)
        """When the write was sent at the latest, also where the sender's clock is ahead."""
        self._ahead: timedelta | None = None

    def check(self, name: str, reply: object, now: datetime) -> timedelta | None:
        """Return how far the clock is ahead at most, if a response is new; `None` without a `Date`.

        Raises:
            OldResponseError: A cache gave it, or it was made before the write by its own `Date`.
        """
        if not isinstance(reply, Response | NotFoundError):
            return None
        made = http_date(reply.headers.get("date", ""))
        if made is not None:
            self._ahead = made - now if self._ahead is None else max(self._ahead, made - now)
        age = reply.headers.get("age", "0").strip()
        if age.lstrip("0"):
            raise OldResponseError(f"{name} was read from a cache (Age: {age[:20]})")
        if made is None:
            return None
        if made < self.sent_at.replace(microsecond=0):
            raise OldResponseError(_too_early(name, made, self.sent_at, now))
        began = now - timedelta(seconds=reply.elapsed)
        return made + _ROUNDED + _SLACK - began

    def are_new(self, bounds: list[timedelta | None]) -> bool:
        """Whether no response of a look, by what `check` returned of it, is behind the best `Date`."""
        return self._ahead is None or all(each is not None and each >= self._ahead for each in bounds)

    def is_since(self, created: datetime | None) -> bool:
        """Whether something was made after the write was sent, by the clock of the service where a `Date` shows it.

        Without a `Date` the clocks are taken to agree. Services that show whole seconds round down (H217).
        """
        if created is None or self._sent_at is None:
            return False
        since = self._sent_at + (self._ahead or timedelta())
        return created >= (since if created.microsecond else since.replace(microsecond=0))


def _too_early(name: str, made: datetime, sent_at: datetime, now: datetime) -> str:
    early, behind = int((sent_at - made).total_seconds()), int((now - made).total_seconds())
    why = f"the service's clock is {behind} s behind, or a cache kept the response"
    return f"{name} gave a response dated {early} s before the write: {why}"
