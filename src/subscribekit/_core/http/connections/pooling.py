"""The code that the sync and async connection pools share.

A connection belongs to a response body until the body is closed.
"""

import weakref
from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ...config.process import this_process
from ..failure import StaleConnectionError
from ..progress import Progress
from ..transport import RawHeaders, RawRequest
from ..wire.streams import Steps
from .exchange import Connection
from .permits import Permit, Permits, add_idle, close_some, pop_idle
from .route import Route


@dataclass(slots=True, eq=False, repr=False)
class Home(ABC):
    """The connections of a process, or of an event loop in a process.

    A forked child must not use the connections of its parent, and must not even close them (H81).
    """

    permits: Permits
    process: tuple[int, int] = field(default_factory=this_process, init=False)
    idle: deque[Connection] = field(default_factory=deque, init=False)

    @abstractmethod
    def release(self, permit: Permit) -> None:
        """Release a permit, and wake the next waiting call, or do nothing if the permit was already released."""

    def release_lost(self, permit: Permit) -> None:
        """Release the permit of a garbage-collected body.

        This method can run in any thread, so it doesn't wake waiting calls.
        """
        self.permits.release(permit)

    def close_idle(self) -> None:
        """Close the idle connections, even if the event loop of the connections has ended."""
        if self.process == this_process():
            close_some(self.idle, len(self.idle))


H = TypeVar("H", bound=Home)


class Pool(ABC, Generic[H]):
    """The connection pool of a client."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._abandoned: list[H] = []
        self._closed = False

    def begin(self, body: "HeldBody[H]", request: RawRequest) -> Steps[tuple[int, RawHeaders]]:
        """Send a request, and return the status and headers. The connection then belongs to the response body."""
        while True:
            body.connection = connection = self._take(body.home, request)
            try:
                head = yield from connection.send(request)
                break
            except StaleConnectionError:  # nothing was written, so even a charge can use another connection
                connection.close()
        request.progress.reach("response_started")
        return head

    def _take(self, home: H, request: RawRequest) -> Connection:
        reused = pop_idle(home.idle, request, self._route, len(home.permits))
        connection = reused or Connection(self._route)
        connection.current.serve(request.progress, request.deadline, is_reused=reused is not None)
        return connection

    def give_back(self, home: H, connection: Connection) -> None:
        """Make a connection available to other calls."""
        add_idle(home.idle, connection, self._route)

    @abstractmethod
    def can_reuse(self, home: H) -> bool:
        """Return whether the pool can reuse the connections of a process or an event loop."""


class HeldBody(Generic[H]):
    """The body of a response, which owns the connection until the body is closed."""

    __slots__ = ("__weakref__", "_pool", "_progress", "connection", "home", "marks_end", "permit")

    def __init__(self, pool: Pool[H], home: H, progress: Progress) -> None:
        self._pool, self._progress, self.home = pool, progress, home
        self.connection: Connection | None = None
        self.marks_end: bool = False
        self.permit: Permit = weakref.ref(self, home.release_lost)

    def mark_complete(self, connection: Connection) -> None:
        """Record that the whole body was read."""
        self.marks_end = connection.marks_end
        self._progress.reach("response_complete")

    def close(self) -> None:
        """Return the connection to the pool if it can be reused, or otherwise close the connection."""
        connection = self.connection
        if connection is None:
            return
        try:
            if connection.renew() and self._pool.can_reuse(self.home):
                # Clear the attribute first, because another call can use the connection as soon as the pool has it.
                self.connection = None
                self._pool.give_back(self.home, connection)
        finally:
            self.abort()

    def abort(self) -> None:
        """Close the connection, unless it was returned to the pool, and release the permit for the next call."""
        try:
            connection, self.connection = self.connection, None
            if connection is not None:
                connection.close()
        finally:
            self.home.release(self.permit)
