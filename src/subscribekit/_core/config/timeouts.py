"""The timeouts of requests, and the limits of connections."""

import math
from dataclasses import dataclass, fields
from functools import lru_cache

from ..._public import publish
from ...errors import ConfigurationError

__tracebackhide__ = True


def positive(name: str, value: float | None) -> None:
    """Raise an error unless a value is a positive, finite number of seconds."""
    if value is None or type(value) not in (int, float, Unchosen) or not math.isfinite(value) or value <= 0:
        raise ConfigurationError(f"{name} must be a positive, finite number of seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """The time limits for the steps of a request, in seconds.

    If a timeout would end after the deadline of the call, the SDK shortens the timeout to the time left until the
    deadline.

    Args:
        connect: The limit for opening a connection, including the TLS handshake.
        read: The limit for each wait for the next bytes of the response.
        write: The limit for each wait until more bytes of the request can be sent.
        pool: The limit for the wait for a free connection.

    Raises:
        ConfigurationError: A time is negative, zero, NaN, or infinite.
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
    """Return the longest timeout, and all timeouts by their names. The result is cached for the next requests."""
    by_step = {each.name: getattr(timeouts, each.name) for each in fields(timeouts)}
    return max(by_step.values()), by_step


class Unchosen(float):
    """A default number of seconds, as opposed to a number that the caller set."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The maximum number of connections of a client, and how long the client reuses idle connections.

    Args:
        max_connections: The maximum number of calls of a client that run at the same time. If all connections are in
            use, a call waits up to `Timeouts.pool` seconds for a free connection.
        keepalive_expiry: The number of seconds after which the client no longer reuses an idle connection.
        write_keepalive_expiry: The number of seconds after which a write no longer reuses an idle connection. If the
            service closes a connection while a write reuses it, the outcome of the write is unknown. A short expiry
            makes it unlikely that the service closes a connection that a write reuses.
        min_idle_before_charge: The number of seconds for which a connection must have been idle before a call that
            moves money reuses it. The idle time keeps the SDK from mistaking a late, surplus response for the response
            to the charge. If the value is `0`, a call that moves money can reuse a connection immediately. If the value
            is `None`, the SDK opens a new connection for each call that moves money. The workers of a bulk run use `0`
            unless you set `min_idle_before_charge`.

    Raises:
        ConfigurationError: A value isn't positive, or `min_idle_before_charge` is negative or not finite.
    """

    max_connections: int = 100
    keepalive_expiry: float = 5.0
    write_keepalive_expiry: float = 1.0
    min_idle_before_charge: float | None = Unchosen(0.05)

    def __post_init__(self) -> None:
        if type(self.max_connections) is not int or self.max_connections < 1:
            raise ConfigurationError("Limits.max_connections must be an int of at least 1")
        positive("Limits.keepalive_expiry", self.keepalive_expiry)
        positive("Limits.write_keepalive_expiry", self.write_keepalive_expiry)
        if (min_idle := self.min_idle_before_charge) not in (None, 0) or type(min_idle) is bool:
            positive("Limits.min_idle_before_charge (unless it's 0 or None)", min_idle)


def check_deadline(deadline: float | None) -> float | None:
    """Return the deadline, or raise an error if it's neither `None` nor a positive number of seconds."""
    if deadline is not None:
        positive("deadline", deadline)
    return deadline


publish("subscribekit", Limits, Timeouts)
