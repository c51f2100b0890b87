"""Hostile responses: incomplete, damaged, invalid, too large, or of the wrong type."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.faults import scripts as f
from kit.faults.payloads import THING
from kit.faults.server import FaultServer
from reliability.kit import Run, hazard
from reliability.operations import E1, E2, E6, E7, E8, E9, FREE_GET, Op, every_operation
from subscribekit import RetryPolicy
from subscribekit._core.http.decoding import MAX_BODY, BodyDecoder, DamagedBodyError, TooLargeError
from subscribekit.errors import (
    APIError,
    BadRequestError,
    InvalidResponseError,
    NotFoundError,
    OutcomeUnknownError,
    ResponseTooLargeError,
)

ONCE = RetryPolicy(max_attempts=1)
WHOLE = json.dumps(THING).encode()


@hazard("H50")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_a_body_that_ends_with_the_connection_must_be_complete(run: Run, tls: bool) -> None:
    ends: tuple[f.How, ...] = ("fin", "cut") if tls else ("fin",)
    with FaultServer(tls=tls) as srv:
        client = run.client("gateway", srv, retry=ONCE)
        for how in ends:
            for keep in range(1, len(WHOLE)):
                srv.script(f.until_close(keep, how=how))
                error = run.fails(client, E8.use)
                assert isinstance(error, OutcomeUnknownError)
                assert error.likely_applied
            srv.script(f.until_close(how=how))
            assert run(client, E8.use).transaction_reference_id == "ref-1"


@hazard("H50")
@pytest.mark.parametrize("chunked", [False, True])
def test_a_truncated_body_is_an_error_at_every_byte(run: Run, srv: FaultServer, chunked: bool) -> None:
    client = run.client("gateway", srv, retry=ONCE)
    for keep in range(len(WHOLE) if not chunked else len(WHOLE) + 1):
        srv.script(f.truncate(max(keep, 1) if chunked else keep, chunked=chunked))
        error = run.fails(client, E6.use)
        assert isinstance(error, InvalidResponseError)
        assert (error.status_code, error.request_id) == (200, f"r-{keep + 1}")


@hazard("H50")
def test_the_error_of_a_truncated_body_quotes_nothing(run: Run, srv: FaultServer) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    srv.script(f.raw(head + b'{"email": "jane@example.org"}\r\n' * 3))
    error = run.fails(run.client("gateway", srv, retry=ONCE), E6.use)
    assert isinstance(error, InvalidResponseError)
    assert "jane" not in str(error)
    assert "was cut off" in str(error)


@hazard("H51")
@given(st.binary(max_size=300), st.data())
def test_any_gzip_stream_is_decoded_completely_or_rejected(body: bytes, data: st.DataObject) -> None:
    whole = gzip.compress(body, mtime=0)
    cut = data.draw(st.integers(0, len(whole)))
    pieces = data.draw(st.lists(st.integers(1, 20), max_size=10))
    decoder = BodyDecoder("gzip")

    def read() -> bytes:
        position = 0
        for size in [*pieces, len(whole)]:
            decoder.feed(whole[position : min(position + size, cut)])
            position = min(position + size, cut)
        return decoder.finish()

    if cut == len(whole):
        assert read() == body
    elif cut > 0:
        with pytest.raises(DamagedBodyError):
            read()


@hazard("H52")
@pytest.mark.parametrize("size", [MAX_BODY - 1, MAX_BODY, MAX_BODY + 1])
@pytest.mark.parametrize("coding", ["", "gzip"])
def test_the_size_limit_of_a_body_is_exact(size: int, coding: str) -> None:
    decoder = BodyDecoder(coding)
    body = b"a" * size
    sent = gzip.compress(body, 1) if coding else body

    def read() -> int:
        for start in range(0, len(sent), 65536):
            decoder.feed(sent[start : start + 65536])
        return len(decoder.finish())

    if size > MAX_BODY:
        with pytest.raises(TooLargeError):
            read()
    else:
        assert read() == size


@hazard("H52")
def test_a_stream_of_empty_blocks_is_limited_too() -> None:
    nothing = b"\x00\x00\x00\xff\xff" * 10_000  # empty blocks
    decoder = BodyDecoder("gzip")
    decoder.feed(gzip.compress(b"", mtime=0)[:10])
    for _ in range(MAX_BODY // len(nothing)):
        decoder.feed(nothing)
    with pytest.raises(TooLargeError):
        decoder.feed(nothing)


@hazard("H52")
@pytest.mark.parametrize("coding", ["br", "deflate", "gzip, gzip", "zstd"])
def test_a_content_coding_that_was_not_requested_is_not_decoded(run: Run, srv: FaultServer, coding: str) -> None:
    srv.script(f.ok(headers=[("Content-Encoding", coding)]))
    error = run.fails(run.client("gateway", srv, retry=ONCE), E6.use)
    assert isinstance(error, InvalidResponseError)


BOMBS = """
import sys, asyncio
import subscribekit
from subscribekit.errors import ResponseTooLargeError, OutcomeUnknownError, InvalidResponseError
from subscribekit.models import EntitlementCharge

