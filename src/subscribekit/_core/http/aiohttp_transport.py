"""aiohttp behind the async clients, made safe for writes.

aiohttp sends a GET, PUT or DELETE a second time when the connection is lost (H88), keeps cookies (H24), rewrites what
the URL quotes (H89), and never looks again at a connection in its pool: what arrived there unasked would become the
response to the next request, and one that has ended is found out only by writing to it (H107, H108).
"""

import asyncio
import os
import select
from collections.abc import AsyncGenerator, AsyncIterator
from contextvars import ContextVar
from functools import partial
from io import BytesIO
from ssl import SSLContext
from time import monotonic
from types import SimpleNamespace
from weakref import WeakKeyDictionary

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http import HttpProcessingError
from aiohttp.tracing import Trace
from yarl import URL

from ..config.timeouts import Limits
from .connections.tls import check_ssl_context, shared_ssl_context
from .failure import FailureKind, TransportFailure
from .given import AsyncBackend
from .progress import Progress
from .reasons import is_refusal_by_tls, reason_of
from .transport import AsyncTransport, RawRequest, RawResponse

_PIECE = 65536
_MAX_HEADERS = 100 * 1024
"""As much as the default connections take."""
_ERRORS = (aiohttp.ClientError, HttpProcessingError, OSError)

_current: ContextVar[RawRequest] = ContextVar("subscribekit_aiohttp_request")
"""The request that this task sends: aiohttp does not hand its own on to where a connection is chosen."""
_used: ContextVar[asyncio.Transport | None] = ContextVar("subscribekit_aiohttp_connection")
"""What this task's request went out on; `None` until it has a connection."""


def _failure(error: Exception, progress: Progress) -> TransportFailure:
    """Say what failed in own words: aiohttp's texts quote the address with its query (H28)."""
    phase = progress.phase
    cause = error
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        cause = error.certificate_error
    elif isinstance(error, aiohttp.ClientConnectorError):
        cause = error.os_error
    kind: FailureKind = "lost"
    if phase == "nothing" and is_refusal_by_tls(cause, progress.handled):
        phase, kind = "connected", "refused_by_tls"
    return TransportFailure(_reason(error, cause, progress.handled), phase, kind)


def _reason(error: Exception, cause: Exception, handled: int) -> str:
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return "no connection in time"
    if isinstance(error, aiohttp.ServerTimeoutError):
        return "no answer in time"
    if isinstance(error, aiohttp.ClientResponseError | aiohttp.ServerDisconnectedError | HttpProcessingError):
        return "the connection ended or the answer was not HTTP"
    return reason_of(cause, handled)


