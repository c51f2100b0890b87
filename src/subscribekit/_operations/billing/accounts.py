"""End customers, persons or organizations."""

from datetime import datetime
from typing import Literal

from ..._core.client.described import PUBLISHED, describes, specification
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.arguments import query
from ..._core.operations.identity import KIND, named
from ..._core.operations.operation import Operation, Safety, delete, get
from ..._core.resolving.rules import Rule
from ...models.billing import Account, Credit, Entitlement, EntitlementCheck
from ._writes import money_if, same_resource, submit


@describes("billing", "accounts.list", source=specification("E3"))
def list_accounts(
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    email: str | None = None,
    created_after: datetime | None = None,
    created_before: datetime | None = None,
    payment_method: str | None = None,
    boleto_fiscal_number: str | None = None,
    carrier_billing_encoded_phone_number: str | None = None,
    carrier_billing_phone_number: str | None = None,
    credit_card_account: str | None = None,
    direct_debit_account: str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[Account]:
    """List accounts.

    The wire names of `email`, `created_after`, `created_before` and `payment_method` are published; the others
    must be set with `WireNames` before they can be used.

    Args:
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the account with this id.
        ending_before: Read backwards from before the account with this id; within a page the order stays.
        email: Only accounts with this e-mail address.
        created_after: Only accounts created after this time, with a time zone.
        created_before: Only accounts created before this time, with a time zone.
        payment_method: Only accounts that hold this payment method, by id or vid, at most 128 characters.
        boleto_fiscal_number: Only accounts with Boleto and this fiscal number.
        carrier_billing_encoded_phone_number: Only accounts with carrier billing and this encoded phone number.
        carrier_billing_phone_number: Only accounts with carrier billing and this billing phone number.
        credit_card_account: Only accounts with a credit card and this account number.
        direct_debit_account: Only accounts with direct debit and this account number.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of accounts.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        ConfigurationError: The wire name of a filter is not set.
    """
    return cursor_list(
        "/accounts",
        item=Account,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        filters=query(
            texts={"email": email},
            timestamps={"created_after": created_after, "created_before": created_before},
            identifiers={"payment_method": payment_method},
            wire="accounts",
        )
        + query(
            texts={
                "boleto_fiscal_number": boleto_fiscal_number,
                "carrier_billing_encoded_phone_number": carrier_billing_encoded_phone_number,
                "carrier_billing_phone_number": carrier_billing_phone_number,
                "credit_card_account": credit_card_account,
                "direct_debit_account": direct_debit_account,
            },
            wire="accounts",
        ),
    )


@describes("billing", "accounts.create", source=PUBLISHED, rule=Rule("created", "accounts.retrieve"))
def create_account(body: Account) -> Operation[Account]:
    """Create an account; its payment methods may be created in the same call.

    Args:
        body: The account. Its `id` is the caller's, at most 128 characters and without `/`; without one the
            service's `vid` identifies it.

    Returns:
        The account.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        BadRequestError: The service refuses the account, for example a second one with the same `external_id`.
        OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
    """
    return submit("/accounts", body=body, result=Account, safety=Safety.WRITE)


@describes("billing", "accounts.retrieve", source=PUBLISHED)
def retrieve_account(account: str) -> Operation[Account]:
    """Read an account with its payment methods, entitlements and credit.

    Args:
        account: Its id or vid, at most 128 characters.

    Returns:
        The account.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such account.
    """
    return get("/accounts/{account}", account, result=Account)


@describes("billing", "accounts.update", source=PUBLISHED, rule=Rule("values", "accounts.retrieve"))
def update_account(
    account: str,
    body: Account,
    *,
    update_behavior: Literal["CatchUp"] | str | None = None,
    replace_on_all_subscriptions: bool | None = None,
    ignore_avs: bool | None = None,
    ignore_cvn: bool | None = None,
) -> Operation[Account]:
    """Update an account, add a payment method to it or change one.

    Fields that the body does not name stay as they are. `payment_methods` holds those to add (details, or the vid
    of one made before) or to change, and does not replace the others.

    After a failed bill, send the new payment method with `update_behavior="CatchUp"`: it bills what failed. Do not
    charge by `transactions.create` as well: the platform tries the bill again, and the customer pays twice.

    Args:
        account: Its id or vid, at most 128 characters.
        body: The changes.
        update_behavior: How a change of payment method is treated. `CatchUp`, the only value shown, also bills
            what failed before; such a call moves money and is never retried with an unknown outcome.
        replace_on_all_subscriptions: Pay every subscription of the account by the payment method that is sent.
        ignore_avs: Skip the policy on address checks.
        ignore_cvn: Skip the policy on card security codes.

    Returns:
        The account after the update.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: There is no such account.
        OutcomeUnknownError: It may or may not have been updated; ask `client.resolve(error)`.
    """
    return submit(
        "/accounts/{account}",
        account,
        body=body,
        result=Account,
        query=query(
            texts={"update_behavior": update_behavior},
            flags={
                "replace_on_all_subscriptions": replace_on_all_subscriptions,
                "ignore_avs": ignore_avs,
                "ignore_cvn": ignore_cvn,
            },
        ),
        safety=money_if(update_behavior not in (None, "Update", "Validate")),
    )


@describes("billing", "accounts.list_children", source=PUBLISHED)
def list_children(
    account: str,
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[Account]:
    """List the child accounts of an account.

    Args:
        account: The parent's id or vid, at most 128 characters.
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the account with this id.
        ending_before: Read backwards from before the account with this id; within a page the order stays.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of accounts, each with its `parent`.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: While iterating: there is no such account.
    """
    return cursor_list(
        "/accounts/{account}/children",
        account,
        item=Account,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
    )


@describes("billing", "accounts.retrieve_child", source=PUBLISHED)
def retrieve_child(account: str, child: str) -> Operation[Account]:
    """Read one child account of an account.

    Args:
        account: The parent's id or vid, at most 128 characters.
        child: The child's id or vid, at most 128 characters.

    Returns:
        The child account.

    Raises:
        InvalidArgumentError: An identifier is not one; nothing was sent.
        NotFoundError: There is no such account, or it is not a child of the other.
    """
    return get(
        "/accounts/{account}/children/{child}",
        account,
        child,
        result=Account,
        identity=named(child, parent=account),
    )


@describes("billing", "accounts.add_child", source=PUBLISHED, rule=Rule("child", "accounts.retrieve_child"))
def add_child(account: str, body: Account) -> Operation[Account]:
    """Make an account a child of another; a child cannot be a parent itself.

    The response is not shown, so an empty one gives an `Account` without fields.

    Args:
        account: The parent's id or vid, at most 128 characters.
        body: The child, with its own id and with `parent` naming the account of the path.

    Returns:
        The child account, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: There is no such parent account.
        OutcomeUnknownError: The accounts may or may not be linked; ask `client.resolve(error)`.
    """
    return submit(
        "/accounts/{account}/children",
        account,
        body=body,
        result=Account,
        is_shown=False,
        safety=Safety.WRITE,
        refers_by="parent",
    )


@describes("billing", "accounts.remove_child", source=PUBLISHED, rule=Rule("no_child", "accounts.retrieve_child"))
def remove_child(account: str, child: str) -> Operation[None]:
    """End the link between an account and its child; the child account stays.

    Args:
        account: The parent's id or vid, at most 128 characters.
        child: The child's id or vid, at most 128 characters.

    Raises:
        InvalidArgumentError: An identifier is not one; nothing was sent.
        NotFoundError: There is no such link.
        OutcomeUnknownError: The link may or may not be gone; ask `client.resolve(error)`.
    """
    return delete("/accounts/{account}/children/{child}", account, child, safety=Safety.DELETE)


@describes("billing", "accounts.retrieve_credit", source=PUBLISHED)
def retrieve_credit(account: str) -> Operation[Credit]:
    """Read the credit of an account that is not used up yet.

    Args:
        account: Its id or vid, at most 128 characters.

    Returns:
        The present credit, without amounts when there is none; it is no history.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such account.
    """
    return get("/accounts/{account}/credits", account, result=Credit, identity=KIND)


@describes("billing", "accounts.grant_credit", source=PUBLISHED, rule=Rule("credited", "accounts.retrieve_credit"))
def grant_credit(account: str, body: Credit) -> Operation[Credit]:
    """Grant credit to an account, in currency or tokens.

    Each call grants anew, so it is never retried with an unknown outcome. The response is not shown: an empty one
    gives a `Credit` without fields.

    Args:
        account: Its id or vid, at most 128 characters.
        body: The credit; amounts in units of the currency (19.90 is 19 dollars 90), exact.

    Returns:
        The credit, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: There is no such account.
        OutcomeUnknownError: It may or may not have been granted; ask `client.resolve(error)`.
    """
    described = submit(
        "/accounts/{account}/credits", account, body=body, result=Credit, is_shown=False, safety=Safety.MONEY
    )
    for granted in body.currency_amounts or ():
        same_resource("body.currency_amounts.account", account, granted.account)
    return described


@describes("billing", "accounts.grant_entitlement", source=PUBLISHED, rule=Rule("entitled", "entitlements.list"))
def grant_entitlement(account: str, body: Entitlement) -> Operation[Entitlement]:
    """Grant an entitlement to an account directly, without a subscription.

    The response is not shown, so an empty one gives an `Entitlement` without fields.

    Args:
        account: Its id or vid, at most 128 characters.
        body: The entitlement: its `id`, and `starts`, `ends` and `active` where they matter.

    Returns:
        The entitlement, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: There is no such account.
        OutcomeUnknownError: It may or may not have been granted; ask `client.resolve(error)`.
    """
    return submit(
        "/accounts/{account}/entitlements",
        account,
        body=body,
        result=Entitlement,
        is_shown=False,
        safety=Safety.WRITE,
        refers_by="account",
    )


@describes("billing", "accounts.check_entitlement", source=PUBLISHED)
def check_entitlement(account: str, entitlement: str) -> Operation[EntitlementCheck]:
    """Ask whether an account has an entitlement.

    The reference remarks that the call returned 404 in 2019 and may be given up; `entitlements.list(account=...)`
    shows the same.

    Args:
        account: Its id or vid, at most 128 characters.
        entitlement: The entitlement's id, at most 128 characters.

    Returns:
        The response, in `state`.

    Raises:
        InvalidArgumentError: An identifier is not one; nothing was sent.
        NotFoundError: There is no such account, or the service no longer knows the call.
    """
    return get(
        "/accounts/{account}/entitlements/{entitlement}",
        account,
        entitlement,
        result=EntitlementCheck,
        identity=KIND,
    )


@describes("billing", "accounts.revoke_entitlement", source=PUBLISHED, rule=Rule("not_entitled", "entitlements.list"))
def revoke_entitlement(account: str, entitlement: str) -> Operation[None]:
    """Revoke an entitlement that was granted to an account directly.

    Args:
        account: Its id or vid, at most 128 characters.
        entitlement: The entitlement's id, at most 128 characters.

    Raises:
        InvalidArgumentError: An identifier is not one; nothing was sent.
        NotFoundError: There is no such grant.
        OutcomeUnknownError: It may or may not have been revoked; ask `client.resolve(error)`.
    """
    return delete("/accounts/{account}/entitlements/{entitlement}", account, entitlement, safety=Safety.DELETE)
