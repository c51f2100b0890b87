"""The operations of `billing/client.py`, blocking; written by scripts/faces.py."""

from collections.abc import Mapping
from typing import TypeVar, overload

from subscribekit._core.calls.telemetry.trace import Trace
from subscribekit._core.client.base import BlockingClient
from subscribekit._core.client.resources import Body
from subscribekit._core.config.retry_policy import RetryPolicy
from subscribekit._core.config.timeouts import Timeouts
from subscribekit._core.config.unset import UNSET, Unset
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._faces.blocking.billing.accounts import Accounts
from subscribekit._faces.blocking.billing.activities import Activities
from subscribekit._faces.blocking.billing.billing_plans import BillingPlans
from subscribekit._faces.blocking.billing.campaigns import Campaigns
from subscribekit._faces.blocking.billing.entitlements import Entitlements
from subscribekit._faces.blocking.billing.event_summaries import EventSummaries
from subscribekit._faces.blocking.billing.events import Events
from subscribekit._faces.blocking.billing.generic import GenericResource
from subscribekit._faces.blocking.billing.invoices import Invoices
from subscribekit._faces.blocking.billing.payment_methods import PaymentMethods
from subscribekit._faces.blocking.billing.payments import Payments
from subscribekit._faces.blocking.billing.products import Products
from subscribekit._faces.blocking.billing.rate_plans import RatePlans
from subscribekit._faces.blocking.billing.refunds import Refunds
from subscribekit._faces.blocking.billing.season_sets import SeasonSets
from subscribekit._faces.blocking.billing.subscriptions import Subscriptions
from subscribekit._faces.blocking.billing.transactions import Transactions
from subscribekit._faces.blocking.collections import CursorCollection
from subscribekit._faces.prepared.billing.client import PreparedBillingResources
from subscribekit._faces.raw.billing.client import RawBillingResources
from subscribekit._json import JSON
from subscribekit.billing.client import BillingClient
from subscribekit.models._base import Model

M = TypeVar("M", bound=Model)

