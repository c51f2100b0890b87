"""The operations of `billing/campaigns.py`, raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import RawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.campaign import Campaign

class RawCampaigns:
    """Discounts: coupons and promotions."""
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
    ) -> RawPager[Campaign]:
        """List campaigns."""
    def create(self, body: Campaign) -> Response[Campaign]:
        """Create a campaign."""
    def retrieve(self, campaign: str) -> Response[Campaign]:
        """Read a campaign (by convention, not published)."""
    def update(self, campaign: str, body: Campaign) -> Response[Campaign]:
        """Update a campaign (E2)."""
