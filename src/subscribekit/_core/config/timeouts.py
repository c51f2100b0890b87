"""How long the steps of a call may take, and how many connections a client opens."""

import math
from dataclasses import dataclass, fields
from functools import lru_cache

from ...errors import ConfigurationError
from .by_name import of_another_kind, says_what_it_takes

__tracebackhide__ = True  # pytest shows the line of the caller instead


def positive(name: str, value: float) -> None:
    """Refuse anything but a positive, finite number of seconds."""
    if type(value) not in (int, float) or not math.isfinite(value) or value <= 0:
        raise ConfigurationError(f"{name} must be a positive, finite number of seconds{of_another_kind(value)}")


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


says_what_it_takes(
    Timeouts,
    "Timeouts(read=10.0), or give the client deadline=10.0 for a whole call",
    {
        "give the client deadline=10.0, which bounds a whole call, retries included": (
            "timeout", "total", "deadline", "total_timeout", "overall", "seconds", "request",
        ),
        "write Timeouts(connect=5.0)": ("connect_timeout", "sock_connect", "connection", "handshake", "tls"),
        "write Timeouts(read=10.0)": ("read_timeout", "sock_read", "response", "receive", "recv"),
        "write Timeouts(write=10.0)": ("write_timeout", "send", "sock_write"),
        "write Timeouts(pool=5.0)": ("pool_timeout", "acquire", "wait"),
    },
)  # fmt: skip


@lru_cache(maxsize=64)
def seconds_by_step(timeouts: Timeouts) -> tuple[float, dict[str, float]]:
    """Give the longest of the timeouts and each by its name; made once, as every request asks for it."""
    by_step = {each.name: getattr(timeouts, each.name) for each in fields(timeouts)}
    return max(by_step.values()), by_step


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many connections a client opens, and how long an idle one is used again.

    Args:
        max_connections: Calls of one client that run at the same time; further ones wait (`Timeouts.pool`).
        keepalive_expiry: Seconds after which an idle connection is not used again.
        write_keepalive_expiry: The same for writes. A connection that the service closes in the moment of reuse makes
            the outcome of a write unknown, so writes only meet a connection that was used a moment ago.

    Raises:
        ConfigurationError: A value is not positive.
    """

    max_connections: int = 100
    keepalive_expiry: float = 5.0
    write_keepalive_expiry: float = 1.0

    def __post_init__(self) -> None:
        if type(self.max_connections) is not int or self.max_connections < 1:
            kind = of_another_kind(self.max_connections, (int,))
            raise ConfigurationError(f"Limits.max_connections must be a whole number of at least 1{kind}")
        positive("Limits.keepalive_expiry", self.keepalive_expiry)
        positive("Limits.write_keepalive_expiry", self.write_keepalive_expiry)


says_what_it_takes(
    Limits,
    "Limits(max_connections=100)",
    {
        "write Limits(max_connections=100)": (
            "pool_size", "pool_maxsize", "pool_connections", "maxsize", "max_size", "connections", "limit",
            "limit_per_host", "concurrency", "max_concurrency",
        ),
        "write Limits(keepalive_expiry=5.0), the seconds for which an idle connection is kept": (
            "keepalive", "keep_alive", "keepalive_timeout", "idle_timeout", "max_idle", "max_keepalive",
            "max_keepalive_connections",
        ),
    },
)  # fmt: skip


def check_deadline(deadline: float | None) -> float | None:
    """Refuse a deadline that is not a positive number of seconds; `None` means none."""
    if deadline is not None:
        positive("deadline", deadline)
    return deadline
