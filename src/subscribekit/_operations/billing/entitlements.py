"""Rights of customers, by grant, product or billing plan."""

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

    The list has holdings: an entitlement appears once for each account and each subscription item that gives it,
    with its own `starts` and `ends`. It is granted and revoked through `accounts`.

    Args:
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the entitlement with this id.
        ending_before: Read backwards from before the entitlement with this id; within a page the order stays.
        account: Only entitlements of this account, by id or vid, at most 128 characters.
        include_children: Also those of the child accounts of `account`; the service takes false when absent.
        show_all: Also expired ones; the service takes false when absent.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of entitlements.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
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
    """Read an entitlement.

    The specification says that GET reads one resource or a list; no source documents this call.

    Args:
        entitlement: Its id or vid, at most 128 characters.

    Returns:
        The entitlement.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such entitlement, or the service does not know the call.
    """
    return get("/entitlements/{entitlement}", entitlement, result=Entitlement)
