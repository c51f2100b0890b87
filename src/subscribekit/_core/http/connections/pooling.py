"""The shared part of the pools of both styles: a connection belongs to one response body until that is closed."""

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
from .permits import Permit, Permits, close_some, put, take
from .route import Route


@dataclass(slots=True, eq=False, repr=False)
class Home(ABC):
    """The connections of one process, or of one event loop in it.

    A forked child must not touch those of its parent, not even to close them (H81).
    """

    permits: Permits
    process: tuple[int, int] = field(default_factory=this_process, init=False)
    idle: deque[Connection] = field(default_factory=deque, init=False)

    @abstractmethod
    def release(self, permit: Permit) -> None:
        """Give a permit back, and those that wait their turn; the second time does nothing."""

    def lose(self, permit: Permit) -> None:
        """Give back the permit of a body that was collected, in whatever thread: who waits looks for itself."""
        self.permits.release(permit)

    def close_idle(self) -> None:
        """Close the idle connections; their event loop may have ended."""
        if self.process == this_process():
            close_some(self.idle, len(self.idle))


H = TypeVar("H", bound=Home)


class Pool(ABC, Generic[H]):
    """Connections of one client."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._abandoned: list[H] = []
        self._closed = False

    def begin(self, body: "HeldBody[H]", request: RawRequest) -> Steps[tuple[int, RawHeaders]]:
        """Send a request on a connection, which is the body's from then on; give status and headers of the response."""
        while True:
            body.connection = connection = self._take(body.home, request)
            try:
                head = yield from connection.send(request)
                break
            except StaleConnectionError:  # nothing was written: even a charge may go over another one
                connection.close()
        request.progress.reach("response_started")
        return head

    def _take(self, home: H, request: RawRequest) -> Connection:
        kept = take(home.idle, request, self._route, len(home.permits))
        connection = kept or Connection(self._route)
        connection.current.serve(request.progress, request.deadline, is_reused=kept is not None)
        return connection

    def give_back(self, home: H, connection: Connection) -> None:
        """Take a connection back after its call."""
        put(home.idle, connection, self._route)

    @abstractmethod
    def takes_back(self, home: H) -> bool:
        """Whether connections of a process or an event loop are used again."""


class HeldBody(Generic[H]):
    """The rest of a response, and the owner of its connection until it is closed."""

    __slots__ = ("__weakref__", "_pool", "_progress", "connection", "home", "marks_end", "permit")

    def __init__(self, pool: Pool[H], home: H, progress: Progress) -> None:
        self._pool, self._progress, self.home = pool, progress, home
        self.connection: Connection | None = None
        self.marks_end: bool = False
        self.permit: Permit = weakref.ref(self, home.lose)

    def end(self, connection: Connection) -> None:
        """Note that all of it was read."""
        self.marks_end = connection.marks_end
        self._progress.reach("response_complete")

    def close(self) -> None:
        """Give the connection back, if it can carry another request."""
        connection = self.connection
        if connection is None:
            return
        try:
            if connection.renew() and self._pool.takes_back(self.home):
                self.connection = None  # before it is idle: from then on it is the next call's
                self._pool.give_back(self.home, connection)
        finally:
            self.abort()

    def abort(self) -> None:
        """Close the connection, unless it was given back, and let the next call have its turn."""
        try:
            connection, self.connection = self.connection, None
            if connection is not None:
                connection.close()
        finally:
            self.home.release(self.permit)
