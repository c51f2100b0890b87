"""Accounts: the end customers who are billed."""

from datetime import datetime

from .._core.binding import D, Resource, listing
from .._core.operation import query
from .._core.paging import Listing, cursor_list
from ..models.account import Account


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
            ending_before: Walk backwards from before the account with this id; within a page the order stays.
            email: Only accounts with this e-mail address.
            created_after: Only accounts created after this moment, with a time zone.
            created_before: Only accounts created before this moment, with a time zone.
            payment_method: Only accounts that hold this payment method, by id or vid, at most 128 characters.
            boleto_fiscal_number: Only accounts with Boleto and this fiscal number.
            carrier_billing_encoded_phone_number: Only accounts with carrier billing and this encoded phone number.
            carrier_billing_phone_number: Only accounts with carrier billing and this billing phone number.
            credit_card_account: Only accounts with a credit card and this account number.
            direct_debit_account: Only accounts with direct debit and this account number.
            checkpoint: Go on where an earlier iteration of the same list stood.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of accounts.

        Raises:
            RequestError: An argument is refused; nothing was sent.
            ConfigurationError: The wire name of a filter is not set.
        """
        return cursor_list(
            "/accounts",
            item=Account,
            limit=limit,
            starting_after=starting_after,
            ending_before=ending_before,
            filters=query(
                {
                    "email": email,
                    "created_after": created_after,
                    "created_before": created_before,
                    "payment_method": payment_method,
                    "boleto_fiscal_number": boleto_fiscal_number,
                    "carrier_billing_encoded_phone_number": carrier_billing_encoded_phone_number,
                    "carrier_billing_phone_number": carrier_billing_phone_number,
                    "credit_card_account": credit_card_account,
                    "direct_debit_account": direct_debit_account,
                },
                wire="accounts",
                identifiers=("payment_method",),
            ),
            checkpoint=checkpoint,
            max_pages=max_pages,
            prefetch=prefetch,
        )
