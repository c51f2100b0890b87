"""Entitlements: the rights of customers to use something, from grants, products, or billing plans."""

from ..._core.client.described import BY_CONVENTION, PUBLISHED, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.arguments import query
from ..._core.operations.operation import Operation, get
from ...models.billing import Entitlement


@describes("billing", "entitlements.list", source=PUBLISHED)
def list_entitlements(
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    account: str | None = None,
    include_children: bool | None = None,
    show_all: bool | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[Entitlement]:
    """List entitlements.

    The list contains an entitlement once for each account and each subscription item that grants the entitlement. If
    the list contains an entitlement several times, each entry has its own `starts` and `ends`. To grant or revoke an
    entitlement, call `accounts.grant_entitlement` or `accounts.revoke_entitlement`.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the entitlement with this ID.
        ending_before: Read backward, starting before the entitlement with this ID. Within each page, the items stay in
            the service's order.
        account: Only entitlements of this account, by its `id` or `vid`, up to 128 characters.
        include_children: Include entitlements of the child accounts of `account`; the service's default is false.
        show_all: Include expired entitlements; the service's default is false.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of entitlements.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
    """
    return cursor_list(
        "/entitlements",
        item=Entitlement,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        filters=query(
            identifiers={"account": account},
            flags={"include_children": include_children, "show_all": show_all},
        ),
    )


@describes("billing", "entitlements.retrieve", source=BY_CONVENTION)
def retrieve_entitlement(entitlement: str) -> Operation[Entitlement]:
    """Retrieve an entitlement.

    This operation isn't documented, but follows the specification's rule that a GET reads one resource or a list.

    Args:
        entitlement: The entitlement's `id` or `vid`, up to 128 characters.

    Returns:
        The entitlement.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The entitlement doesn't exist, or the service doesn't support this operation.
    """
    return get("/entitlements/{entitlement}", entitlement, result=Entitlement)
