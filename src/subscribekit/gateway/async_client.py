"""The async client of the gateway (group B)."""

from .._generated.aio.gateway.client import AsyncGatewayBase


class AsyncGatewayClient(AsyncGatewayBase):
    """Async client of the gateway (group B).

    Its arguments are those of `GatewayClient`; `transport` and `http_client` are of the async kind. A callable that
    gives a credential may also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncGatewayClient":
        return self
