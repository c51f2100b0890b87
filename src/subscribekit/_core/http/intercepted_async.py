"""The async half of `intercepted`."""

from .connections.pool_async import AsyncConnectionPool
from .intercepted import client_options, is_original, sockets_are_original
from .transport import AsyncBody, RawRequest, RawResponse


def _is_intercepted() -> bool:
    return not (
        is_original("httpcore", "AsyncConnectionPool", "handle_async_request")
        and sockets_are_original()
        and is_original("httpx", "AsyncHTTPTransport", "handle_async_request")
        and is_original("httpx", "AsyncClient", "_transport_for_url")  # what respx replaces
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
