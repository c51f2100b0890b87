"""The operations of `billing/season_sets.py`, blocking; written by scripts/faces.py."""

from subscribekit._core.lists.pager import Pager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.season_set import SeasonSet

class SeasonSets:
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
    ) -> Pager[SeasonSet]:
        """List season sets.

        Published, not in the specification.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the season set with this id.
            ending_before: Read backwards from before the season set with this id; within a page the order stays.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of season sets.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
        """

    def create(self, body: SeasonSet) -> SeasonSet:
        """Create a season set.

        Published, not in the specification. The response is not shown, so an empty one gives a `SeasonSet` without
        fields.

        Args:
            body: The season set, without vids.

        Returns:
            The season set, as far as the service shows it.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
        """

    def retrieve(self, season_set: str) -> SeasonSet:
        """Read a season set (by convention, not published).

        The specification says that GET reads one resource or a list; no source documents this call.

        Args:
            season_set: Its id or vid, at most 128 characters.

        Returns:
            The season set.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such season set, or the service does not know the call.
        """
