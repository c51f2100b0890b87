"""The operations of `billing/billing_plans.py`, asynchronous raw; written by scripts/faces.py."""

from typing import Literal

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import AsyncRawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.billing import BillingPlan

class AsyncRawBillingPlans:
    """Schedules by which subscriptions are billed."""
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        status: Literal["active", "suspended"] | str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> AsyncRawPager[BillingPlan]:
        """List billing plans."""
    async def create(self, body: BillingPlan) -> Response[BillingPlan]:
        """Create a billing plan."""
    async def retrieve(self, billing_plan: str) -> Response[BillingPlan]:
        """Read a billing plan."""
    async def update(self, billing_plan: str, body: BillingPlan) -> Response[BillingPlan]:
        """Update a billing plan."""
