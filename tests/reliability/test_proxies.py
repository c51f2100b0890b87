"""Calls through a proxy: nothing is sent before the tunnel is open, and errors name the proxy if it is the cause."""

from __future__ import annotations

import base64
import contextlib
import select
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.faults import scripts as f
from kit.faults.payloads import THING, encode
from kit.faults.server import FaultServer
from kit.faults.steps import Step
from kit.faults.wire import Exchange
from reliability.frames import Found, looked_at
from reliability.kit import CREDENTIALS, Run, hazard, sent
from reliability.operations import E6, E8, Op
from subscribekit import Limits, RetryPolicy, Timeouts
from subscribekit._core.http.backends.intercepted import stock_options
from subscribekit._core.http.connections.route import route_of
from subscribekit._core.http.failure import TransportFailure
from subscribekit._core.http.wire.proxy import parse_proxy
from subscribekit._core.http.wire.tunnel import Tunnel
from subscribekit._sealed import Content, Secret
from subscribekit.errors import ConfigurationError, ConnectionFailedError

OPEN = b"HTTP/1.1 200 ok\r\n\r\n"


class Proxy:
    """A proxy that sends one of the given responses to each CONNECT request, and repeats the last one.

    For `None`, the proxy never responds. For `b""`, it ends the connection.
    """

    def __init__(self, *answers: bytes | None, tls: ssl.SSLContext | None = None) -> None:
        self.heads: list[bytes] = []
        self._answers, self._tls = list(answers), tls
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                sock, _ = self._listener.accept()
                self._sockets.append(sock)
                threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        with contextlib.suppress(OSError):
            if self._tls is not None:
                sock = self._tls.wrap_socket(sock, server_side=True)
                self._sockets.append(sock)
            head = b""
            while b"\r\n\r\n" not in head:
                if not (data := sock.recv(65536)):
                    return
                head += data
            self.heads.append(head)
            answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
            if answer is None:
                return
            sock.sendall(answer)
            if answer != OPEN:
                sock.close()
                return
            host, _, port = head.split(b" ")[1].decode().rpartition(":")
            upstream = socket.create_connection((host, int(port)))
            self._sockets.append(upstream)
            with contextlib.suppress(ValueError):  # `close` closed the sockets during the wait
                self._relay(sock, upstream)

    def _relay(self, sock: socket.socket, upstream: socket.socket) -> None:
        """Relay bytes in both directions in one thread, because two threads can't share an OpenSSL connection."""
        targets = {sock: upstream, upstream: sock}
        while targets:
            waiting = isinstance(sock, ssl.SSLSocket) and sock in targets and sock.pending()
            for source in [sock] if waiting else select.select([*targets], [], [])[0]:
                if data := source.recv(65536):
                    self.pass_on(source, targets[source], data)
                else:
                    targets.pop(source).shutdown(socket.SHUT_WR)

    def pass_on(self, source: socket.socket, target: socket.socket, data: bytes) -> None:
        """Send the data of one side to the other side."""
        target.sendall(data)

    def close(self) -> None:
        """Close the listener and all connections."""
        for sock in (self._listener, *self._sockets):
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            sock.close()


@pytest.fixture
def proxies() -> Iterator[list[Proxy]]:
    """A list of proxies, which are closed after the test."""
    made: list[Proxy] = []
    yield made
    for each in made:
        each.close()


both = pytest.mark.parametrize("op", [E6, E8], ids=str)


def client_of(run: Run, secure: FaultServer, proxies: list[Proxy], proxy: Proxy, **options: Any) -> Any:
    proxies.append(proxy)
    return run.client("gateway", secure, proxy=f"http://127.0.0.1:{proxy.port}", **options)


@hazard("H103")
@both
def test_a_lost_connect_request_is_retried(run: Run, secure: FaultServer, proxies: list[Proxy], op: Op) -> None:
    client = client_of(run, secure, proxies, Proxy(b"", OPEN))
    run(client, op.use)
    assert (sent(secure), len(run.time.slept)) == (1, 1)
    secure.assert_no_duplicate()


@hazard("H103")
@both
def test_the_connect_timeout_applies_to_a_proxy_that_does_not_respond(
    run: Run, secure: FaultServer, proxies: list[Proxy], op: Op
) -> None:
    client = client_of(
        run, secure, proxies, Proxy(None), timeouts=Timeouts(connect=0.2, read=30),
        retry=RetryPolicy(max_attempts=2), deadline=10.0,
    )  # fmt: skip
    error = run.fails(client, op.use)
    assert type(error) is ConnectionFailedError
    assert (error.outcome, error.attempts, sent(secure)) == ("not_sent", 2, 0)
    assert f"the proxy 127.0.0.1:{proxies[0].port}: no tunnel in time" in str(error)


