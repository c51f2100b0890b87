"""Payment methods: cards, bank accounts, and agreements that are on file."""

from dataclasses import replace

from ..._core.client.described import PUBLISHED, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.arguments import query
from ..._core.operations.identity import named
from ..._core.operations.operation import Operation, Safety, get
from ..._core.resolving.rules import Rule
from ...models.payment_method import PaymentMethod
from ._writes import submit


@describes("billing", "payment_methods.list", source=PUBLISHED)
def list_payment_methods(
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    account: str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[PaymentMethod]:
    """List payment methods.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the payment method with this ID.
        ending_before: Read backward, starting before the payment method with this ID. Within each page, the items stay
            in the service's order.
        account: Only payment methods of this account, by its `id` or `vid`, up to 128 characters.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of payment methods.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
    """
    return cursor_list(
        "/payment_methods",
        item=PaymentMethod,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        filters=query(identifiers={"account": account}),
    )


@describes("billing", "payment_methods.create", source=PUBLISHED, rule=Rule("created", "payment_methods.retrieve"))
def create_payment_method(body: PaymentMethod) -> Operation[PaymentMethod]:
    """Create a payment method.

    The new payment method doesn't belong to an account. Link the new payment method to an account with
    `accounts.update`, or refer to the new payment method in a subscription or a transaction.

    If the body contains the key `vin_vid`, as in published samples of web forms, the service instead updates the
    payment method with that vid. To create a body with `vin_vid`, use `PaymentMethod.model_validate({"vin_vid": vid,
    "account_holder": name})`. To update a payment method, prefer the method `update` to a body with `vin_vid`.

    Args:
        body: The payment method, with its `type`, and with its details in the field for this type, such as
            `credit_card`. To have the service check the payment method immediately, set `policy`.

    Returns:
        The payment method.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        PaymentAuthorizationError: The payment method was declined in the check that `policy` requested.
        OutcomeUnknownError: The payment method may or may not have been created. Call `client.resolve(error)`.
    """
    described = submit("/payment_methods", body=body, result=PaymentMethod, safety=Safety.WRITE)
    updated: object = (body.model_extra or {}).get("vin_vid")
    return described if updated is None else replace(described, identity=named(updated), reconcile_key=None)


@describes("billing", "payment_methods.retrieve", source=PUBLISHED)
def retrieve_payment_method(payment_method: str) -> Operation[PaymentMethod]:
    """Retrieve a payment method.

    Args:
        payment_method: The payment method's `id` or `vid`, up to 128 characters.

    Returns:
        The payment method.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The payment method doesn't exist.
    """
    return get("/payment_methods/{payment_method}", payment_method, result=PaymentMethod)


@describes("billing", "payment_methods.update", source=PUBLISHED, rule=Rule("values", "payment_methods.retrieve"))
def update_payment_method(payment_method: str, body: PaymentMethod) -> Operation[PaymentMethod]:
    """Update a payment method.

    `active=False` retires the payment method. You can't delete a payment method. The response isn't documented. If the
    response is empty, the result is a `PaymentMethod` with no fields set.

    Args:
        payment_method: The payment method's `id` or `vid`, up to 128 characters.
        body: The changes. Fields that you leave out don't change.

    Returns:
        The payment method after the update, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The payment method doesn't exist.
        OutcomeUnknownError: The payment method may or may not have been updated. Call `client.resolve(error)`.
    """
    return submit(
        "/payment_methods/{payment_method}",
        payment_method,
        body=body,
        result=PaymentMethod,
        is_shown=False,
        safety=Safety.WRITE,
    )
