"""Campaigns: coupons and promotions."""

from ..._core.client.described import describes, specification
from ..._core.operations.identity import named
from ..._core.operations.operation import Operation, Safety, post
from ...models.campaign import Campaign


@describes("gateway", "campaigns.activate", source=specification("E5"))
def activate_campaign(campaign: str) -> Operation[Campaign]:
    """Check whether a coupon or promotion can be used.

    The specification calls this operation a check, but doesn't document the resulting state of the campaign, so the SDK
    treats the operation as a write. The specification doesn't document the authentication of this operation, so the SDK
    sends the API key if the client has an API key.

    Args:
        campaign: The campaign's `id` or `vid`, up to 128 characters.

    Returns:
        The campaign.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The campaign doesn't exist.
        OutcomeUnknownError: The campaign may or may not have been activated, and no read can find out whether it was.
            Send `client.resolve(error).support_details` to the operator.
    """
    return post(
        "/gateway/v1/campaigns/{campaign}/actions/activate",
        campaign,
        result=Campaign,
        identity=named(campaign),
        safety=Safety.WRITE,
        needs_credential=False,
    )
