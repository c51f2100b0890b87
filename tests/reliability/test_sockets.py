"""Sockets: surplus responses, addresses that drop packets, failed handshakes, and peers that don't read."""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
import ssl
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from kit.faults import scripts as f
from kit.faults.payloads import THING, encode
from kit.faults.server import FaultServer
from kit.faults.steps import Step
from kit.faults.wire import Exchange
from reliability.kit import Run, hazard, sent
from reliability.operations import E6, E8
from subscribekit import RetryPolicy, Timeouts
from subscribekit._core.http.network_errors import ConnectError, HandshakeTimeoutError, WriteTimeoutError
from subscribekit._core.http.wire.deadline import ConnectTimer, CurrentRequest
from subscribekit._core.http.wire.sockets import Socket
from subscribekit._core.http.wire.sockets import run as carried_out
from subscribekit._core.http.wire.streams import Plain, secured
from subscribekit._sealed import Content
from subscribekit.errors import ConnectionFailedError

EVIL = b'{"id": "smuggled", "transactionReferenceId": "smuggled"}'


class Late:
    """Sends the response to a request, and surplus responses after the test calls `send_second`."""

    def __init__(self, times: int = 1, size: int = 1) -> None:
        self._go, self._gone = threading.Event(), threading.Event()
        self._times, self._size = times, size
        self.bytes_sent = 0

    def step(self) -> Step:
        return Step("late", "request", self._act)

    def _act(self, exchange: Exchange) -> None:
        exchange.send(exchange.framed(200, encode(THING)))
        self._go.wait(5)
        second = exchange.framed(200, EVIL) * self._size
        with contextlib.suppress(OSError):  # the client may close the connection
            for _ in range(self._times):
                exchange.send(second)
                self.bytes_sent += len(second)
                self._gone.set()

    def send_second(self) -> None:
        """Send the surplus responses, and return after the first one was sent."""
        self._go.set()
        assert self._gone.wait(5)


@hazard("H58")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("is_fetched", [False, True], ids=["in the system", "in the event loop"])
def test_a_surplus_response_on_an_idle_connection_is_detected(run: Run, tls: bool, is_fetched: bool) -> None:
    late = Late()
    with FaultServer(tls=tls) as srv:
        srv.script(late.step(), f.ok())
        client = run.client("gateway", srv)
        assert run(client, E6.use).id == "a1"
        late.send_second()
        if is_fetched:
            run.wait(asyncio.sleep(0.01))
        assert run(client, E8.use).transaction_reference_id == "ref-1"
        assert srv.connections == 2


@hazard("H52", "H58")
def test_a_flood_on_an_idle_connection_does_not_fill_the_memory(srv: FaultServer) -> None:
    run, late = Run("async"), Late(times=1000, size=500)
    srv.script(late.step(), f.ok())
    client = run.client("gateway", srv)
    run(client, E6.use)
    late.send_second()

    async def idle() -> None:
        for _ in range(1000):
            await asyncio.sleep(0)

    run.wait(idle())
    assert late.bytes_sent < 10_000_000  # the system's socket buffers hold less
    assert run(client, E6.use).id == "a1"
    run.close()


@pytest.fixture
def deaf_and_good(srv: FaultServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a host with two addresses, the first of which drops packets."""
    try:
        deaf = socket.create_server(("127.0.0.2", srv.port), backlog=0)
    except OSError:
        pytest.skip("this system has only one loopback address")
    waiting = [socket.socket() for _ in range(4)]
    for each in waiting:
        each.setblocking(False)
        each.connect_ex(("127.0.0.2", srv.port))
    real = socket.getaddrinfo

    def look_up(host: Any, port: Any, *args: Any, **options: Any) -> Any:
        if host != "localhost":
            return real(host, port, *args, **options)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in ("127.0.0.2", "127.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    yield f"http://localhost:{srv.port}"
    for each in (*waiting, deaf):
        each.close()


@hazard("H03", "H10")
def test_an_address_that_drops_packets_leaves_time_for_the_next_address(
    run: Run, srv: FaultServer, deaf_and_good: str
) -> None:
    once = RetryPolicy(max_attempts=1)
    client = run.client("gateway", deaf_and_good, timeouts=Timeouts(connect=1.0), retry=once)
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    assert (sent(srv), srv.connections) == (1, 1)


@hazard("H10")
def test_no_handshake_starts_without_time_left() -> None:
    with pytest.raises(HandshakeTimeoutError):
        next(secured(Plain(), ssl.create_default_context(), "service.example", ConnectTimer(0.0)))


@hazard("H10", "H83")
def test_a_connection_whose_handshake_fails_is_closed(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        deaf.settimeout(5.0)
        options: dict[str, Any] = {"retry": RetryPolicy(max_attempts=1), "timeouts": Timeouts(connect=0.2)}
        client = run.client("gateway", f"https://127.0.0.1:{deaf.getsockname()[1]}", **options)
        assert run.fails(client, E8.use).outcome == "not_sent"
        peer, _ = deaf.accept()
        with peer:
            peer.settimeout(5.0)
            assert b"".join(iter(lambda: peer.recv(65536), b""))[:1] == b"\x16"  # a handshake record, then the end


@hazard("H27")
def test_only_a_handshake_is_written_to_a_peer_that_leaves_before_it() -> None:
    """The standard library can turn such a connection into a socket without TLS."""
    mine, peer = socket.socketpair()
    peer.shutdown(socket.SHUT_WR)
    with peer:
        plain, context = Plain(), ssl.create_default_context()
        plain.wire = Socket(mine, CurrentRequest())
        with pytest.raises(ConnectError):
            carried_out(secured(plain, context, "service.example", ConnectTimer(1.0)))
        plain.close()
        assert peer.recv(65536)[:1] == b"\x16"  # a record of the handshake
        assert peer.recv(65536) == b""


@hazard("H10", "H58")
def test_without_poll_the_sdk_waits_with_select(srv: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has no `poll`."""
    monkeypatch.delattr(select, "poll")
    run, late = Run("blocking"), Late()
    srv.script(late.step(), f.ok(), f.stall_before_headers())
    client = run.client("gateway", srv, retry=RetryPolicy(max_attempts=1), timeouts=Timeouts(read=0.2))
    assert run(client, E6.use).id == "a1"
    late.send_second()
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    assert srv.connections == 2
    with pytest.raises(ConnectionFailedError):
        run(client, E6.use)
    run.close()


@hazard("H10")
def test_a_write_to_a_peer_that_does_not_read_times_out() -> None:
    mine, peer = socket.socketpair()
    reader = threading.Thread(target=lambda: [None for _ in iter(lambda: peer.recv(65536), b"")])
    with peer:
        with contextlib.closing(Plain()) as stream:
            stream.wire = Socket(mine, CurrentRequest())
            with pytest.raises(WriteTimeoutError):
                carried_out(stream.write(Content(b"x" * 50_000_000), 0.05))
            reader.start()
            carried_out(stream.write(Content(b"x" * 100_000), 5.0))  # the reader makes room while the write waits
        reader.join()
