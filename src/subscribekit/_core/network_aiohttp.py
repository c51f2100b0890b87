"""aiohttp as a backend of the async clients, made safe for writes.

What has to be put right: httpx-aiohttp reports a connection that ended after the request was sent as a connect timeout,
which would pass for "nothing was sent" (H87); aiohttp sends a GET, PUT or DELETE a second time by itself when the
connection is lost (H88); its sessions keep cookies (H24).
"""

import asyncio
import weakref
from ssl import SSLContext

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from .config import Limits
from .network import MAX_IDLE, check_ssl_context, shared_ssl_context

_NOT_CONNECTED = (aiohttp.ConnectionTimeoutError, aiohttp.ClientConnectorError)


async def _send_once(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Send a request once; as errors of httpx, a lost connection does not make aiohttp repeat it."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError as error:
        raise httpx.ConnectError("the connection could not be made") from error
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise httpx.ReadError("the connection ended before an answer came") from error


class _Sessions:
    """The sessions of one event loop: reads may meet a connection that was idle for longer than writes may."""

    def __init__(self, context: SSLContext, limits: Limits) -> None:
        self._context, self._limits = context, limits
        self.reads = self._transport(limits.keepalive_expiry)
        self.writes = self._transport(limits.write_keepalive_expiry)

    def _transport(self, keepalive: float) -> AiohttpTransport:
        def session() -> aiohttp.ClientSession:
            connector = aiohttp.TCPConnector(
                limit=self._limits.max_connections, ssl=self._context, keepalive_timeout=keepalive
            )
            return aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                middlewares=(_send_once,),
                skip_auto_headers=("User-Agent", "Content-Type", "Accept", "Accept-Encoding"),
                trust_env=False,
            )

        return AiohttpTransport(verify=self._context, trust_env=False, client=session)

    def choose(self, request: httpx.Request) -> AiohttpTransport:
        """Give the session for a request."""
        return self.writes if MAX_IDLE in request.extensions else self.reads

    async def aclose(self) -> None:
        """Close both."""
        await self.reads.aclose()
        await self.writes.aclose()


class AiohttpNetwork(httpx.AsyncBaseTransport):
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
            context = self._context or shared_ssl_context()
            sessions = self._loops[loop] = _Sessions(context, self._limits)
        await request.aread()  # aiohttp would send a stream of unknown length in chunks
        try:
            return await sessions.choose(request).handle_async_request(request)
        except (httpx.ConnectTimeout, httpx.ConnectError) as error:
            if isinstance(error.__cause__, _NOT_CONNECTED):
                raise
            raise httpx.ReadError("the connection ended before an answer came") from error.__cause__

    async def aclose(self) -> None:
        """Close the sessions of this event loop."""
        sessions = self._loops.pop(asyncio.get_running_loop(), None)
        if sessions is not None:
            await sessions.aclose()
