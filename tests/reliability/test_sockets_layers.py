"""Sockets of sync and async clients: TLS alerts, endless peers, signal handlers, TLS contexts, polling, and permits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import socket
import ssl
import weakref
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
import trustme

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from kit.faults.steps import Act, step
from kit.faults.wire import Exchange
from reliability.kit import Run, hazard, sent
from reliability.operations import E6, E8
from subscribekit import Limits, RetryPolicy
from subscribekit._core.config.clock import Clock
from subscribekit._core.http import readiness
from subscribekit._core.http.connections import http11, pool_async
from subscribekit._core.http.connections.exchange import Connection
from subscribekit._core.http.connections.permits import Permits
from subscribekit._core.http.connections.pool_async import AsyncConnectionPool
from subscribekit._core.http.connections.route import route_of
from subscribekit._core.http.network_errors import (
    HandshakeTimeoutError,
    ReadTimeoutError,
    WriteError,
    WriteTimeoutError,
)
from subscribekit._core.http.progress import Progress
from subscribekit._core.http.reasons import reason_of
from subscribekit._core.http.reuse import tls_holds_bytes
from subscribekit._core.http.wire import sockets, sockets_async, streams
from subscribekit._core.http.wire.deadline import ConnectTimer, CurrentRequest
from subscribekit._core.http.wire.streams import Plain, Steps, secured
from subscribekit._core.http.wire.tls import check_ssl_context
from subscribekit._sealed import NOTHING, Content
from subscribekit.errors import ConfigurationError, ConnectionFailedError, DeadlineExceededError, OutcomeUnknownError

HOST = "service.example"


class Service:
    """A service with TLS in this process. If `is_gone` is set, it accepts no more bytes."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self.is_gone = False

    def receive(self, data: bytes) -> None:
        if self.is_gone:
            raise WriteError
        self._incoming.write(data)
        with contextlib.suppress(ssl.SSLWantReadError):
            self.tls.do_handshake()

    def outgoing(self) -> bytes:
        return self._outgoing.read()


class Wire:
    """The socket below TLS of a sync or async client, which exchanges bytes with a service in this process."""

    is_readable = False

    def __init__(self, service: Any, run: Run) -> None:
        self.service, self.is_async = service, run.style == "async"

    def read(self, timeout: float | None) -> Any:
        data = Content(self.service.outgoing())
        return done(data) if self.is_async else data

    def write(self, data: Content, timeout: float | None) -> Any:
        self.service.receive(data.reveal())
        return done(None) if self.is_async else None

    def close(self) -> None:
        raise AssertionError


async def done(value: object) -> object:
    return value


async def over(run: Run, service: Any, context: ssl.SSLContext, timer: ConnectTimer) -> Any:
    below = Plain()
    below.wire = Wire(service, run)
    return await carried_out(run, secured(below, context, HOST, timer))


async def carried_out(run: Run, steps: Steps[Any]) -> Any:
    return await sockets_async.run(steps) if run.style == "async" else sockets.run(steps)


@pytest.fixture(scope="module")
def contexts() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    authority = trustme.CA()
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert(HOST).configure_cert(server)
    authority.configure_trust(client)
    return server, client


@hazard("H211")
def test_data_is_returned_although_tls_cannot_send_its_last_alert(
    run: Run, contexts: tuple[ssl.SSLContext, ssl.SSLContext]
) -> None:
    """If a connection ends without a TLS shutdown, OpenSSL writes an alert, which a peer that is gone rejects."""
    service = Service(contexts[0])

    async def story() -> list[object]:
        stream = await over(run, service, contexts[1], ConnectTimer(5.0))
        service.tls.write(b"the response")
        service.is_gone = True
        return [await carried_out(run, stream.read(1.0)) for _ in range(2)]

    assert asyncio.run(story()) == [Content(b"the response"), NOTHING]


class Endless:
    """A peer that sends a handshake record byte by byte, without an end."""

    def __init__(self) -> None:
        self.first = [b"\x16\x03\x03\x40\x00"]

    def receive(self, data: bytes) -> None:
        pass

    def outgoing(self) -> bytes:
        return self.first.pop() if self.first else b"\0"


