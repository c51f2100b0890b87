"""The operations of `user_mgmt.py`, asynchronous; written by scripts/faces.py."""

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
from subscribekit._core.lists.pager import AsyncPager
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._faces.asynchronous.collections import AsyncOffsetCollection
from subscribekit._faces.asynchronous_raw.user_mgmt import AsyncRawUserMgmtResources
from subscribekit._faces.prepared.user_mgmt import PreparedUserMgmtResources
from subscribekit._json import JSON
from subscribekit.filters import Filter
from subscribekit.models._base import Model
from subscribekit.models.account_association import AccountAssociation
from subscribekit.models.entity import Entity
from subscribekit.user_mgmt import API_RELEASE, AsyncUserMgmtClient, EntityPath

M = TypeVar("M", bound=Model)

class AsyncCustomData:
    """Custom data arrays of users."""

    async def delete(self, user_id: str | int, property_array_name: str, *, filter: Filter | str) -> None:
        """Delete the items of a custom data array that match a filter (E9).

        The specification does not show the name of the query parameter: set it with
        `WireNames(custom_data_filter_param=...)`. The service evaluates the filter when the request arrives, so a
        retry would also delete items that were added since; it is not retried when the outcome is unknown.

        Args:
            user_id: A user's id, as text or as the whole number that responses give, or `"me"` (`ME`) for the
                authenticated user. Check a user id that comes from outside data: the text `me` in it deletes data of
                the authenticated user.
            property_array_name: Name of the custom data array.
            filter: Which items, built with `subscribekit.filters.field`, or the text of a filter expression, which is
                taken as it is.

        Raises:
            InvalidArgumentError: An argument is refused, such as an empty filter; nothing was sent.
            ConfigurationError: The wire name of the filter is not set.
            UserNotFoundError: There is no such user.
            OutcomeUnknownError: The items may or may not have been deleted; `reconcile_key` is user and array
                (`u1/notes`). No call reads them: `client.resolve(error).support_details` is what to tell the operator.
        """

class AsyncAccounts:
    """Accounts of the authenticated user."""

    def list(
        self,
        *,
        offset: int = 0,
        size: int | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
        concurrency: int = 1,
    ) -> AsyncPager[AccountAssociation]:
        """List the accounts of the authenticated user, with their subscriptions (E10).

        Args:
            offset: How many accounts to skip; not negative.
            size: Page size, 0 to 100; the service uses 20 when absent. 0 asks for all at once, which the service
                refuses (`PageSizeError`) when there are more than its maximum page size.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.
            concurrency: Pages that are read side by side once the total is known, 1 to 64.

        Returns:
            A pager of account associations.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            PageSizeError: While iterating: the service gives fewer at once than `size` asks for.
        """

class AsyncEntities:
    """Users, groups, accounts, subscriptions, features and runtimes, and how they belong together."""

    def list(
        self,
        path: EntityPath,
        *,
        user_id: str | int | None = None,
        group_id: str | int | None = None,
        account_id: str | int | None = None,
        subscription_id: str | int | None = None,
        feature_id: str | int | None = None,
        runtime_id: str | int | None = None,
        offset: int = 0,
        size: int | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
        concurrency: int = 1,
    ) -> AsyncPager[Entity]:
        """List entities by one of the 30 paginated calls (specification, Limits, rule 6).

        The specification shows these paths without their prefix; the prefix of E10 is assumed for all of them. An
        identifier is text, or the whole number that responses give.

        Args:
            path: Which list; the part in braces is the argument of the same name.
            user_id: For paths with `{userId}`.
            group_id: For paths with `{groupId}`.
            account_id: For paths with `{accountId}`.
            subscription_id: For paths with `{subscriptionId}`.
            feature_id: For paths with `{featureId}`.
            runtime_id: For paths with `{runtimeId}`.
            offset: How many entities to skip; not negative.
            size: Page size, 0 to 100; the service uses 20 when absent.
            params: Further query parameters, by their names on the wire; several values send one several times.
            checkpoint: Go on where an earlier iteration of the same list stopped.
            max_pages: Stop after so many pages.
            prefetch: Read one page ahead while the present one is used.
            concurrency: Pages that are read side by side once the total is known, 1 to 64.

        Returns:
            A pager of entities.

        Raises:
            InvalidArgumentError: An unknown path, an identifier that is missing or does not belong to the path.
        """

class AsyncUserMgmtResources(AsyncClient):
    """The resources of the account lifecycle interfaces."""

    @property
    def custom_data(self) -> AsyncCustomData:
        """Custom data arrays of users."""

    @property
    def accounts(self) -> AsyncAccounts:
        """Accounts of the authenticated user."""

    @property
    def entities(self) -> AsyncEntities:
        """Users, groups, accounts, subscriptions, features and runtimes."""

    def collection(self, path: str, item: type[M]) -> AsyncOffsetCollection[M]:
        """List what is at your own path, such as a list that your operator told you about.

        `client.collection("/platform/rest/v85/user/devices", Entity).list(size=50)` is a pager of `Entity`.

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
        session_id: str | Callable[[], str] | Callable[[], Awaitable[str]] | None = None,
        cookie_name: str = "JSESSIONID",
        api_release: str = API_RELEASE,
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

        The arguments are those of `UserMgmtClient`; a callable may also be a coroutine function.

        Raises:
            ConfigurationError: A value is missing or not usable; the text names it.
        """

    @property
    def with_raw_response(self) -> AsyncRawUserMgmtResources:
        """The same methods, returning `Response` with status, headers, ids, attempts and time."""

    @property
    def prepare(self) -> PreparedUserMgmtResources:
        """The same methods, returning the exact request and sending nothing."""

    def with_options(
        self,
        *,
        timeouts: Timeouts | Unset = UNSET,
        deadline: float | Unset | None = UNSET,
        retry: RetryPolicy | Unset = UNSET,
        trace: Trace | Unset = UNSET,
        headers: Mapping[str, str] | Unset = UNSET,
    ) -> AsyncUserMgmtClient:
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
