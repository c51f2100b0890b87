"""The payment methods of an account."""

from ..._core.client.described import describes, specification
from ..._core.config.unset import UNSET, Unset
from ..._core.operations.arguments import flag, text
from ..._core.operations.bodies import body_bytes
from ..._core.operations.identity import created
from ..._core.operations.operation import Operation, put
from ..._core.operations.readers import ReadOneOf
from ...errors import InvalidArgumentError
from ...models.storefront import StorefrontPaymentMethod


@describes("storefront", "payment_methods.update", source=specification("E11"))
def update_payment_method(
    account: str,
    *,
    payment_method_id: str,
    primary: bool | Unset = UNSET,
    active: bool | Unset = UNSET,
) -> Operation[StorefrontPaymentMethod]:
    """Set the primary flag, the active flag, or both, of a payment method.

    The SDK doesn't send a flag that you leave out (`UNSET`). The sources don't say whether the service leaves an
    omitted flag unchanged. The specification shows one object as the response of this operation, but describes the
    response as a list of the account's payment methods. If the response is a list, the SDK returns the payment method
    with the ID that you passed. A repeated call doesn't change the result, so the SDK retries the call after a lost
    response.

    Args:
        account: The account's ID, from 1 to 1,024 characters. The specification documents no maximum length of the ID.
        payment_method_id: The payment method's ID, from 1 to 1,024 characters.
        primary: Whether the payment method is the account's primary payment method.
        active: Whether the payment method can be used.

    Returns:
        The payment method after the update.

    Raises:
        InvalidArgumentError: An argument is invalid, or both flags are missing. Nothing was sent.
        NotFoundError: The account or payment method doesn't exist.
        OutcomeUnknownError: No attempt succeeded, and at least one may have set the flags. You can safely repeat the
            call with the same arguments.
    """
    flags = {"primary": primary, "active": active}
    given = {name: flag(name, value) for name, value in flags.items() if not isinstance(value, Unset)}
    if not given:
        raise InvalidArgumentError("pass primary, active, or both, because otherwise the call changes nothing")
    body = {"paymentMethodId": text("payment_method_id", payment_method_id), **given}
    return put(
        "/storefront/paymentMethod/account/{account:1024}",
        account,
        reader=ReadOneOf(StorefrontPaymentMethod, payment_method_id),
        body=body_bytes("body", body),
        identity=created(payment_method_id),
    )
