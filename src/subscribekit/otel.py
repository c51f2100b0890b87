"""OpenTelemetry for the clients (extra `otel`): a span for each call and for each request, and metrics.

    from subscribekit import BillingClient
    from subscribekit.otel import OpenTelemetry

    client = BillingClient(environment="production", observers=[OpenTelemetry()])

The span of a call is current while it runs, so it continues the application's trace; the span of a request is the one
whose id travels as `X-B3-SpanId`. Names and attributes follow the HTTP semantic conventions; none holds an identifier,
a query or a body.
"""

from urllib.parse import urlsplit

from opentelemetry import context, metrics, trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer

from ._core.calls.observers import CallInfo, CallObserver, Observer, RequestEvent, ResponseEvent, RetryEvent
from ._version import __version__
from .errors import SubscribekitError

__all__ = ["OpenTelemetry"]


class OpenTelemetry(Observer):
    """Reports the calls of a client as spans and metrics.

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
        meter = metrics.get_meter("subscribekit", __version__, meter_provider)
        self._duration = meter.create_histogram(
            "subscribekit.call.duration", unit="s", description="Duration of a call, retries included"
        )
        self._retries = meter.create_counter(
            "subscribekit.call.retries", unit="{request}", description="Requests that were repeated"
        )

    def call_started(self, call: CallInfo) -> CallObserver:
        """Open the span of a call and make it current."""
        return _ObservedCall(self._tracer, self._duration, self._retries, call)


class _ObservedCall(CallObserver):
    def __init__(self, tracer: Tracer, duration: metrics.Histogram, retries: metrics.Counter, call: CallInfo) -> None:
        self._tracer, self._duration, self._retries = tracer, duration, retries
        self._labels = {"subscribekit.operation": call.operation, "subscribekit.group": call.group}
        address = urlsplit(call.origin)
        self._http: dict[str, str | int] = {
            "http.request.method": call.method,
            "url.template": call.path_template,
            "server.address": address.hostname or "",
            "server.port": address.port or (443 if address.scheme == "https" else 80),
        }
        attributes = {**self._labels, "subscribekit.environment": call.environment}
        self._span = tracer.start_span(call.operation, kind=SpanKind.INTERNAL, attributes=attributes)
        self._token = context.attach(trace.set_span_in_context(self._span))
        self._request: Span | None = None

    def request_started(self, event: RequestEvent) -> str:
        """Open the span of a request; its id travels with it."""
        attributes = dict(self._http)
        if event.attempt > 1:
            attributes["http.request.resend_count"] = event.attempt - 1
        name = f"{event.call.method} {event.call.path_template}"
        self._request = self._tracer.start_span(name, kind=SpanKind.CLIENT, attributes=attributes)
        return f"{self._request.get_span_context().span_id:016x}"

    def request_ended(self, event: ResponseEvent) -> None:
        """Close the span of a request."""
        span, self._request = self._request, None
        if span is None:
            return
        if event.status_code is not None:
            span.set_attribute("http.response.status_code", event.status_code)
        if event.request_id is not None:
            span.set_attribute("subscribekit.request_id", event.request_id)
        if event.error is not None:
            _mark_failed(span, event.error)
        span.end()

    def retrying(self, event: RetryEvent) -> None:
        """Count a repetition."""
        self._retries.add(1, {**self._labels, "error.type": type(event.error).__name__})

    def call_ended(self, error: BaseException | None, attempts: int, elapsed: float) -> None:
        """Close the span of the call and measure it."""
        outcome = "done" if error is None else error.outcome if isinstance(error, SubscribekitError) else "interrupted"
        labels = {**self._labels, "subscribekit.outcome": outcome}
        self._span.set_attribute("subscribekit.attempts", attempts)
        self._span.set_attribute("subscribekit.outcome", outcome)
        if error is not None:
            _mark_failed(self._span, error)
            labels["error.type"] = type(error).__name__
        self._duration.record(elapsed, labels)
        if self._request is not None:  # the caller stopped the call in the middle of a request
            self._request.end()
        context.detach(self._token)
        self._span.end()


def _mark_failed(span: Span, error: BaseException) -> None:
    # Only the class: the text of an error may name identifiers.
    span.set_attribute("error.type", type(error).__name__)
    span.set_status(Status(StatusCode.ERROR))
