"""Subscriptions: agreements to bill accounts periodically for products."""

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
        limit: Page size, from 1 to 100. The service uses 20 by default.
        starting_after: Start after the subscription with this ID.
        ending_before: Read backward, starting before the subscription with this ID. Each page keeps its order.
        account: Only subscriptions of this account, by its `id` or `vid`, up to 128 characters.
        include_children: Include subscriptions of the child accounts of `account`. The service's default is false.
        email: Only subscriptions whose account has this email address.
        params: Other query parameters, by their wire names. A list of values is sent as a repeated parameter.
        checkpoint: Resume an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of subscriptions.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
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
    """Create a subscription, and optionally its account, its payment method, and its items.

    The service may bill immediately, so the SDK never retries the call if the outcome is unknown. It retries a dry run
    if you set `RetryPolicy(retry_unknown=True)`.

    Args:
        body: The subscription. The account, the billing plan, the products, and the payment method can be references or
            whole objects. Set your own `id`, so that `resolve` can find the subscription if the outcome is unknown.
        dryrun: Calculate and return the result, and store nothing. The service's default is false.

    Returns:
        The subscription, with `most_recent_billing` and `next_billing`. A subscription that starts later has no bill
        yet; in the sandbox, `next_billing` is then the first bill.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        PaymentAuthorizationError: The payment method was declined.
        OutcomeUnknownError: The subscription may or may not have been created and billed. Call
            `client.resolve(error)`.
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
    """Retrieve a subscription.

    Args:
        subscription: The subscription's `id` or `vid`, up to 128 characters.

    Returns:
        The subscription.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The subscription doesn't exist.
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
    """Update a subscription, or change its items, billing plan, or payment method.

    `subscribekit.models.subscription_changes` creates the documented bodies. Items that you leave out don't change. The
    service may bill or refund, so the SDK never retries the call if the outcome is unknown. It retries a dry run if you
    set `RetryPolicy(retry_unknown=True)`.

    Args:
        subscription: The subscription's `id` or `vid`, up to 128 characters.
        body: The changes.
        effective_date: When the change takes effect: `today`, or `nextBill` for the next bill. Always pass a value,
            because the service's default isn't published. The sandbox's default is `today`.
        bill_prorated_period: Charge or credit the rest of the current period now. Without it, nothing is billed before
            the next bill. The sandbox uses it only with `today`.
        dryrun: Calculate and return the result, and store nothing. The response looks like the response to a real
            change.

    Returns:
        The subscription after the update. If the update created a bill, `most_recent_billing` is that bill, and so
        differs from its earlier value. `next_billing` is the next bill.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The subscription doesn't exist.
        OutcomeUnknownError: The subscription may or may not have been updated. Call `client.resolve(error)`.
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
    """Cancel a subscription, by default at the end of the paid period.

    The service's default for each flag is false. The sources contradict each other about `send_cancellation_notice`, so
    always pass it.

    Args:
        subscription: The subscription's `id` or `vid`, up to 128 characters.
        disentitle: Cancel immediately, so that the subscription is no longer served.
        force: Cancel even if the minimum commitment isn't over.
        settle: With `disentitle`, refund the unused prepaid part, and rate unbilled usage. No source shows the refund
            if the subscription was already canceled (the sandbox refunds the same), so check `most_recent_refunds`. The
            SDK never retries a call with `settle` if the outcome is unknown.
        send_cancellation_notice: Send a notice to the customer.
        reason_code: Code of the reason. The service reserves 0 to 99.

    Returns:
        The subscription. Its status is `Pending Cancel` or `Cancelled`. With `settle`, it has `most_recent_refunds`.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The subscription doesn't exist.
        OutcomeUnknownError: The subscription may or may not have been canceled. Call `client.resolve(error)`.
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

    The call collects the payment, so the SDK never retries it if the outcome is unknown. No source shows the response.
    If it's empty, the result is a `Subscription` without fields.

    Args:
        transaction: The `id` or `vid` of the subscription's first transaction, up to 128 characters. PayPal's redirect
            contains it as `vindicia_vid`.

    Returns:
        The subscription, with the fields that the service returns.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The transaction doesn't exist.
        OutcomeUnknownError: The sign-up may or may not have been completed. Call `client.resolve(error)`.
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
    """Delay the next bill of a subscription to a date.

    Args:
        subscription: The subscription's `id` or `vid`, up to 128 characters.
        to_date: The date of the next bill.
        perm: Move all later bills too.

    Returns:
        The subscription, with the new `next_billing`.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The subscription doesn't exist.
        OutcomeUnknownError: The date may or may not have been changed. Call `client.resolve(error)`.
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
    """List the billing plans of a subscription, past and present.

    The service returns the whole history in one page.

    Args:
        subscription: The subscription's `id` or `vid`, up to 128 characters.
        params: Other query parameters, by their wire names. A list of values is sent as a repeated parameter.
        checkpoint: Resume an earlier iteration of the same list.

    Returns:
        A pager of billing plans, each with the time when it took effect. Each one ended when the next one took effect.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the subscription doesn't exist.
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

    The service returns the whole history in one page.

    Args:
        subscription: The subscription's `id` or `vid`, up to 128 characters.
        params: Other query parameters, by their wire names. A list of values is sent as a repeated parameter.
        checkpoint: Resume an earlier iteration of the same list.

    Returns:
        A pager of changes.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the subscription doesn't exist.
    """
    return cursor_list(
        "/subscriptions/{subscription}/subscription_item_history",
        subscription,
        item=SubscriptionItemHistory,
        paging=ByCursor(params=params, checkpoint=checkpoint),
    )
