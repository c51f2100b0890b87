"""Discounts: coupons and promotions."""

from ..._core.client.described import describes, specification
from ..._core.operations.identity import named
from ..._core.operations.operation import Operation, Safety, post
from ...models.campaign import Campaign


@describes("gateway", "campaigns.activate", source=specification("E5"))
def activate_campaign(campaign: str) -> Operation[Campaign]:
    """Check whether a coupon or promotion can be used.

    The specification calls it a check and does not show which state results, so it is treated as a write. It does
    not show how the call authenticates either: the API key is sent when the client has one.

    Args:
        campaign: Its id or vid, at most 128 characters.

    Returns:
        The campaign.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such campaign.
        OutcomeUnknownError: The campaign may or may not have been activated, and no call reads it:
            `client.resolve(error).support_details` is what to tell the operator.
    """
    return post(
        "/gateway/v1/campaigns/{campaign}/actions/activate",
        campaign,
        result=Campaign,
        identity=named(campaign),
        safety=Safety.WRITE,
        needs_credential=False,
    )
