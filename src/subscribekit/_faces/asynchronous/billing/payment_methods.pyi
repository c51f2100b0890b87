"""The operations of `billing/payment_methods.py`, asynchronous; written by scripts/faces.py."""

from subscribekit._core.lists.pager import AsyncPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.payment_method import PaymentMethod

class AsyncPaymentMethods:
    """Payment instruments on file."""

    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        account: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> AsyncPager[PaymentMethod]:
        """List payment methods.

        Published, not in the specification.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the payment method with this id.
            ending_before: Read backwards from before the payment method with this id; within a page the order stays.
            account: Only payment methods of this account, by id or vid, at most 128 characters.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of payment methods.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
        """

    async def create(self, body: PaymentMethod) -> PaymentMethod:
        """Create a payment method.

        Published, not in the specification. It belongs to no account yet: link it with `accounts.update`, or name it in
        a subscription or transaction.

        If the body has a key `vin_vid`, as published forms send it, the service updates the payment method with that
        vid instead: `PaymentMethod.model_validate({"vin_vid": vid, "account_holder": "Ann"})`. Prefer `update`.

        Args:
            body: The payment method, with the sub-object of its `type`. `policy` asks for a check of it now.

        Returns:
            The payment method.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            PaymentAuthorizationError: The check was declined.
            OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
        """

    async def retrieve(self, payment_method: str) -> PaymentMethod:
        """Read a payment method.

        Published, not in the specification.

        Args:
            payment_method: Its id or vid, at most 128 characters.

        Returns:
            The payment method.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such payment method.
        """

    async def update(self, payment_method: str, body: PaymentMethod) -> PaymentMethod:
        """Update a payment method.

        Published, not in the specification. `active=False` retires it; nothing deletes it. The response is not shown,
        so an empty one gives a `PaymentMethod` without fields.

        Args:
            payment_method: Its id or vid, at most 128 characters.
            body: The changes; fields that are not named stay as they are.

        Returns:
            The payment method after the update, as far as the service shows it.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: There is no such payment method.
            OutcomeUnknownError: It may or may not have been updated; ask `client.resolve(error)`.
        """
