"""Whatever headers, partner code, and trace a caller passes, each allowed name arrives once, or nothing is sent."""

from __future__ import annotations

import re
import socketserver
import string
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reliability.kit import Run, hazard
from reliability.operations import BY_NAME, Op
from subscribekit import TraceContext
from subscribekit._core.config.wire_names import RESERVED_HEADERS
from subscribekit.errors import ConfigurationError, InvalidArgumentError

ANSWER = b'{"id":"a1","vid":"%s","transactionReferenceId":"ref-1"}'
"""A success response to any of the operations below, with the ID from the path."""
NAMED = re.compile(rb"/([pcs]1)[/ ?]")
ALWAYS = {"host", "accept", "accept-encoding", "user-agent"}
OWN: dict[str, set[str]] = {
    "E1": {"authorization", "content-length", "content-encoding", "x-api-version"},
    "E2": {"authorization", "content-length", "content-type", "x-api-version"},
    "E6": {"x-api-key"},
    "E8": {"x-api-key", "content-length", "content-type"},
    "E9": {"cookie", "content-type"},
    "E11": {"authorization", "content-length", "content-type"},
    "free-GET": {"authorization", "content-encoding", "x-api-version"},
}
"""The headers that each operation adds to the four of `ALWAYS`, without a trace."""

B3 = {"x-b3-traceid", "x-b3-spanid"}
TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class RawOrigin:
    """A server that records each request's header block, byte for byte."""

    def __init__(self) -> None:
        self.blocks: list[bytes] = []
        blocks = self.blocks

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                while line := self.rfile.readline():
                    block = line
                    while not block.endswith(b"\r\n\r\n"):
                        block += self.rfile.readline()
                    length = re.search(rb"(?im)^content-length: (\d+)\r$", block)
                    self.rfile.read(int(length[1]) if length else 0)
                    blocks.append(block)
                    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                    named = NAMED.search(block)
                    body = ANSWER % (named[1] if named else b"v1")
                    self.wfile.write(head % len(body) + body)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> RawOrigin:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def raw_origin() -> Iterator[RawOrigin]:
    with RawOrigin() as origin:
        yield origin


odd_text = st.text(st.characters() | st.sampled_from("\r\n\0 :\t"), max_size=12)
tokens = st.text(string.ascii_letters + string.digits + "-_.", min_size=1, max_size=12).map("X-".__add__)
names = st.one_of(
    tokens,
    st.sampled_from(sorted(RESERVED_HEADERS)).flatmap(lambda name: st.sampled_from([name, name.title(), name.upper()])),
    st.sampled_from(["X-Partner-Code", "x-partner-code", "Keep-Alive", "Expect", "Via", "Forwarded"]),
    odd_text,
)
values = st.one_of(st.text(string.printable[:95], max_size=40).map(str.strip), odd_text)
hexadecimal = st.text("0123456789abcdef", min_size=16, max_size=16).filter(lambda text: text.strip("0"))
traces = st.one_of(
    st.sampled_from(["auto", "off"]),
    st.builds(
        lambda high, low, span, sampled: TraceContext(high + low, span, None, sampled),
        hexadecimal, hexadecimal, hexadecimal, st.none() | st.booleans(),
    ),
)  # fmt: skip


def fields_of(block: bytes) -> list[tuple[str, str]]:
    """Split a header block, and assert that only CRLF separates its lines and that no line is folded."""
    first, *lines = block.removesuffix(b"\r\n\r\n").split(b"\r\n")
    assert re.fullmatch(rb"[A-Z]+ /[^ ]* HTTP/1\.1", first), first
    fields: list[tuple[str, str]] = []
    for line in lines:
        name, colon, value = line.partition(b": ")
        assert colon, line
        assert TOKEN.fullmatch(name), line
        assert not re.search(rb"[\x00-\x08\x0a-\x1f\x7f]", value), line
        fields.append((name.decode().lower(), value.decode("latin-1")))
    return fields


@hazard("H42", "H43", "H99")
@pytest.mark.parametrize("op", [BY_NAME[name] for name in OWN], ids=str)
def test_the_block_has_each_allowed_name_once(run: Run, raw_origin: RawOrigin, op: Op) -> None:
    client = run.client(op.group, raw_origin.url, timed=False)
    outcomes: list[bool] = []

    @settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
    @given(st.dictionaries(names, values, max_size=4), st.none() | values, traces)
    @example({"X-Extra": "a\r\nX-Api-Key: other"}, None, "off")
    @example({"x-extra\r\nHost": "other"}, None, "off")
    @example({"X-Extra": "1", "x-extra": "2"}, None, "auto")
    @example({"X-Partner-Code": "mine"}, "theirs", "auto")
    def check(extra: dict[str, str], code: str | None, trace: Any) -> None:
        raw_origin.blocks.clear()

        def use(with_options: Any) -> Any:
            if op.name == "E6" and code is not None:
                return with_options.subscriptions.retrieve("s1", partner_code=code)
            return op.use(with_options)

        sent = False
        with suppress(InvalidArgumentError, ConfigurationError):
            run(client.with_options(headers=extra, trace=trace), use)
            sent = True
        outcomes.append(sent)
        assert len(raw_origin.blocks) == sent
        if not sent:
            return
        fields = fields_of(raw_origin.blocks[0])
        arrived = dict(fields)
        assert len(arrived) == len(fields), "a header name occurs twice"
        more = {name.lower() for name in extra}
        if op.name == "E6" and code is not None:
            more.add("x-partner-code")
            assert arrived["x-partner-code"] == code
        if trace != "off":
            more |= B3
        if isinstance(trace, TraceContext):
            more |= {"x-b3-parentspanid"} | ({"x-b3-sampled"} if trace.sampled is not None else set())
            assert (arrived["x-b3-traceid"], arrived["x-b3-parentspanid"]) == (trace.trace_id, trace.span_id)
        assert arrived.keys() == ALWAYS | OWN[op.name] | more
        assert arrived["host"] == raw_origin.url.removeprefix("http://")
        for name, value in extra.items():
            if name.lower() != "x-partner-code" or op.name != "E6" or code is None:
                assert arrived[name.lower()] == value

    check()
    # The limits are low, because the examples of hypothesis depend on the loaded modules, whose constants it tries.
    assert outcomes.count(True) > 5
    assert outcomes.count(False) > 5
