"""The operations of `billing/season_sets.py`, raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import RawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.season_set import SeasonSet

class RawSeasonSets:
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
    ) -> RawPager[SeasonSet]:
        """List season sets."""
    def create(self, body: SeasonSet) -> Response[SeasonSet]:
        """Create a season set."""
    def retrieve(self, season_set: str) -> Response[SeasonSet]:
        """Read a season set (by convention, not published)."""
