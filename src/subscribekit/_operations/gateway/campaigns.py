"""Campaigns: coupons and promotions."""

from ..._core.client.described import describes, specification
from ..._core.operations.identity import named
from ..._core.operations.operation import Operation, Safety, post
from ...models.campaign import Campaign


@describes("gateway", "campaigns.activate", source=specification("E5"))
def activate_campaign(campaign: str) -> Operation[Campaign]:
    """Check whether a coupon or promotion can be used.

    The specification calls this a check and doesn't show the resulting state, so the SDK treats it as a write. The
    specification doesn't show the authentication either, so the SDK sends the API key if the client has one.

    Args:
        campaign: The campaign's `id` or `vid`, up to 128 characters.

    Returns:
        The campaign.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The campaign doesn't exist.
        OutcomeUnknownError: The campaign may or may not have been activated, and no call can show it. Send
            `client.resolve(error).support_details` to the operator.
    """
    return post(
        "/gateway/v1/campaigns/{campaign}/actions/activate",
        campaign,
        result=Campaign,
        identity=named(campaign),
        safety=Safety.WRITE,
        needs_credential=False,
    )
