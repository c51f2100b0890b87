"""The operations of `billing/transactions.py`, asynchronous; written by scripts/faces.py."""

from subscribekit._core.lists.pager import AsyncPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.billing import Transaction

class AsyncTransactions:
    """Charges, from authorization to capture."""

    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        account: str | None = None,
        include_children: bool | None = None,
        subscription: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> AsyncPager[Transaction]:
        """List transactions.

        Published, not in the specification. The service advises to filter by account or subscription.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the transaction with this id.
            ending_before: Read backwards from before the transaction with this id; within a page the order stays.
            account: Only transactions of this account, by id or vid, at most 128 characters.
            include_children: Also those of the child accounts of `account`; the service takes false when absent.
            subscription: Only transactions of this subscription, by id or vid, at most 128 characters.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of transactions.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
        """

    async def create(self, body: Transaction, *, dryrun: bool | None = None) -> Transaction:
        """Authorize a transaction, or authorize and capture it.

        Published, not in the specification. `to_be_captured` decides: false authorizes only, true also captures when
        the authorization succeeds. The response lags behind: with true, too, it ends with `Authorized` and has no
        `status`, and the capture comes after it. Read the transaction to see it; do not call `capture`. It is never
        retried with an unknown outcome (a dry run is with `RetryPolicy(retry_unknown=True)`).

        Do not pay a failed bill of a subscription with it: the platform tries that bill again by itself, and the
        customer pays twice. Call `accounts.update(..., update_behavior="CatchUp")` instead.

        Args:
            body: The transaction: account, payment method, items and `to_be_captured`; prices in units of the currency
                (19.90 is 19 dollars 90), exact. Give it an `id`: it is what to look for after an unknown outcome.
            dryrun: Compute and return the result, taxes included, and store nothing.

        Returns:
            The transaction; its `status_log` tells how far it got, newest first, also when it was declined.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            PaymentAuthorizationError: The authorization failed.
            OutcomeUnknownError: It may or may not have been charged; ask `client.resolve(error)`.
        """

    async def retrieve(self, transaction: str) -> Transaction:
        """Read a transaction.

        Published, not in the specification.

        Args:
            transaction: Its id or vid, at most 128 characters.

        Returns:
            The transaction.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such transaction.
        """

    async def capture(self, transaction: str) -> Transaction:
        """Capture an authorized transaction.

        Published; the specification names the path among its transitions. It takes the money, so it is never retried
        with an unknown outcome.

        Args:
            transaction: Its id or vid, at most 128 characters.

        Returns:
            The transaction, reduced to its id and vid.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such transaction.
            OutcomeUnknownError: It may or may not have been captured; ask `client.resolve(error)`.
        """

    async def cancel(self, transaction: str) -> Transaction:
        """Cancel a transaction that is not captured yet; a captured one is refunded instead.

        Published by a third party's client only, not in the specification. The response is not shown, so an empty one
        gives a `Transaction` without fields.

        Args:
            transaction: Its id or vid, at most 128 characters.

        Returns:
            The transaction, as far as the service shows it.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such transaction.
            OutcomeUnknownError: It may or may not have been cancelled; ask `client.resolve(error)`.
        """
