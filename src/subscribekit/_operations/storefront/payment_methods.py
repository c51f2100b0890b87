"""Payment methods of an account."""

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
    """Set the primary flag, the active flag or both of a payment method.

    A flag that is left out (`UNSET`) is not sent; whether the service then leaves it as it is, is not shown. The
    specification shows one object as the response and describes a list of the account's methods; of a list, the
    method that was asked for is returned. The call sets absolute values, so it is retried after a lost response.

    Args:
        account: The account's id, 1 to 1,024 characters (the specification shows no limit).
        payment_method_id: The payment method's id, 1 to 1,024 characters.
        primary: Whether it is the account's primary payment method.
        active: Whether it may be used.

    Returns:
        The payment method after the update.

    Raises:
        InvalidArgumentError: An argument is refused, or neither flag is given; nothing was sent.
        NotFoundError: There is no such account or payment method.
        OutcomeUnknownError: No response came on any attempt; the flags may or may not be set. Calling again sets
            the same flags and does no harm.
    """
    flags = {"primary": primary, "active": active}
    given = {name: flag(name, value) for name, value in flags.items() if not isinstance(value, Unset)}
    if not given:
        raise InvalidArgumentError("give primary, active or both; without them the call would change nothing")
    body = {"paymentMethodId": text("payment_method_id", payment_method_id), **given}
    return put(
        "/storefront/paymentMethod/account/{account:1024}",
        account,
        reader=ReadOneOf(StorefrontPaymentMethod, payment_method_id),
        body=body_bytes("body", body),
        identity=created(payment_method_id),
    )
