"""The operations of `billing/activities.py`, asynchronous; written by scripts/faces.py."""

from subscribekit._core.lists.pager import AsyncPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.activity import Activity

class AsyncActivities:
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
    ) -> AsyncPager[Activity]:
        """List activities.

        Published, not in the specification.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the activity with this vid.
            ending_before: Read backwards from before the activity with this vid; within a page the order stays.
            account: Only activities of this account, by id or vid, at most 128 characters.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of activities.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
        """

    async def create(self, body: Activity) -> Activity:
        """Record an activity of an account.

        Published, not in the specification.

        Args:
            body: The activity: `account`, `timestamp`, `type` and the one `..._args` that belongs to the type.

        Returns:
            The activity, its account reduced to a reference.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
        """

    async def retrieve(self, activity: str) -> Activity:
        """Read an activity (by convention, not published).

        The specification says that GET reads one resource or a list; no source documents this call.

        Args:
            activity: Its id or vid, at most 128 characters.

        Returns:
            The activity.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such activity, or the service does not know the call.
        """
