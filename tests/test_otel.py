"""OpenTelemetry: the spans and metrics of a call, the end of the spans, and no personal data in them."""

import asyncio
import contextvars
import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import httpx
import pytest
from opentelemetry import context, trace
from opentelemetry.context import _SUPPRESS_HTTP_INSTRUMENTATION_KEY, _SUPPRESS_INSTRUMENTATION_KEY
from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.propagators.b3 import B3MultiFormat
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import NoOpTracerProvider, StatusCode

from kit.calls import Group, Run
from subscribekit import AsyncGatewayClient, GatewayClient
from subscribekit.errors import NotFoundError, OutcomeUnknownError
from subscribekit.hooks import CallInfo, Observer
from subscribekit.models import EntitlementCharge
from subscribekit.otel import OpenTelemetry, SubscribekitInstrumentor
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import drop_after_commit, rate_limited

Use = Callable[[Any], Any]
CHARGE = EntitlementCharge(transaction_id="order-4711", amount=Decimal("4.90"), currency="USD")


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.fixture(params=["blocking", "async"])
def run(request: pytest.FixtureRequest, sandbox: Sandbox) -> Callable[..., Any]:
    """Return a function that makes one call with observers, with a sync or an async client."""
    transport = sandbox.transport if request.param == "blocking" else sandbox.async_transport

    def call(group: Group, use: Use, *observers: Observer, **options: Any) -> Any:
        options = {"environment": sandbox.environment, "transport": transport, "observers": observers, **options}
        return Run(request.param)(group, use, **options)

    return call


def reverse(client: Any) -> Any:
    return client.payments.reverse("pay-cash-0001")


