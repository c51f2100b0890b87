"""The async client of the billing API."""

from .._generated.aio.billing.client import AsyncBillingBase


class AsyncBillingClient(AsyncBillingBase):
    """The async client of the billing API.

    It accepts the arguments of `BillingClient`, but needs an async `transport` or `http_client`. The callable that
    returns the API key can also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncBillingClient":
        return self
