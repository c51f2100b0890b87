"""What a client applies to each of its calls, and what follows from it for a request."""

import sys
from dataclasses import dataclass, field
from typing import TypeVar

from ..._version import __version__
from ...errors import ConfigurationError
from ..config.address import Address
from ..config.clock import Clock
from ..config.credentials import Credential
from ..config.environments import Group
from ..config.retry_policy import RetryPolicy
from ..config.timeouts import Timeouts
from ..config.wire_names import WireNames
from ..http.failure import TransportFailure
from .backoff import Budget, Pause
from .observer import Observer
from .trace import Trace

__tracebackhide__ = True  # pytest shows the line of the caller instead

T = TypeVar("T")

UNNAMED = "custom"
"""Environment of a client that was made with an address alone."""
USER_AGENT = f"subscribekit/{__version__} python/{sys.version_info.major}.{sys.version_info.minor}"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Settings:
    """What a client applies to each of its calls; immutable, so threads and tasks share it (H84)."""

    group: Group
    environment: str
    address: Address
    credential: Credential
    wire_names: WireNames
    timeouts: Timeouts
    deadline: float | None
    retry: RetryPolicy
    trace: Trace
    write_idle: float
    clock: Clock
    api_version: str | None = None
    api_release: str | None = None
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    compress: bool = False
    budget: Budget = field(default_factory=Budget, repr=False)
    pause: Pause = field(default_factory=Pause, repr=False)
    observers: tuple[Observer, ...] = ()
    header_cache: dict[bool, tuple[tuple[bytes, bytes], ...]] = field(
        default_factory=dict[bool, tuple[tuple[bytes, bytes], ...]], init=False, repr=False, compare=False
    )
    """Headers that all calls have in common, with and without a body; encoded at the first call."""

    @property
    def named_environment(self) -> str | None:
        """Name of the environment, or `None` for a client that was made with an address alone."""
        return None if self.environment == UNNAMED else self.environment

    def share_retry_after(self, seconds: float | None) -> None:
        """Note a `Retry-After` for all calls that share it."""
        if seconds is not None and seconds <= self.retry.retry_after_max:
            self.pause.extend(self.clock.monotonic() + seconds)

    @property
    def shared_wait(self) -> float:
        """Seconds for which nothing is sent, as the service asked for in the response to any call of the client."""
        return self.pause.left(self.clock.monotonic()) if self.retry.share_retry_after else 0.0

    def refuse_while_waiting(self) -> None:
        """Look at the shared wait once more when a request has a connection, for which it may have waited.

        Raises:
            TransportFailure: The shared wait has not ended.
        """
        if self.shared_wait:
            raise TransportFailure("the service asked all calls of the client to wait", "connected", "held_back")

    def refuse_without_credential(self, needed: bool, name: str) -> None:
        """Refuse a call that needs a credential when there is none.

        Raises:
            ConfigurationError: The client of group B was made without an API key.
        """
        if needed and self.credential.scheme == "none":
            raise ConfigurationError(
                f"this operation needs an API key, only campaigns.activate works without one: {self.credential.remedy}"
            ).during(name)
