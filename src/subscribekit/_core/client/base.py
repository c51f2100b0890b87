"""The base of all clients: life cycle, options, and calls that have no method."""

from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from ..._articles import with_article
from ...errors import ConfigurationError
from ..calls.drivers import AsyncDriver, ConnectionState, Driver
from ..calls.prepared.prepared_request import PreparedRequest
from ..calls.settings import Settings
from ..calls.telemetry.trace import Trace
from ..config.clock import SYSTEM, Clock
from ..config.credentials import Credential
from ..config.retry_policy import RetryPolicy
from ..config.target import Target
from ..config.timeouts import Limits, Timeouts
from ..config.unset import UNSET, Unset
from ..http.backends import choice
from ..http.backends.httpx_transport import AsyncHttpxTransport, HttpxTransport
from ..http.connections.route import Route
from ..http.given import AsyncHttpTransport, HttpTransport
from ..http.wire.tls import check_ssl_context, ssl_context_of
from ..resolving.verdict import Recorded, Verdict
from .options import Options, build_settings, changed, check_options
from .resources import driver_of

if TYPE_CHECKING:
    from ..resolving.resolve import Steps

__tracebackhide__ = True  # pytest shows the line of the caller instead

T = TypeVar("T")
C = TypeVar("C", Driver, AsyncDriver)
S = TypeVar("S", bound="Base[Any]")


def _clock_of(transport: object) -> Clock:
    clock = getattr(transport, "clock", None)
    return clock if isinstance(clock, Clock) else SYSTEM


def _route(target: Target, options: Options, transport: object, client: object) -> Route:
    """Where the client's connections go; also a client with a transport of its own has its options checked."""
    check_options(options)
    context = None if options.ssl_context is None else check_ssl_context(options.ssl_context)
    if context is None and target.ca_file is not None:
        context = ssl_context_of(target.ca_file)
    proxy, given = None, options.proxy or target.proxy
    if given is not None:
        from ..http.wire.proxy import parse_proxy

        variable = "" if options.proxy or target.environment is None else target.environment.variable("proxy")
        if variable and transport is not None:
            raise ConfigurationError(f"{variable} is set, and would not be used beside transport")
        proxy = parse_proxy(given, variable or "proxy")
    if proxy is not None and target.address.scheme == "http":
        raise ConfigurationError(
            "proxy cannot be used with an http:// address: the credential would reach the proxy in clear"
        )
    return Route(options.limits or choice.limits_of(transport, client) or Limits(), context, proxy)


def _alone(client: object, transport: object, target: Target, options: Options) -> object:
    """Give the client of httpx that was given, if any, when nothing beside it would go unused."""
    if client is not None:
        of_connections = ("proxy", options.proxy), ("ssl_context", options.ssl_context), ("limits", options.limits)
        for name, value in (("transport", transport), *of_connections):
            if value is not None:
                raise ConfigurationError(f"{name} cannot be given beside http_client: set it in the client of httpx")
        if (variables := target.connection_variables) or target.ca_file is not None:
            name = variables[0] if variables else "the ca_file of the environment"
            raise ConfigurationError(f"{name} is set, and would not be used beside http_client")
        if target.is_sandbox:
            raise ConfigurationError("environment='sandbox' responds in this process and would not use http_client")
    return client


class Base(Generic[C]):
    """Base of both styles of client."""

    _driver: C

    @property
    def _settings(self) -> Settings:
        return self._driver.settings

    @property
    def environment(self) -> str:
        """Name of the environment, or `custom`."""
        return self._settings.environment

    @property
    def base_url(self) -> str:
        """The base address that calls go to."""
        return self._settings.address.url

    @property
    def http_backend(self) -> str:
        """The HTTP backend, such as `httpx 0.28.1, own connections` or `httpx2, the caller's client`."""
        return self._driver.transport.http_backend

    def __repr__(self) -> str:
        if "_driver" not in vars(self):
            return f"<{type(self).__name__} that was not made>"
        return f"<{type(self).__name__} {self._settings.shown}>"

    def with_options(
        self: S,
        *,
        timeouts: Timeouts | Unset = UNSET,
        deadline: float | Unset | None = UNSET,
        retry: RetryPolicy | Unset = UNSET,
        trace: Trace | Unset = UNSET,
        headers: Mapping[str, str] | Unset = UNSET,
    ) -> S:
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
        settings = changed(self._settings, timeouts, deadline, retry, trace, headers)
        copy = object.__new__(type(self))
        vars(copy).update(_given(self))
        copy._driver = self._driver.beside(settings)
        return copy

    def preload(self) -> None:
        """Import every module and build every model that a call of this client may need, before the first call.

        For programs that are started for few calls, such as serverless functions: call it while the program starts.
        Nothing is sent. It takes about a second; `python -m subscribekit preload` does it for all clients while an
        image is built, so that Python has compiled the modules.

        Raises:
            OSError: A file cannot be opened.
            ImportError: A module cannot be imported.
        """
        from .deferred import preload

        preload(self)

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError(
            f"{with_article(type(self))} holds credentials and connections and cannot be pickled or copied; make one "
            f"where it is used, or use with_options() for a copy with other settings"
        )


