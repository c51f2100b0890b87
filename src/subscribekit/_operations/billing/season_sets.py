"""Season sets: the seasons in which seasonal billing plans bill and grant entitlements."""

from ..._core.client.described import BY_CONVENTION, PUBLISHED, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.operation import Operation, Safety, get
from ..._core.resolving.rules import Rule
from ...models.season_set import SeasonSet
from ._writes import submit


@describes("billing", "season_sets.list", source=PUBLISHED)
def list_season_sets(
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[SeasonSet]:
    """List season sets.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the season set with this ID.
        ending_before: Read backward, starting before the season set with this ID. Within each page, the items stay in
            the service's order.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of season sets.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
    """
    return cursor_list(
        "/season_sets",
        item=SeasonSet,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
    )


@describes(
    "billing",
    "season_sets.create",
    source=PUBLISHED,
    rule=Rule("created", "season_sets.retrieve", by_convention=True, listed="season_sets.list"),
)
def create_season_set(body: SeasonSet) -> Operation[SeasonSet]:
    """Create a season set.

    The response isn't documented. If the response is empty, the result is a `SeasonSet` with no fields set.

    Args:
        body: The season set. Leave out every `vid`, because the service assigns the vids.

    Returns:
        The season set, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        OutcomeUnknownError: The season set may or may not have been created. Call `client.resolve(error)`.
    """
    return submit("/season_sets", body=body, result=SeasonSet, is_shown=False, safety=Safety.WRITE)


@describes("billing", "season_sets.retrieve", source=BY_CONVENTION)
def retrieve_season_set(season_set: str) -> Operation[SeasonSet]:
    """Retrieve a season set.

    This operation isn't documented, but follows the specification's rule that a GET reads one resource or a list.

    Args:
        season_set: The season set's `id` or `vid`, up to 128 characters.

    Returns:
        The season set.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The season set doesn't exist, or the service doesn't support this operation.
    """
    return get("/season_sets/{season_set}", season_set, result=SeasonSet)
