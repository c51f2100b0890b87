"""Accounts of the authenticated user."""

from ..._core.client.described import describes, specification
from ..._core.lists.listing import ByOffset, Listing, offset_list
from ..._core.lists.parameters import ListParams
from ...models.account_association import AccountAssociation


@describes("user_mgmt", "accounts.list", source=specification("E10"))
def list_accounts(
    api_release: str | None,
    /,
    *,
    offset: int = 0,
    size: int | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
    concurrency: int = 1,
) -> Listing[AccountAssociation]:
    """List the accounts of the authenticated user, with their subscriptions.

    Args:
        offset: How many accounts to skip; not negative.
        size: Page size, 0 to 100; the service uses 20 when absent. 0 asks for all at once, which the service
            refuses (`PageSizeError`) when there are more than its maximum page size.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.
        concurrency: Pages that are read side by side once the total is known, 1 to 64.

    Returns:
        A pager of account associations.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        PageSizeError: While iterating: the service gives fewer at once than `size` asks for.
    """
    return offset_list(
        f"/platform/rest/{api_release}/user/accounts",
        item=AccountAssociation,
        paging=ByOffset(offset, size, params, checkpoint, max_pages, prefetch, concurrency),
    )
