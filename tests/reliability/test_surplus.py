"""A response that no request asked for never becomes the receipt of a charge (H350, H351)."""

from __future__ import annotations

import asyncio
import pickle
from dataclasses import replace
from typing import Any

import httpx
import pytest

from bulk.kit import jobs
from kit.faults import scripts as f
from kit.faults.payloads import THING, encode
from kit.faults.server import FaultServer
from kit.faults.steps import Act, step
from kit.faults.wire import Exchange
from reliability.kit import Run, hazard, sent
from reliability.operations import E6, E8
from subscribekit import Limits, RetryPolicy, transports
from subscribekit._core.http.connections.http11 import HTTP11
from subscribekit._core.http.connections.pool import ConnectionPool
from subscribekit._core.http.connections.pool_async import AsyncConnectionPool
from subscribekit._core.http.connections.route import Route
from subscribekit.bulk import Run as BulkRun
from subscribekit.errors import ConfigurationError, OutcomeUnknownError

ONCE = RetryPolicy(max_attempts=1)


class Hand:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def trace_of(exchange: Exchange) -> str:
    return exchange.request.header("X-B3-TraceId") or ""


def traced(exchange: Exchange, trace: str, body: Any = THING) -> bytes:
    data = encode(body)
    head = [("X-B3-TraceId", trace), ("Content-Type", "application/json"), ("Content-Length", str(len(data)))]
    return exchange.head(200, head) + data


@step("request")
def with_trace(trace: str | None = None) -> Act:
    """Respond with a trace ID, by default with the trace ID of the request."""

    def act(exchange: Exchange) -> None:
        exchange.send(traced(exchange, trace or trace_of(exchange)))

    return act


def with_earlier_trace(srv: FaultServer, number: int = 0) -> Any:
    """Respond with the trace ID of an earlier request."""

    @step("request")
    def earlier() -> Act:
        return lambda exchange: exchange.send(traced(exchange, srv.requests[number].header("X-B3-TraceId") or ""))

    return earlier()


@hazard("H350")
@pytest.mark.parametrize("before", [1, 3])
def test_a_response_with_the_trace_of_an_earlier_request_is_not_a_receipt(
    run: Run, srv: FaultServer, before: int
) -> None:
    srv.script(*[with_trace()] * before, with_earlier_trace(srv), f.ok())
    client = run.client("gateway", srv, limits=Limits(min_idle_before_charge=0), retry=RetryPolicy(max_attempts=3))
    for _ in range(before):
        run(client, E6.use)
    error = run.fails(client, E8.use)
    assert isinstance(error, OutcomeUnknownError)
    assert "belongs to an earlier request" in str(error)
    assert (error.attempts, error.phase, sent(srv)) == (1, "body_sent", before + 1)
    run(client, E6.use)
    assert srv.connections == 2, "the connection was reused"


@hazard("H350")
@pytest.mark.parametrize("code", [400, 403, 429, 503])
def test_a_refusal_of_an_earlier_request_does_not_say_that_the_charge_was_refused(
    run: Run, srv: FaultServer, code: int
) -> None:
    """The caller sends a charge again if it seems to be rejected."""

    @step("request")
    def refusal() -> Act:
        def act(exchange: Exchange) -> None:
            trace = srv.requests[0].header("X-B3-TraceId") or ""
            exchange.send(exchange.head(code, [("X-B3-TraceId", trace), ("Content-Length", "0")]))

        return act

    srv.script(with_trace(), refusal(), f.ok())
    client = run.client("gateway", srv, limits=Limits(min_idle_before_charge=0))
    run(client, E6.use)
    assert isinstance(run.fails(client, E8.use), OutcomeUnknownError)
    assert sent(srv) == 2


@hazard("H350")
def test_a_read_that_gets_an_earlier_response_is_retried(run: Run, srv: FaultServer) -> None:
    srv.script(with_trace(), with_earlier_trace(srv), f.ok())
    client = run.client("gateway", srv)
    run(client, E6.use, E6.use)
    assert (srv.connections, sent(srv)) == (2, 3)


@hazard("H350")
@pytest.mark.parametrize("trace", [None, "ab" * 16], ids=["own", "unknown"])
def test_the_trace_of_the_request_and_an_unknown_trace_are_accepted(
    run: Run, srv: FaultServer, trace: str | None
) -> None:
    srv.script(with_trace(), with_trace(trace))
    client = run.client("gateway", srv, limits=Limits(min_idle_before_charge=0))
    run(client, E6.use, E6.use)
    assert (srv.connections, sent(srv)) == (1, 2)


@hazard("H350")
def test_requests_of_one_trace_share_a_connection(run: Run, srv: FaultServer) -> None:
    import subscribekit

    srv.script(with_trace())
    client = run.client("gateway", srv)
    with subscribekit.trace():
        run(client, E6.use, E6.use, E6.use)
    assert (srv.connections, sent(srv)) == (1, 3)


@hazard("H350")
def test_the_number_of_traces_of_a_connection_is_limited() -> None:
    http = HTTP11()
    assert http._earlier.maxlen is not None  # pyright: ignore[reportPrivateUsage]


def quiet_client(run: Run, srv: FaultServer, clock: Hand, **limits: Any) -> Any:
    """Create a client whose connections age by the clock of the test."""
    kind: Any = ConnectionPool if run.style == "blocking" else AsyncConnectionPool
    pool = kind(Route(Limits(**limits), monotonic=clock))
    pool.clock = run.time.clock()
    run.opened.append(pool)
    return run.client("gateway", srv, transport=pool, limits=Limits(**limits))


