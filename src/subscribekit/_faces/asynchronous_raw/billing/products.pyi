"""The operations of `billing/products.py`, asynchronous raw; written by scripts/faces.py."""

from subscribekit._core.calls.response import Response
from subscribekit._core.lists.pager import AsyncRawPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.billing import Product

class AsyncRawProducts:
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
    ) -> AsyncRawPager[Product]:
        """List products."""
    async def create(self, body: Product) -> Response[Product]:
        """Create a product."""
    async def retrieve(self, product: str) -> Response[Product]:
        """Read a product."""
    async def update(self, product: str, body: Product) -> Response[Product]:
        """Update a product."""
