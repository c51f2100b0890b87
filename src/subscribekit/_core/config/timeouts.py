"""How long the steps of a call may take, and how many connections a client opens."""

import math
from dataclasses import dataclass, fields
from functools import lru_cache

from ..._public import publish
from ...errors import ConfigurationError

__tracebackhide__ = True  # pytest shows the line of the caller instead


def positive(name: str, value: float | None) -> None:
    """Refuse anything but a positive, finite number of seconds."""
    if value is None or type(value) not in (int, float, Unchosen) or not math.isfinite(value) or value <= 0:
        raise ConfigurationError(f"{name} must be a positive, finite number of seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Seconds that one step of a call may take; each is cut to what is left of the deadline.

    Args:
        connect: To open a connection, TLS handshake included.
        read: Between two pieces of the response.
        write: Between two pieces of the request.
        pool: To wait for a free connection.

    Raises:
        ConfigurationError: A time is negative, zero, NaN or infinite.
    """

    connect: float = 5.0
    read: float = 30.0
    write: float = 10.0
    pool: float = 5.0

    def __post_init__(self) -> None:
        for each in fields(self):
            positive(f"Timeouts.{each.name}", getattr(self, each.name))


@lru_cache(maxsize=64)
def seconds_by_step(timeouts: Timeouts) -> tuple[float, dict[str, float]]:
    """Give the longest of the timeouts and each by its name; made once, as every request asks for it."""
    by_step = {each.name: getattr(timeouts, each.name) for each in fields(timeouts)}
    return max(by_step.values()), by_step


class Unchosen(float):
    """A number of seconds that the caller did not choose."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many connections a client opens, and how long an idle one is used again.

    Args:
        max_connections: Calls of one client that run at the same time; further ones wait (`Timeouts.pool`).
        keepalive_expiry: Seconds after which an idle connection is not used again.
        write_keepalive_expiry: The same for writes. A connection that the service closes in the moment of reuse makes
            the outcome of a write unknown, so writes only meet a connection that was used a moment ago.
        min_idle_before_charge: Seconds for which a connection must have been idle before it carries a write of money,
            so that a surplus response that is late is not taken for its receipt. `0` asks for nothing, `None` opens a
            connection for each. The workers of a bulk run use `0` unless you give a value.

    Raises:
        ConfigurationError: A value is not positive; `min_idle_before_charge` is negative or not finite.
    """

    max_connections: int = 100
    keepalive_expiry: float = 5.0
    write_keepalive_expiry: float = 1.0
    min_idle_before_charge: float | None = Unchosen(0.05)

    def __post_init__(self) -> None:
        if type(self.max_connections) is not int or self.max_connections < 1:
            raise ConfigurationError("Limits.max_connections must be a whole number of at least 1")
        positive("Limits.keepalive_expiry", self.keepalive_expiry)
        positive("Limits.write_keepalive_expiry", self.write_keepalive_expiry)
        if (min_idle := self.min_idle_before_charge) not in (None, 0) or type(min_idle) is bool:
            positive("Limits.min_idle_before_charge (unless it is 0 or None)", min_idle)


def check_deadline(deadline: float | None) -> float | None:
    """Refuse a deadline that is not a positive number of seconds; `None` means none."""
    if deadline is not None:
        positive("deadline", deadline)
    return deadline


publish("subscribekit", Limits, Timeouts)
