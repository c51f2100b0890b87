"""Schedules by which subscriptions are billed."""

from typing import Literal

from ..._core.client.described import PUBLISHED, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.arguments import query
from ..._core.operations.operation import Operation, Safety, get
from ..._core.resolving.rules import Rule
from ...models.billing import BillingPlan
from ._writes import submit


@describes("billing", "billing_plans.list", source=PUBLISHED)
def list_billing_plans(
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    status: Literal["active", "suspended"] | str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[BillingPlan]:
    """List billing plans.

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
    return cursor_list(
        "/billing_plans",
        item=BillingPlan,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        filters=query(texts={"status": status}),
    )


@describes("billing", "billing_plans.create", source=PUBLISHED, rule=Rule("created", "billing_plans.retrieve"))
def create_billing_plan(body: BillingPlan) -> Operation[BillingPlan]:
    """Create a billing plan.

    Args:
        body: The plan, with at least one period; only the last period may be without end. Its `id` cannot be
            changed or used again. Prices are in units of the currency (19.90 is 19 dollars 90), exact.

    Returns:
        The billing plan.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
    """
    return submit("/billing_plans", body=body, result=BillingPlan, safety=Safety.WRITE)


@describes("billing", "billing_plans.retrieve", source=PUBLISHED)
def retrieve_billing_plan(billing_plan: str) -> Operation[BillingPlan]:
    """Read a billing plan.

    Args:
        billing_plan: Its id or vid, at most 128 characters.

    Returns:
        The billing plan.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such billing plan.
    """
    return get("/billing_plans/{billing_plan}", billing_plan, result=BillingPlan)


@describes("billing", "billing_plans.update", source=PUBLISHED, rule=Rule("values", "billing_plans.retrieve"))
def update_billing_plan(billing_plan: str, body: BillingPlan) -> Operation[BillingPlan]:
    """Update a billing plan.

    A plan that subscriptions use seems to get a new version. The response is not shown, so an empty one gives a
    `BillingPlan` without fields.

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
    return submit(
        "/billing_plans/{billing_plan}",
        billing_plan,
        body=body,
        result=BillingPlan,
        is_shown=False,
        is_versioned=True,
        safety=Safety.WRITE,
    )
