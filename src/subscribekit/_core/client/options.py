"""Checks the arguments that all clients share, and creates a client's settings from these arguments."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from ssl import SSLContext

from ..._articles import with_article
from ..._sealed import Secret
from ...errors import ConfigurationError, InvalidArgumentError
from ..calls.settings import UNNAMED, USER_AGENT, Settings
from ..calls.telemetry.trace import Trace, check_trace
from ..config.clock import Clock
from ..config.credentials import Credential
from ..config.environments import is_process_read_only
from ..config.observer import Observer, with_automatic
from ..config.retry_policy import RetryPolicy
from ..config.target import Target
from ..config.timeouts import Limits, Timeouts, check_deadline
from ..config.unset import Unset
from ..config.wire_names import RESERVED_HEADERS, WIRE_NAME, WireNames

__tracebackhide__ = True


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Options:
    """The arguments that all clients share."""

    timeouts: Timeouts | None
    deadline: float | None
    retry: RetryPolicy | None
    wire_names: WireNames | None
    ssl_context: SSLContext | None
    proxy: Secret | None
    limits: Limits | None
    trace: Trace
    observers: Sequence[Observer]
    read_only: bool
    check_minor_units: bool
    user_agent_suffix: str | None
    api_version: str | None = None
    api_release: str | None = None
    compress_requests: bool = False
    send_gzip_header: bool = True
    http_client: object = None


_EXAMPLES = {
    "timeouts": "timeouts=Timeouts(read=10.0), or deadline=10.0 for a whole call",
    "retry": "retry=RetryPolicy(max_attempts=3)",
    "limits": "limits=Limits(max_connections=100)",
    "each of observers": "observers=[Hooks(on_response=...)]",
}


def _check_type(name: str, value: object, kind: type) -> None:
    if isinstance(value, type):
        raise ConfigurationError(f"{name} must be {with_article(kind)}, not a class; pass {value.__name__}()")
    if value is not None and not isinstance(value, kind):
        example = f"; pass {_EXAMPLES[name]}" if name in _EXAMPLES else ""
        raise ConfigurationError(f"{name} must be {with_article(kind)}, not {with_article(type(value))}{example}")


def _check_given(name: str, value: object, kind: type) -> None:
    """Check an argument of `with_options`, which rejects `None`. Constructors replace `None` with a default."""
    if value is None:
        raise ConfigurationError(
            f"{name} must be {with_article(kind)}, not None; omit the argument to keep the current value, or pass "
            f"{_EXAMPLES[name]}"
        )
    _check_type(name, value, kind)


def check_options(options: Options) -> None:
    """Raise an error if an option has the wrong type."""
    _check_type("timeouts", options.timeouts, Timeouts)
    _check_type("retry", options.retry, RetryPolicy)
    _check_type("limits", options.limits, Limits)
    _check_type("wire_names", options.wire_names, WireNames)
    given: object = options.observers
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        how = (
            "observers=[...] with the observer in the list"
            if isinstance(given, Observer)
            else _EXAMPLES["each of observers"]
        )
        raise ConfigurationError(f"observers must be a list or tuple, not {with_article(type(given))}; pass {how}")
    for observer in options.observers:
        _check_type("each of observers", observer, Observer)


_PRODUCT = re.compile(r"[\w.+-]{1,64}(?:/[\w.+-]{1,64})?", re.ASCII)


def build_settings(target: Target, credential: Credential, options: Options, limits: Limits, clock: Clock) -> Settings:
    """Return the settings of a client, from options that `check_options` has checked."""
    api_version = options.api_version
    if api_version is not None and not (isinstance(api_version, str) and re.fullmatch(r"[\w.-]{1,32}", api_version)):
        raise ConfigurationError("api_version must be None, or 1 to 32 letters, digits, '.', '_', or '-'")
    release = options.api_release
    if target.group == "user_mgmt" and not (isinstance(release, str) and re.fullmatch(r"v[0-9]{1,6}", release)):
        raise ConfigurationError("api_release must be 'v' and a number, such as 'v85'")
    for name in ("compress_requests", "send_gzip_header", "read_only", "check_minor_units"):
        if type(getattr(options, name)) is not bool:
            raise ConfigurationError(f"{name} must be True or False")
    application = options.user_agent_suffix
    if application is not None and not (isinstance(application, str) and _PRODUCT.fullmatch(application)):
        raise ConfigurationError("user_agent_suffix must be a name, with or without a version, such as 'shop/1.2'")
    return Settings(
        group=target.group,
        environment=target.name or UNNAMED,
        address=target.address,
        credential=credential,
        wire_names=options.wire_names or target.wire_names or WireNames(),
        timeouts=options.timeouts or Timeouts(),
        deadline=check_deadline(options.deadline),
        retry=options.retry or RetryPolicy(),
        trace=check_trace(options.trace),
        write_idle=limits.write_keepalive_expiry,
        min_idle_before_charge=limits.min_idle_before_charge,
        clock=clock,
        api_version=api_version,
        api_release=release,
        compress=options.compress_requests,
        send_gzip_header=options.send_gzip_header,
        observers=with_automatic(tuple(options.observers)),
        read_only=is_process_read_only() or options.read_only,
        check_minor_units=options.check_minor_units,
        user_agent=USER_AGENT if application is None else f"{USER_AGENT} {application}",
    )


def _with_headers(settings: Settings, headers: Mapping[str, str]) -> Settings:
    """Return settings with extra headers. For the account-lifecycle API, append extra cookies to the session cookie."""
    if not isinstance(headers, Mapping):
        raise InvalidArgumentError(
            f"headers must be a mapping of names to values, not {with_article(type(headers))}; pass {{'X-Name': '...'}}"
        )
    kept: dict[str, tuple[str, str]] = {}
    cookies: str | None = None
    for name, value in headers.items():
        if not isinstance(name, str) or not re.fullmatch(WIRE_NAME, name):
            raise InvalidArgumentError("the name of an extra header must contain only letters, digits, '-', and '_'")
        if not isinstance(value, str) or not value.isascii() or not value.isprintable() or value != value.strip():
            raise InvalidArgumentError(
                f"the value of header {name} must be printable ASCII, and must not start or end with a space"
            )
        lower = name.lower()
        if lower in kept or (lower == "cookie" and cookies is not None):
            raise InvalidArgumentError("duplicate extra header; header names are case-insensitive")
        if lower == "cookie" and settings.credential.scheme == "session":
            cookies = value
        elif lower in RESERVED_HEADERS:
            raise InvalidArgumentError(f"the header {name} isn't allowed, because the client sets it; leave it out")
        else:
            kept[lower] = (name, value)
    credential = settings.credential.with_cookies(cookies)
    return replace(settings, headers=tuple(kept.values()), credential=credential)


def changed(
    settings: Settings,
    timeouts: Timeouts | Unset,
    deadline: float | Unset | None,
    retry: RetryPolicy | Unset,
    trace: Trace | Unset,
    headers: Mapping[str, str] | Unset,
) -> Settings:
    """Return a copy of the settings with the changes that the arguments of `with_options` make."""
    if not isinstance(timeouts, Unset):
        _check_given("timeouts", timeouts, Timeouts)
        settings = replace(settings, timeouts=timeouts)
    if not isinstance(deadline, Unset):
        settings = replace(settings, deadline=check_deadline(deadline))
    if not isinstance(retry, Unset):
        _check_given("retry", retry, RetryPolicy)
        settings = replace(settings, retry=retry)
    if not isinstance(trace, Unset):
        settings = replace(settings, trace=check_trace(trace))
    if not isinstance(headers, Unset):
        settings = _with_headers(settings, headers)
    return settings
