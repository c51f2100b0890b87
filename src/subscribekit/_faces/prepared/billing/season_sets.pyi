"""The operations of `billing/season_sets.py`, prepared; written by scripts/faces.py."""

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.season_set import SeasonSet

class PreparedSeasonSets:
    """Seasons in which seasonal billing plans bill and entitle."""
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
    ) -> PreparedRequest[Page[SeasonSet]]:
        """The unsent request to list season sets."""
    def create(self, body: SeasonSet) -> PreparedRequest[SeasonSet]:
        """The unsent request to create a season set."""
    def retrieve(self, season_set: str) -> PreparedRequest[SeasonSet]:
        """The unsent request to read a season set (by convention, not published)."""
