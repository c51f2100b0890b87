"""The async client of the gateway."""

from .._generated.aio.gateway.client import AsyncGatewayBase


class AsyncGatewayClient(AsyncGatewayBase):
    """Async client of the gateway.

    It has the same arguments as `GatewayClient`, except that `transport` and `http_client` are async. A callable that
    returns a credential can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncGatewayClient":
        return self
