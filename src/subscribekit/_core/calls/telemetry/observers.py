"""Notifies the observers of a client, such as the application's hooks and OpenTelemetry.

An observer receives names, templates, numbers, and IDs, but never a query, a header, or a body. Only a `ResultObserver`
receives results. The SDK logs an observer's error and continues the call. An exception that interrupts the call, such
as Ctrl-C, isn't caught.
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
    """An observer that also receives results. Only the SDK uses this class."""

    def result_read(self, group: str, operation: str, result: object) -> None:
        """Receive the result of a call, or an item of a list."""


def results_teller(observers: Sequence[Observer], group: str, operation: str) -> Callable[[object], None] | None:
    """Return a function that passes results to the observers, or `None` if no observer receives results."""
    receivers = [each for each in observers if isinstance(each, ResultObserver)]
    if not receivers:
        return None

    def notify(result: object) -> None:
        for each in receivers:
            _notified(each.result_read, group, operation, result)

    return notify


def _check_hook(name: str, hook: object) -> None:
    if hook is None:
        return
    if not callable(hook):
        raise ConfigurationError(f"Hooks.{name} must be a callable or None")
    import inspect  # `inspect` is imported here, because the import is slow

    if inspect.iscoroutinefunction(hook) or inspect.iscoroutinefunction(type(hook).__call__):
        raise ConfigurationError(f"Hooks.{name} must be a plain function, because the SDK doesn't await hooks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks(Observer):
    """Functions that the SDK calls before and after each request, and before each retry.

    The SDK calls each hook in the thread or task of the call.

    Args:
        on_request: Called before each request.
        on_response: Called after each request, with or without a response.
        on_retry: Called before the SDK waits for a retry.

    Raises:
        ConfigurationError: A hook isn't callable, or is a coroutine function.
    """

    on_request: Callable[[RequestEvent], None] | None = None
    on_response: Callable[[ResponseEvent], None] | None = None
    on_retry: Callable[[RetryEvent], None] | None = None

    def __post_init__(self) -> None:
        for name in ("on_request", "on_response", "on_retry"):
            _check_hook(name, getattr(self, name))

    def call_started(self, call: CallInfo) -> CallObserver:
        """Return an observer that calls the hooks for a call."""
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
    """The observers of one call, and the current request of the call."""

    call: CallInfo
    following: list[CallObserver] = field(default_factory=list[CallObserver])
    request: RequestEvent | None = None
    response: ResponseEvent | None = None
    notify_result: Callable[[object], None] | None = None

    def follow(self, observer: Observer, returned: object) -> None:
        """Add the value that an observer's `call_started` returned, or log an error if the value has the wrong type."""
        if isinstance(returned, CallObserver):
            self.following.append(returned)
        elif returned is not None:
            log(
                logging.ERROR,
                "%s.call_started must return a CallObserver or None, not %s; the call continues without it",
                type(observer).__name__, type(returned).__name__,
            )  # fmt: skip

    def request_started(self, attempt: int, trace_id: str | None) -> str | None:
        """Notify the observers that a request starts, and return the span ID that an observer chose, if any."""
        event = self.request = RequestEvent(self.call, attempt, trace_id)
        self.response = None
        spans = [_checked_span(each, _notified(each.request_started, event)) for each in self.following]
        return next((span for span in spans if span is not None), None)

    def request_ended(
        self, status_code: int | None, request_id: str | None, error: SubscribekitError | None, elapsed: float
    ) -> None:
        """Notify the observers that a request has ended."""
        if self.request is not None:
            event = self.response = ResponseEvent(self.request, status_code, request_id, error, elapsed)
            for each in self.following:
                _notified(each.request_ended, event)

    def result_read(self, result: object) -> None:
        """Pass the result to the observers that receive results."""
        if self.notify_result is not None:
            self.notify_result(result)

    def retrying(self, error: SubscribekitError, wait: float) -> None:
        """Notify the observers of a retry, with the response to the failed request."""
        if self.request is not None:
            event = RetryEvent(self.request, error, wait)
            if (ended := self.response) is not None:
                event = RetryEvent(self.request, error, wait, ended.status_code, ended.request_id, ended.elapsed)
            for each in self.following:
                _notified(each.retrying, event)

    def call_ended(self, error: BaseException | None, attempts: int, elapsed: float) -> None:
        """Notify each observer once of the end of the call, in reverse order because their spans are nested."""
        if self.following:
            last = self.following.pop()
            try:
                _notified(last.call_ended, error, attempts, elapsed)
            finally:  # if an interrupt stops this observer, the other observers must still close their spans
                self.call_ended(error, attempts, elapsed)


def observed(settings: Settings, operation: Operation[T], name: str) -> Observation:
    """Notify the observers of a client that a call starts, and return its observation."""
    call = CallInfo(
        operation=name,
        method=operation.method,
        path_template=operation.template,
        origin=settings.address.origin,
        group=settings.group,
        environment=settings.environment,
    )
    observation = Observation(call, notify_result=results_teller(settings.observers, call.group, name))
    try:
        for observer in settings.observers:
            observation.follow(observer, _notified(observer.call_started, call))
    except BaseException as interrupt:
        observation.call_ended(interrupt, 0, 0.0)  # this line closes the spans that the observers have opened
        raise
    return observation


_warned_of: WeakSet[type[CallObserver]] = WeakSet()
"""Observer classes whose invalid span IDs were already logged."""


def _checked_span(observer: CallObserver, span: object) -> str | None:
    if span is None or is_span_id(span):
        return span
    kind = type(observer)
    if kind not in _warned_of:
        _warned_of.add(kind)
        log(
            logging.WARNING,
            "%s.request_started must return 16 lowercase hexadecimal characters that aren't all zero; the SDK uses "
            "another span ID instead (this is logged only once)",
            kind.__name__,
        )
    return None


def _notified(notify: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """Notify an observer and return its result. If the observer raises an error, log the error and return `None`."""
    try:
        return notify(*args, **kwargs)
    except BaseException as error:
        if is_of_signal(error) or (not isinstance(error, Exception) and not _is_cancellation(error)):
            raise
        log(logging.ERROR, "an observer failed; the call continues", is_error=True)
        return None


def _is_cancellation(error: BaseException) -> bool:
    # If an observer raises a `CancelledError`, the observer read a canceled future. The call itself isn't canceled,
    # because a task is canceled only where it awaits, and an observer doesn't await. Use `sys.modules`, because a sync
    # client doesn't import asyncio.
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and isinstance(error, asyncio.CancelledError)
