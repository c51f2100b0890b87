"""The base URL of a client, and the credentials that the client can send to it."""

import os
import re
from functools import partial
from typing import TypeVar

from ..._hints.python_advice import BASE_URL, CREDENTIALS
from ..._sealed import Secret
from ...errors import ConfigurationError
from .address import Address, parse_address
from .credentials import Credential, Provider, basic
from .environments import (
    ADDRESS_FIELD,
    Environment,
    Group,
    Named,
    did_you_mean,
    is_of_sandbox,
    named_environment,
    source,
)
from .wire_names import WireNames

__tracebackhide__ = True

T = TypeVar("T", bound=Provider)


class Target:
    """A base URL, and the environment whose credentials the client can send to it."""

    def __init__(
        self,
        group: Group,
        environment: Environment | Named | None,
        base_url: str | None,
        transport: object = None,
        *,
        allow_insecure_loopback: bool,
    ) -> None:
        if type(allow_insecure_loopback) is not bool:
            raise ConfigurationError("allow_insecure_loopback must be True or False")
        # A base_url alone doesn't select an environment, because the credentials in variables belong to environments.
        known = named_environment(environment) if environment is not None or base_url is None else None
        if known is None and base_url is None:
            if is_of_sandbox(transport):
                raise ConfigurationError(
                    "environment is missing; pass environment=sandbox.environment and omit transport="
                )
            raise ConfigurationError(
                "environment is missing, and there's no default; pass environment='production', 'staging', or "
                "'sandbox', set the variable SUBSCRIBEKIT_ENVIRONMENT, or pass base_url with credentials"
            )
        self.group: Group = group
        self.environment: Environment | None = known
        """The environment that the caller passed or named; `None` if the caller passed only a `base_url`."""
        own = known.address(group) if known is not None else None
        url = base_url if base_url is not None else own
        if url is None and known is not None:
            raise ConfigurationError(
                f"environment {known.name!r} has no base URL for this client; set "
                f"{known.variable(ADDRESS_FIELD[group])}{BASE_URL.text}{_hint_of_placeholder(known.name)}"
            )
        own_name = "base_url" if known is None else source(known, ADDRESS_FIELD[group])
        parse = partial(parse_address, allow_insecure_loopback=allow_insecure_loopback)
        self.address: Address = parse("base_url" if base_url is not None else own_name, url)
        is_own = base_url is None or (own is not None and parse(own_name, own).origin == self.address.origin)
        # The environment's credentials, CA file, and proxy apply only to the environment's own origin.
        self._own = known if is_own else None

    @property
    def name(self) -> str | None:
        """The name of the environment; `None` if the caller passed only a `base_url`."""
        return self.environment.name if self.environment else None

    @property
    def ca_file(self) -> str | None:
        """The path of the CA certificates for the environment's own base URLs; `None` for the public certificates."""
        return self._own.authorities() if self._own else None

    @property
    def proxy(self) -> Secret | None:
        """The proxy for the environment's own base URLs, from the variable `..._PROXY`.

        A client's arguments override this proxy.
        """
        return self._own.proxy() if self._own else None

    @property
    def connection_variables(self) -> list[str]:
        """The environment variables that configure the connections to the environment, if they're set."""
        names = [self._own.variable(name) for name in ("proxy", "ca_file")] if self._own else []
        return [name for name in names if os.environ.get(name)]

    @property
    def is_sandbox(self) -> bool:
        """Whether the calls go to the sandbox of this process."""
        return self._own is not None and self._own.name == "sandbox"

    @property
    def wire_names(self) -> WireNames | None:
        """The wire names of the environment."""
        return self.environment.wire_names if self.environment else None

    def find(self, argument: str, given: T | None, field: str) -> tuple[T | Secret | None, str]:
        """Return a credential, and the name of the argument, field, or variable that contains the credential."""
        if given is not None or self._own is None:
            return given, argument
        return self._own.credential(field), source(self._own, field)

    def require(self, name: str, given: T | None) -> tuple[T | Secret, str]:
        """Return a credential and the name of its source, as `find` does. If it's missing, raise an error.

        Raises:
            ConfigurationError: The credential is missing. The error names the argument and the variable to set.
        """
        found, source_name = self.find(name, given, name)
        if found is None:
            raise ConfigurationError(f"{name} is missing; {self.remedy(name, name)}")
        return found, source_name

    def remedy(self, argument: str, field: str) -> str:
        """Return the fix for a missing credential, as the end of an error message."""
        if self.environment is None:
            return f"pass {argument} to the client"
        if self._own:
            return f"{CREDENTIALS[argument].text}set {self.environment.variable(field)}"
        return (
            f"pass {argument} to the client, because the SDK sends the credentials of environment "
            f"{self.environment.name!r} only to its own base URL, and base_url is another URL"
        )


def _hint_of_placeholder(name: str) -> str:
    return "" if name in ("production", "staging") else did_you_mean(name)


def basic_credential(target: Target, api_user: Secret | None, api_key: Provider | None) -> Credential:
    """Return the credential for the billing API."""
    user, user_name = target.require("api_user", api_user)
    key, key_name = target.require("api_key", api_key)
    return basic(target.address.origin, user, key, (user_name, key_name))


def api_key_credential(target: Target, api_key: Provider | None) -> Credential:
    """Return the credential for the gateway. The API key is optional, because `campaigns.activate` (E5) needs none."""
    key, name = target.find("api_key", api_key, "gateway_api_key")
    if key is None:
        return Credential("none", target.address.origin, Secret(""), remedy=target.remedy("api_key", "gateway_api_key"))
    return Credential("api_key", target.address.origin, key, name)


def session_credential(target: Target, session_id: Provider | None, cookie_name: str) -> Credential:
    """Return the credential for the account-lifecycle API."""
    if not isinstance(cookie_name, str) or not re.fullmatch(r"[A-Za-z0-9_.-]+", cookie_name):
        raise ConfigurationError("cookie_name must contain only letters, digits, '_', '.', and '-'")
    value, name = target.require("session_id", session_id)
    return Credential("session", target.address.origin, value, name, cookie=cookie_name)


def bearer_credential(target: Target, access_token: Provider | None) -> Credential:
    """Return the credential for the storefront."""
    value, name = target.require("access_token", access_token)
    return Credential("bearer", target.address.origin, value, name)
