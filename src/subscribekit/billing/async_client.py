"""The async client of the billing API."""

from .._generated.aio.billing.client import AsyncBillingBase


class AsyncBillingClient(AsyncBillingBase):
    """The async client of the billing API.

    Pass the same arguments as for `BillingClient`. If you pass `transport` or `http_client`, the object must be
    async. The callable that returns the API key can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncBillingClient":
        return self
