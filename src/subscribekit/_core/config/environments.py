"""Environments. An environment contains the base URLs of the services, and may contain credentials and wire names."""

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

__tracebackhide__ = True

API_VERSION = "20190501"
"""The current version of the billing API (specification, Versioning)."""

API_RELEASE = "v85"
"""The release number in the paths of the account-lifecycle API's lists, such as `accounts.list` (E10)."""


_VARIABLE = "SUBSCRIBEKIT_ENVIRONMENT"
_READ_ONLY = "SUBSCRIBEKIT_READ_ONLY"
_NAME = "[A-Za-z][A-Za-z0-9_-]*"
_LONGEST = 20
_NAMED = ("production", "staging", "sandbox")
Named: TypeAlias = Literal["production", "staging", "sandbox"]
Group: TypeAlias = Literal["billing", "gateway", "user_mgmt", "storefront"]


def is_a_name(name: object) -> TypeGuard[str]:
    """Return whether a value is a valid name for an environment."""
    return isinstance(name, str) and re.fullmatch(_NAME, name) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A deployment of the platform, with the base URLs of the services, and optionally credentials for the services.

    When you create a client, the SDK reads missing values from environment variables: `SUBSCRIBEKIT_<NAME>_BASE_URL`,
    `_GATEWAY_URL`, `_USER_MGMT_URL`, `_STOREFRONT_URL`, `_API_USER`, `_API_KEY`, `_GATEWAY_API_KEY`, `_SESSION_ID`,
    `_ACCESS_TOKEN`, `_CA_FILE`, and `_PROXY`. `_PROXY` is `http://[user:password@]host:port`. Clients use the proxy and
    the CA file only for the environment's own base URLs.

    Args:
        name: A short name that starts with a letter and contains only letters, digits, `-`, and `_`.
        base_url: The base URL of the billing API.
        gateway_url: The base URL of the gateway.
        user_mgmt_url: The base URL of the account-lifecycle API.
        storefront_url: The base URL of the storefront.
        api_user: The user name for HTTP Basic authentication (billing API).
        api_key: The password for HTTP Basic authentication (billing API).
        gateway_api_key: The `X-API-KEY` (gateway).
        session_id: The session ID in the cookie `JSESSIONID` (account-lifecycle API).
        access_token: The bearer token (storefront).
        wire_names: The wire names of this environment that the specification doesn't document.
        ca_file: The path of a PEM file with the CA certificates to trust instead of the public certificates, for
            example the certificate of a served sandbox. A client that has an `ssl_context` ignores `ca_file`.

    Raises:
        ConfigurationError: The name is invalid.
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
            raise ConfigurationError(
                "Environment.name must start with a letter and contain only letters, digits, '-', and '_'"
            )
        for name in _CREDENTIALS:
            object.__setattr__(self, name, secret_of(getattr(self, name)))

    def address(self, group: Group, process: Mapping[str, str] = os.environ) -> str | None:
        """Return the base URL of a service from this object, or from its variable if this object has none."""
        name = ADDRESS_FIELD[group]
        value: str | None = getattr(self, name)
        return self._from_variable(name, process) if value is None else value

    def authorities(self, process: Mapping[str, str] = os.environ) -> str | None:
        """Return the CA file's path from this object, or from the variable `..._CA_FILE` if this object has none."""
        return self._from_variable("ca_file", process) if self.ca_file is None else self.ca_file

    def proxy(self, process: Mapping[str, str] = os.environ) -> Secret | None:
        """Return the URL of the proxy from the variable `..._PROXY`. The sandbox never uses a proxy."""
        return secret_of(self._from_variable("proxy", process))

    def credential(self, name: str, process: Mapping[str, str] = os.environ) -> Secret | None:
        """Return a credential from this object, or from the credential's variable if this object has none."""
        value: Secret | None = getattr(self, name)
        return secret_of(self._from_variable(name, process)) if value is None else value

    def _from_variable(self, name: str, process: Mapping[str, str]) -> str | None:
        """Read a value of the environment from the value's variable. The sandbox ignores all environment variables."""
        return None if self.name == "sandbox" else process.get(self.variable(name)) or None

    def variable(self, name: str) -> str:
        """Return the name of the variable that contains a value of this environment."""
        return f"SUBSCRIBEKIT_{self.name.upper().replace('-', '_')}_{name.upper()}"


