"""The operations of `billing/subscriptions.py`, prepared; written by scripts/faces.py."""

from datetime import date
from typing import Literal

from subscribekit._core.calls.response import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.billing import BillingPlanHistory, Subscription, SubscriptionItemHistory

class PreparedSubscriptions:
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
    ) -> PreparedRequest[Page[Subscription]]:
        """The unsent request to list subscriptions."""
    def create(self, body: Subscription, *, dryrun: bool | None = None) -> PreparedRequest[Subscription]:
        """Create a subscription, and with it an account, a payment method and items where the body describes them."""
    def retrieve(self, subscription: str) -> PreparedRequest[Subscription]:
        """The unsent request to read a subscription."""
    def update(
        self,
        subscription: str,
        body: Subscription,
        *,
        effective_date: Literal["today", "nextBill"] | str | None = None,
        bill_prorated_period: bool | None = None,
        dryrun: bool | None = None,
    ) -> PreparedRequest[Subscription]:
        """The unsent request to update a subscription, or modify its items, plan or payment method."""
    def cancel(
        self,
        subscription: str,
        *,
        disentitle: bool | None = None,
        force: bool | None = None,
        settle: bool | None = None,
        send_cancellation_notice: bool | None = None,
        reason_code: str | None = None,
    ) -> PreparedRequest[Subscription]:
        """Cancel a subscription, at the end of the paid period unless `disentitle` says otherwise."""
    def finish(self, transaction: str) -> PreparedRequest[Subscription]:
        """The unsent request to complete a PayPal sign-up after the customer's approval."""
    def change_billing_day(
        self, subscription: str, *, to_date: date, perm: bool | None = None
    ) -> PreparedRequest[Subscription]:
        """The unsent request to delay the next billing of a subscription to a day."""
    def list_billing_plan_history(
        self, subscription: str, *, params: ListParams | None = None, checkpoint: str | None = None
    ) -> PreparedRequest[Page[BillingPlanHistory]]:
        """The unsent request to list the billing plans that a subscription has had."""
    def list_item_history(
        self, subscription: str, *, params: ListParams | None = None, checkpoint: str | None = None
    ) -> PreparedRequest[Page[SubscriptionItemHistory]]:
        """The unsent request to list the changes of a subscription's items."""
