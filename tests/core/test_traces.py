"""`subscribekit.trace()` puts the calls of several clients into one trace."""

from __future__ import annotations

import asyncio
import contextvars
import os
import random
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import subscribekit
from kit.calls import Always, Run, Service, answer, page
from looped import looped
from subscribekit import TraceContext
from subscribekit._core.calls.telemetry.trace import new_id
from subscribekit.errors import ConfigurationError

TRACE, SPAN, PARENT = "463ac35c9f6413ad48485a3953bb6124", "a2fb4a1d1a96d312", "0020000000000001"
GIVEN = TraceContext(TRACE, SPAN, PARENT, sampled=True)
MULTIPLE = {"X-B3-TraceId": TRACE, "X-B3-SpanId": SPAN, "X-B3-ParentSpanId": PARENT, "X-B3-Sampled": "1"}


def service() -> Always:
    return Always(lambda sent: answer({"object": "Payment", "id": "p1"}) if sent.method == "POST" else page())


def accounts(client: Any) -> Any:
    return client.accounts.list()


def b3(sent: Any) -> dict[str, str]:
    return {name: value for name, value in sent.headers.items() if name.startswith("x-b3-")}


def test_calls_of_several_clients_are_one_trace(run: Run) -> None:
    billing, gateway = service(), Always(lambda _: answer({"id": "s1"}))
    with subscribekit.trace() as context:
        run("billing", accounts, transport=billing)
        run("billing", lambda client: client.payments.reverse("p1"), transport=billing)
        run("gateway", lambda client: client.subscriptions.retrieve("s1"), transport=gateway)
    run("billing", accounts, transport=billing)
    *inside, outside = [*billing.sent[:2], *gateway.sent, billing.sent[-1]]
    assert [b3(sent)["x-b3-traceid"] for sent in inside] == [context.trace_id] * 3
    assert [b3(sent)["x-b3-parentspanid"] for sent in inside] == [context.span_id] * 3
    assert len({b3(sent)["x-b3-spanid"] for sent in inside} | {context.span_id}) == 4
    assert "x-b3-sampled" not in b3(inside[0])
    assert b3(outside)["x-b3-traceid"] != context.trace_id
    assert "x-b3-parentspanid" not in b3(outside)


def test_a_new_trace_is_a_root() -> None:
    with subscribekit.trace() as context, subscribekit.trace(TraceContext(TRACE, SPAN)) as other:
        assert re.fullmatch(r"[0-9a-f]{32}", context.trace_id)
        assert re.fullmatch(r"[0-9a-f]{16}", context.span_id)
        assert (context.parent_span_id, context.sampled) == (None, None)
        assert other == TraceContext(TRACE, SPAN)


def test_nested_blocks_are_child_spans(run: Run) -> None:
    transport = service()
    with subscribekit.trace(GIVEN) as outer:
        with subscribekit.trace() as inner:
            run("billing", accounts, transport=transport)
        run("billing", accounts, transport=transport)
    assert outer == GIVEN
    assert inner.trace_id == TRACE
    assert inner.parent_span_id == SPAN
    assert inner.sampled is True
    assert inner.span_id not in (SPAN, PARENT)
    assert [b3(sent)["x-b3-parentspanid"] for sent in transport.sent] == [inner.span_id, SPAN]
    assert [b3(sent)["x-b3-sampled"] for sent in transport.sent] == ["1", "1"]


def test_attempts_are_spans_of_one_parent(run: Run) -> None:
    transport = Service(httpx.ConnectError("x"), page())
    with subscribekit.trace() as context:
        run("billing", accounts, transport=transport)
    first, second = map(b3, transport.sent)
    assert first["x-b3-parentspanid"] == second["x-b3-parentspanid"] == context.span_id
    assert first["x-b3-spanid"] != second["x-b3-spanid"]


