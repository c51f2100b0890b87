"""The storefront (group D): payment method flags."""

from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from ssl import SSLContext
from typing import TYPE_CHECKING

from ._core.calls.drivers import AsyncDriver, Driver
from ._core.calls.trace import Trace
from ._core.client.base import AsyncClient, BlockingClient
from ._core.client.binding import AsyncRawDriver, D, Planner, RawDriver, Resource, operation
from ._core.client.options import Options
from ._core.client.resources import Families
from ._core.config.credentials import sealed, sealed_provider
from ._core.config.environments import Environment, Named
from ._core.config.retry_policy import RetryPolicy
from ._core.config.target import Place, bearer_credential
from ._core.config.timeouts import Limits, Timeouts
from ._core.config.wire_names import WireNames
from ._core.http.given import AsyncBackend, AsyncHttpTransport, HttpTransport
from ._core.operations.arguments import flag, path, text
from ._core.operations.bodies import body_bytes
from ._core.operations.operation import Operation, Safety
from ._core.operations.readers import ReadOneOf
from .models.storefront import StorefrontPaymentMethod

if TYPE_CHECKING:
    from ._core.calls.observers import Observer

__all__ = ["AsyncStorefrontClient", "StorefrontClient"]


class PaymentMethods(Resource[D]):
    """Payment methods of an account."""

    @operation
    def update(
        self, account: str, *, payment_method_id: str, primary: bool, active: bool
    ) -> Operation[StorefrontPaymentMethod]:
        """Set the primary and active flags of a payment method (E11).

        The specification shows one object as the answer and describes a list of the account's methods; of a list, the
        method that was asked for is returned. The call sets absolute values, so it is repeated after a lost answer.

        Args:
            account: The account's id, 1 to 1,024 characters (the specification shows no limit).
            payment_method_id: The payment method's id, 1 to 1,024 characters.
            primary: Whether it is the account's primary payment method.
            active: Whether it may be used.

        Returns:
            The payment method after the update.

        Raises:
            RequestError: An argument is refused; nothing was sent.
            NotFoundError: There is no such account or payment method.
            OutcomeUnknownError: No answer came on any attempt.
        """
        body = {
            "paymentMethodId": text("payment_method_id", payment_method_id),
            "primary": flag("primary", primary),
            "active": flag("active", active),
        }
        template, segments, resource_id = path("/storefront/paymentMethod/account/{account:1024}", account)
        return Operation(
            method="PUT",
            template=template,
            path=segments,
            body=body_bytes("body", body),
            reader=ReadOneOf(StorefrontPaymentMethod, payment_method_id),
            safety=Safety.PUT,
            resource_id=resource_id,
            reconcile_key=resource_id,
        )


class StorefrontResources(Families[D]):
    """The resource families of the storefront."""

    @cached_property
    def payment_methods(self) -> PaymentMethods[D]:
        """Payment methods of an account."""
        return PaymentMethods(self._driver)


