"""A collection of group A at a path of the caller's own; the form is this SDK's, not the specification's."""

from typing import TypeVar

from ..._core.client.described import OWN, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ...models._base import Model
from .._own_path import Collection, at_own_path

__tracebackhide__ = True  # pytest shows the line of the caller instead

M = TypeVar("M", bound=Model)


def collection(path: str, item: type[M]) -> Collection[M]:
    """List what is at your own path, such as a collection that your operator told you about.

    `client.collection("/accounts/a1/notes", Note).list(limit=50)` is a pager of `Note`. `request` gives a single
    resource or a single page; this reads a list to its end, with checkpoints, prefetching and all other rules.

    Args:
        path: Path below the base address, not quoted.
        item: The model of the items.

    Returns:
        The collection, with `list`.

    Raises:
        InvalidArgumentError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or no model.
    """
    return at_own_path(path, item)


@describes("billing", "cursor_collection.list", source=OWN)
def list_items(
    collection: Collection[M],
    /,
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[M]:
    """List the resources at the path, page by page as every list of the billing API.

    Args:
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the resource with this id.
        ending_before: Read backwards from before the resource with this id; within a page the order stays.
        params: Query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of the model.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: While iterating: the service does not know the call.
    """
    return cursor_list(
        collection.template,
        *collection.values,
        item=collection.item,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
    )
