"""Which calls may use a connection at once, and which idle connection a call takes.

Nothing is locked, since the handler of a signal may itself make a call: every step is one operation of a dictionary or
a deque. A semaphore is taken and given back by two statements, and a signal between them loses a slot for good (H100).
Here a permit is a weak reference to the response body that uses the connection: it ends when it is released, and also
when the body is gone, however that came about.
"""

import contextlib
import weakref
from collections import deque
from typing import TypeAlias

from ..transport import RawRequest
from .exchange import Connection
from .route import Route

Permit: TypeAlias = "weakref.ref[object]"


class Permits:
    """The permits of one connection pool, usable from many threads."""

    __slots__ = ("_held", "_limit")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: dict[Permit, None] = {}

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, permit: Permit) -> bool:
        return permit in self._held

    def hold(self, permit: Permit) -> bool:
        """Take a permit if one is left; of several threads that want the last one, the first gets it."""
        held = self._held
        held[permit] = None
        if len(held) <= self._limit:
            return True
        if permit in list(held)[: self._limit]:
            return True
        held.pop(permit, None)
        return False

    def release(self, permit: Permit) -> None:
        """Give a permit back; the second time does nothing."""
        self._held.pop(permit, None)


def take(idle: deque[Connection], request: RawRequest, route: Route, in_use: int) -> Connection | None:
    """Take the one that was used last and suits a request; `None` if one has to be opened.

    Args:
        idle: The idle connections, the one that was used last at the end.
        request: The request.
        route: How long they may be idle, and how many there may be.
        in_use: Connections that calls use, the one to be opened included.
    """
    now, min_idle = route.monotonic(), request.min_idle
    longest = route.limits.keepalive_expiry if request.max_idle is None else request.max_idle
    for connection in () if min_idle is None else reversed(idle.copy()):
        age = now - connection.idle_since
        if min_idle and age < min_idle:
            continue
        try:
            idle.remove(connection)
        except ValueError:  # another thread was quicker
            continue
        if age <= longest:
            return connection
        connection.close()
    close_some(idle, len(idle) + in_use - route.limits.max_connections)
    return None


def put(idle: deque[Connection], connection: Connection, route: Route) -> None:
    """Take a connection back, and close those that expired."""
    connection.idle_since = route.monotonic()
    idle.append(connection)
    close_expired(idle, route)


def close_expired(idle: deque[Connection], route: Route) -> None:
    """Close connections at the bottom that expired: calls seldom get down to them."""
    oldest = route.monotonic() - route.limits.keepalive_expiry
    with contextlib.suppress(IndexError):  # another thread took the last one
        while idle[0].idle_since <= oldest:
            idle.popleft().close()


def close_some(idle: deque[Connection], number: int) -> None:
    """Close so many of them, those that were idle for longest first."""
    with contextlib.suppress(IndexError):
        for _ in range(number):
            idle.popleft().close()
