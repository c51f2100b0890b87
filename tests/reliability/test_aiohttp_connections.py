"""What the aiohttp backend does with its connections, and what it tells of a request that failed."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import random
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from faults import scripts as f
from faults.server import FaultServer
from faults.steps import Step, step
from faults.wire import Exchange
from reliability.aiohttp_kit import AiohttpRun
from reliability.kit import BASIC, SECRETS, Run, hazard
from reliability.operations import E3, E6, E8, Op
from subscribekit import AsyncGatewayClient, Limits, RetryPolicy
from subscribekit._core.http.aiohttp_transport import AiohttpTransport
from subscribekit.errors import ConnectionFailedError, SubscribekitError
from subscribekit.transports import aiohttp


@pytest.fixture
def run() -> Iterator[Run]:
    runner = AiohttpRun()
    yield runner
    runner.close()


def descriptors() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


@step("request")
def answer_twice(later: float = 0.0) -> Any:
    """Answer, and answer once more what nobody asked for."""

    def act(exchange: Exchange) -> None:
        good = b'{"object": "Subscription", "id": "a1", "transactionReferenceId": "forged"}'
        exchange.send(exchange.framed(200, good))
        exchange.gate.wait(later)
        exchange.send(exchange.framed(200, good))

    return act


@hazard("H58", "H107")
@pytest.mark.parametrize("op", [E6, E8], ids=str)
@pytest.mark.parametrize("is_busy", [False, True], ids=["idle", "busy"])
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_a_surplus_response_is_nobody_s(run: Run, op: Op, is_busy: bool, tls: bool) -> None:
    """Whether the event loop has read it or not: the next call is refused, and must not succeed."""
    with FaultServer(answer_twice(0.05), f.status(402), tls=tls) as server:
        client = run.client("gateway", server)

        async def story() -> SubscribekitError:
            await E6.use(client)
            time.sleep(0.2) if is_busy else await asyncio.sleep(0.2)
            with pytest.raises(SubscribekitError) as caught:
                await op.use(client)
            return caught.value

        assert run.wait(story()).outcome == "rejected"
        assert len(server.requests) == 2
        assert server.connections == 2


@hazard("H108")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_connections_that_ended_while_the_loop_was_busy_are_not_used(run: Run, tls: bool) -> None:
    with FaultServer(f.close_when_idle(), tls=tls) as server:
        client = run.client("gateway", server)

        async def story() -> None:
            for _ in range(3):
                await asyncio.gather(*(E8.use(client) for _ in range(16)))
                time.sleep(0.2)

        run.wait(story())
        assert len(server.requests) == 48


@hazard("H176")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_an_upload_that_its_deadline_cut_off_leaves_no_connection_behind(run: Run, tls: bool) -> None:
    """A service that reads nothing must not keep a socket of ours, nor get the rest of a request that was given up."""
    with FaultServer(f.never_read(), tls=tls) as server:
        client = run.client("gateway", server, timed=False, deadline=0.3)

        async def story() -> tuple[int, int]:
            await asyncio.sleep(0)
            before = descriptors()
            with pytest.raises(SubscribekitError):
                await client.request("POST", "/v1/x", json={"text": "x" * 8_000_000})
            await asyncio.sleep(0.01)
            return before, descriptors()

        before, after = run.wait(story())
        assert after <= before + 1  # the service's own end


@hazard("H03")
def test_a_deadline_that_passes_while_connecting_got_nothing(run: Run) -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        fillers = [socket.socket() for _ in range(4)]
        for each in fillers:
            each.setblocking(False)
            each.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}"
        error = run.fails(run.client("gateway", url, timed=False, deadline=0.3), E8.use)
        assert error.outcome == "not_sent"
        for each in fillers:
            each.close()


def test_headers_of_60_kilobytes_are_read(run: Run, srv: FaultServer) -> None:
    srv.script(f.big_header(60))
    assert run(run.client("gateway", srv), E8.use).transaction_reference_id == "ref-1"


@hazard("H28")
@pytest.mark.parametrize(
    "fault",
    [f.close_after_request(), f.raw(), f.big_header(), f.close_after_headers(), f.smuggle("length_and_chunked")],
    ids=str,
)
def test_texts_and_logs_show_no_address_and_no_secret(
    run: Run, srv: FaultServer, fault: Step, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    srv.script(fault)
    error = run.fails(run.client("billing", srv), E3.use)
    shown = f"{error} {error!r} {error.__cause__} {error.__context__} {caplog.text}"
    for secret in (*SECRETS, BASIC, "jane", "example.org", "?"):
        assert secret not in shown


@pytest.mark.parametrize("fault", [f.tls_abort(), f.tls_plaintext(), f.tls_eof()], ids=str)
def test_a_failed_handshake_says_what_it_was(run: Run, secure: FaultServer, fault: Step) -> None:
    secure.script(fault)
    error = run.fails(run.client("gateway", secure, retry=RetryPolicy(max_attempts=1)), E8.use)
    assert type(error) is ConnectionFailedError
    assert error.outcome == "not_sent"


@hazard("H109")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_finished_event_loops_leave_no_file_open(tls: bool) -> None:
    with FaultServer(f.ok(), tls=tls) as server:
        backend = aiohttp(ssl_context=server.client_context() if tls else None)
        client = AsyncGatewayClient(base_url=server.url, api_key="k", allow_insecure_loopback=True, transport=backend)

        async def read() -> None:
            await client.subscriptions.retrieve("s1")

        asyncio.run(read())
        before = len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(300):
            asyncio.run(read())
        server.wait_until_disconnected()
        assert len(list(Path("/proc/self/fd").iterdir())) <= before


@hazard("H81")
def test_a_forked_child_with_the_same_loop_leaves_the_parent_s_connection_alone(run: Run, srv: FaultServer) -> None:
    client = run.client("gateway", srv, timed=False)
    run(client, E6.use)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            run(client, E8.use)
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert [request.connection for request in srv.requests] == [1, 2]


@hazard("H80")
def test_cancelled_calls_cost_no_connection_for_good(run: Run, srv: FaultServer) -> None:
    draw = random.Random(80)
    client = run.client("gateway", srv, timed=False, limits=Limits(max_connections=5))

    async def cancelled() -> None:
        task = asyncio.ensure_future(E6.use(client))
        for _ in range(draw.randrange(40)):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    async def story() -> list[Any]:
        for _ in range(20):
            await asyncio.gather(*(cancelled() for _ in range(20)))
        return await asyncio.gather(*(E6.use(client) for _ in range(5)))

    assert [each.id for each in run.wait(story())] == ["a1"] * 5
    ((loop, _),) = client._driver.transport._loops.values()
    assert loop.slots._value == 5
    assert loop._in_use == 0
    run.wait(client._driver.transport.aclose())
    run.disconnected(srv)
    gc.collect()


@hazard("H85")
def test_a_call_may_end_after_the_backend_was_closed(run: Run, srv: FaultServer) -> None:
    srv.script(f.stall_before_headers())
    client = run.client("gateway", srv)
    begun = run.begin(client, E8.use)
    run.arrived(srv, 1)
    run.wait(client._driver.transport.aclose())
    srv.release()
    assert run.end(begun).transaction_reference_id == "ref-1"
    run.disconnected(srv)


@hazard("H109")
@pytest.mark.filterwarnings("ignore:Unclosed:ResourceWarning", "ignore:unclosed:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_loops_that_were_closed_by_hand_are_forgotten(srv: FaultServer) -> None:
    backend = aiohttp()
    client = AsyncGatewayClient(base_url=srv.url, api_key="k", allow_insecure_loopback=True, transport=backend)
    for _ in range(4):
        loop = asyncio.new_event_loop()
        loop.run_until_complete(E6.use(client))
        loop.close()
    assert isinstance(backend, AiohttpTransport)
    assert len(backend._loops) == 1
    backend._loops.clear()
    del client, loop
    gc.collect()  # here, where the warnings of what was never closed are expected
