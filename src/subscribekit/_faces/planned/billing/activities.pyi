"""The operations of `billing/activities.py`, planned; written by scripts/faces.py."""

from subscribekit._core.calls.response import PlannedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.activity import Activity

class PlannedActivities:
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
    ) -> PlannedRequest[Page[Activity]]:
        """The unsent request to list activities."""
    def create(self, body: Activity) -> PlannedRequest[Activity]:
        """The unsent request to record an activity of an account."""
    def retrieve(self, activity: str) -> PlannedRequest[Activity]:
        """The unsent request to read an activity (by convention, not published)."""
