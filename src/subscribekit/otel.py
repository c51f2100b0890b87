"""OpenTelemetry for the clients (extra `otel`): a span for each call and for each request, and metrics.

    from subscribekit import BillingClient
    from subscribekit.otel import OpenTelemetry

    client = BillingClient(environment="production", observers=[OpenTelemetry()])

The span of a call is current while it runs, so it continues the application's trace, or the block of
`subscribekit.trace()` around it; the span of a request is the one whose id travels as `X-B3-SpanId`. Names and
attributes follow the HTTP semantic conventions; none holds an identifier, a query or a body, so `url.full` is the
origin and the path with its identifiers left out.

Under `suppress_instrumentation()` of OpenTelemetry, a call makes no spans and no metrics. Under
`suppress_http_instrumentation()`, it has no spans and metrics of requests.
"""

import time
from urllib.parse import urlsplit

from opentelemetry import context, metrics, trace
from opentelemetry.context import (
    _SUPPRESS_HTTP_INSTRUMENTATION_KEY,  # pyright: ignore[reportPrivateUsage]  the API has no public function
    _SUPPRESS_INSTRUMENTATION_KEY,  # pyright: ignore[reportPrivateUsage]  as the instrumentations use it
)
from opentelemetry.trace import Span, SpanContext, SpanKind, Status, StatusCode, TraceFlags, Tracer

from ._core.calls.telemetry.trace import around
from ._core.config.address import DEFAULT_PORTS
from ._core.config.observer import CallInfo, CallObserver, Observer, RequestEvent, ResponseEvent, RetryEvent, automatic
from ._version import __version__
from .errors import SubscribekitError

__all__ = ["OpenTelemetry", "SubscribekitInstrumentor"]

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
"""The boundaries that the HTTP semantic conventions advise; the SDK's own are meant for milliseconds."""


class OpenTelemetry(Observer):
    """Reports the calls of a client as spans and metrics.

    The metrics are `subscribekit.call.duration`, `subscribekit.call.retries` and `http.client.request.duration`. One
    observer serves any number of clients, threads and tasks.

    Args:
        tracer_provider: Where spans go; the global provider when absent.
        meter_provider: Where metrics go; the global provider when absent.
    """

    def __init__(
        self,
        *,
        tracer_provider: trace.TracerProvider | None = None,
        meter_provider: metrics.MeterProvider | None = None,
    ) -> None:
        self._tracer = trace.get_tracer("subscribekit", __version__, tracer_provider)
        self._instruments = _Instruments(metrics.get_meter("subscribekit", __version__, meter_provider))

    def call_started(self, call: CallInfo) -> CallObserver | None:
        """Open the span of a call and make it current, unless instrumentation is suppressed (H419)."""
        if _is_suppressed(_SUPPRESS_INSTRUMENTATION_KEY, "suppress_instrumentation"):
            return None
        return self._observe(call)

    def _observe(self, call: CallInfo) -> CallObserver:
        return _ObservedCall(self._tracer, self._instruments, call)


class SubscribekitInstrumentor:
    """Gives each client that is made afterwards an observer, without a line in the application.

    `opentelemetry-instrument` finds it by the entry point `subscribekit`. Each call gets one span and its metrics; the
    spans of requests are those of the instrumentation of httpx, children of it. A client with an `OpenTelemetry`
    observer keeps that one alone. `OTEL_PYTHON_DISABLED_INSTRUMENTATIONS=subscribekit` switches it off.
    """

    def instrument(
        self,
        *,
        tracer_provider: trace.TracerProvider | None = None,
        meter_provider: metrics.MeterProvider | None = None,
        skip_dep_check: bool = False,
        raise_exception_on_conflict: bool = False,
    ) -> None:
        """Observe the clients that are made from now on.

        Args:
            tracer_provider: Where spans go; the global provider when absent.
            meter_provider: Where metrics go; the global provider when absent.
            skip_dep_check: Not used; OpenTelemetry gives it.
            raise_exception_on_conflict: Not used; OpenTelemetry gives it.
        """
        self.uninstrument()
        automatic.append(_CallsOnly(tracer_provider=tracer_provider, meter_provider=meter_provider))

    def uninstrument(self) -> None:
        """Observe no further clients."""
        automatic[:] = [each for each in automatic if not isinstance(each, _CallsOnly)]


class _Instruments:
    def __init__(self, meter: metrics.Meter) -> None:
        self.call_duration = meter.create_histogram(
            "subscribekit.call.duration",
            unit="s",
            description="Duration of a call, retries included",
            explicit_bucket_boundaries_advisory=_SECONDS,
        )
        self.retries = meter.create_counter(
            "subscribekit.call.retries", unit="{request}", description="Requests that were repeated"
        )
        self.request_duration = meter.create_histogram(
            "http.client.request.duration",
            unit="s",
            description="Duration of HTTP client requests.",  # the conventions' own words: meters compare them
            explicit_bucket_boundaries_advisory=_SECONDS,
        )


