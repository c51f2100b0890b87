"""The operations of `billing/billing_plans.py`, prepared; written by scripts/faces.py."""

from typing import Literal

from subscribekit._core.calls.response import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.billing import BillingPlan

class PreparedBillingPlans:
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
    ) -> PreparedRequest[Page[BillingPlan]]:
        """The unsent request to list billing plans."""
    def create(self, body: BillingPlan) -> PreparedRequest[BillingPlan]:
        """The unsent request to create a billing plan."""
    def retrieve(self, billing_plan: str) -> PreparedRequest[BillingPlan]:
        """The unsent request to read a billing plan."""
    def update(self, billing_plan: str, body: BillingPlan) -> PreparedRequest[BillingPlan]:
        """The unsent request to update a billing plan."""
