"""The operations of `billing/campaigns.py`, asynchronous raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import AsyncRawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.campaign import Campaign

class AsyncRawCampaigns:
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
    ) -> AsyncRawPager[Campaign]:
        """List campaigns."""
    async def create(self, body: Campaign) -> Response[Campaign]:
        """Create a campaign."""
    async def retrieve(self, campaign: str) -> Response[Campaign]:
        """Read a campaign (by convention, not published)."""
    async def update(self, campaign: str, body: Campaign) -> Response[Campaign]:
        """Update a campaign (E2)."""
