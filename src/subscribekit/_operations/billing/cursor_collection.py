"""A collection of the billing API at the caller's own path, which the specification doesn't document."""

from typing import TypeVar

from ..._core.client.described import OWN, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ...models._base import Model
from .._own_path import Collection, at_own_path

__tracebackhide__ = True

M = TypeVar("M", bound=Model)


def collection(path: str, item: type[M]) -> Collection[M]:
    """Return the collection at your own path, for example a list that your operator described to you.

    `client.collection("/accounts/a1/notes", Note).list(limit=50)` is a pager of `Note`. The pager reads the whole
    list, with checkpoints and prefetching. To read only one resource or one page, use `request`.

    Args:
        path: The path relative to the base URL, without percent-encoding.
        item: The model of the collection's items.

    Returns:
        The collection, which has the method `list`.

    Raises:
        InvalidArgumentError: The path is invalid, or `item` isn't a model class. Nothing was sent. A path must
            start with one `/`, and must not contain `?`, `#`, `%`, a backslash, or a dot segment.
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
    """List the resources at the path, with the same paging as in all lists of the billing API.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the resource with this ID.
        ending_before: Read backward, starting before the resource with this ID. Within each page, the items stay in the
            service's order.
        params: Query parameters, by their wire names. If a value is a list, the SDK sends the parameter once for each
            element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of instances of the model.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the service responds that it doesn't support this operation.
    """
    return cursor_list(
        collection.template,
        *collection.values,
        item=collection.item,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
    )
