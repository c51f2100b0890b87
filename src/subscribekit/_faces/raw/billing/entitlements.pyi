"""The operations of `billing/entitlements.py`, raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import RawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.billing import Entitlement

class RawEntitlements:
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
    ) -> RawPager[Entitlement]:
        """List entitlements."""
    def retrieve(self, entitlement: str) -> Response[Entitlement]:
        """Read an entitlement (by convention, not published)."""
