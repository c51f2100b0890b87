"""The operations of `billing/events.py`, planned; written by scripts/faces.py."""

from subscribekit._core.calls.response import PlannedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.usage import Event

class PlannedEvents:
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
    ) -> PlannedRequest[Page[Event]]:
        """The unsent request to list events (by convention, not published)."""
    def create(self, body: Event) -> PlannedRequest[Event]:
        """The unsent request to record usage (by convention, not published)."""
    def retrieve(self, event: str) -> PlannedRequest[Event]:
        """The unsent request to read an event (by convention, not published)."""
    def update(self, event: str, body: Event) -> PlannedRequest[Event]:
        """The unsent request to update an event (by convention, not published)."""
