"""Payments against outstanding balances."""

from ..._core.client.described import BY_CONVENTION, PUBLISHED, describes, specification
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.identity import ID_OR_VID, Identity
from ..._core.operations.operation import Operation, Safety, get, post
from ..._core.resolving.rules import Rule
from ...models.payment import Payment
from ._writes import submit


@describes("billing", "payments.list", source=BY_CONVENTION)
def list_payments(
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[Payment]:
    """List payments.

    The specification says that GET reads one resource or a list; no source documents this call.

    Args:
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the payment with this id.
        ending_before: Read backwards from before the payment with this id; within a page the order stays.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of payments.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: While iterating: the service does not know the call.
    """
    return cursor_list(
        "/payments",
        item=Payment,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
    )


@describes(
    "billing", "payments.create", source=PUBLISHED, rule=Rule("created", "payments.retrieve", by_convention=True)
)
def create_payment(body: Payment) -> Operation[Payment]:
    """Charge a payment method for what a subscription, an invoice or an account owes.

    A transaction is generated and processed; it is never retried with an unknown outcome. The response is not
    shown, so an empty one gives a `Payment` without fields.

    Args:
        body: The payment: account, subscription or invoice (by id), payment method and `amount` in units of the
            currency, exact. Give it an `id`: it is what to look for after an unknown outcome.

    Returns:
        The payment, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        PaymentAuthorizationError: The payment method was declined.
        OutcomeUnknownError: It may or may not have been paid; ask `client.resolve(error)`.
    """
    return submit("/payments", body=body, result=Payment, is_shown=False, safety=Safety.MONEY)


@describes("billing", "payments.retrieve", source=BY_CONVENTION)
def retrieve_payment(payment: str) -> Operation[Payment]:
    """Read a payment.

    The specification says that GET reads one resource or a list; no source documents this call.

    Args:
        payment: Its id or vid, at most 128 characters.

    Returns:
        The payment.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such payment, or the service does not know the call.
    """
    return get("/payments/{payment}", payment, result=Payment)


@describes(
    "billing",
    "payments.reverse",
    source=specification("E1"),
    rule=Rule("reversed", "payments.retrieve", by_convention=True),
)
def reverse_payment(payment: str) -> Operation[Payment]:
    """Reverse a payment made with the Merchant Accepted Payment method.

    The payment gets the status `Failure` and its transaction `Cancelled`; other payment methods are refunded
    instead. The specification shows no response, so an empty one gives a `Payment` without fields.

    Args:
        payment: Its id or vid, at most 128 characters.

    Returns:
        The payment, as far as the service shows it.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such payment.
        OutcomeUnknownError: It may or may not have been reversed; ask `client.resolve(error)`.
    """
    return post(
        "/payments/{payment}/actions/reverse",
        payment,
        result=Payment,
        identity=Identity(ID_OR_VID, (payment,), is_required=False),
        safety=Safety.WRITE,
    )
