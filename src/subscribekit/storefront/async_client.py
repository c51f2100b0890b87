"""The async client of the storefront."""

from .._generated.aio.storefront.client import AsyncStorefrontBase


class AsyncStorefrontClient(AsyncStorefrontBase):
    """The async client of the storefront.

    Pass the same arguments as for `StorefrontClient`. If you pass `transport` or `http_client`, the object must be
    async. The callable that returns the credential can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncStorefrontClient":
        return self