style, url = sys.argv[1:]
charge = EntitlementCharge(transaction_id="t", amount=1)

def memory(kind):
    return int(next(line for line in open("/proc/self/status") if line.startswith(kind)).split()[1]) / 1024

options = dict(base_url=url, api_key="k", allow_insecure_loopback=True)

def blocking():
    client = subscribekit.GatewayClient(**options)
    client.subscriptions.retrieve("s1")
    client.entitlements.charge("warm", charge)
    before = memory("VmRSS")
    for _ in range(4):
        try:
            client.subscriptions.retrieve("s1")
        except InvalidResponseError as error:
            print(type(error).__name__)
        try:
            client.entitlements.charge("p1", charge)
        except OutcomeUnknownError as error:
            print(type(error.__cause__).__name__, error.likely_applied)
    print("grown by", memory("VmHWM") - before)

async def asynchronous():
    client = subscribekit.AsyncGatewayClient(**options)
    await client.subscriptions.retrieve("s1")
    await client.entitlements.charge("warm", charge)
    before = memory("VmRSS")
    for _ in range(4):
        try:
            await client.subscriptions.retrieve("s1")
        except InvalidResponseError as error:
            print(type(error).__name__)
        try:
            await client.entitlements.charge("p1", charge)
        except OutcomeUnknownError as error:
            print(type(error.__cause__).__name__, error.likely_applied)
    print("grown by", memory("VmHWM") - before)

blocking() if style == "blocking" else asyncio.run(asynchronous())
"""


@hazard("H52")
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the test reads the memory of a process from /proc")
@pytest.mark.parametrize("style", ["blocking", "async"])
def test_bombs_and_large_bodies_do_not_fill_the_memory(srv: FaultServer, style: str) -> None:
    """Acceptance criterion 6. The client has a process of its own, so that the memory of the server doesn't count."""
    once = [f.gzip_bomb(128), f.gzip_bomb(128), f.big_body(32), f.big_body(32), f.gzip_bomb(64, 2), f.gzip_bomb(64, 2)]
    srv.script(f.ok(), f.ok(), *once, f.gzip_bomb(64, 2), f.big_body(32))
    done = subprocess.run([sys.executable, "-c", BOMBS, style, srv.url], capture_output=True, text=True, check=True)
    *seen, last = done.stdout.splitlines()
    # The SDK rejects a double content coding without decoding it, and retries a read with damaged content once.
    assert seen[:4] == ["ResponseTooLargeError", "ResponseTooLargeError True"] * 2
    assert seen[4] == "InvalidResponseError"
    assert float(last.removeprefix("grown by ")) < 50


@hazard("H52")
@every_operation
def test_a_response_that_is_too_large_is_not_requested_again(run: Run, srv: FaultServer, op: Op) -> None:
    srv.script(f.gzip_bomb(16))
    client = run.client(op.group, srv)
    error = run.fails(client, op.use)
    assert isinstance(error, OutcomeUnknownError if op.writes else ResponseTooLargeError)
    assert isinstance(error.__cause__ or error, ResponseTooLargeError)
    assert len(srv.requests) == 1


