"""The operations of `billing/invoices.py`, blocking; written by scripts/faces.py."""

from datetime import date
from typing import Literal

from subscribekit._core.lists.pager import Pager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.invoice import Invoice

class Invoices:
    """Bills of subscriptions."""

    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        account: str | None = None,
        subscription: str | None = None,
        status: Literal["Due"] | str | None = None,
        invoice_date: date | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> Pager[Invoice]:
        """List invoices.

        Published, not in the specification.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the invoice with this id.
            ending_before: Read backwards from before the invoice with this id; within a page the order stays.
            account: Only invoices of this account, by id or vid, at most 128 characters.
            subscription: Only invoices of this subscription, by id or vid, at most 128 characters.
            status: Only invoices with this status; `Due` was seen, together with `subscription`.
            invoice_date: Only invoices of this day.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of invoices.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
        """

    def retrieve(self, invoice: str) -> Invoice:
        """Read an invoice.

        Published, not in the specification.

        Args:
            invoice: Its id, at most 137 characters: subscription id, `-` and the billing's number in eight digits.

        Returns:
            The invoice.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such invoice.
        """
