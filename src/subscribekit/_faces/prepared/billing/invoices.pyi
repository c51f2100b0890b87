"""The operations of `billing/invoices.py`, prepared; written by scripts/faces.py."""

from datetime import date
from typing import Literal

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.invoice import Invoice

class PreparedInvoices:
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
    ) -> PreparedRequest[Page[Invoice]]:
        """The unsent request to list invoices."""
    def retrieve(self, invoice: str) -> PreparedRequest[Invoice]:
        """The unsent request to read an invoice."""
