"""The operations of `billing/payments.py`, asynchronous raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import AsyncRawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.payment import Payment

class AsyncRawPayments:
    """Payments against outstanding balances."""
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> AsyncRawPager[Payment]:
        """List payments (by convention, not published)."""
    async def create(self, body: Payment) -> Response[Payment]:
        """Charge a payment method for what a subscription, an invoice or an account owes."""
    async def retrieve(self, payment: str) -> Response[Payment]:
        """Read a payment (by convention, not published)."""
    async def reverse(self, payment: str) -> Response[Payment]:
        """Reverse a payment made with the Merchant Accepted Payment method (E1)."""
