"""Rate plans: the pricing of usage."""

from ..._core.client.described import PUBLISHED, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.operation import Operation, Safety, get
from ..._core.resolving.rules import Rule
from ...models.rate_plan import RatePlan
from ._writes import submit


@describes("billing", "rate_plans.list", source=PUBLISHED)
def list_rate_plans(
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

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the rate plan with this ID.
        ending_before: Read backward, starting before the rate plan with this ID. Within each page, the items stay in
            the service's order.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of rate plans.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
    """
    return cursor_list(
        "/rate_plans",
        item=RatePlan,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
    )


@describes("billing", "rate_plans.create", source=PUBLISHED, rule=Rule("created", "rate_plans.retrieve"))
def create_rate_plan(body: RatePlan) -> Operation[RatePlan]:
    """Create a rate plan.

    The response isn't documented. If the response is empty, the result is a `RatePlan` with no fields set.

    Args:
        body: The rate plan. Leave out every `vid`, because the service assigns the vids. Prices are exact amounts for
            one rated unit, in units of the currency (0.01 is one cent).

    Returns:
        The rate plan, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        OutcomeUnknownError: The rate plan may or may not have been created. Call `client.resolve(error)`.
    """
    return submit("/rate_plans", body=body, result=RatePlan, is_shown=False, safety=Safety.WRITE)


@describes("billing", "rate_plans.retrieve", source=PUBLISHED)
def retrieve_rate_plan(rate_plan: str) -> Operation[RatePlan]:
    """Retrieve a rate plan.

    Args:
        rate_plan: The rate plan's `id` or `vid`, up to 128 characters.

    Returns:
        The rate plan.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The rate plan doesn't exist.
    """
    return get("/rate_plans/{rate_plan}", rate_plan, result=RatePlan)
