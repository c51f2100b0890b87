"""Observers of a client: hooks of the application, OpenTelemetry.

An observer sees names, templates, numbers and ids, never a query, a header or a body; only a `ResultObserver`, which is
for this package, sees results. Its errors are logged and change nothing: the call's own result must not be lost to
it. Only what interrupts the caller (Ctrl-C) goes on its way.
"""

import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar
from weakref import WeakSet

from ...._interrupts import is_of_signal
from ....errors import ConfigurationError, SubscribekitError
from ...config.observer import CallInfo, CallObserver, Observer, RequestEvent, ResponseEvent, RetryEvent
from ...operations.operation import Operation
from ..settings import Settings
from .log import log
from .trace import is_span_id

P = ParamSpec("P")
T = TypeVar("T")


class ResultObserver(Observer):
    """Also looks at what was read."""

    def result_read(self, group: str, operation: str, result: object) -> None:
        """A result was read, or an item of a list was handed out."""


def results_teller(observers: Sequence[Observer], group: str, operation: str) -> Callable[[object], None] | None:
    """Give what tells the observers of results, or `None` when none of them looks at any."""
    looking = [each for each in observers if isinstance(each, ResultObserver)]
    if not looking:
        return None

    def tell(result: object) -> None:
        for each in looking:
            _told(each.result_read, group, operation, result)

    return tell


def _check_hook(name: str, hook: object) -> None:
    if hook is None:
        return
    if not callable(hook):
        raise ConfigurationError(f"Hooks.{name} must be a callable or None")
    import inspect  # it costs more than all the rest of this module

    if inspect.iscoroutinefunction(hook) or inspect.iscoroutinefunction(type(hook).__call__):
        raise ConfigurationError(f"Hooks.{name} must be a plain function, since nothing awaits it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks(Observer):
    """Functions that are called as things happen, in the thread or task of the call.

    Args:
        on_request: Called before each request.
        on_response: Called after each request, with or without a response.
        on_retry: Called when a request will be repeated, before the wait.

    Raises:
        ConfigurationError: A hook is not callable, or a coroutine function.
    """

    on_request: Callable[[RequestEvent], None] | None = None
    on_response: Callable[[ResponseEvent], None] | None = None
    on_retry: Callable[[RetryEvent], None] | None = None

    def __post_init__(self) -> None:
        for name in ("on_request", "on_response", "on_retry"):
            _check_hook(name, getattr(self, name))

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
    response: ResponseEvent | None = None
    tell_result: Callable[[object], None] | None = None

    def follow(self, observer: Observer, found: object) -> None:
        """Tell what an observer gave for this call of all that follows."""
        if isinstance(found, CallObserver):
            self.following.append(found)
        elif found is not None:
            log(
                logging.ERROR,
                "%s.call_started must give a CallObserver or None, not a %s; the call goes on without it",
                type(observer).__name__, type(found).__name__,
            )  # fmt: skip

    def request_started(self, attempt: int, trace_id: str | None) -> str | None:
        """Tell of a request; gives the span id that an observer wants it to carry."""
        event = self.request = RequestEvent(self.call, attempt, trace_id)
        self.response = None
        spans = [_checked_span(each, _told(each.request_started, event)) for each in self.following]
        return next((span for span in spans if span is not None), None)

    def request_ended(
        self, status_code: int | None, request_id: str | None, error: SubscribekitError | None, elapsed: float
    ) -> None:
        """Tell of a request that ended."""
        if self.request is not None:
            event = self.response = ResponseEvent(self.request, status_code, request_id, error, elapsed)
            for each in self.following:
                _told(each.request_ended, event)

    def result_read(self, result: object) -> None:
        """Tell of the result."""
        if self.tell_result is not None:
            self.tell_result(result)

    def retrying(self, error: SubscribekitError, wait: float) -> None:
        """Tell of a retry, with what the request before it brought."""
        if self.request is not None:
            event = RetryEvent(self.request, error, wait)
            if (ended := self.response) is not None:
                event = RetryEvent(self.request, error, wait, ended.status_code, ended.request_id, ended.elapsed)
            for each in self.following:
                _told(each.retrying, event)

    def call_ended(self, error: BaseException | None, attempts: int, elapsed: float) -> None:
        """Tell each observer of the end, once; the last observers come first, since they nest."""
        if self.following:
            last = self.following.pop()
            try:
                _told(last.call_ended, error, attempts, elapsed)
            finally:  # whatever interrupts one, the others must end what they began
                self.call_ended(error, attempts, elapsed)


def observed(settings: Settings, operation: Operation[T], name: str) -> Observation:
    """Tell the observers of a client of a call that begins."""
    call = CallInfo(
        operation=name,
        method=operation.method,
        path_template=operation.template,
        origin=settings.address.origin,
        group=settings.group,
        environment=settings.environment,
    )
    seen = Observation(call, tell_result=results_teller(settings.observers, call.group, name))
    try:
        for observer in settings.observers:
            seen.follow(observer, _told(observer.call_started, call))
    except BaseException as interrupt:
        seen.call_ended(interrupt, 0, 0.0)  # or the span of an observer before it would stay the current one
        raise
    return seen


_gave_wrong_spans: WeakSet[type[CallObserver]] = WeakSet()


def _checked_span(observer: CallObserver, span: object) -> str | None:
    if span is None or is_span_id(span):
        return span
    kind = type(observer)
    if kind not in _gave_wrong_spans:
        _gave_wrong_spans.add(kind)
        log(
            logging.WARNING,
            "%s gave a span id that is not 16 lower-case hexadecimal characters, or all zero; another one is drawn "
            "(this is said once)",
            kind.__name__,
        )
    return None


def _told(tell: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    try:
        return tell(*args, **kwargs)
    except BaseException as error:
        if is_of_signal(error) or (not isinstance(error, Exception) and not _is_cancellation(error)):
            raise
        log(logging.ERROR, "an observer failed; the call goes on", is_error=True)
        return None


def _is_cancellation(error: BaseException) -> bool:
    # A task is cancelled where it awaits, and an observer does not: this one comes from a future that it looked at.
    asyncio = sys.modules.get("asyncio")  # not imported for blocking clients
    return asyncio is not None and isinstance(error, asyncio.CancelledError)