def test_the_prepared_request_and_the_error_have_the_trace_id(run: Run) -> None:
    transport = Always(lambda sent: answer({"object": "Error", "message": "no"}, 404))

    async def story(client: Any) -> None:
        assert client.prepare.payments.reverse("p1").headers["x-b3-traceid"] == context.trace_id
        with pytest.raises(subscribekit.errors.NotFoundError) as caught:
            await run.now(client.payments.reverse("p1"))
        assert caught.value.trace_id == context.trace_id

    with subscribekit.trace() as context:
        run("billing", story, transport=transport)


# Precedence


def test_the_trace_of_the_client_overrides_the_block(run: Run) -> None:
    transport = service()
    with subscribekit.trace():
        run("billing", accounts, transport=transport, trace=GIVEN)
        run("billing", accounts, transport=transport, trace="off")
    own, off = map(b3, transport.sent)
    assert (own["x-b3-traceid"], own["x-b3-parentspanid"]) == (TRACE, SPAN)
    assert off == {}


def test_an_active_opentelemetry_span_overrides_the_block(run: Run) -> None:
    sdk = pytest.importorskip("opentelemetry.sdk.trace")
    tracer = sdk.TracerProvider().get_tracer("tests")
    transport = service()
    with subscribekit.trace(GIVEN), tracer.start_as_current_span("merchant") as span:
        run("billing", accounts, transport=transport)
        with subscribekit.trace() as inner:
            run("billing", accounts, transport=transport)
    current = span.get_span_context()
    for sent in transport.sent:
        assert b3(sent)["x-b3-traceid"] == f"{current.trace_id:032x}"
        assert b3(sent)["x-b3-parentspanid"] == f"{current.span_id:016x}"
    assert (inner.trace_id, inner.parent_span_id) == (f"{current.trace_id:032x}", f"{current.span_id:016x}")


def test_opentelemetry_without_an_active_span_does_not_override_the_block(run: Run) -> None:
    pytest.importorskip("opentelemetry.trace")
    transport = service()
    with subscribekit.trace(GIVEN):
        run("billing", accounts, transport=transport)
    assert b3(transport.sent[0])["x-b3-traceid"] == TRACE


def test_a_block_applies_to_a_client_that_was_created_before(run: Run) -> None:
    transport = service()

    async def story(client: Any) -> None:
        with subscribekit.trace(GIVEN):
            await run.finish(accounts(client))
        await run.finish(accounts(client))

    run("billing", story, transport=transport)
    assert [b3(sent)["x-b3-traceid"] == TRACE for sent in transport.sent] == [True, False]


# Tasks and threads


def test_tasks_use_the_trace_that_was_active_when_they_were_created() -> None:
    run, transport = Run("async"), service()

    async def work(client: Any) -> TraceContext:
        with subscribekit.trace() as context:
            await asyncio.sleep(0)
            await run.finish(accounts(client))
        return context

    async def story() -> None:
        client = run.client("billing", transport=transport)
        with subscribekit.trace() as outer:
            inside = asyncio.gather(*(work(client) for _ in range(20)))
        outside = await asyncio.gather(*(work(client) for _ in range(20)))
        contexts = await inside
        assert {context.trace_id for context in contexts} == {outer.trace_id}
        assert {context.parent_span_id for context in contexts} == {outer.span_id}
        assert len({context.trace_id for context in outside} | {outer.trace_id}) == 21
        parents = {b3(sent)["x-b3-parentspanid"] for sent in transport.sent}
        assert parents == {context.span_id for context in [*contexts, *outside]}

    asyncio.run(story())


def test_threads_that_copy_the_context_use_the_trace() -> None:
    transport = service()
    client = Run("blocking").client("billing", transport=transport)

    def work() -> None:
        list(client.accounts.list())

    async def story() -> None:
        await asyncio.to_thread(work)

    with subscribekit.trace() as context, ThreadPoolExecutor(4) as threads:
        for _ in range(20):
            threads.submit(contextvars.copy_context().run, work)
        asyncio.run(story())
    bare = threading.Thread(target=work)
    with subscribekit.trace():
        bare.start()
        bare.join()
    *inside, outside = transport.sent
    assert [b3(sent)["x-b3-traceid"] for sent in inside] == [context.trace_id] * 21
    assert "x-b3-parentspanid" not in b3(outside)


