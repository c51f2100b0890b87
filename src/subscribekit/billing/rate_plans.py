"""Rate plans: prices of usage."""

from .._core.client.binding import D, Resource, listing, operation
from .._core.client.rule_of import resolved
from .._core.lists.listing import ByCursor, Listing, cursor_list
from .._core.lists.parameters import ListParams
from .._core.operations.operation import Operation, Safety, get
from .._core.resolving.rules import Rule
from ..models.rate_plan import RatePlan
from ._describe import submit


class RatePlans(Resource[D]):
    """Prices of usage."""

    @listing
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
    ) -> Listing[RatePlan]:
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
        return cursor_list(
            "/rate_plans",
            item=RatePlan,
            paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        )

    @resolved(Rule("created", "rate_plans.retrieve"))
    @operation
    def create(self, body: RatePlan) -> Operation[RatePlan]:
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
        return submit("/rate_plans", body=body, result=RatePlan, is_shown=False, safety=Safety.WRITE)

    @operation
    def retrieve(self, rate_plan: str) -> Operation[RatePlan]:
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
        return get("/rate_plans/{rate_plan}", rate_plan, result=RatePlan)
