"""How often and how soon a call is retried, where a retry is safe."""

from dataclasses import dataclass

from ..._public import publish
from ...errors import ConfigurationError
from .timeouts import positive

__tracebackhide__ = True  # pytest shows the line of the caller instead


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how soon a call is retried, where that is safe.

    Args:
        max_attempts: Requests for one call, the first one counted; 1 to 6. Also with 1 a callable for the credential is
            asked again after a 401, and what it gives is used once.
        backoff_base: Seconds; before attempt n + 1 the client waits a random time up to `backoff_base * 2 ** (n - 1)`.
        backoff_max: Upper bound of that time.
        retry_after_max: The longest `Retry-After` that is waited for; a longer one raises the error at once.
        retry_unknown: Retry a write (never one that moves money) also when its outcome is unknown. Meant for single
            calls, through `with_options(retry=...)`, where doing it twice does no harm.
        share_retry_after: After a 429 or 503 with a `Retry-After` of at most `retry_after_max`, all calls of the client
            and of its `with_options` copies wait for its end before they send, reads and writes alike. A call whose
            deadline ends before raises `DeadlineExceededError` at once, and sends nothing.

    Raises:
        ConfigurationError: A value is out of its range.
    """

    max_attempts: int = 3
    backoff_base: float = 0.5
    backoff_max: float = 8.0
    retry_after_max: float = 60.0
    retry_unknown: bool = False
    share_retry_after: bool = False

    def __post_init__(self) -> None:
        if type(self.max_attempts) is not int or not 1 <= self.max_attempts <= 6:
            raise ConfigurationError("RetryPolicy.max_attempts must be a whole number from 1 to 6")
        for name in ("backoff_base", "backoff_max", "retry_after_max"):
            positive(f"RetryPolicy.{name}", getattr(self, name))
        for name in ("retry_unknown", "share_retry_after"):
            if type(getattr(self, name)) is not bool:
                raise ConfigurationError(f"RetryPolicy.{name} must be True or False")


publish("subscribekit", RetryPolicy)
