"""Offers for sale, with prices and the rights it gives."""

from ..._core.client.described import PUBLISHED, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.arguments import query
from ..._core.operations.operation import Operation, Safety, get
from ..._core.resolving.rules import Rule
from ...models.billing import Product
from ._writes import submit


@describes("billing", "products.list", source=PUBLISHED)
def list_products(
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
) -> Listing[Product]:
    """List products.

    Args:
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the product with this id.
        ending_before: Read backwards from before the product with this id; within a page the order stays.
        account: Only products bought by this account, by id or vid, at most 128 characters.
        include_children: Also those bought by the child accounts of `account`.
        entitlement: Only products that grant this entitlement, suspended ones among them, by id.
        status: Only products with this status, such as `Active`; seen in one client only.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of products.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
    """
    return cursor_list(
        "/products",
        item=Product,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        filters=query(
            texts={"status": status},
            identifiers={"account": account, "entitlement": entitlement},
            flags={"include_children": include_children},
        ),
    )


@describes("billing", "products.create", source=PUBLISHED, rule=Rule("created", "products.retrieve"))
def create_product(body: Product) -> Operation[Product]:
    """Create a product.

    The response is not shown, so an empty one gives a `Product` without fields.

    Args:
        body: The product; its `id` is the caller's, at most 128 characters and without `/`. Prices are in
            units of the currency (19.90 is 19 dollars 90), exact.

    Returns:
        The product, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
    """
    return submit("/products", body=body, result=Product, is_shown=False, safety=Safety.WRITE)


@describes("billing", "products.retrieve", source=PUBLISHED)
def retrieve_product(product: str) -> Operation[Product]:
    """Read a product.

    Args:
        product: Its id or vid, at most 128 characters.

    Returns:
        The product.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such product.
    """
    return get("/products/{product}", product, result=Product)


@describes("billing", "products.update", source=PUBLISHED, rule=Rule("values", "products.retrieve"))
def update_product(product: str, body: Product) -> Operation[Product]:
    """Update a product.

    `prices` replaces the whole price list. The response is not shown, so an empty one gives a `Product` without
    fields.

    Args:
        product: Its id or vid, at most 128 characters.
        body: The changes; fields that are not named stay as they are.

    Returns:
        The product after the update, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: There is no such product.
        OutcomeUnknownError: It may or may not have been updated; ask `client.resolve(error)`.
    """
    return submit("/products/{product}", product, body=body, result=Product, is_shown=False, safety=Safety.WRITE)
