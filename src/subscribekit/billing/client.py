"""The clients of the billing API (group A), and the list of its resources."""

from collections.abc import Callable, Sequence
from functools import cached_property
from ssl import SSLContext
from typing import TYPE_CHECKING, TypeVar

from .._core.calls.telemetry.trace import Trace
from .._core.client.base import AsyncClient, BlockingClient
from .._core.client.binding import D, names_from, styled
from .._core.client.constructor import async_constructor
from .._core.client.options import Options
from .._core.client.resources import Resources
from .._core.config.credentials import sealed, sealed_provider
from .._core.config.environments import API_VERSION, Environment, Named
from .._core.config.observer import Observer
from .._core.config.retry_policy import RetryPolicy
from .._core.config.target import Target, basic_credential
from .._core.config.timeouts import Limits, Timeouts
from .._core.config.wire_names import WireNames
from .._core.http.given import HttpClient, HttpTransport
from .._core.operations.bodies import model_class
from ..models._base import Model

if TYPE_CHECKING:
    from .._core.client.collections import CursorCollection
    from .accounts import Accounts
    from .activities import Activities
    from .billing_plans import BillingPlans
    from .campaigns import Campaigns
    from .entitlements import Entitlements
    from .event_summaries import EventSummaries
    from .events import Events
    from .generic import GenericResource
    from .invoices import Invoices
    from .payment_methods import PaymentMethods
    from .payments import Payments
    from .products import Products
    from .rate_plans import RatePlans
    from .refunds import Refunds
    from .season_sets import SeasonSets
    from .subscriptions import Subscriptions
    from .transactions import Transactions

__tracebackhide__ = True  # pytest shows the line of the caller instead


M = TypeVar("M", bound=Model)


class BillingResources(Resources[D]):
    """The resources of the billing API; each is imported when it is first used."""

    @cached_property
    def accounts(self) -> "Accounts[D]":
        """End customers, persons or organizations."""
        from .accounts import Accounts

        return styled(Accounts, self._driver)(self._driver)

    @cached_property
    def activities(self) -> "Activities[D]":
        """Activities of customers: logins, calls, usage, notes."""
        from .activities import Activities

        return styled(Activities, self._driver)(self._driver)

    @cached_property
    def billing_plans(self) -> "BillingPlans[D]":
        """Schedules by which subscriptions are billed."""
        from .billing_plans import BillingPlans

        return styled(BillingPlans, self._driver)(self._driver)

    @cached_property
    def campaigns(self) -> "Campaigns[D]":
        """Discounts: coupons and promotions."""
        from .campaigns import Campaigns

        return styled(Campaigns, self._driver)(self._driver)

    @cached_property
    def entitlements(self) -> "Entitlements[D]":
        """Rights of customers, by grant, product or billing plan."""
        from .entitlements import Entitlements

        return styled(Entitlements, self._driver)(self._driver)

    @cached_property
    def event_summaries(self) -> "EventSummaries[D]":
        """Charges for usage that are not billed yet."""
        from .event_summaries import EventSummaries

        return styled(EventSummaries, self._driver)(self._driver)

    @cached_property
    def events(self) -> "Events[D]":
        """Measured usage, by convention."""
        from .events import Events

        return styled(Events, self._driver)(self._driver)

    @cached_property
    def invoices(self) -> "Invoices[D]":
        """Bills of subscriptions."""
        from .invoices import Invoices

        return styled(Invoices, self._driver)(self._driver)

    @cached_property
    def payment_methods(self) -> "PaymentMethods[D]":
        """Payment instruments on file."""
        from .payment_methods import PaymentMethods

        return styled(PaymentMethods, self._driver)(self._driver)

    @cached_property
    def payments(self) -> "Payments[D]":
        """Payments against outstanding balances."""
        from .payments import Payments

        return styled(Payments, self._driver)(self._driver)

    @cached_property
    def products(self) -> "Products[D]":
        """Offers for sale, with prices and the rights it gives."""
        from .products import Products

        return styled(Products, self._driver)(self._driver)

    @cached_property
    def rate_plans(self) -> "RatePlans[D]":
        """Prices of usage."""
        from .rate_plans import RatePlans

        return styled(RatePlans, self._driver)(self._driver)

    @cached_property
    def refunds(self) -> "Refunds[D]":
        """Captured transactions paid back, in whole or in part."""
        from .refunds import Refunds

        return styled(Refunds, self._driver)(self._driver)

    @cached_property
    def season_sets(self) -> "SeasonSets[D]":
        """Seasons in which seasonal billing plans bill and entitle."""
        from .season_sets import SeasonSets

        return styled(SeasonSets, self._driver)(self._driver)

    @cached_property
    def subscriptions(self) -> "Subscriptions[D]":
        """Accounts billed over time for products, by a billing plan."""
        from .subscriptions import Subscriptions

        return styled(Subscriptions, self._driver)(self._driver)

    @cached_property
    def transactions(self) -> "Transactions[D]":
        """Charges, from authorization to capture."""
        from .transactions import Transactions

        return styled(Transactions, self._driver)(self._driver)

    @names_from("subscribekit.billing.generic")
    def resource(self, name: str, model: type[M]) -> "GenericResource[M]":
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
        from .generic import GenericResource

        return styled(GenericResource, self._driver)(self._driver, name, model)

    @names_from("subscribekit._core.client.collections")
    def collection(self, path: str, item: type[M]) -> "CursorCollection[M]":
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
        from .._core.client.collections import CursorCollection

        return styled(CursorCollection, self._driver)(self._driver, path, model_class("item", item))


