"""Seasons in which seasonal billing plans bill and entitle."""

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
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the season set with this id.
        ending_before: Read backwards from before the season set with this id; within a page the order stays.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of season sets.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
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

    The response is not shown, so an empty one gives a `SeasonSet` without fields.

    Args:
        body: The season set, without vids.

    Returns:
        The season set, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
    """
    return submit("/season_sets", body=body, result=SeasonSet, is_shown=False, safety=Safety.WRITE)


@describes("billing", "season_sets.retrieve", source=BY_CONVENTION)
def retrieve_season_set(season_set: str) -> Operation[SeasonSet]:
    """Read a season set.

    The specification says that GET reads one resource or a list; no source documents this call.

    Args:
        season_set: Its id or vid, at most 128 characters.

    Returns:
        The season set.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such season set, or the service does not know the call.
    """
    return get("/season_sets/{season_set}", season_set, result=SeasonSet)
