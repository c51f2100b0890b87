"""The operations of `billing/refunds.py`, raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import RawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.billing import Refund

class RawRefunds:
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
    ) -> RawPager[Refund]:
        """List the refunds of a transaction, or all refunds."""
    def create(self, transaction: str, body: Refund | None = None) -> Response[Refund]:
        """Refund a captured transaction."""
    def retrieve(self, refund: str) -> Response[Refund]:
        """Read a refund (by convention, not published)."""
