"""The async client of the gateway."""

from .._generated.aio.gateway.client import AsyncGatewayBase


class AsyncGatewayClient(AsyncGatewayBase):
    """The async client of the gateway.

    It accepts the arguments of `GatewayClient`, but needs an async `transport` or `http_client`. The callable that
    returns the credential can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncGatewayClient":
        return self
