"""Transports of httpx and httpx2 as transports of this package: mocks, the sandbox, whatever an application gives.

Neither library is imported for the other one's transport: a transport and its exceptions are known by the names in
their ancestry.
"""

import contextlib
import weakref
from collections.abc import AsyncIterable, AsyncIterator, Generator, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Self, cast

from ...errors import ConfigurationError, Phase, RequestError
from ..config.environments import is_of_sandbox
from .failure import FailureKind, StaleConnectionError, TransportFailure
from .foreign_pool import Watch
from .progress import Progress
from .reasons import is_refusal_by_tls, reason_of
from .redacted_logging import in_call
from .transport import AsyncTransport, RawRequest, RawResponse, Transport

if TYPE_CHECKING:
    import httpx

__tracebackhide__ = True  # pytest shows the line of the caller instead

_FAMILIES = ("httpx", "httpx2")
_LIBRARIES = (*_FAMILIES, "httpcore", "httpcore2", "aiohttp", "anyio", "h11", "h2", "socksio", "trio")
"""Whose exceptions a transport may let through: they tell of the connection, and not of a mistake in a mock."""
_OF_HTTPX = ("HTTPError", "StreamError", "InvalidURL")
_NOT_CONNECTED = ("ClientConnectorError", "ConnectionTimeoutError")
_HTTP1 = (b"HTTP/1.0", b"HTTP/1.1")
"""Where a body without a length ends with its connection; HTTP/2 and mocks mark its end."""
_MOST_REFUSED = 200
"""Pooled connections that are refused for one request; then the transport is taken to open none."""


def foreign_failure(error: Exception, progress: Progress) -> TransportFailure | None:
    """Translate what a transport raised; `None` for what is a mistake in it, such as a failed assertion of a mock."""
    names = _names(error)
    library = _library(error, names)
    if library is None and not isinstance(error, OSError | EOFError):
        return None
    phase: Phase = progress.phase
    kind: FailureKind = "lost"
    connecting = bool(names & {"ConnectError", "ConnectTimeout"}) and not _was_connected(error.__cause__)
    if progress.has_begun:  # a transport that repeats by itself: what fails later says nothing of the first attempt
        pass
    elif "PoolTimeout" in names:
        phase, kind = "nothing", "no_free_connection"
    elif "ProxyError" in names and phase != "not_reported":
        phase, kind = "connected", "refused_by_proxy"
    elif connecting and "ConnectError" in names and is_refusal_by_tls(error, progress.handled):
        phase, kind = "connected", "refused_by_tls"
    elif phase == "not_reported":
        phase = "nothing" if connecting else "headers_started"
    return TransportFailure(reason_of(error, progress.handled), phase, kind)


def _names(error: BaseException) -> set[str]:
    return {kind.__name__ for kind in type(error).__mro__}


def _library(error: BaseException, names: set[str]) -> str | None:
    """The library that an exception is of; one of a wrapper counts as the library's from which it is derived."""
    for kind in type(error).__mro__:
        library = kind.__module__.partition(".")[0]
        if library in _LIBRARIES:
            return library if library not in _FAMILIES or names.intersection(_OF_HTTPX) else None
    return None


def _was_connected(cause: BaseException | None) -> bool:
    """Whether a connect error stands for a connection that was lost later: httpx-aiohttp says so of both (H87)."""
    if cause is None or not type(cause).__module__.startswith("aiohttp"):
        return False
    return _names(cause).isdisjoint(_NOT_CONNECTED)


def _raise_translated(error: BaseException, progress: Progress) -> None:
    failure = foreign_failure(error, progress) if isinstance(error, Exception) else None
    if failure is not None:
        raise failure from None


@contextlib.contextmanager
def _translating(progress: Progress) -> Generator[None]:
    try:
        yield
    except Exception as error:
        _raise_translated(error, progress)
        raise


def _only_stale() -> TransportFailure:
    return TransportFailure("the transport opens no new connection in place of a used one", "connected")


class _Library:
    """The classes of the library that a transport is of; both have the same names."""

    def __init__(self, name: str) -> None:
        self._module = import_module(name)

    @classmethod
    def of(cls, transport: object, kind: str) -> Self | None:
        """Find the library from whose class `kind` a transport is derived; `None` if there is none."""
        for each in type(transport).__mro__:
            library = each.__module__.partition(".")[0]
            if each.__name__ == kind and library in _FAMILIES:
                return cls(library)
        return None

    def request(self, request: RawRequest, trace: object) -> "httpx.Request":
        """Build the request that a transport takes.

        Raises:
            RequestError: The library would send it elsewhere: it folds dot segments and limits the length.
        """
        module = self._module
        try:
            url = module.URL(request.address.origin + request.target)
        except module.InvalidURL:
            raise RequestError("the address with its query is too long; the request was not made") from None
        if url.raw_path != request.target.encode():
            raise RequestError("the request would go to another address than the arguments say; it was not made")
        body = module.ByteStream(request.body)
        extensions = {"timeout": request.timeouts, "trace": trace}
        built = module.Request(request.method, url, headers=list(request.headers), stream=body, extensions=extensions)
        return cast("httpx.Request", built)