class Telemetry:
    """Stores the spans and metrics of an observer in memory."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self._reader = InMemoryMetricReader()
        self._meters = MeterProvider([self._reader])
        self.observer = OpenTelemetry(tracer_provider=self.provider, meter_provider=self._meters)

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self._exporter.get_finished_spans())

    def metric(self, name: str) -> list[Any]:
        data = self._reader.get_metrics_data()
        resources = [] if data is None else data.resource_metrics
        metrics = [m for r in resources for s in r.scope_metrics for m in s.metrics if m.name == name]
        return [point for metric in metrics for point in metric.data.data_points]


def test_a_call_is_a_span_and_its_request_another(run: Callable[..., Any], sandbox: Sandbox) -> None:
    telemetry = Telemetry()
    run("billing", reverse, telemetry.observer)
    request, call = telemetry.spans
    assert call.name == "payments.reverse"
    assert request.name == "POST /payments/{payment}/actions/reverse"
    assert request.parent is not None
    assert request.parent.span_id == call.context.span_id
    attributes = dict(request.attributes or {})
    assert attributes.pop("subscribekit.request_id")
    assert attributes == {
        "http.request.method": "POST",
        "url.template": "/payments/{payment}/actions/reverse",
        "server.address": "billing.sandbox.invalid",
        "server.port": 443,
        "http.response.status_code": 200,
        "url.full": "https://billing.sandbox.invalid/payments/{payment}/actions/reverse",
    }
    assert dict(call.attributes or {})["subscribekit.outcome"] == "done"


def test_the_span_of_a_request_is_sent_in_the_headers_of_the_official_propagator(
    run: Callable[..., Any], sandbox: Sandbox
) -> None:
    telemetry = Telemetry()
    run("billing", reverse, telemetry.observer)
    request, call = telemetry.spans
    injected: dict[str, str] = {}
    context = trace.set_span_in_context(trace.NonRecordingSpan(request.context))
    B3MultiFormat().inject(injected, context)
    sent = sandbox.requests[-1].headers
    assert {name.lower(): value for name, value in injected.items()}.items() <= dict(sent).items()
    assert sent["x-b3-parentspanid"] == f"{call.context.span_id:016x}"


def test_a_call_continues_the_trace_of_the_application(run: Callable[..., Any], sandbox: Sandbox) -> None:
    telemetry = Telemetry()
    tracer = telemetry.provider.get_tracer("application")
    with tracer.start_as_current_span("checkout") as checkout:
        run("billing", reverse, telemetry.observer)
        assert trace.get_current_span() is checkout
    trace_id = checkout.get_span_context().trace_id
    assert {span.context.trace_id for span in telemetry.spans} == {trace_id}
    assert sandbox.requests[-1].headers["x-b3-traceid"] == f"{trace_id:032x}"


def test_retries_and_outcomes_are_counted(run: Callable[..., Any], sandbox: Sandbox) -> None:
    telemetry = Telemetry()
    sandbox.faults.add("/accounts", rate_limited(1))
    run("billing", lambda client: client.accounts.list().first(), telemetry.observer)
    sandbox.faults.add("/payments/{payment}/actions/reverse", drop_after_commit())
    with pytest.raises(OutcomeUnknownError):
        run("billing", reverse, telemetry.observer)
    (retries,) = telemetry.metric("subscribekit.call.retries")
    assert (retries.value, retries.attributes["error.type"]) == (1, "RateLimitError")
    durations = {
        point.attributes["subscribekit.outcome"]: point.count
        for point in telemetry.metric("subscribekit.call.duration")
    }
    assert durations == {"done": 1, "unknown": 1}
    resent = [span for span in telemetry.spans if "http.request.resend_count" in (span.attributes or {})]
    assert [dict(span.attributes or {})["http.request.resend_count"] for span in resent] == [1]
    failed = telemetry.spans[-1]
    assert failed.status.status_code is StatusCode.ERROR
    assert dict(failed.attributes or {})["error.type"] == "OutcomeUnknownError"


def test_spans_contain_no_personal_data(run: Callable[..., Any]) -> None:
    telemetry = Telemetry()
    run("billing", lambda client: client.accounts.list(email="customer-0001@example.com").first(), telemetry.observer)
    with pytest.raises(NotFoundError):
        run("billing", lambda client: client.payments.reverse("pay-4711"), telemetry.observer)
    for span in telemetry.spans:
        assert "customer-0001" not in span.to_json()
        assert "pay-4711" not in span.to_json()


def test_one_observer_serves_many_threads(sandbox: Sandbox) -> None:
    telemetry = Telemetry()
    client = GatewayClient(
        environment=sandbox.environment,
        transport=sandbox.transport,
        observers=[telemetry.observer],
    )
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(client.subscriptions.retrieve, ["sub-basic-0001"] * 80))
    calls = [span for span in telemetry.spans if span.name == "subscriptions.retrieve"]
    requests = [span for span in telemetry.spans if span.name != "subscriptions.retrieve"]
    assert len({span.context.trace_id for span in calls}) == len(calls) == len(requests) == 80
    assert {span.parent.span_id for span in requests if span.parent} == {span.context.span_id for span in calls}
    assert {request.headers["x-b3-spanid"] for request in sandbox.requests[-80:]} == {
        f"{span.context.span_id:016x}" for span in requests
    }


INTERRUPTS = [KeyboardInterrupt, SystemExit, asyncio.CancelledError]


@pytest.mark.parametrize("kind", INTERRUPTS)
def test_an_interrupted_call_ends_its_spans_with_a_status(
    kind: type[BaseException], run: Callable[..., Any], sandbox: Sandbox
) -> None:
    telemetry = Telemetry()

    def interrupt(request: object) -> bool:
        raise kind

    sandbox.faults.add(interrupt, drop_after_commit())
    with pytest.raises(kind):
        run("gateway", lambda client: client.entitlements.charge("psub-entitlement-0001", CHARGE), telemetry.observer)
    request, call = telemetry.spans
    assert [request.name, call.name] == [
        "POST /v1/entitlement/{partner_subscription}/charge",
        "entitlements.charge",
    ]
    assert dict(call.attributes or {})["subscribekit.outcome"] == "interrupted"
    for span in (request, call):
        assert span.status.status_code is StatusCode.ERROR
        assert dict(span.attributes or {})["error.type"] == kind.__name__
    (point,) = telemetry.metric("http.client.request.duration")
    assert (point.count, point.attributes["error.type"]) == (1, kind.__name__)


def test_a_cancelled_task_ends_its_spans_with_a_status(sandbox: Sandbox) -> None:
    telemetry = Telemetry()

    class Waits(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            task.cancel()
            await asyncio.Event().wait()
            raise AssertionError

    async def story() -> None:
        nonlocal task
        client = AsyncGatewayClient(environment="sandbox", transport=Waits(), observers=[telemetry.observer])
        task = asyncio.create_task(client.entitlements.charge("psub-entitlement-0001", CHARGE))
        with pytest.raises(asyncio.CancelledError):
            await task

    task: asyncio.Task[Any]
    asyncio.run(story())
    assert [span.status.status_code for span in telemetry.spans] == [StatusCode.ERROR] * 2
    assert [dict(span.attributes or {})["error.type"] for span in telemetry.spans] == ["CancelledError"] * 2


@pytest.mark.parametrize("in_another_context", [True, False])
def test_a_call_that_garbage_collection_ends_does_not_change_the_context(
    in_another_context: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Garbage collection ends the calls of a closed event loop, and can run in any context."""
    telemetry = Telemetry()
    tracer = telemetry.provider.get_tracer("application")
    info = CallInfo("accounts.list", "GET", "/accounts", "https://billing.test", "billing", "custom")
    context = contextvars.copy_context()
    call = context.run(telemetry.observer.call_started, info)
    assert call is not None

    def end() -> trace.Span:
        call.call_ended(GeneratorExit(), 1, 0.1)
        return trace.get_current_span()

    if in_another_context:
        with tracer.start_as_current_span("other") as other:
            assert end() is other
    else:
        assert not context.run(end).get_span_context().is_valid
    assert [record for record in caplog.records if record.name.startswith("opentelemetry")] == []
    assert telemetry.spans[0].status.status_code is StatusCode.ERROR


