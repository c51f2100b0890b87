"""The operations of `storefront.py`, asynchronous; written by scripts/faces.py."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from ssl import SSLContext
from typing import TypeVar, overload

from subscribekit._core.calls.telemetry.trace import Trace
from subscribekit._core.client.base import AsyncClient
from subscribekit._core.client.resources import Body
from subscribekit._core.config.environments import Environment, Named
from subscribekit._core.config.observer import Observer
from subscribekit._core.config.retry_policy import RetryPolicy
from subscribekit._core.config.timeouts import Limits, Timeouts
from subscribekit._core.config.unset import UNSET, Unset
from subscribekit._core.config.wire_names import WireNames
from subscribekit._core.http.given import AsyncHttpClient, AsyncHttpTransport
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._faces.asynchronous_raw.storefront import AsyncRawStorefrontResources
from subscribekit._faces.prepared.storefront import PreparedStorefrontResources
from subscribekit._json import JSON
from subscribekit.models._base import Model
from subscribekit.models.storefront import StorefrontPaymentMethod
from subscribekit.storefront import AsyncStorefrontClient

M = TypeVar("M", bound=Model)

class AsyncPaymentMethods:
    """Payment methods of an account."""

    async def update(
        self, account: str, *, payment_method_id: str, primary: bool | Unset = UNSET, active: bool | Unset = UNSET
    ) -> StorefrontPaymentMethod:
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

class AsyncStorefrontResources(AsyncClient):
    """The resources of the storefront."""

    @property
    def payment_methods(self) -> AsyncPaymentMethods:
        """Payment methods of an account."""

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
        access_token: str | Callable[[], str] | Callable[[], Awaitable[str]] | None = None,
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
        trace: Trace = "auto",
        observers: Sequence[Observer] = (),
        read_only: bool = False,
        check_minor_units: bool = False,
        user_agent_suffix: str | None = None,
    ) -> None:
        """Make a client; nothing is sent yet.

        The arguments are those of `StorefrontClient`; a callable may also be a coroutine function.

        Raises:
            ConfigurationError: A value is missing or not usable; the text names it.
        """

    @property
    def with_raw_response(self) -> AsyncRawStorefrontResources:
        """The same methods, returning `Response` with status, headers, ids, attempts and time."""

    @property
    def prepare(self) -> PreparedStorefrontResources:
        """The same methods, returning the exact request and sending nothing."""

    def with_options(
        self,
        *,
        timeouts: Timeouts | Unset = UNSET,
        deadline: float | Unset | None = UNSET,
        retry: RetryPolicy | Unset = UNSET,
        trace: Trace | Unset = UNSET,
        headers: Mapping[str, str] | Unset = UNSET,
    ) -> AsyncStorefrontClient:
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
