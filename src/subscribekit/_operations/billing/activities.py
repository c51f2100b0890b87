"""Activities of customers: logins, calls, usage, notes."""

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
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the activity with this vid.
        ending_before: Read backwards from before the activity with this vid; within a page the order stays.
        account: Only activities of this account, by id or vid, at most 128 characters.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of activities.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
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
        body: The activity: `account`, `timestamp`, `type` and the one `..._args` that belongs to the type.

    Returns:
        The activity, its account reduced to a reference.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
    """
    return submit("/activities", body=body, result=Activity, safety=Safety.WRITE)


@describes("billing", "activities.retrieve", source=BY_CONVENTION)
def retrieve_activity(activity: str) -> Operation[Activity]:
    """Read an activity.

    The specification says that GET reads one resource or a list; no source documents this call.

    Args:
        activity: Its id or vid, at most 128 characters.

    Returns:
        The activity.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such activity, or the service does not know the call.
    """
    return get("/activities/{activity}", activity, result=Activity)
