"""Clients during and after forks, in several event loops and threads, after many faults, and after they're closed."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import threading
import warnings
import weakref
from collections.abc import Callable
from importlib.metadata import requires, version
from typing import Any

import pytest

from kit.faults import scripts as f
from kit.faults.payloads import THING, encode
from kit.faults.server import FaultServer
from kit.faults.steps import Step
from kit.faults.wire import Exchange
from reliability.kit import Run, hazard, sent
from reliability.operations import E1, E3, E6, E8, FREE_GET, NAMED, ONE_OF_EACH, Op
from reliability.test_matrix import CONTENTS, CUT_ANSWER, NO_ANSWER, STATUSES
from subscribekit import Limits, RetryPolicy, Timeouts
from subscribekit.errors import ClientClosedError, OutcomeUnknownError, SubscribekitError

# Forks


def in_a_child(action: Callable[[], None]) -> None:
    """Run a function in a forked child, and assert that the child succeeds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn about threads, and the server has some
        child = os.fork()
    if child == 0:
        status = 1
        try:
            action()
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.posix("there is no fork")
@hazard("H81")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_a_forked_child_has_connections_of_its_own(run: Run, tls: bool) -> None:
    with FaultServer(f.ok(), tls=tls) as srv:
        client = run.client("gateway", srv, timed=False)
        run(client, E6.use)

        def use_and_close() -> None:
            if run.style == "blocking":
                assert client.subscriptions.retrieve("s1").id == "a1"
                client.close()
            else:

                async def story() -> None:
                    assert (await client.subscriptions.retrieve("s1")).id == "a1"
                    await client.aclose()

                asyncio.run(story())

        in_a_child(use_and_close)
        run(client, E6.use)
        assert [request.connection for request in srv.requests] == [1, 2, 1]


@pytest.mark.posix("there is no fork")
@hazard("H81")
def test_a_fork_while_all_connections_are_busy_does_not_block_the_child(srv: FaultServer) -> None:
    run = Run("blocking")
    srv.script(f.stall_before_headers(), f.ok())
    client = run.client("gateway", srv, timed=False, limits=Limits(max_connections=1), timeouts=Timeouts(pool=0.5))
    begun = run.begin(client, E6.use)
    run.arrived(srv, 1)
    in_a_child(lambda: client.subscriptions.retrieve("s1"))
    srv.release()
    run.end(begun)
    run.close()


# Event loops


@hazard("H82")
def test_each_event_loop_has_connections_of_its_own(srv: FaultServer) -> None:
    run = Run("async")
    client = run.client("gateway", srv, timed=False)

    async def twice() -> None:
        await E6.use(client)
        await E6.use(client)

    for _ in range(3):
        asyncio.run(twice())
    gc.collect()
    assert [request.connection for request in srv.requests] == [1, 1, 2, 2, 3, 3]
    run.close()


@hazard("H82")
def test_two_event_loops_at_the_same_time(srv: FaultServer) -> None:
    run = Run("async")
    client = run.client("gateway", srv, timed=False)
    failures: list[BaseException] = []

    def work() -> None:
        own = Run("async")
        try:
            for _ in range(20):
                own(client, E6.use)
        except BaseException as error:
            failures.append(error)
        own.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert (sent(srv), srv.connections) == (80, 4)
    run.close()


# Many calls and faults


@hazard("H83")
def test_a_hundred_calls_share_four_connections(run: Run, srv: FaultServer) -> None:
    limits = Limits(max_connections=4, min_idle_before_charge=0)
    client = run.client("gateway", srv, timed=False, limits=limits, timeouts=Timeouts(pool=30))
    begun = [run.begin(client, op.use) for op in (E6, E8) * 50]
    for each in begun:
        run.end(each)
    assert sent(srv) == 100
    assert srv.connections == 4


