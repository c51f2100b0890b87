"""Transactions: movements of money, from authorization to capture."""

from ..._core.client.described import NAMED, PUBLISHED, THIRD_PARTY, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.arguments import query
from ..._core.operations.identity import ID_OR_VID, Identity, named
from ..._core.operations.operation import Operation, Safety, get, post
from ..._core.resolving.rules import Rule
from ...models.billing import Transaction
from ._writes import money_if, submit


@describes("billing", "transactions.list", source=PUBLISHED)
def list_transactions(
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
) -> Listing[Transaction]:
    """List transactions.

    The public reference recommends a filter by account or subscription.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the transaction with this ID.
        ending_before: Read backward, starting before the transaction with this ID. Within each page, the items stay in
            the service's order.
        account: Only transactions of this account, by its `id` or `vid`, up to 128 characters.
        include_children: Include transactions of the child accounts of `account`; the service's default is false.
        subscription: Only transactions of this subscription, by its `id` or `vid`, up to 128 characters.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of transactions.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
    """
    return cursor_list(
        "/transactions",
        item=Transaction,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        filters=query(
            identifiers={"account": account, "subscription": subscription},
            flags={"include_children": include_children},
        ),
    )


@describes("billing", "transactions.create", source=PUBLISHED, rule=Rule("created", "transactions.retrieve"))
def create_transaction(body: Transaction, *, dryrun: bool | None = None) -> Operation[Transaction]:
    """Authorize a transaction, or authorize and capture it.

    If `to_be_captured` is false, the service only authorizes the transaction. If `to_be_captured` is true, the service
    also captures the transaction after a successful authorization, so do not call `capture`. Even if `to_be_captured`
    is true, the response may contain no `status`, and the newest status in `status_log` may be `Authorized`, because
    the service may capture the transaction later. To find out whether the transaction was captured, retrieve the
    transaction.

    The SDK never retries the call if the outcome is unknown. If you set `RetryPolicy(retry_unknown=True)`, the SDK
    retries a dry run, except after a 503 with an `Error` body.

    Do not pay a failed bill of a subscription with this call, because the platform retries the failed bill, and the
    customer would pay twice. Call `accounts.update(..., update_behavior="CatchUp")` instead.

    Args:
        body: The transaction, with the account, the payment method, the items, and `to_be_captured`. Prices are exact
            amounts in units of the currency (19.90 is 19 dollars and 90 cents). Set your own `id`, so that `resolve`
            can find the transaction if the outcome is unknown.
        dryrun: Request a dry run, in which the service calculates the result, with taxes, and stores nothing.

    Returns:
        The transaction. The `status_log` lists the statuses of the transaction, with the latest status first. Check
        `status_log`, because the service can return a declined transaction without an error.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        PaymentAuthorizationError: The payment method was declined.
        OutcomeUnknownError: The transaction may or may not have been made. Call `client.resolve(error)`.
    """
    return submit(
        "/transactions",
        body=body,
        result=Transaction,
        query=query(flags={"dryrun": dryrun}),
        safety=money_if(not dryrun),
        is_dry_run=bool(dryrun),
    )


@describes("billing", "transactions.retrieve", source=PUBLISHED)
def retrieve_transaction(transaction: str) -> Operation[Transaction]:
    """Retrieve a transaction.

    Args:
        transaction: The transaction's `id` or `vid`, up to 128 characters.

    Returns:
        The transaction.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The transaction doesn't exist.
    """
    return get("/transactions/{transaction}", transaction, result=Transaction)


@describes("billing", "transactions.capture", source=NAMED, rule=Rule("captured", "transactions.retrieve"))
def capture_transaction(transaction: str) -> Operation[Transaction]:
    """Capture an authorized transaction.

    The call collects the money, so the SDK never retries the call if the outcome is unknown.

    Args:
        transaction: The transaction's `id` or `vid`, up to 128 characters.

    Returns:
        The transaction, with only its `id` and `vid`.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The transaction doesn't exist.
        OutcomeUnknownError: The transaction may or may not have been captured. Call `client.resolve(error)`.
    """
    return post(
        "/transactions/{transaction}/actions/capture",
        transaction,
        result=Transaction,
        identity=named(transaction),
        safety=Safety.MONEY,
    )


@describes(
    "billing", "transactions.cancel", source=THIRD_PARTY, rule=Rule("transaction_cancelled", "transactions.retrieve")
)
def cancel_transaction(transaction: str) -> Operation[Transaction]:
    """Void a transaction that isn't captured yet.

    To return the money of a captured transaction, create a refund. The response isn't documented. If the response is
    empty, the result is a `Transaction` with no fields set.

    Args:
        transaction: The transaction's `id` or `vid`, up to 128 characters.

    Returns:
        The transaction, with the fields that the service returns.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The transaction doesn't exist.
        OutcomeUnknownError: The transaction may or may not have been voided. Call `client.resolve(error)`.
    """
    return post(
        "/transactions/{transaction}/actions/cancel",
        transaction,
        result=Transaction,
        identity=Identity(ID_OR_VID, (transaction,), is_required=False),
        safety=Safety.WRITE,
    )
