"""The operations of `billing/event_summaries.py`, asynchronous; written by scripts/faces.py."""

from datetime import datetime

from subscribekit._core.lists.pager import AsyncPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.usage import EventSummary

class AsyncEventSummaries:
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
    ) -> AsyncPager[EventSummary]:
        """List event summaries (E4).

        Only the wire name of `billed` is specified. Those of `account` and `subscription` are assumed, so each item is
        checked against them; the others must be set with `WireNames` before they can be used.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the summary with this id.
            ending_before: Read backwards from before the summary with this id; within a page the order stays.
            account: Only summaries of this account, by id or vid, at most 128 characters.
            subscription: Only summaries of this subscription, by id or vid, at most 128 characters.
            product: Only summaries of this product, by id or vid, at most 128 characters.
            rate_plan: Only summaries of this rate plan, by id or vid, at most 128 characters.
            start: Only events from this time on, with a time zone.
            end: Only events up to this time, with a time zone.
            billed: `False` limits the list to unbilled events.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of event summaries.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            ConfigurationError: The wire name of a filter is not set.
            FilterNotAppliedError: While iterating: an item does not match the filter.
        """

    async def retrieve(self, event_summary: str) -> EventSummary:
        """Read an event summary (by convention, not published).

        The specification says that GET reads one resource or a list; no source documents this call.

        Args:
            event_summary: Its id or vid, at most 128 characters.

        Returns:
            The event summary.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such event summary, or the service does not know the call.
        """
