"""The operations of `billing/generic.py`, asynchronous; written by scripts/faces.py."""

from typing import Generic, TypeVar

from subscribekit._core.lists.pager import AsyncPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models._base import Model

M = TypeVar("M", bound=Model)

class AsyncGenericResource(Generic[M]):
    """A resource by the conventions of the specification: by convention, not published.

    GET reads one resource or a list, POST creates or updates, DELETE removes an association. Whether the service
    supports such a call for one of them, and with which fields, is not published.
    """

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
    ) -> AsyncPager[M]:
        """List the resources (by convention, not published).

        No filter is published; `request` sends one that you know.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the resource with this id.
            ending_before: Read backwards from before the resource with this id; within a page the order stays.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of the model.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: While iterating: the service does not know the call.
        """

    async def create(self, body: M) -> M:
        """Create a resource (by convention, not published).

        Nothing is known about the call, so it is never retried with an unknown outcome. A response without a body
        gives a model without fields.

        Args:
            body: The resource, an instance of the model.

        Returns:
            The resource, as far as the service shows it.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: The service does not know the call.
            OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
        """

    async def retrieve(self, identifier: str) -> M:
        """Read one resource (by convention, not published).

        Args:
            identifier: Its id or vid, at most 128 characters.

        Returns:
            The resource.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such resource, or the service does not know the call.
        """

    async def update(self, identifier: str, body: M) -> M:
        """Update a resource (by convention, not published).

        Nothing is known about the call, so it is never retried with an unknown outcome. A response without a body
        gives a model without fields.

        Args:
            identifier: Its id or vid, at most 128 characters.
            body: The changes, as an instance of the model.

        Returns:
            The resource, as far as the service shows it.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: There is no such resource, or the service does not know the call.
            OutcomeUnknownError: It may or may not have been updated; ask `client.resolve(error)`.
        """

    async def delete(self, identifier: str) -> None:
        """Remove what an identifier names (by convention, not published).

        By the conventions DELETE removes an ownership or hierarchical association, not a record.

        Args:
            identifier: Its id or vid, at most 128 characters.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is nothing of that name, or the service does not know the call.
            OutcomeUnknownError: It may or may not have been removed; ask `client.resolve(error)`.
        """
