"""Charges of content and service providers for subscriptions that the platform manages."""

from ..._core.client.described import describes, specification
from ..._core.operations.bodies import body_of
from ..._core.operations.identity import REFERENCE
from ..._core.operations.operation import Operation, Safety, post
from ...models.entitlement_charge import EntitlementCharge, EntitlementChargeReceipt


@describes("gateway", "entitlements.charge", source=specification("E8"))
def charge_entitlement(partner_subscription: str, charge: EntitlementCharge) -> Operation[EntitlementChargeReceipt]:
    """Submit an entitlement charge, or a refund when the amount is negative.

    Nothing says that the platform recognises a repeated `transaction_id`, so a charge is sent again only when no
    byte of it left the machine. Store `charge.transaction_id` before the call: it is what to reconcile by.

    Args:
        partner_subscription: The partner subscription's id, at most 36 characters in this call.
        charge: The charge: `amount` in units of the currency (4.90 is 4 dollars 90), exact, and negative for a
            refund, which names the charge by `original_transaction_id`.

    Returns:
        The receipt with the platform's reference.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        ConfigurationError: The client has no API key.
        OutcomeUnknownError: The charge may or may not have been made; `reconcile_key` is its transaction id. Do not
            send it again, even with another transaction ID, until the operator confirms that it was not made. Send
            `client.resolve(error).support_details` to the operator, because no call reads the charge.
    """
    body = body_of("charge", charge, EntitlementCharge)
    return post(
        "/v1/entitlement/{partner_subscription:36}/charge",
        partner_subscription,
        result=EntitlementChargeReceipt,
        safety=Safety.MONEY,
        body=body,
        identity=REFERENCE,
        reconcile_key=charge.transaction_id,
        reconcile_by="transaction_id",
        original_transaction_id=charge.original_transaction_id,
    )
