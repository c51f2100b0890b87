"""A collection of group C at a path of the caller's own; the form is this SDK's, not the specification's."""

from typing import TypeVar

from ..._core.client.described import OWN, describes
from ..._core.lists.listing import ByOffset, Listing, offset_list
from ..._core.lists.parameters import ListParams
from ...models._base import Model
from .._own_path import Collection, at_own_path

__tracebackhide__ = True  # pytest shows the line of the caller instead

M = TypeVar("M", bound=Model)


def collection(path: str, item: type[M]) -> Collection[M]:
    """List what is at your own path, such as a list that your operator told you about.

    `client.collection("/platform/rest/v85/user/devices", Entity).list(size=50)` is a pager of `Entity`.

    Args:
        path: Path below the base address, not quoted.
        item: The model of the items.

    Returns:
        The collection, with `list`.

    Raises:
        InvalidArgumentError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or no model.
    """
    return at_own_path(path, item)


@describes("user_mgmt", "offset_collection.list", source=OWN)
def list_items(
    collection: Collection[M],
    /,
    *,
    offset: int = 0,
    size: int | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
    concurrency: int = 1,
) -> Listing[M]:
    """List the entities at the path, page by page as every list of the account lifecycle interfaces.

    Args:
        offset: How many entities to skip; not negative.
        size: Page size, 0 to 100; the service uses 20 when absent.
        params: Query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.
        concurrency: Pages that are read side by side once the total is known, 1 to 64.

    Returns:
        A pager of the model.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: While iterating: the service does not know the call.
    """
    return offset_list(
        collection.template,
        *collection.values,
        item=collection.item,
        paging=ByOffset(offset, size, params, checkpoint, max_pages, prefetch, concurrency),
    )
