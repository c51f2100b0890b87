"""The operations of `billing/client.py`, prepared; written by scripts/faces.py."""

from typing import TypeVar, overload

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.client.resources import Body
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._faces.prepared.billing.accounts import PreparedAccounts
from subscribekit._faces.prepared.billing.activities import PreparedActivities
from subscribekit._faces.prepared.billing.billing_plans import PreparedBillingPlans
from subscribekit._faces.prepared.billing.campaigns import PreparedCampaigns
from subscribekit._faces.prepared.billing.entitlements import PreparedEntitlements
from subscribekit._faces.prepared.billing.event_summaries import PreparedEventSummaries
from subscribekit._faces.prepared.billing.events import PreparedEvents
from subscribekit._faces.prepared.billing.generic import PreparedGenericResource
from subscribekit._faces.prepared.billing.invoices import PreparedInvoices
from subscribekit._faces.prepared.billing.payment_methods import PreparedPaymentMethods
from subscribekit._faces.prepared.billing.payments import PreparedPayments
from subscribekit._faces.prepared.billing.products import PreparedProducts
from subscribekit._faces.prepared.billing.rate_plans import PreparedRatePlans
from subscribekit._faces.prepared.billing.refunds import PreparedRefunds
from subscribekit._faces.prepared.billing.season_sets import PreparedSeasonSets
from subscribekit._faces.prepared.billing.subscriptions import PreparedSubscriptions
from subscribekit._faces.prepared.billing.transactions import PreparedTransactions
from subscribekit._faces.prepared.collections import PreparedCursorCollection
from subscribekit._json import JSON
from subscribekit.models._base import Model

M = TypeVar("M", bound=Model)

class PreparedBillingResources:
    """The resources of the billing API; each is imported when it is first used."""
    @property
    def accounts(self) -> PreparedAccounts:
        """End customers, persons or organizations."""
    @property
    def activities(self) -> PreparedActivities:
        """Activities of customers: logins, calls, usage, notes."""
    @property
    def billing_plans(self) -> PreparedBillingPlans:
        """Schedules by which subscriptions are billed."""
    @property
    def campaigns(self) -> PreparedCampaigns:
        """Discounts: coupons and promotions."""
    @property
    def entitlements(self) -> PreparedEntitlements:
        """Rights of customers, by grant, product or billing plan."""
    @property
    def event_summaries(self) -> PreparedEventSummaries:
        """Charges for usage that are not billed yet."""
    @property
    def events(self) -> PreparedEvents:
        """Measured usage, by convention."""
    @property
    def invoices(self) -> PreparedInvoices:
        """Bills of subscriptions."""
    @property
    def payment_methods(self) -> PreparedPaymentMethods:
        """Payment instruments on file."""
    @property
    def payments(self) -> PreparedPayments:
        """Payments against outstanding balances."""
    @property
    def products(self) -> PreparedProducts:
        """Offers for sale, with prices and the rights it gives."""
    @property
    def rate_plans(self) -> PreparedRatePlans:
        """Prices of usage."""
    @property
    def refunds(self) -> PreparedRefunds:
        """Captured transactions paid back, in whole or in part."""
    @property
    def season_sets(self) -> PreparedSeasonSets:
        """Seasons in which seasonal billing plans bill and entitle."""
    @property
    def subscriptions(self) -> PreparedSubscriptions:
        """Accounts billed over time for products, by a billing plan."""
    @property
    def transactions(self) -> PreparedTransactions:
        """Charges, from authorization to capture."""
    def resource(self, name: str, model: type[M]) -> PreparedGenericResource[M]:
        """Call a family without published operations, by the conventions of the specification."""
    def collection(self, path: str, item: type[M]) -> PreparedCursorCollection[M]:
        """List what is at your own path, such as a collection that your operator told you about."""
    @overload
    def request(
        self, method: Method, path: str, *, result: type[M], params: QueryParams | None = None, json: Body | None = None
    ) -> PreparedRequest[M]:
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
    ) -> PreparedRequest[dict[str, JSON]]:
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
    ) -> PreparedRequest[list[JSON]]:
        """The unsent request to call something that the SDK has no method for, with all its rules."""