def _given(client: Base[Any]) -> dict[str, object]:
    """Return the attributes that a copy of a client shares; the resources that it keeps belong to its own driver."""
    kept = {name for kind in type(client).__mro__ for name, each in vars(kind).items() if hasattr(each, "__get__")}
    return {name: value for name, value in vars(client).items() if name not in kept}


def _steps(
    client: Base[Any], settings: Settings, error: object, after: float, wait: bool, begun: float | None
) -> "Steps":
    """Find out how the call of an error is resolved, before anything is read."""
    from ..resolving.resolve import check_times, resolving, unknown_outcome_of
    from .reads import reads_of

    unknown = unknown_outcome_of(settings, error)
    check_times(after, wait)
    rule, describe = reads_of(client, settings.group, unknown.operation or "", dict(unknown.record))
    return resolving(
        settings, unknown, rule, describe, after, wait, settings.clock.monotonic() if begun is None else begun
    )


def _for_reads(settings: Settings, wait: bool) -> Settings:
    """Give settings that do not sleep before a second attempt where nothing may sleep."""
    return settings if wait else replace(settings, retry=replace(settings.retry, max_attempts=1))


class BlockingClient(Base[Driver]):
    """A client whose calls block."""

    @staticmethod
    def _open(target: Target, credential: Credential, options: Options, transport: HttpTransport | None) -> Driver:
        client = _alone(options.http_client, transport, target, options)
        if transport is None and client is None and target.is_sandbox:
            from ...sandbox.platform import platform_of

            transport = platform_of(target.environment).transport
        given = None if transport is None else choice.given(transport)
        given = given if client is None else HttpxTransport.by_client(client)
        route = _route(target, options, transport, client)
        settings = build_settings(target, credential, options, route.limits, _clock_of(transport))
        return Driver(settings, given or choice.own(route, target.address.origin), ConnectionState(owned=given is None))

    def send(self, request: PreparedRequest[T]) -> T:
        """Send a prepared request unchanged, and return the result of the call.

        The credential is added as it is sent, and each attempt gets its own span in the request's trace. Retries,
        deadline, and observers are those of this client. Sending it twice makes two requests.

        Args:
            request: The result of `client.prepare`, from this process or from another one.

        Returns:
            The result of the call; for a list its first page.

        Raises:
            InvalidArgumentError: It isn't a prepared request, was changed, or is of another group or base address;
                nothing was sent.
            SubscribekitError: As the call itself.
        """
        return self._driver.send_prepared(request).data

    def resolve(
        self, error: BaseException | Recorded, *, not_applied_after: float = 30.0, wait: bool = True
    ) -> Verdict:
        """Look what became of a call whose outcome is unknown. Nothing but reads is sent.

        A request may still be under way meanwhile: `not_applied` needs two looks 2 seconds apart, the last one at least
        `not_applied_after` seconds after it was sent. A clock that can't be set measures that time: the monotonic clock
        of the same process, the boot clock of the same machine, or the service's clock by its `Date`s. Without one, the
        time counts from the beginning of this call. A response that a cache kept counts for nothing.

        Args:
            error: The `OutcomeUnknownError`, also one that was pickled or came from another process; what interrupted
                the call (a cancellation, Ctrl-C); or an item of a bulk run whose outcome is unknown.
            not_applied_after: Seconds after sending. Later, a request that the reads don't show counts as not applied,
                because it can no longer be in flight.
            wait: Whether to wait for that. With `False` nothing sleeps, and an absence is `undecided`, after one look;
                `evidence` says how long to wait.

        Returns:
            The verdict. A read that fails makes it `undecided`.

        Raises:
            InvalidArgumentError: The outcome is known, the call was one of another group or base address, or
                `not_applied_after` or `wait` is refused; its `outcome` is that of the call.
            ClientClosedError: The client is closed.
        """
        return resolve(self, error, not_applied_after, wait)

    def close(self) -> None:
        """Close the connections; a later call raises `ClientClosedError`."""
        self._driver.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    if not TYPE_CHECKING:  # checkers report these uses themselves, and editors see the method itself

        def __aenter__(self) -> NoReturn:
            raise TypeError(
                f"{type(self).__name__} blocks: write 'with' instead of 'async with', or use Async{type(self).__name__}"
            )

        async def __aexit__(self, *_: object) -> None:
            """Never run, since `__aenter__` raises; Python asks for both."""


