"""The SDK's own connections as a transport of httpx.

The transport's `handle_request` calls httpx's own method, so that tools can replace methods of `httpx.Client` or
`httpx.HTTPTransport`. httpx's method sends the request with the SDK's pool. If a tool replaces httpcore's pool or
Python's sockets, a check before each request detects the tool, and the request goes to a pool of httpcore.
"""

import ssl
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Generic, Self, TypeVar, cast

import httpcore
import httpx

from ...._sealed import Content, SealedHeaders, Secret
from ...config.address import Address
from ...config.timeouts import Limits
from ..connections.pool import ConnectionPool
from ..connections.route import Route, route_of
from ..failure import TransportFailure
from ..progress import Progress
from ..transport import Body, RawHeaders, RawRequest, RawResponse
from .foreign_pool import trace_in, with_trace_of
from .intercepted import is_intercepted, stock_options
from .library import OWN

P = TypeVar("P")

_NO_LIMIT = 1e6
"""The timeout, in seconds, for each step that has no timeout in the request."""


@dataclass(slots=True)
class PoolResponse:
    """The parts of a pool's response that httpx uses."""

    status: int
    headers: RawHeaders
    stream: object
    extensions: dict[str, object]


def extensions_of(request: httpcore.Request) -> Mapping[str, object]:
    """Return the extensions of an httpcore request."""
    return cast("Mapping[str, object]", request.extensions)  # pyright: ignore[reportUnknownMemberType]  # httpcore's type


def raw_request(request: httpcore.Request, body: Content) -> RawRequest:
    """Return the SDK's request with any headers that hooks and tracers changed, or convert any other request."""
    given = extensions_of(request)
    own = given.get(OWN)
    if isinstance(own, RawRequest):
        own.progress.is_repeated = own.progress.has_begun
        if request.headers == own.headers.reveal():
            return own
        return replace(own, headers=SealedHeaders.of(lambda: with_trace_of(own, request)))
    url, seconds = request.url, cast("Mapping[str, float | None]", given.get("timeout", {}))
    if url.scheme not in (b"https", b"http"):
        raise httpcore.UnsupportedProtocol("the URL must start with https:// or http://")
    return RawRequest(
        method=request.method.decode("ascii"),
        address=Address(url.scheme.decode("ascii"), url.host.decode("ascii").strip("[]"), url.port, ""),
        target=url.target.decode("ascii"),
        headers=SealedHeaders.of(lambda: list(request.headers)),
        trace=trace_in(request),
        body=body,
        timeouts={step: seconds.get(step) or _NO_LIMIT for step in ("connect", "read", "write", "pool")},
        progress=Progress(),
        deadline=None,
        max_idle=None,
    )


def as_httpcore(failure: TransportFailure) -> Exception:
    """Return an exception of httpcore, which httpx translates into its own exception.

    The failure is the cause of the exception.
    """
    kinds = [] if failure.kind != "no_free_connection" else ["PoolTimeout"]
    kinds += ["ProxyError"] if failure.kind == "refused_by_proxy" else []
    kinds += [kind.__name__.replace("TimeoutError", "Timeout") for kind in type(failure.__context__).__mro__]
    kinds.append("ConnectError" if failure.phase in ("nothing", "connected") else "ReadError")
    kind = next(found for name in kinds if (found := getattr(httpcore, name, None)) is not None)
    error: Exception = kind(failure.reason)
    error.__cause__ = failure
    return error


def pool_response(response: RawResponse[object], stream: object) -> PoolResponse:
    """Return a response in the form that httpx expects from a pool, with the body as a stream of bytes."""
    return PoolResponse(response.status, response.headers, stream, {"http_version": b"HTTP/1.1", OWN: response.body})


class _Content:
    def __init__(self, body: Body) -> None:
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        try:
            for piece in self._body:
                yield piece.reveal()
        except TransportFailure as failure:
            raise as_httpcore(failure) from failure

    def close(self) -> None:
        self._body.close()


class Pools(Generic[P]):
    """Replaces httpcore's pool in httpx's transport with a pool of the SDK for each origin."""

    def __init__(self, route: Route, pools: dict[str, P], kind: Callable[[Route], P]) -> None:
        self._route, self._pools, self._kind = route, pools, kind
        self.limits = route.limits

    def pool_of(self, raw: RawRequest) -> P:
        """Return the pool of a request's origin."""
        origin = raw.address.origin
        return self._pools.get(origin) or self._pools.setdefault(origin, self._kind(self._route))


class Pooled(Generic[P]):
    """The code that the sync and async pooled transports share."""

    def __init__(
        self, *, ssl_context: ssl.SSLContext | None = None, proxy: str | None = None, limits: Limits | None = None
    ) -> None:
        tunnel = None if proxy is None else Secret(proxy)
        del proxy  # without this line, a traceback could show the password in a frame (test_credentials.py)
        self._carry(route_of(ssl_context, tunnel, limits), {})

    @classmethod
    def over(cls, route: Route, origin: str, pool: P) -> Self:
        """Create a transport that uses the connections of one of the SDK's clients."""
        transport = cls.__new__(cls)
        cls._carry(transport, route, {origin: pool})
        return transport

    @abstractmethod
    def _carry(self, route: Route, pools: dict[str, P]) -> None: ...


class _Pool(Pools[ConnectionPool], AbstractContextManager["_Pool"]):
    def handle_request(self, request: httpcore.Request) -> object:
        if is_intercepted("ConnectionPool", "handle_request"):
            return httpcore.ConnectionPool(**stock_options(self._route)).handle_request(request)
        parts = () if OWN in extensions_of(request) else cast("Iterable[bytes]", request.stream)
        raw = raw_request(request, Content.of(lambda: b"".join(parts)))
        try:
            response = self.pool_of(raw).send(raw)
        except TransportFailure as failure:
            raise as_httpcore(failure) from failure
        return pool_response(response, _Content(response.body))

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for pool in list(self._pools.values()):
            pool.close()


class PooledTransport(Pooled[ConnectionPool], httpx.HTTPTransport):
    """The SDK's own connections as a transport of httpx, for `httpx.Client(transport=PooledTransport())`.

    Threads can share the transport, and the transport works after a fork. A connection handles one request at a time,
    and the SDK checks a connection before reusing it. The transport ignores proxies in variables such as `HTTPS_PROXY`.

    Args:
        ssl_context: A TLS context that verifies certificates. The SDK changes the options of the context; see the page
            Security. The default context trusts the certificate authorities of certifi.
        proxy: The URL of a proxy, as `http://[user:password@]host:port`.
        limits: The maximum number of connections to each origin, and how long idle connections stay open.

    Raises:
        ConfigurationError: An argument is invalid.
    """

    def _carry(self, route: Route, pools: dict[str, ConnectionPool]) -> None:
        self._pool = _Pool(route, pools, ConnectionPool)  # type: ignore[assignment]  # the part of a pool that httpx uses

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Check that a request is an `httpx.Request`, and send the request like `httpx.HTTPTransport`.

        Raises:
            TypeError: The request isn't an `httpx.Request`.
        """
        refuse_other_library(self, request)
        return super().handle_request(request)


def refuse_other_library(transport: object, request: object) -> None:
    """Raise an error for a request of another library, such as httpx2.

    Raises:
        TypeError: The request isn't an `httpx.Request`.
    """
    if not isinstance(request, httpx.Request):
        raise TypeError(
            f"{type(transport).__name__} works only in httpx.Client and httpx.AsyncClient, but the request comes from "
            f"{type(request).__module__}"
        )
