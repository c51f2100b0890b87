"""The async client of the storefront."""

from .._generated.aio.storefront.client import AsyncStorefrontBase


class AsyncStorefrontClient(AsyncStorefrontBase):
    """The async client of the storefront.

    It accepts the arguments of `StorefrontClient`, but needs an async `transport` or `http_client`. The callable that
    returns the credential can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncStorefrontClient":
        return self
