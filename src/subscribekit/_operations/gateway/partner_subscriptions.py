"""Partner subscriptions, which are shared records of a partner's subscriptions."""

from ..._core.client.described import describes, specification
from ..._core.operations.identity import named
from ..._core.operations.operation import Operation, Safety, post
from ...models.partner_subscription import PartnerSubscription


@describes("gateway", "partner_subscriptions.cancel", source=specification("E7"))
def cancel_partner_subscription(partner_subscription: str) -> Operation[PartnerSubscription]:
    """Cancel an active partner subscription of type `BILLING`.

    Args:
        partner_subscription: The partner subscription's ID, up to 36 characters.

    Returns:
        The partner subscription. Its `billing_status` is now `CANCELLED`.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        ConfigurationError: The client has no API key.
        PartnerSubscriptionNotFoundError: The partner subscription doesn't exist.
        OutcomeUnknownError: The partner subscription may or may not have been canceled, and no read can find out
            whether it was. Send `client.resolve(error).support_details` to the operator.
    """
    return post(
        "/partnersub/v2/partnerSubscription/{partner_subscription:36}/cancel",
        partner_subscription,
        result=PartnerSubscription,
        identity=named(partner_subscription),
        safety=Safety.WRITE,
    )
