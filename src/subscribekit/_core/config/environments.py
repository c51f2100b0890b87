"""Settings: environments, addresses, time limits, retry policy, and the wire names that are not published.

Everything here is an immutable value that refuses nonsense when it is built.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeGuard

from ..._hints import names
from ..._public import publish
from ..._sealed import Secret, secret_of
from ...errors import ConfigurationError
from .wire_names import WireNames

__tracebackhide__ = True  # pytest shows the line of the caller instead

API_VERSION = "20190501"
"""The current version of the billing API (specification, Versioning)."""

API_RELEASE = "v85"
"""The release in the paths of E10 and of the other lists of the account lifecycle interfaces."""


_VARIABLE = "SUBSCRIBEKIT_ENVIRONMENT"
_READ_ONLY = "SUBSCRIBEKIT_READ_ONLY"
_NAME = "[A-Za-z][A-Za-z0-9_-]*"
_LONGEST = 20
_NAMED = ("production", "staging", "sandbox")
Named: TypeAlias = Literal["production", "staging", "sandbox"]
Group: TypeAlias = Literal["billing", "gateway", "user_mgmt", "storefront"]


def is_a_name(name: object) -> TypeGuard[str]:
    """Whether an environment may have this name."""
    return isinstance(name, str) and re.fullmatch(_NAME, name) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A place where the service runs: addresses, and optionally the credentials that belong to them.

    Missing values are read from the process environment when a client is made, as
    `SUBSCRIBEKIT_<NAME>_BASE_URL`, `_GATEWAY_URL`, `_USER_MGMT_URL`, `_STOREFRONT_URL`, `_API_USER`, `_API_KEY`,
    `_GATEWAY_API_KEY`, `_SESSION_ID`, `_ACCESS_TOKEN`, `_CA_FILE` and `_PROXY` (`http://[user:password@]host:port`,
    for the environment's own addresses).

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
        ca_file: A file of certificates (PEM) that calls to the environment's own addresses trust in place of the public
            authorities, such as that of a served sandbox; a client's own `ssl_context` comes first.

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
    ca_file: str | None = None

    def __post_init__(self) -> None:
        if not is_a_name(self.name):
            raise ConfigurationError("Environment.name must be a letter followed by letters, digits, '-' or '_'")
        for name in _CREDENTIALS:
            object.__setattr__(self, name, secret_of(getattr(self, name)))

    def address(self, group: Group, process: Mapping[str, str] = os.environ) -> str | None:
        """Give a group's base address, from this value or from the process environment."""
        name = ADDRESS_FIELD[group]
        value: str | None = getattr(self, name)
        return self._of_process(name, process) if value is None else value

    def authorities(self, process: Mapping[str, str] = os.environ) -> str | None:
        """Give the file of certificates to trust, from this value or from the process environment."""
        return self._of_process("ca_file", process) if self.ca_file is None else self.ca_file

    def proxy(self, process: Mapping[str, str] = os.environ) -> Secret | None:
        """Give the proxy of the process environment; the sandbox has none."""
        return secret_of(self._of_process("proxy", process))

    def credential(self, name: str, process: Mapping[str, str] = os.environ) -> Secret | None:
        """Give a credential, from this value or from the process environment."""
        value: Secret | None = getattr(self, name)
        return secret_of(self._of_process(name, process)) if value is None else value

    def _of_process(self, name: str, process: Mapping[str, str]) -> str | None:
        """Read a value from the process environment, which the sandbox does not look at."""
        return None if self.name == "sandbox" else process.get(self.variable(name)) or None

    def variable(self, name: str) -> str:
        """Name the variable of the process environment that holds a value."""
        return f"SUBSCRIBEKIT_{self.name.upper().replace('-', '_')}_{name.upper()}"


_CREDENTIALS = ("api_user", "api_key", "gateway_api_key", "session_id", "access_token")
GROUP_NAMES: dict[Group, str] = {
    "billing": "Billing",
    "gateway": "Gateway",
    "user_mgmt": "UserMgmt",
    "storefront": "Storefront",
}
"""How the names of a group's classes begin: `BillingClient`, `BillingResources`."""
ADDRESS_FIELD: dict[Group, str] = {
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


_NO_ENVIRONMENT = "environment must be 'production', 'staging', 'sandbox' or an Environment of your own"


def named_environment(environment: Environment | Named | str | None) -> Environment | None:
    """Turn the argument `environment` into a value; `None` looks at `SUBSCRIBEKIT_ENVIRONMENT`.

    Raises:
        ConfigurationError: The name is not one of a known environment.
    """
    if isinstance(environment, Environment):
        return environment
    if is_of_sandbox(environment):
        raise ConfigurationError("write environment=sandbox.environment: a sandbox has an environment, and is none")
    if environment is not None and not isinstance(environment, str):
        raise ConfigurationError(_NO_ENVIRONMENT)
    # A variable that is empty names nothing; an argument that is empty is a mistake.
    name = environment if environment is not None else os.environ.get(_VARIABLE) or None
    if name is None:
        return None
    if name == "sandbox":
        return SANDBOX
    if environment is not None and name not in _NAMED:
        # A text that is no short name may be a key in the wrong place.
        given = f"; {name!r} is none{_instead_of(name)}" if is_a_name(name) and len(name) <= _LONGEST else ""
        raise ConfigurationError(f"{_NO_ENVIRONMENT}{given}")
    if not is_a_name(name):
        raise ConfigurationError(f"{_VARIABLE} must be a name: a letter followed by letters, digits, '-' or '_'")
    return Environment(name=name)


def is_process_read_only(process: Mapping[str, str] = os.environ) -> bool:
    """Whether `SUBSCRIBEKIT_READ_ONLY` makes all clients of the process read-only.

    Raises:
        ConfigurationError: It is something else than `1`, `0` or empty.
    """
    value = process.get(_READ_ONLY, "")
    if value not in ("", "0", "1"):
        raise ConfigurationError(f"{_READ_ONLY} must be 1 or 0")
    return value == "1"


def is_of_sandbox(given: object) -> bool:
    """Whether something is a sandbox, or a transport of one: both say their environment."""
    return isinstance(getattr(given, "environment", None), Environment)


def no_such_sandbox() -> ConfigurationError:
    """Refuse an environment that looks like that of a sandbox and is none's: calls would reach another sandbox."""
    return ConfigurationError(
        "this environment is a copy of a sandbox's, or its sandbox is gone: give transport=sandbox.transport besides "
        "(async_transport for an async client), or make the client with sandbox.billing()"
    )


def did_you_mean(name: str) -> str:
    """Ask about the name of a known environment that is near to another one; nothing when none is."""
    return names.did_you_mean(name.lower(), _NAMED, 0.5)


def _instead_of(name: str) -> str:
    """Say how your own environment is named, unless a known one is near and nothing is set for this one."""
    variable = Environment(name=name).variable("")
    near = did_you_mean(name)
    if near and not any(each.startswith(variable) for each in os.environ):
        return near
    return (
        f": write Environment(name={name!r}), or set {_VARIABLE}={name} and leave the argument out; both read "
        f"{variable}BASE_URL and the like"
    )


def source(environment: Environment, field: str) -> str:
    """Say where a value of an environment came from: its own field, or a variable of the process."""
    return environment.variable(field) if getattr(environment, field) is None else f"Environment.{field}"


publish("subscribekit", Environment)
