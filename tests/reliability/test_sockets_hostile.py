"""Peers that send single bytes or parts of records, invalid hosts, unreadable certificates, and shared TLS contexts."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import certifi
import httpx
import httpx2
import pytest

from kit.faults import scripts as f
from kit.faults.payloads import THING, encode
from kit.faults.server import FaultServer, _authority, _server_context  # pyright: ignore[reportPrivateUsage]
from kit.faults.steps import Act, step
from kit.faults.wire import Exchange
from reliability.kit import Run, hazard, sent
from reliability.operations import E6, E8
from reliability.test_proxies import OPEN, Proxy
from subscribekit import Limits, RetryPolicy, Timeouts
from subscribekit._core.http.backends import foreign_pool, intercepted
from subscribekit._core.http.connections.route import route_of
from subscribekit._core.http.network_errors import ConnectTimeoutError
from subscribekit._core.http.progress import Progress
from subscribekit._core.http.wire import sockets_async, tls
from subscribekit._core.http.wire.deadline import ConnectTimer, CurrentRequest
from subscribekit._core.http.wire.sockets import run as carried_out
from subscribekit._core.http.wire.sockets_async import AsyncSocket
from subscribekit._core.http.wire.streams import TLS, Opening, Plain, opened
from subscribekit._sealed import Content, Secret
from subscribekit.errors import ConnectionFailedError

ONCE = RetryPolicy(max_attempts=1)


class Passing(Proxy):
    """A proxy with TLS that relays the bytes of the service: all at once, or one after another if `gap` is set."""

    def __init__(self, srv: FaultServer) -> None:
        super().__init__(OPEN, tls=srv._tls)  # pyright: ignore[reportPrivateUsage]
        self.gap: float | None = None

    def pass_on(self, source: socket.socket, target: socket.socket, data: bytes) -> None:
        if self.gap is None or not isinstance(target, ssl.SSLSocket):
            target.sendall(data)
            return
        for number in range(len(data)):
            target.sendall(data[number : number + 1])
            time.sleep(self.gap)


@pytest.fixture
def passing(secure: FaultServer) -> Iterator[Passing]:
    proxy = Passing(secure)
    yield proxy
    proxy.close()


def client_through(run: Run, secure: FaultServer, proxy: Proxy, **options: Any) -> Any:
    limits = Limits(min_idle_before_charge=0)
    return run.client("gateway", secure, proxy=f"https://127.0.0.1:{proxy.port}", retry=ONCE, limits=limits, **options)


@hazard("H10", "H189")
def test_a_handshake_that_trickles_through_a_tls_proxy_times_out(
    run: Run, secure: FaultServer, passing: Passing
) -> None:
    passing.gap = 0.01
    client = client_through(run, secure, passing, timeouts=Timeouts(connect=0.2))
    error = run.fails(client, E8.use)
    assert (type(error), error.outcome, sent(secure)) == (ConnectionFailedError, "not_sent", 0)
    assert "the TLS handshake didn't finish in time" in str(error)


@hazard("H10", "H189")
def test_a_response_that_trickles_through_a_tls_proxy_ends_at_the_deadline(
    run: Run, secure: FaultServer, passing: Passing
) -> None:
    client = client_through(run, secure, passing)
    assert run(client, E6.use).id == "a1"
    passing.gap = 0.01
    error = run.fails(client.with_options(deadline=0.2), E8.use)
    assert (error.outcome, sent(secure)) == ("unknown", 2)


class InMemory:
    """The service's side of TLS in memory. It replaces the socket of a connection, and sends the bytes of a test."""

    is_readable = False

    def __init__(self, srv: FaultServer) -> None:
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        assert srv._tls is not None  # pyright: ignore[reportPrivateUsage]
        self.tls = srv._tls.wrap_bio(self._in, self._out, server_side=True)  # pyright: ignore[reportPrivateUsage]
        self.outgoing = b""
        plain = Plain()
        plain.wire = self
        self.stream = TLS(plain, srv.client_context(), "127.0.0.1")
        carried_out(self.stream.shake_hands(None))

    def write(self, data: Content, _: float | None) -> None:
        self._in.write(data.reveal())
        with contextlib.suppress(ssl.SSLWantReadError):
            self.tls.do_handshake()
        self.outgoing += self._out.read()

    def read(self, _: float | None) -> Content:
        data, self.outgoing = self.outgoing, b""
        return Content(data)

    def record(self, data: bytes) -> bytes:
        self.tls.write(data)
        return self._out.read()

    def received(self) -> bytes:
        return carried_out(self.stream.read(None)).reveal()

    def close(self) -> None:
        raise AssertionError


