"""The operations of `billing/event_summaries.py`, prepared; written by scripts/faces.py."""

from datetime import datetime

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.usage import EventSummary

class PreparedEventSummaries:
    """Charges for usage that are not billed yet, one for each subscription item."""
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        account: str | None = None,
        subscription: str | None = None,
        product: str | None = None,
        rate_plan: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        billed: bool | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> PreparedRequest[Page[EventSummary]]:
        """The unsent request to list event summaries (E4)."""
    def retrieve(self, event_summary: str) -> PreparedRequest[EventSummary]:
        """The unsent request to read an event summary (by convention, not published)."""