async def _send_once(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Send a request once: what is raised here is no error for which aiohttp would repeat it (H88)."""
    try:
        return await handler(request)
    except _ERRORS as error:
        raise _failure(error, _current.get().progress) from None


def _reporter() -> aiohttp.TraceConfig:
    """Hooks that report when a request was handed over whole; that it begins is reported before, by the connector."""

    async def on_headers(_: aiohttp.ClientSession, context: SimpleNamespace, __: object) -> None:
        request: RawRequest = context.trace_request_ctx
        context.unsent = len(request.body)
        if not context.unsent:
            request.progress.reach("body_sent")

    async def on_chunk(
        _: aiohttp.ClientSession, context: SimpleNamespace, piece: aiohttp.TraceRequestChunkSentParams
    ) -> None:
        context.unsent -= len(piece.chunk)
        if context.unsent <= 0:
            context.trace_request_ctx.progress.reach("body_sent")

    hooks = aiohttp.TraceConfig()
    hooks.on_request_headers_sent.append(on_headers)
    hooks.on_request_chunk_sent.append(on_chunk)
    return hooks


def _abort(connection: asyncio.Transport | None) -> None:
    """Close a connection now: aiohttp would wait until the service has taken what is left of the request (H176)."""
    if connection is not None:
        connection.abort()


def _body(body: bytes) -> bytes | BytesIO | None:
    """Give a large body as a file, in which form aiohttp writes it in pieces and does not warn."""
    return BytesIO(body) if len(body) > _PIECE else body or None


class _Connector(aiohttp.TCPConnector):
    """Connections of which none is used twice without a look at it."""

    def __init__(self, context: SSLContext, limits: Limits) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  aiohttp leaves one of its arguments open
            limit=0, ssl=context, keepalive_timeout=limits.keepalive_expiry
        )
        self._keepalive_expiry = limits.keepalive_expiry
        self._idle_since: WeakKeyDictionary[ResponseHandler, float] = WeakKeyDictionary()

    async def connect(
        self, req: aiohttp.ClientRequest, traces: list[Trace], timeout: aiohttp.ClientTimeout
    ) -> aiohttp.connector.Connection:
        """Give a connection for a request; from here on a byte of it may leave."""
        request = _current.get()
        request.progress.reach("nothing")
        max_idle = self._keepalive_expiry if request.max_idle is None else request.max_idle
        try:
            connection = await super().connect(req, traces, timeout)
            while not await self._is_usable(connection, max_idle):
                connection.close()
                connection = await super().connect(req, traces, timeout)
        except UnicodeError:
            raise TransportFailure("the host is not a name", "nothing") from None
        request.progress.reach("headers_started")
        _used.set(connection.transport)
        return connection

    async def _is_usable(self, connection: aiohttp.connector.Connection, max_idle: float) -> bool:
        protocol = connection.protocol
        if protocol is None:
            return False
        idle_since = self._idle_since.get(protocol)
        connection.add_callback(partial(self._note_release, protocol))
        if idle_since is None:
            return True
        if monotonic() - idle_since > max_idle:
            return False
        try:
            await asyncio.sleep(0)  # what the event loop has read already and not handed on
        except BaseException:
            connection.close()
            raise
        return protocol.is_connected() and not protocol.should_close and not _is_readable(protocol)

    def _note_release(self, protocol: ResponseHandler) -> None:
        self._idle_since[protocol] = monotonic()


def _is_readable(protocol: ResponseHandler) -> bool:
    """Whether the socket holds bytes that nobody asked for, or its end: a busy event loop has not read them yet."""
    sock = None if protocol.transport is None else protocol.transport.get_extra_info("socket")
    if sock is None or sock.fileno() < 0:
        return True
    poll = select.poll()
    poll.register(sock.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class _Loop:
    """The connections of one event loop."""

    def __init__(self, context: SSLContext, limits: Limits, *, closing: bool) -> None:
        self.slots = asyncio.Semaphore(limits.max_connections)
        self._in_use = 0
        self._closing = closing
        self._session = aiohttp.ClientSession(
            connector=_Connector(context, limits),
            cookie_jar=aiohttp.DummyCookieJar(),
            middlewares=(_send_once,),
            trace_configs=[_reporter()],
            skip_auto_headers=("User-Agent", "Content-Type", "Accept", "Accept-Encoding"),
            auto_decompress=False,
            trust_env=False,
            max_line_size=_MAX_HEADERS,
            max_field_size=_MAX_HEADERS,
        )

    async def acquire(self, request: RawRequest) -> None:
        """Wait for a free connection."""
        if self.slots.locked():
            request.progress.wait()
            try:
                async with asyncio.timeout(request.timeouts["pool"]):
                    await self.slots.acquire()
            except TimeoutError:
                raise TransportFailure("no connection became free in time", "nothing", "no_free_connection") from None
            request.progress.begin()
        else:
            await self.slots.acquire()
        self._in_use += 1

    async def release(self) -> None:
        """Have done with a connection; the last one of a closed transport closes the session."""
        self._in_use -= 1
        self.slots.release()
        if self._closing and not self._in_use:
            await self._session.close()

    async def send(self, request: RawRequest) -> aiohttp.ClientResponse:
        """Send one request."""
        times = request.timeouts
        response = await self._session.request(
            request.method,
            URL(request.address.origin + request.target, encoded=True),
            headers=[(name.decode("ascii"), value.decode("ascii")) for name, value in request.headers],
            data=_body(request.body),
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(connect=times["connect"], sock_read=times["read"]),
            trace_request_ctx=request,
        )
        request.progress.reach("answer_started")
        if response.status < 200:  # 101: the connection speaks another protocol now, and aiohttp has it in its pool
            response.close()
            raise TransportFailure("the connection ended or the answer was not HTTP", request.progress.phase)
        return response

    async def aclose(self) -> None:
        """Close now, or when the last call has ended."""
        self._closing = True
        if not self._in_use:
            await self._session.close()


class AiohttpTransport(AsyncTransport, AsyncBackend):
    """Async connections through aiohttp; each event loop gets its own, and so does a forked child (H81, H82)."""

    def __init__(self, ssl_context: SSLContext | None, limits: Limits) -> None:
        self._context = None if ssl_context is None else check_ssl_context(ssl_context)
        self._limits = limits
        self._abandoned: list[object] = []
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._pid = os.getpid()
        self._loops: dict[asyncio.AbstractEventLoop, tuple[_Loop, AsyncGenerator[None]]] = {}

    async def _loop(self) -> _Loop:
        if self._pid != os.getpid():
            # A child must not touch the parent's sockets, not even to close them: TLS would say goodbye on them.
            self._abandoned.append(self._loops)
            self._begin()
        running = asyncio.get_running_loop()
        found = self._loops.get(running)
        if found is None:
            loop = _Loop(self._context or shared_ssl_context(), self._limits, closing=self._closed)
            for each in [each for each in self._loops if each.is_closed()]:
                del self._loops[each]  # closed without `asyncio.run`; the collector has the rest
            if self._closed:  # a call that had begun before: its connection is closed with it
                return loop
            watch = self._until_the_end(running, loop, self._pid)
            self._loops[running] = found = loop, watch
            await anext(watch)
        return found[0]

    async def _until_the_end(self, running: asyncio.AbstractEventLoop, loop: _Loop, pid: int) -> AsyncGenerator[None]:
        """Be closed by `asyncio.run` with its event loop, and close what belongs to the loop (H109)."""
        try:
            yield
        finally:
            if pid == os.getpid():
                self._loops.pop(running, None)
                await loop.aclose()

    async def send(self, request: RawRequest) -> RawResponse["_Body"]:
        """Send one request."""
        loop = await self._loop()
        await loop.acquire(request)
        before = _current.set(request)
        _used.set(None)
        try:
            response = await loop.send(request)
        except BaseException as error:
            _abort(_used.get())
            await loop.release()
            if isinstance(error, _ERRORS):
                raise _failure(error, request.progress) from None
            raise
        finally:
            _current.reset(before)
        return RawResponse(response.status, response.raw_headers, _Body(loop, response, request.progress, _used.get()))

    async def aclose(self) -> None:
        """Close the idle connections of this event loop; those in use close when their call ends."""
        self._closed = True
        found = self._loops.get(asyncio.get_running_loop())
        if found is not None and self._pid == os.getpid():
            await found[1].aclose()


class _Body:
    """The rest of a response."""

    def __init__(
        self, loop: _Loop, response: aiohttp.ClientResponse, progress: Progress, connection: asyncio.Transport | None
    ) -> None:
        self._loop: _Loop | None = loop
        self._response, self._progress, self._connection = response, progress, connection

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._response.content.iter_chunked(_PIECE):
                yield piece
        except _ERRORS as error:
            raise _failure(error, self._progress) from None
        self._progress.reach("answer_complete")

    async def aclose(self) -> None:
        loop, self._loop = self._loop, None
        if loop is None:
            return
        if self._response.content.at_eof():
            self._response.release()
        else:
            self._response.close()  # what is left of the response is not wanted
            _abort(self._connection)
        await loop.release()
