"""Headers that depend on the group, the body, and the settings: API version, content coding, and B3 trace."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from typing import Any

import httpx
import pytest

from core.test_environments import ANSWERS, CALLS
from kit.calls import GROUPS, Group, Run, Service, answer, page
from subscribekit import RetryPolicy, TraceContext
from subscribekit.errors import ConfigurationError, InvalidResponseError, ResponseTooLargeError
from subscribekit.models import Campaign

TRACE = "0af7651916cd43dd8448eb211c80319c"
SPAN = "b7ad6b7169203331"
PARENT = "c0ffee0000000001"


def update(client: Any) -> Any:
    return client.campaigns.update("c", Campaign(name="x" * 200))


def reverse(client: Any) -> Any:
    return client.payments.reverse("p")


# X-API-Version


def test_every_call_of_group_a_sends_the_version(run: Run) -> None:
    service = Service(page("a1", next_link="/accounts?starting_after=a1"), page(), answer(status=204))

    async def story(client: Any) -> None:
        await run.finish(client.accounts.list())
        await run.now(client.payments.reverse("p"))

    run("billing", story, transport=service, api_version="20300101")
    assert [sent.headers.get_list("X-API-Version") for sent in service.sent] == [["20300101"]] * 3


def test_api_version_none_sends_no_version(run: Run) -> None:
    service = Service(page())
    run("billing", CALLS["billing"], transport=service, api_version=None)
    assert "X-API-Version" not in service.only.headers


# The content coding of bodies (H46)


@pytest.mark.parametrize("group", GROUPS)
def test_only_group_a_sends_the_gzip_header(group: Group, run: Run) -> None:
    service = Service(ANSWERS[group]())
    run(group, CALLS[group], transport=service)
    assert service.only.headers.get("Content-Encoding") == ("gzip" if group == "billing" else None)


def test_the_gzip_header_of_calls_without_a_body_can_be_turned_off(run: Run) -> None:
    """H227: A server that decompresses every body with this header returns 400 to an empty body."""
    service = Service(page(), answer(status=204), answer({"object": "Campaign", "id": "c"}))

    async def story(client: Any) -> None:
        await run.finish(client.accounts.list())
        await run.now(reverse(client.with_options(deadline=5)))
        await run.now(update(client))

    run("billing", story, transport=service, send_gzip_header=False, compress_requests=True)
    assert [sent.headers.get("Content-Encoding") for sent in service.sent] == [None, None, "gzip"]
    assert all(sent.headers["Accept-Encoding"] == "gzip" for sent in service.sent), "responses may be compressed"


def test_an_uncompressed_body_never_has_the_gzip_header(run: Run) -> None:
    service = Service(answer({"object": "Campaign", "id": "c"}))
    run("billing", update, transport=service)
    assert "Content-Encoding" not in service.only.headers
    assert service.only.body == b'{"name":"' + b"x" * 200 + b'"}'


def test_a_body_is_compressed_on_request_and_only_once(run: Run) -> None:
    service = Service(httpx.ConnectError("x"), answer({"object": "Campaign", "id": "c"}), answer(status=204))

    async def story(client: Any) -> None:
        await run.now(update(client))
        await run.now(reverse(client))

    run("billing", story, transport=service, compress_requests=True)
    first, second, without_body = service.sent
    assert gzip.decompress(second.body) == b'{"name":"' + b"x" * 200 + b'"}'
    assert first.body == second.body
    assert len(second.body) < 200
    assert second.headers["Content-Encoding"] == "gzip"
    assert second.headers["Content-Length"] == str(len(second.body))
    assert without_body.body == b""
    assert without_body.headers["Content-Encoding"] == "gzip"


def test_compressed_responses_are_read(run: Run) -> None:
    packed = gzip.compress(b'{"object": "Payment", "amount": 1.50}')
    for coding in ("gzip", "GZIP", " x-gzip "):
        service = Service(answer(packed, Content_Encoding=coding))
        payment = run("billing", reverse, transport=service)
        assert str(payment.amount) == "1.50"


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (gzip.compress(b'{"object": "List", "data": []}', mtime=0)[:-4], "gzip"),
        (gzip.compress(b'{"object": "List", "data": []}', mtime=0) + b"x", "gzip"),
        (gzip.compress(b'{"object": "List", "data": []}', mtime=0) * 2, "gzip"),
        (b'{"object": "List", "data": []}', "gzip"),
        (b'{"object": "List", "data": []}', "br"),
        (gzip.compress(gzip.compress(b'{"object": "List", "data": []}', mtime=0), mtime=0), "gzip, gzip"),
    ],
    ids=["no trailer", "more behind it", "two members", "not gzip", "another coding", "two codings"],
)
def test_a_damaged_coding_is_an_error(body: bytes, coding: str, run: Run) -> None:
    service = Service(*(raw(body, coding) for _ in range(2)))
    with pytest.raises(InvalidResponseError) as caught:
        run("billing", CALLS["billing"], transport=service)
    assert caught.value.attempts == 2  # a read is retried once


def raw(body: bytes, coding: str) -> httpx.Response:
    """Return a response whose body httpx doesn't decode."""
    response = httpx.Response(200, headers={"Content-Type": "application/json", "Content-Encoding": coding})
    response.stream = httpx.ByteStream(body)
    return response


