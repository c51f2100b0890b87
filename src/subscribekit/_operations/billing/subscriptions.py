"""Accounts billed over time for products, by a billing plan."""

from datetime import date
from typing import Literal

from ..._core.client.described import PUBLISHED, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.arguments import query
from ..._core.operations.identity import named
from ..._core.operations.operation import Operation, Safety, get, post
from ..._core.resolving.rules import Rule
from ...models.billing import BillingPlanHistory, Subscription, SubscriptionItemHistory
from ._writes import day, money_if, submit


@describes("billing", "subscriptions.list", source=PUBLISHED)
def list_subscriptions(
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
) -> Listing[Subscription]:
    """List subscriptions.

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
    return cursor_list(
        "/subscriptions",
        item=Subscription,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        filters=query(
            texts={"email": email},
            identifiers={"account": account},
            flags={"include_children": include_children},
        ),
    )


@describes("billing", "subscriptions.create", source=PUBLISHED, rule=Rule("created", "subscriptions.retrieve"))
def create_subscription(body: Subscription, *, dryrun: bool | None = None) -> Operation[Subscription]:
    """Create a subscription, and with it an account, a payment method and items where the body describes them.

    It may bill at once, so it is never retried with an unknown outcome (a dry run is with
    `RetryPolicy(retry_unknown=True)`).

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
    return submit(
        "/subscriptions",
        body=body,
        result=Subscription,
        query=query(flags={"dryrun": dryrun}),
        safety=money_if(not dryrun),
        is_dry_run=bool(dryrun),
    )


@describes("billing", "subscriptions.retrieve", source=PUBLISHED)
def retrieve_subscription(subscription: str) -> Operation[Subscription]:
    """Read a subscription.

    Args:
        subscription: Its id or vid, at most 128 characters.

    Returns:
        The subscription.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such subscription.
    """
    return get("/subscriptions/{subscription}", subscription, result=Subscription)


@describes("billing", "subscriptions.update", source=PUBLISHED, rule=Rule("values", "subscriptions.retrieve"))
def update_subscription(
    subscription: str,
    body: Subscription,
    *,
    effective_date: Literal["today", "nextBill"] | str | None = None,
    bill_prorated_period: bool | None = None,
    dryrun: bool | None = None,
) -> Operation[Subscription]:
    """Update a subscription, or modify its items, plan or payment method.

    `subscribekit.models.subscription_changes` builds the documented bodies. Items that the body does not name stay
    as they are. It may bill or refund, so it is never retried with an unknown outcome (a dry run is with
    `RetryPolicy(retry_unknown=True)`).

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
    return submit(
        "/subscriptions/{subscription}",
        subscription,
        body=body,
        result=Subscription,
        query=query(
            texts={"effective_date": effective_date},
            flags={"bill_prorated_period": bill_prorated_period, "dryrun": dryrun},
        ),
        safety=money_if(not dryrun),
        is_dry_run=bool(dryrun),
    )


@describes(
    "billing", "subscriptions.cancel", source=PUBLISHED, rule=Rule("subscription_cancelled", "subscriptions.retrieve")
)
def cancel_subscription(
    subscription: str,
    *,
    disentitle: bool | None = None,
    force: bool | None = None,
    settle: bool | None = None,
    send_cancellation_notice: bool | None = None,
    reason_code: str | None = None,
) -> Operation[Subscription]:
    """Cancel a subscription, at the end of the paid period unless `disentitle` says otherwise.

    The service takes no for every flag that is absent; its texts disagree about `send_cancellation_notice`, so say
    what you want.

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
    return post(
        "/subscriptions/{subscription}/actions/cancel",
        subscription,
        result=Subscription,
        identity=named(subscription),
        query=query(
            texts={"reason_code": reason_code},
            flags={
                "disentitle": disentitle,
                "force": force,
                "settle": settle,
                "send_cancellation_notice": send_cancellation_notice,
            },
        ),
        safety=money_if(bool(settle)),
    )


@describes("billing", "subscriptions.finish", source=PUBLISHED, rule=Rule("finished", "transactions.retrieve"))
def finish_subscription(transaction: str) -> Operation[Subscription]:
    """Complete a PayPal sign-up after the customer's approval.

    It takes the payment, so it is never retried with an unknown outcome. The response is not shown, so an empty one
    gives a `Subscription` without fields.

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
    return post(
        "/subscriptions/{transaction}/actions/finish",
        transaction,
        result=Subscription,
        identity=None,
        safety=Safety.MONEY,
    )


@describes(
    "billing", "subscriptions.change_billing_day", source=PUBLISHED, rule=Rule("billing_day", "subscriptions.retrieve")
)
def change_billing_day(subscription: str, *, to_date: date, perm: bool | None = None) -> Operation[Subscription]:
    """Delay the next billing of a subscription to a day.

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
    return post(
        "/subscriptions/{subscription}/billing_day_changes",
        subscription,
        result=Subscription,
        identity=named(subscription),
        query=query(texts={"to_date": day("to_date", to_date)}, flags={"perm": perm}),
        safety=Safety.WRITE,
    )


@describes("billing", "subscriptions.list_billing_plan_history", source=PUBLISHED)
def list_billing_plan_history(
    subscription: str, *, params: ListParams | None = None, checkpoint: str | None = None
) -> Listing[BillingPlanHistory]:
    """List the billing plans that a subscription has had.

    The service returns the whole history at once.

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
    return cursor_list(
        "/subscriptions/{subscription}/billing_plan_history",
        subscription,
        item=BillingPlanHistory,
        paging=ByCursor(params=params, checkpoint=checkpoint),
    )


@describes("billing", "subscriptions.list_item_history", source=PUBLISHED)
def list_item_history(
    subscription: str, *, params: ListParams | None = None, checkpoint: str | None = None
) -> Listing[SubscriptionItemHistory]:
    """List the changes of a subscription's items.

    The service returns the whole history at once.

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
    return cursor_list(
        "/subscriptions/{subscription}/subscription_item_history",
        subscription,
        item=SubscriptionItemHistory,
        paging=ByCursor(params=params, checkpoint=checkpoint),
    )