@hazard("H58", "H190")
@pytest.mark.parametrize("size", [1, 4, 5, 20])
def test_a_partial_record_after_a_response_is_detected(secure: FaultServer, size: int) -> None:
    """The rest of a record in the segment of the response would count as the response to the next request."""
    service = InMemory(secure)
    service.outgoing += service.record(b"tickets come before the first response")
    assert (service.received(), service.stream.is_readable) == (b"tickets come before the first response", False)
    first, second = service.record(b"first"), service.record(b"smuggled")
    service.outgoing = first + second[:size]
    assert service.received() == b"first"
    assert service.stream.is_readable


@hazard("H111", "H190")
@pytest.mark.parametrize("names", [("_read_bio", "_ssl_object"), ("_incoming", "ssl_obj")], ids=["anyio", "httpcore"])
def test_a_partial_record_is_detected_in_other_pools_too(secure: FaultServer, names: tuple[str, str]) -> None:
    service = InMemory(secure)
    own = service.stream
    layer = SimpleNamespace(**dict(zip(names, (own._received, own.tls_object), strict=True)))  # pyright: ignore[reportPrivateUsage]
    stream = SimpleNamespace(_stream=layer, get_extra_info={"ssl_object": own.tls_object}.get)
    service.outgoing += service.record(b"first")
    assert service.received() == b"first"
    assert not foreign_pool._is_readable(stream)  # pyright: ignore[reportPrivateUsage]
    own._received.write(service.record(b"smuggled")[:4])  # pyright: ignore[reportPrivateUsage]
    assert foreign_pool._is_readable(stream)  # pyright: ignore[reportPrivateUsage]


@hazard("H103")
@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example"])
def test_an_invalid_host_name_is_not_sent_to_a_proxy(run: Run, srv: FaultServer, host: str) -> None:
    """TLS would reject the host, and raise an exception of its own."""
    client = run.client("gateway", f"https://{host}", proxy=srv.url, retry=ONCE)
    error = run.fails(client, E8.use)
    assert (type(error), error.outcome, srv.connections) == (ConnectionFailedError, "not_sent", 0)
    assert "the host isn't a valid name" in str(error)


@hazard("H01", "H192")
@pytest.mark.parametrize("scheme", [None, "https"], ids=["direct", "through a proxy"])
def test_nothing_is_sent_if_the_ca_certificates_cannot_be_read(
    run: Run, secure: FaultServer, monkeypatch: pytest.MonkeyPatch, scheme: str | None
) -> None:
    monkeypatch.setattr(tls, "_contexts", [])
    monkeypatch.setattr(certifi, "where", lambda: "/nowhere")
    options: dict[str, Any] = {"proxy": f"{scheme}://127.0.0.1:{secure.port}"} if scheme else {}
    client = run.client("gateway", secure, ssl_context=None, retry=ONCE, **options)
    error = run.fails(client, E8.use)
    assert (type(error), error.outcome, secure.connections) == (ConnectionFailedError, "not_sent", 0)
    assert "No such file" in str(error)


@hazard("H100", "H193")
def test_a_signal_handler_can_request_the_tls_context_that_is_being_created(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls, "_contexts", [])
    where, made = certifi.where, list[ssl.SSLContext]()

    def interrupted() -> str:
        monkeypatch.setattr(certifi, "where", where)
        made.append(tls.shared_ssl_context())
        return where()

    monkeypatch.setattr(certifi, "where", interrupted)
    thread = threading.Thread(target=lambda: made.append(tls.shared_ssl_context()), daemon=True)
    thread.start()
    thread.join(5)
    assert len(made) == 2
    assert made[0] is made[1]


