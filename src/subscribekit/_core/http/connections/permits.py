"""Limits how many calls use connections at the same time, and selects an idle connection for a call.

This module uses no locks, because a signal handler can make a call while the interrupted code holds the lock. Each
change to the permits or the idle connections is one operation on a dictionary or a deque. A semaphore would need two
statements for a change, and a signal between the two statements would lose a permit forever (H100). A permit is a weak
reference to the response body that uses the connection. A permit ends when the body releases it, or when the body no
longer exists.
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
    """The permits of a connection pool. Threads can share this object."""

    __slots__ = ("_held", "_limit")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: dict[Permit, None] = {}

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, permit: Permit) -> bool:
        return permit in self._held

    def acquire(self, permit: Permit) -> bool:
        """Acquire a permit if one is free, and return whether the permit was acquired.

        If threads compete for the last permit, the first thread gets it.
        """
        held = self._held
        held[permit] = None
        if len(held) <= self._limit:
            return True
        if permit in list(held)[: self._limit]:
            return True
        held.pop(permit, None)
        return False

    def release(self, permit: Permit) -> None:
        """Release a permit, or do nothing if the permit was already released."""
        self._held.pop(permit, None)


def pop_idle(idle: deque[Connection], request: RawRequest, route: Route, in_use: int) -> Connection | None:
    """Remove and return the most recently used idle connection that suits a request, or return `None`.

    Args:
        idle: The idle connections. The most recently used connection is at the end of the deque.
        request: The request.
        route: The settings of the connections, including the limits.
        in_use: The number of connections that calls use, including the connection for this request.
    """
    now, min_idle = route.monotonic(), request.min_idle
    longest = route.limits.keepalive_expiry if request.max_idle is None else request.max_idle
    for connection in () if min_idle is None else reversed(idle.copy()):
        age = now - connection.idle_since
        if min_idle and age < min_idle:
            continue
        try:
            idle.remove(connection)
        except ValueError:  # another thread has already removed the connection
            continue
        if age <= longest:
            return connection
        connection.close()
    close_some(idle, len(idle) + in_use - route.limits.max_connections)
    return None


def add_idle(idle: deque[Connection], connection: Connection, route: Route) -> None:
    """Add a connection to the idle connections, and close expired connections."""
    connection.idle_since = route.monotonic()
    idle.append(connection)
    close_expired(idle, route)


def close_expired(idle: deque[Connection], route: Route) -> None:
    """Close the expired connections, starting with the connection that was idle for the longest time."""
    oldest = route.monotonic() - route.limits.keepalive_expiry
    with contextlib.suppress(IndexError):  # another thread may have removed the last connection
        while idle[0].idle_since <= oldest:
            idle.popleft().close()


def close_some(idle: deque[Connection], number: int) -> None:
    """Close a number of connections, starting with the connection that was idle for the longest time."""
    with contextlib.suppress(IndexError):
        for _ in range(number):
            idle.popleft().close()
