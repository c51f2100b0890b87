"""Event summaries: the unbilled usage of each subscription item."""

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

    Only the wire name of `billed` is in the specification. The SDK assumes the wire names of `account` and
    `subscription`, so it checks that each item matches these two filters. Before you filter by `product`, `rate_plan`,
    `start`, or `end`, set the filter's wire name with `WireNames`.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the summary with this ID.
        ending_before: Read backward, starting before the summary with this ID. Within each page, the items stay in the
            service's order.
        account: Only summaries of this account, by its `id` or `vid`, up to 128 characters.
        subscription: Only summaries of this subscription, by its `id` or `vid`, up to 128 characters.
        product: Only summaries of this product, by its `id` or `vid`, up to 128 characters.
        rate_plan: Only summaries of this rate plan, by its `id` or `vid`, up to 128 characters.
        start: Only summaries of events at or after this time, which must have a time zone.
        end: Only summaries of events at or before this time, which must have a time zone.
        billed: If `False`, the list contains only summaries of unbilled events.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of event summaries.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        ConfigurationError: You passed a filter whose wire name isn't set.
        FilterNotAppliedError: During iteration, the service returns an item that doesn't match a filter.
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
    """Retrieve an event summary.

    This operation isn't documented, but follows the specification's rule that a GET reads one resource or a list.

    Args:
        event_summary: The event summary's `id` or `vid`, up to 128 characters.

    Returns:
        The event summary.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The event summary doesn't exist, or the service doesn't support this operation.
    """
    return get("/event_summaries/{event_summary}", event_summary, result=EventSummary, identity=KIND)