@hazard("H110", "H191")
def test_a_library_that_another_thread_is_importing_does_not_count_as_a_test_tool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "httpcore", ModuleType("httpcore"))
    assert not intercepted.is_intercepted("ConnectionPool", "handle_request")


@hazard("H110", "H191", "H373")
@pytest.mark.parametrize("home", ["gevent.ssl", "eventlet.green.ssl", "truststore._api"])
def test_tls_of_green_threads_and_trust_stores_does_not_count_as_a_test_tool(
    run: Run, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    """Otherwise, the client wouldn't use its own TLS context, and each call would open a connection."""
    monkeypatch.setattr(ssl, "SSLContext", type("SSLContext", (ssl.SSLContext,), {"__module__": home}))
    assert intercepted.sockets_are_original()
    monkeypatch.setattr(ssl, "SSLContext", type("SSLContext", (ssl.SSLContext,), {"__module__": "mocket.ssl"}))
    assert not intercepted.sockets_are_original()


@hazard("H110")
def test_a_pool_for_a_test_tool_uses_the_proxy_and_keeps_no_idle_connection() -> None:
    options = intercepted.stock_options(route_of(None, Secret("http://ann:hush@proxy.test:81"), None))
    proxy = options["proxy"]
    assert proxy is not None
    assert (proxy.url.host, proxy.url.port, proxy.auth) == (b"proxy.test", 81, (b"ann", b"hush"))
    assert options["max_keepalive_connections"] == 0
    assert intercepted.stock_options(route_of(None, None, None))["proxy"] is None


def test_a_client_names_the_package_that_replaced_sockets(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", type("socket", (socket.socket,), {"__module__": "mocket.socket"}))
    assert ", socket by mocket" in run.client("gateway", "https://g.test", timed=False).http_backend


@hazard("H03", "H10")
def test_addresses_share_the_deadline_too(monkeypatch: pytest.MonkeyPatch) -> None:
    timeouts: list[float] = []

    class Deaf(socket.socket):
        def settimeout(self, value: float | None) -> None:
            timeouts.append(value or 0.0)

        def connect(self, address: Any) -> None:
            raise TimeoutError

    def look_up(*_: object, type: int) -> list[object]:  # noqa: A002  a parameter of getaddrinfo
        return [(socket.AF_INET, type, 6, "", ("127.0.0.1", 1))] * 3

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "socket", Deaf)
    current = CurrentRequest()
    current.serve(Progress(), time.monotonic() + 30, is_reused=False)
    with pytest.raises(ConnectTimeoutError):
        carried_out(opened(Opening(Plain(), "service.example", 443, ConnectTimer(600.0), current)))
    assert [round(each) for each in timeouts] == [10, 15, 30]


@hazard("H10")
def test_the_write_timeout_applies_to_each_piece_of_a_long_request() -> None:
    """For sync and async clients, a slow connection isn't a failure as long as it accepts bytes."""

    async def story() -> list[int]:
        mine, peer = socket.socketpair()
        mine.setblocking(False)
        pieces = list[int]()
        stream = Plain()
        stream.wire = AsyncSocket(mine)
        loop = asyncio.get_running_loop()
        send = loop.sock_sendall

        async def sendall(sock: socket.socket, data: Any) -> None:
            pieces.append(len(data))

        loop.sock_sendall = sendall  # type: ignore[method-assign]
        try:
            await sockets_async.run(stream.write(Content(b"x" * 40000), 1.0))
        finally:
            loop.sock_sendall = send  # type: ignore[method-assign]
            stream.close()
            peer.close()
        return pieces

    assert asyncio.run(story()) == [16384, 16384, 7232]


_ONE_READ = 65536
"""The number of bytes that a connection of httpx takes at once from the buffer of the event loop."""


@step("request")
def respond_with_a_full_read_and_more() -> Act:
    """Respond with exactly as many bytes as one read takes, and then with a surplus response."""

    def act(exchange: Exchange) -> None:
        short = len(exchange.framed(200, encode({**THING, "filler": "x" * 60000})))
        whole = exchange.framed(200, encode({**THING, "filler": "x" * (60000 + _ONE_READ - short)}))
        assert len(whole) == _ONE_READ
        exchange.gate.wait(0.02)  # until the event loop is blocked
        exchange.send(whole + exchange.framed(200, b'{"transactionReferenceId": "smuggled"}'))

    return act


@hazard("H58", "H111", "H194")
@pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])
def test_bytes_in_the_buffer_of_the_event_loop_are_detected_in_other_pools(srv: FaultServer, library: Any) -> None:
    run = Run("async")
    try:
        roomy = [(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_000_000)]
        run.opened.append(transport := library.AsyncHTTPTransport(socket_options=roomy))
        client = run.client("gateway", srv, transport=transport)
        assert run(client, E6.use).id == "a1"
        srv.script(respond_with_a_full_read_and_more(), f.ok())
        begun = run.begin(client, E6.use)
        run.arrived(srv, 2)
        time.sleep(0.05)  # blocks the event loop, which then reads everything at once
        assert run.end(begun).id == "a1"
        assert run(client, E8.use).transaction_reference_id == "ref-1"
        assert srv.connections == 2
    finally:
        run.close()


