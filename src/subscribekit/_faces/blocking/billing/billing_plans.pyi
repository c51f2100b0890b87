"""The operations of `billing/billing_plans.py`, blocking; written by scripts/faces.py."""

from typing import Literal

from subscribekit._core.lists.pager import Pager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.billing import BillingPlan

class BillingPlans:
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
    ) -> Pager[BillingPlan]:
        """List billing plans.

        Published, not in the specification.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the billing plan with this id.
            ending_before: Read backwards from before the billing plan with this id; within a page the order stays.
            status: Only plans with this status, written in lower case: `active` or `suspended`.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of billing plans.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
        """

    def create(self, body: BillingPlan) -> BillingPlan:
        """Create a billing plan.

        Published, not in the specification.

        Args:
            body: The plan, with at least one period; only the last period may be without end. Its `id` cannot be
                changed or used again. Prices are in units of the currency (19.90 is 19 dollars 90), exact.

        Returns:
            The billing plan.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
        """

    def retrieve(self, billing_plan: str) -> BillingPlan:
        """Read a billing plan.

        Published, not in the specification.

        Args:
            billing_plan: Its id or vid, at most 128 characters.

        Returns:
            The billing plan.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such billing plan.
        """

    def update(self, billing_plan: str, body: BillingPlan) -> BillingPlan:
        """Update a billing plan.

        Published, not in the specification. A plan that subscriptions use seems to get a new version. The response is
        not shown, so an empty one gives a `BillingPlan` without fields.

        Args:
            billing_plan: Its id or vid, at most 128 characters.
            body: The changes; fields that are not named stay as they are.

        Returns:
            The billing plan after the update, as far as the service shows it.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: There is no such billing plan.
            OutcomeUnknownError: It may or may not have been updated; ask `client.resolve(error)`.
        """
