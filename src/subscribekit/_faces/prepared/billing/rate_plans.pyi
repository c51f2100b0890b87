"""The operations of `billing/rate_plans.py`, prepared; written by scripts/faces.py."""

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.rate_plan import RatePlan

class PreparedRatePlans:
    """Prices of usage."""
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
    ) -> PreparedRequest[Page[RatePlan]]:
        """The unsent request to list rate plans."""
    def create(self, body: RatePlan) -> PreparedRequest[RatePlan]:
        """The unsent request to create a rate plan."""
    def retrieve(self, rate_plan: str) -> PreparedRequest[RatePlan]:
        """The unsent request to read a rate plan."""
