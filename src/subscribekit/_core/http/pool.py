"""Connections: a stack of one-connection lanes instead of one shared pool.

A lane serves one call at a time, so a cancelled or broken call costs its own connection and nothing else (H80), and
finding a free one does not slow down with their number. The blocking lanes cut every socket operation to what is left
of the call's deadline (H10). Only this module and the drivers do I/O.
"""

import os
import socket
import ssl
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar
from urllib.parse import unquote, urlsplit

import certifi
import h11
import httpcore

from ...errors import ConfigurationError
from ..config.address import Address
from ..config.secret import Secret
from ..config.timeouts import Limits
from .transport import WAITED, WAITING, Carrier, RawRequest, RawResponse

C = TypeVar("C")

_context_lock = threading.Lock()
_contexts: list[ssl.SSLContext] = []


def shared_ssl_context() -> ssl.SSLContext:
    """The verifying TLS context that all clients share, made at first use (it takes 15 ms)."""
    with _context_lock:
        if not _contexts:
            # With a file of its own, so that no variable of the environment names another (H26).
            context = _with_minimum(ssl.create_default_context(cafile=certifi.where()))
            # The standard library has opened what SSLKEYLOGFILE names, to write the keys of all connections (H26).
            context.keylog_filename = None  # type: ignore[assignment]  # typeshed does not know that None ends it
            _contexts.append(context)
        return _contexts[0]


def _with_minimum(context: ssl.SSLContext) -> ssl.SSLContext:
    """Set the least version where nobody chose one: some builds of Python, such as Debian's, leave it open."""
    if context.minimum_version is ssl.TLSVersion.MINIMUM_SUPPORTED:
        context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def check_ssl_context(context: ssl.SSLContext) -> ssl.SSLContext:
    """Refuse a context that does not verify (H27); one that leaves the least version open gets TLS 1.2.

    Raises:
        ConfigurationError: No certificate check, no host name check, or TLS below 1.2.
    """
    if not isinstance(context, ssl.SSLContext):
        raise ConfigurationError("ssl_context must be an ssl.SSLContext")
    if context.verify_mode != ssl.CERT_REQUIRED or not context.check_hostname:
        raise ConfigurationError("ssl_context must check certificates and host names")
    if _with_minimum(context).minimum_version not in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        raise ConfigurationError("ssl_context must have a minimum_version of at least TLS 1.2")
    return context


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy that was given explicitly; its user and password are secrets."""

    url: str
    user: Secret | None = None
    password: Secret | None = None

    def auth(self) -> tuple[str, str] | None:
        """The proxy's credential for the connection."""
        return (self.user.reveal(), self.password.reveal() if self.password else "") if self.user else None


def parse_proxy(proxy: Secret | None) -> Proxy | None:
    """Check the address of a proxy: `http://[user:password@]host:port`.

    Raises:
        ConfigurationError: Another scheme, or no host.
    """
    found = None if proxy is None else _split_proxy(proxy.reveal())
    if isinstance(found, str):
        raise ConfigurationError(found)
    return found


def _split_proxy(url: str) -> Proxy | str:
    """Take an address apart, or say what is wrong with it; raised elsewhere, as this frame shows a password (H31)."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except (ValueError, TypeError, AttributeError):
        return "proxy is not a URL"
    if parts.scheme not in ("http", "https") or not host or parts.path.strip("/") or parts.query or parts.fragment:
        return "proxy must be http://host:port or https://host:port, user and password before the host"
    netloc = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    user = Secret(unquote(parts.username)) if parts.username else None
    return Proxy(f"{parts.scheme}://{netloc}", user, Secret(unquote(parts.password)) if parts.password else None)


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


class End:
    """The deadline of the call that a lane serves at present."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at: float | None = None

    def cut(self, timeout: float | None, error: type[Exception]) -> float | None:
        """Cut a timeout to what is left."""
        if self.at is None:
            return timeout
        left = self.at - monotonic()
        if left <= 0:
            raise error("the deadline has passed")
        return left if timeout is None else min(timeout, left)