def test_threads_do_not_use_the_blocks_of_other_threads() -> None:
    transport, barrier = service(), threading.Barrier(8)
    client = Run("blocking").client("billing", transport=transport)
    seen: list[tuple[str, str]] = []

    def work(_: int) -> None:
        with subscribekit.trace() as context:
            barrier.wait()
            seen.append((context.trace_id, client.with_raw_response.payments.reverse("p1").trace_id))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    assert len({mine for mine, _ in seen}) == 8
    assert all(mine == sent for mine, sent in seen)


def test_a_block_that_ends_in_another_context_does_no_harm(run: Run) -> None:
    @contextmanager
    def dependency() -> Iterator[TraceContext]:
        with subscribekit.trace() as context:
            yield context

    block = dependency()
    contextvars.copy_context().run(block.__enter__)
    with subscribekit.trace(GIVEN):
        contextvars.copy_context().run(block.__exit__, None, None, None)
        transport = service()
        run("billing", accounts, transport=transport)
    assert b3(transport.sent[0])["x-b3-traceid"] == TRACE


def test_an_error_or_interrupt_ends_the_block(run: Run) -> None:
    transport = service()
    for kind in (ValueError, KeyboardInterrupt):
        with pytest.raises(kind), subscribekit.trace(GIVEN):
            raise kind
    run("billing", accounts, transport=transport)
    assert "x-b3-parentspanid" not in b3(transport.sent[0])


def test_a_block_can_be_entered_more_than_once() -> None:
    block = subscribekit.trace()
    with block as first, block as second:
        assert second.parent_span_id == first.span_id
    with block as third:
        assert third.trace_id != first.trace_id


# Received headers


@looped(
    ("headers", "context"),
    [
        (MULTIPLE, GIVEN),
        ({name.lower(): value for name, value in MULTIPLE.items()}, GIVEN),
        ({name: value.upper() for name, value in MULTIPLE.items()}, GIVEN),
        (httpx.Headers(MULTIPLE), GIVEN),
        ({"X-B3-TraceId": TRACE[:16], "X-B3-SpanId": SPAN}, TraceContext(TRACE[:16], SPAN)),
        ({**MULTIPLE, "X-B3-Sampled": "0"}, TraceContext(TRACE, SPAN, PARENT, sampled=False)),
        ({**MULTIPLE, "X-B3-Sampled": "false"}, TraceContext(TRACE, SPAN, PARENT, sampled=False)),
        ({**MULTIPLE, "X-B3-Sampled": "0", "X-B3-Flags": "1"}, GIVEN),
        ({**MULTIPLE, "X-B3-Sampled": "perhaps"}, TraceContext(TRACE, SPAN, PARENT)),
        ({"b3": f"{TRACE}-{SPAN}-1-{PARENT}"}, GIVEN),
        ({"B3": f"{TRACE}-{SPAN}-d-{PARENT}"}, GIVEN),
        ({"b3": f"{TRACE}-{SPAN}-0"}, TraceContext(TRACE, SPAN, sampled=False)),
        ({"b3": f"{TRACE}-{SPAN}"}, TraceContext(TRACE, SPAN)),
        ({"b3": f" {TRACE[:16]}-{SPAN} "}, TraceContext(TRACE[:16], SPAN)),
        ({**MULTIPLE, "b3": f"{TRACE}-{PARENT}-0"}, TraceContext(TRACE, PARENT, sampled=False)),
    ],
)
def test_the_trace_of_received_headers_is_continued(
    headers: Mapping[str, str], context: TraceContext, run: Run
) -> None:
    transport = service()
    with subscribekit.trace(headers) as begun:
        run("billing", accounts, transport=transport)
    assert begun == context
    sent = b3(transport.sent[0])
    assert (sent["x-b3-traceid"], sent["x-b3-parentspanid"]) == (context.trace_id, context.span_id)
    assert sent.get("x-b3-sampled") == {True: "1", False: "0", None: None}[context.sampled]


