"""Hooks and OpenTelemetry: who is told what, in which order, and that nothing personal is in it."""

import asyncio
import logging
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.propagators.b3 import B3MultiFormat
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from subscribekit import AsyncBillingClient, AsyncGatewayClient, BillingClient, GatewayClient
from subscribekit.errors import ConfigurationError, NotFoundError, OutcomeUnknownError
from subscribekit.hooks import CallInfo, CallObserver, Hooks, Observer, RequestEvent, ResponseEvent, RetryEvent
from subscribekit.models import EntitlementCharge
from subscribekit.otel import OpenTelemetry
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import drop_after_commit, rate_limited, server_error

Use = Callable[[Any], Any]
CHARGE = EntitlementCharge(transaction_id="order-4711", amount=Decimal("4.90"), currency="USD")


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.fixture(params=["blocking", "async"])
def run(request: pytest.FixtureRequest, sandbox: Sandbox) -> Callable[..., Any]:
    """Make one call with either client, with observers."""

    def call(group: str, use: Use, *observers: Observer) -> Any:
        blocking, asynchronous = {
            "billing": (BillingClient, AsyncBillingClient),
            "gateway": (GatewayClient, AsyncGatewayClient),
        }[group]
        environment = sandbox.environment
        if request.param == "blocking":
            client: Any = blocking(environment=environment, transport=sandbox.transport, observers=observers)
            return use(client)
        client = asynchronous(environment=environment, transport=sandbox.async_transport, observers=observers)

        async def story() -> Any:
            return await use(client)

        return asyncio.run(story())

    return call


class Recorder:
    """Keeps the events of hooks."""

    def __init__(self) -> None:
        self.events: list[RequestEvent | ResponseEvent | RetryEvent] = []
        self.hooks = Hooks(on_request=self.events.append, on_response=self.events.append, on_retry=self.events.append)

    @property
    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]


def reverse(client: Any) -> Any:
    return client.payments.reverse("pay-cash-0001")


def test_hooks_are_told_of_a_call(run: Callable[..., Any], sandbox: Sandbox) -> None:
    recorder = Recorder()
    run("billing", reverse, recorder.hooks)
    asked, answered = recorder.events
    assert isinstance(asked, RequestEvent)
    assert isinstance(answered, ResponseEvent)
    assert asked.call == CallInfo(
        operation="payments.reverse",
        method="POST",
        path_template="/payments/{payment}/actions/reverse",
        origin="https://billing.sandbox.invalid",
        group="billing",
        environment="sandbox",
    )
    assert asked.attempt == 1
    assert asked.trace_id == sandbox.requests[-1].headers["x-b3-traceid"]
    assert (answered.request, answered.status_code, answered.error) == (asked, 200, None)
    assert answered.request_id is not None


def test_hooks_are_told_of_each_repetition(run: Callable[..., Any], sandbox: Sandbox) -> None:
    sandbox.faults.add("/submgmt/v2/subscriptions/{id}", server_error(), times=2)
    recorder = Recorder()
    run("gateway", lambda client: client.subscriptions.retrieve("sub-basic-0001"), recorder.hooks)
    assert recorder.kinds == ["RequestEvent", "ResponseEvent", "RetryEvent"] * 2 + ["RequestEvent", "ResponseEvent"]
    retries = [event for event in recorder.events if isinstance(event, RetryEvent)]
    assert [event.request.attempt for event in retries] == [1, 2]
    assert all(event.wait >= 0 for event in retries)
    statuses = [event.status_code for event in recorder.events if isinstance(event, ResponseEvent)]
    assert statuses == [500, 500, 200]


def test_a_lost_answer_has_no_status(run: Callable[..., Any], sandbox: Sandbox) -> None:
    sandbox.faults.add("/v1/entitlement/{id}/charge", drop_after_commit())
    recorder = Recorder()
    with pytest.raises(OutcomeUnknownError):
        run("gateway", lambda client: client.entitlements.charge("psub-entitlement-0001", CHARGE), recorder.hooks)
    answered = recorder.events[-1]
    assert isinstance(answered, ResponseEvent)
    assert answered.status_code is None
    assert answered.error is not None
    assert "order-4711" not in repr(recorder.events[0])


