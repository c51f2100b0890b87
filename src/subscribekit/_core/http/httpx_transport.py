"""Transports of httpx as carriers: mocks, the sandbox, and whatever else an application gives as `transport`."""

from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager
from typing import Self

import httpcore
import httpx

from ...errors import ConfigurationError, RequestError
from .transport import DEADLINE, MAX_IDLE, AsyncCarrier, Carrier, RawRequest, RawResponse

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


def translated(error: Exception) -> Exception:
    """Give httpcore's exception for one of httpx's or of a library below a transport, and any other as it is."""
    if not isinstance(error, _ERRORS) and not _is_of_library(error):
        return error
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout) and _was_connected(error.__cause__):
        return httpcore.ReadError(str(error))
    for kind in type(error).__mro__:
        if kind in _RAISED:
            return _RAISED[kind](str(error))
    return httpcore.NetworkError(str(error))


def _is_of_library(error: BaseException) -> bool:
    return type(error).__module__.partition(".")[0] in _LIBRARIES


def _was_connected(cause: BaseException | None) -> bool:
    """Whether a connect error stands for a connection that was lost later: httpx-aiohttp says so of both (H87)."""
    if cause is None or not _is_of_library(cause):
        return False
    return not any(kind.__name__ in _NOT_CONNECTED for kind in type(cause).__mro__)


@contextmanager
def _translating() -> Generator[None]:
    try:
        yield
    except Exception as error:
        same = translated(error)
        if same is error:
            raise
        raise same from error


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


class HttpxCarrier(Carrier):
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
        with _translating():
            response = self._transport.handle_request(_httpx_request(request, request.trace))
        return RawResponse(response.status_code, response.headers.raw, _Body(response))

    def close(self) -> None:
        """Close the transport."""
        self._transport.close()


class _Body:
    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        if not isinstance(self._response.stream, httpx.SyncByteStream):
            raise TypeError("the transport of a blocking client must give blocking streams")
        with _translating():
            yield from self._response.stream

    def close(self) -> None:
        self._response.close()


class AsyncHttpxCarrier(AsyncCarrier):
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

        async def trace(event: str, info: object) -> None:
            request.trace(event, info)

        with _translating():
            response = await self._transport.handle_async_request(_httpx_request(request, trace))
        return RawResponse(response.status_code, response.headers.raw, _AsyncBody(response))

    async def aclose(self) -> None:
        """Close the transport."""
        await self._transport.aclose()


class _AsyncBody:
    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if not isinstance(self._response.stream, httpx.AsyncByteStream):
            raise TypeError("the transport of an async client must give async streams")
        with _translating():
            async for piece in self._response.stream:
                yield piece

    async def aclose(self) -> None:
        await self._response.aclose()
