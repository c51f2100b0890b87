"""Discounts: coupons and promotions."""

from ..._core.client.described import BY_CONVENTION, PUBLISHED, describes, specification
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.bodies import body_of
from ..._core.operations.identity import named
from ..._core.operations.operation import Operation, Safety, get, post
from ..._core.resolving.rules import Rule
from ...models.campaign import Campaign
from ._writes import same_resource, submit


@describes("billing", "campaigns.list", source=PUBLISHED)
def list_campaigns(
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[Campaign]:
    """List campaigns.

    Args:
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the campaign with this id.
        ending_before: Read backwards from before the campaign with this id; within a page the order stays.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of campaigns.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
    """
    return cursor_list(
        "/campaigns",
        item=Campaign,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
    )


@describes(
    "billing",
    "campaigns.create",
    source=PUBLISHED,
    rule=Rule("created", "campaigns.retrieve", by_convention=True, listed="campaigns.list"),
)
def create_campaign(body: Campaign) -> Operation[Campaign]:
    """Create a campaign.

    The response is not shown, so an empty one gives a `Campaign` without fields.

    Args:
        body: The full campaign, without vids. Percentages are `Decimal` (12.5 is 12.5 %), flat amounts are in units
            of the currency, exact.

    Returns:
        The campaign, as far as the service shows it; a new one waits in the state `Pending`.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
    """
    return submit("/campaigns", body=body, result=Campaign, is_shown=False, safety=Safety.WRITE)


@describes("billing", "campaigns.retrieve", source=BY_CONVENTION)
def retrieve_campaign(campaign: str) -> Operation[Campaign]:
    """Read a campaign.

    The specification says that GET reads one resource or a list; no source documents this call.

    Args:
        campaign: Its id or vid, at most 128 characters.

    Returns:
        The campaign.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such campaign, or the service does not know the call.
    """
    return get("/campaigns/{campaign}", campaign, result=Campaign)


@describes(
    "billing",
    "campaigns.update",
    source=specification("E2"),
    rule=Rule("values", "campaigns.retrieve", by_convention=True, listed="campaigns.list", is_full=True),
)
def update_campaign(campaign: str, body: Campaign) -> Operation[Campaign]:
    """Update a campaign.

    The specification wants a full campaign in the body. `promotion_code_aliases` replaces the aliases that exist,
    it does not add to them.

    Args:
        campaign: Its id or vid, at most 128 characters.
        body: The full campaign; only fields that were given are sent, `None` is sent as null.

    Returns:
        The full campaign after the update.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: There is no such campaign.
        OutcomeUnknownError: It may or may not have been updated; ask `client.resolve(error)`.
    """
    described = post(
        "/campaigns/{campaign}",
        campaign,
        body=body_of("body", body, Campaign),
        result=Campaign,
        safety=Safety.WRITE,
        identity=named(campaign, body.id, body.vid),
        is_compared=True,
    )
    same_resource("body", campaign, body)
    return described
