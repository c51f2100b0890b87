"""Payments toward outstanding balances of subscriptions, invoices, and accounts."""

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

    This operation isn't documented, but follows the specification's rule that a GET reads one resource or a list.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the payment with this ID.
        ending_before: Read backward, starting before the payment with this ID. Within each page, the items stay in the
            service's order.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of payments.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the service responds that it doesn't support this operation.
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
    """Charge a payment method for the balance of a subscription, an invoice, or an account.

    The service creates a transaction and processes it, so the SDK never retries the call if the outcome is unknown. The
    response isn't documented. If the response is empty, the result is a `Payment` with no fields set.

    Args:
        body: The payment, with the payment method, the exact `amount` in units of the currency, and the ID of an
            account, a subscription, or an invoice. Set your own `id`, so that `resolve` can find the payment if the
            outcome is unknown.

    Returns:
        The payment, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        PaymentAuthorizationError: The payment method was declined.
        OutcomeUnknownError: The payment may or may not have been made. Call `client.resolve(error)`.
    """
    return submit("/payments", body=body, result=Payment, is_shown=False, safety=Safety.MONEY)


@describes("billing", "payments.retrieve", source=BY_CONVENTION)
def retrieve_payment(payment: str) -> Operation[Payment]:
    """Retrieve a payment.

    This operation isn't documented, but follows the specification's rule that a GET reads one resource or a list.

    Args:
        payment: The payment's `id` or `vid`, up to 128 characters.

    Returns:
        The payment.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The payment doesn't exist, or the service doesn't support this operation.
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

    The payment's status becomes `Failure`, and its transaction's status becomes `Cancelled`. To return the money of a
    payment that was made with another method, create a refund. The response isn't documented. If the response is empty,
    the result is a `Payment` with no fields set.

    Args:
        payment: The payment's `id` or `vid`, up to 128 characters.

    Returns:
        The payment, with the fields that the service returns.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The payment doesn't exist.
        OutcomeUnknownError: The payment may or may not have been reversed. Call `client.resolve(error)`.
    """
    return post(
        "/payments/{payment}/actions/reverse",
        payment,
        result=Payment,
        identity=Identity(ID_OR_VID, (payment,), is_required=False),
        safety=Safety.WRITE,
    )