def test_what_a_hook_raises_changes_nothing(run: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
    def broken(event: object) -> None:
        raise RuntimeError("a bug of the application")

    with caplog.at_level(logging.ERROR, "subscribekit"):
        payment = run("billing", reverse, Hooks(on_request=broken, on_response=broken))
    assert payment.status == "Failure"
    assert [record.getMessage() for record in caplog.records] == ["an observer failed; the call goes on"] * 2


def test_a_plan_is_no_call(sandbox: Sandbox) -> None:
    recorder = Recorder()
    client = BillingClient(environment=sandbox.environment, transport=sandbox.transport, observers=[recorder.hooks])
    client.plan.payments.reverse("pay-cash-0001")
    assert recorder.events == []


def test_an_observer_may_follow_only_some_calls(run: Callable[..., Any]) -> None:
    ends: list[BaseException | None] = []

    class Ends(CallObserver):
        def call_ended(self, error: BaseException | None, attempts: int, elapsed: float) -> None:
            ends.append(error)

    class OnlyReverse(Observer):
        def call_started(self, call: CallInfo) -> CallObserver | None:
            return Ends() if call.operation == "payments.reverse" else None

    run("billing", reverse, OnlyReverse())
    run("billing", lambda client: client.accounts.list().first(), OnlyReverse())
    with pytest.raises(NotFoundError) as caught:
        run("billing", lambda client: client.payments.reverse("none"), OnlyReverse())
    assert ends == [None, caught.value]


@pytest.mark.parametrize("wrong", [{"on_request": 5}, {"on_response": "x"}, {"on_retry": []}])
def test_a_hook_is_a_callable(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(wrong))):
        Hooks(**wrong)


def test_observers_are_observers() -> None:
    with pytest.raises(ConfigurationError, match="observers"):
        BillingClient(environment="sandbox", observers=[print])  # type: ignore[list-item]  # what is tested


class Telemetry:
    """OpenTelemetry in memory."""

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
        assert data is not None
        metrics = [m for r in data.resource_metrics for s in r.scope_metrics for m in s.metrics if m.name == name]
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
    }
    assert dict(call.attributes or {})["subscribekit.outcome"] == "done"


def test_the_span_of_a_request_travels_as_the_official_propagator_writes_it(
    run: Callable[..., Any], sandbox: Sandbox
) -> None:
    telemetry = Telemetry()
    run("billing", reverse, telemetry.observer)
    request, call = telemetry.spans
    carrier: dict[str, str] = {}
    context = trace.set_span_in_context(trace.NonRecordingSpan(request.context))
    B3MultiFormat().inject(carrier, context)
    sent = sandbox.requests[-1].headers
    assert {name.lower(): value for name, value in carrier.items()}.items() <= dict(sent).items()
    assert sent["x-b3-parentspanid"] == f"{call.context.span_id:016x}"


def test_the_application_s_trace_goes_on(run: Callable[..., Any], sandbox: Sandbox) -> None:
    telemetry = Telemetry()
    tracer = telemetry.provider.get_tracer("application")
    with tracer.start_as_current_span("checkout") as checkout:
        run("billing", reverse, telemetry.observer)
        assert trace.get_current_span() is checkout
    trace_id = checkout.get_span_context().trace_id
    assert {span.context.trace_id for span in telemetry.spans} == {trace_id}
    assert sandbox.requests[-1].headers["x-b3-traceid"] == f"{trace_id:032x}"


def test_repetitions_and_outcomes_are_counted(run: Callable[..., Any], sandbox: Sandbox) -> None:
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


def test_spans_name_nobody(run: Callable[..., Any]) -> None:
    telemetry = Telemetry()
    run("billing", lambda client: client.accounts.list(email="customer-0001@example.com").first(), telemetry.observer)
    with pytest.raises(NotFoundError):
        run("billing", lambda client: client.payments.reverse("pay-4711"), telemetry.observer)
    for span in telemetry.spans:
        assert "customer-0001" not in span.to_json()
        assert "pay-4711" not in span.to_json()


def test_an_interrupted_call_ends_its_spans(sandbox: Sandbox) -> None:
    telemetry = Telemetry()
    client = GatewayClient(environment=sandbox.environment, transport=sandbox.transport, observers=[telemetry.observer])

    def interrupt(request: object) -> bool:
        raise KeyboardInterrupt

    sandbox.faults.add(interrupt, drop_after_commit())
    with pytest.raises(KeyboardInterrupt):
        client.entitlements.charge("psub-entitlement-0001", CHARGE)
    assert [span.name for span in telemetry.spans] == [
        "POST /v1/entitlement/{partner_subscription}/charge",
        "entitlements.charge",
    ]
    assert dict(telemetry.spans[-1].attributes or {})["subscribekit.outcome"] == "interrupted"