@hazard("H10", "H189")
def test_a_handshake_times_out_even_if_there_is_always_more_to_read(
    run: Run, contexts: tuple[ssl.SSLContext, ssl.SSLContext], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter(range(10_000))
    monkeypatch.setattr(streams, "SYSTEM", Clock(monotonic=lambda: float(next(now))))
    with pytest.raises(HandshakeTimeoutError):
        asyncio.run(over(run, Endless(), contexts[1], ConnectTimer(20.0)))
    assert next(now) < 50


@step("request")
def send_hints_forever() -> Act:
    def act(exchange: Exchange) -> None:
        with contextlib.suppress(OSError):
            while True:
                exchange.send(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 1000)

    return act


@hazard("H10", "H214")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_the_deadline_ends_a_call_whose_peer_never_stops_sending(
    run: Run, tls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http11, "_MAX_INTERIM", 10**9)  # otherwise the limits end the call before the deadline
    monkeypatch.setattr(http11, "_MAX_HEAD", 10**9)
    with FaultServer(tls=tls) as srv:
        srv.script(send_hints_forever())
        client = run.client("gateway", srv, retry=RetryPolicy(max_attempts=1), deadline=0.3)
        with pytest.raises(OutcomeUnknownError) as caught:
            run(client, E8.use)
        assert isinstance(caught.value.__cause__, DeadlineExceededError)
        assert sent(srv) == 1
        run.close_client(client)


@hazard("H455")
def test_the_outcome_of_a_charge_with_endless_interim_responses_is_unknown(run: Run, srv: FaultServer) -> None:
    srv.script(send_hints_forever(), send_hints_forever())
    client = run.client("gateway", srv, retry=RetryPolicy(max_attempts=1), timed=False)
    charge, read = run.fails(client, E8.use), run.fails(client, E6.use)
    assert (type(charge), charge.outcome) == (OutcomeUnknownError, "unknown")
    assert isinstance(read, ConnectionFailedError)
    assert "more than 100 interim responses" in str(read)
    assert srv.connections == 2


class Counted:
    """A socket that accepts all bytes, and records the size of each `send`."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def setblocking(self, flag: bool) -> None:
        assert not flag

    def send(self, data: bytes) -> int:
        self.sizes.append(len(data))
        return len(data)

    def recv(self, size: int) -> bytes:
        return b"x"


def counted() -> tuple[Plain, Counted]:
    plain, sock = Plain(), Counted()
    plain.wire = sockets.Socket(cast("socket.socket", sock), CurrentRequest())
    return plain, sock


@hazard("H10")
def test_the_buffer_of_a_socket_is_not_filled_completely(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system reports a full buffer as writable only when a third of it is free again."""
    waits = list[float]()
    monkeypatch.setattr(sockets, "is_writable", lambda _, seconds: not waits.append(seconds))
    monkeypatch.setattr(sockets, "is_readable", lambda _, seconds: True)
    stream, sock = counted()
    for _ in range(2):
        sockets.run(stream.write(Content(b"x" * 40_000), 5.0))
        sockets.run(stream.write(Content(b"x"), 5.0))
        assert (len(waits), len(sock.sizes)) == (3, 4)  # the first piece after a response needs no wait
        assert sockets.run(stream.read(5.0)) == Content(b"x")
        waits.clear()
        sock.sizes.clear()


@hazard("H10")
def test_a_timeout_error_of_a_signal_handler_counts_as_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> bool:
        raise TimeoutError

    monkeypatch.setattr(sockets, "is_writable", interrupt)
    monkeypatch.setattr(sockets, "is_readable", interrupt)
    stream, _ = counted()
    with pytest.raises(WriteTimeoutError):
        sockets.run(stream.write(Content(b"x" * 40_000), 5.0))
    with pytest.raises(ReadTimeoutError):
        sockets.run(stream.read(5.0))


def test_a_socket_whose_descriptor_is_already_closed_can_be_closed() -> None:
    mine, peer = socket.socketpair()
    stream = sockets.Socket(mine, CurrentRequest())
    os.close(mine.fileno())
    stream.close()
    peer.close()


class Pinned(ssl.SSLSocket):
    """A socket class with checks of its own."""


class Wrapping(ssl.SSLContext):
    """A context with checks of its own for sockets."""

    def wrap_socket(self, *args: Any, **options: Any) -> Any:
        return super().wrap_socket(*args, **options)


class WrappingBoth(Wrapping):
    """A context with checks of its own for sockets and for memory."""

    def wrap_bio(self, *args: Any, **options: Any) -> Any:
        return super().wrap_bio(*args, **options)


@hazard("H213")
def test_a_context_whose_checks_would_be_skipped_is_rejected() -> None:
    pinned = ssl.create_default_context()
    pinned.sslsocket_class = Pinned
    for context in (pinned, Wrapping(ssl.PROTOCOL_TLS_CLIENT)):
        with pytest.raises(ConfigurationError, match="move its checks to an sslobject_class"):
            check_ssl_context(context)


@hazard("H213")
def test_a_context_whose_checks_are_used_is_accepted() -> None:
    both, objects = WrappingBoth(ssl.PROTOCOL_TLS_CLIENT), ssl.create_default_context()
    objects.sslsocket_class = Pinned
    objects.sslobject_class = type("PinnedObject", (ssl.SSLObject,), {})
    for context in (both, objects):
        assert check_ssl_context(context) is context


@hazard("H212")
@pytest.mark.parametrize("is_given", [False, True], ids=["pool", "transport of httpx"])
def test_an_exception_that_the_caller_is_handling_is_not_the_reason(run: Run, srv: FaultServer, is_given: bool) -> None:
    options: dict[str, Any] = {"retry": RetryPolicy(max_attempts=2)}
    if is_given:
        options["transport"] = httpx.AsyncHTTPTransport() if run.style == "async" else httpx.HTTPTransport()
        run.opened.append(options["transport"])
    client = run.client("gateway", srv, **options)
    srv.script(f.close_on_accept())
    missing, refusal = FileNotFoundError(2, "No such file or directory"), ssl.SSLCertVerificationError("no")
    try:
        raise missing
    except FileNotFoundError:
        with pytest.raises(OutcomeUnknownError) as lost:
            run(client, E8.use)
    assert "No such file" not in str(lost.value)
    srv.stop_listening()
    try:
        raise refusal
    except ssl.SSLError:
        with pytest.raises(ConnectionFailedError) as refused:
            run(client, E8.use)
    assert (refused.value.outcome, refused.value.attempts) == ("not_sent", 2)  # a failure of TLS would not be retried


class Poll:
    """Records its arguments."""

    def __init__(self, asked: list[object]) -> None:
        self.asked = asked

    def register(self, descriptor: int, event: int) -> None:
        self.asked.append(event)

    def poll(self, milliseconds: float) -> list[object]:
        self.asked.append(milliseconds)
        return []


def test_poll_and_select_get_the_event_and_the_timeout_of_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, peer = socket.socketpair()
    with mine, peer:
        asked = list[object]()
        monkeypatch.setattr(select, "poll", lambda: Poll(asked))
        assert not readiness.is_readable(mine, 0.25)
        assert not readiness.is_writable(mine, 2.0)
        assert not readiness.is_readable(mine, -1.0)
        assert asked == [select.POLLIN, 250.0, select.POLLOUT, 2000.0, select.POLLIN, 0.0]
        monkeypatch.delattr(select, "poll")
        monkeypatch.setattr(select, "select", lambda *given: asked.append(given) or ([], [], []))
        asked.clear()
        assert not readiness.is_readable(mine, 0.25)
        assert not readiness.is_writable(mine, 2.0)
        number = mine.fileno()
        assert asked == [([number], [], [], 0.25), ([], [number], [number], 2.0)]


def test_an_unexpected_exception_while_a_body_is_read_is_raised_unchanged(
    run: Run, srv: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exception isn't a connection failure, and the part of the body before it isn't a receipt."""
    piece = Connection.piece

    def broken(self: Connection) -> Steps[bytes]:
        found = yield from piece(self)
        if not found:
            raise ZeroDivisionError
        return found

    monkeypatch.setattr(Connection, "piece", broken)
    with pytest.raises(ZeroDivisionError):
        run(run.client("gateway", srv), E8.use)


def test_tls_that_has_read_records_from_its_socket_holds_bytes() -> None:
    authority = trustme.CA()
    serving, trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert(HOST).configure_cert(serving)
    authority.configure_trust(trusting)
    service = Service(serving)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = trusting.wrap_bio(incoming, outgoing, server_hostname=HOST)
    for _ in range(3):
        with contextlib.suppress(ssl.SSLWantReadError):
            tls.do_handshake()
        service.receive(outgoing.read())
        incoming.write(service.outgoing())
    assert not tls_holds_bytes(None)
    assert not tls_holds_bytes(tls)
    service.tls.write(b"HTTP/1.1 200 OK")
    assert not tls_holds_bytes(tls)
    incoming.write(service.outgoing())
    assert tls_holds_bytes(tls)
    incoming.write(b"no record of TLS")
    while tls.pending():
        tls.read()
    assert tls_holds_bytes(tls)


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("UNSUPPORTED_PROTOCOL", "TLS failed (unsupported protocol)"),
        ("WRONG_VERSION_NUMBER", "the other side doesn't use TLS"),
        ("TLSV1_ALERT_INTERNAL_ERROR", "the service rejected TLS (alert: internal error)"),
        ("", "the connection ended during TLS"),
    ],
)
def test_a_failure_of_openssl_is_described_in_words(reason: str, text: str) -> None:
    error = ssl.SSLError()
    error.reason = reason
    assert reason_of(error) == text


def test_a_permit_is_not_refused_because_of_a_request_that_will_be_refused() -> None:
    """If two threads request the last permit at the same time, the first one gets it, whichever checks first."""
    first, second, permits = object(), object(), Permits(1)
    assert permits.acquire(first)
    permits._held[second] = None  # requested by another thread, and not refused so far
    assert permits.acquire(first)
    assert not permits.acquire(second)
    permits.release(first)
    assert permits.acquire(second)


def test_a_permit_that_another_thread_releases_reaches_a_waiting_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """The garbage collector may run in any thread when it finds a body, and doesn't wake the event loop."""
    monkeypatch.setattr(pool_async, "_RECHECK_SECONDS", 0.01)

    class Body:
        pass

    async def story() -> None:
        pool, first, second = AsyncConnectionPool(route_of(None, None, Limits(max_connections=1))), Body(), Body()
        mine = await pool._begin(asyncio.get_running_loop())
        held, wanted = weakref.ref(first), weakref.ref(second)
        assert mine.permits.acquire(held)
        request: Any = SimpleNamespace(progress=Progress(), timeouts={"pool": 20.0})
        waiting = asyncio.ensure_future(pool._wait(mine, wanted, request))
        await asyncio.sleep(0)
        await asyncio.to_thread(mine.release_lost, held)
        await waiting
        assert wanted in mine.permits

    asyncio.run(story())
