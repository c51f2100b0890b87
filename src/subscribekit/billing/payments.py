"""Payments against outstanding balances."""

from .._core.binding import D, Resource, operation
from .._core.operation import Operation, post
from ..models.payment import Payment


class Payments(Resource[D]):
    """Payments against outstanding balances."""

    @operation
    def reverse(self, payment: str) -> Operation[Payment]:
        """Reverse a payment made with the Merchant Accepted Payment method (E1).

        The payment gets the status `Failure` and its transaction `Cancelled`; other payment methods are refunded
        instead. The specification shows no answer, so an empty one gives a `Payment` without fields.

        Args:
            payment: Its id or vid, at most 128 characters.

        Returns:
            The payment, as far as the service shows it.

        Raises:
            RequestError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such payment.
            OutcomeUnknownError: It may or may not have been reversed; read the payment before you repeat the call.
        """
        return post("/payments/{payment}/actions/reverse", payment, result=Payment, empty=True)
