"""Connections of closed event loops, of forked children, and idle ones; missing descriptors; and TLS failures."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from reliability.kit import Run, hazard, sent
from reliability.operations import E6, E8, Op
from reliability.test_life import in_a_child
from subscribekit import AsyncGatewayClient, Limits, RetryPolicy
from subscribekit._core.http.connections.http11 import HTTP11
from subscribekit._core.http.transport import RawRequest
from subscribekit._sealed import Content
from subscribekit.errors import ConfigurationError, ConnectionFailedError


@pytest.fixture
def loop() -> Iterator[Run]:
    """A `Run` with async clients only."""
    run = Run("async")
    yield run
    run.close()


def descriptors() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


# Event loops that end


@hazard("H101")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_many_event_loops_of_one_client_leave_no_descriptor_open(loop: Run, tls: bool) -> None:
    with FaultServer(f.ok(), tls=tls) as srv:
        client, count = loop.client("gateway", srv, timed=False), 40 if tls else 300

        async def call() -> None:
            await asyncio.gather(E6.use(client), E8.use(client))

        asyncio.run(call())
        before = descriptors()
        for _ in range(count):
            asyncio.run(call())
        srv.wait_until_disconnected()  # the end of a loop closes its connections, not the next call
        assert descriptors() <= before
        assert len(client._driver.transport._pool._loops) <= 1
        assert sent(srv) == 2 * (count + 1)


@hazard("H101")
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # asyncio warns about connections that a closed loop leaves open
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_loops_closed_without_a_shutdown_do_not_accumulate_connections(loop: Run, srv: FaultServer) -> None:
    client = loop.client("gateway", srv, timed=False)
    gc.collect()
    gc.disable()  # the SDK closes the connections, not the garbage collector
    try:
        opened: list[int] = []
        for _ in range(20):
            mine = asyncio.new_event_loop()
            mine.run_until_complete(E6.use(client))
            mine.close()
            opened.append(srv.open_connections)
        assert max(opened[5:]) <= 3
        loop(client, E6.use)  # also closes the connections of the last loop
    finally:
        gc.enable()
        gc.collect()


@hazard("H101")
def test_a_loop_that_runs_keeps_its_connections_when_another_ends(loop: Run, srv: FaultServer) -> None:
    client = loop.client("gateway", srv, timed=False)
    loop(client, E6.use)
    other = Run("async")
    other(client, E6.use)
    other.close()
    third = Run("async")
    third(client, E6.use)
    loop(client, E6.use)
    assert [request.connection for request in srv.requests] == [1, 2, 3, 1]
    third.close()


# Forks


@hazard("H81")
def test_a_forked_child_that_uses_the_same_loop_opens_its_own_connections(loop: Run, srv: FaultServer) -> None:
    client = loop.client("gateway", srv, timed=False)
    loop(client, E6.use)

    def use_client() -> None:
        loop(client, E8.use)
        loop.wait(client.aclose())

    in_a_child(use_client)
    loop(client, E6.use)
    assert [request.connection for request in srv.requests] == [1, 2, 1]


# Other event loops


@hazard("H106")
@pytest.mark.parametrize("op", [E6, E8], ids=str)
def test_without_asyncio_the_pool_raises_an_error_that_names_asyncio(srv: FaultServer, op: Op) -> None:
    client = AsyncGatewayClient(base_url=srv.url, api_key="k", allow_insecure_loopback=True)
    request: Any = None  # never used
    sending = client._driver.transport.send(request)  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(ConfigurationError, match="asyncio event loop") as caught:
        sending.send(None)
    assert caught.value.outcome == "not_sent"
    assert srv.requests == []


# Idle connections


@hazard("H05")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("op", [E6, E8], ids=str)
def test_a_connection_is_checked_again_before_the_first_byte(
    run: Run, op: Op, tls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FaultServer(tls=tls) as srv:
        limits = Limits(min_idle_before_charge=0)
        client = run.client("gateway", srv, retry=RetryPolicy(max_attempts=1), limits=limits)
        run(client, E6.use)
        ended: list[int] = []

        def end() -> None:
            """End the idle connection after the pool has chosen it and before a byte of the request is written."""
            if not ended:
                ended.append(1)
                with srv._changed:  # pyright: ignore[reportPrivateUsage]
                    srv._end_idle_connections()  # pyright: ignore[reportPrivateUsage]
                srv.wait_until_disconnected()

        _before_each_write(monkeypatch, end)
        run(client, op.use)  # takes one attempt, because nothing was sent on the first connection
        assert ended
        assert (srv.connections, sent(srv), run.time.slept) == (2, 2, [])
        srv.assert_no_duplicate()


def _before_each_write(monkeypatch: pytest.MonkeyPatch, act: Any) -> None:
    begin = HTTP11.begin

    def begin_late(self: HTTP11, request: RawRequest) -> Content:
        act()
        return begin(self, request)

    monkeypatch.setattr(HTTP11, "begin", begin_late)


@hazard("H05", "H83")
def test_expired_connections_are_closed_even_if_calls_only_use_a_newer_one(
    run: Run, srv: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = run.client("gateway", srv, timed=False, limits=Limits(keepalive_expiry=60))
    srv.script(f.stall_before_headers())
    begun = [run.begin(client, E6.use) for _ in range(6)]
    run.arrived(srv, 6)
    srv.release()
    for each in begun:
        run.end(each)
    assert srv.open_connections == 6
    srv.script(f.ok())
    idle = _idle(run, client)
    for connection in [*idle][:-1]:  # all except the one that the next call uses
        connection.idle_since -= 61
    for _ in range(4):
        run(client, E6.use)
    assert len(idle) == 1
    deadline = time.monotonic() + 5
    while srv.open_connections > 1:
        assert time.monotonic() < deadline
        run.wait(asyncio.sleep(0.01))


def _idle(run: Run, client: Any) -> Any:
    pool = client._driver.transport._pool
    return pool._process.idle if run.style == "blocking" else pool._loops[run.loop].idle


# No free descriptors


@hazard("H102")
@pytest.mark.parametrize("style", ["blocking", "async"])
@pytest.mark.parametrize("use", ["charge", "retrieve"])
def test_without_free_descriptors_nothing_was_sent(srv: FaultServer, style: str, use: str) -> None:
    program = f"""
        import asyncio, os, resource, sys
        import subscribekit
        from decimal import Decimal
        from subscribekit.models import EntitlementCharge

        charge = EntitlementCharge(transaction_id="t", product_code="p", amount=Decimal(1), currency="EUR")
        options = dict(base_url={srv.url!r}, api_key="k", allow_insecure_loopback=True)

        def exhaust():
            resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
            held = []
            try:
                while True:
                    held.append(os.open("/dev/null", os.O_RDONLY))
            except OSError:
                return held

        def act(client):
            if {use!r} == "charge":
                return client.entitlements.charge("ps1", charge)
            return client.subscriptions.retrieve("s1")

        async def story():
            client = subscribekit.AsyncGatewayClient(**options)
            held = exhaust()
            await act(client)

        try:
            if {style!r} == "async":
                asyncio.run(story())
            else:
                client = subscribekit.GatewayClient(**options, retry=subscribekit.RetryPolicy(max_attempts=1))
                held = exhaust()
                act(client)
        except subscribekit.errors.SubscribekitError as error:
            print(type(error).__name__, error.outcome, str(error))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.startswith("ConnectionFailedError not_sent"), done.stdout + done.stderr
    assert "Too many open files" in done.stdout
    assert srv.requests == []


