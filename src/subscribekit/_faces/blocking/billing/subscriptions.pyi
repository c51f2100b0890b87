"""The operations of `billing/subscriptions.py`, blocking; written by scripts/faces.py."""

from datetime import date
from typing import Literal

from subscribekit._core.lists.pager import Pager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.billing import BillingPlanHistory, Subscription, SubscriptionItemHistory

class Subscriptions:
    """Accounts billed over time for products, by a billing plan."""

    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        account: str | None = None,
        include_children: bool | None = None,
        email: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> Pager[Subscription]:
        """List subscriptions.

        Published, not in the specification.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the subscription with this id.
            ending_before: Read backwards from before the subscription with this id; within a page the order stays.
            account: Only subscriptions of this account, by id or vid, at most 128 characters.
            include_children: Also those of the child accounts of `account`; the service takes false when absent.
            email: Only subscriptions whose account has this e-mail address.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of subscriptions.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
        """

    def create(self, body: Subscription, *, dryrun: bool | None = None) -> Subscription:
        """Create a subscription, and with it an account, a payment method and items where the body describes them.

        Published, not in the specification. It may bill at once, so it is never retried with an unknown outcome
        (a dry run is with `RetryPolicy(retry_unknown=True)`).

        Args:
            body: The subscription; account, plan, products and payment method by reference or in full. Give it an
                `id`: it is what to look for after an unknown outcome.
            dryrun: Compute and return the result, and store nothing; the service takes false when absent.

        Returns:
            The subscription, with `most_recent_billing` and `next_billing`; one that starts later has no bill yet, and
            in the sandbox `next_billing` tells the first.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            PaymentAuthorizationError: The payment method was declined.
            OutcomeUnknownError: It may or may not exist and have billed; ask `client.resolve(error)`.
        """

    def retrieve(self, subscription: str) -> Subscription:
        """Read a subscription.

        Published, not in the specification.

        Args:
            subscription: Its id or vid, at most 128 characters.

        Returns:
            The subscription.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such subscription.
        """

    def update(
        self,
        subscription: str,
        body: Subscription,
        *,
        effective_date: Literal["today", "nextBill"] | str | None = None,
        bill_prorated_period: bool | None = None,
        dryrun: bool | None = None,
    ) -> Subscription:
        """Update a subscription, or modify its items, plan or payment method.

        Published, not in the specification. `subscribekit.models.subscription_changes` builds the documented bodies.
        Items that the body does not name stay as they are. It may bill or refund, so it is never retried with an
        unknown outcome (a dry run is with `RetryPolicy(retry_unknown=True)`).

        Args:
            subscription: Its id or vid, at most 128 characters.
            body: The changes.
            effective_date: When it takes effect: `today` or `nextBill` (the next billing). Name one: what the service
                does without it is not published; the sandbox takes `today`.
            bill_prorated_period: Charge or credit the rest of the running period now; without it nothing is billed
                before the next billing. In the sandbox it counts with `today` alone.
            dryrun: Compute and return the result, and store nothing. The response looks like that of the change.

        Returns:
            The subscription after the update. Its bill now is `most_recent_billing`, when that is another
            one than before; what is billed next is its `next_billing`.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: There is no such subscription.
            OutcomeUnknownError: It may or may not have been updated; ask `client.resolve(error)`.
        """

    def cancel(
        self,
        subscription: str,
        *,
        disentitle: bool | None = None,
        force: bool | None = None,
        settle: bool | None = None,
        send_cancellation_notice: bool | None = None,
        reason_code: str | None = None,
    ) -> Subscription:
        """Cancel a subscription, at the end of the paid period unless `disentitle` says otherwise.

        Published, not in the specification. The service takes no for every flag that is absent; its texts disagree
        about `send_cancellation_notice`, so say what you want.

        Args:
            subscription: Its id or vid, at most 128 characters.
            disentitle: End the service now.
            force: Ignore a minimum commitment that is not served yet.
            settle: Refund the unused prepaid part and rate usage that is not billed, with `disentitle`; what it pays
                back after an earlier cancellation is not published (the sandbox: the same), so look at
                `most_recent_refunds`. Such a call is never retried with an unknown outcome.
            send_cancellation_notice: Send the customer a notice.
            reason_code: Why; 0 to 99 are the service's own.

        Returns:
            The subscription, `Pending Cancel` or `Cancelled`; after `settle` with `most_recent_refunds`.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: There is no such subscription.
            OutcomeUnknownError: It may or may not have been cancelled; ask `client.resolve(error)`.
        """

    def finish(self, transaction: str) -> Subscription:
        """Complete a PayPal sign-up after the customer's approval.

        Published, not in the specification. It takes the payment, so it is never retried with an unknown outcome.
        The response is not shown, so an empty one gives a `Subscription` without fields.

        Args:
            transaction: The `vindicia_vid` of the redirect back: the subscription's first transaction, by id
                or vid, at most 128 characters.

        Returns:
            The subscription, as far as the service shows it.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such transaction.
            OutcomeUnknownError: It may or may not be complete; ask `client.resolve(error)`.
        """

    def change_billing_day(self, subscription: str, *, to_date: date, perm: bool | None = None) -> Subscription:
        """Delay the next billing of a subscription to a day.

        Published, not in the specification.

        Args:
            subscription: Its id or vid, at most 128 characters.
            to_date: The day of the next billing.
            perm: Move all later billings too.

        Returns:
            The subscription, with the new `next_billing`.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: There is no such subscription.
            OutcomeUnknownError: It may or may not have been changed; ask `client.resolve(error)`.
        """

    def list_billing_plan_history(
        self, subscription: str, *, params: ListParams | None = None, checkpoint: str | None = None
    ) -> Pager[BillingPlanHistory]:
        """List the billing plans that a subscription has had.

        Published, not in the specification. The service returns the whole history at once.

        Args:
            subscription: Its id or vid, at most 128 characters.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.

        Returns:
            A pager of billing plans with the time each took effect; it ended when the next one did.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: While iterating: there is no such subscription.
        """

    def list_item_history(
        self, subscription: str, *, params: ListParams | None = None, checkpoint: str | None = None
    ) -> Pager[SubscriptionItemHistory]:
        """List the changes of a subscription's items.

        Published, not in the specification. The service returns the whole history at once.

        Args:
            subscription: Its id or vid, at most 128 characters.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.

        Returns:
            A pager of changes.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: While iterating: there is no such subscription.
        """
