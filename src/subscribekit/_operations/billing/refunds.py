"""Captured transactions paid back, in whole or in part."""

from ..._core.client.described import BY_CONVENTION, PUBLISHED, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.identity import created
from ..._core.operations.operation import Operation, Safety, get, post
from ..._core.resolving.rules import Rule
from ...models.billing import Refund
from ._writes import submit

ALL = str(b"...", "ascii")
"""Stands for a transaction that was not given. Only this very text does: `None` may come from outside data."""


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

    Without `transaction` the list has all refunds, by convention: leave the argument out, since `None` and an empty
    text are refused.

    Args:
        transaction: Its id or vid, at most 128 characters.
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the refund with this id.
        ending_before: Read backwards from before the refund with this id; within a page the order stays.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of refunds.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: While iterating: there is no such transaction.
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

    Any amount up to what is not refunded yet, any number of times; `subscribekit.models.money.refundable_amount`
    computes it. It is never retried with an unknown outcome.

    Without a body the request refunds the whole transaction. Only the operator's own client shows this; that the
    service refunds only what is not refunded yet is assumed. `client.resolve(error)` can't find such a refund.

    Args:
        transaction: Its id or vid, at most 128 characters.
        body: The refund; `amount` in units of the transaction's currency (19.90 is 19 dollars 90), exact. Give it
            an `id`: it is what to look for after an unknown outcome. `None` sends no body.

    Returns:
        The refund with the whole transaction; `Processing` comes before `Complete`.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        BadRequestError: The amount is more than what is not refunded yet, or the transaction is not captured.
        NotFoundError: There is no such transaction.
        OutcomeUnknownError: It may or may not have been refunded; ask `client.resolve(error)`.
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
    """Read a refund.

    The specification says that GET reads one resource or a list; no source documents this call.

    Args:
        refund: Its id or vid, at most 128 characters.

    Returns:
        The refund.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such refund, or the service does not know the call.
    """
    return get("/refunds/{refund}", refund, result=Refund)
