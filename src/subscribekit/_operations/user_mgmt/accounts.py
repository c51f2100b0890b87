"""The accounts of the signed-in user."""

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
    """List the accounts of the signed-in user, with their subscriptions.

    Args:
        offset: Number of accounts to skip, at least 0.
        size: Page size, from 0 to 100; the service's default is 20. A `size` of 0 requests all accounts in one page. If
            there are more accounts than the service's maximum page size, the service rejects a `size` of 0, and the SDK
            raises `PageSizeError`.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.
        concurrency: Number of pages to read in parallel after the total is known, from 1 to 64.

    Returns:
        A pager of account associations.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        PageSizeError: During iteration, the service rejects the requested page size.
    """
    return offset_list(
        f"/platform/rest/{api_release}/user/accounts",
        item=AccountAssociation,
        paging=ByOffset(offset, size, params, checkpoint, max_pages, prefetch, concurrency),
    )
