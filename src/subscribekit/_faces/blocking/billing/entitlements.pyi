"""The operations of `billing/entitlements.py`, blocking; written by scripts/faces.py."""

from subscribekit._core.lists.pager import Pager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.billing import Entitlement

class Entitlements:
    """Rights of customers, by grant, product or billing plan."""

    def list(
        self,
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
    ) -> Pager[Entitlement]:
        """List entitlements.

        Published, not in the specification. The list has holdings: an entitlement appears once for each account
        and each subscription item that gives it, with its own `starts` and `ends`. It is granted and revoked through
        `accounts`.

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

    def retrieve(self, entitlement: str) -> Entitlement:
        """Read an entitlement (by convention, not published).

        The specification says that GET reads one resource or a list; no source documents this call.

        Args:
            entitlement: Its id or vid, at most 128 characters.

        Returns:
            The entitlement.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such entitlement, or the service does not know the call.
        """
