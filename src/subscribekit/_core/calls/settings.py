"""The settings of a client's calls, and their effect on a request."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from ..._version import __version__
from ...errors import ConfigurationError, InvalidArgumentError
from ..config.address import Address
from ..config.clock import Clock
from ..config.credentials import Credential
from ..config.environments import Group
from ..config.observer import Observer
from ..config.retry_policy import RetryPolicy
from ..config.timeouts import Timeouts
from ..config.wire_names import WireNames
from ..http.failure import TransportFailure
from ..operations.operation import Operation, Safety
from .backoff import Budget, Pause, retry_after
from .moments import Moment, ServiceDates, moment_at
from .telemetry.trace import Trace

__tracebackhide__ = True

T = TypeVar("T")

UNNAMED = "custom"
"""Name of the environment if a client was created with only a base URL."""
USER_AGENT = f"subscribekit/{__version__} python/{sys.version_info.major}.{sys.version_info.minor}"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Settings:
    """The settings of a client's calls. Threads and tasks can share the immutable settings (H84)."""

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
    min_idle_before_charge: float | None
    clock: Clock
    api_version: str | None = None
    api_release: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    compress: bool = False
    send_gzip_header: bool = True
    read_only: bool = False
    check_minor_units: bool = False
    user_agent: str = USER_AGENT
    budget: Budget = field(default_factory=Budget)
    pause: Pause = field(default_factory=Pause)
    dates: ServiceDates = field(default_factory=ServiceDates)
    observers: tuple[Observer, ...] = ()
    header_cache: dict[bool, tuple[tuple[bytes, bytes], ...]] = field(
        default_factory=dict[bool, tuple[tuple[bytes, bytes], ...]], init=False
    )
    """Cache of the encoded headers that all calls with a body (`True`) or without a body (`False`) share."""

    @property
    def named_environment(self) -> str | None:
        """Name of the environment, or `None` for a client that was created with only a base URL."""
        return None if self.environment == UNNAMED else self.environment

    def asked_wait(self, headers: Mapping[str, str]) -> float | None:
        """Return the `Retry-After` of a response in seconds, and record the wait for all calls of the client."""
        wait = retry_after(headers, self.clock.now())
        self.share_retry_after(wait)
        return wait

    def share_retry_after(self, seconds: float | None) -> None:
        """Record a wait for all calls of the client, unless `seconds` is `None` or exceeds `retry_after_max`."""
        if seconds is not None and seconds <= self.retry.retry_after_max:
            self.pause.extend(self.clock.monotonic() + seconds)

    def moment(self) -> Moment:
        """Return the current moment on every clock that the client can read."""
        return moment_at(self.clock, self.dates, self.clock.monotonic(), self.clock.now())

    @property
    def shared_wait(self) -> float:
        """Seconds that all calls of the client must still wait because the service asked for a wait."""
        return self.pause.left(self.clock.monotonic()) if self.retry.share_retry_after else 0.0

    def refuse_while_waiting(self) -> None:
        """Check the shared wait again when a request has a connection, because the wait may have begun in the meantime.

        Raises:
            TransportFailure: The shared wait isn't over.
        """
        if self.shared_wait:
            raise TransportFailure("the service asked all calls of the client to wait", "connected", "held_back")

    @property
    def shown(self) -> str:
        """The settings as text for a client's `repr`."""
        read_only = " read_only=True" if self.read_only else ""
        return f"environment={self.environment!r} host={self.address.host!r}{read_only}"

    def refuse(self, operation: Operation[T], name: str) -> None:
        """Raise an error if these settings don't allow the call.

        Raises:
            InvalidArgumentError: The client is read-only, or an amount has too many decimal places for its currency.
            ConfigurationError: The gateway client has no API key, and the operation needs one.
        """
        if self.read_only and operation.safety is not Safety.READ:
            self.refuse_write(name)
        self.refuse_prepare(operation, name)

    def refuse_write(self, name: str) -> None:
        """Raise an error if the client is read-only.

        Raises:
            InvalidArgumentError: The client is read-only.
        """
        if self.read_only:
            raise InvalidArgumentError(
                "the client is read-only (read_only=True or SUBSCRIBEKIT_READ_ONLY=1), and this call is a write; "
                "nothing was sent"
            ).during(name)

    def refuse_prepare(self, operation: Operation[T], name: str) -> None:
        """Raise an error if these settings don't allow the SDK to prepare the call.

        Raises:
            InvalidArgumentError: The client has `check_minor_units`, and an amount has too many decimal places for its
                currency.
            ConfigurationError: The gateway client has no API key, and the operation needs one.
        """
        if self.check_minor_units and operation.body is not None:
            from ..operations.minor_units import too_exact

            if (fault := too_exact(operation.body.reveal())) is not None:
                raise InvalidArgumentError(f"{fault} (check_minor_units=True); nothing was sent").during(name)
        if operation.needs_credential and self.credential.scheme == "none":
            raise ConfigurationError(
                f"this operation needs an API key (only campaigns.activate needs no API key); {self.credential.remedy}"
            ).during(name)
