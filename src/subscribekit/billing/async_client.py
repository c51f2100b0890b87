"""The async client of the billing API (group A)."""

from .._generated.aio.billing.client import AsyncBillingBase


class AsyncBillingClient(AsyncBillingBase):
    """Async client of the billing API (group A).

    Its arguments are those of `BillingClient`; `transport` and `http_client` are of the async kind. A callable that
    gives a credential may also be a coroutine function.
    """

    async def __aenter__(self) -> "AsyncBillingClient":
        return self
