"""Each fault of the server has the expected effect on a plain client."""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import ssl
import zlib
from collections.abc import Iterator

import httpx
import pytest

from kit.faults import scripts as f
from kit.faults.payloads import CONTENT_KINDS, GZIP_FAULTS, THING, ContentKind, GzipFault
from kit.faults.server import FaultServer
from kit.faults.steps import Step

GOOD = json.dumps(THING).encode()


@pytest.fixture
def srv() -> Iterator[FaultServer]:
    with FaultServer() as server:
        yield server


@pytest.fixture
def secure() -> Iterator[FaultServer]:
    with FaultServer(tls=True) as server:
        yield server


def talk(srv: FaultServer, *, timeout: float = 5.0, body: bytes = b"") -> bytes:
    """Send one request, over its own connection, and return all bytes until the server ends it."""
    with socket.create_connection(("127.0.0.1", srv.port), timeout=timeout) as sock:
        sock.sendall(b"POST /charge HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        return read_all(sock)


def read_all(sock: socket.socket) -> bytes:
    answer = b""
    while data := sock.recv(65536):
        answer += data
    return answer


def call(srv: FaultServer, *, content: bytes = b"{}", timeout: float = 5.0) -> httpx.Response:
    limits = httpx.Timeout(timeout)
    with httpx.Client(verify=srv.client_context(), trust_env=False, timeout=limits) as client:
        return client.post(srv.url + "/charge", content=content)


@pytest.mark.parametrize(
    ("step", "errors", "whole_requests"),
    [
        (f.close_on_accept(), (httpx.RemoteProtocolError, httpx.ReadError), 0),
        # A reset can meet any step of the client, so it can cause any of the client's errors.
        (f.close_on_accept("rst"), (httpx.TransportError,), 0),
        (f.close_after_handshake(), (httpx.RemoteProtocolError, httpx.ReadError), 0),
        (f.close_after_handshake("rst"), (httpx.TransportError,), 0),
        (f.close_after_request("fin"), (httpx.RemoteProtocolError,), 1),
        (f.close_after_request("rst"), (httpx.ReadError,), 1),
        (f.close_after_headers(), (httpx.RemoteProtocolError,), 1),
        (f.close_after_headers(how="rst"), (httpx.ReadError,), 1),
        (f.close_after_headers(503), (httpx.RemoteProtocolError,), 1),
        (f.truncate(), (httpx.RemoteProtocolError,), 1),
        (f.truncate(chunked=True), (httpx.RemoteProtocolError,), 1),
        (f.truncate(how="rst"), (httpx.ReadError,), 1),
        (f.wrong_length(5), (httpx.ReadTimeout,), 1),
        (f.stall_before_headers(), (httpx.ReadTimeout,), 1),
        (f.stall_mid_body(), (httpx.ReadTimeout,), 1),
        (f.never_read(), (httpx.ReadTimeout,), 0),
        (f.big_header(), (httpx.RemoteProtocolError,), 1),
        (f.smuggle("two_lengths"), (httpx.RemoteProtocolError,), 1),
        (f.raw(), (httpx.RemoteProtocolError,), 1),
        (f.gzip_corrupt("data"), (httpx.DecodingError,), 1),
        (f.gzip_corrupt("not"), (httpx.DecodingError,), 1),
    ],
    ids=str,
)
def test_a_client_gets_the_error_of_a_fault(
    srv: FaultServer, step: Step, errors: tuple[type[Exception], ...], whole_requests: int
) -> None:
    srv.script(step)
    timeout = 0.1 if httpx.ReadTimeout in errors else 5.0
    with pytest.raises(errors):
        call(srv, timeout=timeout)
    assert sum(request.complete for request in srv.requests) == whole_requests
    assert srv.connections == 1


@pytest.mark.parametrize(
    ("step", "code", "body"),
    [
        (f.ok(), 200, GOOD),
        (f.ok([1]), 200, b"[1]"),
        (f.ok(b"raw"), 200, b"raw"),
        (f.no_content(), 204, b""),
        (f.status(402), 402, b'{"message": "injected fault"}'),
        (f.status(799, None), 799, b"null"),
        (f.until_close(), 200, GOOD),
        (f.until_close(20), 200, GOOD[:20]),
        (f.until_close(0, 500), 500, b""),
        (f.wrong_length(-5), 200, GOOD[:-5]),
        (f.drip(0.0), 200, GOOD),
        (f.drip(0.0, headers_too=True), 200, GOOD),
        (f.early_hints(3), 200, GOOD),
        (f.smuggle("second_answer"), 200, GOOD),
        (f.smuggle("length_and_chunked"), 200, b'{"id": "smuggled"}'),
        (f.big_body(1), 200, b'{"id": "' + b"a" * 1048576 + b'"}'),
        (f.gzip_ok(), 200, GOOD),
        (f.gzip_bomb(1), 200, b'{"id": "' + b"a" * 1048576 + b'"}'),
        (f.gzip_bomb(1, 2), 200, b'{"id": "' + b"a" * 1048576 + b'"}'),
        (f.gzip_corrupt("cut"), 200, GOOD),
        (f.wrong_type(), 200, GOOD),
        (f.close_when_idle(), 200, GOOD),
        (f.raw(b"HTTP/1.0 200 fine\r\n\r\nabc"), 200, b"abc"),
    ],
    ids=str,
)
def test_a_client_gets_the_response_of_a_fault(srv: FaultServer, step: Step, code: int, body: bytes) -> None:
    srv.script(step)
    response = call(srv)
    assert (response.status_code, response.content) == (code, body)
    assert len(srv.requests) == 1


@pytest.mark.parametrize("times", [1, 5])
def test_early_hints_come_before_the_response(srv: FaultServer, times: int) -> None:
    srv.script(f.early_hints(times), f.close_on_accept())
    assert talk(srv).split(b"\r\n\r\n")[: times + 1][-1].startswith(b"HTTP/1.1 200")


def test_a_drip_sends_every_byte_by_itself(srv: FaultServer) -> None:
    srv.script(f.drip(60.0, headers_too=True))
    with socket.create_connection(("127.0.0.1", srv.port), timeout=5) as sock:
        sock.sendall(b"GET /a HTTP/1.1\r\n\r\n")
        assert sock.recv(1000) == b"H"
        srv.release()
        assert sock.recv(1000)


def test_a_drip_of_the_body_sends_the_head_at_once(srv: FaultServer) -> None:
    srv.script(f.drip(60.0))
    with socket.create_connection(("127.0.0.1", srv.port), timeout=5) as sock:
        sock.sendall(b"GET /a HTTP/1.1\r\n\r\n")
        received = sock.recv(1000)
        while not received.endswith(b"\r\n\r\n" + GOOD[:1]):
            received += sock.recv(1000)


def test_a_stalled_body_continues_after_the_release(srv: FaultServer) -> None:
    srv.script(f.stall_mid_body(3), f.close_on_accept())
    with socket.create_connection(("127.0.0.1", srv.port), timeout=5) as sock:
        sock.sendall(b"GET /a HTTP/1.1\r\n\r\n")
        received = sock.recv(1000)
        assert received.endswith(b"\r\n\r\n" + GOOD[:3])
        srv.release()
        assert (received + read_all(sock)).endswith(b"\r\n\r\n" + GOOD)


def test_a_truncated_body_has_the_given_number_of_bytes(srv: FaultServer) -> None:
    srv.script(f.truncate(7), f.truncate(7, chunked=True), f.until_close(7, code=202))
    assert talk(srv).endswith(b"Content-Length: %d\r\n\r\n" % len(GOOD) + GOOD[:7])
    assert talk(srv).endswith(b"Transfer-Encoding: chunked\r\n\r\n7\r\n" + GOOD[:7] + b"\r\n")
    assert talk(srv).endswith(b"\r\n\r\n" + GOOD[:7])
    assert [request.status for request in srv.requests] == [200, 200, 202]


def test_a_connection_ends_with_a_reset_or_in_order(srv: FaultServer) -> None:
    srv.script(f.close_after_request("rst"), f.close_after_request("fin"))
    with pytest.raises(ConnectionResetError):
        talk(srv)
    assert talk(srv) == b""


def test_an_idle_connection_is_closed_without_an_announcement(srv: FaultServer) -> None:
    srv.script(f.close_when_idle())
    answer = talk(srv)
    assert answer.endswith(GOOD)
    assert b"Connection: close" not in answer


def test_a_large_body_left_unread_blocks_the_write(srv: FaultServer) -> None:
    srv.script(f.never_read())
    with pytest.raises(httpx.WriteTimeout):
        call(srv, content=b"a" * (16 << 20), timeout=0.2)
    assert srv.requests == []


def test_a_reset_inside_the_body_leaves_a_part(srv: FaultServer) -> None:
    srv.script(f.reset_during_body(70000))
    with pytest.raises(httpx.TransportError):
        call(srv, content=b"a" * (8 << 20))
    (request,) = srv.requests
    assert (len(request.body), request.complete, request.status) == (70000, False, None)


def test_an_early_response_arrives_although_the_body_was_not_read(srv: FaultServer) -> None:
    srv.script(f.answer_early(413))
    assert call(srv, content=b"a" * (8 << 20)).status_code == 413
    (request,) = srv.requests
    assert (request.body, request.complete, request.status) == (b"", False, 413)


def test_a_smuggled_response_comes_after_the_real_one(srv: FaultServer) -> None:
    srv.script(f.smuggle(), f.close_on_accept())
    assert talk(srv).endswith(b'{"id": "smuggled"}')


@pytest.mark.parametrize("kind", CONTENT_KINDS)
def test_odd_content_has_a_valid_head_and_an_odd_body(srv: FaultServer, kind: ContentKind) -> None:
    srv.script(f.content(kind))
    response = call(srv)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"

    def no_constant(name: str) -> object:
        raise ValueError(name)

    def no_repeats(pairs: list[tuple[str, object]]) -> object:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    try:
        text = response.content.decode("utf-8")
        value: object = json.loads(text, parse_constant=no_constant, object_pairs_hook=no_repeats)
    except (ValueError, RecursionError):
        refused = True
    else:
        refused = not isinstance(value, dict)
    # These three are valid JSON objects with unusual digits, ranges, or characters.
    assert refused is (kind not in {"1e400", "long_decimal", "lone_surrogate"})


@pytest.mark.parametrize("fault", GZIP_FAULTS)
def test_damaged_gzip_is_not_a_complete_gzip_stream(srv: FaultServer, fault: GzipFault) -> None:
    srv.script(f.gzip_corrupt(fault), f.close_on_accept())
    head, _, body = talk(srv).partition(b"\r\n\r\n")
    assert b"Content-Encoding: gzip" in head
    decoder = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        decoder.decompress(body)
    except zlib.error:
        sound = False
    else:
        sound = decoder.eof and not decoder.unused_data
    assert not sound


def test_valid_gzip_can_be_decompressed(srv: FaultServer) -> None:
    srv.script(f.gzip_ok(), f.close_on_accept())
    assert gzip.decompress(talk(srv).partition(b"\r\n\r\n")[2]) == GOOD


@pytest.mark.parametrize(
    ("step", "values", "date"),
    [
        (f.rate_limited(), [], None),
        (f.rate_limited("2"), ["2"], None),
        (f.rate_limited("1", "2"), ["1", "2"], None),
        (f.rate_limited("", date="Thu, 01 Jan 1970 00:00:00 GMT"), [""], "Thu, 01 Jan 1970 00:00:00 GMT"),
    ],
    ids=str,
)
def test_a_rate_limit_has_the_given_headers(srv: FaultServer, step: Step, values: list[str], date: str | None) -> None:
    srv.script(step)
    response = call(srv)
    assert (response.status_code, response.headers.get_list("retry-after")) == (429, values)
    assert response.headers.get("date") == date


def test_http_dates_are_in_the_fixed_format() -> None:
    assert len(f.http_date(3600)) == 29
    assert f.http_date(-3600).endswith(" GMT")
    assert f.http_date(0) != f.http_date(100_000)


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirects_point_to_both_origins(srv: FaultServer, code: int) -> None:
    for location, expected in {
        "{sink}/x?a=1": f"{srv.sink.url}/x?a=1",
        "{self}/y": f"{srv.url}/y",
        "//{sink_host}/z": f"//127.0.0.1:{srv.sink.port}/z",
        "http://u@{self_host}": f"http://u@127.0.0.1:{srv.port}",
    }.items():
        srv.script(f.redirect(location, code))
        response = call(srv)
        assert (response.status_code, response.headers["location"]) == (code, expected)


def test_pages_point_where_the_script_says(srv: FaultServer) -> None:
    srv.script(f.page([{"id": "a"}], next_="{sink}/accounts?starting_after=a", total=7), f.page([]))
    assert call(srv).json() == {
        "object": "List",
        "data": [{"id": "a"}],
        "url": "/list",
        "total_count": 7,
        "next": f"{srv.sink.url}/accounts?starting_after=a",
    }
    assert call(srv).json() == {"object": "List", "data": [], "url": "/list"}


@pytest.mark.parametrize(("total", "header"), [(50, "50"), ("x", "x"), (None, None)])
def test_an_offset_page_has_its_total_in_a_header(
    srv: FaultServer, total: str | int | None, header: str | None
) -> None:
    srv.script(f.offset_page([{"id": "a"}], total))
    response = call(srv)
    assert response.json() == [{"id": "a"}]
    assert response.headers.get("x-total-count") == header


@pytest.mark.parametrize(
    ("step", "code", "media_type"),
    [
        (f.html(), 502, "text/html"),
        (f.html(200, "application/json"), 200, "application/json"),
        (f.wrong_type("text/plain"), 200, "text/plain"),
        (f.wrong_type(None), 200, None),
    ],
    ids=str,
)
def test_a_response_has_the_given_media_type(srv: FaultServer, step: Step, code: int, media_type: str | None) -> None:
    srv.script(step)
    response = call(srv)
    assert (response.status_code, response.headers.get("content-type")) == (code, media_type)


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (f.tls_abort(), "HANDSHAKE_FAILURE"),
        (f.tls_eof(), "EOF"),
        (f.tls_eof("rst"), "reset"),
        (f.tls_plaintext(), "WRONG_VERSION_NUMBER|RECORD_LAYER_FAILURE"),
        (f.tls_stall(), "timed out"),
        (f.close_on_accept(), "EOF|reset|closed"),
    ],
    ids=str,
)
def test_a_fault_in_the_handshake_fails_one_call(secure: FaultServer, step: Step, reason: str) -> None:
    secure.script(step, f.ok())
    timeout = 0.1 if reason == "timed out" else 5.0
    with pytest.raises((httpx.ConnectError, httpx.ConnectTimeout), match=f"(?i){reason}"):
        call(secure, timeout=timeout)
    assert (secure.connections, secure.requests) == (1, [])
    assert call(secure).status_code == 200


