"""The operations of `billing/activities.py`, asynchronous raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import AsyncRawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.activity import Activity

class AsyncRawActivities:
    """Activities of customers: logins, calls, usage, notes."""
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        account: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> AsyncRawPager[Activity]:
        """List activities."""
    async def create(self, body: Activity) -> Response[Activity]:
        """Record an activity of an account."""
    async def retrieve(self, activity: str) -> Response[Activity]:
        """Read an activity (by convention, not published)."""
