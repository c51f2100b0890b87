"""The operations of `billing/rate_plans.py`, raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import RawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.rate_plan import RatePlan

class RawRatePlans:
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
    ) -> RawPager[RatePlan]:
        """List rate plans."""
    def create(self, body: RatePlan) -> Response[RatePlan]:
        """Create a rate plan."""
    def retrieve(self, rate_plan: str) -> Response[RatePlan]:
        """Read a rate plan."""