def test_a_connection_ended_after_the_handshake_carried_no_request(secure: FaultServer) -> None:
    secure.script(f.close_after_handshake(), f.ok())
    with pytest.raises(httpx.TransportError):
        call(secure)
    assert secure.requests == []
    assert call(secure).status_code == 200


@pytest.mark.parametrize("how", ["fin", "cut"])
def test_a_cut_tls_stream_has_no_close_notify(secure: FaultServer, how: str) -> None:
    secure.script(f.until_close(how="fin" if how == "fin" else "cut"))
    context = secure.client_context()
    context.options &= ~ssl.OP_IGNORE_UNEXPECTED_EOF  # some releases of Python set this option
    with (
        socket.create_connection(("127.0.0.1", secure.port), timeout=5) as plain,
        context.wrap_socket(plain, server_hostname="127.0.0.1", suppress_ragged_eofs=False) as sock,
    ):
        sock.sendall(b"GET /a HTTP/1.1\r\n\r\n")
        with pytest.raises(ssl.SSLError, match=r"(?i)eof") if how == "cut" else contextlib.nullcontext():
            read_all(sock)


def test_a_step_is_named_like_its_call() -> None:
    assert str(f.truncate(5, chunked=True)) == "truncate(5, chunked=True)"
    assert str(f.tls_eof("rst")) == "tls_eof(rst)"
    assert len(str(f.ok(b"a" * 100))) < 40
