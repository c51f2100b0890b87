"""Tracers record each call once, and the SDK's own spans contain no IDs (H374)."""

from __future__ import annotations

import json
import sys
from typing import Any
from urllib.parse import urlsplit

import pytest

from tools.conftest import Story
from tools.telemetry import SECRET

PATHS = ["/submgmt/v2/subscriptions/s1-personal", "/v1/entitlement/ps1-personal/charge"]
"""The paths of the traced read and charge."""

styles = pytest.mark.parametrize("style", ["blocking", "async"])
INSTRUMENT = ("-c", "from opentelemetry.instrumentation.auto_instrumentation import run; run()", sys.executable)
QUIET = {"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none", "OTEL_LOGS_EXPORTER": "none"}
PACKAGES = {"sentry": "sentry_sdk", "ddtrace": "ddtrace"}
B3 = {"OTEL_PROPAGATORS": "tracecontext,baggage,b3multi"}


@pytest.mark.hazard("H374")
@styles
def test_opentelemetry_instrument_records_one_span_per_call(story: Story, style: str) -> None:
    """The span of httpx is a child of the SDK's span. The SDK's B3 headers override those of a propagator."""
    output = json.loads(
        story("opentelemetry", "tools.telemetry", "opentelemetry", style, command=INSTRUMENT, **QUIET, **B3)
    )
    ours = [each for each in output["spans"] if each["by"] == "subscribekit"]
    theirs = [each for each in output["spans"] if "httpx" in each["by"]]
    assert [each["name"] for each in ours] == ["subscriptions.retrieve", "entitlements.charge"]
    assert [each["parent"] for each in theirs] == [each["id"] for each in ours]
    assert [urlsplit(each["tags"]["http.url"]).path for each in theirs] == PATHS
    assert "personal" not in json.dumps(ours)
    assert SECRET not in json.dumps(output["spans"])
    assert " by opentelemetry" in output["backend"]
    assert len({each["x-b3-traceid"] for each in output["sent"]}) == 2
    assert all(int(each["x-b3-spanid"], 16) not in [span["id"] for span in output["spans"]] for each in output["sent"])


@pytest.mark.hazard("H374")
@styles
@pytest.mark.parametrize("tracer", ["sentry", "ddtrace"])
def test_a_tracer_of_httpx_records_each_call_once(story: Story, tracer: str, style: str) -> None:
    output: dict[str, Any] = json.loads(story(tracer, "tools.telemetry", tracer, style).splitlines()[-1])
    assert len(output["spans"]) == len(output["sent"]) == 2, output["spans"]
    assert SECRET not in json.dumps(output["spans"])
    assert f"Client.send by {PACKAGES[tracer]}" in output["backend"]


@styles
def test_sentry_records_the_urls_of_requests(story: Story, style: str) -> None:
    output: dict[str, Any] = json.loads(story("sentry", "tools.telemetry", "sentry", style).splitlines()[-1])
    assert [urlsplit(each["tags"]["url"]).path for each in output["spans"]] == PATHS
    crumbs = output["spans"][0]["tags"]["breadcrumbs"][0]["values"]
    assert [urlsplit(each["data"]["url"]).path for each in crumbs] == PATHS


@pytest.mark.hazard("H374")
@styles
@pytest.mark.parametrize("tracer", ["opentelemetry", "sentry", "ddtrace"])
def test_the_code_of_the_page_removes_paths_and_headers(story: Story, tracer: str, style: str) -> None:
    """Without the code of the page, Sentry and ddtrace record the paths, and add their headers."""
    options: dict[str, Any] = {}
    if tracer == "opentelemetry":
        options = {"command": INSTRUMENT, **QUIET, "OTEL_PYTHON_DISABLED_INSTRUMENTATIONS": "httpx"}
    output = json.loads(story(tracer, "tools.telemetry", tracer, style, "cut", **options).splitlines()[-1])
    theirs = [each for each in output["spans"] if each["by"] != "subscribekit"]
    assert len(theirs) == len(output["sent"]) == 2
    assert "personal" not in json.dumps(output["spans"])
    if tracer == "opentelemetry":
        assert all(each["tags"]["http.url"].startswith("http://127.0.0.1:") for each in theirs)
        return
    if tracer == "sentry":
        (crumbs,) = theirs[0]["tags"]["breadcrumbs"]
        assert [each["category"] for each in crumbs["values"]].count("httplib") == 2
    added = ("sentry-trace", "baggage", "x-datadog-trace-id", "traceparent")
    assert not [name for each in output["sent"] for name in each if name in added]
    plain = json.loads(story(tracer, "tools.telemetry", tracer, style).splitlines()[-1])
    assert "personal" in json.dumps(plain["spans"])
    assert all(set(added) & set(each) for each in plain["sent"])
