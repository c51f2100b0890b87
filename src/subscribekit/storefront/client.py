"""The sync client of the storefront."""

from collections.abc import Callable, Sequence
from ssl import SSLContext

from .._core.calls.telemetry.trace import Trace
from .._core.client.options import Options
from .._core.client.sync_client import BlockingClient
from .._core.config.credentials import sealed, sealed_provider
from .._core.config.environments import Environment, Named
from .._core.config.observer import Observer
from .._core.config.retry_policy import RetryPolicy
from .._core.config.target import Target, bearer_credential
from .._core.config.timeouts import Limits, Timeouts
from .._core.config.wire_names import WireNames
from .._core.http.given import HttpClient, HttpTransport
from .._generated.sync.storefront.resources import StorefrontResources

__tracebackhide__ = True


class StorefrontClient(BlockingClient, StorefrontResources):
    """The sync client of the storefront."""

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
        """Create a client without sending a request.

        Args:
            environment: An `Environment`, `"production"`, `"staging"`, or `"sandbox"`. The default is the environment
                that the variable `SUBSCRIBEKIT_ENVIRONMENT` names. If `SUBSCRIBEKIT_ENVIRONMENT` isn't set, pass
                `environment` or `base_url`.
            base_url: The base URL of the storefront, which overrides the base URL of the environment. If you pass
                `base_url` without an environment, also pass the credentials.
            access_token: The bearer token, or a callable that returns the bearer token. If you pass a callable, the SDK
                calls it once more after a 401 response.
            timeouts: The time limits for the steps of a request, in seconds.
            deadline: The time limit for a whole call with its retries, in seconds; `None` for no limit.
            retry: The retry policy: the number of attempts of a call, and the wait before each retry.
            wire_names: The wire names that the specification doesn't document.
            transport: An object, such as a mock or the sandbox, that sends the requests in place of the client's own
                connections.
            http_client: A client of httpx or httpx2 that sends the requests, with its proxies, mounts, hooks, and
                HTTP/2. The SDK never closes this client, and doesn't use its headers, cookies, `auth`, timeouts, or
                redirects.
            ssl_context: A TLS context that verifies certificates. The SDK changes the options of this context; see the
                page Security.
            proxy: The URL of a proxy, as `http://[user:password@]host:port`. The default is the value of the variable
                `SUBSCRIBEKIT_<ENVIRONMENT>_PROXY`. The SDK ignores `HTTPS_PROXY`.
            limits: The maximum number of connections, and how long idle connections stay open.
            allow_insecure_loopback: Accept `http://` for 127.0.0.1, ::1, and localhost.
            trace: Pass `"auto"` to continue the current trace or start a trace, `"off"` to send no trace headers, or
                the `TraceContext` of a trace to continue.
            observers: Objects that follow calls and requests, such as `Hooks` or `OpenTelemetry`.
            read_only: Reject every operation that isn't a read, before anything is sent. `with_options` can't turn off
                `read_only`. The variable `SUBSCRIBEKIT_READ_ONLY=1` makes all clients of a process read-only.
            check_minor_units: Reject amounts with more decimal places than ISO 4217 defines for the currency, such as
                19.999 USD.
            user_agent_suffix: The name and version of your application, such as `shop/1.2`, to add to `User-Agent`.

        Raises:
            ConfigurationError: An argument or an environment variable is missing or invalid. The error message contains
                the name of the argument or the variable.
        """
        token, tunnel = sealed_provider(access_token), sealed(proxy)
        del access_token, proxy  # delete the arguments so that no traceback shows a credential (test_leaks.py)
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
