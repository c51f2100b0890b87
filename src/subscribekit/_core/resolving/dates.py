"""When the responses that a look reads were made, by their `Date` and `Age`. No I/O."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar, cast

from ...errors import NotFoundError
from ..calls.response import Response

T = TypeVar("T")


class UnreadError(Exception):
    """A read gave nothing that counts; the text says why, as the rest of a sentence."""


class Dates:
    """The `Date`s of a look's responses, beside those of the looks before (H216).

    Args:
        sent_at: When the write was sent, by the clock of the process that sent it.
    """

    def __init__(self, sent_at: datetime | None) -> None:
        self._sent_at = sent_at
        self._now: list[datetime | None] = []
        self._before: list[datetime | None] = []

    def begin(self) -> None:
        """Begin another look."""
        self._before, self._now = self._before + self._now, []

    def check(self, name: str, reply: object, now: datetime) -> None:
        """Note when a response was made.

        Raises:
            UnreadError: A cache gave it, or it was made before the write by its own `Date`.
        """
        if not isinstance(reply, Response | NotFoundError):
            return
        age = reply.headers.get("age", "0").strip()
        if age.lstrip("0"):
            raise UnreadError(f"{name} was read from a cache (Age: {age[:20]})")
        made = date_of(cast("Response[object] | NotFoundError", reply))
        if made is not None and self._sent_at is not None and made < self._sent_at.replace(microsecond=0):
            raise UnreadError(_too_early(name, made, self._sent_at, now))
        self._now.append(made)

    @property
    def is_repeated(self) -> bool:
        """Whether a cache may have given this look what an earlier one read: their `Date`s do not tell them apart."""
        known, earlier = [each for each in self._now if each], [each for each in self._before if each]
        if not self._before or not (known or earlier):
            return False
        return len(known) < len(self._now) or len(earlier) < len(self._before) or min(known) <= max(earlier)


def _too_early(name: str, made: datetime, sent_at: datetime, now: datetime) -> str:
    early, behind = (sent_at - made).total_seconds(), (now - made).total_seconds()
    why = f"the service's clock is {behind:.0f} s behind" if behind >= 1 else "the clock that noted the write is ahead"
    return f"{name} gave a response dated {early:.0f} s before the write: {why}, or a cache kept the response"


def date_of(reply: Response[T] | NotFoundError) -> datetime | None:
    """Give the `Date` of a response, in whole seconds; `None` where there is none that can be read."""
    told = reply.headers.get("date")
    try:
        found = None if told is None else parsedate_to_datetime(told)
    except (ValueError, OverflowError):
        return None
    return None if found is None or found.tzinfo is None else found.astimezone(UTC)
