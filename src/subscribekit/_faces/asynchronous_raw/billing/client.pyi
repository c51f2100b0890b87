"""The operations of `billing/client.py`, asynchronous raw; written by scripts/faces.py."""

from typing import TypeVar, overload

from subscribekit._core.calls.response import Response
from subscribekit._core.client.resources import Body
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._faces.asynchronous_raw.billing.accounts import AsyncRawAccounts
from subscribekit._faces.asynchronous_raw.billing.activities import AsyncRawActivities
from subscribekit._faces.asynchronous_raw.billing.billing_plans import AsyncRawBillingPlans
from subscribekit._faces.asynchronous_raw.billing.campaigns import AsyncRawCampaigns
from subscribekit._faces.asynchronous_raw.billing.entitlements import AsyncRawEntitlements
from subscribekit._faces.asynchronous_raw.billing.event_summaries import AsyncRawEventSummaries
from subscribekit._faces.asynchronous_raw.billing.events import AsyncRawEvents
from subscribekit._faces.asynchronous_raw.billing.generic import AsyncRawGenericResource
from subscribekit._faces.asynchronous_raw.billing.invoices import AsyncRawInvoices
from subscribekit._faces.asynchronous_raw.billing.payment_methods import AsyncRawPaymentMethods
from subscribekit._faces.asynchronous_raw.billing.payments import AsyncRawPayments
from subscribekit._faces.asynchronous_raw.billing.products import AsyncRawProducts
from subscribekit._faces.asynchronous_raw.billing.rate_plans import AsyncRawRatePlans
from subscribekit._faces.asynchronous_raw.billing.refunds import AsyncRawRefunds
from subscribekit._faces.asynchronous_raw.billing.season_sets import AsyncRawSeasonSets
from subscribekit._faces.asynchronous_raw.billing.subscriptions import AsyncRawSubscriptions
from subscribekit._faces.asynchronous_raw.billing.transactions import AsyncRawTransactions
from subscribekit._faces.asynchronous_raw.collections import AsyncRawCursorCollection
from subscribekit._json import JSON
from subscribekit.models._base import Model

M = TypeVar("M", bound=Model)

class AsyncRawBillingResources:
    """The resources of the billing API; each is imported when it is first used."""
    @property
    def accounts(self) -> AsyncRawAccounts:
        """End customers, persons or organizations."""
    @property
    def activities(self) -> AsyncRawActivities:
        """Activities of customers: logins, calls, usage, notes."""
    @property
    def billing_plans(self) -> AsyncRawBillingPlans:
        """Schedules by which subscriptions are billed."""
    @property
    def campaigns(self) -> AsyncRawCampaigns:
        """Discounts: coupons and promotions."""
    @property
    def entitlements(self) -> AsyncRawEntitlements:
        """Rights of customers, by grant, product or billing plan."""
    @property
    def event_summaries(self) -> AsyncRawEventSummaries:
        """Charges for usage that are not billed yet."""
    @property
    def events(self) -> AsyncRawEvents:
        """Measured usage, by convention."""
    @property
    def invoices(self) -> AsyncRawInvoices:
        """Bills of subscriptions."""
    @property
    def payment_methods(self) -> AsyncRawPaymentMethods:
        """Payment instruments on file."""
    @property
    def payments(self) -> AsyncRawPayments:
        """Payments against outstanding balances."""
    @property
    def products(self) -> AsyncRawProducts:
        """Offers for sale, with prices and the rights it gives."""
    @property
    def rate_plans(self) -> AsyncRawRatePlans:
        """Prices of usage."""
    @property
    def refunds(self) -> AsyncRawRefunds:
        """Captured transactions paid back, in whole or in part."""
    @property
    def season_sets(self) -> AsyncRawSeasonSets:
        """Seasons in which seasonal billing plans bill and entitle."""
    @property
    def subscriptions(self) -> AsyncRawSubscriptions:
        """Accounts billed over time for products, by a billing plan."""
    @property
    def transactions(self) -> AsyncRawTransactions:
        """Charges, from authorization to capture."""
    def resource(self, name: str, model: type[M]) -> AsyncRawGenericResource[M]:
        """Call a family without published operations, by the conventions of the specification."""
    def collection(self, path: str, item: type[M]) -> AsyncRawCursorCollection[M]:
        """List what is at your own path, such as a collection that your operator told you about."""
    @overload
    async def request(
        self, method: Method, path: str, *, result: type[M], params: QueryParams | None = None, json: Body | None = None
    ) -> Response[M]:
        """Call something that the SDK has no method for, with all its rules."""
    @overload
    async def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Response[dict[str, JSON]]:
        """Call something that the SDK has no method for, with all its rules."""
    @overload
    async def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Response[list[JSON]]:
        """Call something that the SDK has no method for, with all its rules."""
