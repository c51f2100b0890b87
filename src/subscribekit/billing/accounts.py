"""Accounts: the end customers, which are billed."""

from datetime import datetime
from typing import Literal

from .._core.client.binding import D, Resource, listing, operation
from .._core.client.rule_of import resolved
from .._core.lists.listing import ByCursor, Listing, cursor_list
from .._core.lists.parameters import ListParams
from .._core.operations.arguments import query
from .._core.operations.identity import KIND, named
from .._core.operations.operation import Operation, Safety, delete, get
from .._core.resolving.rules import Rule
from ..models.billing import Account, Credit, Entitlement, EntitlementCheck
from ._describe import money_if, same_resource, submit


class Accounts(Resource[D]):
    """End customers, persons or organizations."""

    @listing
    def list(
        self,
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
        """List accounts (E3).

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

    @resolved(Rule("created", "accounts.retrieve"))
    @operation
    def create(self, body: Account) -> Operation[Account]:
        """Create an account; its payment methods may be created in the same call.

        Published, not in the specification.

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

    @operation
    def retrieve(self, account: str) -> Operation[Account]:
        """Read an account with its payment methods, entitlements and credit.

        Published, not in the specification.

        Args:
            account: Its id or vid, at most 128 characters.

        Returns:
            The account.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such account.
        """
        return get("/accounts/{account}", account, result=Account)

    @resolved(Rule("values", "accounts.retrieve"))
    @operation
    def update(
        self,
        account: str,
        body: Account,
        *,
        update_behavior: Literal["CatchUp"] | str | None = None,
        replace_on_all_subscriptions: bool | None = None,
        ignore_avs: bool | None = None,
        ignore_cvn: bool | None = None,
    ) -> Operation[Account]:
        """Update an account, add a payment method to it or change one.

        Published, not in the specification. Fields that the body does not name stay as they are. `payment_methods`
        holds those to add (details, or the vid of one made before) or to change, and does not replace the others.

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

    @listing
    def list_children(
        self,
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

        Published, not in the specification.

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

    @operation
    def retrieve_child(self, account: str, child: str) -> Operation[Account]:
        """Read one child account of an account.

        Published, not in the specification.

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

    @resolved(Rule("child", "accounts.retrieve_child"))
    @operation
    def add_child(self, account: str, body: Account) -> Operation[Account]:
        """Make an account a child of another; a child cannot be a parent itself.

        Published, not in the specification. The response is not shown, so an empty one gives an `Account` without
        fields.

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

    @resolved(Rule("no_child", "accounts.retrieve_child"))
    @operation
    def remove_child(self, account: str, child: str) -> Operation[None]:
        """End the link between an account and its child; the child account stays.

        Published, not in the specification.

        Args:
            account: The parent's id or vid, at most 128 characters.
            child: The child's id or vid, at most 128 characters.

        Raises:
            InvalidArgumentError: An identifier is not one; nothing was sent.
            NotFoundError: There is no such link.
            OutcomeUnknownError: The link may or may not be gone; ask `client.resolve(error)`.
        """
        return delete("/accounts/{account}/children/{child}", account, child, safety=Safety.DELETE)

    @operation
    def retrieve_credit(self, account: str) -> Operation[Credit]:
        """Read the credit of an account that is not used up yet.

        Published, not in the specification.

        Args:
            account: Its id or vid, at most 128 characters.

        Returns:
            The present credit, without amounts when there is none; it is no history.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such account.
        """
        return get("/accounts/{account}/credits", account, result=Credit, identity=KIND)

    @resolved(Rule("credited", "accounts.retrieve_credit"))
    @operation
    def grant_credit(self, account: str, body: Credit) -> Operation[Credit]:
        """Grant credit to an account, in currency or tokens.

        Published, not in the specification. Each call grants anew, so it is never retried with an unknown outcome. The
        response is not shown: an empty one gives a `Credit` without fields.

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

    @resolved(Rule("entitled", "entitlements.list"))
    @operation
    def grant_entitlement(self, account: str, body: Entitlement) -> Operation[Entitlement]:
        """Grant an entitlement to an account directly, without a subscription.

        Published, not in the specification. The response is not shown, so an empty one gives an `Entitlement` without
        fields.

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

    @operation
    def check_entitlement(self, account: str, entitlement: str) -> Operation[EntitlementCheck]:
        """Ask whether an account has an entitlement.

        Published, not in the specification, with the remark that it returned 404 in 2019 and may be given up;
        `entitlements.list(account=...)` tells the same.

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

    @resolved(Rule("not_entitled", "entitlements.list"))
    @operation
    def revoke_entitlement(self, account: str, entitlement: str) -> Operation[None]:
        """Revoke an entitlement that was granted to an account directly.

        Published, not in the specification.

        Args:
            account: Its id or vid, at most 128 characters.
            entitlement: The entitlement's id, at most 128 characters.

        Raises:
            InvalidArgumentError: An identifier is not one; nothing was sent.
            NotFoundError: There is no such grant.
            OutcomeUnknownError: It may or may not have been revoked; ask `client.resolve(error)`.
        """
        return delete("/accounts/{account}/entitlements/{entitlement}", account, entitlement, safety=Safety.DELETE)
