"""The operations of `billing/accounts.py`, asynchronous raw; written by scripts/faces.py."""

from datetime import datetime
from typing import Literal

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import AsyncRawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.billing import Account, Credit, Entitlement, EntitlementCheck

class AsyncRawAccounts:
    """End customers, persons or organizations."""
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
    ) -> AsyncRawPager[Account]:
        """List accounts (E3)."""
    async def create(self, body: Account) -> Response[Account]:
        """Create an account; its payment methods may be created in the same call."""
    async def retrieve(self, account: str) -> Response[Account]:
        """Read an account with its payment methods, entitlements and credit."""
    async def update(
        self,
        account: str,
        body: Account,
        *,
        update_behavior: Literal["CatchUp"] | str | None = None,
        replace_on_all_subscriptions: bool | None = None,
        ignore_avs: bool | None = None,
        ignore_cvn: bool | None = None,
    ) -> Response[Account]:
        """Update an account, add a payment method to it or change one."""
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
    ) -> AsyncRawPager[Account]:
        """List the child accounts of an account."""
    async def retrieve_child(self, account: str, child: str) -> Response[Account]:
        """Read one child account of an account."""
    async def add_child(self, account: str, body: Account) -> Response[Account]:
        """Make an account a child of another; a child cannot be a parent itself."""
    async def remove_child(self, account: str, child: str) -> Response[None]:
        """End the link between an account and its child; the child account stays."""
    async def retrieve_credit(self, account: str) -> Response[Credit]:
        """Read the credit of an account that is not used up yet."""
    async def grant_credit(self, account: str, body: Credit) -> Response[Credit]:
        """Grant credit to an account, in currency or tokens."""
    async def grant_entitlement(self, account: str, body: Entitlement) -> Response[Entitlement]:
        """Grant an entitlement to an account directly, without a subscription."""
    async def check_entitlement(self, account: str, entitlement: str) -> Response[EntitlementCheck]:
        """Ask whether an account has an entitlement."""
    async def revoke_entitlement(self, account: str, entitlement: str) -> Response[None]:
        """Revoke an entitlement that was granted to an account directly."""
