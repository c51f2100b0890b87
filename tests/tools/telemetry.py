"""Sends calls while a tracer runs, and prints the spans as JSON. Runs in its own process, with one tracer.

If the last argument is `cut`, the code block for this tracer in `docs/guides/tracing.md` runs first.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

from code_blocks import DOCS, blocks
from kit.faults import scripts as f
from kit.faults.server import FaultServer
from subscribekit import AsyncGatewayClient, GatewayClient, RetryPolicy

CHARGE: dict[str, Any] = {"transaction_id": "tx-personal", "amount": "47.11", "currency": "EUR"}
SECRET = "gateway-key-4712"
Spans = Callable[[], list[dict[str, Any]]]


def recipe(tracer: str) -> None:
    """Run the code block of the page for this tracer."""
    (block,) = [each for each in blocks(DOCS / "guides" / "tracing.md") if each.title == f"Real environment: {tracer}"]
    exec(block.code, {"__name__": "shop"})


def opentelemetry(cut: bool) -> Spans:
    """Return a function that reads the spans of the provider that `opentelemetry-instrument` set up."""
    if cut:
        recipe("OpenTelemetry")
    from opentelemetry import trace
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter, provider = InMemorySpanExporter(), trace.get_tracer_provider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))  # type: ignore[attr-defined]  # the SDK's provider has it

    def spans() -> list[dict[str, Any]]:
        return [
            {
                "name": each.name, "by": each.instrumentation_scope.name, "tags": dict(each.attributes or {}),
                "id": each.context.span_id, "parent": each.parent and each.parent.span_id,
            }
            for each in exporter.get_finished_spans()
        ]  # fmt: skip

    return spans


def sentry(cut: bool) -> Spans:
    import sentry_sdk
    from sentry_sdk.transport import Transport

    seen: list[dict[str, Any]] = []

    class Kept(Transport):
        def capture_envelope(self, envelope: Any) -> None:
            seen.extend(item.payload.json for item in envelope.items if item.type in ("transaction", "event"))

    init: Any = partial(sentry_sdk.init, dsn="http://key@127.0.0.1:9/1", transport=Kept, traces_sample_rate=1.0)
    if cut:
        sentry_sdk.init = init
    recipe("Sentry") if cut else init()
    transaction = sentry_sdk.start_transaction(name="job")
    transaction.__enter__()

    def spans() -> list[dict[str, Any]]:
        transaction.__exit__(None, None, None)
        sentry_sdk.capture_message("done")
        breadcrumbs = {"breadcrumbs": [each["breadcrumbs"] for each in seen if "breadcrumbs" in each]}
        return [
            {"name": span["description"], "by": span["origin"], "tags": span["data"] | breadcrumbs}
            for each in seen
            for span in each.get("spans", ())
            if span["op"] == "http.client"
        ]

    return spans


def ddtrace(cut: bool) -> Spans:
    from ddtrace import patch
    from ddtrace.trace import TraceFilter, tracer

    patch(httpx=True)
    seen: list[Any] = []

    class Kept(TraceFilter):
        def process_trace(self, trace: list[Any]) -> None:
            seen.extend(trace)

    configure = tracer.configure
    if cut:
        tracer.configure = lambda trace_processors: configure(trace_processors=[*trace_processors, Kept()])
    recipe("ddtrace") if cut else configure(trace_processors=[Kept()])

    def spans() -> list[dict[str, Any]]:
        return [{"name": each.name, "by": each.service, "tags": dict(each.get_tags())} for each in seen]

    return spans


TRACERS = {"opentelemetry": opentelemetry, "sentry": sentry, "ddtrace": ddtrace}


def main(tracer: str, style: str, mode: str = "") -> None:
    """Send a read and a charge, and print the spans."""
    from subscribekit.models import EntitlementCharge

    spans = TRACERS[tracer](mode == "cut")
    charge = EntitlementCharge(**{**CHARGE, "amount": Decimal(CHARGE["amount"])})
    with FaultServer(
        f.ok({"object": "Subscription", "id": "s1-personal"}), f.ok({"id": "c1", "transactionReferenceId": "ref-1"})
    ) as server:
        options: Any = {
            "base_url": server.url, "api_key": SECRET, "allow_insecure_loopback": True,
            "retry": RetryPolicy(max_attempts=1),
        }  # fmt: skip
        if style == "blocking":
            with GatewayClient(**options) as client:
                client.subscriptions.retrieve("s1-personal")
                client.entitlements.charge("ps1-personal", charge)
                backend = client.http_backend
        else:

            async def calls() -> str:
                async with AsyncGatewayClient(**options) as client:
                    await client.subscriptions.retrieve("s1-personal")
                    await client.entitlements.charge("ps1-personal", charge)
                    return client.http_backend

            backend = asyncio.run(calls())
        sent = [{name.decode().lower(): value.decode() for name, value in each.headers} for each in server.requests]
    print(json.dumps({"spans": spans(), "sent": sent, "backend": backend}, default=str))


if __name__ == "__main__":
    main(*sys.argv[1:])
