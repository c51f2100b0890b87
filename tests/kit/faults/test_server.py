"""The fault server performs its script in order, records requests, and detects duplicates and leaked credentials."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import cast

import httpx
import pytest

from kit.faults.scripts import (
    answer_early,
    close_after_request,
    close_on_accept,
    drop_on_reuse,
    ok,
    rate_limited,
    redirect,
    stall_before_headers,
    status,
    tls_abort,
    truncate,
)
from kit.faults.server import BadCertificate, FaultServer, Origin, unused_port
from kit.faults.steps import Step


@pytest.fixture
def srv() -> Iterator[FaultServer]:
    with FaultServer() as server:
        yield server


@pytest.fixture
def client(srv: FaultServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=srv.url, trust_env=False) as plain:
        yield plain


def first_name(value: object) -> str | None:
    """Return the name of the first step of a script as the ID of a test."""
    return str(cast("list[Step]", value)[0]) if isinstance(value, list) else None


def connect(srv: Origin) -> socket.socket:
    return socket.create_connection(("127.0.0.1", srv.port), timeout=5)


def test_steps_come_in_order_and_the_last_one_repeats(srv: FaultServer, client: httpx.Client) -> None:
    srv.script(status(503), status(500), ok())
    assert [client.get("/a").status_code for _ in range(4)] == [503, 500, 200, 200]
    assert [request.status for request in srv.requests] == [503, 500, 200, 200]


def test_without_a_script_every_request_succeeds(client: httpx.Client) -> None:
    assert client.get("/a").json()["id"] == "a1"


def test_a_request_is_recorded_byte_for_byte(srv: FaultServer) -> None:
    with connect(srv) as sock:
        sock.sendall(b"POST /a%20b?x=1 HTTP/1.1\r\nHost: h\r\nX-ODD:  v \r\nContent-Length: 4\r\n\r\nbo\r\n")
        sock.recv(1000)
    request = srv.requests[0]
    assert (request.method, request.target, request.body) == ("POST", "/a%20b?x=1", b"bo\r\n")
    assert request.headers == [(b"Host", b"h"), (b"X-ODD", b"v"), (b"Content-Length", b"4")]
    assert (request.number, request.connection, request.complete) == (1, 1, True)
    assert request.header("x-odd") == "v"
    assert request.header("cookie") is None


def test_a_header_that_arrives_twice_has_no_single_value(srv: FaultServer, client: httpx.Client) -> None:
    client.get("/a", headers=[("Cookie", "a=1"), ("Cookie", "b=2")])
    assert srv.requests[0].values("cookie") == ["a=1", "b=2"]
    with pytest.raises(AssertionError, match="2 times"):
        srv.requests[0].header("Cookie")


def test_a_chunked_request_is_recorded_unchunked(srv: FaultServer, client: httpx.Client) -> None:
    client.post("/a", content=iter([b"one", b"two" * 50000]))
    assert srv.requests[0].body == b"one" + b"two" * 50000
    assert srv.requests[0].complete


@pytest.mark.parametrize(
    ("sent", "method", "body"),
    [
        (b"POST /a HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf", "POST", b"half"),
        (b"POST /a HTTP/1.1\r\nContent-Len", "POST", b""),
        (b"GE", "GE", b""),
    ],
)
def test_a_request_that_breaks_off_is_recorded_as_incomplete(
    srv: FaultServer, sent: bytes, method: str, body: bytes
) -> None:
    with connect(srv) as sock:
        sock.sendall(sent)
    srv.wait_for_requests(1, whole=False)
    srv.wait_until_disconnected()
    (request,) = srv.requests
    assert (request.method, request.body, request.complete, request.status) == (method, body, False, None)


def test_connections_are_counted_with_and_without_a_request(srv: FaultServer, client: httpx.Client) -> None:
    connect(srv).close()
    client.get("/a")
    client.get("/b")
    assert srv.connections == 2
    assert [request.connection for request in srv.requests] == [2, 2]
    srv.wait_until_disconnected(but=1)  # another thread notices the end of the first connection
    assert srv.open_connections == 1
    client.close()
    srv.wait_until_disconnected()
    assert srv.open_connections == 0
    srv.forget()
    assert (srv.connections, srv.requests) == (0, [])


def test_the_connection_closes_if_the_client_asks_for_it(srv: FaultServer) -> None:
    with connect(srv) as sock:
        sock.sendall(b"GET /a HTTP/1.1\r\nConnection: Close\r\n\r\n")
        answer = b""
        while data := sock.recv(1000):
            answer += data
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")


def test_each_response_names_its_request(srv: FaultServer, client: httpx.Client) -> None:
    srv.script(status(500), ok())
    assert [client.get("/a").headers["request-id"] for _ in range(2)] == ["r-1", "r-2"]


def test_a_step_for_a_connection_waits_for_a_new_one(srv: FaultServer, client: httpx.Client) -> None:
    srv.script(ok(), close_on_accept(), ok())
    assert client.get("/a").headers["connection"] == "close"
    with pytest.raises(httpx.TransportError):
        client.get("/b")
    client.get("/c")
    assert srv.connections == 3
    assert [request.target for request in srv.requests] == ["/a", "/c"]


def test_a_new_script_for_connections_ends_idle_ones_only(srv: FaultServer, client: httpx.Client) -> None:
    with connect(srv) as stalled:
        srv.script(stall_before_headers(), ok())
        stalled.sendall(b"GET /s HTTP/1.1\r\n\r\n")
        srv.wait_for_requests(1)
        client.get("/a")
        srv.release()
        stalled.recv(1000)
        srv.script(stall_before_headers())
        stalled.sendall(b"GET /s HTTP/1.1\r\n\r\n")
        srv.wait_for_requests(3)
        srv.script(close_on_accept("rst"), ok())
        with pytest.raises(httpx.TransportError):
            client.get("/b")
        assert srv.connections == 3
        assert [request.target for request in srv.requests] == ["/s", "/a", "/s"]
        stalled.setblocking(False)
        with pytest.raises(BlockingIOError):
            stalled.recv(1)


def test_a_request_on_an_old_connection_does_not_use_up_a_step_for_a_new_one(srv: FaultServer) -> None:
    request = b"GET /a HTTP/1.1\r\n\r\n"
    with connect(srv) as first, connect(srv) as second:
        for sock in (first, second):
            sock.sendall(request)
            sock.recv(1000)
        srv.script(ok(), close_on_accept(), ok())
        first.sendall(request)
        assert first.recv(1000).startswith(b"HTTP/1.1 200")
        second.sendall(request)
        with pytest.raises(ConnectionResetError):
            second.recv(1000)
    with connect(srv) as third:
        assert third.recv(1000) == b""
    assert [one.status for one in srv.requests] == [200, 200, 200, None]


def test_drop_on_reuse_lets_fresh_connections_pass(srv: FaultServer, client: httpx.Client) -> None:
    srv.script(drop_on_reuse(), ok())
    client.get("/a")
    with pytest.raises(httpx.RemoteProtocolError):
        client.post("/b", content=b"charge")
    assert [(one.target, one.body, one.status) for one in srv.requests] == [("/a", b"", 200), ("/b", b"charge", None)]
    client.post("/b", content=b"charge")
    assert srv.connections == 2


def test_gaps_are_the_times_between_arrivals(srv: FaultServer, client: httpx.Client) -> None:
    for _ in range(3):
        client.get("/a")
    first, second, third = (request.at for request in srv.requests)
    assert srv.gaps() == [second - first, third - second]
    assert min(srv.gaps()) > 0


def test_wait_for_requests_counts_whole_ones(srv: FaultServer) -> None:
    srv.script(stall_before_headers())
    with connect(srv) as sock:
        sock.sendall(b"POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n1")
        with pytest.raises(AssertionError, match="not 1 whole"):
            srv.wait_for_requests(1, timeout=0.05)
        sock.sendall(b"2")
        srv.wait_for_requests(1)
        with pytest.raises(AssertionError, match="still open"):
            srv.wait_until_disconnected(timeout=0.05)


def test_release_lets_a_stalled_response_go(srv: FaultServer) -> None:
    srv.script(stall_before_headers())
    with connect(srv) as sock:
        sock.sendall(b"GET /a HTTP/1.1\r\n\r\n")
        srv.wait_for_requests(1)
        srv.release()
        assert sock.recv(1000).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("steps", "duplicate"),
    [
        ([ok()], True),
        ([status(500), ok()], True),
        ([status(408), ok()], True),
        ([redirect("/x"), ok()], True),
        ([close_after_request(), ok()], True),
        ([close_after_request("rst"), ok()], True),
        ([truncate(), ok()], True),
        ([answer_early(500), ok()], True),
        ([status(401), ok()], False),
        ([rate_limited("1"), ok()], False),
        ([answer_early(413), ok()], False),
    ],
    ids=first_name,
)
def test_a_second_arrival_is_a_duplicate_unless_the_first_was_refused(
    srv: FaultServer, client: httpx.Client, steps: list[Step], duplicate: bool
) -> None:
    srv.script(*steps)
    for _ in range(2):
        with contextlib.suppress(httpx.TransportError):
            client.post("/charge", content=b"{}")
    expected = pytest.raises(AssertionError, match="1 and 2") if duplicate else contextlib.nullcontext()
    with expected:
        srv.assert_no_duplicate()


def test_reads_other_targets_and_other_bodies_are_not_duplicates(srv: FaultServer, client: httpx.Client) -> None:
    client.get("/a")
    client.get("/a")
    client.post("/a", content=b"1")
    client.post("/a", content=b"2")
    client.post("/b", content=b"1")
    client.delete("/a")
    srv.assert_no_duplicate()


def test_a_part_of_a_request_and_the_whole_one_are_a_duplicate(srv: FaultServer, client: httpx.Client) -> None:
    with connect(srv) as sock:
        sock.sendall(b"POST /a HTTP/1.1\r\nContent-Length: 6\r\n\r\ncha")
    srv.wait_for_requests(1, whole=False)
    srv.wait_until_disconnected()
    client.post("/a", content=b"charge")
    with pytest.raises(AssertionError, match="POST /a"):
        srv.assert_no_duplicate()


@pytest.mark.parametrize(
    ("headers", "kinds"),
    [
        ({}, set[str]()),
        ({"Authorization": "Basic dTpr"}, {"basic"}),
        ({"authorization": "bearer t"}, {"bearer"}),
        ({"Authorization": "Digest x"}, {"authorization"}),
        ({"X-API-KEY": "k", "Cookie": "JSESSIONID=s"}, {"x-api-key", "cookie"}),
        ({"Proxy-Authorization": "Basic x"}, {"proxy-authorization"}),
        ({"X-Other": "the key is s3cret"}, {"secret"}),
    ],
)
def test_the_sink_reports_leaked_credentials(srv: FaultServer, headers: dict[str, str], kinds: set[str]) -> None:
    with httpx.Client(trust_env=False, follow_redirects=True) as careless:
        srv.script(redirect("{sink}/x"))
        careless.get(srv.sink.url + "/direct", headers=headers)
    assert srv.leaked("s3cret") == kinds
    assert srv.credentials() == set()


def test_a_secret_is_found_in_target_and_body(srv: FaultServer, client: httpx.Client) -> None:
    client.get("/a?key=s3cret")
    assert srv.credentials("s3cret") == {"secret"}
    srv.forget()
    client.post("/a", content=b"...s3cret...")
    assert srv.credentials("s3cret") == {"secret"}
    assert srv.credentials("other") == set()


def test_a_followed_redirect_arrives_at_the_sink(srv: FaultServer) -> None:
    srv.script(redirect("{sink}/x", 307))
    with httpx.Client(trust_env=False, follow_redirects=True) as careless:
        careless.post(srv.url + "/charge", content=b"body", headers={"X-API-KEY": "k"})
    assert [(one.method, one.target, one.body) for one in srv.sink.requests] == [("POST", "/x", b"body")]
    assert srv.leaked() == {"x-api-key"}


def test_tls_is_trusted_only_through_its_own_authority() -> None:
    with FaultServer(tls=True) as srv:
        with httpx.Client(verify=srv.client_context(), trust_env=False) as client:
            assert client.get(srv.url + "/a").status_code == 200
            assert client.get(srv.sink.url + "/a").status_code == 200
        with httpx.Client(trust_env=False) as stranger, pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY"):
            stranger.get(srv.url + "/a")
        assert (srv.connections, len(srv.requests)) == (2, 1)


@pytest.mark.parametrize(
    ("bad_cert", "reason"),
    [("expired", "expired"), ("other_host", "mismatch"), ("unknown_ca", "unable to get local issuer|signature")],
)
def test_a_bad_certificate_is_bad_for_one_reason(bad_cert: BadCertificate, reason: str) -> None:
    with (
        FaultServer(tls=True, bad_cert=bad_cert) as srv,
        httpx.Client(verify=srv.client_context(), trust_env=False) as client,
        pytest.raises(httpx.ConnectError, match=reason),
    ):
        client.get(srv.url + "/a")


def test_steps_of_the_handshake_need_tls(srv: FaultServer) -> None:
    with pytest.raises(ValueError, match="tls=True"):
        srv.script(tls_abort())


def test_a_server_can_stop_listening_and_come_back(srv: FaultServer, client: httpx.Client) -> None:
    srv.stop_listening()
    srv.stop_listening()
    with pytest.raises(httpx.ConnectError):
        client.get("/a")
    srv.listen_again()
    assert client.get("/a").status_code == 200
    assert srv.connections == 1


def test_nothing_listens_at_an_unused_port() -> None:
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", unused_port()), timeout=5)


def test_close_ends_stalls_idle_connections_and_threads() -> None:
    before = set(threading.enumerate())
    with FaultServer(stall_before_headers()) as srv:
        stalled, idle, half = connect(srv), connect(srv), connect(srv)
        stalled.sendall(b"GET /a HTTP/1.1\r\n\r\n")
        half.sendall(b"POST /a HTTP/1.1\r\nContent-Le")
        srv.wait_for_requests(1)
        srv.script(ok())  # closing must also end the stalled steps of an earlier script
        assert set(threading.enumerate()) > before
    assert set(threading.enumerate()) == before
    for sock in (stalled, idle, half):
        with sock, contextlib.suppress(ConnectionResetError):
            assert sock.recv(1000) == b""
    srv.close()
