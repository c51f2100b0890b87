"""Charges for usage that are not billed yet, one for each subscription item."""

from datetime import datetime

from ..._core.client.described import BY_CONVENTION, describes, specification
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.arguments import query
from ..._core.operations.identity import KIND
from ..._core.operations.operation import Operation, get
from ...models.usage import EventSummary


@describes("billing", "event_summaries.list", source=specification("E4"))
def list_event_summaries(
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
) -> Listing[EventSummary]:
    """List event summaries.

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
    references = {"account": account, "subscription": subscription, "product": product, "rate_plan": rate_plan}
    return cursor_list(
        "/event_summaries",
        item=EventSummary,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        filters=query(identifiers=references, wire="event_summaries")
        + query(timestamps={"start": start, "end": end}, wire="event_summaries")
        + query(flags={"billed": billed}),
        expected=tuple((name, wanted) for name, wanted in references.items() if wanted is not None),
    )


@describes("billing", "event_summaries.retrieve", source=BY_CONVENTION)
def retrieve_event_summary(event_summary: str) -> Operation[EventSummary]:
    """Read an event summary.

    The specification says that GET reads one resource or a list; no source documents this call.

    Args:
        event_summary: Its id or vid, at most 128 characters.

    Returns:
        The event summary.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such event summary, or the service does not know the call.
    """
    return get("/event_summaries/{event_summary}", event_summary, result=EventSummary, identity=KIND)