if TYPE_CHECKING:
    # Stubs, generated from the operations by scripts/faces.py: what checkers and editors follow are plain classes.
    from .._faces import AsyncBillingResources, BlockingBillingResources  # pyright: ignore[reportMissingModuleSource]
else:
    BlockingBillingResources = AsyncBillingResources = BillingResources


class BillingClient(BlockingBillingResources, BlockingClient):
    """Blocking client of the billing API (group A)."""

    _resources = BillingResources

    def __init__(
        self,
        *,
        environment: Environment | Named | None = None,
        base_url: str | None = None,
        api_user: str | None = None,
        api_key: str | Callable[[], str] | None = None,
        api_version: str | None = API_VERSION,
        timeouts: Timeouts | None = None,
        deadline: float | None = 60.0,
        retry: RetryPolicy | None = None,
        wire_names: WireNames | None = None,
        transport: HttpTransport | None = None,
        http_client: HttpClient | None = None,
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

        Args:
            environment: An `Environment`, or `"production"`, `"staging"`, `"sandbox"`. There is no default.
            base_url: Base address of the billing API; wins over the environment's. Given alone, credentials must be
                given too.
            api_user: Basic user, specific to the environment.
            api_key: Basic key, specific to the environment, or a callable that gives it; on a 401 the callable is asked
                once more.
            api_version: `X-API-Version`, sent on every call; `None` leaves it out.
            timeouts: Seconds that one step of a call may take.
            deadline: Seconds for a whole call, retries included; `None` for none.
            retry: How often and how soon a call is retried.
            wire_names: Names that the specification does not show.
            transport: Sends the requests instead of the client's own connections: a mock, the sandbox.
            http_client: A client of httpx or httpx2 that carries the calls, with its proxies, mounts, hooks and HTTP/2.
                It is never closed here; its headers, cookies, `auth`, timeouts and redirects do not touch the calls.
            ssl_context: Your own verifying TLS context. The SDK changes its options (page Security).
            proxy: `http://[user:password@]host:port`; the process environment is never consulted.
            limits: How many connections are opened and how long idle ones are kept.
            allow_insecure_loopback: Accept `http://` for 127.0.0.1, ::1 and localhost.
            compress_requests: Send bodies compressed with gzip.
            send_gzip_header: Send `Content-Encoding: gzip` with calls that have no body, by which the specification
                asks for compressed responses; a server that inflates such a request returns 400.
            trace: `"auto"`, `"off"` or the caller's span to continue.
            observers: The observers of each call and request: `Hooks`, `OpenTelemetry`.
            read_only: Refuse every operation that is no read, before anything is sent; `with_options` cannot lift it.
                The variable `SUBSCRIBEKIT_READ_ONLY=1` does the same for all clients of a process.
            check_minor_units: Refuse amounts with more digits than ISO 4217 gives their currency, such as 19.999 USD.
            user_agent_suffix: Name and version of your application for the header `User-Agent`, such as `shop/1.2`.

        Raises:
            ConfigurationError: A value is missing or not usable; the text names it.
        """
        user, key, tunnel = sealed(api_user), sealed_provider(api_key), sealed(proxy)
        del api_user, api_key, proxy  # no frame of an error shows them
        target = Target("billing", environment, base_url, transport, allow_insecure_loopback=allow_insecure_loopback)
        credential = basic_credential(target, user, key)
        options = Options(
            user_agent_suffix=user_agent_suffix,
            timeouts=timeouts, deadline=deadline, retry=retry, wire_names=wire_names, ssl_context=ssl_context,
            proxy=tunnel, limits=limits, trace=trace, observers=observers, read_only=read_only,
            check_minor_units=check_minor_units, api_version=api_version, compress_requests=compress_requests,
            send_gzip_header=send_gzip_header, http_client=http_client,
        )  # fmt: skip
        self._driver = self._open(target, credential, options, transport)

    def __enter__(self) -> "BillingClient":
        return self


class AsyncBillingClient(AsyncBillingResources, AsyncClient):
    """Async client of the billing API (group A).

    Its arguments are those of `BillingClient`; `transport` and `http_client` are of the async kind. A callable that
    gives a credential may also be a coroutine function.
    """

    _resources = BillingResources

    if not TYPE_CHECKING:  # checkers see the one that `_faces` has, made from that of the blocking client
        __init__ = async_constructor(BillingClient)

    async def __aenter__(self) -> "AsyncBillingClient":
        return self