@hazard("H351")
@pytest.mark.parametrize(
    ("limits", "gap", "opened"),
    [
        ({}, 0.0, 2), ({}, 0.04, 2), ({}, 0.06, 1), ({"min_idle_before_charge": 0.2}, 0.1, 2),
        ({"min_idle_before_charge": 0}, 0.0, 1), ({"min_idle_before_charge": None}, 0.5, 2),
        ({"min_idle_before_charge": 0}, 1.5, 2),
    ],
)  # fmt: skip
def test_a_charge_uses_a_connection_that_was_idle_long_enough(
    run: Run, srv: FaultServer, limits: dict[str, Any], gap: float, opened: int
) -> None:
    clock = Hand()
    client = quiet_client(run, srv, clock, **limits)
    run(client, E6.use)
    clock.now += gap
    run(client, E8.use)
    assert (srv.connections, sent(srv)) == (opened, 2)


@hazard("H351")
@pytest.mark.parametrize("kind", ["direct", "pooled", "client"])
@pytest.mark.parametrize(
    ("limits", "opened"), [({"min_idle_before_charge": 0}, 1), ({"min_idle_before_charge": None}, 2)]
)
def test_the_minimum_idle_time_of_the_callers_own_connections_is_used(
    run: Run, srv: FaultServer, kind: str, limits: dict[str, Any], opened: int
) -> None:
    """The client doesn't replace this time with its own default."""
    pooled: Any = transports.PooledTransport if run.style == "blocking" else transports.AsyncPooledTransport
    given: Any = (transports.direct if kind == "direct" else pooled)(limits=Limits(**limits))
    if kind == "client":
        given = (httpx.Client if run.style == "blocking" else httpx.AsyncClient)(transport=given)
    run.opened.append(given)
    client = run.client("gateway", srv, timed=False, **{"http_client" if kind == "client" else "transport": given})
    assert client._driver.settings.min_idle_before_charge == limits["min_idle_before_charge"]
    run(client, E6.use, E8.use)
    assert (srv.connections, sent(srv)) == (opened, 2)


@hazard("H351")
def test_reads_use_a_connection_that_was_just_used(run: Run, srv: FaultServer) -> None:
    client = quiet_client(run, srv, Hand(), min_idle_before_charge=None)
    run(client, E6.use, E6.use, E6.use)
    assert srv.connections == 1


@hazard("H351")
def test_a_charge_uses_the_one_connection_that_was_idle_long_enough(run: Run, srv: FaultServer) -> None:
    clock = Hand()
    client = quiet_client(run, srv, clock)
    run(client, E8.use, E8.use)
    clock.now += 0.06
    run(client, E6.use, E8.use)
    assert [each.connection for each in srv.requests] == [1, 2, 2, 1]


@hazard("H351")
@pytest.mark.parametrize("most", [1, 2])
def test_charges_in_a_row_leave_no_more_idle_connections_than_allowed(run: Run, srv: FaultServer, most: int) -> None:
    client = quiet_client(run, srv, Hand(), max_connections=most)
    run(client, *[E8.use] * 5)
    assert srv.connections == 5
    pool = client._driver.transport
    assert len(pool._process.idle if run.style == "blocking" else pool._loops[run.loop].idle) == most


@hazard("H351")
@pytest.mark.parametrize(
    "limits", [None, Limits(), Limits(min_idle_before_charge=0.05)], ids=["none", "unset", "given"]
)
def test_workers_of_a_run_reuse_their_connection_unless_a_minimum_idle_time_is_set(
    srv: FaultServer, limits: Limits | None, tmp_path: Any
) -> None:
    run = Run("blocking")
    try:
        clock = Hand()
        client = quiet_client(run, srv, clock)
        if limits is not None:
            pool = ConnectionPool(Route(limits, monotonic=clock))
            pool.clock = run.time.clock()  # type: ignore[attr-defined]  # transports of the sandbox have a clock, too
            run.opened.append(pool)
            client = run.client("gateway", srv, transport=pool, limits=limits)
        with BulkRun(tmp_path / "run.db", client, concurrency=1) as bulk:
            bulk.add(jobs(client, 4))
            assert len(list(bulk.send())) == 4
        is_given = limits is not None and type(limits.min_idle_before_charge) is float
        assert (srv.connections, sent(srv)) == (4 if is_given else 1, 4)
    finally:
        run.close()


@hazard("H351")
def test_the_default_is_still_a_default_in_a_copy_of_limits() -> None:
    for copied in (replace(Limits(), max_connections=3), pickle.loads(pickle.dumps(Limits()))):
        assert type(copied.min_idle_before_charge) is type(Limits().min_idle_before_charge) is not float
    assert Limits().min_idle_before_charge == 0.05
    assert repr(Limits()).endswith("min_idle_before_charge=0.05)")


@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), "0.05", True])
def test_an_invalid_minimum_idle_time_is_rejected(value: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"Limits\.min_idle_before_charge"):
        Limits(min_idle_before_charge=value)


@hazard("H351")
def test_a_charge_does_not_use_a_connection_with_a_surplus_response(run: Run, srv: FaultServer) -> None:
    """The pool detects the surplus response before it writes the charge, whatever the trace ID is."""
    clock = Hand()
    client = quiet_client(run, srv, clock)
    srv.script(f.smuggle(), f.ok())
    run(client, E6.use)
    clock.now += 0.06
    if run.style == "async":
        run.wait(asyncio.sleep(0))
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    assert srv.connections == 2
