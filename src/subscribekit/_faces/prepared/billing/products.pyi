"""The operations of `billing/products.py`, prepared; written by scripts/faces.py."""

from subscribekit._core.calls.response import PreparedRequest
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.readers import Page
from subscribekit.models.billing import Product

class PreparedProducts:
    """Offers for sale, with prices and the rights it gives."""
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        account: str | None = None,
        include_children: bool | None = None,
        entitlement: str | None = None,
        status: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> PreparedRequest[Page[Product]]:
        """The unsent request to list products."""
    def create(self, body: Product) -> PreparedRequest[Product]:
        """The unsent request to create a product."""
    def retrieve(self, product: str) -> PreparedRequest[Product]:
        """The unsent request to read a product."""
    def update(self, product: str, body: Product) -> PreparedRequest[Product]:
        """The unsent request to update a product."""