_CREDENTIALS = ("api_user", "api_key", "gateway_api_key", "session_id", "access_token")
GROUP_NAMES: dict[Group, str] = {
    "billing": "Billing",
    "gateway": "Gateway",
    "user_mgmt": "UserMgmt",
    "storefront": "Storefront",
}
"""The prefix of each service's class names, such as `Billing` in `BillingClient` and `BillingResources`."""
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
"""The wire names of the sandbox. The real service may use other wire names."""


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
    access_token="sandbox-token",  # noqa: S106  not a secret, because the sandbox runs in this process
    wire_names=SANDBOX_WIRE_NAMES,
)


_INVALID_ENVIRONMENT = "environment must be 'production', 'staging', 'sandbox', or an Environment"


def named_environment(environment: Environment | Named | str | None) -> Environment | None:
    """Return the environment for `environment`, or for `SUBSCRIBEKIT_ENVIRONMENT` if the argument is `None`.

    Raises:
        ConfigurationError: The argument or the variable is invalid.
    """
    if isinstance(environment, Environment):
        return environment
    if is_of_sandbox(environment):
        raise ConfigurationError(
            "environment must be an Environment, not a Sandbox; pass environment=sandbox.environment"
        )
    if environment is not None and not isinstance(environment, str):
        raise ConfigurationError(_INVALID_ENVIRONMENT)
    # An empty environment variable counts as unset, but an empty argument is a mistake.
    name = environment if environment is not None else os.environ.get(_VARIABLE) or None
    if name is None:
        return None
    if name == "sandbox":
        return SANDBOX
    if environment is not None and name not in _NAMED:
        # Show only short, valid names, because any other string may be a credential that was passed as the environment
        # by mistake.
        suffix = f", not {name!r}{_advice_for(name)}" if is_a_name(name) and len(name) <= _LONGEST else ""
        raise ConfigurationError(f"{_INVALID_ENVIRONMENT}{suffix}")
    if not is_a_name(name):
        raise ConfigurationError(f"{_VARIABLE} must start with a letter and contain only letters, digits, '-', and '_'")
    return Environment(name=name)


def is_process_read_only(process: Mapping[str, str] = os.environ) -> bool:
    """Return whether `SUBSCRIBEKIT_READ_ONLY` makes all clients of the process read-only.

    Raises:
        ConfigurationError: The variable isn't `1`, `0`, or empty.
    """
    value = process.get(_READ_ONLY, "")
    if value not in ("", "0", "1"):
        raise ConfigurationError(f"{_READ_ONLY} must be 1 or 0")
    return value == "1"


def is_of_sandbox(given: object) -> bool:
    """Return whether a value has an `environment`, as a sandbox and the transports of a sandbox do."""
    return isinstance(getattr(given, "environment", None), Environment)


def no_such_sandbox() -> ConfigurationError:
    """Return the error for an environment whose sandbox is gone, because calls would reach another sandbox."""
    return ConfigurationError(
        "this environment isn't connected to a sandbox in this process; also pass transport=sandbox.transport "
        "(async_transport for an async client), or create the client with sandbox.billing()"
    )


def did_you_mean(name: str) -> str:
    """Return the end of an error message that suggests a known environment with a similar name, or an empty string."""
    return names.did_you_mean(name.lower(), _NAMED, 0.5)


def _advice_for(name: str) -> str:
    """Return the end of an error message, which suggests a similar known name, or shows how to define the environment.

    If a variable such as `SUBSCRIBEKIT_<NAME>_BASE_URL` is set for `name`, the name is probably right, so the function
    suggests no other name.
    """
    prefix = Environment(name=name).variable("")
    suggestion = did_you_mean(name)
    if suggestion and not any(each.startswith(prefix) for each in os.environ):
        return suggestion
    return (
        f"; write Environment(name={name!r}), or set {_VARIABLE}={name} and omit the argument; both read "
        f"{prefix}BASE_URL and similar variables"
    )


def source(environment: Environment, field: str) -> str:
    """Return the name of the field or the variable that contains a value of an environment."""
    return environment.variable(field) if getattr(environment, field) is None else f"Environment.{field}"


publish("subscribekit", Environment)