@pytest.fixture
def speaks_http2() -> Iterator[FaultServer]:
    """A service that prefers HTTP/2 if the client offers it."""
    with FaultServer(tls=True) as srv:
        assert srv._tls is not None  # pyright: ignore[reportPrivateUsage]
        srv._tls.set_alpn_protocols(["h2", "http/1.1"])  # pyright: ignore[reportPrivateUsage]
        yield srv
        srv._tls.set_alpn_protocols(["http/1.1"])  # pyright: ignore[reportPrivateUsage]


class Counting(ssl.SSLContext):
    """Counts how often the protocols to offer are set."""

    count = 0

    def set_alpn_protocols(self, alpn_protocols: Any) -> None:
        self.count += 1
        super().set_alpn_protocols(alpn_protocols)


def counting(srv: FaultServer) -> Counting:
    context = Counting(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=_authority().cert_pem.bytes().decode())
    return context


@hazard("H195")
def test_a_tls_context_is_not_changed_while_connections_are_opened(run: Run, speaks_http2: FaultServer) -> None:
    """OpenSSL would copy the protocol names from memory that another thread frees, and send whatever is there."""
    context = counting(speaks_http2)
    clients = [run.client("gateway", speaks_http2, ssl_context=context, timed=False) for _ in range(2)]
    for client in clients:
        run(client, E6.use, E6.use)
    assert (context.count, speaks_http2.connections) == (1, 2)


@hazard("H27", "H195")
@pytest.mark.parametrize("is_tunnel", [False, True], ids=["direct", "tls in tls"])
def test_nothing_is_sent_if_another_protocol_was_negotiated(
    run: Run, speaks_http2: FaultServer, is_tunnel: bool
) -> None:
    """Another client shares the TLS context, and sets it to offer HTTP/2."""
    context, proxy = counting(speaks_http2), Proxy(OPEN, tls=_server_context(None))
    options = {"proxy": f"https://127.0.0.1:{proxy.port}"} if is_tunnel else {}
    client = run.client("gateway", speaks_http2, ssl_context=context, timed=False, **options)
    context.set_alpn_protocols(["h2"])
    try:
        assert run(client, E8.use).transaction_reference_id == "ref-1"
    finally:
        run.close_client(client)
        proxy.close()
    # The first connection, to the service or to the proxy, negotiates HTTP/2, so nothing is sent on it.
    assert (sent(speaks_http2), speaks_http2.connections) == (1, 1 if is_tunnel else 2)


@hazard("H209")
@pytest.mark.parametrize("deadline", [None, 1e12])
def test_timeouts_that_are_too_long_for_a_socket_are_shortened(
    run: Run, srv: FaultServer, deadline: float | None
) -> None:
    forever = Timeouts(connect=1e12, read=1e12, write=1e12)
    assert (
        run(run.client("gateway", srv, timeouts=forever, deadline=deadline), E8.use).transaction_reference_id == "ref-1"
    )
    assert sent(srv) == 1
