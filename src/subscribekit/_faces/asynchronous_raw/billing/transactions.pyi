"""The operations of `billing/transactions.py`, asynchronous raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import AsyncRawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.billing import Transaction

class AsyncRawTransactions:
    """Charges, from authorization to capture."""
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        account: str | None = None,
        include_children: bool | None = None,
        subscription: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> AsyncRawPager[Transaction]:
        """List transactions."""
    async def create(self, body: Transaction, *, dryrun: bool | None = None) -> Response[Transaction]:
        """Authorize a transaction, or authorize and capture it."""
    async def retrieve(self, transaction: str) -> Response[Transaction]:
        """Read a transaction."""
    async def capture(self, transaction: str) -> Response[Transaction]:
        """Capture an authorized transaction."""
    async def cancel(self, transaction: str) -> Response[Transaction]:
        """Cancel a transaction that is not captured yet; a captured one is refunded instead."""