class HttpxTransport(Transport):
    """Sends with a blocking transport of httpx or httpx2; its owner closes it."""

    def __init__(self, transport: "httpx.BaseTransport", library: _Library | None = None) -> None:
        self._transport = transport
        self._library = library or _Library("httpx")

    @classmethod
    def over(cls, transport: object) -> Self:
        """Send with what an application gave.

        Raises:
            ConfigurationError: It is not a blocking transport of httpx or httpx2.
        """
        library = _Library.of(transport, "BaseTransport")
        if library is None:
            raise ConfigurationError(
                "transport must be a BaseTransport of httpx or httpx2; the async clients take the async ones"
                + _instead_of(transport)
            )
        return cls(cast("httpx.BaseTransport", transport), library)

    def send(self, request: RawRequest) -> RawResponse["_Body"]:
        """Send one request."""
        progress, before = request.progress, in_call.get()
        try:
            for _ in range(_MOST_REFUSED):
                watch = Watch(self._transport, progress)
                in_call.set(weakref.ref(watch))
                with contextlib.suppress(StaleConnectionError):
                    response = self._transport.handle_request(self._library.request(request, watch.event))
                    return RawResponse(
                        response.status_code,
                        response.headers.raw,
                        _Body(response, watch, before),
                        response.extensions.get("http_version") not in _HTTP1,
                    )
        except BaseException as error:
            in_call.set(before)
            _raise_translated(error, progress)
            raise
        in_call.set(before)
        raise _only_stale()

    def close(self) -> None:
        """Close the transport."""
        self._transport.close()


class _Body:
    def __init__(self, response: "httpx.Response", watch: Watch, before: "weakref.ref[object] | None") -> None:
        self._response, self._progress = response, watch.progress
        self._watch, self._before = watch, before  # as long as the exchange runs, its log records are cut down

    def __iter__(self) -> Iterator[bytes]:
        stream: object = self._response.stream
        if not isinstance(stream, Iterable):
            raise TypeError("the transport of a blocking client must give blocking streams")
        try:
            yield from stream
        except Exception as error:
            _raise_translated(error, self._progress)
            raise

    def close(self) -> None:
        try:
            self._response.close()
        except Exception as error:
            _raise_translated(error, self._progress)
            raise
        finally:
            in_call.set(self._before)


class AsyncHttpxTransport(AsyncTransport):
    """Sends with an async transport of httpx or httpx2."""

    def __init__(self, transport: "httpx.AsyncBaseTransport", library: _Library | None = None) -> None:
        self._transport = transport
        self._library = library or _Library("httpx")

    @classmethod
    def over(cls, transport: object) -> Self:
        """Send with what an application gave.

        Raises:
            ConfigurationError: It is not an async transport of httpx or httpx2.
        """
        library = _Library.of(transport, "AsyncBaseTransport")
        if library is None:
            raise ConfigurationError(
                "transport must be an AsyncBaseTransport of httpx or httpx2, as this client is async"
                + _instead_of(transport)
            )
        return cls(cast("httpx.AsyncBaseTransport", transport), library)

    async def send(self, request: RawRequest) -> RawResponse["_AsyncBody"]:
        """Send one request."""
        progress, before = request.progress, in_call.get()
        try:
            for _ in range(_MOST_REFUSED):
                watch = Watch(self._transport, progress)
                in_call.set(weakref.ref(watch))
                with contextlib.suppress(StaleConnectionError):
                    sent = self._library.request(request, watch.event_async)
                    response = await self._transport.handle_async_request(sent)
                    return RawResponse(
                        response.status_code,
                        response.headers.raw,
                        _AsyncBody(response, watch, before),
                        response.extensions.get("http_version") not in _HTTP1,
                    )
        except BaseException as error:
            in_call.set(before)
            _raise_translated(error, progress)
            raise
        in_call.set(before)
        raise _only_stale()

    async def aclose(self) -> None:
        """Close the transport."""
        await self._transport.aclose()


class _AsyncBody:
    def __init__(self, response: "httpx.Response", watch: Watch, before: "weakref.ref[object] | None") -> None:
        self._response, self._progress = response, watch.progress
        self._watch, self._before = watch, before  # as long as the exchange runs, its log records are cut down

    async def __aiter__(self) -> AsyncIterator[bytes]:
        stream: object = self._response.stream
        if not isinstance(stream, AsyncIterable):
            raise TypeError("the transport of an async client must give async streams")
        with _translating(self._progress):
            async for piece in stream:
                yield piece

    async def aclose(self) -> None:
        try:
            with _translating(self._progress):
                await self._response.aclose()
        finally:
            in_call.set(self._before)


def _instead_of(transport: object) -> str:
    return "; environment=sandbox.environment needs none" if is_of_sandbox(transport) else ""
