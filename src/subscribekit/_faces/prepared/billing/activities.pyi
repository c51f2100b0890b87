"""The operations of `billing/activities.py`, prepared; written by scripts/faces.py."""

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.activity import Activity

class PreparedActivities:
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
    ) -> PreparedRequest[Page[Activity]]:
        """The unsent request to list activities."""
    def create(self, body: Activity) -> PreparedRequest[Activity]:
        """The unsent request to record an activity of an account."""
    def retrieve(self, activity: str) -> PreparedRequest[Activity]:
        """The unsent request to read an activity (by convention, not published)."""
