"""Accounts: the records of end customers, who are persons or organizations."""

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

    The public reference documents the wire names of `email`, `created_after`, `created_before`, and `payment_method`.
    Before you use a filter for Boleto, carrier billing, credit cards, or direct debit, set the filter's wire name with
    `WireNames`.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the account with this ID.
        ending_before: Read backward, starting before the account with this ID. Within each page, the items stay in the
            service's order.
        email: Only accounts with this email address.
        created_after: Only accounts created after this time, which must have a time zone.
        created_before: Only accounts created before this time, which must have a time zone.
        payment_method: Only accounts with this payment method, by its `id` or `vid`, up to 128 characters.
        boleto_fiscal_number: Only accounts with a Boleto payment method that has this fiscal number.
        carrier_billing_encoded_phone_number: Only accounts with a carrier billing payment method that has this encoded
            phone number.
        carrier_billing_phone_number: Only accounts with a carrier billing payment method that has this billing phone
            number.
        credit_card_account: Only accounts with a credit card that has this account number.
        direct_debit_account: Only accounts with a direct debit payment method that has this account number.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of accounts.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        ConfigurationError: You passed a filter whose wire name isn't set.
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
    """Create an account, and optionally its payment methods.

    Args:
        body: The account. Choose the account's `id`, which can have up to 128 characters and no `/`. Without an `id`,
            only the service's `vid` identifies the account.

    Returns:
        The account.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        BadRequestError: The service rejected the account, for example because another account has the same
            `external_id`.
        OutcomeUnknownError: The account may or may not have been created. Call `client.resolve(error)`.
    """
    return submit("/accounts", body=body, result=Account, safety=Safety.WRITE)


@describes("billing", "accounts.retrieve", source=PUBLISHED)
def retrieve_account(account: str) -> Operation[Account]:
    """Retrieve an account with its payment methods, entitlements, and credit.

    Args:
        account: The account's `id` or `vid`, up to 128 characters.

    Returns:
        The account.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The account doesn't exist.
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
    """Update an account, and optionally add or change payment methods.

    Fields that you leave out don't change. Put only the payment methods that you add or change into
    `body.payment_methods`; the account keeps all other payment methods. To add a payment method, send its details, or
    the `vid` of an existing payment method.

    After a failed bill, send the new payment method with `update_behavior="CatchUp"`, so that the service collects the
    failed amount. Do not also charge the customer with `transactions.create`, because the platform retries the failed
    bill, and the customer would pay twice.

    Args:
        account: The account's `id` or `vid`, up to 128 characters.
        body: The changes.
        update_behavior: How the service handles a changed payment method. With `CatchUp`, the only documented value,
            the service also collects earlier failed bills. A call with `CatchUp` moves money, so the SDK never retries
            the call if its outcome is unknown.
        replace_on_all_subscriptions: Use the payment method in the body for every subscription of the account.
        ignore_avs: Skip the merchant's policy for address checks.
        ignore_cvn: Skip the merchant's policy for card security codes.

    Returns:
        The account after the update.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The account doesn't exist.
        OutcomeUnknownError: The account may or may not have been updated. Call `client.resolve(error)`.
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
        account: The parent account's `id` or `vid`, up to 128 characters.
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the account with this ID.
        ending_before: Read backward, starting before the account with this ID. Within each page, the items stay in the
            service's order.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of accounts, each with its `parent`.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the service responds that the account doesn't exist.
    """
    return cursor_list(
        "/accounts/{account}/children",
        account,
        item=Account,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
    )


@describes("billing", "accounts.retrieve_child", source=PUBLISHED)
def retrieve_child(account: str, child: str) -> Operation[Account]:
    """Retrieve a child account of an account.

    Args:
        account: The parent account's `id` or `vid`, up to 128 characters.
        child: The child account's `id` or `vid`, up to 128 characters.

    Returns:
        The child account.

    Raises:
        InvalidArgumentError: An identifier is invalid. Nothing was sent.
        NotFoundError: One of the accounts doesn't exist, or `child` isn't a child of `account`.
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
    """Make an account a child of another account. A child account can't be the parent of an account.

    The response isn't documented. If the response is empty, the result is an `Account` with no fields set.

    Args:
        account: The parent account's `id` or `vid`, up to 128 characters.
        body: The child account, with its own `id`, and with the parent account in `parent`.

    Returns:
        The child account, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The parent account doesn't exist.
        OutcomeUnknownError: The accounts may or may not have been linked. Call `client.resolve(error)`.
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
    """Remove the link between an account and its child. The child account isn't deleted.

    Args:
        account: The parent account's `id` or `vid`, up to 128 characters.
        child: The child account's `id` or `vid`, up to 128 characters.

    Raises:
        InvalidArgumentError: An identifier is invalid. Nothing was sent.
        NotFoundError: The accounts aren't linked.
        OutcomeUnknownError: The link may or may not have been removed. Call `client.resolve(error)`.
    """
    return delete("/accounts/{account}/children/{child}", account, child, safety=Safety.DELETE)


@describes("billing", "accounts.retrieve_credit", source=PUBLISHED)
def retrieve_credit(account: str) -> Operation[Credit]:
    """Retrieve the remaining credit of an account.

    Args:
        account: The account's `id` or `vid`, up to 128 characters.

    Returns:
        The current credit, without its history. If the account has no credit, the result has no amounts.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The account doesn't exist.
    """
    return get("/accounts/{account}/credits", account, result=Credit, identity=KIND)


@describes("billing", "accounts.grant_credit", source=PUBLISHED, rule=Rule("credited", "accounts.retrieve_credit"))
def grant_credit(account: str, body: Credit) -> Operation[Credit]:
    """Grant credit to an account, in currency or tokens.

    Each call grants credit again, so the SDK never retries a call whose outcome is unknown. The response isn't
    documented. If the response is empty, the result is a `Credit` with no fields set.

    Args:
        account: The account's `id` or `vid`, up to 128 characters.
        body: The credit, with exact amounts in units of the currency (19.90 is 19 dollars and 90 cents).

    Returns:
        The credit, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The account doesn't exist.
        OutcomeUnknownError: The credit may or may not have been granted. Call `client.resolve(error)`.
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

    The response isn't documented. If the response is empty, the result is an `Entitlement` with no fields set.

    Args:
        account: The account's `id` or `vid`, up to 128 characters.
        body: The entitlement, with its `id` and optionally `starts`, `ends`, and `active`.

    Returns:
        The entitlement, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The account doesn't exist.
        OutcomeUnknownError: The entitlement may or may not have been granted. Call `client.resolve(error)`.
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
    """Check whether an account has an entitlement.

    The public reference says that this operation returned 404 in 2019 and may be discontinued. Instead of this
    operation, you can use `entitlements.list(account=...)`.

    Args:
        account: The account's `id` or `vid`, up to 128 characters.
        entitlement: The entitlement's ID, up to 128 characters.

    Returns:
        The result of the check, in which `state` is true if the account has the entitlement.

    Raises:
        InvalidArgumentError: An identifier is invalid. Nothing was sent.
        NotFoundError: The account doesn't exist, or the service no longer supports this operation.
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
        account: The account's `id` or `vid`, up to 128 characters.
        entitlement: The entitlement's ID, up to 128 characters.

    Raises:
        InvalidArgumentError: An identifier is invalid. Nothing was sent.
        NotFoundError: The entitlement wasn't granted to the account directly.
        OutcomeUnknownError: The entitlement may or may not have been revoked. Call `client.resolve(error)`.
    """
    return delete("/accounts/{account}/entitlements/{entitlement}", account, entitlement, safety=Safety.DELETE)
