"""Products: the goods and services that are sold, with their prices and entitlements."""

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
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the product with this ID.
        ending_before: Read backward, starting before the product with this ID. Within each page, the items stay in the
            service's order.
        account: Only products that this account bought, by its `id` or `vid`, up to 128 characters.
        include_children: Include products that the child accounts of `account` bought.
        entitlement: Only products that grant this entitlement, by its `id`. A list that is filtered by `entitlement`
            also contains suspended products.
        status: Only products with this status, such as `Active`. Only one source, a client of the API, contains the
            filter `status`.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of products.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
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

    The response isn't documented. If the response is empty, the result is a `Product` with no fields set.

    Args:
        body: The product. Choose the product's `id`, which can have up to 128 characters and no `/`. Prices are exact
            amounts in units of the currency (19.90 is 19 dollars and 90 cents).

    Returns:
        The product, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        OutcomeUnknownError: The product may or may not have been created. Call `client.resolve(error)`.
    """
    return submit("/products", body=body, result=Product, is_shown=False, safety=Safety.WRITE)


@describes("billing", "products.retrieve", source=PUBLISHED)
def retrieve_product(product: str) -> Operation[Product]:
    """Retrieve a product.

    Args:
        product: The product's `id` or `vid`, up to 128 characters.

    Returns:
        The product.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The product doesn't exist.
    """
    return get("/products/{product}", product, result=Product)


@describes("billing", "products.update", source=PUBLISHED, rule=Rule("values", "products.retrieve"))
def update_product(product: str, body: Product) -> Operation[Product]:
    """Update a product.

    `prices` replaces the whole price list. The response isn't documented. If the response is empty, the result is a
    `Product` with no fields set.

    Args:
        product: The product's `id` or `vid`, up to 128 characters.
        body: The changes. Fields that you leave out don't change.

    Returns:
        The product after the update, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The product doesn't exist.
        OutcomeUnknownError: The product may or may not have been updated. Call `client.resolve(error)`.
    """
    return submit("/products/{product}", product, body=body, result=Product, is_shown=False, safety=Safety.WRITE)