BOUNDARIES = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10)


@pytest.mark.parametrize("name", ["subscribekit.call.duration", "http.client.request.duration"])
def test_durations_have_the_boundaries_of_the_semantic_conventions(name: str, run: Callable[..., Any]) -> None:
    telemetry = Telemetry()
    run("billing", reverse, telemetry.observer)
    (point,) = telemetry.metric(name)
    assert tuple(point.explicit_bounds) == BOUNDARIES


def test_each_request_is_measured(run: Callable[..., Any], sandbox: Sandbox) -> None:
    telemetry = Telemetry()
    sandbox.faults.add("/accounts", rate_limited(0))
    run("billing", lambda client: client.accounts.list(email="customer-0001@example.com").first(), telemetry.observer)
    points = telemetry.metric("http.client.request.duration")
    assert {point.attributes["http.response.status_code"]: point.count for point in points} == {429: 1, 200: 1}
    common = {
        "http.request.method": "GET",
        "server.address": "billing.sandbox.invalid",
        "server.port": 443,
        "url.template": "/accounts",
    }
    for point in points:
        attributes = dict(point.attributes)
        failed = {"error.type": "RateLimitError"} if attributes.pop("http.response.status_code") == 429 else {}
        assert attributes == common | failed
        assert 0 <= point.sum < 60
    assert points[0].sum + points[1].sum <= telemetry.metric("subscribekit.call.duration")[0].sum + 0.5


def test_the_url_of_a_span_has_no_identifier_and_no_query(run: Callable[..., Any]) -> None:
    telemetry = Telemetry()
    run("billing", lambda client: client.accounts.list(email="customer-0001@example.com").first(), telemetry.observer)
    assert dict(telemetry.spans[0].attributes or {})["url.full"] == "https://billing.sandbox.invalid/accounts"


class WithoutSdk:
    """Creates the observer as if only OpenTelemetry's API were installed."""

    def __init__(self) -> None:
        self.observer = OpenTelemetry(tracer_provider=NoOpTracerProvider(), meter_provider=NoOpMeterProvider())


def test_without_an_sdk_a_span_id_is_generated(
    run: Callable[..., Any], sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "subscribekit"):
        run("billing", reverse, WithoutSdk().observer)
        run("billing", reverse, WithoutSdk().observer)
    headers = [request.headers for request in sandbox.requests[-2:]]
    for sent in headers:
        assert re.fullmatch(r"(?!0{16})[0-9a-f]{16}", sent["x-b3-spanid"])
        assert "x-b3-parentspanid" not in sent
    assert headers[0]["x-b3-traceid"] != headers[1]["x-b3-traceid"]
    assert caplog.records == []


def test_without_an_sdk_a_span_of_a_caller_is_the_parent_and_not_the_span(
    run: Callable[..., Any], sandbox: Sandbox
) -> None:
    arrived = trace.SpanContext(0x1234, 0x5678, is_remote=True, trace_flags=trace.TraceFlags(1))
    with trace.use_span(trace.NonRecordingSpan(arrived)):
        run("billing", reverse, WithoutSdk().observer)
    sent = sandbox.requests[-1].headers
    assert sent["x-b3-traceid"] == f"{0x1234:032x}"
    assert sent["x-b3-parentspanid"] == f"{0x5678:016x}"
    assert sent["x-b3-spanid"] not in (f"{0x5678:016x}", "0" * 16)


