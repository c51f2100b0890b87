"""The async half of `intercepted`."""

import sys

from .connections.pool_async import AsyncConnectionPool
from .intercepted import client_options, is_original, sockets_are_original
from .transport import AsyncBody, RawRequest, RawResponse


def _is_intercepted() -> bool:
    httpcore, httpx = sys.modules.get("httpcore"), sys.modules.get("httpx")
    return not (
        (httpcore is None or is_original(httpcore.AsyncConnectionPool.handle_async_request, "httpcore."))
        and sockets_are_original()
        and (
            httpx is None
            or (
                is_original(httpx.AsyncHTTPTransport.handle_async_request, "httpx.")
                and is_original(httpx.AsyncClient._transport_for_url, "httpx.")  # noqa: SLF001  what respx replaces
            )
        )
    )


class InterceptableAsyncConnectionPool(AsyncConnectionPool):
    """Async connections of one client, unless a test tool is to have its requests."""

    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send one request."""
        if not _is_intercepted():
            return await super().send(request)
        import httpx

        from .httpx_transport import AsyncHttpxTransport

        client = httpx.AsyncClient(**client_options(self._route))

        class ThroughClient(httpx.AsyncBaseTransport):
            async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
                return await client.send(request, stream=True)

        return await AsyncHttpxTransport(ThroughClient()).send(request)
