"""Who is told what a client does: hooks of the application, OpenTelemetry.

An observer sees names, templates, numbers and ids, never a query, a header or a body. What it raises is logged and
changes nothing: the call's own result must not be lost to it.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from ...errors import ConfigurationError, SubscribekitError

P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger("subscribekit")


@dataclass(frozen=True, slots=True)
class CallInfo:
    """A call that begins.

    Attributes:
        operation: The SDK's name of the call, such as `payments.reverse`.
        method: HTTP method.
        path_template: Path with identifiers left out.
        origin: Scheme, host and port that the call goes to.
        group: `billing`, `gateway`, `user_mgmt` or `storefront`.
        environment: Name of the environment, or `custom`.
    """

    operation: str
    method: str
    path_template: str
    origin: str
    group: str
    environment: str


@dataclass(frozen=True, slots=True)
class RequestEvent:
    """A request that is about to be sent.

    Attributes:
        call: The call that it belongs to.
        attempt: Its number within the call, from 1.
        trace_id: The `X-B3-TraceId` that it carries, if any.
    """

    call: CallInfo
    attempt: int
    trace_id: str | None


@dataclass(frozen=True, slots=True)
class ResponseEvent:
    """A request that ended.

    Attributes:
        request: The request.
        status_code: HTTP status, or `None` when no answer came.
        request_id: The service's `Request-Id`, if it sent one.
        error: What went wrong, or `None`.
        elapsed: Seconds from the start of the call.
    """

    request: RequestEvent
    status_code: int | None
    request_id: str | None
    error: SubscribekitError | None
    elapsed: float


@dataclass(frozen=True, slots=True)
class RetryEvent:
    """A request that will be repeated.

    Attributes:
        request: The request that failed.
        error: Why.
        wait: Seconds until the next one.
    """

    request: RequestEvent
    error: SubscribekitError
    wait: float


class CallObserver:
    """Follows one call; every method may be left as it is."""

    def request_started(self, event: RequestEvent) -> str | None:
        """A request is about to be sent; may give the span id that it carries, 16 hexadecimal characters."""

    def request_ended(self, event: ResponseEvent) -> None:
        """A request ended."""

    def retrying(self, event: RetryEvent) -> None:
        """A request will be repeated."""

    def call_ended(self, error: BaseException | None, attempts: int, elapsed: float) -> None:
        """The call ended: with the error that is raised, with what interrupted it, or with a result."""


class Observer:
    """Follows the calls of a client: give it as `observers=[...]`."""

    def call_started(self, call: CallInfo) -> CallObserver | None:
        """A call begins; give what follows it, or `None`."""


def _hook(kind: str) -> str:
    return f"Hooks.{kind} must be a callable or None"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks(Observer):
    """Functions that are called as things happen, in the thread or task of the call.

    Args:
        on_request: Called before each request.
        on_response: Called after each request, with or without an answer.
        on_retry: Called when a request will be repeated, before the wait.

    Raises:
        ConfigurationError: A hook is not callable.
    """

    on_request: Callable[[RequestEvent], None] | None = None
    on_response: Callable[[ResponseEvent], None] | None = None
    on_retry: Callable[[RetryEvent], None] | None = None

    def __post_init__(self) -> None:
        for name in ("on_request", "on_response", "on_retry"):
            if getattr(self, name) is not None and not callable(getattr(self, name)):
                raise ConfigurationError(_hook(name))

    def call_started(self, call: CallInfo) -> CallObserver:
        """Follow the call."""
        return _HookedCall(self)


class _HookedCall(CallObserver):
    def __init__(self, hooks: Hooks) -> None:
        self._hooks = hooks

    def request_started(self, event: RequestEvent) -> None:
        if self._hooks.on_request is not None:
            self._hooks.on_request(event)

    def request_ended(self, event: ResponseEvent) -> None:
        if self._hooks.on_response is not None:
            self._hooks.on_response(event)

    def retrying(self, event: RetryEvent) -> None:
        if self._hooks.on_retry is not None:
            self._hooks.on_retry(event)


@dataclass(slots=True)
class Observation:
    """The observers of one call, and the request that they look at."""

    call: CallInfo
    following: list[CallObserver] = field(default_factory=list[CallObserver])
    request: RequestEvent | None = None

    @classmethod
    def begin(cls, observers: Sequence[Observer], call: CallInfo) -> "Observation":
        """Tell all observers of a call that begins."""
        found = [_told(observer.call_started, call) for observer in observers]
        return cls(call, [each for each in found if each is not None])

    def request_started(self, attempt: int, trace_id: str | None) -> str | None:
        """Tell of a request; gives the span id that an observer wants it to carry."""
        event = self.request = RequestEvent(self.call, attempt, trace_id)
        spans = [_told(each.request_started, event) for each in self.following]
        return next((span for span in spans if span is not None), None)

    def request_ended(
        self, status_code: int | None, request_id: str | None, error: SubscribekitError | None, elapsed: float
    ) -> None:
        """Tell of a request that ended."""
        if self.request is not None:
            event = ResponseEvent(self.request, status_code, request_id, error, elapsed)
            for each in self.following:
                _told(each.request_ended, event)

    def retrying(self, error: SubscribekitError, wait: float) -> None:
        """Tell of a repetition."""
        if self.request is not None:
            event = RetryEvent(self.request, error, wait)
            for each in self.following:
                _told(each.retrying, event)

    def call_ended(self, error: BaseException | None, attempts: int, elapsed: float) -> None:
        """Tell of the end; observers that came last are told first, as they nest."""
        for each in reversed(self.following):
            _told(each.call_ended, error, attempts, elapsed)


def _told(tell: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    try:
        return tell(*args, **kwargs)
    except Exception:
        logger.exception("an observer failed; the call goes on")
        return None