class _ObservedCall(CallObserver):
    def __init__(self, tracer: Tracer, instruments: _Instruments, call: CallInfo) -> None:
        self._tracer, self._instruments = tracer, instruments
        self._labels = {"subscribekit.operation": call.operation, "subscribekit.group": call.group}
        address = urlsplit(call.origin)
        self._http: dict[str, str | int] = {
            "http.request.method": call.method,
            "url.template": call.path_template,
            "server.address": address.hostname or "",
            "server.port": address.port or DEFAULT_PORTS[address.scheme],
        }
        attributes = {**self._labels, "subscribekit.environment": call.environment}
        parent = _block_around()
        within = None if parent is None else trace.set_span_in_context(trace.NonRecordingSpan(parent))
        self._span = tracer.start_span(call.operation, within, kind=SpanKind.INTERNAL, attributes=attributes)
        if parent is not None and self._span.get_span_context().span_id == parent.span_id:
            self._span = trace.INVALID_SPAN  # without an OpenTelemetry SDK there are no spans; the block itself goes on
        self._token = context.attach(trace.set_span_in_context(self._span))
        self._request: Span | None = None
        self._request_began = 0.0

    def request_started(self, event: RequestEvent) -> str | None:
        """Open the span of a request; its id travels with it."""
        if _is_suppressed(_SUPPRESS_HTTP_INSTRUMENTATION_KEY):
            return None
        call = event.call
        attributes = {**self._http, "url.full": call.origin + call.path_template}
        if event.attempt > 1:
            attributes["http.request.resend_count"] = event.attempt - 1
        name = f"{call.method} {call.path_template}"
        self._request = self._tracer.start_span(name, kind=SpanKind.CLIENT, attributes=attributes)
        self._request_began = time.perf_counter()
        # Without an OpenTelemetry SDK each span is the one that arrived, or all zero, and not of this request.
        own, parent = self._request.get_span_context(), self._span.get_span_context()
        return f"{own.span_id:016x}" if own.is_valid and own.span_id != parent.span_id else None

    def request_ended(self, event: ResponseEvent) -> None:
        """Close the span of a request and measure it."""
        if self._request is not None and event.request_id is not None:
            self._request.set_attribute("subscribekit.request_id", event.request_id)
        self._end_request(event.status_code, event.error)

    def _end_request(self, status_code: int | None, error: BaseException | None) -> None:
        span, self._request = self._request, None
        if span is None:
            return
        labels = dict(self._http)
        if status_code is not None:
            labels["http.response.status_code"] = status_code
            span.set_attribute("http.response.status_code", status_code)
        if error is not None:
            labels["error.type"] = type(error).__name__
            _mark_failed(span, error)
        self._instruments.request_duration.record(time.perf_counter() - self._request_began, labels)
        span.end()

    def retrying(self, event: RetryEvent) -> None:
        """Count a retry."""
        self._instruments.retries.add(1, {**self._labels, "error.type": type(event.error).__name__})

    def call_ended(self, error: BaseException | None, attempts: int, elapsed: float) -> None:
        """Close the span of the call and measure it."""
        outcome = "done" if error is None else error.outcome if isinstance(error, SubscribekitError) else "interrupted"
        labels = {**self._labels, "subscribekit.outcome": outcome}
        self._span.set_attribute("subscribekit.attempts", attempts)
        self._span.set_attribute("subscribekit.outcome", outcome)
        if error is not None:
            _mark_failed(self._span, error)
            labels["error.type"] = type(error).__name__
        self._instruments.call_duration.record(elapsed, labels)
        self._end_request(None, error)  # one is left when the caller stopped the call in the middle of it
        # A coroutine that is thrown away may end in another context, to which the token does not belong.
        if not isinstance(error, GeneratorExit) or trace.get_current_span() is self._span:
            context.detach(self._token)
        self._span.end()


class _CallsOnly(OpenTelemetry):
    def _observe(self, call: CallInfo) -> CallObserver:
        return _ObservedCallOnly(self._tracer, self._instruments, call)


class _ObservedCallOnly(_ObservedCall):
    def request_started(self, event: RequestEvent) -> None:
        """Leave the request to the instrumentation of httpx."""


def _block_around() -> SpanContext | None:
    """The block of `subscribekit.trace()` that a call continues: an active span comes before it."""
    block = around()
    if block is None or trace.get_current_span().get_span_context().is_valid:
        return None
    # An unset value is no decision against it, and most samplers take unset for a decision.
    flags = TraceFlags(TraceFlags.DEFAULT if block.sampled is False else TraceFlags.SAMPLED)
    return SpanContext(int(block.trace_id, 16), int(block.span_id, 16), is_remote=False, trace_flags=flags)


def _is_suppressed(*keys: str) -> bool:
    return any(context.get_value(key) for key in keys)


def _mark_failed(span: Span, error: BaseException) -> None:
    # Only the class: the text of an error may name identifiers.
    span.set_attribute("error.type", type(error).__name__)
    span.set_status(Status(StatusCode.ERROR))