def test_received_headers_need_only_a_method_items() -> None:
    class Headers:
        def items(self) -> Iterator[tuple[str, str]]:
            return iter(MULTIPLE.items())

    with subscribekit.trace(Headers()) as context:
        assert context == GIVEN


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Accept": "text/html"},
        {"X-B3-TraceId": TRACE},
        {"X-B3-SpanId": SPAN},
        {"X-B3-TraceId": "0" * 32, "X-B3-SpanId": SPAN},
        {"X-B3-TraceId": TRACE + "0", "X-B3-SpanId": SPAN},
        {"X-B3-TraceId": TRACE, "X-B3-SpanId": SPAN + "\r\nX-Other: 1"},
        {"X-B3-TraceId": TRACE, "X-B3-SpanId": SPAN, "X-B3-ParentSpanId": "x"},
        {"b3": ""},
        {"b3": "-"},
        {"b3": TRACE},
        {"b3": f"{TRACE}-{SPAN}-1-{PARENT}-more"},
        {"b3": f"{TRACE}-{SPAN}-2"},
        {"b3": "nonsense", **MULTIPLE},
        {b"x-b3-traceid": TRACE.encode(), b"x-b3-spanid": SPAN.encode()},
        {"X-B3-TraceId": None, "X-B3-SpanId": 5},
    ],
    ids=str,
)
def test_headers_without_a_usable_trace_start_a_new_trace(headers: Any) -> None:
    with subscribekit.trace(headers) as context:
        assert context.trace_id != TRACE
        assert context.span_id != SPAN
        assert (context.parent_span_id, context.sampled) == (None, None)


@pytest.mark.parametrize(
    ("headers", "sampled"),
    [({"b3": "0"}, False), ({"b3": "1"}, True), ({"b3": "d"}, True), ({"X-B3-Sampled": "0"}, False)],
)
def test_a_sampling_decision_may_come_without_a_trace(headers: dict[str, str], sampled: bool) -> None:
    with subscribekit.trace(headers) as context:
        assert context.sampled is sampled
        assert context.parent_span_id is None


@given(st.text(alphabet="0123456789abcdefABCDEFd-\r\n x", max_size=80))
def test_no_received_text_breaks_a_request(text: str) -> None:
    for headers in ({"b3": text}, {"X-B3-TraceId": text, "X-B3-SpanId": text, "X-B3-Sampled": text}):
        with subscribekit.trace(headers) as context:
            assert re.fullmatch(r"[0-9a-f]{16}|[0-9a-f]{32}", context.trace_id)
            assert re.fullmatch(r"[0-9a-f]{16}", context.span_id)


@pytest.mark.parametrize("wrong", [5, "off", "auto", TRACE, b"x", ("a", "b"), [("b3", TRACE)], True], ids=repr)
def test_trace_refuses_anything_but_a_context_or_headers(wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match="continued must be"):
        subscribekit.trace(wrong)


def test_the_name_trace_is_a_function_and_not_a_module() -> None:
    assert callable(subscribekit.trace)
    assert "subscribekit.trace" not in sys.modules


@pytest.mark.parametrize("size", [8, 16])
def test_identifiers_have_their_length_and_are_never_all_zero(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([0, 0, 1])
    assert re.fullmatch(f"[0-9a-f]{{{2 * size}}}", new_id(size))
    monkeypatch.setattr(
        "subscribekit._core.calls.telemetry.trace._random.getrandbits", lambda _: next(drawn), raising=False
    )
    assert new_id(size) == "1".rjust(2 * size, "0")


def test_identifiers_do_not_depend_on_the_seed_of_the_application() -> None:
    state = random.getstate()
    try:
        made: set[str] = set()
        for _ in range(3):
            random.seed(1)
            made.add(new_id(16))
        assert len(made) == 3
    finally:
        random.setstate(state)


@pytest.mark.posix("there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Python warns about a fork while threads run
def test_a_forked_child_creates_its_own_identifiers() -> None:
    """H185: The child inherits the state of the parent's random number generator."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.write(writing, new_id(16).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        assert pipe.read() != new_id(16)
