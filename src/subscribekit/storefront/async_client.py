"""The async client of the storefront (group D)."""

from .._generated.aio.storefront.client import AsyncStorefrontBase


class AsyncStorefrontClient(AsyncStorefrontBase):
    """Async client of the storefront (group D).

    Its arguments are those of `StorefrontClient`; `transport` and `http_client` are of the async kind. A callable that
    gives a credential may also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncStorefrontClient":
        return self