@hazard("H103")
@both
@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_call_is_retried_if_the_proxy_could_not_connect(
    run: Run, secure: FaultServer, proxies: list[Proxy], op: Op, status: int
) -> None:
    refusal = f"HTTP/1.1 {status} no\r\nContent-Length: 0\r\n\r\n".encode()
    run(client_of(run, secure, proxies, Proxy(refusal, OPEN)), op.use)
    assert (sent(secure), len(proxies[0].heads)) == (1, 2)
    error = run.fails(client_of(run, secure, proxies, Proxy(refusal)), op.use)
    assert (type(error), error.outcome, error.attempts) == (ConnectionFailedError, "not_sent", 3)
    assert str(status) in str(error)


@hazard("H103")
@both
@pytest.mark.parametrize("status", [403, 407])
def test_the_error_of_a_refused_tunnel_names_the_proxy_and_the_status(
    run: Run, secure: FaultServer, proxies: list[Proxy], op: Op, status: int
) -> None:
    refusal = f"HTTP/1.1 {status} no\r\nX-Private: jane\r\nContent-Length: 4\r\n\r\njane".encode()
    error = run.fails(client_of(run, secure, proxies, Proxy(refusal)), op.use)
    assert (type(error), error.outcome, error.attempts) == (ConnectionFailedError, "not_sent", 1)
    assert f"the proxy 127.0.0.1:{proxies[0].port} refused the connection (status {status}" in str(error)
    assert "jane" not in str(error)


@hazard("H103")
@pytest.mark.parametrize(
    "answer",
    [b"nonsense\r\n\r\n", OPEN + b"x", b"HTTP/1.1 200 ok\r\nX: " + b"x" * 70000, b"HTTP/1.1 100 go\r\n\r\n" * 9],
)
def test_an_invalid_response_to_connect_opens_no_tunnel(
    run: Run, secure: FaultServer, proxies: list[Proxy], answer: bytes
) -> None:
    error = run.fails(client_of(run, secure, proxies, Proxy(answer), retry=RetryPolicy(max_attempts=1)), E8.use)
    assert (type(error), error.outcome, sent(secure)) == (ConnectionFailedError, "not_sent", 0)
    assert "the proxy 127.0.0.1:" in str(error)


@hazard("H103")
def test_the_error_names_an_unreachable_proxy(run: Run, secure: FaultServer, proxies: list[Proxy]) -> None:
    gone = Proxy(OPEN)
    gone.close()
    error = run.fails(client_of(run, secure, proxies, gone, retry=RetryPolicy(max_attempts=1)), E8.use)
    assert (type(error), error.outcome) == (ConnectionFailedError, "not_sent")
    assert f"the proxy 127.0.0.1:{gone.port}: " in str(error)


@hazard("H103")
def test_a_proxy_may_have_a_certificate_of_a_private_ca(run: Run, secure: FaultServer, proxies: list[Proxy]) -> None:
    context = secure._tls  # pyright: ignore[reportPrivateUsage]  a private CA signed its certificate
    assert context is not None
    proxy = Proxy(OPEN, tls=context)
    proxies.append(proxy)
    client = run.client("gateway", secure, proxy=f"https://127.0.0.1:{proxy.port}")
    run(client, E6.use, E6.use)
    assert (sent(secure), secure.connections, len(proxy.heads)) == (2, 1, 1)
    run.close_client(client)


class Together(Proxy):
    """Relays two records of the service together: in one record of the proxy, or in two records of one segment."""

    is_one_record: bool

    def pass_on(self, source: socket.socket, target: socket.socket, data: bytes) -> None:
        if not isinstance(target, ssl.SSLSocket):
            target.sendall(data)
            return
        time.sleep(0.03)  # until all bytes in flight have arrived
        more = source.recv(65536) if select.select([source], [], [], 0)[0] else b""
        target.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
        for piece in (data + more,) if self.is_one_record else _records(data + more):
            target.sendall(piece)
        target.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)


def _records(data: bytes) -> Iterator[bytes]:
    while data:
        size = 5 + int.from_bytes(data[3:5])
        yield data[:size]
        data = data[size:]


@hazard("H58", "H103")
@pytest.mark.parametrize("is_one_record", [True, False], ids=["one record", "two records"])
def test_a_surplus_response_makes_a_tunnel_in_tls_unusable_too(
    run: Run, secure: FaultServer, proxies: list[Proxy], is_one_record: bool
) -> None:
    """The second response is already in memory, so the socket looks idle."""

    def twice(exchange: Exchange) -> None:
        for _ in range(2):
            exchange.send(exchange.framed(200, encode(THING)))

    proxies.append(proxy := Together(OPEN, tls=secure._tls))  # pyright: ignore[reportPrivateUsage]
    proxy.is_one_record = is_one_record
    client = run.client("gateway", secure, proxy=f"https://127.0.0.1:{proxy.port}")
    secure.script(Step("twice", "request", twice), f.status(402))
    run(client, E6.use)
    assert run.fails(client, E8.use).outcome == "rejected"
    assert len(proxy.heads) == 2
    run.close_client(client)


