"""Determines when to retry: `Retry-After`, the backoff, and the retry budget."""

import sys
from collections.abc import Callable, Mapping
from datetime import datetime

from ..._datetimes import http_date
from ..config.locks import Guard
from ..config.retry_policy import RetryPolicy


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds of `Retry-After`, which is a number or a date.

    A date is compared with the response's `Date` (H08). A date in the past counts as 0. Any other value, such as a
    number with a sign or a fraction, or several values, counts as absent.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return min(float(value), sys.float_info.max)  # a huge number is valid, and exceeds every limit
    timestamp = http_date(value)
    if timestamp is None:
        return None
    return max(0.0, (timestamp - (http_date(headers.get("date", "")) or now)).total_seconds())


def load() -> None:
    """Import the date parser early, because the import can fail later if no file descriptor is free."""
    http_date("Thu, 01 Jan 1970 00:00:00 GMT")


def backoff(policy: RetryPolicy, attempt: int, uniform: Callable[[float, float], float]) -> float:
    """Return a random wait after attempt number `attempt`, which starts at 1. Uses full jitter."""
    return uniform(0.0, min(policy.backoff_max, policy.backoff_base * 2 ** (attempt - 1)))


class Budget:
    """A client's retry budget: each retry costs a token, and successful calls slowly restore tokens (H07).

    If the service is down for everyone, the client stops retrying, so that it doesn't add to the load.

    Attributes:
        tokens: The tokens that are left, at most `CAPACITY`.
    """

    __slots__ = ("_guard", "tokens")

    CAPACITY = 10.0
    RETURNED = 0.1

    def __init__(self) -> None:
        self.tokens: float = self.CAPACITY
        self._guard = Guard()

    def spend(self) -> bool:
        """Take a token for a retry, or return `False` if at most half of the budget is left."""
        with self._guard.lock:
            if self.tokens <= self.CAPACITY / 2:
                return False
            self.tokens -= 1
            return True

    def succeed(self) -> None:
        """Restore a tenth of a token after a successful call."""
        with self._guard.lock:
            self.tokens = min(self.CAPACITY, self.tokens + self.RETURNED)


class Pause:
    """The wait that the service asked for. All calls of a client and its copies share it (H290)."""

    __slots__ = ("_guard", "_until")

    def __init__(self) -> None:
        self._until = float("-inf")
        self._guard = Guard()

    def extend(self, until: float) -> None:
        """Extend the wait to a time of the client's monotonic clock. An earlier time changes nothing."""
        with self._guard.lock:
            self._until = max(self._until, until)

    def left(self, now: float) -> float:
        """Return the seconds until the wait is over."""
        return max(0.0, self._until - now)
