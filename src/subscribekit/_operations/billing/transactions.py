"""Charges, from authorization to capture."""

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

    The service advises to filter by account or subscription.

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

    `to_be_captured` decides: false authorizes only, true also captures when the authorization succeeds. The
    response lags behind: with true, too, it ends with `Authorized` and has no `status`, and the capture comes after
    it. Read the transaction to see it; do not call `capture`. It is never retried with an unknown outcome (a dry
    run is with `RetryPolicy(retry_unknown=True)`).

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
    """Read a transaction.

    Args:
        transaction: Its id or vid, at most 128 characters.

    Returns:
        The transaction.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such transaction.
    """
    return get("/transactions/{transaction}", transaction, result=Transaction)


@describes("billing", "transactions.capture", source=NAMED, rule=Rule("captured", "transactions.retrieve"))
def capture_transaction(transaction: str) -> Operation[Transaction]:
    """Capture an authorized transaction.

    It takes the money, so it is never retried with an unknown outcome.

    Args:
        transaction: Its id or vid, at most 128 characters.

    Returns:
        The transaction, reduced to its id and vid.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such transaction.
        OutcomeUnknownError: It may or may not have been captured; ask `client.resolve(error)`.
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
    """Cancel a transaction that is not captured yet; a captured one is refunded instead.

    The response is not shown, so an empty one gives a `Transaction` without fields.

    Args:
        transaction: Its id or vid, at most 128 characters.

    Returns:
        The transaction, as far as the service shows it.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such transaction.
        OutcomeUnknownError: It may or may not have been cancelled; ask `client.resolve(error)`.
    """
    return post(
        "/transactions/{transaction}/actions/cancel",
        transaction,
        result=Transaction,
        identity=Identity(ID_OR_VID, (transaction,), is_required=False),
        safety=Safety.WRITE,
    )
