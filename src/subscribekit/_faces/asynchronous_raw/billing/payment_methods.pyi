"""The operations of `billing/payment_methods.py`, asynchronous raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import AsyncRawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.payment_method import PaymentMethod

class AsyncRawPaymentMethods:
    """Payment instruments on file."""
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        account: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> AsyncRawPager[PaymentMethod]:
        """List payment methods."""
    async def create(self, body: PaymentMethod) -> Response[PaymentMethod]:
        """Create a payment method."""
    async def retrieve(self, payment_method: str) -> Response[PaymentMethod]:
        """Read a payment method."""
    async def update(self, payment_method: str, body: PaymentMethod) -> Response[PaymentMethod]:
        """Update a payment method."""