class AsyncClient(Base[AsyncDriver]):
    """A client whose calls are awaited, on asyncio."""

    @staticmethod
    def _open(
        target: Target, credential: Credential, options: Options, transport: AsyncHttpTransport | None
    ) -> AsyncDriver:
        client = _alone(options.http_client, transport, target, options)
        if transport is None and client is None and target.is_sandbox:
            from ...sandbox.platform import platform_of

            transport = platform_of(target.environment).async_transport
        given = None if transport is None else choice.given_async(transport)
        given = given if client is None else AsyncHttpxTransport.by_client(client)
        route = _route(target, options, transport, client)
        settings = build_settings(target, credential, options, route.limits, _clock_of(transport))
        return AsyncDriver(
            settings, given or choice.own_async(route, target.address.origin), ConnectionState(owned=given is None)
        )

    async def send(self, request: PreparedRequest[T]) -> T:
        """Send a prepared request unchanged, and return the result of the call.

        The credential is added as it is sent, and each attempt gets its own span in the request's trace. Retries,
        deadline, and observers are those of this client. Sending it twice makes two requests.

        Args:
            request: The result of `client.prepare`, from this process or from another one.

        Returns:
            The result of the call; for a list its first page.

        Raises:
            InvalidArgumentError: It isn't a prepared request, was changed, or is of another group or base address;
                nothing was sent.
            SubscribekitError: As the call itself.
        """
        return (await self._driver.send_prepared(request)).data

    async def resolve(
        self, error: BaseException | Recorded, *, not_applied_after: float = 30.0, wait: bool = True
    ) -> Verdict:
        """Look what became of a call whose outcome is unknown. Nothing but reads is sent.

        A request may still be under way meanwhile: `not_applied` needs two looks 2 seconds apart, the last one at least
        `not_applied_after` seconds after it was sent. A clock that can't be set measures that time: the monotonic clock
        of the same process, the boot clock of the same machine, or the service's clock by its `Date`s. Without one, the
        time counts from the beginning of this call. A response that a cache kept counts for nothing.

        Args:
            error: The `OutcomeUnknownError`, also one that was pickled or came from another process; what interrupted
                the call (a cancellation, Ctrl-C); or an item of a bulk run whose outcome is unknown.
            not_applied_after: Seconds after sending. Later, a request that the reads don't show counts as not applied,
                because it can no longer be in flight.
            wait: Whether to wait for that. With `False` nothing sleeps, and an absence is `undecided`, after one look;
                `evidence` says how long to wait.

        Returns:
            The verdict. A read that fails makes it `undecided`.

        Raises:
            InvalidArgumentError: The outcome is known, the call was one of another group or base address, or
                `not_applied_after` or `wait` is refused; its `outcome` is that of the call.
            ClientClosedError: The client is closed.
        """
        return await resolve_async(self, error, not_applied_after, wait)

    async def aclose(self) -> None:
        """Close the connections; a later call raises `ClientClosedError`."""
        await self._driver.aclose()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    if not TYPE_CHECKING:  # checkers report these uses themselves, and editors see the method itself

        def __enter__(self) -> NoReturn:
            raise TypeError(f"{type(self).__name__} is opened with 'async with' instead of 'with'")

        def __exit__(self, *_: object) -> None:
            """Never run, since `__enter__` raises; Python asks for both."""


def resolve(
    client: BlockingClient, error: BaseException | Recorded, after: float, wait: bool, begun: float | None = None
) -> Verdict:
    """Resolve as `client.resolve` does; a run says when it began, by the client's monotonic clock."""
    from ..resolving.resolve import run

    driver = driver_of(client)
    steps = _steps(client, driver.settings, error, after, wait, begun)
    return run(driver.beside(_for_reads(driver.settings, wait)), steps)


async def resolve_async(
    client: AsyncClient, error: BaseException | Recorded, after: float, wait: bool, begun: float | None = None
) -> Verdict:
    """Resolve as `resolve` does."""
    from ..resolving.resolve import run_async

    driver = driver_of(client)
    steps = _steps(client, driver.settings, error, after, wait, begun)
    return await run_async(driver.beside(_for_reads(driver.settings, wait)), steps)
