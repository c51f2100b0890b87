"""When to send again: `Retry-After`, the back-off, and the budget that ends a storm of retries."""

import sys
from collections.abc import Callable, Mapping
from datetime import datetime

from ..._datetimes import http_date
from ..config.locks import Guard
from ..config.retry_policy import RetryPolicy


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Read `Retry-After`: seconds in digits, or a date, counted from the response's own `Date` (H08).

    Anything else (signs, fractions, several values, words) counts as absent; a past date as 0.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return min(float(value), sys.float_info.max)  # however many digits: over the cap, and not absent
    timestamp = http_date(value)
    if timestamp is None:
        return None
    return max(0.0, (timestamp - (http_date(headers.get("date", "")) or now)).total_seconds())


def load() -> None:
    """Import what a `Retry-After` needs: where no descriptor is free, it could not be imported after a response."""
    http_date("Thu, 01 Jan 1970 00:00:00 GMT")


def backoff(policy: RetryPolicy, attempt: int, uniform: Callable[[float, float], float]) -> float:
    """Draw the wait after attempt number `attempt` (from 1): full jitter."""
    return uniform(0.0, min(policy.backoff_max, policy.backoff_base * 2 ** (attempt - 1)))


class Budget:
    """A client's allowance of retries: ten, given back slowly by successes (H07).

    When the service is down for everyone, a client stops retrying and so does not add to the storm.

    Attributes:
        tokens: The tokens that are left; at `CAPACITY` a success has nothing to give back.
    """

    __slots__ = ("_guard", "tokens")

    CAPACITY = 10.0
    RETURNED = 0.1

    def __init__(self) -> None:
        self.tokens: float = self.CAPACITY
        self._guard = Guard()

    def spend(self) -> bool:
        """Take one retry; `False`, and nothing taken, while half of the allowance or less is left."""
        with self._guard.lock:
            if self.tokens <= self.CAPACITY / 2:
                return False
            self.tokens -= 1
            return True

    def succeed(self) -> None:
        """Note a success."""
        with self._guard.lock:
            self.tokens = min(self.CAPACITY, self.tokens + self.RETURNED)


class Pause:
    """The wait that the service asked for, shared by the calls of a client and of its copies (H290)."""

    __slots__ = ("_guard", "_until")

    def __init__(self) -> None:
        self._until = float("-inf")
        self._guard = Guard()

    def extend(self, until: float) -> None:
        """Wait until this time of the client's monotonic clock, if it is later than the one so far."""
        with self._guard.lock:
            self._until = max(self._until, until)

    def left(self, now: float) -> float:
        """Give the seconds that are left."""
        return max(0.0, self._until - now)
