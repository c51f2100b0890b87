"""The operations of `billing/generic.py`, prepared; written by scripts/faces.py."""

from typing import Generic, TypeVar

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models._base import Model

M = TypeVar("M", bound=Model)

class PreparedGenericResource(Generic[M]):
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
    ) -> PreparedRequest[Page[M]]:
        """The unsent request to list the resources (by convention, not published)."""
    def create(self, body: M) -> PreparedRequest[M]:
        """The unsent request to create a resource (by convention, not published)."""
    def retrieve(self, identifier: str) -> PreparedRequest[M]:
        """The unsent request to read one resource (by convention, not published)."""
    def update(self, identifier: str, body: M) -> PreparedRequest[M]:
        """The unsent request to update a resource (by convention, not published)."""
    def delete(self, identifier: str) -> PreparedRequest[None]:
        """The unsent request to remove what an identifier names (by convention, not published)."""
