"""The gateway interfaces (group B): subscriptions, partner subscriptions, entitlement charges, campaign activation."""

from collections.abc import Callable, Sequence
from functools import cached_property
from ssl import SSLContext
from typing import TYPE_CHECKING

from ._core.calls.telemetry.trace import Trace
from ._core.client.base import AsyncClient, BlockingClient
from ._core.client.binding import D, Resource, operation, styled
from ._core.client.constructor import async_constructor
from ._core.client.options import Options
from ._core.client.resources import Resources
from ._core.config.credentials import sealed, sealed_provider
from ._core.config.environments import Environment, Named
from ._core.config.observer import Observer
from ._core.config.retry_policy import RetryPolicy
from ._core.config.target import Target, api_key_credential
from ._core.config.timeouts import Limits, Timeouts
from ._core.config.wire_names import WireNames
from ._core.http.given import HttpClient, HttpTransport
from ._core.operations.arguments import Pairs, Wire, flag, text
from ._core.operations.bodies import body_of
from ._core.operations.identity import REFERENCE, named
from ._core.operations.operation import Operation, Safety, get, post
from .errors import InvalidArgumentError
from .models.billing import Subscription
from .models.campaign import Campaign
from .models.entitlement_charge import EntitlementCharge, EntitlementChargeReceipt
from .models.partner_subscription import PartnerSubscription

__tracebackhide__ = True  # pytest shows the line of the caller instead

__all__ = ["AsyncGatewayClient", "GatewayClient"]


class Campaigns(Resource[D]):
    """Discounts: coupons and promotions."""

    @operation
    def activate(self, campaign: str) -> Operation[Campaign]:
        """Check whether a coupon or promotion can be used (E5).

        The specification calls it a check and does not show which state results, so it is treated as a write. It does
        not show how the call authenticates either: the API key is sent when the client has one.

        Args:
            campaign: Its id or vid, at most 128 characters.

        Returns:
            The campaign.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such campaign.
            OutcomeUnknownError: The campaign may or may not have been activated, and no call reads it:
                `client.resolve(error).support_details` is what to tell the operator.
        """
        return post(
            "/gateway/v1/campaigns/{campaign}/actions/activate",
            campaign,
            result=Campaign,
            identity=named(campaign),
            safety=Safety.WRITE,
            needs_credential=False,
        )


class Subscriptions(Resource[D]):
    """Subscriptions as the gateway shows them."""

    @operation
    def retrieve(
        self, subscription: str, *, partner_code: str | None = None, include_billing_plan_history: bool = False
    ) -> Operation[Subscription]:
        """Read a subscription (E6).

        The specification does not show the names of the partner code header and of the history flag: set them with
        `WireNames(partner_code_header=..., billing_plan_history_param=...)` before they can be used.

        Args:
            subscription: Its id or vid, at most 128 characters.
            partner_code: The partner code, at most 32 printable ASCII characters.
            include_billing_plan_history: Ask for the whole billing plan history.

        Returns:
            The subscription.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            ConfigurationError: The client has no API key, or the wire name of an argument is not set.
            NotFoundError: There is no such subscription.
        """
        headers, query = _partner_code(partner_code), _history(include_billing_plan_history)
        return get(
            "/submgmt/v2/subscriptions/{subscription}", subscription, result=Subscription, query=query, headers=headers
        )


def _partner_code(code: str | None) -> Pairs:
    if code is None:
        return ()
    code = text("partner_code", code, 32)
    if not code.isascii() or not code.isprintable() or code != code.strip():
        raise InvalidArgumentError("partner_code must be printable ASCII without spaces at its ends")
    return ((Wire("partner_code_header"), code),)


def _history(wanted: bool) -> Pairs:
    return ((Wire("billing_plan_history_param"), "1"),) if flag("include_billing_plan_history", wanted) else ()


class PartnerSubscriptions(Resource[D]):
    """Subscriptions that a partner manages or provides."""

    @operation
    def cancel(self, partner_subscription: str) -> Operation[PartnerSubscription]:
        """Cancel an active partner subscription of type `BILLING` (E7).

        Args:
            partner_subscription: Its id, at most 36 characters in this call.

        Returns:
            The record, its `billing_status` now `CANCELLED`.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            ConfigurationError: The client has no API key.
            PartnerSubscriptionNotFoundError: There is no such partner subscription.
            OutcomeUnknownError: It may or may not have been cancelled, and no call reads it:
                `client.resolve(error).support_details` is what to tell the operator.
        """
        return post(
            "/partnersub/v2/partnerSubscription/{partner_subscription:36}/cancel",
            partner_subscription,
            result=PartnerSubscription,
            identity=named(partner_subscription),
            safety=Safety.WRITE,
        )


