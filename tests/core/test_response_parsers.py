"""With httptools, the SDK reads or refuses every response exactly as it does with h11 alone (H480)."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple
from unittest import mock

import h11
import pytest
from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser
from hypothesis import example, given
from hypothesis import strategies as st

from core.test_http11 import begun, cut, request
from reliability.kit import hazard
from subscribekit._core.http.connections import plain
from subscribekit._core.http.connections.http11 import HTTP11
from subscribekit._core.http.connections.plain import response_in
from subscribekit._core.http.network_errors import (
    HeadTooLargeError,
    LocalProtocolError,
    NetworkError,
    TooManyInterimResponsesError,
)
from subscribekit._core.http.transport import RawRequest
from subscribekit._sealed import NOTHING, Content, SealedHeaders

OK = b"HTTP/1.1 200 OK\r\n"
LENGTH = OK + b"Content-Type: application/json\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nbody"
CHUNKS = OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2;x=y\r\ndy\r\n0\r\n\r\n"


class Read(NamedTuple):
    """The result of reading a response."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    is_complete: bool
    is_reusable: bool


def read(pieces: list[bytes], protocol: HTTP11) -> Read | type[NetworkError] | None:
    """Read a response. Return the class of an error, or `None` if the head isn't complete."""
    rest = iter(pieces)
    body = b""
    try:
        while (head := protocol.head()) is None:
            data = next(rest, None)
            if data is None:
                return None
            protocol.receive(Content(data))
        while (piece := protocol.piece()) != NOTHING:
            data = next(rest, None) if piece is None else None
            if piece is None and data is None:
                break
            if data is not None:
                protocol.receive(Content(data))
            elif piece is not None:
                body += piece.reveal()
        is_complete = piece == NOTHING
        for left in rest:
            protocol.receive(Content(left))
    except NetworkError as error:
        return type(error)
    headers = [(bytes(name), bytes(value)) for name, value in head[1]]
    return Read(head[0], headers, body, is_complete, protocol.renew())


@contextmanager
def h11_alone() -> Generator[None]:
    """Read all responses with h11, as if httptools weren't installed."""
    with mock.patch.object(plain, "httptools", None):
        yield


def same(pieces: list[bytes]) -> Read | type[NetworkError] | None:
    """Check that the result is the same with and without httptools, and return it."""
    with h11_alone():
        by_h11 = read(pieces, begun())
    assert read(pieces, begun()) == by_h11
    return by_h11


SEEDS = [
    LENGTH,
    CHUNKS,
    LENGTH + LENGTH,
    CHUNKS + CHUNKS,
    CHUNKS + b"\r\n",
    OK + b"Content-Length: 0\r\n\r\n",
    OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n",
    OK + b"Set-Cookie: a\r\nSet-Cookie: b\r\n\r\nuntil the end",
    b"HTTP/1.1 204 No Content\r\n\r\n",
    b"HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n" + LENGTH,
]
CHARACTERS = [bytes([number]) for number in b"\r\n \t:,;\x00\x01\x0b\x7f\xff04+"]
LINES = [
    b"Content-Length: 4\r\n",
    b"Content-Length: 5\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: gzip\r\n",
    b"Transfer-Encoding: xchunked\r\n",
    b"Transfer-Encoding: gzip, chunked\r\n",
    b"Connection: close\r\n",
    b"Connection: upgrade\r\nUpgrade: h2c\r\n",
    b"X: y\r\n",
    b" folded\r\n",
]
TOKENS = b"HTTP/1.0 RTSP/1.0 099 101 204 304 00000000000000000004 fffffffffffffffffff".split()
PARTS = [*CHARACTERS, *LINES, *TOKENS, b"\r\n", b"\r\n\r\n", b"\r\n0\r\n\r\n", b"2\r\nbo\r\n", b""]


@hazard("H480")
@given(
    st.sampled_from(SEEDS),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 4), st.sampled_from(PARTS)), max_size=4),
    st.lists(st.integers(0, 400), max_size=3),
    st.booleans(),
)
def test_a_changed_response_is_read_or_refused_as_by_h11(
    data: bytes, changes: list[tuple[int, int, bytes]], cuts: list[int], ends: bool
) -> None:
    for place, removed, added in changes:
        start = place % (len(data) + 1)
        data = data[:start] + added + data[start + removed :]
    if data:
        same([*cut(data, cuts), *([b""] if ends else [])])


def by_httptools(data: bytes) -> str:
    """Return what httptools alone does with a response: `read`, `unfinished`, or `refused`."""
    events = list[str]()

    class Callbacks:
        def on_message_complete(self) -> None:
            events.append("read")

    try:
        HttpResponseParser(Callbacks()).feed_data(data)
    except (HttpParserError, HttpParserUpgrade):
        events.append("refused")
    return events[-1] if events else "unfinished"


