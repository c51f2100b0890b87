"""Transports that send requests with a client of httpx or httpx2 (the SDK's own client or the caller's)."""

import contextlib
import weakref
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Generic, NoReturn, Self, TypeVar, cast

from ...._sealed import Content
from ..failure import StaleConnectionError, TransportFailure
from ..progress import Progress
from ..reasons import reason_of
from ..redacted_logging import in_call
from ..transport import AsyncBody, AsyncTransport, Body, RawHeaders, RawRequest, RawResponse, Transport
from .foreign_failure import foreign_failure, raise_foreign
from .foreign_pool import Watch
from .hooks import classify_hook_error
from .library import OWN, Kind

if TYPE_CHECKING:
    import httpx

    from .given_backend import GivenBackend

__tracebackhide__ = True

C = TypeVar("C")
P = TypeVar("P")

_REFUSAL = 400
_MOST_REFUSED = 200
"""The maximum number of stale connections to reject for one request, because a faulty transport may never open a new
connection."""


def marks_end(response: "httpx.Response") -> bool:
    """Return whether the protocol marks the end of a body without headers, as all protocols except HTTP/1 do."""
    return response.extensions.get("http_version") not in (b"HTTP/1.0", b"HTTP/1.1")


class _Content:
    """The decoded body of a response whose original bytes an event hook or a recorder has already read."""

    def __init__(self, response: "httpx.Response") -> None:
        self._content = Content(response.content)

    def __iter__(self) -> Iterator[bytes]:
        yield self._content.reveal()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._content.reveal()


def _of_read(response: "httpx.Response") -> tuple[RawHeaders, object]:
    """Return the headers and the decoded body of a response that was read.

    The body of a mocked response can be read again.
    """
    stream: object = response.stream
    if type(getattr(stream, "_stream", stream)).__name__ == "ByteStream":
        return response.headers.raw, stream
    return [each for each in response.headers.raw if each[0].lower() != b"content-encoding"], _Content(response)


def _create_backend(make: "Callable[[], GivenBackend[C]]") -> "GivenBackend[C]":
    """Create the httpx client for the first request. Importing httpx fails if no file descriptor is free (H102)."""
    try:
        return make()
    except (OSError, ImportError) as error:
        raise TransportFailure(f"httpx can't be imported: {reason_of(error)}", "nothing") from None


def _response_of(error: BaseException, progress: Progress, client: object) -> "httpx.Response":
    """Return the response if the error is about its status or redirect; otherwise, raise the failure or error."""
    if isinstance(error, Exception):
        if (response := classify_hook_error(error, progress, client)) is not None:
            return response
        if (failure := foreign_failure(error, progress)) is not None:
            below = failure.__context__
            try:
                raise failure from None
            finally:
                failure.__context__ = below or error  # if the SDK's own connections failed, `below` is the cause
    raise error


class _Unread:
    """The body of a response that a hook closed before the body was read."""

    def __iter__(self) -> Iterator[Content]:
        raise self._failure()

    def __aiter__(self) -> AsyncIterator[Content]:
        raise self._failure()

    def _failure(self) -> TransportFailure:
        return TransportFailure("a hook closed the response before its body was read", "response_started")

    def close(self) -> None:
        """Do nothing, because the response is already closed."""

    async def aclose(self) -> None:
        """Do nothing, because the response is already closed."""


class _Body:
    """The body of a response, sync or async. Until the body is closed, the log records of the exchange are redacted."""

    def __init__(self, response: "httpx.Response", watch: Watch, before: "weakref.ref[Watch] | None") -> None:
        self._response, self._watch, self._before = response, watch, before
        as_sent = response.headers.raw, response.stream
        self.headers, self._stream = _of_read(response) if response.is_stream_consumed else as_sent

    @property
    def marks_end(self) -> bool:
        return bool(getattr(self._response.extensions.get(OWN), "marks_end", False))

    def __iter__(self) -> Iterator[Content]:
        try:
            yield from map(Content, cast("Iterable[bytes]", self._stream))
        except Exception as error:
            raise_foreign(error, self._watch.progress)
            raise

    async def __aiter__(self) -> AsyncIterator[Content]:
        pieces = aiter(cast("AsyncIterable[bytes]", self._stream))
        try:
            with contextlib.suppress(StopAsyncIteration):
                while True:
                    yield Content(await anext(pieces))
        except Exception as error:
            raise_foreign(error, self._watch.progress)
            raise

    def close(self) -> None:
        try:
            self._response.close()
        except Exception as error:
            raise_foreign(error, self._watch.progress)
            raise
        finally:
            in_call.set(self._before)

    async def aclose(self) -> None:
        try:
            await self._response.aclose()
        except Exception as error:
            raise_foreign(error, self._watch.progress)
            raise
        finally:
            in_call.set(self._before)


