"""Payments against outstanding balances."""

from .._core.client.binding import D, Resource, operation
from .._core.operations.operation import Operation, Safety, post
from ..models.payment import Payment
from ._describe import submit


class Payments(Resource[D]):
    """Payments against outstanding balances."""

    @operation
    def create(self, body: Payment) -> Operation[Payment]:
        """Make a payment against what a subscription, an invoice or an account owes.

        Published, not in the specification. A transaction is generated and processed; it is never repeated with an
        unknown outcome. The answer is not shown, so an empty one gives a `Payment` without fields.

        Args:
            body: The payment: account, subscription or invoice (by id), payment method and `amount` in units of the
                currency, exact. Give it an `id`: it is what to look for after an unknown outcome.

        Returns:
            The payment, as far as the service shows it.

        Raises:
            RequestError: An argument is refused; nothing was sent.
            AuthorizationFailedError: The payment method was declined.
            OutcomeUnknownError: It may or may not have been paid; look for its transaction before you repeat the call.
        """
        return submit("/payments", body=body, kind=Payment, result=Payment, empty=True, safety=Safety.MONEY)

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
        return post("/payments/{payment}/actions/reverse", payment, result=Payment, empty=True, safety=Safety.WRITE)
