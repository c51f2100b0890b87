"""Refunds of captured transactions, in whole or in part."""

from ..._core.client.described import BY_CONVENTION, PUBLISHED, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.identity import created
from ..._core.operations.operation import Operation, Safety, get, post
from ..._core.resolving.rules import Rule
from ...models.billing import Refund
from ._writes import submit

ALL = str(b"...", "ascii")
"""The default of `transaction`. `None` isn't the default, because `None` can come from the caller's data by mistake."""


@describes("billing", "refunds.list", source=PUBLISHED)
def list_refunds(
    transaction: str = ALL,
    /,
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[Refund]:
    """List the refunds of a transaction, or all refunds.

    If you leave out `transaction`, the call lists all refunds. The operation that lists all refunds isn't documented,
    but follows the specification's conventions. The SDK rejects `None` and an empty string as `transaction`, because
    such a value may be a mistake.

    Args:
        transaction: The transaction's `id` or `vid`, up to 128 characters.
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the refund with this ID.
        ending_before: Read backward, starting before the refund with this ID. Within each page, the items stay in the
            service's order.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of refunds.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the service responds that the transaction doesn't exist.
    """
    of_one = () if transaction is ALL else (transaction,)
    return cursor_list(
        "/transactions/{transaction}/refunds" if of_one else "/refunds",
        *of_one,
        item=Refund,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
    )


@describes("billing", "refunds.create", source=PUBLISHED, rule=Rule("refunded", "refunds.list"))
def create_refund(transaction: str, body: Refund | None = None) -> Operation[Refund]:
    """Refund a captured transaction.

    You can refund a transaction in several parts, up to the amount that isn't refunded yet. To calculate the amount
    that isn't refunded yet, use `subscribekit.models.money.refundable_amount`. The SDK never retries the call if the
    outcome is unknown.

    If you leave out `body`, the service refunds the whole transaction. If you already refunded a part of the
    transaction, the SDK assumes that the service refunds only the remaining amount. Only one source, the operator's own
    client, contains a refund request without a body. `client.resolve(error)` can't find a refund that was sent without
    a body.

    Args:
        transaction: The transaction's `id` or `vid`, up to 128 characters.
        body: The refund, with an exact `amount` in units of the transaction's currency (19.90 is 19 dollars and 90
            cents). Set your own `id`, so that `resolve` can find the refund if the outcome is unknown. `None` sends no
            body.

    Returns:
        The refund, which contains the whole transaction. The status of a refund is first `Processing`, and then
        `Complete`.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        BadRequestError: `body.amount` exceeds the amount that isn't refunded yet, or the transaction isn't captured.
        NotFoundError: The transaction doesn't exist.
        OutcomeUnknownError: The refund may or may not have been made. Call `client.resolve(error)`.
    """
    if body is None:
        return post(
            "/transactions/{transaction}/refunds",
            transaction,
            result=Refund,
            safety=Safety.MONEY,
            identity=created(None),
        )
    return submit(
        "/transactions/{transaction}/refunds",
        transaction,
        body=body,
        result=Refund,
        safety=Safety.MONEY,
        refers_by="transaction",
    )


@describes("billing", "refunds.retrieve", source=BY_CONVENTION)
def retrieve_refund(refund: str) -> Operation[Refund]:
    """Retrieve a refund.

    This operation isn't documented, but follows the specification's rule that a GET reads one resource or a list.

    Args:
        refund: The refund's `id` or `vid`, up to 128 characters.

    Returns:
        The refund.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The refund doesn't exist, or the service doesn't support this operation.
    """
    return get("/refunds/{refund}", refund, result=Refund)
