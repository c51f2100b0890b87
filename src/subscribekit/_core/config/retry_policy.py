"""The retry policy of a client."""

from dataclasses import dataclass

from ..._public import publish
from ...errors import ConfigurationError
from .timeouts import positive

__tracebackhide__ = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """The number of retries of a call, and the waits before them. The SDK retries a call only if a retry is safe.

    Args:
        max_attempts: The maximum number of requests for one call, including the first request, from 1 to 6. After a
            401, the SDK calls your credential callable again. If the callable returns a new credential, the SDK sends
            the request once more, even if `max_attempts` is 1.
        backoff_base: The base of the backoff, in seconds. Before attempt n + 1, the SDK waits for a random time of at
            most `backoff_base * 2 ** (n - 1)` seconds.
        backoff_max: The maximum backoff before a retry, in seconds.
        retry_after_max: The longest `Retry-After` for which the SDK waits, in seconds. If the service asks for a wait
            longer than `retry_after_max`, the SDK raises the error immediately.
        retry_unknown: Whether to retry writes whose outcome is unknown, except those that move money. Use
            `retry_unknown` with `with_options(retry=...)`, for single calls that do no harm if the service carries them
            out twice.
        share_retry_after: Whether all calls wait after a 429 or a 503 with a `Retry-After` of at most
            `retry_after_max`. The wait applies to the calls of the client and of its `with_options` copies. If the
            deadline of a call would pass during the wait, the call raises `DeadlineExceededError` immediately and sends
            nothing.

    Raises:
        ConfigurationError: A value is out of range.
    """

    max_attempts: int = 3
    backoff_base: float = 0.5
    backoff_max: float = 8.0
    retry_after_max: float = 60.0
    retry_unknown: bool = False
    share_retry_after: bool = False

    def __post_init__(self) -> None:
        if type(self.max_attempts) is not int or not 1 <= self.max_attempts <= 6:
            raise ConfigurationError("RetryPolicy.max_attempts must be an int from 1 to 6")
        for name in ("backoff_base", "backoff_max", "retry_after_max"):
            positive(f"RetryPolicy.{name}", getattr(self, name))
        for name in ("retry_unknown", "share_retry_after"):
            if type(getattr(self, name)) is not bool:
                raise ConfigurationError(f"RetryPolicy.{name} must be True or False")


publish("subscribekit", RetryPolicy)
