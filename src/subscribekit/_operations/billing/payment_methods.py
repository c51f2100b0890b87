"""Payment instruments on file."""

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
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the payment method with this id.
        ending_before: Read backwards from before the payment method with this id; within a page the order stays.
        account: Only payment methods of this account, by id or vid, at most 128 characters.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of payment methods.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
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

    It belongs to no account yet: link it with `accounts.update`, or name it in a subscription or transaction.

    If the body has a key `vin_vid`, as published forms send it, the service updates the payment method with that
    vid instead: `PaymentMethod.model_validate({"vin_vid": vid, "account_holder": "Ann"})`. Prefer `update`.

    Args:
        body: The payment method, with the sub-object of its `type`. `policy` asks for a check of it now.

    Returns:
        The payment method.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        PaymentAuthorizationError: The check was declined.
        OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
    """
    described = submit("/payment_methods", body=body, result=PaymentMethod, safety=Safety.WRITE)
    updated: object = (body.model_extra or {}).get("vin_vid")
    return described if updated is None else replace(described, identity=named(updated), reconcile_key=None)


@describes("billing", "payment_methods.retrieve", source=PUBLISHED)
def retrieve_payment_method(payment_method: str) -> Operation[PaymentMethod]:
    """Read a payment method.

    Args:
        payment_method: Its id or vid, at most 128 characters.

    Returns:
        The payment method.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such payment method.
    """
    return get("/payment_methods/{payment_method}", payment_method, result=PaymentMethod)


@describes("billing", "payment_methods.update", source=PUBLISHED, rule=Rule("values", "payment_methods.retrieve"))
def update_payment_method(payment_method: str, body: PaymentMethod) -> Operation[PaymentMethod]:
    """Update a payment method.

    `active=False` retires it; nothing deletes it. The response is not shown, so an empty one gives a
    `PaymentMethod` without fields.

    Args:
        payment_method: Its id or vid, at most 128 characters.
        body: The changes; fields that are not named stay as they are.

    Returns:
        The payment method after the update, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: There is no such payment method.
        OutcomeUnknownError: It may or may not have been updated; ask `client.resolve(error)`.
    """
    return submit(
        "/payment_methods/{payment_method}",
        payment_method,
        body=body,
        result=PaymentMethod,
        is_shown=False,
        safety=Safety.WRITE,
    )
