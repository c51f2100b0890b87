"""The rate limit of a run. The ledger stores the state of the rate limiter."""

import math

from pyrate_limiter import GCRA
from pyrate_limiter import Rate as LimiterRate

from .._values import RateLimit

_TOLERANCE = 0.02
"""The length of a burst in seconds. A burst is the number of requests that the rate limit allows in this time. All
requests of a burst can be sent at once.

Bursts are needed because the engine checks the clock only at intervals.
"""


class Limiter:
    """Spreads items evenly over time. All processes of the ledger share the limiter's state, a time in microseconds.

    Args:
        rate_limit: The maximum number of requests per period.
    """

    def __init__(self, rate_limit: RateLimit) -> None:
        burst = max(1, math.floor(rate_limit.requests / rate_limit.per * _TOLERANCE))
        self._rates = [LimiterRate(rate_limit.requests, max(1, round(rate_limit.per * 1000)), burst=burst)]
        self._each = math.ceil(rate_limit.per * 1_000_000 / rate_limit.requests)
        self._policy = GCRA()

    def allowed(self, state: int, now: float, number: int) -> tuple[int, float]:
        """Return how many of `number` items may be sent now, and the seconds until the next item may be sent."""
        current = self._sane(state, now)
        for passed in range(number):
            following, decision = self._policy.step(self._rates, (current,), int(now * 1000), 1)
            if not decision.allowed:
                return passed, (decision.retry_after_ms or 1) / 1000
            current = int(following[0])
        return number, 0.0

    def spend(self, state: int, now: float, number: int) -> int:
        """Return the state after `number` items were sent. The items may exceed the rate limit."""
        return max(self._sane(state, now), int(now * 1_000_000)) + number * self._each

    def _sane(self, state: int, now: float) -> int:
        # Limit the state to `furthest`. If the clock was set back, the state can be a time far in the future, and the
        # workers would otherwise wait until then.
        furthest = int(now * 1_000_000) + 1000 * self._each + self._rates[0].interval * 1000
        return min(state, furthest)
