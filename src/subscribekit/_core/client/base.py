"""What all clients share: life cycle, options, and calls that have no method."""

from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from ...errors import ConfigurationError
from ..calls.drivers import AsyncDriver, Driver, State
from ..calls.response import PlannedRequest
from ..calls.settings import Settings
from ..calls.trace import Trace
from ..config.clock import SYSTEM, Clock
from ..config.credentials import Credential
from ..config.retry_policy import RetryPolicy
from ..config.target import Target
from ..config.timeouts import Limits, Timeouts
from ..config.unset import UNSET, Unset
from ..http.connections.pool import Route
from ..http.connections.proxy import parse_proxy
from ..http.connections.tls import check_ssl_context
from ..http.given import AsyncBackend, AsyncHttpTransport, HttpTransport
from ..http.intercepted import InterceptableConnectionPool
from ..http.transport import AsyncTransport, Transport
from ..resolving.verdict import Recorded, Verdict
from .options import Options, build_settings, changed, check_options

if TYPE_CHECKING:
    from ..resolving.resolve import Steps

T = TypeVar("T")


def _clock_of(transport: object) -> Clock:
    clock = getattr(transport, "clock", None)
    return clock if isinstance(clock, Clock) else SYSTEM


def _route(target: Target, options: Options) -> Route:
    """Where the client's connections go; also a client with a transport of its own has its options checked."""
    check_options(options)
    context = None if options.ssl_context is None else check_ssl_context(options.ssl_context)
    proxy = parse_proxy(options.proxy)
    if proxy is not None and target.address.scheme == "http":
        raise ConfigurationError(
            "proxy cannot be used with an http:// address: the credential would reach the proxy in clear"
        )
    return Route(options.limits or Limits(), context, proxy)


def _transport(transport: object) -> Transport:
    if isinstance(transport, Transport):  # one of this package's own
        return transport
    from ..http.httpx_transport import HttpxTransport  # a client without a transport of its own does without httpx

    return HttpxTransport.over(transport)


def _async_transport(transport: object) -> AsyncTransport:
    if isinstance(transport, AsyncTransport):
        return transport
    from ..http.httpx_transport import AsyncHttpxTransport

    return AsyncHttpxTransport.over(transport)


class Base:
    """What both styles of client have in common."""

    _settings: Settings

    @property
    def environment(self) -> str:
        """Name of the environment, or `custom`."""
        return self._settings.environment

    @property
    def base_url(self) -> str:
        """The base address that calls go to."""
        return self._settings.address.url

    def __repr__(self) -> str:
        if "_driver" not in vars(self):
            return f"<{type(self).__name__} that was not made>"
        return f"<{type(self).__name__} environment={self.environment!r} host={self._settings.address.host!r}>"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError(
            f"a {type(self).__name__} holds credentials and connections and cannot be pickled or copied; make one "
            f"where it is used, or use with_options() for a copy with other settings"
        )


def _steps(client: Base, settings: Settings, error: object, settle: float, wait: bool) -> "Steps":
    """Find out how the call of an error is resolved, before anything is read."""
    from ..resolving.resolve import check_times, resolving, unknown_outcome_of
    from .rule_of import rule_of

    unknown = unknown_outcome_of(settings, error)
    check_times(settle, wait)
    rule, describe = rule_of(client, unknown.operation or "", dict(unknown.record))
    return resolving(settings, unknown, rule, describe, settle, wait)


def _for_reads(settings: Settings, wait: bool) -> Settings:
    """Give settings that do not sleep before a second attempt where nothing may sleep."""
    return settings if wait else replace(settings, retry=replace(settings.retry, max_attempts=1))


