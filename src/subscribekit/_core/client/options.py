"""The arguments that every client takes: checked, and turned into settings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from ssl import SSLContext
from typing import TYPE_CHECKING

from ...errors import ConfigurationError, RequestError
from ..calls.settings import Settings
from ..calls.trace import Trace, check_trace
from ..config.clock import Clock
from ..config.credentials import Credential
from ..config.retry_policy import RetryPolicy
from ..config.secret import Secret
from ..config.target import Place
from ..config.timeouts import Limits, Timeouts, check_deadline
from ..config.unset import Unset
from ..config.wire_names import RESERVED_HEADERS, WireNames

if TYPE_CHECKING:
    from ..calls.observers import Observer


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
        from ..calls.observers import Observer

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
    if len({name.lower() for name in headers}) < len(headers):  # which of the two counts is each server's own choice
        raise RequestError("two extra headers have the same name; upper and lower case do not tell names apart")
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
