"""The storefront (group D): payment method flags."""

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
from ._core.config.target import Target, bearer_credential
from ._core.config.timeouts import Limits, Timeouts
from ._core.config.unset import UNSET, Unset
from ._core.config.wire_names import WireNames
from ._core.http.given import HttpClient, HttpTransport
from ._core.operations.arguments import flag, text
from ._core.operations.bodies import body_bytes
from ._core.operations.identity import created
from ._core.operations.operation import Operation, put
from ._core.operations.readers import ReadOneOf
from .errors import InvalidArgumentError
from .models.storefront import StorefrontPaymentMethod

__tracebackhide__ = True  # pytest shows the line of the caller instead

__all__ = ["AsyncStorefrontClient", "StorefrontClient"]


class PaymentMethods(Resource[D]):
    """Payment methods of an account."""

    @operation
    def update(
        self,
        account: str,
        *,
        payment_method_id: str,
        primary: bool | Unset = UNSET,
        active: bool | Unset = UNSET,
    ) -> Operation[StorefrontPaymentMethod]:
        """Set the primary flag, the active flag or both of a payment method (E11).

        A flag that is left out (`UNSET`) is not sent; whether the service then leaves it as it is, is not shown. The
        specification shows one object as the response and describes a list of the account's methods; of a list, the
        method that was asked for is returned. The call sets absolute values, so it is retried after a lost response.

        Args:
            account: The account's id, 1 to 1,024 characters (the specification shows no limit).
            payment_method_id: The payment method's id, 1 to 1,024 characters.
            primary: Whether it is the account's primary payment method.
            active: Whether it may be used.

        Returns:
            The payment method after the update.

        Raises:
            InvalidArgumentError: An argument is refused, or neither flag is given; nothing was sent.
            NotFoundError: There is no such account or payment method.
            OutcomeUnknownError: No response came on any attempt; the flags may or may not be set. Calling again sets
                the same flags and does no harm.
        """
        flags = {"primary": primary, "active": active}
        given = {name: flag(name, value) for name, value in flags.items() if not isinstance(value, Unset)}
        if not given:
            raise InvalidArgumentError("give primary, active or both; without them the call would change nothing")
        body = {"paymentMethodId": text("payment_method_id", payment_method_id), **given}
        return put(
            "/storefront/paymentMethod/account/{account:1024}",
            account,
            reader=ReadOneOf(StorefrontPaymentMethod, payment_method_id),
            body=body_bytes("body", body),
            identity=created(payment_method_id),
        )


class StorefrontResources(Resources[D]):
    """The resources of the storefront."""

    @cached_property
    def payment_methods(self) -> PaymentMethods[D]:
        """Payment methods of an account."""
        return styled(PaymentMethods, self._driver)(self._driver)


if TYPE_CHECKING:
    # Stubs, generated from the operations by scripts/faces.py: what checkers and editors follow are plain classes.
    from ._faces import AsyncStorefrontResources, BlockingStorefrontResources  # pyright: ignore[reportMissingModuleSource]
else:
    BlockingStorefrontResources = AsyncStorefrontResources = StorefrontResources


class StorefrontClient(BlockingStorefrontResources, BlockingClient):
    """Blocking client of the storefront (group D)."""

    _resources = StorefrontResources

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
            base_url: Base address of the storefront; wins over the environment's. Given alone, credentials must be
                given too.
            access_token: The bearer token, or a callable that gives it; on a 401 the callable is asked once more.
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
        token, tunnel = sealed_provider(access_token), sealed(proxy)
        del access_token, proxy  # no frame of an error shows them
        target = Target("storefront", environment, base_url, transport, allow_insecure_loopback=allow_insecure_loopback)
        credential = bearer_credential(target, token)
        options = Options(
            user_agent_suffix=user_agent_suffix,
            timeouts=timeouts, deadline=deadline, retry=retry, wire_names=wire_names, ssl_context=ssl_context,
            proxy=tunnel, limits=limits, trace=trace, observers=observers, read_only=read_only,
            check_minor_units=check_minor_units, http_client=http_client,
        )  # fmt: skip
        self._driver = self._open(target, credential, options, transport)

    def __enter__(self) -> "StorefrontClient":
        return self


class AsyncStorefrontClient(AsyncStorefrontResources, AsyncClient):
    """Async client of the storefront (group D).

    Its arguments are those of `StorefrontClient`; `transport` and `http_client` are of the async kind. A callable that
    gives a credential may also be a coroutine function.
    """

    _resources = StorefrontResources

    if not TYPE_CHECKING:  # checkers see the one that `_faces` has, made from that of the blocking client
        __init__ = async_constructor(StorefrontClient)

    async def __aenter__(self) -> "AsyncStorefrontClient":
        return self
