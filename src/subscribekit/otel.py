"""Reports calls and requests to OpenTelemetry as spans and metrics. Requires the extra `otel`.

    from subscribekit import BillingClient
    from subscribekit.otel import OpenTelemetry

    client = BillingClient(environment="production", observers=[OpenTelemetry()])

The span of a call is the current span while the call runs. The span of a call continues the application's trace, or the
trace of the `subscribekit.trace()` block around the call. The SDK sends the ID of a request's span as `X-B3-SpanId`.
The names and attributes of spans and metrics follow the HTTP semantic conventions. Spans and metrics contain no
identifier, query, or body, so `url.full` is the origin and the path with placeholders for the identifiers.

Within OpenTelemetry's `suppress_instrumentation()`, a call creates no spans and no metrics. Within
`suppress_http_instrumentation()`, the requests of a call create no spans and no metrics.
"""

import time
from urllib.parse import urlsplit

from opentelemetry import context, metrics, trace
from opentelemetry.context import (
    _SUPPRESS_HTTP_INSTRUMENTATION_KEY,  # pyright: ignore[reportPrivateUsage]  the API has no public function
    _SUPPRESS_INSTRUMENTATION_KEY,  # pyright: ignore[reportPrivateUsage]  OpenTelemetry's instrumentations use it too
)
from opentelemetry.trace import Span, SpanContext, SpanKind, Status, StatusCode, TraceFlags, Tracer

from ._core.calls.telemetry.trace import around
from ._core.config.address import DEFAULT_PORTS
from ._core.config.observer import CallInfo, CallObserver, Observer, RequestEvent, ResponseEvent, RetryEvent, automatic
from ._version import __version__
from .errors import SubscribekitError

__all__ = ["OpenTelemetry", "SubscribekitInstrumentor"]

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
"""The bucket boundaries, in seconds, that the HTTP semantic conventions advise. OpenTelemetry's default boundaries are
for milliseconds."""


