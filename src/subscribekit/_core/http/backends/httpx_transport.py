"""Clients of httpx and httpx2 as transports of this package: the SDK's own by default, or what an application gives."""

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
from .hooks import beside_transport
from .library import OWN, Kind

if TYPE_CHECKING:
    import httpx

    from .given_backend import GivenBackend

__tracebackhide__ = True  # pytest shows the line of the caller instead

C = TypeVar("C")
P = TypeVar("P")

_REFUSAL = 400
_MOST_REFUSED = 200
"""Pooled connections that are refused for one request; then the transport is taken to open none."""


def marks_end(response: "httpx.Response") -> bool:
    """Whether a body without a length has a marked end: all but those of a connection of HTTP/1 have."""
    return response.extensions.get("http_version") not in (b"HTTP/1.0", b"HTTP/1.1")


class _Content:
    """The body of a response that an event hook or a recorder has read: what came from the network is gone by then."""

    def __init__(self, response: "httpx.Response") -> None:
        self._content = Content(response.content)

    def __iter__(self) -> Iterator[bytes]:
        yield self._content.reveal()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._content.reveal()


def _of_read(response: "httpx.Response") -> tuple[RawHeaders, object]:
    """Give headers and stream of a response that was read, as httpx decoded it; a mock's can be read again."""
    stream: object = response.stream
    if type(getattr(stream, "_stream", stream)).__name__ == "ByteStream":
        return response.headers.raw, stream
    return [each for each in response.headers.raw if each[0].lower() != b"content-encoding"], _Content(response)


def _made(make: "Callable[[], GivenBackend[C]]") -> "GivenBackend[C]":
    """Give the client, made by the first request; without a free descriptor its modules cannot be read (H102)."""
    try:
        return make()
    except (OSError, ImportError) as error:
        raise TransportFailure(f"httpx cannot be loaded: {reason_of(error)}", "nothing") from None


def _response_of(error: BaseException, progress: Progress, client: object) -> "httpx.Response":
    """Give the response whose status counts although something raised; or raise what it means."""
    if isinstance(error, Exception):
        if (response := beside_transport(error, progress, client)) is not None:
            return response
        if (failure := foreign_failure(error, progress)) is not None:
            below = failure.__context__
            try:
                raise failure from None
            finally:
                failure.__context__ = below or error  # below: why the SDK's own connections failed
    raise error


class _Unread:
    """The body of a response that was closed before it was read."""

    def __iter__(self) -> Iterator[Content]:
        raise self._failure()

    def __aiter__(self) -> AsyncIterator[Content]:
        raise self._failure()

    def _failure(self) -> TransportFailure:
        return TransportFailure("it was not read", "response_started")

    def close(self) -> None:
        """Closed it is already."""

    async def aclose(self) -> None:
        """Closed it is already."""


class _Body:
    """The body of a response in either style; as long as the exchange runs, its log records are cut down."""

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
    """The shared part of the transports of both styles: the client, made by the first request, and steps around it."""

    _kind: ClassVar[Kind]

    def __init__(
        self, name: Callable[[], str], backend: "Callable[[], GivenBackend[C]]", pool: P | None = None
    ) -> None:
        self._name, self._make, self._pool = name, backend, pool
        self._backend: GivenBackend[C] | None = None

    @classmethod
    def given(cls, transport: object) -> Self:
        """Send calls with what was given as `transport`.

        Raises:
            ConfigurationError: It is no transport of this style, or one that checks no certificates.
        """
        from .given_backend import given_transport, name_of

        backend = cast("GivenBackend[C]", given_transport(transport, cls._kind))
        return cls(partial(name_of, transport), lambda: backend)

    @classmethod
    def by_client(cls, client: object) -> Self:
        """Send calls with what was given as `http_client`.

        Raises:
            ConfigurationError: It is no client of this style, closed, or checks no certificates.
        """
        from .given_backend import given_client

        backend = cast("GivenBackend[C]", given_client(client, cls._kind))
        return cls(lambda: f"{backend.library.name}, the caller's client", lambda: backend)

    @property
    def http_backend(self) -> str:
        """The name of the HTTP backend, such as `httpx 0.28.1, own connections`."""
        return self._name()


def _raise_twice() -> NoReturn:
    """A refusal of the second request says nothing of the first, which may have been carried out (H376)."""
    raise TransportFailure("the transport sent it a second time by itself, which was refused", "response_started")


def _raise_only_stale() -> NoReturn:
    raise TransportFailure("the transport opens no new connection in place of a used one", "connected")


class HttpxTransport(_Client["httpx.Client", Transport], Transport):
    """Sends with a blocking client of httpx or httpx2."""

    _kind = "Client"

    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send one request."""
        self._backend = backend = self._backend or _made(self._make)
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
        """Close the connections of the SDK; what was given belongs to the caller."""
        if self._pool is not None:
            self._pool.close()


class AsyncHttpxTransport(_Client["httpx.AsyncClient", AsyncTransport], AsyncTransport):
    """Sends with an async client of httpx or httpx2."""

    _kind = "AsyncClient"

    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send one request."""
        self._backend = backend = self._backend or _made(self._make)
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
        """Close the connections of the SDK; what was given belongs to the caller."""
        if self._pool is not None:
            await self._pool.aclose()
