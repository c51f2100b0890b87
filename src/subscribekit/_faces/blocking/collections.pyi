"""The operations of `_core/client/collections.py`, blocking; written by scripts/faces.py."""

from typing import Generic, TypeVar

from subscribekit._core.lists.pager import Pager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models._base import Model

M = TypeVar("M", bound=Model)

class CursorCollection(Generic[M]):
    """A collection of group A at a path of the caller's own; the form is this SDK's, not the specification's."""

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
    ) -> Pager[M]:
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

class OffsetCollection(Generic[M]):
    """A collection of group C at a path of the caller's own; the form is this SDK's, not the specification's."""

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
    ) -> Pager[M]:
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
