"""Computes the waits before retries from `Retry-After` and the backoff, and limits retries with the retry budget."""

import sys
from collections.abc import Callable, Mapping
from datetime import datetime

from ..._datetimes import http_date
from ..config.locks import Guard
from ..config.retry_policy import RetryPolicy


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the wait in seconds from a response's `Retry-After` header, which contains a number or a date.

    If the header contains a date, the wait is the time from the response's `Date` until that date (H08), at least 0.
    If the header contains neither a date nor a whole number, for example several values or a negative number, return
    `None`.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return min(float(value), sys.float_info.max)  # the header may contain a number that is too large for a float
    timestamp = http_date(value)
    if timestamp is None:
        return None
    return max(0.0, (timestamp - (http_date(headers.get("date", "")) or now)).total_seconds())


def load() -> None:
    """Import the date parser early, because the import can fail later if no file descriptor is free."""
    http_date("Thu, 01 Jan 1970 00:00:00 GMT")


def backoff(policy: RetryPolicy, attempt: int, uniform: Callable[[float, float], float]) -> float:
    """Return a random wait in seconds, with full jitter, after an attempt. The first attempt has the number 1."""
    return uniform(0.0, min(policy.backoff_max, policy.backoff_base * 2 ** (attempt - 1)))


class Budget:
    """A client's retry budget: each retry costs a token, and successful calls slowly restore tokens (H07).

    If many calls fail, the client stops retrying, so that its retries don't add to the load of the service.

    Attributes:
        tokens: Number of tokens that are left for retries, at most `CAPACITY`.
    """

    __slots__ = ("_guard", "tokens")

    CAPACITY = 10.0
    RETURNED = 0.1

    def __init__(self) -> None:
        self.tokens: float = self.CAPACITY
        self._guard = Guard()

    def spend(self) -> bool:
        """Use a token for a retry and return `True`, or return `False` if at most half of the tokens are left."""
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
    """The wait that the service asked for, which all calls of a client and its copies share (H290)."""

    __slots__ = ("_guard", "_until")

    def __init__(self) -> None:
        self._until = float("-inf")
        self._guard = Guard()

    def extend(self, until: float) -> None:
        """Extend the wait until a time of the client's monotonic clock, unless the wait already ends later."""
        with self._guard.lock:
            self._until = max(self._until, until)

    def left(self, now: float) -> float:
        """Return the seconds until the shared wait ends, or 0 if it has ended."""
        return max(0.0, self._until - now)