class Entitlements(Resource[D]):
    """Charges of content and service providers for subscriptions that the platform manages."""

    @operation
    def charge(self, partner_subscription: str, charge: EntitlementCharge) -> Operation[EntitlementChargeReceipt]:
        """Submit an entitlement charge, or a refund when the amount is negative (E8).

        Nothing says that the platform recognises a repeated `transaction_id`, so a charge is sent again only when no
        byte of it left the machine. Store `charge.transaction_id` before the call: it is what to reconcile by.

        Args:
            partner_subscription: The partner subscription's id, at most 36 characters in this call.
            charge: The charge: `amount` in units of the currency (4.90 is 4 dollars 90), exact, and negative for a
                refund, which names the charge by `original_transaction_id`.

        Returns:
            The receipt with the platform's reference.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            ConfigurationError: The client has no API key.
            OutcomeUnknownError: The charge may or may not have been made; `reconcile_key` is its transaction id. Do not
                send it again, even with another transaction ID, until the operator confirms that it was not made. Send
                `client.resolve(error).support_details` to the operator, because no call reads the charge.
        """
        body = body_of("charge", charge, EntitlementCharge)
        return post(
            "/v1/entitlement/{partner_subscription:36}/charge",
            partner_subscription,
            result=EntitlementChargeReceipt,
            safety=Safety.MONEY,
            body=body,
            identity=REFERENCE,
            reconcile_key=charge.transaction_id,
            reconcile_by="transaction_id",
            original_transaction_id=charge.original_transaction_id,
        )


class GatewayResources(Resources[D]):
    """The resources of the gateway."""

    @cached_property
    def campaigns(self) -> Campaigns[D]:
        """Discounts: coupons and promotions."""
        return styled(Campaigns, self._driver)(self._driver)

    @cached_property
    def subscriptions(self) -> Subscriptions[D]:
        """Subscriptions as the gateway shows them."""
        return styled(Subscriptions, self._driver)(self._driver)

    @cached_property
    def partner_subscriptions(self) -> PartnerSubscriptions[D]:
        """Subscriptions that a partner manages or provides."""
        return styled(PartnerSubscriptions, self._driver)(self._driver)

    @cached_property
    def entitlements(self) -> Entitlements[D]:
        """Charges for subscriptions that the platform manages."""
        return styled(Entitlements, self._driver)(self._driver)


if TYPE_CHECKING:
    # Stubs, generated from the operations by scripts/faces.py: what checkers and editors follow are plain classes.
    from ._faces import AsyncGatewayResources, BlockingGatewayResources  # pyright: ignore[reportMissingModuleSource]
else:
    BlockingGatewayResources = AsyncGatewayResources = GatewayResources


class GatewayClient(BlockingGatewayResources, BlockingClient):
    """Blocking client of the gateway (group B)."""

    _resources = GatewayResources

    def __init__(
        self,
        *,
        environment: Environment | Named | None = None,
        base_url: str | None = None,
        api_key: str | Callable[[], str] | None = None,
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
        trace: Trace = "auto",
        observers: Sequence[Observer] = (),
        read_only: bool = False,
        check_minor_units: bool = False,
        user_agent_suffix: str | None = None,
    ) -> None:
        """Make a client; nothing is sent yet.

        Args:
            environment: An `Environment`, or `"production"`, `"staging"`, `"sandbox"`. There is no default.
            base_url: Base address of the gateway; wins over the environment's. Given alone, credentials must be given
                too.
            api_key: `X-API-KEY`, obtained from the platform operator, or a callable that gives it; on a 401 it is asked
                once more. Only `campaigns.activate` works without one.
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
            trace: `"auto"`, `"off"` or the caller's span to continue.
            observers: The observers of each call and request: `Hooks`, `OpenTelemetry`.
            read_only: Refuse every operation that is no read, before anything is sent; `with_options` cannot lift it.
                The variable `SUBSCRIBEKIT_READ_ONLY=1` does the same for all clients of a process.
            check_minor_units: Refuse amounts with more digits than ISO 4217 gives their currency, such as 19.999 USD.
            user_agent_suffix: Name and version of your application for the header `User-Agent`, such as `shop/1.2`.

        Raises:
            ConfigurationError: A value is missing or not usable; the text names it.
        """
        key, tunnel = sealed_provider(api_key), sealed(proxy)
        del api_key, proxy  # no frame of an error shows them
        target = Target("gateway", environment, base_url, transport, allow_insecure_loopback=allow_insecure_loopback)
        credential = api_key_credential(target, key)
        options = Options(
            user_agent_suffix=user_agent_suffix,
            timeouts=timeouts, deadline=deadline, retry=retry, wire_names=wire_names, ssl_context=ssl_context,
            proxy=tunnel, limits=limits, trace=trace, observers=observers, read_only=read_only,
            check_minor_units=check_minor_units, http_client=http_client,
        )  # fmt: skip
        self._driver = self._open(target, credential, options, transport)

    def __enter__(self) -> "GatewayClient":
        return self


class AsyncGatewayClient(AsyncGatewayResources, AsyncClient):
    """Async client of the gateway (group B).

    Its arguments are those of `GatewayClient`; `transport` and `http_client` are of the async kind. A callable that
    gives a credential may also be a coroutine function.
    """

    _resources = GatewayResources

    if not TYPE_CHECKING:  # checkers see the one that `_faces` has, made from that of the blocking client
        __init__ = async_constructor(GatewayClient)

    async def __aenter__(self) -> "AsyncGatewayClient":
        return self