def by_h11(data: bytes) -> str:
    """Return what h11 alone does with a response and the end of its connection: `read` or `refused`."""
    state = h11.Connection(h11.CLIENT)
    state.send(h11.Request(method="GET", target="/", headers=[("Host", "service.example")]))
    state.send(h11.EndOfMessage())
    state.receive_data(data)
    state.receive_data(b"")
    try:
        while type(state.next_event()) is not h11.EndOfMessage:
            pass
    except h11.RemoteProtocolError:
        return "refused"
    return "read"


BODY = b"\r\n\r\nbody"
ONLY_H11_REFUSES = {
    "a coding that isn't chunked": OK + b"Transfer-Encoding: gzip" + BODY,
    "a coding with another name": OK + b"Transfer-Encoding: xchunked" + BODY,
    "two codings": OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "two headers with codings": OK + b"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "another protocol": b"RTSP/1.0 200 OK\r\nContent-Length: 4" + BODY,
    "a status below 100": b"HTTP/1.1 099 OK\r\nContent-Length: 4" + BODY,
    "an empty line before the response": b"\r\n" + LENGTH,
    "a control character in the reason": b"HTTP/1.1 200 O\x00K\r\nContent-Length: 4" + BODY,
}
"""Responses that the SDK refuses, so that the outcome of a charge is unknown, as with h11 alone."""
ONLY_HTTPTOOLS_REFUSES = {
    "the same length twice": OK + b"Content-Length: 4\r\nContent-Length: 4" + BODY,
    "the same length twice in one header": OK + b"Content-Length: 4, 4" + BODY,
    "a length with chunks": OK + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
    "a folded header": OK + b"X: a\r\n b\r\nContent-Length: 4" + BODY,
    "line feeds alone": LENGTH.replace(b"\r\n", b"\n"),
    "a control character in a header": OK + b"X: a\x01b\r\nContent-Length: 4" + BODY,
    "a space after the size of a chunk": OK + b"Transfer-Encoding: chunked\r\n\r\n4 \r\nbody\r\n0\r\n\r\n",
    "a length in a trailer": CHUNKS.removesuffix(b"\r\n") + b"Content-Length: 4\r\n\r\n",
    "an unknown version": b"HTTP/1.7 200 OK\r\nContent-Length: 4" + BODY,
    "bytes after a closing response": OK + b"Connection: close\r\nContent-Length: 4" + BODY + b"more",
    "a 204 with a body": b"HTTP/1.1 204 No Content\r\nConnection: close" + BODY,
}
"""Responses that the SDK reads, because h11 reads them. A successful charge must not get an unknown outcome."""
BOTH_READ = {
    "two responses at once": LENGTH + LENGTH,
    "a 304 with a length": b"HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n",
    "a trailer": OK + b"Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nX: y\r\n\r\n",
    "an empty line after the chunks": CHUNKS + b"\r\n",
    "a closing response": LENGTH.replace(b"keep-alive", b"close"),
    "an interim response": b"HTTP/1.1 100 Continue\r\n\r\n" + LENGTH,
}
"""Responses for which httptools can't show the end, or reports two responses. The SDK reads what h11 reads."""
DIFFERENCES = ONLY_H11_REFUSES | ONLY_HTTPTOOLS_REFUSES | BOTH_READ
"""All known differences. h11 decides in each case, so that httptools doesn't change the outcome of a charge."""


@hazard("H480")
@pytest.mark.parametrize("name", DIFFERENCES)
def test_h11_decides_wherever_both_differ(name: str) -> None:
    data, h11_refuses = DIFFERENCES[name], name in ONLY_H11_REFUSES
    assert (by_h11(data) == "refused") == h11_refuses
    assert (by_httptools(data) == "refused") == (name in ONLY_HTTPTOOLS_REFUSES)
    same([data])
    found = same([data, b""])
    assert isinstance(found, Read) != h11_refuses


@pytest.mark.parametrize(
    ("data", "body"),
    [(LENGTH, b"body"), (CHUNKS, b"body"), (LENGTH[:-2], b"bo"), (OK + b"Content-Length: 0\r\n\r\n", b"")],
    ids=["length", "chunks", "half a body", "no body"],
)
def test_common_responses_are_read_by_httptools(data: bytes, body: bytes) -> None:
    found = response_in(Content(data))
    assert found is not None
    assert (found.head[0], found.unread.reveal()) == (200, body)


def test_a_second_response_in_the_same_read_is_not_part_of_the_body() -> None:
    for data, more in itertools.product((LENGTH, CHUNKS), repeat=2):
        found = same([data + more])
        assert isinstance(found, Read)
        assert (found.body, found.is_complete, found.is_reusable) == (b"body", True, False)


HINT = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
LARGE_HINT = HINT.replace(b"</a>", b"a" * 9_000)


