"""How often and how soon a call is retried, where a retry is safe."""

from dataclasses import dataclass

from ...errors import ConfigurationError
from .by_name import of_another_kind, says_what_it_takes
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
            kind = "; 1 is no retry" if self.max_attempts == 0 else of_another_kind(self.max_attempts, (int,))
            raise ConfigurationError(f"RetryPolicy.max_attempts must be a whole number from 1 to 6{kind}")
        for name in ("backoff_base", "backoff_max", "retry_after_max"):
            positive(f"RetryPolicy.{name}", getattr(self, name))
        for name in ("retry_unknown", "share_retry_after"):
            if type(getattr(self, name)) is not bool:
                raise ConfigurationError(f"RetryPolicy.{name} must be True or False")


says_what_it_takes(
    RetryPolicy,
    "RetryPolicy(max_attempts=3), the first request counted",
    {
        "write RetryPolicy(max_attempts=3), the first request counted": (
            "max_retries", "retries", "attempts", "tries", "max_tries", "total", "stop", "count", "limit", "n",
        ),
        "write RetryPolicy(backoff_base=0.5)": (
            "backoff", "backoff_factor", "factor", "delay", "base", "base_delay", "initial", "initial_delay",
            "initial_backoff", "wait", "multiplier",
        ),
        "write RetryPolicy(backoff_max=8.0)": ("max_delay", "max_backoff", "max_wait", "backoff_limit", "cap"),
        "write RetryPolicy(retry_after_max=60.0)": (
            "retry_after", "max_retry_after", "respect_retry_after", "respect_retry_after_header",
        ),
        "what is retried is no setting: every call is, where that does no harm, and no other": (
            "status_forcelist", "statuses", "retry_on", "retry_on_status", "retry_status_codes", "allowed_methods",
            "methods", "retry", "retry_if", "retry_on_timeout", "retryable", "on", "exceptions",
        ),
        "every pause is random already, up to its bound": ("jitter", "backoff_jitter", "random"),
    },
)  # fmt: skip