# Failed TLS handshakes


@hazard("H105")
def test_the_error_of_a_stalled_handshake_says_that_it_timed_out(run: Run, secure: FaultServer) -> None:
    from subscribekit import Timeouts

    secure.script(f.tls_stall())
    client = run.client("gateway", secure, timeouts=Timeouts(connect=0.2), retry=RetryPolicy(max_attempts=1))
    error = run.fails(client, E8.use)
    assert (type(error), error.outcome) == (ConnectionFailedError, "not_sent")
    assert "the TLS handshake didn't finish in time" in str(error)


@hazard("H105")
@pytest.mark.parametrize(
    ("step", "text"), [(f.tls_abort(), "the service rejected TLS"), (f.tls_plaintext(), "doesn't use TLS")], ids=str
)
def test_the_error_of_a_rejected_handshake_names_the_cause(run: Run, secure: FaultServer, step: Any, text: str) -> None:
    secure.script(step)
    error = run.fails(run.client("gateway", secure), E8.use)
    assert (type(error), error.outcome, error.attempts) == (ConnectionFailedError, "not_sent", 1)
    assert text in str(error)
    assert "_" not in str(error).partition("subscribekit")[0]


@contextlib.contextmanager
def _closing(*each: Any) -> Iterator[None]:
    try:
        yield
    finally:
        for one in each:
            with contextlib.suppress(OSError):
                one.close()


@hazard("H105")
@pytest.mark.parametrize("version", ["TLSv1_2", "TLSv1_3"])
def test_a_missing_client_certificate_is_reported_as_a_rejection(run: Run, version: str) -> None:
    import ssl
    import threading

    with FaultServer(tls=True) as srv:
        context = srv._tls  # pyright: ignore[reportPrivateUsage]
        assert context is not None
        trusted = srv.client_context()
    context.verify_mode = ssl.CERT_REQUIRED
    context.maximum_version = ssl.TLSVersion[version]
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                sock, _ = listener.accept()
                with context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False) as secured:
                    with contextlib.suppress(OSError):
                        secured.do_handshake()
                    while os.read(secured.fileno(), 65536):  # otherwise a reset would overtake the alert
                        pass

    threading.Thread(target=serve, daemon=True).start()
    address = f"https://127.0.0.1:{listener.getsockname()[1]}"
    with _closing(listener):
        client = run.client("gateway", address, ssl_context=trusted, retry=RetryPolicy(max_attempts=1))
        error = run.fails(client, E8.use)
        if version == "TLSv1_2":
            assert "the service rejected TLS (alert: handshake failure)" in str(error)
            assert error.outcome == "not_sent"
        else:  # TLS 1.3 reports the rejection after the handshake, when the request is in flight
            assert "rejected the client certificate" in str(error)
            assert error.outcome == "unknown"
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.MAXIMUM_SUPPORTED
