"""The sync client of the account-lifecycle API."""

from collections.abc import Callable, Sequence
from ssl import SSLContext

from .._core.calls.telemetry.trace import Trace
from .._core.client.options import Options
from .._core.client.sync_client import BlockingClient
from .._core.config.credentials import sealed, sealed_provider
from .._core.config.environments import API_RELEASE, Environment, Named
from .._core.config.observer import Observer
from .._core.config.retry_policy import RetryPolicy
from .._core.config.target import Target, session_credential
from .._core.config.timeouts import Limits, Timeouts
from .._core.config.wire_names import WireNames
from .._core.http.given import HttpClient, HttpTransport
from .._generated.sync.user_mgmt.resources import UserMgmtResources

__tracebackhide__ = True


class UserMgmtClient(BlockingClient, UserMgmtResources):
    """Sync client of the account-lifecycle API."""

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
        """Create a client. Sends nothing.

        Args:
            environment: An `Environment`, or `"production"`, `"staging"`, or `"sandbox"`. There is no default.
            base_url: The base URL of the account-lifecycle API, in place of the environment's. If you don't pass
                `environment`, also pass the credential.
            session_id: The session ID, or a callable that returns it. After a 401 response, the SDK calls it once more.
            cookie_name: The name of the session cookie.
            api_release: The release in the paths of the lists: `v` and a number. The specification shows `v85`.
            timeouts: The time limits of the steps of a call, in seconds.
            deadline: The time limit of a whole call with its retries, in seconds. `None` for no limit.
            retry: How often and when the SDK retries a call.
            wire_names: The names of parameters and headers that the specification doesn't show.
            transport: An object that sends the requests in place of the client's own connections, such as a mock.
            http_client: A client of httpx or httpx2 that sends the requests, with its proxies, mounts, hooks, and
                HTTP/2. The SDK never closes it. Its headers, cookies, `auth`, timeouts, and redirects don't apply.
            ssl_context: Your own TLS context, which must verify certificates. The SDK changes its options; see the page
                Security.
            proxy: The proxy, as `http://[user:password@]host:port`. The SDK ignores the proxy variables of the
                environment.
            limits: The limits of the connection pool.
            allow_insecure_loopback: Allow `http://` for 127.0.0.1, ::1, and localhost.
            trace: `"auto"`, `"off"`, or the span of the caller to continue.
            observers: Objects that follow each call and request, such as `Hooks` or `OpenTelemetry`.
            read_only: Raise an error for every operation that isn't a read, before anything is sent. `with_options`
                can't undo it. The variable `SUBSCRIBEKIT_READ_ONLY=1` does the same for all clients of a process.
            check_minor_units: Reject amounts with more decimal places than their currency has in ISO 4217, such as
                19.999 USD.
            user_agent_suffix: The name and version of your application for the header `User-Agent`, such as `shop/1.2`.

        Raises:
            ConfigurationError: A value is missing or invalid. The message contains its name.
        """
        session, tunnel = sealed_provider(session_id), sealed(proxy)
        del session_id, proxy  # removed, so that no traceback shows them
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
