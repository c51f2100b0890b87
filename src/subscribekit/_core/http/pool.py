"""Connections: a stack of one-connection lanes instead of one shared pool.

A lane serves one call at a time, so a cancelled or broken call costs its own connection and nothing else (H80), and
finding a free one does not slow down with their number. The blocking lanes cut every socket operation to what is left
of the call's deadline (H10). Only this module and the drivers do I/O.
"""

import os
import ssl
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

import h11
import httpcore

from ..config.address import Address
from ..config.timeouts import Limits
from .deadline import Deadline
from .failure import TransportFailure, translated
from .progress import Progress
from .proxy import Proxy
from .sockets import DeadlineBackend
from .tls import shared_ssl_context
from .transport import Body, RawRequest, RawResponse, Transport

C = TypeVar("C")


@dataclass(slots=True, eq=False, repr=False)
class Route:
    """Where the connections of a client go, and how."""

    limits: Limits
    ssl_context: ssl.SSLContext | None = None
    proxy: Proxy | None = None

    def context(self, origin: httpcore.Origin) -> ssl.SSLContext | None:
        """The TLS context for an origin; plain HTTP on loopback needs none."""
        return (self.ssl_context or shared_ssl_context()) if origin.scheme == b"https" else None

    def proxy_context(self) -> ssl.SSLContext | None:
        """The TLS context of the connection to the proxy itself."""
        return shared_ssl_context() if self.proxy and self.proxy.url.startswith("https") else None


@dataclass(slots=True, eq=False, repr=False)
class PooledConnection(Generic[C]):
    """One connection, and since when it is idle."""

    connection: C
    end: Deadline
    idle_since: float = 0.0


def origin_of(address: Address) -> httpcore.Origin:
    """Where the connections of a request go."""
    port = address.port or (443 if address.scheme == "https" else 80)
    return httpcore.Origin(address.scheme.encode(), address.hostname.encode(), port)


def core_request(request: RawRequest, origin: httpcore.Origin, trace: object) -> httpcore.Request:
    """The request as httpcore takes it."""
    target = request.target.encode("ascii")
    url = httpcore.URL(scheme=origin.scheme, host=origin.host, port=request.address.port, target=target)
    extensions = {"timeout": request.timeouts, "trace": trace}
    return httpcore.Request(request.method, url, headers=request.headers, content=request.body, extensions=extensions)


SyncConnection = httpcore.HTTPConnection | httpcore.HTTPProxy
AsyncConnection = httpcore.AsyncHTTPConnection | httpcore.AsyncHTTPProxy


class ConnectionPool(Transport):
    """Blocking connections of one client, usable from many threads and after a fork."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._lock = threading.Lock()
        self._abandoned: list[object] = []
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._pid = os.getpid()
        self._idle: deque[PooledConnection[SyncConnection]] = deque()
        self._slots = threading.Semaphore(self._route.limits.max_connections)

    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send one request on a lane of its own; the lane is free again when the body is closed."""
        if self._pid != os.getpid():
            with self._lock:
                # A forked child must not touch the parent's sockets, not even to close them (H81).
                if self._pid != os.getpid():
                    self._abandoned.append(self._idle)
                    self._begin()
        slots = self._slots
        if not slots.acquire(blocking=False):
            self._wait_for_slot(slots, request)
        try:
            origin = origin_of(request.address)
            lane = self._take(origin, request.max_idle)
            lane.end.at = request.deadline
            try:
                response = lane.connection.handle_request(core_request(request, origin, request.progress.event))
            except BaseException:
                lane.connection.close()
                raise
        except BaseException as error:
            slots.release()
            if isinstance(error, Exception) and (failure := translated(error, request.progress)) is not error:
                raise failure from None
            raise
        return RawResponse(response.status, response.headers, _Body(self, slots, lane, response, request.progress))

    def _wait_for_slot(self, slots: threading.Semaphore, request: RawRequest) -> None:
        request.progress.wait()
        if not slots.acquire(timeout=request.timeouts["pool"]):
            raise TransportFailure("no connection became free in time", "nothing", "no_free_connection")
        request.progress.begin()

    def _take(self, origin: httpcore.Origin, max_idle: float | None) -> PooledConnection[SyncConnection]:
        limit = self._route.limits.keepalive_expiry if max_idle is None else max_idle
        while True:
            try:
                lane = self._idle.pop()
            except IndexError:
                return self._open(origin)
            if monotonic() - lane.idle_since <= limit and usable(lane.connection):
                return lane
            lane.connection.close()

    def _open(self, origin: httpcore.Origin) -> PooledConnection[SyncConnection]:
        end = Deadline()
        context, proxy = self._route.context(origin), self._route.proxy
        backend = DeadlineBackend(end)
        if proxy is None:
            return PooledConnection(httpcore.HTTPConnection(origin, context, network_backend=backend), end)
        return PooledConnection(
            httpcore.HTTPProxy(
                proxy.url,
                proxy_auth=proxy.auth(),
                ssl_context=context,
                proxy_ssl_context=self._route.proxy_context(),
                max_connections=1,
                network_backend=backend,
            ),
            end,
        )

    def give_back(self, slots: threading.Semaphore, lane: PooledConnection[SyncConnection]) -> None:
        """Take a lane back after its call."""
        if slots is self._slots and not self._closed and usable(lane.connection):
            lane.idle_since = monotonic()
            self._idle.append(lane)
        else:
            lane.connection.close()
        slots.release()

    def close(self) -> None:
        """Close the idle connections; those in use close when their call ends."""
        self._closed = True
        idle, self._idle = self._idle, deque()
        self._slots = threading.Semaphore(self._route.limits.max_connections)
        if self._pid == os.getpid():
            for lane in idle:
                lane.connection.close()


def usable(connection: SyncConnection | AsyncConnection) -> bool:
    """Whether the next call may have a connection: idle, open, and with nothing on it that nobody asked for.

    An answer too many would be taken for the answer to the next call (H58).
    """
    if isinstance(connection, httpcore.ConnectionPool | httpcore.AsyncConnectionPool):  # a proxy's, of one connection
        return all(each.is_idle() and not each.has_expired() and not _unread(each) for each in connection.connections)
    return connection.is_idle() and not connection.has_expired() and not _unread(connection)


def _unread(connection: object) -> bool:
    # httpcore keeps its protocol state to itself; should it look otherwise one day, no connection is used twice.
    while (inner := getattr(connection, "_connection", None)) is not None:
        connection = inner
    state = getattr(connection, "_h11_state", None)
    return not isinstance(state, h11.Connection) or state.trailing_data != (b"", False)


class _Body:
    """The rest of a response; closing it frees the connection."""

    def __init__(
        self,
        pool: ConnectionPool,
        slots: threading.Semaphore,
        lane: PooledConnection[SyncConnection],
        response: httpcore.Response,
        progress: Progress,
    ) -> None:
        self._pool, self._slots, self._response, self._progress = pool, slots, response, progress
        self._lane: PooledConnection[SyncConnection] | None = lane

    def __iter__(self) -> Iterator[bytes]:
        stream = self._response.stream
        if not isinstance(stream, Iterable):
            raise TypeError("a blocking connection gave an async stream")
        try:
            yield from stream
        except Exception as error:
            if (failure := translated(error, self._progress)) is not error:
                raise failure from None
            raise

    def close(self) -> None:
        lane, self._lane = self._lane, None
        if lane is not None:
            try:
                self._response.close()
            finally:
                self._pool.give_back(self._slots, lane)
