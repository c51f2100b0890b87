"""The operations of `billing/transactions.py`, prepared; written by scripts/faces.py."""

from subscribekit._core.calls.response import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.billing import Transaction

class PreparedTransactions:
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
    ) -> PreparedRequest[Page[Transaction]]:
        """The unsent request to list transactions."""
    def create(self, body: Transaction, *, dryrun: bool | None = None) -> PreparedRequest[Transaction]:
        """The unsent request to authorize a transaction, or authorize and capture it."""
    def retrieve(self, transaction: str) -> PreparedRequest[Transaction]:
        """The unsent request to read a transaction."""
    def capture(self, transaction: str) -> PreparedRequest[Transaction]:
        """The unsent request to capture an authorized transaction."""
    def cancel(self, transaction: str) -> PreparedRequest[Transaction]:
        """The unsent request to cancel a transaction that is not captured yet; a captured one is refunded instead."""