@hazard("H53")
@pytest.mark.parametrize("code", [200, 403, 502])
def test_the_error_quotes_the_html_page_of_a_proxy(run: Run, srv: FaultServer, code: int) -> None:
    srv.script(f.html(code))
    error = run.fails(run.client("gateway", srv, retry=ONCE), E6.use)
    assert isinstance(error, InvalidResponseError if code == 200 else APIError)
    assert "Bad Gateway" in str(error)
    assert "<" not in str(error)


@hazard("H53")
def test_text_with_status_200_is_not_quoted_because_it_may_be_a_result(run: Run, srv: FaultServer) -> None:
    srv.script(f.wrong_type(body=b'{"email": "jane@example.org"'))
    error = run.fails(run.client("gateway", srv, retry=ONCE), E6.use)
    assert isinstance(error, InvalidResponseError)
    assert "text/plain instead of JSON" in str(error)
    assert "jane" not in str(error)


@hazard("H53")
@pytest.mark.parametrize(
    "kind",
    [
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        "application/hal+json",
        "text/plain",
        "application/octet-stream",
        None,
    ],
)
def test_json_is_parsed_with_any_content_type_except_html(run: Run, srv: FaultServer, kind: str | None) -> None:
    srv.script(f.wrong_type(kind))
    assert run(run.client("gateway", srv), E6.use).id == "a1"


@hazard("H54")
@pytest.mark.parametrize("kind", ["nan", "inf", "1e400", "huge_int", "deep", "bad_utf8", "lone_surrogate", "dup_keys"])
@pytest.mark.parametrize("op", [E6, FREE_GET], ids=str)
def test_invalid_json_never_raises_an_error_of_another_library(
    run: Run, srv: FaultServer, kind: f.ContentKind, op: Op
) -> None:
    srv.script(f.content(kind))
    error = run.fails(run.client(op.group, srv, retry=ONCE), op.use)
    assert isinstance(error, InvalidResponseError)


@hazard("H55")
def test_an_amount_keeps_every_digit(run: Run, srv: FaultServer) -> None:
    srv.script(f.content("long_decimal"))
    amount = run(run.client("billing", srv), FREE_GET.use)["amount"]
    assert str(amount) == "19.99000000000000000000000001"


@hazard("H56")
@pytest.mark.parametrize("kind", ["null", "array", "string", "number"])
@pytest.mark.parametrize("op", [E2, E6, E7, E8], ids=str)
def test_a_value_of_another_type_is_not_a_result(run: Run, srv: FaultServer, kind: f.ContentKind, op: Op) -> None:
    srv.script(f.content(kind))
    error = run.fails(run.client(op.group, srv), op.use)
    assert isinstance(error.__cause__ or error, InvalidResponseError)
    assert len(srv.requests) == 1


@hazard("H57")
def test_new_fields_and_values_do_not_break_a_client(run: Run, srv: FaultServer) -> None:
    srv.script(f.ok({"object": "Subscription", "id": "s1", "status": "Teleported", "new": {"x": 1}, "account": None}))
    subscription = run(run.client("gateway", srv), E6.use)
    assert (subscription.status, subscription.model_extra["new"]) == ("Teleported", {"x": 1})


@hazard("H57", "H12")
def test_an_object_of_another_kind_is_not_a_result(run: Run, srv: FaultServer) -> None:
    srv.script(f.ok({"object": "Account", "id": "a1"}))
    assert isinstance(run.fails(run.client("gateway", srv), E6.use), InvalidResponseError)
    assert len(srv.requests) == 1


