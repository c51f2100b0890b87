"""The operations of `billing/rate_plans.py`, asynchronous raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import AsyncRawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.rate_plan import RatePlan

class AsyncRawRatePlans:
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
    ) -> AsyncRawPager[RatePlan]:
        """List rate plans."""
    async def create(self, body: RatePlan) -> Response[RatePlan]:
        """Create a rate plan."""
    async def retrieve(self, rate_plan: str) -> Response[RatePlan]:
        """Read a rate plan."""
