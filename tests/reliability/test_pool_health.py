"""Full, flooded, forked, and idle connection pools, port 0, common names, and large headers (H352 to H358)."""

from __future__ import annotations

import asyncio
import gc
import os
import ssl
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer, _authority  # pyright: ignore[reportPrivateUsage]
from kit.faults.steps import Act, step
from reliability.kit import Run, hazard
from reliability.operations import E6, E8
from reliability.test_connections import _second_of_two  # pyright: ignore[reportPrivateUsage]
from reliability.test_interrupts import request
from reliability.test_loops import in_a_child
from reliability.test_surplus import Hand, quiet_client
from subscribekit import Limits, RetryPolicy
from subscribekit._core.config.address import Address
from subscribekit._core.http.connections.exchange import Connection
from subscribekit._core.http.connections.pool import ConnectionPool
from subscribekit._core.http.connections.pool_async import AsyncConnectionPool
from subscribekit._core.http.connections.route import Route
from subscribekit._core.http.progress import Progress
from subscribekit._core.http.transport import RawRequest
from subscribekit._core.http.wire.sockets_async import run as carried_out
from subscribekit._core.http.wire.tls import ssl_context_of
from subscribekit._sealed import NOTHING, Content, SealedHeaders
from subscribekit.errors import ConfigurationError, ConnectionFailedError, PoolTimeoutError

HERE = Address("http", "127.0.0.1", 80, "")
ONCE = RetryPolicy(max_attempts=1)


# A full pool


