"""Campaigns: discounts by coupon or promotion."""

from .._core.binding import D, Resource, operation
from .._core.operation import Operation, body_of, post
from ..models.campaign import Campaign


class Campaigns(Resource[D]):
    """Discounts: coupons and promotions."""

    @operation
    def update(self, campaign: str, body: Campaign) -> Operation[Campaign]:
        """Update a campaign (E2).

        The specification wants a full campaign in the body. `promotion_code_aliases` replaces the aliases that exist,
        it does not add to them.

        Args:
            campaign: Its id or vid, at most 128 characters.
            body: The full campaign; only fields that were given are sent, `None` is sent as null.

        Returns:
            The full campaign after the update.

        Raises:
            RequestError: An argument is refused; nothing was sent.
            NotFoundError: There is no such campaign.
            OutcomeUnknownError: It may or may not have been updated.
        """
        return post("/campaigns/{campaign}", campaign, body=body_of("body", body, Campaign), result=Campaign)