def test_a_gzip_bomb_is_not_decompressed(run: Run) -> None:
    bomb = gzip.compress(b" " * (10 * 1024 * 1024 + 1))
    service = Service(raw(bomb, "gzip"))
    with pytest.raises(ResponseTooLargeError, match="10 MB"):
        run("billing", CALLS["billing"], transport=service)


# B3


def traced(service: Service) -> list[dict[str, str]]:
    return [
        {name: value for name, value in sent.headers.items() if name.startswith("x-b3") or name == "b3"}
        for sent in service.sent
    ]


@pytest.mark.parametrize("group", GROUPS)
def test_a_new_trace_for_each_call_and_a_new_span_for_each_attempt(group: Group, run: Run) -> None:
    service = Service(httpx.ConnectError("x"), ANSWERS[group](), ANSWERS[group]())

    async def story(client: Any) -> None:
        await run.finish(CALLS[group](client))
        await run.finish(CALLS[group](client))

    run(group, story, transport=service)
    first, again, other = traced(service)
    for headers in (first, again, other):
        assert headers.keys() == {"x-b3-traceid", "x-b3-spanid"}
        assert re.fullmatch(r"[0-9a-f]{32}", headers["x-b3-traceid"])
        assert re.fullmatch(r"[0-9a-f]{16}", headers["x-b3-spanid"])
    assert first["x-b3-traceid"] == again["x-b3-traceid"] != other["x-b3-traceid"]
    assert len({headers["x-b3-spanid"] for headers in (first, again, other)}) == 3


@pytest.mark.parametrize("group", GROUPS)
def test_trace_off_sends_no_trace_headers(group: Group, run: Run) -> None:
    service = Service(ANSWERS[group]())
    run(group, CALLS[group], transport=service, trace="off")
    assert traced(service) == [{}]


