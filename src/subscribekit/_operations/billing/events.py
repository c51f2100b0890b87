"""Usage events. The resource `event_summaries` returns the unbilled cost of usage events."""

from ..._core.client.described import BY_CONVENTION, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.operation import Operation, Safety, get
from ..._core.resolving.rules import Rule
from ...models.usage import Event
from ._writes import submit


@describes("billing", "events.list", source=BY_CONVENTION)
def list_events(
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[Event]:
    """List events.

    The specification says that events can be listed, but documents no path for events. No source describes the filters
    of this list. To send a filter that your operator described to you, pass the filter in `params`.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the event with this ID.
        ending_before: Read backward, starting before the event with this ID. Within each page, the items stay in the
            service's order.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of events.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the service responds that it doesn't support this operation.
    """
    return cursor_list(
        "/events",
        item=Event,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
    )


@describes(
    "billing", "events.create", source=BY_CONVENTION, rule=Rule("created", "events.retrieve", by_convention=True)
)
def create_event(body: Event) -> Operation[Event]:
    """Record a usage event.

    A second event with another ID bills the usage again, so the SDK never retries the call if the outcome is unknown.
    The response isn't documented. If the response is empty, the result is an `Event` with no fields set.

    Args:
        body: The event. The fields of an event aren't documented, so use the fields that your operator described to
            you, with amounts as `Decimal`. Set your own `id`, so that `resolve` can find the event if the outcome is
            unknown.

    Returns:
        The event, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The service doesn't support this operation.
        OutcomeUnknownError: The event may or may not have been recorded. Call `client.resolve(error)`.
    """
    return submit("/events", body=body, result=Event, is_shown=False, safety=Safety.MONEY)


@describes("billing", "events.retrieve", source=BY_CONVENTION)
def retrieve_event(event: str) -> Operation[Event]:
    """Retrieve an event.

    This operation isn't documented, but follows the specification's rule that a GET reads one resource or a list.

    Args:
        event: The event's `id` or `vid`, up to 128 characters.

    Returns:
        The event.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The event doesn't exist, or the service doesn't support this operation.
    """
    return get("/events/{event}", event, result=Event)


@describes("billing", "events.update", source=BY_CONVENTION, rule=Rule("values", "events.retrieve", by_convention=True))
def update_event(event: str, body: Event) -> Operation[Event]:
    """Update an event.

    The update may change a bill, so the SDK never retries the call if the outcome is unknown. The response isn't
    documented. If the response is empty, the result is an `Event` with no fields set.

    Args:
        event: The event's `id` or `vid`, up to 128 characters.
        body: The changes.

    Returns:
        The event, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The event doesn't exist, or the service doesn't support this operation.
        OutcomeUnknownError: The event may or may not have been updated. Call `client.resolve(error)`.
    """
    return submit("/events/{event}", event, body=body, result=Event, is_shown=False, safety=Safety.MONEY)
