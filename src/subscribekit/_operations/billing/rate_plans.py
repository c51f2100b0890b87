"""Prices of usage."""

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


@describes("billing", "rate_plans.create", source=PUBLISHED, rule=Rule("created", "rate_plans.retrieve"))
def create_rate_plan(body: RatePlan) -> Operation[RatePlan]:
    """Create a rate plan.

    The response is not shown, so an empty one gives a `RatePlan` without fields.

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


@describes("billing", "rate_plans.retrieve", source=PUBLISHED)
def retrieve_rate_plan(rate_plan: str) -> Operation[RatePlan]:
    """Read a rate plan.

    Args:
        rate_plan: Its id or vid, at most 128 characters.

    Returns:
        The rate plan.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such rate plan.
    """
    return get("/rate_plans/{rate_plan}", rate_plan, result=RatePlan)