@pytest.mark.parametrize("trace_id", [TRACE, TRACE[:16]])
@pytest.mark.parametrize(("sampled", "header"), [(None, None), (True, "1"), (False, "0")])
def test_a_span_of_the_caller_is_continued(trace_id: str, sampled: bool | None, header: str | None, run: Run) -> None:
    service = Service(httpx.ConnectError("x"), page())
    context = TraceContext(trace_id, SPAN, PARENT, sampled)
    run("billing", CALLS["billing"], transport=service, trace=context)
    for headers in traced(service):
        assert headers["x-b3-traceid"] == trace_id
        assert headers["x-b3-parentspanid"] == SPAN
        assert headers["x-b3-spanid"] not in (SPAN, PARENT)
        assert headers.get("x-b3-sampled") == header


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((TRACE.upper(), SPAN), "trace_id"),
        ((TRACE[:31], SPAN), "trace_id"),
        ((TRACE + "0", SPAN), "trace_id"),
        (("0" * 32, SPAN), "trace_id"),
        (("g" * 32, SPAN), "trace_id"),
        ((TRACE + "\n", SPAN), "trace_id"),
        ((None, SPAN), "trace_id"),
        ((int(TRACE, 16), SPAN), "trace_id"),
        ((TRACE, TRACE), "span_id"),
        ((TRACE, "0" * 16), "span_id"),
        ((TRACE, SPAN.upper()), "span_id"),
        ((TRACE, SPAN, "x"), "parent_span_id"),
        ((TRACE, SPAN, "0" * 16), "parent_span_id"),
        ((TRACE, SPAN, None, "yes"), "sampled"),
    ],
)
def test_a_trace_context_refuses_malformed_values(arguments: tuple[Any, ...], name: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"TraceContext\.{name}"):
        TraceContext(*arguments)


@pytest.mark.parametrize("trace", ["on", "", None, 1, True, ("a", "b"), {"trace_id": TRACE}])
def test_a_trace_is_auto_off_or_a_context(trace: Any, run: Run) -> None:
    with pytest.raises(ConfigurationError, match="trace must be"):
        run.client("billing", trace=trace)


def test_the_current_opentelemetry_span_is_continued(run: Run) -> None:
    trace = pytest.importorskip("opentelemetry.sdk.trace")
    tracer = trace.TracerProvider().get_tracer("tests")
    service = Service(page(), page(), page())

    async def story(client: Any) -> None:
        with tracer.start_as_current_span("merchant") as span:
            context = span.get_span_context()
            await run.finish(client.accounts.list())
            await run.finish(client.with_options(trace="off").accounts.list())
        await run.finish(client.accounts.list())
        inside, off, outside = traced(service)
        assert inside["x-b3-traceid"] == f"{context.trace_id:032x}"
        assert inside["x-b3-parentspanid"] == f"{context.span_id:016x}"
        assert inside["x-b3-spanid"] != f"{context.span_id:016x}"
        assert inside["x-b3-sampled"] == "1"
        assert off == {}
        assert outside["x-b3-traceid"] != inside["x-b3-traceid"]
        assert "x-b3-parentspanid" not in outside

    run("billing", story, transport=service)


def test_opentelemetry_is_not_imported_by_the_package() -> None:
    code = (
        "import sys; from subscribekit.sandbox import Sandbox; Sandbox().billing().accounts.list().first();"
        "assert 'opentelemetry' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_errors_carry_the_trace_id(run: Run) -> None:
    service = Service(answer({}, 500))
    with pytest.raises(Exception, match="500") as caught:
        run("billing", CALLS["billing"], transport=service, retry=RetryPolicy(max_attempts=1))
    assert getattr(caught.value, "trace_id", None) == service.only.headers["X-B3-TraceId"]


@pytest.mark.parametrize("group", GROUPS)
def test_the_suffix_of_the_application_follows_the_sdk_in_the_user_agent(group: Group, run: Run) -> None:
    service = Service(answer({}), answer({}))
    run(group, lambda c: c.request("GET", "/x"), transport=service, user_agent_suffix="shop/1.2")
    run(group, lambda c: c.request("GET", "/x"), transport=service)
    named, plain = (dict(each.headers)["user-agent"] for each in service.sent)
    assert named == f"{plain} shop/1.2"


@pytest.mark.parametrize(
    "wrong", ["", "shop 1.2", "shop/1.2\r\nX: y", "shöp", "shop/", "a" * 65, 7, b"shop", "shop/1/2"]
)
def test_a_malformed_user_agent_suffix_is_refused(wrong: Any, run: Run) -> None:
    with pytest.raises(ConfigurationError, match="user_agent_suffix"):
        run.client("billing", transport=Service(), user_agent_suffix=wrong)