class BlockingClient(Base):
    """A client whose calls block."""

    _driver: Driver

    @property
    def _settings(self) -> Settings:  # type: ignore[override]  # the driver holds them, read-only
        return self._driver.settings

    @staticmethod
    def _open(
        target: Target,
        credential: Credential,
        options: Options,
        transport: HttpTransport | None,
        *,
        api_version: str | None = None,
        compress: bool = False,
    ) -> Driver:
        if transport is None and target.is_sandbox:
            from ...sandbox.platform import default_platform

            transport = default_platform().transport
        given = None if transport is None else _transport(transport)
        route = _route(target, options)
        settings = build_settings(
            target, credential, options, _clock_of(transport), api_version=api_version, compress=compress
        )
        return Driver(settings, given or InterceptableConnectionPool(route), State(owned=given is None))

    def _with(self, driver: Driver) -> Self:
        copy = object.__new__(type(self))
        copy._driver = driver
        return copy

    def with_options(
        self,
        *,
        timeouts: Timeouts | Unset = UNSET,
        deadline: float | Unset | None = UNSET,
        retry: RetryPolicy | Unset = UNSET,
        trace: Trace | Unset = UNSET,
        headers: Mapping[str, str] | Unset = UNSET,
    ) -> Self:
        """Copy the client with other settings; the copy shares connections, and closing one closes both.

        Args:
            timeouts: Seconds that one step of a call may take.
            deadline: Seconds for a whole call, retries included; `None` for none.
            retry: How often and how soon a call is retried.
            trace: `"auto"`, `"off"` or the caller's span.
            headers: Extra headers for each request; those that the client sets itself are refused.

        Raises:
            RequestError: A header that is not allowed.
            ConfigurationError: A deadline or trace that is not one.
        """
        settings = changed(self._settings, timeouts, deadline, retry, trace, headers)
        return self._with(Driver(settings, self._driver.transport, self._driver.state))

    def send(self, plan: PlannedRequest[T]) -> T:
        """Send what was planned, byte for byte, and give what the call would have given.

        The credential is added as it is sent, and each attempt gets a span of its own in the plan's trace. Retries,
        deadline and observers are those of this client.

        Args:
            plan: What `client.plan` gave, in this process or in another one.

        Returns:
            The result of the call; for a list its first page.

        Raises:
            RequestError: It is no plan, or one of another group or origin; nothing was sent.
            SubscribekitError: As the call itself.
        """
        return self._driver.send_planned(plan).data

    def resolve(self, error: BaseException | Recorded, *, settle: float = 30.0, wait: bool = True) -> Verdict:
        """Look what became of a call whose outcome is unknown. Nothing but reads is sent.

        A request may still be under way while one looks: that it was not carried out is said only `settle` seconds
        after it was sent, and after two looks.

        Args:
            error: The `OutcomeUnknownError`, also one that was pickled or came from another process; what interrupted
                the call (a cancellation, Ctrl-C); or an item of a bulk run whose outcome is unknown.
            settle: Seconds after which a request that was sent can no longer be under way.
            wait: Whether to wait for that time; without it nothing sleeps, and the verdict may be `undecided` for now.

        Returns:
            The verdict. A read that fails makes it `undecided`.

        Raises:
            RequestError: The outcome is known, or the call was one of another group or origin.
            ClientClosedError: The client is closed.
        """
        from ..resolving.resolve import run

        steps = _steps(self, self._settings, error, settle, wait)
        driver = self._driver
        return run(Driver(_for_reads(driver.settings, wait), driver.transport, driver.state), steps)

    def close(self) -> None:
        """Close the connections; a later call raises `ClientClosedError`."""
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(Base):
    """A client whose calls are awaited, on asyncio."""

    _driver: AsyncDriver

    @property
    def _settings(self) -> Settings:  # type: ignore[override]  # the driver holds them, read-only
        return self._driver.settings

    @staticmethod
    def _open(
        target: Target,
        credential: Credential,
        options: Options,
        transport: AsyncHttpTransport | AsyncBackend | None,
        *,
        api_version: str | None = None,
        compress: bool = False,
    ) -> AsyncDriver:
        if transport is None and target.is_sandbox:
            from ...sandbox.platform import default_platform

            transport = default_platform().async_transport
        # With asyncio, which a blocking client does without.
        from ..http.intercepted_async import InterceptableAsyncConnectionPool

        given = None if transport is None else _async_transport(transport)
        route = _route(target, options)
        settings = build_settings(
            target, credential, options, _clock_of(transport), api_version=api_version, compress=compress
        )
        return AsyncDriver(settings, given or InterceptableAsyncConnectionPool(route), State(owned=given is None))

    def _with(self, driver: AsyncDriver) -> Self:
        copy = object.__new__(type(self))
        copy._driver = driver
        return copy

    def with_options(
        self,
        *,
        timeouts: Timeouts | Unset = UNSET,
        deadline: float | Unset | None = UNSET,
        retry: RetryPolicy | Unset = UNSET,
        trace: Trace | Unset = UNSET,
        headers: Mapping[str, str] | Unset = UNSET,
    ) -> Self:
        """Copy the client with other settings; the copy shares connections, and closing one closes both.

        Args:
            timeouts: Seconds that one step of a call may take.
            deadline: Seconds for a whole call, retries included; `None` for none.
            retry: How often and how soon a call is retried.
            trace: `"auto"`, `"off"` or the caller's span.
            headers: Extra headers for each request; those that the client sets itself are refused.

        Raises:
            RequestError: A header that is not allowed.
            ConfigurationError: A deadline or trace that is not one.
        """
        settings = changed(self._settings, timeouts, deadline, retry, trace, headers)
        return self._with(AsyncDriver(settings, self._driver.transport, self._driver.state))

    async def send(self, plan: PlannedRequest[T]) -> T:
        """Send what was planned, byte for byte, and give what the call would have given.

        The credential is added as it is sent, and each attempt gets a span of its own in the plan's trace. Retries,
        deadline and observers are those of this client.

        Args:
            plan: What `client.plan` gave, in this process or in another one.

        Returns:
            The result of the call; for a list its first page.

        Raises:
            RequestError: It is no plan, or one of another group or origin; nothing was sent.
            SubscribekitError: As the call itself.
        """
        return (await self._driver.send_planned(plan)).data

    async def resolve(self, error: BaseException | Recorded, *, settle: float = 30.0, wait: bool = True) -> Verdict:
        """Look what became of a call whose outcome is unknown. Nothing but reads is sent.

        A request may still be under way while one looks: that it was not carried out is said only `settle` seconds
        after it was sent, and after two looks.

        Args:
            error: The `OutcomeUnknownError`, also one that was pickled or came from another process; what interrupted
                the call (a cancellation, Ctrl-C); or an item of a bulk run whose outcome is unknown.
            settle: Seconds after which a request that was sent can no longer be under way.
            wait: Whether to wait for that time; without it nothing sleeps, and the verdict may be `undecided` for now.

        Returns:
            The verdict. A read that fails makes it `undecided`.

        Raises:
            RequestError: The outcome is known, or the call was one of another group or origin.
            ClientClosedError: The client is closed.
        """
        from ..resolving.resolve import run_async

        steps = _steps(self, self._settings, error, settle, wait)
        driver = self._driver
        return await run_async(AsyncDriver(_for_reads(driver.settings, wait), driver.transport, driver.state), steps)

    async def aclose(self) -> None:
        """Close the connections; a later call raises `ClientClosedError`."""
        await self._driver.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()
