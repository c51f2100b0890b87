"""The operations of `billing/payment_methods.py`, prepared; written by scripts/faces.py."""

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.payment_method import PaymentMethod

class PreparedPaymentMethods:
    """Payment instruments on file."""
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        account: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> PreparedRequest[Page[PaymentMethod]]:
        """The unsent request to list payment methods."""
    def create(self, body: PaymentMethod) -> PreparedRequest[PaymentMethod]:
        """The unsent request to create a payment method."""
    def retrieve(self, payment_method: str) -> PreparedRequest[PaymentMethod]:
        """The unsent request to read a payment method."""
    def update(self, payment_method: str, body: PaymentMethod) -> PreparedRequest[PaymentMethod]:
        """The unsent request to update a payment method."""
