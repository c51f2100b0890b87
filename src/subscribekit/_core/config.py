"""Settings: environments, addresses, time limits, retry policy, and the wire names that nobody has published.

Everything here is an immutable value that refuses nonsense when it is built.
"""

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar, Literal, TypeAlias
from urllib.parse import urlsplit

from ..errors import ConfigurationError

API_VERSION = "20190501"
"""The current version of the billing API (specification, Versioning)."""

Named: TypeAlias = Literal["production", "staging", "sandbox"]
Group: TypeAlias = Literal["billing", "gateway", "user_mgmt", "storefront"]
WireNameStatus: TypeAlias = Literal["published", "assumed", "configured", "unset"]

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Secret:
    """A credential that no repr, log, copy or pickle shows."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Give the text; only the code that sets the header calls this."""
        return self._value

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # a hash could be compared with guesses

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a credential cannot be pickled or copied; make the client where it is used")


def _positive(name: str, value: float) -> None:
    if type(value) not in (int, float) or not math.isfinite(value) or value <= 0:
        raise ConfigurationError(f"{name} must be a positive, finite number of seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Seconds that one step of a call may take; each is cut to what is left of the deadline.

    Args:
        connect: To open a connection, TLS handshake included.
        read: Between two pieces of the answer.
        write: Between two pieces of the request.
        pool: To wait for a free connection.

    Raises:
        ConfigurationError: A time is negative, zero, NaN or infinite.
    """

    connect: float = 5.0
    read: float = 30.0
    write: float = 10.0
    pool: float = 5.0

    def __post_init__(self) -> None:
        for each in fields(self):
            _positive(f"Timeouts.{each.name}", getattr(self, each.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many connections a client opens, and how long an idle one is used again.

    Args:
        max_connections: Calls of one client that run at the same time; further ones wait (`Timeouts.pool`).
        keepalive_expiry: Seconds after which an idle connection is not used again.
        write_keepalive_expiry: The same for writes. A connection that the service closes in the moment of reuse makes
            the outcome of a write unknown, so writes only meet a connection that was used a moment ago.

    Raises:
        ConfigurationError: A value is not positive.
    """

    max_connections: int = 100
    keepalive_expiry: float = 5.0
    write_keepalive_expiry: float = 1.0

    def __post_init__(self) -> None:
        if type(self.max_connections) is not int or self.max_connections < 1:
            raise ConfigurationError("Limits.max_connections must be a whole number of at least 1")
        _positive("Limits.keepalive_expiry", self.keepalive_expiry)
        _positive("Limits.write_keepalive_expiry", self.write_keepalive_expiry)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how soon a call is repeated, where repeating is safe.

    Args:
        max_attempts: Requests for one call, the first one counted; 1 to 6.
        backoff_base: Seconds; before attempt n + 1 the client waits a random time up to `backoff_base * 2 ** (n - 1)`.
        backoff_max: Upper bound of that time.
        retry_after_max: The longest `Retry-After` that is waited for; a longer one raises the error at once.
        retry_unknown: Repeat a write (never an entitlement charge) also when its outcome is unknown. Meant for single
            calls, through `with_options(retry=...)`, where doing it twice does no harm.

    Raises:
        ConfigurationError: A value is out of its range.
    """

    max_attempts: int = 3
    backoff_base: float = 0.5
    backoff_max: float = 8.0
    retry_after_max: float = 60.0
    retry_unknown: bool = False

    def __post_init__(self) -> None:
        if type(self.max_attempts) is not int or not 1 <= self.max_attempts <= 6:
            raise ConfigurationError("RetryPolicy.max_attempts must be a whole number from 1 to 6")
        for name in ("backoff_base", "backoff_max", "retry_after_max"):
            _positive(f"RetryPolicy.{name}", getattr(self, name))
        if type(self.retry_unknown) is not bool:
            raise ConfigurationError("RetryPolicy.retry_unknown must be True or False")


def check_deadline(deadline: float | None) -> float | None:
    """Refuse a deadline that is not a positive number of seconds; `None` means none."""
    if deadline is not None:
        _positive("deadline", deadline)
    return deadline


_PUBLISHED = ("accounts_email", "accounts_created_after", "accounts_created_before", "accounts_payment_method")
_ASSUMED = {"event_summaries_account": "account", "event_summaries_subscription": "subscription"}
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class WireNames:
    """The names on the wire that the specification does not show; `None` means not set.

    A field is published (the operator's public reference shows it: the four `accounts_*` defaults), assumed (a sibling
    list uses it: `event_summaries_account`, `event_summaries_subscription`) or unset. Using an unset one raises
    `ConfigurationError`; what an assumed one returns is checked item by item.

    Args:
        partner_code_header: Header of the partner code of E6.
        billing_plan_history_param: Query flag of E6 that asks for the whole billing plan history.
        custom_data_filter_param: Query parameter that carries the filter expression of E9.
        accounts_email: Filter of E3 (published).
        accounts_created_after: Filter of E3 (published).
        accounts_created_before: Filter of E3 (published).
        accounts_payment_method: Filter of E3 (published).
        accounts_boleto_fiscal_number: Filter of E3.
        accounts_carrier_billing_encoded_phone_number: Filter of E3.
        accounts_carrier_billing_phone_number: Filter of E3.
        accounts_credit_card_account: Filter of E3.
        accounts_direct_debit_account: Filter of E3.
        event_summaries_account: Filter of E4 (assumed).
        event_summaries_subscription: Filter of E4 (assumed).
        event_summaries_product: Filter of E4.
        event_summaries_rate_plan: Filter of E4.
        event_summaries_start: Filter of E4.
        event_summaries_end: Filter of E4.

    Raises:
        ConfigurationError: A name is not a word of letters, digits and the usual signs.
    """

    partner_code_header: str | None = None
    billing_plan_history_param: str | None = None
    custom_data_filter_param: str | None = None
    accounts_email: str | None = "email"
    accounts_created_after: str | None = "created_after"
    accounts_created_before: str | None = "created_before"
    accounts_payment_method: str | None = "payment_method"
    accounts_boleto_fiscal_number: str | None = None
    accounts_carrier_billing_encoded_phone_number: str | None = None
    accounts_carrier_billing_phone_number: str | None = None
    accounts_credit_card_account: str | None = None
    accounts_direct_debit_account: str | None = None
    event_summaries_account: str | None = "account"
    event_summaries_subscription: str | None = "subscription"
    event_summaries_product: str | None = None
    event_summaries_rate_plan: str | None = None
    event_summaries_start: str | None = None
    event_summaries_end: str | None = None

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None and (not isinstance(value, str) or not _TOKEN.fullmatch(value)):
                raise ConfigurationError(f"WireNames.{each.name} must be a name of letters, digits, '_' and '-'")
            if isinstance(value, str) and value in RESERVED_PARAMETERS and each.name.startswith(_LISTS):
                raise ConfigurationError(f"WireNames.{each.name} must not be a parameter that moves through the list")
        if self.partner_code_header and self.partner_code_header.lower() in RESERVED_HEADERS:
            raise ConfigurationError("WireNames.partner_code_header must not be a header that the client sets itself")

    def status(self, name: str) -> WireNameStatus:
        """Tell where the value of a field comes from."""
        value = getattr(self, name)
        if value is None:
            return "unset"
        if name in _PUBLISHED and value == name.removeprefix("accounts_"):
            return "published"
        return "assumed" if _ASSUMED.get(name) == value else "configured"

    def resolve(self, name: str) -> str:
        """Give the name on the wire.

        Raises:
            ConfigurationError: It is not set.
        """
        value: str | None = getattr(self, name)
        if value is None:
            raise ConfigurationError(
                f"the specification does not show the wire name of this argument; give it as "
                f"wire_names=WireNames({name}='...') when the client is made"
            )
        return value


_LISTS = ("accounts_", "event_summaries_")
RESERVED_PARAMETERS = ("limit", "starting_after", "ending_before")
"""Query parameters that only a list itself sets."""
RESERVED_HEADERS = frozenset(
    {
        "accept", "accept-encoding", "authorization", "connection", "content-encoding", "content-length",
        "content-type", "cookie", "host", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
        "user-agent", "x-api-key", "x-api-version", "x-b3-parentspanid", "x-b3-sampled", "x-b3-spanid",
        "x-b3-traceid", "x-b3-flags", "b3",
    }
)  # fmt: skip
"""Headers that only the client itself sets (lower case)."""


def _secret(value: str | Secret | None) -> Secret | None:
    return Secret(value) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A place where the service runs: addresses, and optionally the credentials that belong to them.

    What is not given is read from the process environment when a client is made, as
    `SUBSCRIBEKIT_<NAME>_BASE_URL`, `_GATEWAY_URL`, `_USER_MGMT_URL`, `_STOREFRONT_URL`, `_API_USER`, `_API_KEY`,
    `_GATEWAY_API_KEY`, `_SESSION_ID` and `_ACCESS_TOKEN`.

    Args:
        name: A short name; letters, digits, `-` and `_`.
        base_url: Base address of the billing API (group A).
        gateway_url: Base address of the gateway (group B).
        user_mgmt_url: Base address of the account lifecycle interface (group C).
        storefront_url: Base address of the storefront (group D).
        api_user: Basic user of group A.
        api_key: Basic key of group A.
        gateway_api_key: `X-API-KEY` of group B.
        session_id: `JSESSIONID` of group C.
        access_token: Bearer token of group D.
        wire_names: The names that the specification does not show, for this environment.

    Raises:
        ConfigurationError: The name cannot be part of a variable's name.
    """

    name: str
    base_url: str | None = None
    gateway_url: str | None = None
    user_mgmt_url: str | None = None
    storefront_url: str | None = None
    api_user: str | Secret | None = field(default=None, repr=False)
    api_key: str | Secret | None = field(default=None, repr=False)
    gateway_api_key: str | Secret | None = field(default=None, repr=False)
    session_id: str | Secret | None = field(default=None, repr=False)
    access_token: str | Secret | None = field(default=None, repr=False)
    wire_names: WireNames | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", self.name):
            raise ConfigurationError("Environment.name must be a letter followed by letters, digits, '-' or '_'")
        for name in _CREDENTIALS:
            object.__setattr__(self, name, _secret(getattr(self, name)))

    def address(self, group: Group, process: Mapping[str, str] = os.environ) -> str | None:
        """Give a group's base address, from this value or from the process environment."""
        name = _ADDRESS[group]
        value: str | None = getattr(self, name)
        if value is None and self.name != "sandbox":
            value = process.get(self.variable(name)) or None
        return value

    def credential(self, name: str, process: Mapping[str, str] = os.environ) -> Secret | None:
        """Give a credential, from this value or from the process environment."""
        value: Secret | None = getattr(self, name)
        if value is None and self.name != "sandbox":
            value = _secret(process.get(self.variable(name)) or None)
        return value

    def variable(self, name: str) -> str:
        """Name the variable of the process environment that holds a value."""
        return f"SUBSCRIBEKIT_{self.name.upper().replace('-', '_')}_{name.upper()}"


_CREDENTIALS = ("api_user", "api_key", "gateway_api_key", "session_id", "access_token")
_ADDRESS: dict[Group, str] = {
    "billing": "base_url",
    "gateway": "gateway_url",
    "user_mgmt": "user_mgmt_url",
    "storefront": "storefront_url",
}

SANDBOX_WIRE_NAMES = WireNames(
    partner_code_header="X-Partner-Code",
    billing_plan_history_param="include_billing_plan_history",
    custom_data_filter_param="filter",
    accounts_boleto_fiscal_number="boleto_fiscal_number",
    accounts_carrier_billing_encoded_phone_number="carrier_billing_encoded_phone_number",
    accounts_carrier_billing_phone_number="carrier_billing_phone_number",
    accounts_credit_card_account="credit_card_account",
    accounts_direct_debit_account="direct_debit_account",
    event_summaries_product="product",
    event_summaries_rate_plan="rate_plan",
    event_summaries_start="start",
    event_summaries_end="end",
)
"""The sandbox's own spelling of every name; it says nothing about the real service."""

SANDBOX = Environment(
    name="sandbox",
    base_url="https://billing.sandbox.invalid",
    gateway_url="https://gateway.sandbox.invalid",
    user_mgmt_url="https://users.sandbox.invalid",
    storefront_url="https://storefront.sandbox.invalid",
    api_user="sandbox-merchant",
    api_key="sandbox-key",
    gateway_api_key="sandbox-gateway-key",
    session_id="sandbox-session",
    access_token="sandbox-token",  # noqa: S106  not a secret: the sandbox runs in this process
    wire_names=SANDBOX_WIRE_NAMES,
)


def named_environment(environment: Environment | Named | str | None) -> Environment | None:
    """Turn the argument `environment` into a value; `None` looks at `SUBSCRIBEKIT_ENVIRONMENT`.

    Raises:
        ConfigurationError: The name is not one of a known environment.
    """
    if isinstance(environment, Environment):
        return environment
    name = environment if environment is not None else os.environ.get("SUBSCRIBEKIT_ENVIRONMENT")
    if not name:
        return None
    if name == "sandbox":
        return SANDBOX
    if environment is not None and name not in ("production", "staging"):
        raise ConfigurationError("environment must be 'production', 'staging', 'sandbox' or an Environment of your own")
    return Environment(name=name)


@dataclass(frozen=True, slots=True)
class Address:
    """A checked base address: `https://host[:port][/prefix]`, without a slash at the end."""

    scheme: str
    hostname: str
    port: int | None
    prefix: str

    @property
    def host(self) -> str:
        """The host as it is written, an IPv6 address in brackets."""
        return f"[{self.hostname}]" if ":" in self.hostname else self.hostname

    @property
    def netloc(self) -> str:
        """Host and port, the scheme's own port left out."""
        return self.host if self.port is None else f"{self.host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def url(self) -> str:
        """The address as text."""
        return self.origin + self.prefix


def parse_address(name: str, url: str, *, allow_insecure_loopback: bool = False) -> Address:
    """Check a base address.

    Raises:
        ConfigurationError: Not HTTPS (plain HTTP only for loopback, with `allow_insecure_loopback`), no host, or with
            user information, query, fragment or dot segments.
    """
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise ConfigurationError(f"{name} is not a URL") from None
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise ConfigurationError(f"{name} must be plain ASCII without spaces")
    if parts.scheme == "http":
        if not allow_insecure_loopback or host not in _LOOPBACK:
            raise ConfigurationError(
                f"{name} must start with https://; plain http:// is only for 127.0.0.1, ::1 and localhost, with "
                f"allow_insecure_loopback=True"
            )
    elif parts.scheme != "https":
        raise ConfigurationError(f"{name} must start with https://")
    if not host or "@" in parts.netloc or parts.query or parts.fragment or url.endswith(("?", "#")):
        raise ConfigurationError(f"{name} must have a host and no user, query or fragment")
    segments = parts.path.split("/")
    if "%" in parts.path or any(segment in (".", "..") for segment in segments) or "" in segments[1:-1]:
        raise ConfigurationError(f"{name} must have a plain path")
    default = {"https": 443, "http": 80}[parts.scheme]
    return Address(parts.scheme, host, None if port == default else port, parts.path.rstrip("/"))