@hazard("H12")
def test_a_charge_without_a_receipt_is_unknown(run: Run, srv: FaultServer) -> None:
    bodies: list[dict[str, object]] = [
        {}, {"transactionReferenceId": None}, {"transactionReferenceId": ""}, {"id": "x"}
    ]  # fmt: skip
    for body in bodies:
        srv.script(f.ok(body))
        error = run.fails(run.client("gateway", srv), E8.use)
        assert isinstance(error, OutcomeUnknownError)
        assert error.likely_applied
    srv.script(f.no_content())
    assert isinstance(run.fails(run.client("gateway", srv), E8.use), OutcomeUnknownError)


STACK = "com.example.Secret.charge(Secret.java:42)"
SHAPES: dict[str, tuple[dict[str, object] | bytes, str | None]] = {
    "billing": ({"object": "Error", "message": "JSON is invalid"}, None),
    "gateway": ({"code": "odd-code", "message": "no"}, "odd-code"),
    "validation": (
        {"code": "invalid-request", "message": "no", "validationErrors": [{"code": "c1", "message": "bad amount"}]},
        "invalid-request",
    ),
    "fields": (
        {"fieldErrors": [{"code": "c", "field": "age", "message": "m", "rejectedValue": "jane@example.org"}]}, None,
    ),
    "operation": (
        {
            "operationError": {"code": "ACCESS_FORBIDDEN", "message": "no", "authorities": ["ROLE_X"]},
            "stackTrace": STACK,
        },
        "ACCESS_FORBIDDEN",
    ),
    "none": ({"unexpected": True}, None),
    "no json": (b"Service Unavailable", None),
    "nothing": (b"", None),
}  # fmt: skip


@hazard("H33", "H59")
@pytest.mark.parametrize("code", [400, 401, 402, 403, 404, 409, 418, 429, 500, 503, 599])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_error_body_raises_a_typed_error_that_shows_no_private_value(
    run: Run, srv: FaultServer, code: int, shape: str
) -> None:
    body, known = SHAPES[shape]
    srv.script(f.status(code, body))
    for op in (E6, E9):
        srv.forget()
        error = run.fails(run.client(op.group, srv, retry=ONCE), op.use)
        cause: Any = error.__cause__ or error
        assert isinstance(cause, APIError)
        assert (cause.status_code, cause.code, cause.request_id) == (code, known, "r-1")
        for hidden in (STACK, "jane@example.org", "ROLE_X"):
            assert hidden not in str(error) + repr(error) + str(cause)
        # After a 5xx, the outcome of a write is unknown, whatever the body says.
        assert error.outcome == ("unknown" if op.writes and code >= 500 else "rejected")


@hazard("H33")
def test_a_message_cannot_forge_lines_or_colors(run: Run, srv: FaultServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    message = "bad\r\n2026 INFO paid \x1b[31m\u2028\u202e" + "x" * 5000
    srv.script(f.status(404, {"message": message}, headers=[("Request-Id", "\x1b[31mr")]))
    error = run.fails(run.client("gateway", srv), E6.use)
    assert isinstance(error, NotFoundError)
    assert str(error).isprintable()
    assert len(str(error)) < 900
    assert not any(re.search(r"[\x00-\x1f]", record.getMessage()) for record in caplog.records)


@hazard("H59")
def test_the_error_code_takes_precedence_over_the_status(run: Run, srv: FaultServer) -> None:
    srv.script(f.status(500, {"code": "invalid-request", "message": "m"}))
    error = run.fails(run.client("gateway", srv, retry=ONCE), E6.use)
    assert isinstance(error, BadRequestError)


@hazard("H60")
def test_an_empty_response_is_a_success_if_no_result_is_expected(run: Run, srv: FaultServer) -> None:
    for step in (f.no_content(), f.ok(), f.ok(b"")):
        srv.script(step)
        assert run(run.client("user_mgmt", srv), E9.use) is None
    for step in (f.html(200), f.content("half"), f.gzip_corrupt("cut"), f.until_close(0)):
        srv.script(step)
        assert isinstance(run.fails(run.client("user_mgmt", srv), E9.use), OutcomeUnknownError)
    srv.script(f.no_content())
    assert run(run.client("billing", srv), E1.use).id is None
    assert isinstance(run.fails(run.client("gateway", srv), E6.use), InvalidResponseError)
