"""What may be repeated, and when: the retry matrix of design section 8 as pure functions.

`Failure` is the verdict on one attempt. The drivers repeat an attempt only on a failure that says `again`, within
attempts, deadline and budget.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from ...errors import APIError, AuthenticationError, Phase, RateLimitError, ServerError, SubscribekitError
from ..config.environments import Group
from ..config.retry_policy import RetryPolicy
from ..http.progress import NOT_SENT
from ..operations.operation import Safety

SERVER_STATUSES = (408, 500, 502, 503, 504)


@dataclass(slots=True, eq=False, repr=False)
class Failure:
    """The verdict on an attempt that gave no result.

    Attributes:
        error: What to raise if the call ends here.
        again: Whether the attempt may be repeated.
        once: Whether only one repetition is allowed for this reason.
        unknown: The attempt may have changed something.
        likely_applied: A 2xx status was seen.
        retry_after: Seconds that the service asked to wait.
        fresh_credential: Repeat only with another credential (401).
    """

    error: SubscribekitError
    again: bool = False
    once: bool = False
    unknown: bool = False
    likely_applied: bool = False
    retry_after: float | None = None
    fresh_credential: bool = False


def lost(safety: Safety, phase: Phase, policy: RetryPolicy, error: SubscribekitError) -> Failure:
    """Judge an attempt without a whole answer, by how far it got."""
    if phase in NOT_SENT:
        return Failure(error, again=True)
    return _unanswered(safety, policy, error)


def _unanswered(safety: Safety, policy: RetryPolicy, error: SubscribekitError) -> Failure:
    again = safety.repeatable or (policy.retry_unknown and safety is not Safety.MONEY)
    return Failure(error, again=again, unknown=not safety.is_read)


def refused(safety: Safety, group: Group, policy: RetryPolicy, error: APIError, retry_after: float | None) -> Failure:
    """Judge an error that the service answered with, at whatever status."""
    # A transport may pass off an interim status, such as 101, as the answer: the real one is still to come.
    interim = error.status_code < 200
    if interim or error.status_code == 408 or error.status_code >= 500 or isinstance(error, ServerError):
        failure = _server_error(safety, group, policy, error)
        failure.retry_after = retry_after
    elif isinstance(error, RateLimitError):
        again = safety.repeatable or (safety is not Safety.MONEY and group == "billing")
        failure = Failure(error, again=again, retry_after=retry_after)
    else:
        # The specification shows the code of groups B to D for it, but not its status.
        is_about_credential = error.status_code == 401 or isinstance(error, AuthenticationError)
        failure = Failure(error, again=is_about_credential, fresh_credential=True)
    if retry_after is not None and retry_after > policy.retry_after_max:
        failure.again = False
    return failure


def _server_error(safety: Safety, group: Group, policy: RetryPolicy, error: APIError) -> Failure:
    if error.status_code == 503 and group == "billing" and _is_error_object(error):
        # Listed as "Forbidden": repeating wrong credentials may lock the account (H14).
        return Failure(error, again=safety.repeatable, once=True, unknown=not safety.is_read)
    failure = _unanswered(safety, policy, error)
    if error.status_code not in SERVER_STATUSES and error.status_code >= 500:
        failure.again = False  # 501, 505 and the like do not pass by themselves
    return failure


def _is_error_object(error: APIError) -> bool:
    return isinstance(error.body, dict) and error.body.get("object") == "Error"


def unreadable(safety: Safety, kind: Literal["damaged", "shape"], error: SubscribekitError) -> Failure:
    """Judge a 2xx answer that cannot be understood: for a write it was probably done (H12)."""
    if safety.is_read:
        return Failure(error, again=kind == "damaged", once=True)
    return Failure(error, unknown=True, likely_applied=True)


def redirected(safety: Safety, error: SubscribekitError) -> Failure:
    """Judge a 3xx; none is followed (H20)."""
    return Failure(error, unknown=not safety.is_read)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Read `Retry-After`: seconds in digits, or a date, counted from the answer's own `Date` (H08).

    Anything else (signs, fractions, several values, words) counts as absent; a past date as 0.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value) if len(value) <= 9 else None
    moment = _http_date(value)
    if moment is None:
        return None
    return max(0.0, (moment - (_http_date(headers.get("date", "")) or now)).total_seconds())


def _http_date(value: str) -> datetime | None:
    if not value[:3].isalpha():
        return None
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment  # the asctime form comes back naive


def backoff(policy: RetryPolicy, attempt: int, uniform: Callable[[float, float], float]) -> float:
    """Draw the wait after attempt number `attempt` (from 1): full jitter."""
    return uniform(0.0, min(policy.backoff_max, policy.backoff_base * 2 ** (attempt - 1)))


class Budget:
    """A client's allowance of repetitions: ten, given back slowly by successes (H07).

    When the service is down for everyone, a client stops repeating and so does not add to the storm.
    """

    __slots__ = ("_lock", "_tokens")

    CAPACITY = 10.0
    RETURNED = 0.1

    def __init__(self) -> None:
        self._tokens = self.CAPACITY
        self._lock = threading.Lock()

    def spend(self) -> bool:
        """Take one repetition; `False` while half of the allowance or less is left."""
        with self._lock:
            if self._tokens <= self.CAPACITY / 2:
                return False
            self._tokens -= 1
            return True

    def succeed(self) -> None:
        """Note a success."""
        if self._tokens < self.CAPACITY:
            with self._lock:
                self._tokens = min(self.CAPACITY, self._tokens + self.RETURNED)
