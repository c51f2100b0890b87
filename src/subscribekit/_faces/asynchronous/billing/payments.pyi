"""The operations of `billing/payments.py`, asynchronous; written by scripts/faces.py."""

from subscribekit._core.lists.pager import AsyncPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.payment import Payment

class AsyncPayments:
    """Payments against outstanding balances."""

    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> AsyncPager[Payment]:
        """List payments (by convention, not published).

        The specification says that GET reads one resource or a list; no source documents this call.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the payment with this id.
            ending_before: Read backwards from before the payment with this id; within a page the order stays.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of payments.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: While iterating: the service does not know the call.
        """

    async def create(self, body: Payment) -> Payment:
        """Charge a payment method for what a subscription, an invoice or an account owes.

        Published, not in the specification. A transaction is generated and processed; it is never retried with an
        unknown outcome. The response is not shown, so an empty one gives a `Payment` without fields.

        Args:
            body: The payment: account, subscription or invoice (by id), payment method and `amount` in units of the
                currency, exact. Give it an `id`: it is what to look for after an unknown outcome.

        Returns:
            The payment, as far as the service shows it.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            PaymentAuthorizationError: The payment method was declined.
            OutcomeUnknownError: It may or may not have been paid; ask `client.resolve(error)`.
        """

    async def retrieve(self, payment: str) -> Payment:
        """Read a payment (by convention, not published).

        The specification says that GET reads one resource or a list; no source documents this call.

        Args:
            payment: Its id or vid, at most 128 characters.

        Returns:
            The payment.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such payment, or the service does not know the call.
        """

    async def reverse(self, payment: str) -> Payment:
        """Reverse a payment made with the Merchant Accepted Payment method (E1).

        The payment gets the status `Failure` and its transaction `Cancelled`; other payment methods are refunded
        instead. The specification shows no response, so an empty one gives a `Payment` without fields.

        Args:
            payment: Its id or vid, at most 128 characters.

        Returns:
            The payment, as far as the service shows it.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such payment.
            OutcomeUnknownError: It may or may not have been reversed; ask `client.resolve(error)`.
        """
