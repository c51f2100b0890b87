"""Where a client's calls go, and which credential may go there."""

import os
import re
from typing import TypeVar

from ...errors import ConfigurationError
from .address import Address, parse_address
from .credentials import Credential, CredentialSource, basic
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
from .secret import Secret
from .wire_names import WireNames

__tracebackhide__ = True  # pytest shows the line of the caller instead

T = TypeVar("T")


class Target:
    """An address and the environment whose credentials may go there."""

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
        # A base_url alone names no environment: the process's credentials belong to named ones only.
        known = named_environment(environment) if environment is not None or base_url is None else None
        if known is None and base_url is None:
            if is_of_sandbox(transport):
                raise ConfigurationError(
                    "a transport alone does not say which environment to use: write environment=sandbox.environment, "
                    "which needs no transport"
                )
            raise ConfigurationError(
                "say which environment to use: environment='production', 'staging' or 'sandbox', the variable "
                "SUBSCRIBEKIT_ENVIRONMENT, or base_url with credentials; there is no default"
            )
        self.group: Group = group
        self._environment = known
        own = known.address(group) if known is not None else None
        url = base_url if base_url is not None else own
        if url is None and known is not None:
            raise ConfigurationError(
                f"environment {known.name!r} has no address for this client: set "
                f"{known.variable(ADDRESS_FIELD[group])} or give base_url{_hint_of_placeholder(known.name)}"
            )
        self.address = self._parse(url, base_url is not None, allow_insecure_loopback=allow_insecure_loopback)
        self._own = known is not None and (
            base_url is None or (own is not None and self._same_origin(own, allow_insecure_loopback))
        )

    def _parse(self, url: object, given: bool, *, allow_insecure_loopback: bool) -> Address:
        own = None if given or self._environment is None else self._environment
        name = "base_url" if own is None else source(own, ADDRESS_FIELD[self.group])
        if not isinstance(url, str):
            raise ConfigurationError(f"{name} must be text")
        return parse_address(name, url, allow_insecure_loopback=allow_insecure_loopback)

    def _same_origin(self, own: str, allow_insecure_loopback: bool) -> bool:
        return (
            self._parse(own, given=False, allow_insecure_loopback=allow_insecure_loopback).origin == self.address.origin
        )

    @property
    def environment(self) -> Environment | None:
        """The given or named value."""
        return self._environment

    @property
    def name(self) -> str | None:
        """The environment's name; `None` for your own address."""
        return self._environment.name if self._environment else None

    @property
    def ca_file(self) -> str | None:
        """The certificates to trust at the environment's own addresses; `None` for the public authorities."""
        return self._environment.authorities() if self._environment is not None and self._own else None

    @property
    def proxy(self) -> Secret | None:
        """The proxy to the environment's own addresses, by its variable; the arguments of a client come first."""
        return self._environment.proxy() if self._environment is not None and self._own else None

    @property
    def connection_variables(self) -> list[str]:
        """The variables of the process environment that say how connections to the environment are made."""
        known = self._environment if self._own else None
        names = [] if known is None else [known.variable(name) for name in ("proxy", "ca_file")]
        return [name for name in names if os.environ.get(name)]

    @property
    def is_sandbox(self) -> bool:
        """Whether the sandbox of this process handles the calls."""
        return self.name == "sandbox" and self._own

    @property
    def wire_names(self) -> WireNames | None:
        """The names that belong to the environment."""
        return self._environment.wire_names if self._environment else None

    def find(self, given: T | None, field: str) -> T | Secret | None:
        """Give a credential: the argument, or the environment's own."""
        if given is not None or not self._own or self._environment is None:
            return given
        return self._environment.credential(field)

    def need(self, argument: str, given: T | None, field: str) -> T | Secret:
        """Give a credential that must be there.

        Raises:
            ConfigurationError: It is nowhere to be found; the text names the argument and the variable.
        """
        found = self.find(given, field)
        if found is None:
            raise ConfigurationError(f"{argument} is missing: {self.remedy(argument, field)}")
        return found

    def source(self, argument: str, given: object, field: str) -> str:
        """Say where a credential came from: the argument, or what the environment has in its place."""
        if given is not None or not self._own or self._environment is None:
            return argument
        return source(self._environment, field)

    def remedy(self, argument: str, field: str) -> str:
        """Say where a credential may come from."""
        if self._environment is None:
            return f"give {argument} when the client is made"
        if self._own:
            return f"give {argument} when the client is made, or set {self._environment.variable(field)}"
        return (
            f"give {argument} when the client is made; those of environment {self._environment.name!r} go only to its "
            f"own address, and base_url is another"
        )


def _hint_of_placeholder(name: str) -> str:
    return "" if name in ("production", "staging") else did_you_mean(name)


def basic_credential(target: Target, api_user: Secret | None, api_key: CredentialSource | None) -> Credential:
    """The credential of group A."""
    user = target.need("api_user", api_user, "api_user")
    key: CredentialSource = target.need("api_key", api_key, "api_key")
    names = target.source("api_user", api_user, "api_user"), target.source("api_key", api_key, "api_key")
    return basic(target.address.origin, user, key, names)


def api_key_credential(target: Target, api_key: CredentialSource | None) -> Credential:
    """The credential of group B; none is enough for E5."""
    key: CredentialSource | None = target.find(api_key, "gateway_api_key")
    if key is None:
        return Credential("none", target.address.origin, remedy=target.remedy("api_key", "gateway_api_key"))
    name = target.source("api_key", api_key, "gateway_api_key")
    return Credential("api_key", target.address.origin, key, field=name)


def session_credential(target: Target, session_id: CredentialSource | None, cookie_name: str) -> Credential:
    """The credential of group C."""
    if not isinstance(cookie_name, str) or not re.fullmatch(r"[A-Za-z0-9_.-]+", cookie_name):
        raise ConfigurationError("cookie_name must be letters, digits, '_', '.' and '-'")
    value: CredentialSource = target.need("session_id", session_id, "session_id")
    name = target.source("session_id", session_id, "session_id")
    return Credential("session", target.address.origin, value, field=name, cookie=cookie_name)


def bearer_credential(target: Target, access_token: CredentialSource | None) -> Credential:
    """The credential of group D."""
    value: CredentialSource = target.need("access_token", access_token, "access_token")
    name = target.source("access_token", access_token, "access_token")
    return Credential("bearer", target.address.origin, value, field=name)
