"""Campaigns: coupons and promotions."""

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
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the campaign with this ID.
        ending_before: Read backward, starting before the campaign with this ID. Within each page, the items stay in the
            service's order.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of campaigns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
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

    The response isn't documented. If the response is empty, the result is a `Campaign` with no fields set.

    Args:
        body: The full campaign. Leave out every `vid`, because the service assigns the vids. Percentages are `Decimal`
            (12.5 is 12.5%). Flat amounts are exact amounts in units of the currency.

    Returns:
        The campaign, with the fields that the service returns. The state of a new campaign is `Pending`.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        OutcomeUnknownError: The campaign may or may not have been created. Call `client.resolve(error)`.
    """
    return submit("/campaigns", body=body, result=Campaign, is_shown=False, safety=Safety.WRITE)


@describes("billing", "campaigns.retrieve", source=BY_CONVENTION)
def retrieve_campaign(campaign: str) -> Operation[Campaign]:
    """Retrieve a campaign.

    This operation isn't documented, but follows the specification's rule that a GET reads one resource or a list.

    Args:
        campaign: The campaign's `id` or `vid`, up to 128 characters.

    Returns:
        The campaign.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The campaign doesn't exist, or the service doesn't support this operation.
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

    The specification requires the full campaign in the body. `promotion_code_aliases` replaces all existing aliases of
    the campaign.

    Args:
        campaign: The campaign's `id` or `vid`, up to 128 characters.
        body: The full campaign. The SDK sends only the fields that you set, and sends `None` as null.

    Returns:
        The full campaign after the update.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The campaign doesn't exist.
        OutcomeUnknownError: The campaign may or may not have been updated. Call `client.resolve(error)`.
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
