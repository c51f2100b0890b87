"""The operations of `_core/client/collections.py`, prepared; written by scripts/faces.py."""

from typing import Generic, TypeVar

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models._base import Model

M = TypeVar("M", bound=Model)

class PreparedCursorCollection(Generic[M]):
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
    ) -> PreparedRequest[Page[M]]:
        """The unsent request to list the resources at the path, page by page as every list of the billing API."""

class PreparedOffsetCollection(Generic[M]):
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
    ) -> PreparedRequest[Page[M]]:
        """List the entities at the path, page by page as every list of the account lifecycle interfaces."""
