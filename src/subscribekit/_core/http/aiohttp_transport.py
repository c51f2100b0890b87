"""aiohttp as a backend of the async clients, made safe for writes.

aiohttp is used directly and not through an adapter for httpx: the adapter reports a connection that ended after the
request was sent as a connect timeout, which would pass for "nothing was sent" (H87), and lets aiohttp rewrite what the
URL quotes (H89). aiohttp itself sends a GET, PUT or DELETE a second time when the connection is lost (H88), and keeps
cookies (H24).
"""

import asyncio
import weakref
from collections.abc import AsyncIterator
from ssl import SSLContext

import aiohttp
import httpx
from yarl import URL

from ..config.timeouts import Limits
from .given import AsyncBackend
from .tls import check_ssl_context, shared_ssl_context
from .transport import MAX_IDLE

_PIECE = 65536


async def _send_once(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Send a request once; as errors of httpx, a lost connection does not make aiohttp repeat it."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError as error:
        raise httpx.ConnectError("the connection could not be made") from error
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise httpx.ReadError("the connection ended before an answer came") from error


def _translated(error: aiohttp.ClientError) -> httpx.TransportError:
    """Only what surely happened before the request was sent is an error of connecting."""
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return httpx.ConnectTimeout("no connection in time")
    if isinstance(error, aiohttp.ServerTimeoutError):
        return httpx.ReadTimeout("no answer in time")
    if isinstance(error, aiohttp.ClientResponseError):
        return httpx.RemoteProtocolError("the answer was not HTTP")
    return httpx.ReadError("the connection was lost")


class _Sessions:
    """The sessions of one event loop: reads may meet a connection that was idle for longer than writes may."""

    def __init__(self, context: SSLContext, limits: Limits) -> None:
        self._context, self._limits = context, limits
        self.reads = self._session(limits.keepalive_expiry)
        self.writes = self._session(limits.write_keepalive_expiry)

    def _session(self, keepalive: float) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            limit=self._limits.max_connections, ssl=self._context, keepalive_timeout=keepalive
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            middlewares=(_send_once,),
            skip_auto_headers=("User-Agent", "Content-Type", "Accept", "Accept-Encoding"),
            auto_decompress=False,
            trust_env=False,
        )

    def choose(self, request: httpx.Request) -> aiohttp.ClientSession:
        """Give the session for a request."""
        return self.writes if MAX_IDLE in request.extensions else self.reads

    async def aclose(self) -> None:
        """Close both."""
        await self.reads.close()
        await self.writes.close()


class AiohttpTransport(httpx.AsyncBaseTransport, AsyncBackend):
    """Async connections through aiohttp; each event loop gets its own."""

    def __init__(self, ssl_context: SSLContext | None, limits: Limits) -> None:
        self._context = None if ssl_context is None else check_ssl_context(ssl_context)
        self._limits = limits
        self._loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Sessions] = weakref.WeakKeyDictionary()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request.

        Raises:
            httpx.TransportError: `ConnectError` and `ConnectTimeout` only when the connection was not made.
        """
        loop = asyncio.get_running_loop()
        sessions = self._loops.get(loop)
        if sessions is None:
            sessions = self._loops[loop] = _Sessions(self._context or shared_ssl_context(), self._limits)
        times: dict[str, float | None] = request.extensions.get("timeout", {})
        try:
            response = await sessions.choose(request).request(
                request.method,
                URL(str(request.url), encoded=True),
                headers=[(name.decode("ascii"), value.decode("ascii")) for name, value in request.headers.raw],
                data=await request.aread() or None,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(
                    connect=times.get("pool"), sock_connect=times.get("connect"), sock_read=times.get("read")
                ),
            )
        except aiohttp.ClientError as error:
            raise _translated(error) from error
        return httpx.Response(response.status, headers=list(response.raw_headers), stream=_Body(response))

    async def aclose(self) -> None:
        """Close the sessions of this event loop."""
        sessions = self._loops.pop(asyncio.get_running_loop(), None)
        if sessions is not None:
            await sessions.aclose()


class _Body(httpx.AsyncByteStream):
    """The rest of an answer."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._response.content.iter_chunked(_PIECE):
                yield piece
        except aiohttp.ClientError as error:
            raise _translated(error) from error

    async def aclose(self) -> None:
        if self._response.content.at_eof():
            self._response.release()
        else:
            self._response.close()  # what is left of the answer is not wanted
