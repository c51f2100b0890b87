"""The operations of `billing/entitlements.py`, prepared; written by scripts/faces.py."""

from subscribekit._core.calls.response import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.billing import Entitlement

class PreparedEntitlements:
    """Rights of customers, by grant, product or billing plan."""
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        account: str | None = None,
        include_children: bool | None = None,
        show_all: bool | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> PreparedRequest[Page[Entitlement]]:
        """The unsent request to list entitlements."""
    def retrieve(self, entitlement: str) -> PreparedRequest[Entitlement]:
        """The unsent request to read an entitlement (by convention, not published)."""
