"""The operations of `billing/campaigns.py`, blocking; written by scripts/faces.py."""

from subscribekit._core.lists.pager import Pager
from subscribekit._core.lists.parameters import ListParams
from subscribekit.models.campaign import Campaign

class Campaigns:
    """Discounts: coupons and promotions."""

    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> Pager[Campaign]:
        """List campaigns.

        Published, not in the specification.

        Args:
            limit: Page size, 1 to 100; the service uses 20 when absent.
            starting_after: Begin after the campaign with this id.
            ending_before: Read backwards from before the campaign with this id; within a page the order stays.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.

        Returns:
            A pager of campaigns.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
        """

    def create(self, body: Campaign) -> Campaign:
        """Create a campaign.

        Published, not in the specification. The response is not shown, so an empty one gives a `Campaign` without
        fields.

        Args:
            body: The full campaign, without vids. Percentages are `Decimal` (12.5 is 12.5 %), flat amounts are in units
                of the currency, exact.

        Returns:
            The campaign, as far as the service shows it; a new one waits in the state `Pending`.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
        """

    def retrieve(self, campaign: str) -> Campaign:
        """Read a campaign (by convention, not published).

        The specification says that GET reads one resource or a list; no source documents this call.

        Args:
            campaign: Its id or vid, at most 128 characters.

        Returns:
            The campaign.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such campaign, or the service does not know the call.
        """

    def update(self, campaign: str, body: Campaign) -> Campaign:
        """Update a campaign (E2).

        The specification wants a full campaign in the body. `promotion_code_aliases` replaces the aliases that exist,
        it does not add to them.

        Args:
            campaign: Its id or vid, at most 128 characters.
            body: The full campaign; only fields that were given are sent, `None` is sent as null.

        Returns:
            The full campaign after the update.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            NotFoundError: There is no such campaign.
            OutcomeUnknownError: It may or may not have been updated; ask `client.resolve(error)`.
        """
