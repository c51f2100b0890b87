"""The operations of `billing/client.py`, raw; written by scripts/faces.py."""

from typing import TypeVar, overload

from subscribekit._core.calls.response import Response
from subscribekit._core.client.resources import Body
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._faces.raw.billing.accounts import RawAccounts
from subscribekit._faces.raw.billing.activities import RawActivities
from subscribekit._faces.raw.billing.billing_plans import RawBillingPlans
from subscribekit._faces.raw.billing.campaigns import RawCampaigns
from subscribekit._faces.raw.billing.entitlements import RawEntitlements
from subscribekit._faces.raw.billing.event_summaries import RawEventSummaries
from subscribekit._faces.raw.billing.events import RawEvents
from subscribekit._faces.raw.billing.generic import RawGenericResource
from subscribekit._faces.raw.billing.invoices import RawInvoices
from subscribekit._faces.raw.billing.payment_methods import RawPaymentMethods
from subscribekit._faces.raw.billing.payments import RawPayments
from subscribekit._faces.raw.billing.products import RawProducts
from subscribekit._faces.raw.billing.rate_plans import RawRatePlans
from subscribekit._faces.raw.billing.refunds import RawRefunds
from subscribekit._faces.raw.billing.season_sets import RawSeasonSets
from subscribekit._faces.raw.billing.subscriptions import RawSubscriptions
from subscribekit._faces.raw.billing.transactions import RawTransactions
from subscribekit._faces.raw.collections import RawCursorCollection
from subscribekit._json import JSON
from subscribekit.models._base import Model

M = TypeVar("M", bound=Model)

class RawBillingResources:
    """The resources of the billing API; each is imported when it is first used."""
    @property
    def accounts(self) -> RawAccounts:
        """End customers, persons or organizations."""
    @property
    def activities(self) -> RawActivities:
        """Activities of customers: logins, calls, usage, notes."""
    @property
    def billing_plans(self) -> RawBillingPlans:
        """Schedules by which subscriptions are billed."""
    @property
    def campaigns(self) -> RawCampaigns:
        """Discounts: coupons and promotions."""
    @property
    def entitlements(self) -> RawEntitlements:
        """Rights of customers, by grant, product or billing plan."""
    @property
    def event_summaries(self) -> RawEventSummaries:
        """Charges for usage that are not billed yet."""
    @property
    def events(self) -> RawEvents:
        """Measured usage, by convention."""
    @property
    def invoices(self) -> RawInvoices:
        """Bills of subscriptions."""
    @property
    def payment_methods(self) -> RawPaymentMethods:
        """Payment instruments on file."""
    @property
    def payments(self) -> RawPayments:
        """Payments against outstanding balances."""
    @property
    def products(self) -> RawProducts:
        """Offers for sale, with prices and the rights it gives."""
    @property
    def rate_plans(self) -> RawRatePlans:
        """Prices of usage."""
    @property
    def refunds(self) -> RawRefunds:
        """Captured transactions paid back, in whole or in part."""
    @property
    def season_sets(self) -> RawSeasonSets:
        """Seasons in which seasonal billing plans bill and entitle."""
    @property
    def subscriptions(self) -> RawSubscriptions:
        """Accounts billed over time for products, by a billing plan."""
    @property
    def transactions(self) -> RawTransactions:
        """Charges, from authorization to capture."""
    def resource(self, name: str, model: type[M]) -> RawGenericResource[M]:
        """Call a family without published operations, by the conventions of the specification."""
    def collection(self, path: str, item: type[M]) -> RawCursorCollection[M]:
        """List what is at your own path, such as a collection that your operator told you about."""
    @overload
    def request(
        self, method: Method, path: str, *, result: type[M], params: QueryParams | None = None, json: Body | None = None
    ) -> Response[M]:
        """Call something that the SDK has no method for, with all its rules."""
    @overload
    def request(
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
    def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Response[list[JSON]]:
        """Call something that the SDK has no method for, with all its rules."""
