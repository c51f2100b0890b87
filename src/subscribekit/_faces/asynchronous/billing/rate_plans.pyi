"""The operations of `billing/rate_plans.py`, asynchronous; written by scripts/faces.py."""

from subscribekit._core.lists.pager import AsyncPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.rate_plan import RatePlan

class AsyncRatePlans:
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
    ) -> AsyncPager[RatePlan]:
        """List rate plans.

        Published, not in the specification.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the rate plan with this id.
            ending_before: Read backwards from before the rate plan with this id; within a page the order stays.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of rate plans.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
        """

    async def create(self, body: RatePlan) -> RatePlan:
        """Create a rate plan.

        Published, not in the specification. The response is not shown, so an empty one gives a `RatePlan` without
        fields.

        Args:
            body: The rate plan, without vids. Prices are in units of the currency for one rated unit, exact (0.01 is a
                cent).

        Returns:
            The rate plan, as far as the service shows it.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
        """

    async def retrieve(self, rate_plan: str) -> RatePlan:
        """Read a rate plan.

        Published, not in the specification.

        Args:
            rate_plan: Its id or vid, at most 128 characters.

        Returns:
            The rate plan.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such rate plan.
        """