@hazard("H455")
@pytest.mark.parametrize("size", [1 << 20, 1000, 7])
@pytest.mark.parametrize(
    ("hints", "error"),
    [
        (HINT * 100, None),
        (HINT * 101, TooManyInterimResponsesError),
        (LARGE_HINT * 11, None),
        (LARGE_HINT * 12, HeadTooLargeError),
    ],
    ids=["the most", "one more", "as large as a head may be", "larger"],
)
def test_interim_responses_are_limited_together(hints: bytes, error: type[NetworkError] | None, size: int) -> None:
    """Both limits apply to all interim responses of a request, however many arrive in one read."""
    if error is HeadTooLargeError:
        size = min(size, 1000)  # in a single read, all heads are complete, and there aren't too many
    pieces = [(hints + LENGTH)[start : start + size] for start in range(0, len(hints + LENGTH), size)]
    found = same(pieces)
    assert found is error if error else isinstance(found, Read) and found.body == b"body"


@hazard("H455")
def test_interim_responses_are_counted_anew_for_each_request() -> None:
    protocol = begun()
    for _ in range(3):
        assert isinstance(read([LARGE_HINT] * 8 + [HINT] * 40 + [LENGTH], protocol), Read)
        protocol.begin(request())


def test_a_body_without_a_length_is_complete_only_at_the_end_of_its_connection() -> None:
    until_the_end = OK + b"X: y\r\n\r\nbody"
    assert same([until_the_end]) == Read(200, [(b"X", b"y")], b"body", is_complete=False, is_reusable=False)
    assert same([until_the_end, b""]) == Read(200, [(b"X", b"y")], b"body", is_complete=True, is_reusable=False)


def test_the_response_to_head_has_no_body() -> None:
    protocol = HTTP11()
    protocol.begin(request(method="HEAD"))
    head = LENGTH.removesuffix(b"body")
    found = read([head], protocol)
    assert isinstance(found, Read)
    assert (found.body, found.is_complete, found.is_reusable) == (b"", True, True)


@hazard("H481")
def test_an_interrupt_at_any_line_is_raised_unchanged() -> None:
    """A signal handler can raise an exception at any line of Python code, for example in a callback of httptools."""

    def interrupted_at(line: int, data: bytes) -> bool:
        """Interrupt the parser at a line, or return `False` if the parser runs fewer lines."""
        left = line

        def trace(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
            nonlocal left
            if event == "line" and frame.f_globals["__name__"].startswith("subscribekit."):
                left -= 1
                if not left:
                    raise KeyboardInterrupt
            return trace

        before, raised = sys.gettrace(), None
        sys.settrace(trace)
        try:
            response_in(Content(data))
        except BaseException as error:
            raised = type(error)
        finally:
            sys.settrace(before)
        assert raised is (None if left > 0 else KeyboardInterrupt)
        return raised is not None

    for data in (LENGTH, CHUNKS):
        lines = next(line for line in range(1, 1000) if not interrupted_at(line, data))
        assert lines > 10


NAMES = st.sampled_from(
    [b"Host", b"host", b"X", b"Content-Length", b"Transfer-Encoding", b"Connection", b"X: y\r\nZ", b"", b"a b"]
)
VALUES = st.sampled_from(
    [b"a", b"", b" a", b"a\tb", b"a\r\nb: c", b"\x00", b"\xff", b"4", b"4, 4", b"5", b"chunked", b"close"]
)


@hazard("H480")
@given(
    st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "CONNECT", "get", "G T", ""]),
    st.sampled_from(["/x?y=1", "/", "", "/a b", "/\r\n", "*", "/~%20"]),
    st.lists(st.tuples(NAMES, VALUES), max_size=3).map(lambda more: [(b"Host", b"service.example"), *more])
    | st.lists(st.tuples(NAMES, VALUES), max_size=3),
    st.sampled_from([b"", b"body", b"\r\n\r\n"]),
)
@example("POST", "/x", [(b"Host", b"h"), (b"Content-Length", b"4")], b"body")
@example("POST", "/x", [(b"Host", b"h"), (b"X: y\r\nZ", b"a")], b"")
@example("POST", "/x", [(b"Host", b"h"), (b"Content-Length", b"5")], b"body")
@example("POST", "/x", [(b"Host", b"h"), (b"content-length", b"4"), (b"Content-Length", b"4")], b"body")
def test_a_request_is_written_or_refused_as_by_h11(
    method: str, target: str, headers: list[tuple[bytes, bytes]], body: bytes
) -> None:
    whole = RawRequest(**{name: getattr(request(), name) for name in RawRequest.__slots__})
    whole.method, whole.target, whole.headers, whole.body = method, target, SealedHeaders(headers), Content(body)

    def result() -> bytes | None:
        try:
            return HTTP11().begin(whole).reveal()
        except LocalProtocolError:
            return None

    found = result()
    with mock.patch("subscribekit._core.http.connections.http11.written", return_value=None):
        assert found == result()
