"""Inside `subscribekit.trace()`, the observer for OpenTelemetry records the spans of several clients in one trace."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk.trace")

from opentelemetry import trace as otel
from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import NoOpTracerProvider

import subscribekit
from kit.calls import Always, Run, answer, page
from subscribekit import TraceContext
from subscribekit.otel import OpenTelemetry

TRACE, SPAN = "463ac35c9f6413ad48485a3953bb6124", "a2fb4a1d1a96d312"


class Telemetry:
    """Stores the spans of an observer in memory."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.observer = OpenTelemetry(tracer_provider=self.provider, meter_provider=NoOpMeterProvider())

    @property
    def calls(self) -> list[Any]:
        return [span for span in self._exporter.get_finished_spans() if span.kind is otel.SpanKind.INTERNAL]

    @property
    def requests(self) -> list[Any]:
        return [span for span in self._exporter.get_finished_spans() if span.kind is otel.SpanKind.CLIENT]


def service() -> Always:
    return Always(lambda sent: page() if "accounts" in sent.url else answer({"id": "s1"}))


def two_calls(run: Run, transport: Always, *observers: Any, **options: Any) -> list[dict[str, str]]:
    before = len(transport.sent)
    given = {"transport": transport, "observers": list(observers), **options}
    run("billing", lambda client: client.accounts.list(), **given)
    run("gateway", lambda client: client.subscriptions.retrieve("s1"), **given)
    return [
        {name: value for name, value in sent.headers.items() if name.startswith("x-b3")}
        for sent in transport.sent[before:]
    ]


@pytest.mark.parametrize("sampled", [None, True])
@pytest.mark.parametrize("trace_id", [TRACE, TRACE[:16]])
def test_calls_with_the_observer_are_one_trace(run: Run, sampled: bool | None, trace_id: str) -> None:
    telemetry = Telemetry()
    with subscribekit.trace(TraceContext(trace_id, SPAN, sampled=sampled)):
        sent = two_calls(run, service(), telemetry.observer)
    assert [each["x-b3-traceid"] for each in sent] == [f"{int(trace_id, 16):032x}"] * 2
    assert [span.parent.span_id for span in telemetry.calls] == [int(SPAN, 16)] * 2
    assert {span.context.trace_id for span in telemetry.calls + telemetry.requests} == {int(trace_id, 16)}
    assert [each["x-b3-spanid"] for each in sent] == [f"{span.context.span_id:016x}" for span in telemetry.requests]


def test_a_nested_block_is_the_parent(run: Run) -> None:
    telemetry = Telemetry()
    with subscribekit.trace(TraceContext(TRACE, SPAN)), subscribekit.trace() as inner:
        two_calls(run, service(), telemetry.observer)
    assert {span.parent.span_id for span in telemetry.calls} == {int(inner.span_id, 16)}


def test_a_trace_that_is_not_sampled_has_no_spans(run: Run) -> None:
    telemetry = Telemetry()
    with subscribekit.trace(TraceContext(TRACE, SPAN, sampled=False)):
        sent = two_calls(run, service(), telemetry.observer)
    assert (telemetry.calls, telemetry.requests) == ([], [])
    assert [(each["x-b3-traceid"], each["x-b3-sampled"]) for each in sent] == [(TRACE, "0")] * 2


def test_an_active_span_takes_precedence(run: Run) -> None:
    telemetry = Telemetry()
    tracer = telemetry.provider.get_tracer("tests")
    with subscribekit.trace(TraceContext(TRACE, SPAN)), tracer.start_as_current_span("merchant") as merchant:
        sent = two_calls(run, service(), telemetry.observer)
    context = merchant.get_span_context()
    assert [each["x-b3-traceid"] for each in sent] == [f"{context.trace_id:032x}"] * 2
    assert [span.parent.span_id for span in telemetry.calls[:2]] == [context.span_id] * 2


def test_a_client_s_own_trace_takes_precedence_with_the_observer_too(run: Run) -> None:
    telemetry = Telemetry()
    own = TraceContext("1" * 32, "2" * 16)
    with subscribekit.trace(TraceContext(TRACE, SPAN)):
        sent = two_calls(run, service(), telemetry.observer, trace=own)
        off = two_calls(run, service(), telemetry.observer, trace="off")
    assert [(each["x-b3-traceid"], each["x-b3-parentspanid"]) for each in sent] == [("1" * 32, "2" * 16)] * 2
    assert off == [{}, {}]


@pytest.mark.parametrize("sampled", [None, True, False])
def test_without_an_sdk_the_trace_of_the_block_is_sent(run: Run, sampled: bool | None) -> None:
    observer = OpenTelemetry(tracer_provider=NoOpTracerProvider(), meter_provider=NoOpMeterProvider())
    with subscribekit.trace(TraceContext(TRACE, SPAN, sampled=sampled)):
        sent = two_calls(run, service(), observer)
    expected = {None: None, True: "1", False: "0"}[sampled]
    for each in sent:
        assert (each["x-b3-traceid"], each["x-b3-parentspanid"], each.get("x-b3-sampled")) == (TRACE, SPAN, expected)
        assert each["x-b3-spanid"] not in (SPAN, "0" * 16)


@pytest.mark.parametrize("options", [{"prefetch": True}, {"concurrency": 3}])
def test_pages_that_are_read_ahead_belong_to_the_trace(run: Run, options: dict[str, Any]) -> None:
    items = [{"id": number, "type": "account"} for number in range(6)]

    def respond(sent: Any) -> Any:
        offset = int(dict(sent.query).get("offset", 0)) if "?" in sent.url else 0
        return answer(items[offset : offset + 2], X_Total_Count="6")

    transport = Always(respond)
    with subscribekit.trace() as context:
        found = run("user_mgmt", lambda client: client.accounts.list(size=2, **options), transport=transport)
    assert len(found) == 6
    assert {sent.headers["x-b3-traceid"] for sent in transport.sent} == {context.trace_id}
    assert {sent.headers["x-b3-parentspanid"] for sent in transport.sent} == {context.span_id}
