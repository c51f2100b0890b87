"""Where a client's calls go, and which credential may go there."""

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

__tracebackhide__ = True  # pytest shows the line of the caller instead

T = TypeVar("T", bound=Provider)


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
        self.environment: Environment | None = known
        """The given or named value."""
        own = known.address(group) if known is not None else None
        url = base_url if base_url is not None else own
        if url is None and known is not None:
            raise ConfigurationError(
                f"environment {known.name!r} has no address for this client: set "
                f"{known.variable(ADDRESS_FIELD[group])}{BASE_URL.text}{_hint_of_placeholder(known.name)}"
            )
        own_name = "base_url" if known is None else source(known, ADDRESS_FIELD[group])
        parse = partial(parse_address, allow_insecure_loopback=allow_insecure_loopback)
        self.address: Address = parse("base_url" if base_url is not None else own_name, url)
        is_own = base_url is None or (own is not None and parse(own_name, own).origin == self.address.origin)
        self._own = known if is_own else None  # the environment, where calls go to its own address

    @property
    def name(self) -> str | None:
        """The environment's name; `None` for your own address."""
        return self.environment.name if self.environment else None

    @property
    def ca_file(self) -> str | None:
        """The certificates to trust at the environment's own addresses; `None` for the public authorities."""
        return self._own.authorities() if self._own else None

    @property
    def proxy(self) -> Secret | None:
        """The proxy to the environment's own addresses, by its variable; the arguments of a client come first."""
        return self._own.proxy() if self._own else None

    @property
    def connection_variables(self) -> list[str]:
        """The variables of the process environment that say how connections to the environment are made."""
        names = [self._own.variable(name) for name in ("proxy", "ca_file")] if self._own else []
        return [name for name in names if os.environ.get(name)]

    @property
    def is_sandbox(self) -> bool:
        """Whether the sandbox of this process handles the calls."""
        return self._own is not None and self._own.name == "sandbox"

    @property
    def wire_names(self) -> WireNames | None:
        """The names that belong to the environment."""
        return self.environment.wire_names if self.environment else None

    def find(self, argument: str, given: T | None, field: str) -> tuple[T | Secret | None, str]:
        """Give a credential, the argument or the environment's own, and say which of them it is."""
        if given is not None or self._own is None:
            return given, argument
        return self._own.credential(field), source(self._own, field)

    def need(self, name: str, given: T | None) -> tuple[T | Secret, str]:
        """Give a credential that must be there, and say where it came from.

        Raises:
            ConfigurationError: It is nowhere to be found; the text names the argument and the variable.
        """
        found, where = self.find(name, given, name)
        if found is None:
            raise ConfigurationError(f"{name} is missing: {self.remedy(name, name)}")
        return found, where

    def remedy(self, argument: str, field: str) -> str:
        """Say where a credential may come from."""
        if self.environment is None:
            return f"give {argument} when the client is made"
        if self._own:
            return f"{CREDENTIALS[argument].text}set {self.environment.variable(field)}"
        return (
            f"give {argument} when the client is made; those of environment {self.environment.name!r} go only to its "
            f"own address, and base_url is another"
        )


def _hint_of_placeholder(name: str) -> str:
    return "" if name in ("production", "staging") else did_you_mean(name)


def basic_credential(target: Target, api_user: Secret | None, api_key: Provider | None) -> Credential:
    """The credential of group A."""
    user, user_name = target.need("api_user", api_user)
    key, key_name = target.need("api_key", api_key)
    return basic(target.address.origin, user, key, (user_name, key_name))


def api_key_credential(target: Target, api_key: Provider | None) -> Credential:
    """The credential of group B; none is enough for E5."""
    key, name = target.find("api_key", api_key, "gateway_api_key")
    if key is None:
        return Credential("none", target.address.origin, Secret(""), remedy=target.remedy("api_key", "gateway_api_key"))
    return Credential("api_key", target.address.origin, key, name)


def session_credential(target: Target, session_id: Provider | None, cookie_name: str) -> Credential:
    """The credential of group C."""
    if not isinstance(cookie_name, str) or not re.fullmatch(r"[A-Za-z0-9_.-]+", cookie_name):
        raise ConfigurationError("cookie_name must be letters, digits, '_', '.' and '-'")
    value, name = target.need("session_id", session_id)
    return Credential("session", target.address.origin, value, name, cookie=cookie_name)


def bearer_credential(target: Target, access_token: Provider | None) -> Credential:
    """The credential of group D."""
    value, name = target.need("access_token", access_token)
    return Credential("bearer", target.address.origin, value, name)