@hazard("H83")
def test_faults_in_a_row_use_up_no_connections_or_threads(run: Run, srv: FaultServer) -> None:
    """Acceptance criterion 7: after all faults, the same client still works."""
    rows = [*NO_ANSWER, *CUT_ANSWER, *STATUSES, *CONTENTS]
    limits = Limits(max_connections=2)
    clients = {op.group: run.client(op.group, srv, limits=limits) for op in ONE_OF_EACH}
    for row in rows:
        srv.script(row.step)
        for op in ONE_OF_EACH:
            with contextlib.suppress(SubscribekitError):
                run(clients[op.group], op.use)
    threads = threading.active_count()
    for op in ONE_OF_EACH:
        srv.script(op.good)
        run(clients[op.group], op.use)
        run(clients[op.group], op.use)
    assert threading.active_count() <= threads + 2  # these two are the server's
    for network in [each for each in run.opened if hasattr(each, "clock")]:
        run.close_client(network)
    run.disconnected(srv)


@hazard("H84")
def test_threads_with_options_of_their_own_do_not_mix(srv: FaultServer) -> None:
    run = Run("blocking")
    srv.script(NAMED)
    client = run.client("gateway", srv, timed=False)

    def work(number: int) -> None:
        own = client.with_options(headers={"X-Tenant": f"t-{number}"}, deadline=10.0 + number)
        for call in range(10):
            own.subscriptions.retrieve(f"s-{number}-{call}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sent(srv) == 320
    for request in srv.requests:
        assert request.target.split("/")[-1].split("-")[1] == request.values("x-tenant")[0].removeprefix("t-")
    client.subscriptions.retrieve("s1")
    assert srv.requests[-1].values("x-tenant") == []
    run.close()


# Closing


@hazard("H85")
def test_a_call_of_a_closed_client_raises_an_error(run: Run, srv: FaultServer) -> None:
    client = run.client("billing", srv, timed=False)
    copy = client.with_options(deadline=5.0)
    srv.script(E3.good)
    run(client, E3.use)
    run.close_client(client)
    run.close_client(client)
    for each in (client, copy):
        for use in (E1.use, E3.use, FREE_GET.use):
            error = run.fails(each, use)
            assert type(error) is ClientClosedError
            assert error.outcome == "not_sent"
    run.disconnected(srv)
    assert len(srv.requests) == 1


@hazard("H85")
def test_a_call_may_end_after_its_client_was_closed(run: Run, srv: FaultServer) -> None:
    srv.script(f.stall_before_headers())
    client = run.client("gateway", srv, timed=False)
    begun = run.begin(client, E8.use)
    run.arrived(srv, 1)
    run.close_client(client)
    srv.release()
    assert run.end(begun).transaction_reference_id == "ref-1"
    run.disconnected(srv)


@hazard("H85")
def test_a_retry_after_the_close_leaves_no_connection(run: Run, srv: FaultServer) -> None:
    run.http_backend = "direct"  # with the default one, a client with a clock doesn't own its connections
    client = run.client("gateway", srv)
    network = client._driver.transport
    srv.script(f.status(500), f.ok())
    if run.style == "blocking":
        run.time.while_asleep = network.close
        run(client, E6.use)
    else:

        async def story() -> None:
            async def sleep(_: float) -> None:
                await network.aclose()

            object.__setattr__(client._settings.clock, "sleep_async", sleep)
            await E6.use(client)

        run.wait(story())
    run.disconnected(srv)


@hazard("H85")
def test_a_with_block_closes_the_connections(run: Run, srv: FaultServer) -> None:
    if run.style == "blocking":
        with run.client("gateway", srv, timed=False) as client:
            client.subscriptions.retrieve("s1")
    else:

        async def story() -> None:
            async with run.client("gateway", srv, timed=False) as client:
                await client.subscriptions.retrieve("s1")

        run.wait(story())
    run.disconnected(srv)


@hazard("H85")
def test_a_client_that_was_never_closed_only_warns_when_it_is_collected(srv: FaultServer) -> None:
    from subscribekit import GatewayClient

    client = GatewayClient(base_url=srv.url, api_key="k", allow_insecure_loopback=True)
    client.subscriptions.retrieve("s1")
    assert not any("__del__" in vars(kind) for kind in type(client).__mro__)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        del client
        gc.collect()
    assert {warning.category for warning in caught} == {ResourceWarning}


@hazard("H85")
def test_a_transport_of_the_application_is_not_closed(run: Run, srv: FaultServer) -> None:
    first = run.client("gateway", srv)
    second = run.client("gateway", srv, transport=first._driver.transport)
    run.close_client(first)
    assert run(second, E6.use).id == "a1"


@hazard("H86")
def test_the_dependencies_have_versions_without_known_faults() -> None:
    floors = {"httpx": (0, 28, 1), "httpcore": (1, 0, 9), "h11": (0, 16, 0), "pydantic": (2, 14, 0), "tenacity": (9, 1)}
    for name, floor in floors.items():
        assert tuple(int(part) for part in version(name).split(".")[: len(floor)]) >= floor, name
    declared = " ".join(requires("subscribekit") or [])
    assert "httpx<0.29,>=0.28.1" in declared


@hazard("H83")
@pytest.mark.parametrize("op", [E6, E8], ids=str)
@pytest.mark.parametrize("step", [f.status(404), f.close_after_request(), f.truncate(), f.gzip_bomb(16)], ids=str)
def test_an_error_that_was_handled_is_freed_at_once(run: Run, srv: FaultServer, op: Op, step: Step) -> None:
    # Otherwise, the error would keep its frames, with bodies and requests, until the next garbage collection.
    srv.script(step)
    client = run.client("gateway", srv, timed=False, retry=RetryPolicy(max_attempts=1))

    async def story() -> weakref.ref[SubscribekitError]:
        try:
            result = op.use(client)
            await result if run.style == "async" else None
        except SubscribekitError as error:
            return weakref.ref(error)
        raise AssertionError("no error")

    gc.collect()
    gc.disable()
    try:
        assert run.wait(story())() is None
    finally:
        gc.enable()


@hazard("H58")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("op", [E6, E8], ids=str)
def test_an_unrequested_response_is_not_mistaken_for_the_response_to_the_next_call(run: Run, op: Op, tls: bool) -> None:
    with FaultServer(f.smuggle("second_answer"), tls=tls) as srv:
        client = run.client("gateway", srv)
        srv.script(f.smuggle("second_answer"), op.good)
        assert run(client, E6.use).id == "a1"
        result: Any = run(client, op.use)
        assert getattr(result, "id", "a1") == "a1"
        assert srv.connections == 2


@hazard("H58")
@pytest.mark.parametrize("op", [E6, E8], ids=str)
def test_a_surplus_response_in_its_own_tls_record_is_detected(run: Run, op: Op) -> None:
    is_sent = threading.Event()

    def two_records(exchange: Exchange) -> None:
        for body in (encode(THING), b'{"id": "smuggled"}'):
            exchange.send(exchange.framed(200, body))
        is_sent.set()

    with FaultServer(Step("two_records", "request", two_records), op.good, tls=True) as srv:
        client = run.client("gateway", srv)
        assert run(client, E6.use).id == "a1"
        assert is_sent.wait(5)
        result: Any = run(client, op.use)
        assert getattr(result, "id", "a1") == "a1"
        assert srv.connections == 2


@hazard("H58")
def test_a_read_gets_a_new_connection_after_a_response_that_is_framed_in_two_ways(run: Run, srv: FaultServer) -> None:
    client = run.client("gateway", srv)
    srv.script(f.smuggle("length_and_chunked"), f.ok())
    assert run(client, E6.use).id == "a1"
    assert srv.connections == 2


@hazard("H58")
@pytest.mark.parametrize("step", [f.raw(), f.big_header(), f.smuggle("two_lengths")], ids=str)
def test_no_connection_is_used_after_a_protocol_error(run: Run, srv: FaultServer, step: Step) -> None:
    client = run.client("gateway", srv)
    srv.script(step, f.ok())
    assert isinstance(run.fails(client, E8.use), OutcomeUnknownError)
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    assert srv.connections == 2


@hazard("H58")
def test_hints_before_the_response_are_skipped(run: Run, srv: FaultServer) -> None:
    srv.script(f.early_hints(3), f.ok())
    client = run.client("gateway", srv, limits=Limits(min_idle_before_charge=0))
    run(client, E6.use, E8.use)
    assert srv.connections == 1
