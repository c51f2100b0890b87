"""The async client of the gateway."""

from .._generated.aio.gateway.client import AsyncGatewayBase


class AsyncGatewayClient(AsyncGatewayBase):
    """The async client of the gateway.

    Pass the same arguments as for `GatewayClient`. If you pass `transport` or `http_client`, the object must be
    async. The callable that returns the credential can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncGatewayClient":
        return self