class OpenTelemetry(Observer):
    """Reports the calls of a client as spans and metrics.

    The metrics are `subscribekit.call.duration`, `subscribekit.call.retries`, and `http.client.request.duration`. Any
    number of clients, threads, and tasks can share one observer.

    Args:
        tracer_provider: The provider of the tracer for spans; by default, the global provider.
        meter_provider: The provider of the meter for metrics; by default, the global provider.
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
        """Start the span of a call and make the span current, unless instrumentation is suppressed (H419)."""
        if _is_suppressed(_SUPPRESS_INSTRUMENTATION_KEY, "suppress_instrumentation"):
            return None
        return self._observe(call)

    def _observe(self, call: CallInfo) -> CallObserver:
        return _ObservedCall(self._tracer, self._instruments, call)


class SubscribekitInstrumentor:
    """Adds an observer to every client that is created after `instrument()`, so that the application needs no changes.

    `opentelemetry-instrument` finds this class by the entry point `subscribekit`. The observer records a span and
    metrics for each call. The instrumentation of httpx creates the spans of the call's requests, as children of the
    call's span. A client that has an `OpenTelemetry` observer doesn't get a second observer. To disable this class, set
    `OTEL_PYTHON_DISABLED_INSTRUMENTATIONS=subscribekit`.
    """

    def instrument(
        self,
        *,
        tracer_provider: trace.TracerProvider | None = None,
        meter_provider: metrics.MeterProvider | None = None,
        skip_dep_check: bool = False,
        raise_exception_on_conflict: bool = False,
    ) -> None:
        """Observe the clients that are created from now on.

        Args:
            tracer_provider: The provider of the tracer for spans; by default, the global provider.
            meter_provider: The provider of the meter for metrics; by default, the global provider.
            skip_dep_check: An argument that OpenTelemetry passes, and that the SDK ignores.
            raise_exception_on_conflict: An argument that OpenTelemetry passes, and that the SDK ignores.
        """
        self.uninstrument()
        automatic.append(_CallsOnly(tracer_provider=tracer_provider, meter_provider=meter_provider))

    def uninstrument(self) -> None:
        """Stop adding observers to new clients."""
        automatic[:] = [each for each in automatic if not isinstance(each, _CallsOnly)]


class _Instruments:
    def __init__(self, meter: metrics.Meter) -> None:
        self.call_duration = meter.create_histogram(
            "subscribekit.call.duration",
            unit="s",
            description="Duration of a call, including its retries",
            explicit_bucket_boundaries_advisory=_SECONDS,
        )
        self.retries = meter.create_counter(
            "subscribekit.call.retries", unit="{request}", description="Number of retries"
        )
        self.request_duration = meter.create_histogram(
            "http.client.request.duration",
            unit="s",
            # Use the exact text of the HTTP semantic conventions, because a meter compares the descriptions of
            # instruments that have the same name.
            description="Duration of HTTP client requests.",
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
            # If no OpenTelemetry SDK is installed, `start_span` returns a copy of the parent span.
            self._span = trace.INVALID_SPAN
        self._token = context.attach(trace.set_span_in_context(self._span))
        self._request: Span | None = None
        self._request_began = 0.0

    def request_started(self, event: RequestEvent) -> str | None:
        """Start the span of a request, and return the span ID to send with the request."""
        if _is_suppressed(_SUPPRESS_HTTP_INSTRUMENTATION_KEY):
            return None
        call = event.call
        attributes = {**self._http, "url.full": call.origin + call.path_template}
        if event.attempt > 1:
            attributes["http.request.resend_count"] = event.attempt - 1
        name = f"{call.method} {call.path_template}"
        self._request = self._tracer.start_span(name, kind=SpanKind.CLIENT, attributes=attributes)
        self._request_began = time.perf_counter()
        # If no OpenTelemetry SDK is installed, the span is a copy of the parent span, or is invalid. In both cases, it
        # has no ID of its own.
        own, parent = self._request.get_span_context(), self._span.get_span_context()
        return f"{own.span_id:016x}" if own.is_valid and own.span_id != parent.span_id else None

    def request_ended(self, event: ResponseEvent) -> None:
        """End the span of a request, and record the duration of the request."""
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
        """End the span of the call, and record the duration of the call."""
        outcome = "done" if error is None else error.outcome if isinstance(error, SubscribekitError) else "interrupted"
        labels = {**self._labels, "subscribekit.outcome": outcome}
        self._span.set_attribute("subscribekit.attempts", attempts)
        self._span.set_attribute("subscribekit.outcome", outcome)
        if error is not None:
            _mark_failed(self._span, error)
            labels["error.type"] = type(error).__name__
        self._instruments.call_duration.record(elapsed, labels)
        self._end_request(None, error)  # A request's span is still open if the caller interrupted the call.
        # Don't detach the token if an abandoned coroutine ends in another context, where the token is invalid.
        if not isinstance(error, GeneratorExit) or trace.get_current_span() is self._span:
            context.detach(self._token)
        self._span.end()


class _CallsOnly(OpenTelemetry):
    def _observe(self, call: CallInfo) -> CallObserver:
        return _ObservedCallOnly(self._tracer, self._instruments, call)


class _ObservedCallOnly(_ObservedCall):
    def request_started(self, event: RequestEvent) -> None:
        """Return without starting a span, because the instrumentation of httpx starts the request's span."""


def _block_around() -> SpanContext | None:
    """Return the `subscribekit.trace()` block around a call, or `None` if there's no block or if a span is active."""
    block = around()
    if block is None or trace.get_current_span().get_span_context().is_valid:
        return None
    # Most samplers don't sample a call if the flag `SAMPLED` isn't set, so set the flag unless `block.sampled` is
    # False.
    flags = TraceFlags(TraceFlags.DEFAULT if block.sampled is False else TraceFlags.SAMPLED)
    return SpanContext(int(block.trace_id, 16), int(block.span_id, 16), is_remote=False, trace_flags=flags)


def _is_suppressed(*keys: str) -> bool:
    return any(context.get_value(key) for key in keys)


def _mark_failed(span: Span, error: BaseException) -> None:
    # Record only the class of the error, because the text of an error can contain identifiers.
    span.set_attribute("error.type", type(error).__name__)
    span.set_status(Status(StatusCode.ERROR))
