"""Transports of httpx as transports of this package: mocks, the sandbox, whatever an application gives."""

from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager
from typing import Self

import httpcore
import httpx

from ...errors import ConfigurationError, RequestError
from .failure import CORE_ERRORS, failure_of
from .progress import Progress
from .transport import DEADLINE, MAX_IDLE, AsyncTransport, RawRequest, RawResponse, Transport

_RAISED: dict[type[Exception], type[Exception]] = {
    httpx.ConnectError: httpcore.ConnectError,
    httpx.ConnectTimeout: httpcore.ConnectTimeout,
    httpx.ReadError: httpcore.ReadError,
    httpx.ReadTimeout: httpcore.ReadTimeout,
    httpx.WriteError: httpcore.WriteError,
    httpx.WriteTimeout: httpcore.WriteTimeout,
    httpx.PoolTimeout: httpcore.PoolTimeout,
    httpx.ProxyError: httpcore.ProxyError,
    httpx.LocalProtocolError: httpcore.LocalProtocolError,
    httpx.RemoteProtocolError: httpcore.RemoteProtocolError,
    httpx.UnsupportedProtocol: httpcore.UnsupportedProtocol,
}
_ERRORS = (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, EOFError)
_LIBRARIES = ("aiohttp", "anyio", "h11", "h2", "trio")
"""Whose exceptions a transport may let through: they tell of the connection, and not of a mistake in a mock."""
_NOT_CONNECTED = ("ClientConnectorError", "ConnectionTimeoutError")


def in_core_terms(error: Exception) -> Exception:
    """Give httpcore's exception for one of httpx's or of a library below a transport, and any other as it is."""
    if isinstance(error, CORE_ERRORS) or not (isinstance(error, _ERRORS) or _is_of_library(error)):
        return error
    kind: type[Exception] = next(
        (_RAISED[each] for each in type(error).__mro__ if each in _RAISED), httpcore.NetworkError
    )
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout) and _was_connected(error.__cause__):
        kind = httpcore.ReadError
    same = kind(str(error))
    same.__cause__ = error
    return same


def _is_of_library(error: BaseException) -> bool:
    return type(error).__module__.partition(".")[0] in _LIBRARIES


def _was_connected(cause: BaseException | None) -> bool:
    """Whether a connect error stands for a connection that was lost later: httpx-aiohttp says so of both (H87)."""
    if cause is None or not _is_of_library(cause):
        return False
    return not any(kind.__name__ in _NOT_CONNECTED for kind in type(cause).__mro__)


@contextmanager
def _translating(progress: Progress) -> Generator[None]:
    try:
        yield
    except Exception as error:
        same = in_core_terms(error)
        if not isinstance(same, CORE_ERRORS):
            raise
        raise failure_of(same, progress) from None


def _httpx_request(request: RawRequest, trace: object) -> httpx.Request:
    """Build the request that a transport of httpx takes.

    Raises:
        RequestError: httpx would send it elsewhere: it folds dot segments and limits the length.
    """
    try:
        url = httpx.URL(request.address.origin + request.target)
    except httpx.InvalidURL:
        raise RequestError("the address with its query is too long; the request was not made") from None
    if url.raw_path != request.target.encode():
        raise RequestError("the request would go to another address than the arguments say; it was not made")
    extensions: dict[str, object] = {"timeout": request.timeouts, "trace": trace}
    if request.deadline is not None:
        extensions[DEADLINE] = request.deadline
    if request.max_idle is not None:
        extensions[MAX_IDLE] = request.max_idle
    return httpx.Request(
        request.method, url, headers=list(request.headers), stream=httpx.ByteStream(request.body), extensions=extensions
    )


class HttpxTransport(Transport):
    """Carries with a blocking transport of httpx; closing it is the affair of whoever made it."""

    def __init__(self, transport: httpx.BaseTransport) -> None:
        self._transport = transport

    @classmethod
    def over(cls, transport: object) -> Self:
        """Carry with what an application gave.

        Raises:
            ConfigurationError: It is not a blocking transport of httpx.
        """
        if not isinstance(transport, httpx.BaseTransport):
            raise ConfigurationError("transport must be an httpx.BaseTransport; the async clients take the async ones")
        return cls(transport)

    def send(self, request: RawRequest) -> RawResponse["_Body"]:
        """Send one request."""
        with _translating(request.progress):
            response = self._transport.handle_request(_httpx_request(request, request.progress.event))
        return RawResponse(response.status_code, response.headers.raw, _Body(response, request.progress))

    def close(self) -> None:
        """Close the transport."""
        self._transport.close()


class _Body:
    def __init__(self, response: httpx.Response, progress: Progress) -> None:
        self._response, self._progress = response, progress

    def __iter__(self) -> Iterator[bytes]:
        if not isinstance(self._response.stream, httpx.SyncByteStream):
            raise TypeError("the transport of a blocking client must give blocking streams")
        with _translating(self._progress):
            yield from self._response.stream

    def close(self) -> None:
        self._response.close()


class AsyncHttpxTransport(AsyncTransport):
    """Carries with an async transport of httpx."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    @classmethod
    def over(cls, transport: object) -> Self:
        """Carry with what an application gave.

        Raises:
            ConfigurationError: It is not an async transport of httpx.
        """
        if not isinstance(transport, httpx.AsyncBaseTransport):
            raise ConfigurationError("transport must be an httpx.AsyncBaseTransport, as this client is async")
        return cls(transport)

    async def send(self, request: RawRequest) -> RawResponse["_AsyncBody"]:
        """Send one request."""
        with _translating(request.progress):
            response = await self._transport.handle_async_request(_httpx_request(request, request.progress.event_async))
        return RawResponse(response.status_code, response.headers.raw, _AsyncBody(response, request.progress))

    async def aclose(self) -> None:
        """Close the transport."""
        await self._transport.aclose()


class _AsyncBody:
    def __init__(self, response: httpx.Response, progress: Progress) -> None:
        self._response, self._progress = response, progress

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if not isinstance(self._response.stream, httpx.AsyncByteStream):
            raise TypeError("the transport of an async client must give async streams")
        with _translating(self._progress):
            async for piece in self._response.stream:
                yield piece

    async def aclose(self) -> None:
        await self._response.aclose()
