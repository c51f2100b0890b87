"""The sync client of the storefront (group D)."""

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

__tracebackhide__ = True  # pytest shows the line of the caller instead


class StorefrontClient(BlockingClient, StorefrontResources):
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
        del access_token, proxy  # test_leaks.py expects that no frame of an error shows them
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
