"""The operations of `billing/refunds.py`, prepared; written by scripts/faces.py."""

from subscribekit._core.calls.response import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.billing import Refund

class PreparedRefunds:
    """Captured transactions paid back, in whole or in part."""
    def list(
        self,
        transaction: str = "...",
        /,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> PreparedRequest[Page[Refund]]:
        """The unsent request to list the refunds of a transaction, or all refunds."""
    def create(self, transaction: str, body: Refund | None = None) -> PreparedRequest[Refund]:
        """The unsent request to refund a captured transaction."""
    def retrieve(self, refund: str) -> PreparedRequest[Refund]:
        """The unsent request to read a refund (by convention, not published)."""
