"""The operations of `billing/events.py`, prepared; written by scripts/faces.py."""

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.usage import Event

class PreparedEvents:
    """Measured usage; `event_summaries` shows what it will cost."""
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
    ) -> PreparedRequest[Page[Event]]:
        """The unsent request to list events (by convention, not published)."""
    def create(self, body: Event) -> PreparedRequest[Event]:
        """The unsent request to record usage (by convention, not published)."""
    def retrieve(self, event: str) -> PreparedRequest[Event]:
        """The unsent request to read an event (by convention, not published)."""
    def update(self, event: str, body: Event) -> PreparedRequest[Event]:
        """The unsent request to update an event (by convention, not published)."""
