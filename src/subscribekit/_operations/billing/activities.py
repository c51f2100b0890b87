"""Activities of customers, such as logins, calls, usage, and notes."""

from ..._core.client.described import BY_CONVENTION, PUBLISHED, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.arguments import query
from ..._core.operations.operation import Operation, Safety, get
from ..._core.resolving.rules import Rule
from ...models.activity import Activity
from ._writes import submit


@describes("billing", "activities.list", source=PUBLISHED)
def list_activities(
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    account: str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[Activity]:
    """List activities.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the activity with this vid.
        ending_before: Read backward, starting before the activity with this vid. Within each page, the items stay in
            the service's order.
        account: Only activities of this account, by its `id` or `vid`, up to 128 characters.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of activities.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
    """
    return cursor_list(
        "/activities",
        item=Activity,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        filters=query(identifiers={"account": account}),
    )


@describes("billing", "activities.create", source=PUBLISHED, rule=Rule("recorded", "activities.list"))
def create_activity(body: Activity) -> Operation[Activity]:
    """Record an activity of an account.

    Args:
        body: The activity, with its `account`, `timestamp`, and `type`, and with the `..._args` field of that type.

    Returns:
        The activity, in which `account` is a reference instead of a whole account.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        OutcomeUnknownError: The activity may or may not have been recorded. Call `client.resolve(error)`.
    """
    return submit("/activities", body=body, result=Activity, safety=Safety.WRITE)


@describes("billing", "activities.retrieve", source=BY_CONVENTION)
def retrieve_activity(activity: str) -> Operation[Activity]:
    """Retrieve an activity.

    This operation isn't documented, but follows the specification's rule that a GET reads one resource or a list.

    Args:
        activity: The activity's `id` or `vid`, up to 128 characters.

    Returns:
        The activity.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The activity doesn't exist, or the service doesn't support this operation.
    """
    return get("/activities/{activity}", activity, result=Activity)
