"""The async client of the billing API."""

from .._generated.aio.billing.client import AsyncBillingBase


class AsyncBillingClient(AsyncBillingBase):
    """Async client of the billing API.

    It has the same arguments as `BillingClient`, except that `transport` and `http_client` are async. A callable that
    returns a credential can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncBillingClient":
        return self
