"""Entitlement charges, which content providers send for partner subscriptions that the platform bills."""

from ..._core.client.described import describes, specification
from ..._core.operations.bodies import body_of
from ..._core.operations.identity import REFERENCE
from ..._core.operations.operation import Operation, Safety, post
from ...models.entitlement_charge import EntitlementCharge, EntitlementChargeReceipt


@describes("gateway", "entitlements.charge", source=specification("E8"))
def charge_entitlement(partner_subscription: str, charge: EntitlementCharge) -> Operation[EntitlementChargeReceipt]:
    """Send an entitlement charge, or a refund if the amount is negative.

    The sources don't say that the platform recognizes a repeated `transaction_id`. The SDK therefore retries a charge
    only if no byte of the charge left the machine. Store `charge.transaction_id` before the call, because the operator
    finds a charge by its transaction ID.

    Args:
        partner_subscription: The partner subscription's ID, up to 36 characters.
        charge: The charge, with an exact `amount` in units of the currency (4.90 is 4 dollars and 90 cents). A refund
            has a negative amount, and contains the transaction ID of the original charge in `original_transaction_id`.

    Returns:
        The receipt, with the platform's reference for the charge.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        ConfigurationError: The client has no API key.
        OutcomeUnknownError: The charge may or may not have been made. The error's `reconcile_key` is the transaction ID
            of the charge. Do not send it again, even with another transaction ID, until the operator confirms that it
            was not made. Send `client.resolve(error).support_details` to the operator, because no read can find the
            charge.
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