class Patience:
    """What is left of the time to open one connection, its TLS handshake included."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else monotonic() + seconds

    @property
    def left(self) -> float | None:
        """Seconds that are left; raises when there are none."""
        if self._end is None:
            return None
        left = self._end - monotonic()
        if left <= 0:
            raise httpcore.ConnectTimeout("no connection in time")
        return left


class _Stream(httpcore.NetworkStream):
    """A socket whose operations end with the deadline."""

    _PIECE = 16384

    def __init__(self, inner: httpcore.NetworkStream, end: End, patience: Patience) -> None:
        self._inner, self._end, self._patience = inner, end, patience

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._end.cut(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # In pieces: a peer that reads slowly would get the whole time again for each bit that it takes (H10).
        for start in range(0, len(buffer), self._PIECE):
            cut = self._end.cut(timeout, httpcore.WriteTimeout)
            self._inner.write(buffer[start : start + self._PIECE], cut)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        try:
            cut = self._end.cut(self._patience.left, httpcore.ConnectTimeout)
            inner = self._inner.start_tls(ssl_context, server_hostname, cut)
        except BaseException:  # httpcore closes the socket after some errors, and not after an interrupt
            self._inner.close()
            raise
        if inner.get_extra_info("ssl_object") is None:
            # The standard library gives a socket without TLS when the peer was gone before the handshake.
            inner.close()
            raise httpcore.ConnectError("the connection ended before the TLS handshake")
        return _Stream(inner, self._end, self._patience)

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)


class _Backend(httpcore.NetworkBackend):
    """Opens sockets whose operations end with the deadline."""

    def __init__(self, end: End) -> None:
        self._inner, self._end = httpcore.SyncBackend(), end

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        patience = Patience(timeout)
        failure: Exception = httpcore.ConnectError("the host has no address")
        addresses = _addresses(host, port)
        # The standard library grants the whole time to each address. Here they share it, so that one which swallows
        # packets leaves some for the others.
        for remaining, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
            left = patience.left
            cut = self._end.cut(None if left is None else left / remaining, httpcore.ConnectTimeout)
            try:
                stream = self._inner.connect_tcp(address, port, cut, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _Stream(stream, self._end, patience)
        raise failure


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(str(error)) from error
    return [str(address[0]) for *_, address in found]


@dataclass(slots=True, eq=False, repr=False)
class Lane(Generic[C]):
    """One connection, and since when it is idle."""

    connection: C
    end: End
    idle_since: float = 0.0


ERRORS = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.TimeoutException,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
    OSError,
)
"""What a carrier raises when an exchange fails."""


def known(error: Exception) -> Exception:
    """Give one of `ERRORS` for what a mock of httpx raised in httpcore's place, and any other exception as it is."""
    if isinstance(error, ERRORS):
        return error
    from .httpx_transport import translated

    return translated(error)


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


class Network(Carrier):
    """Blocking connections of one client, usable from many threads and after a fork."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._lock = threading.Lock()
        self._abandoned: list[object] = []
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._pid = os.getpid()
        self._idle: deque[Lane[SyncConnection]] = deque()
        self._slots = threading.Semaphore(self._route.limits.max_connections)

    def send(self, request: RawRequest) -> RawResponse["_Body"]:
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
                response = lane.connection.handle_request(core_request(request, origin, request.trace))
            except BaseException:
                lane.connection.close()
                raise
        except BaseException as error:
            slots.release()
            if isinstance(error, Exception) and (same := known(error)) is not error:
                raise same from error
            raise
        return RawResponse(response.status, response.headers, _Body(self, slots, lane, response))

    def _wait_for_slot(self, slots: threading.Semaphore, request: RawRequest) -> None:
        request.trace(WAITING, None)
        if not slots.acquire(timeout=request.timeouts["pool"]):
            raise httpcore.PoolTimeout("no connection became free in time")
        request.trace(WAITED, None)

    def _take(self, origin: httpcore.Origin, max_idle: float | None) -> Lane[SyncConnection]:
        limit = self._route.limits.keepalive_expiry if max_idle is None else max_idle
        while True:
            try:
                lane = self._idle.pop()
            except IndexError:
                return self._open(origin)
            if monotonic() - lane.idle_since <= limit and usable(lane.connection):
                return lane
            lane.connection.close()

    def _open(self, origin: httpcore.Origin) -> Lane[SyncConnection]:
        end = End()
        context, proxy = self._route.context(origin), self._route.proxy
        backend = _Backend(end)
        if proxy is None:
            return Lane(httpcore.HTTPConnection(origin, context, network_backend=backend), end)
        return Lane(
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

    def give_back(self, slots: threading.Semaphore, lane: Lane[SyncConnection]) -> None:
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
    """The rest of an answer; closing it frees the lane."""

    def __init__(
        self, network: Network, slots: threading.Semaphore, lane: Lane[SyncConnection], response: httpcore.Response
    ) -> None:
        self._network, self._slots, self._response = network, slots, response
        self._lane: Lane[SyncConnection] | None = lane

    def __iter__(self) -> Iterator[bytes]:
        stream = self._response.stream
        if not isinstance(stream, Iterable):
            raise TypeError("a blocking connection gave an async stream")
        return iter(stream)

    def close(self) -> None:
        lane, self._lane = self._lane, None
        if lane is not None:
            try:
                self._response.close()
            finally:
                self._network.give_back(self._slots, lane)
