"""The operations of `billing/campaigns.py`, prepared; written by scripts/faces.py."""

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.campaign import Campaign

class PreparedCampaigns:
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
    ) -> PreparedRequest[Page[Campaign]]:
        """The unsent request to list campaigns."""
    def create(self, body: Campaign) -> PreparedRequest[Campaign]:
        """The unsent request to create a campaign."""
    def retrieve(self, campaign: str) -> PreparedRequest[Campaign]:
        """The unsent request to read a campaign (by convention, not published)."""
    def update(self, campaign: str, body: Campaign) -> PreparedRequest[Campaign]:
        """The unsent request to update a campaign (E2)."""
