"""Measured usage; `event_summaries` shows what it will cost."""

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

    The specification names events and shows no call for them. No filter is published; `params` sends one that your
    operator told you.

    Args:
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the event with this id.
        ending_before: Read backwards from before the event with this id; within a page the order stays.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of events.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: While iterating: the service does not know the call.
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
    """Record usage.

    A second event with other identifiers bills the usage again, so the SDK never retries the call with an unknown
    outcome. The response is not shown, so an empty one gives an `Event` without fields.

    Args:
        body: The event. Its fields are not documented: give those that your operator told you, amounts as
            `Decimal`. Give it an `id`: it is what to look for after an unknown outcome.

    Returns:
        The event, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: The service does not know the call.
        OutcomeUnknownError: It may or may not be recorded; ask `client.resolve(error)`.
    """
    return submit("/events", body=body, result=Event, is_shown=False, safety=Safety.MONEY)


@describes("billing", "events.retrieve", source=BY_CONVENTION)
def retrieve_event(event: str) -> Operation[Event]:
    """Read an event.

    The specification says that GET reads one resource or a list, and shows no call for events.

    Args:
        event: Its id or vid, at most 128 characters.

    Returns:
        The event.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such event, or the service does not know the call.
    """
    return get("/events/{event}", event, result=Event)


@describes("billing", "events.update", source=BY_CONVENTION, rule=Rule("values", "events.retrieve", by_convention=True))
def update_event(event: str, body: Event) -> Operation[Event]:
    """Update an event.

    The update may change what is billed, so the SDK never retries the call with an unknown outcome. The response
    is not shown, so an empty one gives an `Event` without fields.

    Args:
        event: Its id or vid, at most 128 characters.
        body: The changes.

    Returns:
        The event, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: There is no such event, or the service does not know the call.
        OutcomeUnknownError: It may or may not have been updated; ask `client.resolve(error)`.
    """
    return submit("/events/{event}", event, body=body, result=Event, is_shown=False, safety=Safety.MONEY)
