"""The account lifecycle interfaces (group C): accounts of the user, custom data, and the paginated lists."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from ssl import SSLContext
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, get_args

from ._core.calls.telemetry.trace import Trace
from ._core.client.base import AsyncClient, BlockingClient
from ._core.client.binding import D, Resource, StyledDriver, listing, operation, styled
from ._core.client.collections import OffsetCollection
from ._core.client.constructor import async_constructor
from ._core.client.options import Options
from ._core.client.resources import Resources
from ._core.config.credentials import sealed, sealed_provider
from ._core.config.environments import Environment, Named
from ._core.config.observer import Observer
from ._core.config.retry_policy import RetryPolicy
from ._core.config.target import Target, session_credential
from ._core.config.timeouts import Limits, Timeouts
from ._core.config.wire_names import WireNames
from ._core.http.given import HttpClient, HttpTransport
from ._core.lists.listing import ByOffset, Listing, offset_list
from ._core.lists.parameters import ListParams
from ._core.operations.arguments import Wire, number_or_text
from ._core.operations.bodies import model_class
from ._core.operations.operation import Operation, Safety, delete
from ._hints.names import did_you_mean
from .errors import InvalidArgumentError
from .filters import Filter, filter_text
from .models._base import Model
from .models.account_association import AccountAssociation
from .models.entity import Entity

__tracebackhide__ = True  # pytest shows the line of the caller instead

M = TypeVar("M", bound=Model)

__all__ = ["ME", "AsyncUserMgmtClient", "EntityPath", "UserMgmtClient"]

ME: Final = "me"
"""The authenticated user, where a call takes a user id."""

API_RELEASE: Final = "v85"
"""The release in the paths of E10 and of the other lists."""

EntityPath: TypeAlias = Literal[
    "/user/runtimes",
    "/user/{userId}/runtimes",
    "/user/features",
    "/user/{userId}/features",
    "/user/subscriptions",
    "/user/{userId}/subscriptions",
    "/user/groups",
    "/user/{userId}/groups",
    "/user/accounts",
    "/user/{userId}/accounts",
    "/group/{groupId}/users",
    "/group/{groupId}/accounts",
    "/group/{groupId}/subscriptions",
    "/group/{groupId}/runtimes",
    "/group/{groupId}/features",
    "/account/{accountId}/users",
    "/account/{accountId}/groups",
    "/account/{accountId}/runtimes",
    "/account/{accountId}/subscriptions",
    "/subscription/{subscriptionId}/users",
    "/subscription/{subscriptionId}/groups",
    "/subscription/{subscriptionId}/features",
    "/subscription/{subscriptionId}/runtimes",
    "/feature/{featureId}/groups",
    "/feature/{featureId}/runtimes",
    "/feature/{featureId}/users",
    "/runtime/{runtimeId}/groups",
    "/runtime/{runtimeId}/accounts",
    "/runtime/{runtimeId}/subscriptions",
    "/runtime/{runtimeId}/features",
]
"""The paginated GET calls of the specification (Limits, rule 6)."""


class CustomData(Resource[D]):
    """Custom data arrays of users."""

    @operation
    def delete(
        self,
        user_id: str | int,
        property_array_name: str,
        *,
        filter: Filter | str,  # noqa: A002  the word of the specification
    ) -> Operation[None]:
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
        user = number_or_text("user_id", user_id)
        return delete(
            "/customData/v1/user/{userId:1024}/{propertyArrayName:1024}",
            user,
            property_array_name,
            safety=Safety.DELETE_MATCHING,
            query=((Wire("custom_data_filter_param"), filter_text(filter)),),
            reconcile_key=f"{user}/{property_array_name}",
        )


class Accounts(Resource[D]):
    """Accounts of the authenticated user."""

    @listing
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
    ) -> Listing[AccountAssociation]:
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
        return offset_list(
            f"{_prefix(self._driver)}/user/accounts",
            item=AccountAssociation,
            paging=ByOffset(offset, size, params, checkpoint, max_pages, prefetch, concurrency),
        )


class Entities(Resource[D]):
    """Users, groups, accounts, subscriptions, features and runtimes, and how they belong together."""

    @listing
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
    ) -> Listing[Entity]:
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
        given = {
            "userId": user_id,
            "groupId": group_id,
            "accountId": account_id,
            "subscriptionId": subscription_id,
            "featureId": feature_id,
            "runtimeId": runtime_id,
        }
        values = _path_identifiers(path, given)
        return offset_list(
            _prefix(self._driver) + path.replace("Id}", "Id:1024}"),
            *values,
            item=Entity,
            paging=ByOffset(offset, size, params, checkpoint, max_pages, prefetch, concurrency),
        )


def _path_identifiers(path: EntityPath, given: dict[str, str | int | None]) -> list[str]:
    """Give the identifier that a path needs, and refuse those that do not belong to it."""
    if path not in get_args(EntityPath):
        raise InvalidArgumentError(
            f"path must be one of the paginated calls, as written in the specification{_path_meant(path)}"
        )
    values: list[str] = []
    for name, value in given.items():
        argument = name.removesuffix("Id") + "_id"
        if (value is not None) != ("{" + name + "}" in path):
            raise InvalidArgumentError(
                f"{argument} {'is missing' if value is None else 'does not belong to this path'}"
            )
        if value is not None:
            values.append(number_or_text(argument, value))
    return values


def _path_meant(path: object) -> str:
    """Say which path was probably meant; one with an identifier in it is never shown."""
    if not isinstance(path, str):
        return ""
    bare = re.sub(r"^(/platform/rest)?(/v\d+)?", "", path)
    template = re.sub(r"^/(\w+)/[^{/][^/]*/", r"/\1/{\1Id}/", bare)
    if template in get_args(EntityPath):
        return f"; write {template!r} and {template.split('/')[1]}_id=..."
    return did_you_mean(template, get_args(EntityPath), 0.8)


def _prefix(driver: StyledDriver) -> str:
    return f"/platform/rest/{driver.settings.api_release}"


class UserMgmtResources(Resources[D]):
    """The resources of the account lifecycle interfaces."""

    @cached_property
    def custom_data(self) -> CustomData[D]:
        """Custom data arrays of users."""
        return styled(CustomData, self._driver)(self._driver)

    @cached_property
    def accounts(self) -> Accounts[D]:
        """Accounts of the authenticated user."""
        return styled(Accounts, self._driver)(self._driver)

    @cached_property
    def entities(self) -> Entities[D]:
        """Users, groups, accounts, subscriptions, features and runtimes."""
        return styled(Entities, self._driver)(self._driver)

    def collection(self, path: str, item: type[M]) -> OffsetCollection[M]:
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
        return styled(OffsetCollection, self._driver)(self._driver, path, model_class("item", item))


if TYPE_CHECKING:
    # Stubs, generated from the operations by scripts/faces.py: what checkers and editors follow are plain classes.
    from ._faces import AsyncUserMgmtResources, BlockingUserMgmtResources  # pyright: ignore[reportMissingModuleSource]
else:
    BlockingUserMgmtResources = AsyncUserMgmtResources = UserMgmtResources


class UserMgmtClient(BlockingUserMgmtResources, BlockingClient):
    """Blocking client of the account lifecycle interfaces (group C)."""

    _resources = UserMgmtResources

    def __init__(
        self,
        *,
        environment: Environment | Named | None = None,
        base_url: str | None = None,
        session_id: str | Callable[[], str] | None = None,
        cookie_name: str = "JSESSIONID",
        api_release: str = API_RELEASE,
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
            base_url: Base address of the account lifecycle interfaces; wins over the environment's. Given alone,
                credentials must be given too.
            session_id: The session, or a callable that gives it; on a 401 the callable is asked once more.
            cookie_name: Name of the session cookie.
            api_release: The release in the paths of the lists, `v` and a number; the specification shows `v85`.
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
        session, tunnel = sealed_provider(session_id), sealed(proxy)
        del session_id, proxy  # no frame of an error shows them
        target = Target("user_mgmt", environment, base_url, transport, allow_insecure_loopback=allow_insecure_loopback)
        credential = session_credential(target, session, cookie_name)
        options = Options(
            user_agent_suffix=user_agent_suffix,
            timeouts=timeouts, deadline=deadline, retry=retry, wire_names=wire_names, ssl_context=ssl_context,
            proxy=tunnel, limits=limits, trace=trace, observers=observers, read_only=read_only,
            check_minor_units=check_minor_units, http_client=http_client, api_release=api_release,
        )  # fmt: skip
        self._driver = self._open(target, credential, options, transport)

    def __enter__(self) -> "UserMgmtClient":
        return self


class AsyncUserMgmtClient(AsyncUserMgmtResources, AsyncClient):
    """Async client of the account lifecycle interfaces (group C).

    Its arguments are those of `UserMgmtClient`; `transport` and `http_client` are of the async kind. A callable that
    gives a credential may also be a coroutine function.
    """

    _resources = UserMgmtResources

    if not TYPE_CHECKING:  # checkers see the one that `_faces` has, made from that of the blocking client
        __init__ = async_constructor(UserMgmtClient)

    async def __aenter__(self) -> "AsyncUserMgmtClient":
        return self
