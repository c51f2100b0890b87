"""Base class of all clients, which creates and closes connections, and makes copies with other settings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..._articles import with_article
from ...errors import ConfigurationError
from ..calls.driver import EitherDriver
from ..calls.settings import Settings
from ..calls.telemetry.trace import Trace
from ..config.clock import SYSTEM, Clock
from ..config.credentials import Credential
from ..config.retry_policy import RetryPolicy
from ..config.target import Target
from ..config.timeouts import Limits, Timeouts
from ..config.unset import UNSET, Unset
from ..http.backends import choice
from ..http.connections.route import Route
from ..http.wire.tls import check_ssl_context, ssl_context_of
from .options import Options, build_settings, changed, check_options
from .resources import driver_of

if TYPE_CHECKING:
    from ..resolving.resolve import Steps

__tracebackhide__ = True  # pytest hides this module's frames and shows the caller's line

C = TypeVar("C", bound=EitherDriver)
S = TypeVar("S", bound="Base[Any]")


def settings_and_route(
    target: Target, credential: Credential, options: Options, transport: object
) -> tuple[Settings, Route]:
    """Check the options of a client. Return the client's settings, and the route of the SDK's own connections."""
    route = _route(target, options, transport)
    clock = getattr(transport, "clock", None)
    return build_settings(
        target, credential, options, route.limits, clock if isinstance(clock, Clock) else SYSTEM
    ), route


def _route(target: Target, options: Options, transport: object) -> Route:
    """Check the options, and return the route of the SDK's own connections, which a caller's transport ignores."""
    check_options(options)
    context = None if options.ssl_context is None else check_ssl_context(options.ssl_context)
    if context is None and target.ca_file is not None:
        context = ssl_context_of(target.ca_file)
    proxy, given = None, options.proxy or target.proxy
    if given is not None:
        from ..http.wire.proxy import parse_proxy

        variable = "" if options.proxy or target.environment is None else target.environment.variable("proxy")
        if variable and transport is not None:
            raise ConfigurationError(f"{variable} can't be combined with transport; unset the variable")
        proxy = parse_proxy(given, variable or "proxy")
    if proxy is not None and target.address.scheme == "http":
        raise ConfigurationError(
            "proxy can't be combined with an http:// base URL, because the proxy would receive the credential "
            "unencrypted; use an https:// base URL"
        )
    return Route(options.limits or choice.limits_of(transport, options.http_client) or Limits(), context, proxy)


def check_http_client(target: Target, options: Options, transport: object) -> None:
    """Raise an error for settings that have no effect if the caller passes an httpx client as `http_client`."""
    if options.http_client is None:
        return
    own = ("proxy", options.proxy), ("ssl_context", options.ssl_context), ("limits", options.limits)
    for name, value in (("transport", transport), *own):
        if value is not None:
            raise ConfigurationError(
                f"{name} can't be combined with http_client; set {name} on the httpx client instead"
            )
    if (variables := target.connection_variables) or target.ca_file is not None:
        name, fix = (variables[0], "unset the variable") if variables else ("the environment's ca_file", "remove it")
        raise ConfigurationError(
            f"{name} can't be combined with http_client; configure the httpx client instead, and {fix}"
        )
    if target.is_sandbox:
        raise ConfigurationError(
            "environment='sandbox' can't be combined with http_client, because the sandbox responds in this process; "
            "leave out http_client"
        )


def is_in_process(target: Target, options: Options, transport: object) -> bool:
    """Return whether the sandbox in this process responds to the calls."""
    return target.is_sandbox and transport is None and options.http_client is None


class Base(Generic[C]):
    """Base class of the sync and async clients."""

    _driver: C

    @property
    def _settings(self) -> Settings:
        return self._driver.settings

    @property
    def environment(self) -> str:
        """The name of the environment, or `custom` if the client has only a base URL."""
        return self._settings.environment

    @property
    def base_url(self) -> str:
        """The base URL of the calls."""
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
        """Return a copy of the client with other settings.

        The client and the copy share their connections. If you close the client or the copy, both are closed.

        If you leave out an argument, the copy has the same value as the client.

        Args:
            timeouts: Maximum seconds for each step of a request.
            deadline: Maximum seconds for a whole call, including its retries; `None` for no limit.
            retry: The number of attempts, and the wait before each retry.
            trace: `"auto"`, `"off"`, or your own span.
            headers: Extra headers for each request. The headers that the client sets itself aren't allowed.

        Raises:
            InvalidArgumentError: A header isn't allowed.
            ConfigurationError: An argument other than `headers` is invalid.
        """
        settings = changed(self._settings, timeouts, deadline, retry, trace, headers)
        copy = object.__new__(type(self))
        vars(copy).update(_shared_attributes(self))
        copy._driver = self._driver.with_settings(settings)
        return copy

    def preload(self) -> None:
        """Import every module and build every model that a call of this client may need. Sends nothing.

        Call this method at startup in programs that make few calls, such as serverless functions. The method takes
        about a second. To let Python compile the modules while you build an image, run `python -m subscribekit
        preload`, which preloads all clients.

        Raises:
            OSError: A file can't be opened.
            ImportError: A module can't be imported.
        """
        from .deferred import preload

        preload(self)

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError(
            f"{with_article(type(self))} contains credentials and connections, so it can't be pickled or copied; "
            f"create a client where you use it, or call with_options() for a copy with other settings"
        )


def _shared_attributes(client: Base[Any]) -> dict[str, object]:
    """Return the attributes that a client shares with its copies, which are all attributes except cached resources."""
    kept = {name for kind in type(client).__mro__ for name, each in vars(kind).items() if hasattr(each, "__get__")}
    return {name: value for name, value in vars(client).items() if name not in kept}


def resolving_of(
    client: Base[C], error: object, after: float, wait: bool, begun: float | None
) -> "tuple[Settings, Steps]":
    """Return the client's settings, and the steps that find out the outcome of an error's call. Sends nothing.

    Args:
        client: The client.
        error: The error of the call.
        after: The argument `not_applied_after` of `resolve`.
        wait: Whether `resolve` may wait between its checks. If `False`, the returned settings allow no retries, because
            a retry waits.
        begun: Time of the first check, on the client's monotonic clock, or `None` for the current time.
    """
    from ..resolving.resolve import check_times, resolving, unknown_outcome_of
    from .reads import reads_of

    settings = driver_of(client).settings
    unknown = unknown_outcome_of(settings, error)
    check_times(after, wait)
    rule, describe = reads_of(client, settings.group, unknown.operation or "", dict(unknown.record))
    begun = settings.clock.monotonic() if begun is None else begun
    steps = resolving(settings, unknown, rule, describe, after, wait, begun)
    return settings if wait else replace(settings, retry=replace(settings.retry, max_attempts=1)), steps
