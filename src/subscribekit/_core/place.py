"""Where a client's calls go, and which credential may go there."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from ssl import SSLContext
from typing import TYPE_CHECKING, TypeVar

from ..errors import ConfigurationError, RequestError
from .auth import AsyncProvider, Credential, basic
from .clock import Clock
from .config import (
    RESERVED_HEADERS,
    Address,
    Environment,
    Group,
    Limits,
    Named,
    RetryPolicy,
    Secret,
    Timeouts,
    WireNames,
    check_deadline,
    named_environment,
    parse_address,
)
from .settings import Settings
from .trace import Trace, check_trace
from .unset import Unset

if TYPE_CHECKING:
    from .observe import Observer

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The arguments that every client takes."""

    timeouts: Timeouts | None
    deadline: float | None
    retry: RetryPolicy | None
    wire_names: WireNames | None
    ssl_context: SSLContext | None
    proxy: Secret | None
    limits: Limits | None
    trace: Trace
    observers: "Sequence[Observer]"


class Place:
    """An address and the environment whose credentials may go there."""

    def __init__(
        self,
        group: Group,
        environment: Environment | Named | None,
        base_url: str | None,
        *,
        allow_insecure_loopback: bool,
    ) -> None:
        # A base_url alone names no environment: the process's credentials belong to named ones only.
        known = named_environment(environment) if environment is not None or base_url is None else None
        if known is None and base_url is None:
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
                f"{known.variable(_ADDRESS_FIELD[group])} or give base_url"
            )
        self.address = self._parse(url, base_url is not None, allow_insecure_loopback=allow_insecure_loopback)
        self._own = known is not None and (
            base_url is None or (own is not None and self._same_origin(own, allow_insecure_loopback))
        )

    def _parse(self, url: object, given: bool, *, allow_insecure_loopback: bool) -> Address:
        name = "base_url" if given or self._environment is None else _ADDRESS_FIELD[self.group]
        if not isinstance(url, str):
            raise ConfigurationError(f"{name} must be text")
        return parse_address(name, url, allow_insecure_loopback=allow_insecure_loopback)

    def _same_origin(self, own: str, allow_insecure_loopback: bool) -> bool:
        return (
            self._parse(own, given=False, allow_insecure_loopback=allow_insecure_loopback).origin == self.address.origin
        )

    @property
    def name(self) -> str | None:
        """The environment's name; `None` for an address of one's own."""
        return self._environment.name if self._environment else None

    @property
    def is_sandbox(self) -> bool:
        """Whether the sandbox of this process answers."""
        return self.name == "sandbox" and self._own

    @property
    def wire_names(self) -> WireNames | None:
        """The names that belong to the environment."""
        return self._environment.wire_names if self._environment else None

    def find(self, argument: str, given: T | None, field: str) -> T | Secret | None:
        """Give a credential: the argument, or the environment's own."""
        if given is not None or not self._own or self._environment is None:
            return given
        return self._environment.credential(field)

    def need(self, argument: str, given: T | None, field: str) -> T | Secret:
        """Give a credential that must be there.

        Raises:
            ConfigurationError: It is nowhere to be found; the text names the argument and the variable.
        """
        found = self.find(argument, given, field)
        if found is None:
            raise ConfigurationError(f"{argument} is missing: {self.remedy(argument, field)}")
        return found

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


_ADDRESS_FIELD: dict[Group, str] = {
    "billing": "base_url",
    "gateway": "gateway_url",
    "user_mgmt": "user_mgmt_url",
    "storefront": "storefront_url",
}


def basic_credential(place: Place, api_user: Secret | None, api_key: Secret | None) -> Credential:
    """The credential of group A."""
    user = place.need("api_user", api_user, "api_user")
    key = place.need("api_key", api_key, "api_key")
    return basic(place.address.origin, user, key)


def api_key_credential(place: Place, api_key: Secret | None) -> Credential:
    """The credential of group B; none is enough for E5."""
    key = place.find("api_key", api_key, "gateway_api_key")
    if key is None:
        return Credential("none", place.address.origin, remedy=place.remedy("api_key", "gateway_api_key"))
    return Credential("api_key", place.address.origin, key, field="api_key")


