"""The operations of `billing/client.py`, planned; written by scripts/faces.py."""

from typing import TypeVar, overload

from subscribekit._core.calls.response import PlannedRequest
from subscribekit._core.client.resources import Body
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._faces.planned.billing.accounts import PlannedAccounts
from subscribekit._faces.planned.billing.activities import PlannedActivities
from subscribekit._faces.planned.billing.billing_plans import PlannedBillingPlans
from subscribekit._faces.planned.billing.campaigns import PlannedCampaigns
from subscribekit._faces.planned.billing.entitlements import PlannedEntitlements
from subscribekit._faces.planned.billing.event_summaries import PlannedEventSummaries
from subscribekit._faces.planned.billing.events import PlannedEvents
from subscribekit._faces.planned.billing.generic import PlannedGenericResource
from subscribekit._faces.planned.billing.invoices import PlannedInvoices
from subscribekit._faces.planned.billing.payment_methods import PlannedPaymentMethods
from subscribekit._faces.planned.billing.payments import PlannedPayments
from subscribekit._faces.planned.billing.products import PlannedProducts
from subscribekit._faces.planned.billing.rate_plans import PlannedRatePlans
from subscribekit._faces.planned.billing.refunds import PlannedRefunds
from subscribekit._faces.planned.billing.season_sets import PlannedSeasonSets
from subscribekit._faces.planned.billing.subscriptions import PlannedSubscriptions
from subscribekit._faces.planned.billing.transactions import PlannedTransactions
from subscribekit._faces.planned.collections import PlannedCursorCollection
from subscribekit._json import JSON
from subscribekit.models._base import Model

M = TypeVar("M", bound=Model)

class PlannedBillingResources:
    """The resources of the billing API; each is imported when it is first used."""
    @property
    def accounts(self) -> PlannedAccounts:
        """End customers, persons or organizations."""
    @property
    def activities(self) -> PlannedActivities:
        """Activities of customers: logins, calls, usage, notes."""
    @property
    def billing_plans(self) -> PlannedBillingPlans:
        """Schedules by which subscriptions are billed."""
    @property
    def campaigns(self) -> PlannedCampaigns:
        """Discounts: coupons and promotions."""
    @property
    def entitlements(self) -> PlannedEntitlements:
        """Rights of customers, by grant, product or billing plan."""
    @property
    def event_summaries(self) -> PlannedEventSummaries:
        """Charges for usage that are not billed yet."""
    @property
    def events(self) -> PlannedEvents:
        """Measured usage, by convention."""
    @property
    def invoices(self) -> PlannedInvoices:
        """Bills of subscriptions."""
    @property
    def payment_methods(self) -> PlannedPaymentMethods:
        """Payment instruments on file."""
    @property
    def payments(self) -> PlannedPayments:
        """Payments against outstanding balances."""
    @property
    def products(self) -> PlannedProducts:
        """Offers for sale, with prices and the rights it gives."""
    @property
    def rate_plans(self) -> PlannedRatePlans:
        """Prices of usage."""
    @property
    def refunds(self) -> PlannedRefunds:
        """Captured transactions paid back, in whole or in part."""
    @property
    def season_sets(self) -> PlannedSeasonSets:
        """Seasons in which seasonal billing plans bill and entitle."""
    @property
    def subscriptions(self) -> PlannedSubscriptions:
        """Accounts billed over time for products, by a billing plan."""
    @property
    def transactions(self) -> PlannedTransactions:
        """Charges, from authorization to capture."""
    def resource(self, name: str, model: type[M]) -> PlannedGenericResource[M]:
        """Call a family without published operations, by the conventions of the specification."""
    def collection(self, path: str, item: type[M]) -> PlannedCursorCollection[M]:
        """List what is at your own path, such as a collection that your operator told you about."""
    @overload
    def request(
        self, method: Method, path: str, *, result: type[M], params: QueryParams | None = None, json: Body | None = None
    ) -> PlannedRequest[M]:
        """The unsent request to call something that the SDK has no method for, with all its rules."""
    @overload
    def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> PlannedRequest[dict[str, JSON]]:
        """The unsent request to call something that the SDK has no method for, with all its rules."""
    @overload
    def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> PlannedRequest[list[JSON]]:
        """The unsent request to call something that the SDK has no method for, with all its rules."""
