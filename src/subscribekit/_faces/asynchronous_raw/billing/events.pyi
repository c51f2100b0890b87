"""The operations of `billing/events.py`, asynchronous raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import AsyncRawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.usage import Event

class AsyncRawEvents:
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
    ) -> AsyncRawPager[Event]:
        """List events (by convention, not published)."""
    async def create(self, body: Event) -> Response[Event]:
        """Record usage (by convention, not published)."""
    async def retrieve(self, event: str) -> Response[Event]:
        """Read an event (by convention, not published)."""
    async def update(self, event: str, body: Event) -> Response[Event]:
        """Update an event (by convention, not published)."""