@hazard("H103")
def test_the_error_about_the_certificate_of_a_proxy_names_the_proxy(
    run: Run, secure: FaultServer, proxies: list[Proxy]
) -> None:
    with FaultServer(tls=True, bad_cert="expired") as other:
        proxy = Proxy(OPEN, tls=other._tls)  # pyright: ignore[reportPrivateUsage]
        proxies.append(proxy)
        client = run.client("gateway", secure, proxy=f"https://127.0.0.1:{proxy.port}")
        error = run.fails(client, E8.use)
    assert (type(error), error.outcome, error.attempts, proxy.heads) == (ConnectionFailedError, "not_sent", 1, [])
    assert f"the proxy 127.0.0.1:{proxy.port}: the certificate was not accepted" in str(error)


@hazard("H104")
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_credential_is_not_sent_through_a_proxy_without_tls(run: Run, srv: FaultServer, scheme: str) -> None:
    with pytest.raises(ConfigurationError, match="proxy can't be combined with an http:// base URL"):
        run.client("gateway", srv, proxy=f"{scheme}://proxy.example:3128", timed=False)


@hazard("H103")
def test_connections_through_a_proxy_count_toward_the_limit_of_the_pool(
    run: Run, secure: FaultServer, proxies: list[Proxy]
) -> None:
    client = client_of(run, secure, proxies, Proxy(OPEN), limits=Limits(max_connections=3))
    for each in [run.begin(client, E6.use) for _ in range(12)]:
        run.end(each)
    assert sent(secure) == 12
    assert len(proxies[0].heads) <= 3


def tunnel(url: str = "http://u:p%C3%A4@proxy.example", host: str = "service.example") -> Tunnel:
    proxy = parse_proxy(Secret(url))
    assert proxy is not None
    return Tunnel(proxy, host, 443)


@hazard("H103")
def test_the_connect_request_has_the_credential_of_the_proxy_and_no_other() -> None:
    head = tunnel(host="::1").request.reveal()
    assert head.startswith(b"CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\n")
    assert b"Basic dTpww6Q=" in head
    assert b"Authorization" not in tunnel("http://proxy.example").request.reveal()
    for secret in CREDENTIALS["gateway"].values():
        assert secret.encode() not in head


@hazard("H103")
@given(st.lists(st.binary(max_size=40), max_size=8))
def test_random_bytes_of_a_proxy_open_no_tunnel(pieces: list[bytes]) -> None:
    mine = tunnel()
    with contextlib.suppress(TransportFailure):
        for piece in pieces:
            mine.receive(Content(piece))
            assert mine.is_open is False


@hazard("H103")
@given(st.lists(st.integers(0, 60), max_size=6), st.sampled_from([200, 201, 299]))
def test_a_response_to_connect_may_arrive_in_any_pieces(cuts: list[int], status: int) -> None:
    answer = f"HTTP/1.1 100 wait\r\n\r\nHTTP/1.0 {status} Connection established\r\nVia: x\r\n\r\n".encode()
    mine, edges = tunnel(), sorted({0, len(answer), *cuts})
    for start, end in pairwise(edges):
        assert mine.is_open is False
        mine.receive(Content(answer[start:end]))
    assert mine.is_open


@pytest.mark.parametrize(("scheme", "port"), [("http", 80), ("https", 443)])
def test_a_proxy_without_a_port_has_the_default_port_of_its_scheme(scheme: str, port: int) -> None:
    assert parse_proxy(Secret(f"{scheme}://proxy.test")).port == port


def test_a_proxy_that_only_sends_interim_responses_opens_no_tunnel() -> None:
    tunnel = Tunnel(parse_proxy(Secret("http://proxy.test")), "service.test", 443)
    with pytest.raises(TransportFailure, match="sent more than 64 KiB before the tunnel was open"):
        tunnel.receive(Content(b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000))


PASSWORD = "proxy-password-4722"
SHOWN = PASSWORD, base64.b64encode(f"proxy-user-4721:{PASSWORD}".encode()).decode()


@hazard("H452")
def test_no_frame_shows_the_password_of_a_proxy_at_any_line_of_a_call(
    run: Run, secure: FaultServer, proxies: list[Proxy]
) -> None:
    proxies.append(proxy := Proxy(OPEN))
    secure.script(f.ok(encode(THING)))
    address = f"http://proxy-user-4721:{PASSWORD}@127.0.0.1:{proxy.port}"
    request, found = run.client("gateway", secure, proxy=address, timed=False).request, Found(SHOWN)

    async def called() -> None:
        with looked_at(found):
            result = request("GET", "/things/t1")
            await result if run.style == "async" else None

    run.wait(called())
    assert SHOWN[1].encode() in proxy.heads[0]
    assert {"authorization", "auth", "tunnelled"} <= found.functions
    assert "\n".join(sorted(found.shown)) == ""


@hazard("H452")
def test_no_frame_shows_the_password_of_a_proxy_while_its_address_is_parsed_or_passed_to_httpcore() -> None:
    address, found = Secret(f"http://proxy-user-4721:{PASSWORD}@proxy.test:81"), Found(SHOWN)
    with looked_at(found):
        options = stock_options(route_of(None, address, None))
    assert options["proxy"] is not None
    assert options["proxy"].auth == (b"proxy-user-4721", PASSWORD.encode())
    assert {"_split_proxy", "stock_options"} <= found.functions
    assert "\n".join(sorted(found.shown)) == ""