class StorefrontClient(BlockingClient, StorefrontResources[Driver]):
    """Blocking client of the storefront (group D)."""

    def __init__(
        self,
        *,
        environment: Environment | Named | None = None,
        base_url: str | None = None,
        access_token: str | Callable[[], str] | None = None,
        timeouts: Timeouts | None = None,
        deadline: float | None = 60.0,
        retry: RetryPolicy | None = None,
        wire_names: WireNames | None = None,
        transport: HttpTransport | None = None,
        ssl_context: SSLContext | None = None,
        proxy: str | None = None,
        limits: Limits | None = None,
        allow_insecure_loopback: bool = False,
        trace: Trace = "auto",
        observers: "Sequence[Observer]" = (),
    ) -> None:
        """Make a client; nothing is sent yet.

        Args:
            environment: An `Environment`, or `"production"`, `"staging"`, `"sandbox"`. There is no default.
            base_url: Base address of the storefront; wins over the environment's. Given alone, credentials must be
                given too.
            access_token: The bearer token, or a callable that gives it; on a 401 the callable is asked once more.
            timeouts: Seconds that one step of a call may take.
            deadline: Seconds for a whole call, retries included; `None` for none.
            retry: How often and how soon a call is repeated.
            wire_names: Names that the specification does not show.
            transport: What carries the requests instead of the client's own connections: a mock, the sandbox.
            ssl_context: A verifying TLS context of one's own.
            proxy: `http://[user:password@]host:port`; the process environment is never consulted.
            limits: How many connections are opened and how long idle ones are kept.
            allow_insecure_loopback: Accept `http://` for 127.0.0.1, ::1 and localhost.
            trace: `"auto"`, `"off"` or the caller's span to continue.
            observers: Who is told of each call and request: `Hooks`, `OpenTelemetry`.

        Raises:
            ConfigurationError: A value is missing or not usable; the text names it.
        """
        token, tunnel = sealed_provider(access_token), sealed(proxy)
        del access_token, proxy  # no frame of an error shows them
        place = Place("storefront", environment, base_url, allow_insecure_loopback=allow_insecure_loopback)
        credential = bearer_credential(place, token)
        options = Options(
            timeouts=timeouts,
            deadline=deadline,
            retry=retry,
            wire_names=wire_names,
            ssl_context=ssl_context,
            proxy=tunnel,
            limits=limits,
            trace=trace,
            observers=observers,
        )
        self._driver = self._open(place, credential, options, transport)

    @property
    def with_raw_response(self) -> StorefrontResources[RawDriver]:
        """The same methods, returning `Response` with status, headers, ids, attempts and time."""
        return StorefrontResources(RawDriver(self._driver))

    @property
    def plan(self) -> StorefrontResources[Planner]:
        """The same methods, returning the exact request and sending nothing."""
        return StorefrontResources(Planner(self._settings))


class AsyncStorefrontClient(AsyncClient, StorefrontResources[AsyncDriver]):
    """Async client of the storefront (group D)."""

    def __init__(
        self,
        *,
        environment: Environment | Named | None = None,
        base_url: str | None = None,
        access_token: str | Callable[[], str] | Callable[[], Awaitable[str]] | None = None,
        timeouts: Timeouts | None = None,
        deadline: float | None = 60.0,
        retry: RetryPolicy | None = None,
        wire_names: WireNames | None = None,
        transport: AsyncHttpTransport | AsyncBackend | None = None,
        ssl_context: SSLContext | None = None,
        proxy: str | None = None,
        limits: Limits | None = None,
        allow_insecure_loopback: bool = False,
        trace: Trace = "auto",
        observers: "Sequence[Observer]" = (),
    ) -> None:
        """Make a client; nothing is sent yet.

        The arguments are those of `StorefrontClient`; a callable may also be a coroutine function.

        Raises:
            ConfigurationError: A value is missing or not usable; the text names it.
        """
        token, tunnel = sealed_provider(access_token), sealed(proxy)
        del access_token, proxy  # no frame of an error shows them
        place = Place("storefront", environment, base_url, allow_insecure_loopback=allow_insecure_loopback)
        credential = bearer_credential(place, token)
        options = Options(
            timeouts=timeouts,
            deadline=deadline,
            retry=retry,
            wire_names=wire_names,
            ssl_context=ssl_context,
            proxy=tunnel,
            limits=limits,
            trace=trace,
            observers=observers,
        )
        self._driver = self._open(place, credential, options, transport)

    @property
    def with_raw_response(self) -> StorefrontResources[AsyncRawDriver]:
        """The same methods, returning `Response` with status, headers, ids, attempts and time."""
        return StorefrontResources(AsyncRawDriver(self._driver))

    @property
    def plan(self) -> StorefrontResources[Planner]:
        """The same methods, returning the exact request and sending nothing."""
        return StorefrontResources(Planner(self._settings))
