"""Lists at a path of the caller's own, for collections that the SDK has no method for."""

from typing import Generic, TypeVar

from ...models._base import Model
from ..lists.listing import ByCursor, ByOffset, Listing, cursor_list, offset_list
from ..lists.parameters import ListParams
from ..operations.arguments import own_template
from .binding import Bound, Resource, StyledDriver, listing

__tracebackhide__ = True  # pytest shows the line of the caller instead

M = TypeVar("M", bound=Model)


class _AtOwnPath(Bound[StyledDriver], Generic[M]):
    """A collection at a path of the caller's own, in either group."""

    def __init__(self, driver: StyledDriver, path: str, item: type[M]) -> None:
        super().__init__(driver)
        self._template, self._values = own_template(path)
        self._item = item

    def _family(self) -> str:
        return f"collection of {self._item.__name__}"


class CursorCollection(_AtOwnPath[M], Resource[StyledDriver], Generic[M]):
    """A collection of group A at a path of the caller's own; the form is this SDK's, not the specification's."""

    @listing
    def list(
        self,
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
            self._template,
            *self._values,
            item=self._item,
            paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        )


class OffsetCollection(_AtOwnPath[M], Resource[StyledDriver], Generic[M]):
    """A collection of group C at a path of the caller's own; the form is this SDK's, not the specification's."""

    @listing
    def list(
        self,
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
            self._template,
            *self._values,
            item=self._item,
            paging=ByOffset(offset, size, params, checkpoint, max_pages, prefetch, concurrency),
        )
