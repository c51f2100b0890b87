"""The SDK's own connections as an async transport of httpx.

This module imports asyncio, so it's separate from `pooled`.
"""

from collections.abc import AsyncIterable, AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import cast

import httpcore
import httpx

from ...._sealed import Content
from ..connections.pool_async import AsyncConnectionPool
from ..connections.route import Route
from ..failure import TransportFailure
from ..transport import AsyncBody
from .intercepted import is_intercepted, stock_options
from .library import OWN
from .pooled import (
    Pooled,
    Pools,
    as_httpcore,
    extensions_of,
    pool_response,
    raw_request,
    refuse_other_library,
)


class _AsyncContent:
    def __init__(self, body: AsyncBody) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._body:
                yield piece.reveal()
        except TransportFailure as failure:
            raise as_httpcore(failure) from failure

    async def aclose(self) -> None:
        await self._body.aclose()


async def _body_of(request: httpcore.Request) -> bytes:
    if OWN in extensions_of(request):
        return b""
    return b"".join([part async for part in cast("AsyncIterable[bytes]", request.stream)])


class _AsyncPool(Pools[AsyncConnectionPool], AbstractAsyncContextManager["_AsyncPool"]):
    async def handle_async_request(self, request: httpcore.Request) -> object:
        if is_intercepted("AsyncConnectionPool", "handle_async_request"):
            return await httpcore.AsyncConnectionPool(**stock_options(self._route)).handle_async_request(request)
        raw = raw_request(request, await Content.awaited(_body_of(request)))
        try:
            response = await self.pool_of(raw).send(raw)
        except TransportFailure as failure:
            raise as_httpcore(failure) from failure
        return pool_response(response, _AsyncContent(response.body))

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        for pool in list(self._pools.values()):
            await pool.aclose()


class AsyncPooledTransport(Pooled[AsyncConnectionPool], httpx.AsyncHTTPTransport):
    """The SDK's own connections as a transport of httpx, for `httpx.AsyncClient(transport=AsyncPooledTransport())`.

    The transport needs asyncio. Each event loop and each forked child has its own connections. In all other
    respects, the transport works like `PooledTransport`.

    Args:
        ssl_context: A TLS context that verifies certificates. The SDK changes the options of the context; see the page
            Security. The default context trusts the certificate authorities of certifi.
        proxy: The URL of a proxy, as `http://[user:password@]host:port`.
        limits: The maximum number of connections to each origin, and how long idle connections stay open.

    Raises:
        ConfigurationError: An argument is invalid.
    """

    def _carry(self, route: Route, pools: dict[str, AsyncConnectionPool]) -> None:
        self._pool = _AsyncPool(route, pools, AsyncConnectionPool)  # type: ignore[assignment]  # the part of a pool that httpx uses

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Check that a request is an `httpx.Request`, and send the request like `httpx.AsyncHTTPTransport`.

        Raises:
            TypeError: The request isn't an `httpx.Request`.
        """
        refuse_other_library(self, request)
        return await super().handle_async_request(request)
