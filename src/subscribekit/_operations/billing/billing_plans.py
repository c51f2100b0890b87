"""Billing plans: the schedules and the prices of subscriptions' bills."""

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
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the billing plan with this ID.
        ending_before: Read backward, starting before the billing plan with this ID. Within each page, the items stay in
            the service's order.
        status: Only billing plans with this status; pass `active` or `suspended` in lowercase.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of billing plans.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
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
        body: The billing plan, with at least one period. Only the last period of a billing plan can be endless. The
            `id` of a billing plan can't be changed or reused. Prices are exact amounts in units of the currency (19.90
            is 19 dollars and 90 cents).

    Returns:
        The billing plan.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        OutcomeUnknownError: The billing plan may or may not have been created. Call `client.resolve(error)`.
    """
    return submit("/billing_plans", body=body, result=BillingPlan, safety=Safety.WRITE)


@describes("billing", "billing_plans.retrieve", source=PUBLISHED)
def retrieve_billing_plan(billing_plan: str) -> Operation[BillingPlan]:
    """Retrieve a billing plan.

    Args:
        billing_plan: The billing plan's `id` or `vid`, up to 128 characters.

    Returns:
        The billing plan.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The billing plan doesn't exist.
    """
    return get("/billing_plans/{billing_plan}", billing_plan, result=BillingPlan)


@describes("billing", "billing_plans.update", source=PUBLISHED, rule=Rule("values", "billing_plans.retrieve"))
def update_billing_plan(billing_plan: str, body: BillingPlan) -> Operation[BillingPlan]:
    """Update a billing plan.

    If subscriptions use the billing plan, the service seems to create a new version of the billing plan. The response
    isn't documented. If the response is empty, the result is a `BillingPlan` with no fields set.

    Args:
        billing_plan: The billing plan's `id` or `vid`, up to 128 characters.
        body: The changes. Fields that you leave out don't change.

    Returns:
        The billing plan after the update, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The billing plan doesn't exist.
        OutcomeUnknownError: The billing plan may or may not have been updated. Call `client.resolve(error)`.
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
