"""HTTP/1.1 on one connection: responses that arrive in any pieces, and bytes that don't belong to a response."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliability.kit import hazard
from subscribekit import Limits
from subscribekit._core.config.address import parse_address
from subscribekit._core.http.connections.exchange import Connection
from subscribekit._core.http.connections.http11 import HTTP11
from subscribekit._core.http.connections.route import Route
from subscribekit._core.http.network_errors import LocalProtocolError, ReadError, RemoteProtocolError, WriteError
from subscribekit._core.http.progress import Progress
from subscribekit._core.http.transport import RawRequest
from subscribekit._core.http.wire.sockets import run
from subscribekit._sealed import NOTHING, Content, SealedHeaders

ADDRESS = parse_address("base_url", "https://service.example")
BODY = b'{"id": "a1"}'
LENGTH = b"HTTP/1.1 200 OK\r\nRequest-Id: r1\r\nContent-Length: 12\r\n\r\n" + BODY
CHUNKS = (
    b'HTTP/1.1 200 OK\r\nRequest-Id: r1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"id"\r\n7\r\n: "a1"}\r\n0\r\n\r\n'
)
INTERIM = b"HTTP/1.1 103 Early Hints\r\nRequest-Id: early\r\n\r\n"


def request(body: bytes = b"", *more: tuple[bytes, bytes], method: str = "GET") -> RawRequest:
    headers = [(b"Host", b"service.example"), *more]
    if body:
        headers.append((b"Content-Length", b"%d" % len(body)))
    return RawRequest(method, ADDRESS, "/x?y=1", SealedHeaders(headers), [], Content(body), {}, Progress(), None, None)


def begun() -> HTTP11:
    protocol = HTTP11()
    protocol.begin(request())
    return protocol


def read_all(protocol: HTTP11, pieces: list[bytes]) -> tuple[int, str, bytes]:
    """Read a response that arrives in these pieces. An empty piece is the end of the connection."""
    rest = iter(pieces)
    while (head := protocol.head()) is None:
        protocol.receive(Content(next(rest)))
    body = b""
    while (piece := protocol.piece()) != NOTHING:
        if piece is None:
            protocol.receive(Content(next(rest)))
        else:
            body += piece.reveal()
    for left in rest:
        protocol.receive(Content(left))
    return head[0], dict(head[1])[b"Request-Id"].decode(), body


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = sorted({0, len(data), *(place % len(data) for place in places)})
    return [data[start:end] for start, end in itertools.pairwise(edges)]


@given(st.sampled_from([LENGTH, CHUNKS, INTERIM + LENGTH, INTERIM + INTERIM + CHUNKS]), st.lists(st.integers(0, 400)))
def test_a_response_is_the_same_in_whatever_pieces_it_arrives(data: bytes, places: list[int]) -> None:
    protocol = begun()
    assert read_all(protocol, cut(data, places)) == (200, "r1", BODY)
    assert protocol.renew()
    protocol.begin(request())
    assert read_all(protocol, [LENGTH]) == (200, "r1", BODY)


@given(st.binary(min_size=1, max_size=40), st.sampled_from([LENGTH, CHUNKS]), st.booleans())
def test_a_connection_with_bytes_after_the_response_is_not_used_again(
    surplus: bytes, data: bytes, is_late: bool
) -> None:
    protocol = begun()
    read_all(protocol, [data, surplus] if is_late else [data + surplus])
    assert not protocol.renew()


@pytest.mark.parametrize(
    "data",
    [
        LENGTH.replace(b"Request-Id", b"Connection: close\r\nRequest-Id"),
        LENGTH.replace(b"HTTP/1.1", b"HTTP/1.0"),
        b"HTTP/1.1 200 OK\r\nRequest-Id: r1\r\n\r\n" + BODY,
    ],
    ids=["close", "old", "until the end"],
)
def test_a_connection_that_the_service_ends_is_not_used_again(data: bytes) -> None:
    protocol = begun()
    assert read_all(protocol, [data, b""]) == (200, "r1", BODY)
    assert not protocol.renew()


@given(st.integers(0, len(LENGTH) - 1), st.sampled_from([LENGTH, CHUNKS]))
def test_a_connection_that_ends_within_a_response_is_an_error(place: int, data: bytes) -> None:
    protocol = begun()
    with pytest.raises(RemoteProtocolError):
        read_all(protocol, [*([data[:place]] if place else []), b""])
    assert not protocol.renew()


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 110_000,
        b"HTTP/1.1 200 OK\r\nRequest-Id: r1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
    ids=["tls", "http2", "upgrade", "two lengths", "endless head", "no chunk"],
)
def test_the_error_about_bytes_that_are_not_http_does_not_quote_them(data: bytes) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        read_all(begun(), [data, b""])
    assert caught.value.__cause__ is None
    assert str(caught.value) in {
        "the bytes aren't HTTP",
        "the connection ended before a response started",
        "the headers are too large",
    }


def test_head_and_body_are_written_at_once_and_the_body_is_not_changed() -> None:
    assert HTTP11().begin(request(BODY, method="POST")).reveal() == (
        b"POST /x?y=1 HTTP/1.1\r\nHost: service.example\r\nContent-Length: 12\r\n\r\n" + BODY
    )
    chunked = request(b"", (b"Transfer-Encoding", b"chunked"), method="POST")
    assert HTTP11().begin(chunked).reveal().endswith(b"\r\n\r\n0\r\n\r\n")


@pytest.mark.parametrize(
    "odd",
    [request(b"", (b"X-Private", b"secret\r\nX-Other: 1")), request(b"", (b"Host", b"two.example"))],
    ids=["line", "hosts"],
)
def test_the_error_about_a_request_that_cannot_be_written_does_not_quote_it(odd: RawRequest) -> None:
    with pytest.raises(LocalProtocolError, match=r"^the request can't be written as HTTP$") as caught:
        HTTP11().begin(odd)
    assert caught.value.__cause__ is None


def test_a_request_can_follow_only_a_whole_response() -> None:
    protocol = begun()
    assert not protocol.renew()
    protocol.receive(Content(LENGTH[:-1]))
    protocol.head()
    assert protocol.piece() == Content(BODY[:-1])
    assert protocol.piece() is None
    assert not protocol.renew()
    protocol.receive(Content(BODY[-1:]))
    assert protocol.piece() == Content(BODY[-1:])
    assert not protocol.renew()  # the end of the response wasn't read yet
    assert protocol.piece() == NOTHING
    assert protocol.renew()


class _Early:
    """A socket to a service that responds before it has read the whole request."""

    is_readable = False

    def read(self, _: float | None) -> Content:
        return Content(LENGTH)

    def write(self, *_: object) -> None:
        raise WriteError

    def close(self) -> None:
        pass


def connected(wire: _Early, whole: RawRequest) -> Any:
    """Return a connection over a test's socket that is ready to send a request."""
    connection: Any = Connection(Route(Limits()))
    connection._stream = connection._plain
    connection._plain.wire = wire
    whole.timeouts = {"read": 1.0, "write": 1.0}
    connection.current.serve(whole.progress, None, is_reused=False)
    return connection


@hazard("H175")
def test_a_response_to_half_a_request_is_read_and_its_connection_is_not_used_again() -> None:
    whole = request(BODY, method="POST")
    connection = connected(_Early(), whole)
    assert run(connection.send(whole))[0] == 200
    assert whole.progress.phase == "headers_started"
    assert (run(connection.piece()), run(connection.piece())) == (Content(BODY), NOTHING)
    assert not connection.renew()


class _Reset(_Early):
    """A socket that is reset after a body without a length."""

    def __init__(self) -> None:
        self._pieces = iter([b"HTTP/1.1 200 OK\r\n\r\n" + BODY])

    def read(self, _: float | None) -> Content:
        for piece in self._pieces:
            return Content(piece)
        raise ConnectionResetError

    def write(self, *_: object) -> None:
        """Accept the bytes."""


def test_a_reset_is_not_the_end_of_a_body() -> None:
    whole = request(b"", method="GET")
    connection = connected(_Reset(), whole)
    assert run(connection.send(whole))[0] == 200
    assert run(connection.piece()) == Content(BODY)
    with pytest.raises(ReadError) as caught:
        run(connection.piece())
    assert isinstance(caught.value.__cause__, ConnectionResetError)