class _Client(Generic[C, P]):
    """The code that the sync and async httpx transports share.

    For the SDK's own connections, the first request creates the httpx client.
    """

    _kind: ClassVar[Kind]

    def __init__(
        self, name: Callable[[], str], backend: "Callable[[], GivenBackend[C]]", pool: P | None = None
    ) -> None:
        self._name, self._make, self._pool = name, backend, pool
        self._backend: GivenBackend[C] | None = None

    @classmethod
    def given(cls, transport: object) -> Self:
        """Return a transport that sends calls with the argument `transport`.

        Raises:
            ConfigurationError: The argument isn't a transport of this kind, or the transport doesn't verify
                certificates.
        """
        from .given_backend import given_transport, name_of

        backend = cast("GivenBackend[C]", given_transport(transport, cls._kind))
        return cls(partial(name_of, transport), lambda: backend)

    @classmethod
    def by_client(cls, client: object) -> Self:
        """Return a transport that sends calls with the argument `http_client`.

        Raises:
            ConfigurationError: The argument isn't a client of this kind, was closed, or doesn't verify certificates.
        """
        from .given_backend import given_client

        backend = cast("GivenBackend[C]", given_client(client, cls._kind))
        return cls(lambda: f"{backend.library.name}, the caller's client", lambda: backend)

    @property
    def http_backend(self) -> str:
        """The name of the HTTP backend, such as `httpx 0.28.1, own connections`."""
        return self._name()


def _raise_twice() -> NoReturn:
    """Raise a failure, because the transport sent a request twice, and the first one may have had an effect (H376)."""
    raise TransportFailure(
        "the transport sent the request twice, and the service rejected the second request", "response_started"
    )


def _raise_only_stale() -> NoReturn:
    raise TransportFailure("the transport has only stale connections, and opens no new connection", "connected")


class HttpxTransport(_Client["httpx.Client", Transport], Transport):
    """Sends requests with a sync client of httpx or httpx2."""

    _kind = "Client"

    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send a request, or raise `TransportFailure`."""
        self._backend = backend = self._backend or _create_backend(self._make)
        backend.refuse_elsewhere()
        progress, before = request.progress, in_call.get()
        try:
            for _ in range(_MOST_REFUSED):
                watch = Watch(backend.transports, request)
                in_call.set(weakref.ref(watch))
                sent = backend.library.request(request, watch.event)
                try:
                    response = backend.client.send(sent.reveal(), stream=True, auth=None, follow_redirects=False)
                except StaleConnectionError:
                    continue
                if progress.is_repeated and response.status_code >= _REFUSAL and request.method != "GET":
                    response.close()
                    _raise_twice()
                body = _Body(response, watch, before)
                return RawResponse(response.status_code, body.headers, body, marks_end(response))
            _raise_only_stale()
        except BaseException as error:  # noqa: BLE001  raised again but for a response whose hook raised
            in_call.set(before)
            response = _response_of(error, progress, backend.client)
            return RawResponse(response.status_code, response.headers.raw, _Unread())

    def close(self) -> None:
        """Close the SDK's own connections. The caller must close its own client or transport."""
        if self._pool is not None:
            self._pool.close()


class AsyncHttpxTransport(_Client["httpx.AsyncClient", AsyncTransport], AsyncTransport):
    """Sends requests with an async client of httpx or httpx2."""

    _kind = "AsyncClient"

    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send a request, or raise `TransportFailure`."""
        self._backend = backend = self._backend or _create_backend(self._make)
        backend.refuse_another_loop()
        progress, before = request.progress, in_call.get()
        try:
            for _ in range(_MOST_REFUSED):
                watch = Watch(backend.transports, request)
                in_call.set(weakref.ref(watch))
                sent = backend.library.request(request, watch.event_async)
                try:
                    response = await backend.client.send(sent.reveal(), stream=True, auth=None, follow_redirects=False)
                except StaleConnectionError:
                    continue
                if progress.is_repeated and response.status_code >= _REFUSAL and request.method != "GET":
                    await response.aclose()
                    _raise_twice()
                body = _Body(response, watch, before)
                return RawResponse(response.status_code, body.headers, body, marks_end(response))
            _raise_only_stale()
        except BaseException as error:  # noqa: BLE001  raised again but for a response whose hook raised
            in_call.set(before)
            response = _response_of(error, progress, backend.client)
            return RawResponse(response.status_code, response.headers.raw, _Unread())

    async def aclose(self) -> None:
        """Close the SDK's own connections. The caller must close its own client or transport."""
        if self._pool is not None:
            await self._pool.aclose()
