"""A collection of the account-lifecycle API at the caller's own path, which the specification doesn't document."""

from typing import TypeVar

from ..._core.client.described import OWN, describes
from ..._core.lists.listing import ByOffset, Listing, offset_list
from ..._core.lists.parameters import ListParams
from ...models._base import Model
from .._own_path import Collection, at_own_path

__tracebackhide__ = True

M = TypeVar("M", bound=Model)


def collection(path: str, item: type[M]) -> Collection[M]:
    """Return the collection at your own path, for example a list that your operator described to you.

    `client.collection("/platform/rest/v85/user/devices", Entity).list(size=50)` is a pager of `Entity`.

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
    """List the entities at the path, with the same paging as in all lists of the account-lifecycle API.

    Args:
        offset: Number of entities to skip, at least 0.
        size: Page size, from 0 to 100; the service's default is 20.
        params: Query parameters, by their wire names. If a value is a list, the SDK sends the parameter once for each
            element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.
        concurrency: Number of pages to read in parallel after the total is known, from 1 to 64.

    Returns:
        A pager of instances of the model.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the service responds that it doesn't support this operation.
    """
    return offset_list(
        collection.template,
        *collection.values,
        item=collection.item,
        paging=ByOffset(offset, size, params, checkpoint, max_pages, prefetch, concurrency),
    )