class BlockingBillingResources(BlockingClient):
    """The resources of the billing API; each is imported when it is first used."""

    @property
    def accounts(self) -> Accounts:
        """End customers, persons or organizations."""

    @property
    def activities(self) -> Activities:
        """Activities of customers: logins, calls, usage, notes."""

    @property
    def billing_plans(self) -> BillingPlans:
        """Schedules by which subscriptions are billed."""

    @property
    def campaigns(self) -> Campaigns:
        """Discounts: coupons and promotions."""

    @property
    def entitlements(self) -> Entitlements:
        """Rights of customers, by grant, product or billing plan."""

    @property
    def event_summaries(self) -> EventSummaries:
        """Charges for usage that are not billed yet."""

    @property
    def events(self) -> Events:
        """Measured usage, by convention."""

    @property
    def invoices(self) -> Invoices:
        """Bills of subscriptions."""

    @property
    def payment_methods(self) -> PaymentMethods:
        """Payment instruments on file."""

    @property
    def payments(self) -> Payments:
        """Payments against outstanding balances."""

    @property
    def products(self) -> Products:
        """Offers for sale, with prices and the rights it gives."""

    @property
    def rate_plans(self) -> RatePlans:
        """Prices of usage."""

    @property
    def refunds(self) -> Refunds:
        """Captured transactions paid back, in whole or in part."""

    @property
    def season_sets(self) -> SeasonSets:
        """Seasons in which seasonal billing plans bill and entitle."""

    @property
    def subscriptions(self) -> Subscriptions:
        """Accounts billed over time for products, by a billing plan."""

    @property
    def transactions(self) -> Transactions:
        """Charges, from authorization to capture."""

    def resource(self, name: str, model: type[M]) -> GenericResource[M]:
        """Call a family without published operations, by the conventions of the specification.

        `client.resource("chargebacks", Chargeback).retrieve("cb1")` gives a `Chargeback`. The families are named in
        the specification; that the service supports these calls for one of them is not published.

        Args:
            name: The family's collection, in the plural: lower-case letters and `_`, such as `gift_cards`.
            model: The model of its resources.

        Returns:
            The family, with `list`, `create`, `retrieve`, `update` and `delete`.

        Raises:
            InvalidArgumentError: The name is not one of a family. GDPR erase and Diagnostics are actions: use
                `request`.
        """

    def collection(self, path: str, item: type[M]) -> CursorCollection[M]:
        """List what is at your own path, such as a collection that your operator told you about.

        `client.collection("/accounts/a1/notes", Note).list(limit=50)` is a pager of `Note`. `request` gives a single
        resource or a single page; this reads a list to its end, with checkpoints, prefetching and all other rules.

        Args:
            path: Path below the base address, not quoted.
            item: The model of the items.

        Returns:
            The collection, with `list`.

        Raises:
            InvalidArgumentError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or no model.
        """

    @overload
    def request(
        self, method: Method, path: str, *, result: type[M], params: QueryParams | None = None, json: Body | None = None
    ) -> M:
        """Call something that the SDK has no method for, with all its rules.

        Nothing is known about the call, so it is treated at least as carefully as a method: a POST moves money and is
        never retried once a byte of it has left, a DELETE with a query or a body selects and is not retried with an
        unknown outcome.

        Args:
            method: `GET`, `POST`, `PUT` or `DELETE`; none of the interfaces has a PATCH.
            path: Path below the base address, not quoted: `/accounts/a1`.
            result: A model class, `dict` for a plain JSON object, or `list` for a plain JSON array.
            params: Query parameters; booleans are sent as 1 and 0, times in ISO 8601, several values one by one.
                `None` leaves a parameter out, an empty text sends it empty (not in a DELETE).
            json: The body; in the billing API its texts and keys have at most 1,024 characters.

        Returns:
            The result as the class that was asked for.

        Raises:
            InvalidArgumentError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or another refused
                argument.
            SubscribekitError: As every call.
        """

    @overload
    def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> dict[str, JSON]:
        """Call something that the SDK has no method for, with all its rules.

        Nothing is known about the call, so it is treated at least as carefully as a method: a POST moves money and is
        never retried once a byte of it has left, a DELETE with a query or a body selects and is not retried with an
        unknown outcome.

        Args:
            method: `GET`, `POST`, `PUT` or `DELETE`; none of the interfaces has a PATCH.
            path: Path below the base address, not quoted: `/accounts/a1`.
            result: A model class, `dict` for a plain JSON object, or `list` for a plain JSON array.
            params: Query parameters; booleans are sent as 1 and 0, times in ISO 8601, several values one by one.
                `None` leaves a parameter out, an empty text sends it empty (not in a DELETE).
            json: The body; in the billing API its texts and keys have at most 1,024 characters.

        Returns:
            The result as the class that was asked for.

        Raises:
            InvalidArgumentError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or another refused
                argument.
            SubscribekitError: As every call.
        """

    @overload
    def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> list[JSON]:
        """Call something that the SDK has no method for, with all its rules.

        Nothing is known about the call, so it is treated at least as carefully as a method: a POST moves money and is
        never retried once a byte of it has left, a DELETE with a query or a body selects and is not retried with an
        unknown outcome.

        Args:
            method: `GET`, `POST`, `PUT` or `DELETE`; none of the interfaces has a PATCH.
            path: Path below the base address, not quoted: `/accounts/a1`.
            result: A model class, `dict` for a plain JSON object, or `list` for a plain JSON array.
            params: Query parameters; booleans are sent as 1 and 0, times in ISO 8601, several values one by one.
                `None` leaves a parameter out, an empty text sends it empty (not in a DELETE).
            json: The body; in the billing API its texts and keys have at most 1,024 characters.

        Returns:
            The result as the class that was asked for.

        Raises:
            InvalidArgumentError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or another refused
                argument.
            SubscribekitError: As every call.
        """

    @property
    def with_raw_response(self) -> RawBillingResources:
        """The same methods, returning `Response` with status, headers, ids, attempts and time."""

    @property
    def prepare(self) -> PreparedBillingResources:
        """The same methods, returning the exact request and sending nothing."""

    def with_options(
        self,
        *,
        timeouts: Timeouts | Unset = UNSET,
        deadline: float | Unset | None = UNSET,
        retry: RetryPolicy | Unset = UNSET,
        trace: Trace | Unset = UNSET,
        headers: Mapping[str, str] | Unset = UNSET,
    ) -> BillingClient:
        """Copy the client with other settings; the copy shares connections, and closing one closes both.

        Args:
            timeouts: Seconds that one step of a call may take.
            deadline: Seconds for a whole call, retries included; `None` for none.
            retry: How often and how soon a call is retried.
            trace: `"auto"`, `"off"` or the caller's span.
            headers: Extra headers for each request; those that the client sets itself are refused.

        Raises:
            InvalidArgumentError: A header that is not allowed.
            ConfigurationError: A deadline or trace that is not one.
        """

    def preload(self) -> None:
        """Import every module and build every model that a call of this client may need, before the first call.

        For programs that are started for few calls, such as serverless functions: call it while the program starts.
        Nothing is sent. It takes about a second; `python -m subscribekit preload` does it for all clients while an
        image is built, so that Python has compiled the modules.

        Raises:
            OSError: A file cannot be opened.
            ImportError: A module cannot be imported.
        """