def test_an_interrupt_in_an_observer_leaves_no_current_span(run: Callable[..., Any]) -> None:
    class Interrupts(Observer):
        def call_started(self, call: object) -> None:
            raise KeyboardInterrupt

    telemetry = Telemetry()
    with pytest.raises(KeyboardInterrupt):
        run("billing", reverse, telemetry.observer, Interrupts())
    assert not trace.get_current_span().get_span_context().is_valid
    (call,) = telemetry.spans
    assert dict(call.attributes or {})["error.type"] == "KeyboardInterrupt"


@pytest.mark.hazard("H374")
def test_the_instrumentation_of_a_process_creates_one_span_for_each_call(run: Callable[..., Any]) -> None:
    """It creates no span if the client has an observer of its own, and none after `uninstrument()`."""
    instrumentor, automatic, own = SubscribekitInstrumentor(), Telemetry(), Telemetry()
    for _ in range(2):  # the second call replaces the first
        instrumentor.instrument(tracer_provider=automatic.provider, meter_provider=automatic._meters)
    try:
        run("billing", reverse)
        assert [span.name for span in automatic.spans] == ["payments.reverse"]
        assert "pay-cash-0001" not in str([span.to_json() for span in automatic.spans])
        run("billing", reverse, own.observer)
        assert len(automatic.spans) == 1
    finally:
        instrumentor.uninstrument()
    run("billing", reverse)
    assert len(automatic.spans) == 1


KEYS = pytest.mark.parametrize(
    "key", [_SUPPRESS_INSTRUMENTATION_KEY, "suppress_instrumentation"], ids=["key of the API", "plain key"]
)
"""`opentelemetry.instrumentation.utils.suppress_instrumentation()` sets both; exporters set the first."""


@contextmanager
def suppressed(key: str) -> Iterator[None]:
    """Set a key of the context, as `suppress_instrumentation()` does."""
    token = context.attach(context.set_value(key, True))
    try:
        yield
    finally:
        context.detach(token)


@pytest.mark.hazard("H419")
@KEYS
def test_nothing_is_recorded_under_suppress_instrumentation(
    key: str, run: Callable[..., Any], sandbox: Sandbox
) -> None:
    telemetry = Telemetry()
    sandbox.faults.add("/accounts", rate_limited(0))
    with suppressed(key):
        run("billing", reverse, telemetry.observer)
        run("billing", lambda client: client.accounts.list(limit=10, prefetch=True), telemetry.observer)
    assert telemetry.spans == []
    assert telemetry.metric("subscribekit.call.duration") == []
    assert telemetry.metric("http.client.request.duration") == []
    run("billing", reverse, telemetry.observer)
    assert len(telemetry.spans) == 2


@pytest.mark.hazard("H419")
@KEYS
def test_the_instrumentation_of_a_process_records_nothing_if_suppressed(key: str, run: Callable[..., Any]) -> None:
    instrumentor, automatic = SubscribekitInstrumentor(), Telemetry()
    instrumentor.instrument(tracer_provider=automatic.provider, meter_provider=automatic._meters)
    try:
        with suppressed(key):
            run("billing", reverse)
        assert automatic.spans == []
        run("billing", reverse)
        assert len(automatic.spans) == 1
    finally:
        instrumentor.uninstrument()


@pytest.mark.hazard("H419")
@KEYS
def test_the_headers_of_a_suppressed_call_continue_the_current_span(
    key: str, run: Callable[..., Any], sandbox: Sandbox
) -> None:
    telemetry = Telemetry()
    with telemetry.provider.get_tracer("application").start_as_current_span("checkout") as checkout, suppressed(key):
        run("billing", reverse, telemetry.observer)
    sent, parent = sandbox.requests[-1].headers, checkout.get_span_context()
    assert (sent["x-b3-traceid"], sent["x-b3-parentspanid"]) == (f"{parent.trace_id:032x}", f"{parent.span_id:016x}")
    assert sent["x-b3-spanid"] not in (f"{parent.span_id:016x}", "0" * 16)


@pytest.mark.hazard("H419")
def test_requests_are_not_recorded_under_suppress_http_instrumentation(run: Callable[..., Any]) -> None:
    telemetry = Telemetry()
    with suppressed(_SUPPRESS_HTTP_INSTRUMENTATION_KEY):
        run("billing", reverse, telemetry.observer)
    assert [span.name for span in telemetry.spans] == ["payments.reverse"]
    assert telemetry.metric("http.client.request.duration") == []
    assert telemetry.metric("subscribekit.call.duration") != []