@hazard("H352")
def test_a_wait_for_a_connection_does_not_run_the_garbage_collector(
    run: Run, srv: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected: list[None] = []
    monkeypatch.setattr(gc, "collect", lambda *_: collected.append(None))
    srv.script(f.stall_before_headers())
    client = run.client("gateway", srv, limits=Limits(max_connections=1))
    assert type(_second_of_two(run, srv, client, E6, pool=0.05)) is PoolTimeoutError
    assert collected == []


@hazard("H352")
@pytest.mark.parametrize("is_in_a_cycle", [False, True], ids=["dropped", "in a cycle"])
def test_the_permit_of_an_abandoned_response_is_released(srv: FaultServer, is_in_a_cycle: bool) -> None:
    pool = ConnectionPool(Route(Limits(max_connections=1)))
    response: Any = pool.send(request(srv))
    response.body.connection.close()
    if is_in_a_cycle:
        cycle: list[Any] = [response]
        cycle.append(cycle)
        del cycle
    del response
    gc.collect()
    assert len(pool._process.permits) == 0  # pyright: ignore[reportPrivateUsage]
    pool.close()


# Floods


@step("request")
def flood(number: int) -> Act:
    """Respond in chunks of one byte."""

    def act(exchange: Any) -> None:
        head = exchange.head(200, [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")])
        exchange.send(head + b"1\r\n \r\n" * number + b'c\r\n{"id": "a1"}\r\n0\r\n\r\n')

    return act


@hazard("H353")
def test_a_flood_of_chunks_lets_other_tasks_run(srv: FaultServer) -> None:
    srv.script(flood(20_000))
    turns, pieces = 0, Counter[int]()

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async def story() -> None:
        pool = AsyncConnectionPool(Route(Limits()))
        other_task = asyncio.create_task(others())
        response = await pool.send(request(srv))
        async for piece in response.body:
            pieces[turns] += len(piece)
        await response.body.aclose()
        other_task.cancel()
        await pool.aclose()

    asyncio.run(story())
    assert pieces.total() == 20_012
    assert max(pieces.values()) < 500


@hazard("H353")
def test_reads_without_a_piece_let_other_tasks_run() -> None:
    """A chunk extension can arrive in single bytes, each of which is available without a wait."""

    class Endless:
        def __init__(self) -> None:
            self.left = [b"x"] * 2_000 + [b"\r\n \r\n"]

        async def read(self, _seconds: float) -> Content:
            return Content(self.left.pop(0))

    async def story() -> int:
        turns = 0

        async def others() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0)
                turns += 1

        connection: Any = Connection(Route(Limits()))
        headers = SealedHeaders([(b"Host", b"h")])
        connection._http.begin(RawRequest("GET", HERE, "/", headers, [], NOTHING, {}, Progress(), None, None))
        connection._http.receive(Content(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;"))
        assert connection._http.head() is not None
        connection._stream = connection._plain
        connection._plain.wire = Endless()
        other_task = asyncio.create_task(others())
        assert await carried_out(connection.piece()) == Content(b" ")
        other_task.cancel()
        return turns

    assert asyncio.run(story()) > 10


# Processes


@hazard("H354")
@pytest.mark.posix("there is no fork")
def test_a_child_with_the_process_id_of_its_parent_opens_its_own_connections(
    run: Run, srv: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first process of a container has the process ID 1, and so does its child in a PID namespace of its own."""
    monkeypatch.setattr(os, "getpid", lambda: 1)
    client = run.client("gateway", srv, timed=False)
    run(client, E6.use)
    in_a_child(lambda: run(client, E6.use))
    run(client, E6.use)
    assert [each.connection for each in srv.requests] == [1, 2, 1]
    run.close_client(client)


# Addresses and certificates


@hazard("H355")
@pytest.mark.parametrize("url", ["https://gateway.example:0", "https://gateway.example:0/v1", "http://127.0.0.1:0"])
def test_port_0_is_refused(run: Run, url: str) -> None:
    """A service that has no port so far reports port 0. The scheme's default port may belong to another service."""
    with pytest.raises(ConfigurationError, match="base_url can't have port 0"):
        run.client("gateway", url, timed=False)


@hazard("H355")
def test_port_0_of_a_proxy_is_refused(run: Run) -> None:
    with pytest.raises(ConfigurationError, match="proxy can't have port 0"):
        run.client("gateway", "https://gateway.example", timed=False, proxy="http://proxy.example:0")


@hazard("H355")
@pytest.mark.parametrize(("port", "used"), [(0, 0), (None, 443), (8443, 8443)])
def test_only_an_address_without_a_port_has_the_default_port_of_its_scheme(port: int | None, used: int) -> None:
    assert Address("https", "gateway.example", port, "").tcp_port == used


def use_certificate(srv: FaultServer, **names: Any) -> None:
    """Issue a certificate with these names, and let the server use it."""
    issued = _authority().issue_cert(*names.get("identities", ()), common_name=names.get("common_name"))
    srv._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)  # pyright: ignore[reportPrivateUsage]
    with issued.private_key_and_cert_chain_pem.tempfile() as path:
        srv._tls.load_cert_chain(path)  # pyright: ignore[reportPrivateUsage]


@hazard("H356")
@pytest.mark.parametrize("is_given", [True, False], ids=["context", "file"])
def test_a_certificate_with_a_common_name_only_is_refused(
    run: Run, secure: FaultServer, is_given: bool, tmp_path: Any
) -> None:
    use_certificate(secure, common_name="localhost")
    (tmp_path / "ca.pem").write_bytes(_authority().cert_pem.bytes())
    context = secure.client_context() if is_given else ssl_context_of(str(tmp_path / "ca.pem"))
    client = run.client("gateway", f"https://localhost:{secure.port}", timed=False, retry=ONCE, ssl_context=context)
    error = run.fails(client, E8.use)
    assert type(error) is ConnectionFailedError
    assert (error.outcome, secure.requests) == ("not_sent", [])
    assert "certificate was not accepted" in str(error)
    use_certificate(secure, common_name="localhost", identities=["localhost"])
    assert run(client, E8.use).transaction_reference_id == "ref-1"


# Headers


@hazard("H357")
def test_the_error_says_that_the_headers_are_too_large(run: Run, srv: FaultServer) -> None:
    srv.script(f.big_header())
    error = run.fails(run.client("gateway", srv), E8.use)
    assert "the headers of the response are larger than 100 kB" in str(error)
    assert "HTTP;" not in str(error)


# Idle connections


@hazard("H358")
def test_the_event_loop_closes_idle_connections_while_no_call_is_made(srv: FaultServer) -> None:
    run = Run("async")
    client = run.client("gateway", srv, limits=Limits(keepalive_expiry=0.01, min_idle_before_charge=None))
    run(client, *[E8.use] * 3)
    assert srv.connections == 3
    run.disconnected(srv)
    assert run(client, E6.use).id == "a1"
    run.close()


@hazard("H358")
def test_idle_connections_do_not_keep_a_closed_pool_alive(srv: FaultServer) -> None:
    async def story() -> weakref.ref[Any]:
        pool = AsyncConnectionPool(Route(Limits(keepalive_expiry=3600)))
        response = await pool.send(request(srv))
        async for _ in response.body:
            pass
        await response.body.aclose()
        (mine,) = pool._loops.values()  # pyright: ignore[reportPrivateUsage]
        found = weakref.ref(mine)
        await pool.aclose()
        return found

    found = asyncio.run(story())
    gc.collect()
    assert found() is None


@hazard("H358")
def test_a_call_closes_all_connections_that_have_expired(run: Run, srv: FaultServer) -> None:
    clock = Hand()
    client = quiet_client(run, srv, clock, min_idle_before_charge=None)
    run(client, *[E8.use] * 8)
    clock.now += 6.0
    run(client, E6.use)
    pool = client._driver.transport
    assert len(pool._process.idle if run.style == "blocking" else pool._loops[run.loop].idle) == 1


class Holder:
    """A substitute for the body of a response."""


def test_a_waiting_call_that_another_call_overtakes_is_still_woken_first() -> None:
    pool = ConnectionPool(Route(Limits(max_connections=1), None, None))
    process, holders, got = pool._process, [Holder() for _ in range(4)], list[int]()
    permits: list[Any] = [weakref.ref(each) for each in holders]
    request: Any = SimpleNamespace(progress=Progress(), timeouts={"pool": 60.0})
    assert process.permits.acquire(permits[2])

    def wait(number: int) -> None:
        pool._wait(process, permits[number], request)
        got.append(number)

    def until(condition: Callable[[], bool]) -> None:
        for _ in range(10_000):
            if condition():
                return
            time.sleep(0.001)
        raise AssertionError

    threads = [threading.Thread(target=wait, args=(number,), daemon=True) for number in (0, 1)]
    for number, thread in enumerate(threads, 1):
        thread.start()
        until(lambda number=number: len(process.waiting) == number)
    first = process.waiting[0]
    process.permits.release(permits[2])
    assert process.permits.acquire(permits[3])  # acquired before the woken thread can acquire it
    process.waiting.popleft().release()
    until(lambda: len(process.waiting) == 2)
    assert process.waiting[0] is first
    process.release(permits[3])
    until(lambda: got == [0])
    process.release(permits[0])
    until(lambda: got == [0, 1])
