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
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the subscription with this ID.
        ending_before: Read backward, starting before the subscription with this ID. Within each page, the items stay in
            the service's order.
        account: Only subscriptions of this account, by its `id` or `vid`, up to 128 characters.
        include_children: Include subscriptions of the child accounts of `account`; the service's default is false.
        email: Only subscriptions whose account has this email address.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
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

    The service may bill the customer immediately, so the SDK never retries the call if the outcome is unknown. The SDK
    retries a dry run if you set `RetryPolicy(retry_unknown=True)`.

    Args:
        body: The subscription. The account, the billing plan, the products, and the payment method can be references or
            whole objects. Set your own `id`, so that `resolve` can find the subscription if the outcome is unknown.
        dryrun: Request a dry run, in which the service calculates the result and stores nothing; the service's default
            is false.

    Returns:
        The subscription, with `most_recent_billing` and `next_billing`. If the subscription starts in the future, the
        service hasn't billed it yet. In the sandbox, the `next_billing` of a subscription that starts in the future is
        its first bill.

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

    The functions in `subscribekit.models.subscription_changes` create the documented bodies. Subscription items that
    you leave out of the body don't change. The service may bill or refund the customer immediately, so the SDK never
    retries the call if the outcome is unknown. The SDK retries a dry run if you set `RetryPolicy(retry_unknown=True)`.

    Args:
        subscription: The subscription's `id` or `vid`, up to 128 characters.
        body: The changes.
        effective_date: The day when the change takes effect, either `today` or `nextBill` (the day of the next bill).
            Always pass `effective_date`, because no source documents the service's default. The sandbox's default for
            `effective_date` is `today`.
        bill_prorated_period: Let the service charge or credit the rest of the current period now. If you don't set
            `bill_prorated_period`, the service bills nothing before the next bill. The sandbox uses
            `bill_prorated_period` only if `effective_date` is `today`.
        dryrun: Request a dry run, in which the service calculates the result and stores nothing. The response to a dry
            run looks like the response to a real change.

    Returns:
        The subscription after the update. If the update created a bill, `most_recent_billing` contains the new bill
        instead of the earlier bill. `next_billing` contains the bill that follows the update.

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

    The service's default for `disentitle`, `force`, and `settle` is false. The sources contradict each other about the
    default of `send_cancellation_notice`, so always pass this argument.

    Args:
        subscription: The subscription's `id` or `vid`, up to 128 characters.
        disentitle: Cancel immediately, so that the subscription is no longer served.
        force: Cancel even if the minimum commitment isn't over.
        settle: If `disentitle` is true, let the service refund the unused prepaid part and price the unbilled usage.
            The sources don't document whether `settle` refunds anything if the subscription was already canceled, so
            check `most_recent_refunds`. In the sandbox, `settle` refunds the unused part of a subscription that is
            already `Pending Cancel`. The SDK never retries a call with `settle` if the outcome is unknown.
        send_cancellation_notice: Send a notice of the cancellation to the customer.
        reason_code: The reason code of the cancellation; the service reserves the codes 0 to 99.

    Returns:
        The subscription, whose status is `Pending Cancel` or `Cancelled`. If `settle` is true, the returned
        subscription contains `most_recent_refunds`.

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

    The call collects the payment, so the SDK never retries the call if the outcome is unknown. The response isn't
    documented. If the response is empty, the result is a `Subscription` with no fields set.

    Args:
        transaction: The `id` or `vid` of the subscription's first transaction, up to 128 characters. PayPal's redirect
            contains the identifier of the transaction as `vindicia_vid`.

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
        perm: Also move all bills that follow the next bill.

    Returns:
        The subscription, with the new `next_billing`.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The subscription doesn't exist.
        OutcomeUnknownError: The date of the next bill may or may not have been changed. Call `client.resolve(error)`.
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
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.

    Returns:
        A pager of billing plans, each with the time when it took effect. Each billing plan ended when the next billing
        plan took effect.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the service responds that the subscription doesn't exist.
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
    """List the changes to a subscription's items.

    The service returns the whole history in one page.

    Args:
        subscription: The subscription's `id` or `vid`, up to 128 characters.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.

    Returns:
        A pager of the changes of subscription items.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the service responds that the subscription doesn't exist.
    """
    return cursor_list(
        "/subscriptions/{subscription}/subscription_item_history",
        subscription,
        item=SubscriptionItemHistory,
        paging=ByCursor(params=params, checkpoint=checkpoint),
    )