def session_credential(place: Place, session_id: AsyncProvider | None, cookie_name: str) -> Credential:
    """The credential of group C."""
    if not isinstance(cookie_name, str) or not re.fullmatch(r"[A-Za-z0-9_.-]+", cookie_name):
        raise ConfigurationError("cookie_name must be letters, digits, '_', '.' and '-'")
    value: AsyncProvider = place.need("session_id", session_id, "session_id")
    return Credential("session", place.address.origin, value, field="session_id", cookie=cookie_name)


def bearer_credential(place: Place, access_token: AsyncProvider | None) -> Credential:
    """The credential of group D."""
    value: AsyncProvider = place.need("access_token", access_token, "access_token")
    return Credential("bearer", place.address.origin, value, field="access_token")


_OPTION_TYPES: dict[str, type] = {
    "timeouts": Timeouts,
    "retry": RetryPolicy,
    "limits": Limits,
    "wire_names": WireNames,
}


def _check_type(name: str, value: object, kind: type) -> None:
    if value is not None and not isinstance(value, kind):
        raise ConfigurationError(f"{name} must be a {kind.__name__}, not a {type(value).__name__}")


def check_options(options: Options) -> None:
    """Refuse options of another type before anything is made from them."""
    for name, kind in _OPTION_TYPES.items():
        _check_type(name, getattr(options, name), kind)
    if options.observers:
        from .observe import Observer

        for observer in options.observers:
            _check_type("each of observers", observer, Observer)


def build_settings(
    place: Place,
    credential: Credential,
    options: Options,
    clock: Clock,
    *,
    api_version: str | None = None,
    compress: bool = False,
) -> Settings:
    """Make the settings of a client from options that were checked."""
    if api_version is not None and not (isinstance(api_version, str) and re.fullmatch(r"[\w.-]{1,32}", api_version)):
        raise ConfigurationError("api_version must be 1 to 32 letters, digits, '.', '_' or '-', or None")
    limits = options.limits or Limits()
    return Settings(
        group=place.group,
        environment=place.name or "custom",
        address=place.address,
        credential=credential,
        wire_names=options.wire_names or place.wire_names or WireNames(),
        timeouts=options.timeouts or Timeouts(),
        deadline=check_deadline(options.deadline),
        retry=options.retry or RetryPolicy(),
        trace=check_trace(options.trace),
        write_idle=limits.write_keepalive_expiry,
        clock=clock,
        api_version=api_version,
        compress=compress,
        observers=tuple(options.observers),
    )


def _check_headers(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    for name, value in headers.items():
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name):
            raise RequestError("the name of an extra header must be letters, digits, '-' and '_'")
        if name.lower() in RESERVED_HEADERS:
            raise RequestError(f"the header {name} is set by the client itself")
        if not isinstance(value, str) or not value.isascii() or not value.isprintable() or value != value.strip():
            raise RequestError(f"the value of the header {name} must be printable ASCII without spaces at its ends")
    return tuple(headers.items())


def changed(
    settings: Settings,
    timeouts: Timeouts | Unset,
    deadline: float | Unset | None,
    retry: RetryPolicy | Unset,
    trace: Trace | Unset,
    headers: Mapping[str, str] | Unset,
) -> Settings:
    """Apply the arguments of `with_options`."""
    if not isinstance(timeouts, Unset):
        _check_type("timeouts", timeouts, Timeouts)
        settings = replace(settings, timeouts=timeouts)
    if not isinstance(deadline, Unset):
        settings = replace(settings, deadline=check_deadline(deadline))
    if not isinstance(retry, Unset):
        _check_type("retry", retry, RetryPolicy)
        settings = replace(settings, retry=retry)
    if not isinstance(trace, Unset):
        settings = replace(settings, trace=check_trace(trace))
    if not isinstance(headers, Unset):
        settings = replace(settings, headers=_check_headers(headers))
    return settings
