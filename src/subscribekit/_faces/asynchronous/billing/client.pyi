"""The operations of `billing/client.py`, asynchronous; written by scripts/faces.py."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from ssl import SSLContext
from typing import TypeVar, overload

from subscribekit._core.calls.telemetry.trace import Trace
from subscribekit._core.client.base import AsyncClient
from subscribekit._core.client.resources import Body
from subscribekit._core.config.environments import API_VERSION, Environment, Named
from subscribekit._core.config.observer import Observer
from subscribekit._core.config.retry_policy import RetryPolicy
from subscribekit._core.config.timeouts import Limits, Timeouts
from subscribekit._core.config.unset import UNSET, Unset
from subscribekit._core.config.wire_names import WireNames
from subscribekit._core.http.given import AsyncHttpClient, AsyncHttpTransport
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._faces.asynchronous.billing.accounts import AsyncAccounts
from subscribekit._faces.asynchronous.billing.activities import AsyncActivities
from subscribekit._faces.asynchronous.billing.billing_plans import AsyncBillingPlans
from subscribekit._faces.asynchronous.billing.campaigns import AsyncCampaigns
from subscribekit._faces.asynchronous.billing.entitlements import AsyncEntitlements
from subscribekit._faces.asynchronous.billing.event_summaries import AsyncEventSummaries
from subscribekit._faces.asynchronous.billing.events import AsyncEvents
from subscribekit._faces.asynchronous.billing.generic import AsyncGenericResource
from subscribekit._faces.asynchronous.billing.invoices import AsyncInvoices
from subscribekit._faces.asynchronous.billing.payment_methods import AsyncPaymentMethods
from subscribekit._faces.asynchronous.billing.payments import AsyncPayments
from subscribekit._faces.asynchronous.billing.products import AsyncProducts
from subscribekit._faces.asynchronous.billing.rate_plans import AsyncRatePlans
from subscribekit._faces.asynchronous.billing.refunds import AsyncRefunds
from subscribekit._faces.asynchronous.billing.season_sets import AsyncSeasonSets
from subscribekit._faces.asynchronous.billing.subscriptions import AsyncSubscriptions
from subscribekit._faces.asynchronous.billing.transactions import AsyncTransactions
from subscribekit._faces.asynchronous.collections import AsyncCursorCollection
from subscribekit._faces.asynchronous_raw.billing.client import AsyncRawBillingResources
from subscribekit._faces.prepared.billing.client import PreparedBillingResources
from subscribekit._json import JSON
from subscribekit.billing.client import AsyncBillingClient
from subscribekit.models._base import Model

M = TypeVar("M", bound=Model)

class AsyncBillingResources(AsyncClient):
    """The resources of the billing API; each is imported when it is first used."""

    @property
    def accounts(self) -> AsyncAccounts:
        """End customers, persons or organizations."""

    @property
    def activities(self) -> AsyncActivities:
        """Activities of customers: logins, calls, usage, notes."""

    @property
    def billing_plans(self) -> AsyncBillingPlans:
        """Schedules by which subscriptions are billed."""

    @property
    def campaigns(self) -> AsyncCampaigns:
        """Discounts: coupons and promotions."""

    @property
    def entitlements(self) -> AsyncEntitlements:
        """Rights of customers, by grant, product or billing plan."""

    @property
    def event_summaries(self) -> AsyncEventSummaries:
        """Charges for usage that are not billed yet."""

    @property
    def events(self) -> AsyncEvents:
        """Measured usage, by convention."""

    @property
    def invoices(self) -> AsyncInvoices:
        """Bills of subscriptions."""

    @property
    def payment_methods(self) -> AsyncPaymentMethods:
        """Payment instruments on file."""

    @property
    def payments(self) -> AsyncPayments:
        """Payments against outstanding balances."""

    @property
    def products(self) -> AsyncProducts:
        """Offers for sale, with prices and the rights it gives."""

    @property
    def rate_plans(self) -> AsyncRatePlans:
        """Prices of usage."""

    @property
    def refunds(self) -> AsyncRefunds:
        """Captured transactions paid back, in whole or in part."""

    @property
    def season_sets(self) -> AsyncSeasonSets:
        """Seasons in which seasonal billing plans bill and entitle."""

    @property
    def subscriptions(self) -> AsyncSubscriptions:
        """Accounts billed over time for products, by a billing plan."""

    @property
    def transactions(self) -> AsyncTransactions:
        """Charges, from authorization to capture."""

    def resource(self, name: str, model: type[M]) -> AsyncGenericResource[M]:
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

    def collection(self, path: str, item: type[M]) -> AsyncCursorCollection[M]:
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
    async def request(
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
    async def request(
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
    async def request(
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

    def __init__(
        self,
        *,
        environment: Environment | Named | None = None,
        base_url: str | None = None,
        api_user: str | None = None,
        api_key: str | Callable[[], str] | Callable[[], Awaitable[str]] | None = None,
        api_version: str | None = API_VERSION,
        timeouts: Timeouts | None = None,
        deadline: float | None = 60.0,
        retry: RetryPolicy | None = None,
        wire_names: WireNames | None = None,
        transport: AsyncHttpTransport | None = None,
        http_client: AsyncHttpClient | None = None,
        ssl_context: SSLContext | None = None,
        proxy: str | None = None,
        limits: Limits | None = None,
        allow_insecure_loopback: bool = False,
        compress_requests: bool = False,
        send_gzip_header: bool = True,
        trace: Trace = "auto",
        observers: Sequence[Observer] = (),
        read_only: bool = False,
        check_minor_units: bool = False,
        user_agent_suffix: str | None = None,
    ) -> None:
        """Make a client; nothing is sent yet.

        The arguments are those of `BillingClient`; a callable may also be a coroutine function.

        Raises:
            ConfigurationError: A value is missing or not usable; the text names it.
        """

    @property
    def with_raw_response(self) -> AsyncRawBillingResources:
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
    ) -> AsyncBillingClient:
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
