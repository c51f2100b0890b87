"""The async client of the storefront."""

from .._generated.aio.storefront.client import AsyncStorefrontBase


class AsyncStorefrontClient(AsyncStorefrontBase):
    """Async client of the storefront.

    It has the same arguments as `StorefrontClient`, except that `transport` and `http_client` are async. A callable
    that returns a credential can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncStorefrontClient":
        return self
