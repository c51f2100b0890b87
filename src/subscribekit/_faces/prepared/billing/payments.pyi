"""The operations of `billing/payments.py`, prepared; written by scripts/faces.py."""

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.payment import Payment

class PreparedPayments:
    """Payments against outstanding balances."""
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> PreparedRequest[Page[Payment]]:
        """The unsent request to list payments (by convention, not published)."""
    def create(self, body: Payment) -> PreparedRequest[Payment]:
        """The unsent request to charge a payment method for what a subscription, an invoice or an account owes."""
    def retrieve(self, payment: str) -> PreparedRequest[Payment]:
        """The unsent request to read a payment (by convention, not published)."""
    def reverse(self, payment: str) -> PreparedRequest[Payment]:
        """The unsent request to reverse a payment made with the Merchant Accepted Payment method (E1)."""
