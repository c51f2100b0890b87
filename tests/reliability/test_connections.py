"""Failures before the first byte of a request: the SDK retries every operation, or fails without a retry."""

from __future__ import annotations

from typing import Any

import pytest

from kit.faults import scripts as f
from kit.faults.payloads import THING
from kit.faults.server import BadCertificate, FaultServer, unused_port
from kit.faults.steps import Step
from reliability.kit import QUICK, Run, hazard, sent
from reliability.operations import E5, E6, E8, Op, every_class, every_operation
from subscribekit import Limits, Timeouts
from subscribekit.errors import (
    ConnectionFailedError,
    DeadlineExceededError,
    OutcomeUnknownError,
    PoolTimeoutError,
    SubscribekitError,
)


@hazard("H03")
@every_operation
def test_a_refused_connection_is_tried_again(run: Run, srv: FaultServer, op: Op) -> None:
    srv.script(op.good)
    srv.stop_listening()
    run.time.while_asleep = srv.listen_again
    run(run.client(op.group, srv), op.use)
    assert len(run.time.slept) == 1
    assert sent(srv) == 1
    srv.assert_no_duplicate()


@hazard("H03")
@every_class
def test_a_call_to_an_unreachable_service_is_not_sent(run: Run, op: Op) -> None:
    client = run.client(op.group, f"http://127.0.0.1:{unused_port()}")
    error = run.fails(client, op.use)
    assert type(error) is ConnectionFailedError
    assert (error.outcome, error.attempts) == ("not_sent", 3)
    assert "nothing was sent" in str(error)


@hazard("H03")
@pytest.mark.parametrize("host", ["nobody.invalid", "a" * 64 + ".invalid"])
def test_a_call_to_a_host_without_an_address_is_not_sent(run: Run, host: str) -> None:
    error = run.fails(run.client("gateway", f"https://{host}"), E8.use)
    assert type(error) is ConnectionFailedError
    assert (error.outcome, error.attempts) == ("not_sent", 3)


# If a socket is reset before its handshake begins, the standard library leaves it to the garbage collector.
lost_before_handshake = pytest.mark.filterwarnings(
    "ignore:unclosed <ssl.SSLSocket:ResourceWarning",
    "ignore:Exception ignored in. <ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning",
)


@lost_before_handshake
@hazard("H03")
@pytest.mark.parametrize(
    "step", [f.tls_eof(), f.tls_eof("rst"), f.close_on_accept(), f.close_on_accept("rst")], ids=str
)
@every_class
def test_a_connection_that_ends_in_the_handshake_is_tried_again(
    run: Run, secure: FaultServer, op: Op, step: Step
) -> None:
    secure.script(step, op.good)
    run(run.client(op.group, secure), op.use)
    assert (secure.connections, sent(secure)) == (2, 1)
    secure.assert_no_duplicate()


@hazard("H03", "H10")
@pytest.mark.parametrize("op", [E6, E8], ids=str)
def test_a_handshake_that_stalls_is_tried_again(run: Run, secure: FaultServer, op: Op) -> None:
    secure.script(f.tls_stall(), op.good)
    run(run.client(op.group, secure, timeouts=Timeouts(connect=0.3)), op.use)
    assert (secure.connections, sent(secure)) == (2, 1)


@hazard("H01")
@pytest.mark.parametrize("how", ["fin", "rst"])
@every_class
def test_a_connection_that_ends_after_the_handshake_may_have_carried_the_request(
    run: Run, secure: FaultServer, op: Op, how: f.How
) -> None:
    secure.script(f.close_after_handshake(how), op.good)
    client = run.client(op.group, secure)
    if op.column in ("S", "P", "D1"):
        run(client, op.use)
    elif how == "fin":
        assert isinstance(run.fails(client, op.use), OutcomeUnknownError)
    else:  # if the reset arrives before the first byte is written, the SDK can safely retry
        try:
            run(client, op.use)
        except OutcomeUnknownError:
            assert sent(secure) == 0
    secure.assert_no_duplicate()


@hazard("H06")
@pytest.mark.parametrize("fault", ["expired", "other_host", "unknown_ca"])
@every_class
def test_a_wrong_certificate_ends_the_call(run: Run, op: Op, fault: BadCertificate) -> None:
    with FaultServer(tls=True, bad_cert=fault) as srv:
        error = run.fails(run.client(op.group, srv), op.use)
        assert type(error) is ConnectionFailedError
        assert (error.outcome, error.attempts, srv.connections, srv.requests) == ("not_sent", 1, 1, [])
        assert "certificate was not accepted" in str(error)


@hazard("H06")
@pytest.mark.parametrize("step", [f.tls_abort(), f.tls_plaintext()], ids=str)
@every_class
def test_a_refused_handshake_ends_the_call(run: Run, secure: FaultServer, op: Op, step: Step) -> None:
    secure.script(step)
    error = run.fails(run.client(op.group, secure), op.use)
    assert type(error) is ConnectionFailedError
    assert (error.outcome, error.attempts, secure.connections) == ("not_sent", 1, 1)


@hazard("H05")
@pytest.mark.parametrize("how", ["fin", "rst"])
def test_a_write_on_a_connection_that_is_lost_on_reuse_is_unknown(run: Run, srv: FaultServer, how: f.How) -> None:
    # A write can reuse a connection within a second. Nothing proves that the second request wasn't carried out.
    client = run.client("gateway", srv, limits=Limits(min_idle_before_charge=0))
    srv.script(f.drop_on_reuse(how), f.ok())
    run(client, E6.use)
    error = run.fails(client, E8.use)
    assert isinstance(error, OutcomeUnknownError)
    assert (error.attempts, srv.connections, sent(srv)) == (1, 1, 2)


@hazard("H05")
def test_a_read_on_a_connection_that_is_lost_on_reuse_is_repeated(run: Run, srv: FaultServer) -> None:
    client = run.client("gateway", srv)
    srv.script(f.drop_on_reuse(), f.ok())
    run(client, E6.use, E6.use)
    assert (srv.connections, sent(srv)) == (2, 3)


@hazard("H05")
@pytest.mark.parametrize(("op", "connections"), [(E6, 1), (E8, 2), (E5, 2)], ids=str)
def test_a_write_does_not_use_a_connection_that_was_idle(run: Run, srv: FaultServer, op: Op, connections: int) -> None:
    limits = Limits(keepalive_expiry=60, write_keepalive_expiry=1e-9)
    srv.script(op.good)
    run(run.client("gateway", srv, limits=limits), E6.use, op.use)
    assert srv.connections == connections


@hazard("H05")
@every_class
def test_a_connection_that_ended_while_idle_is_not_used(run: Run, srv: FaultServer, op: Op) -> None:
    client = run.client(op.group, srv)
    srv.script(f.close_when_idle(body={**THING, "vid": op.key or "s1", "id": op.key or "a1"}), op.good)
    run(client, op.use)
    run.disconnected(srv)
    run(client, op.use)
    assert (srv.connections, sent(srv)) == (2, 2)


@hazard("H83")
@pytest.mark.parametrize("op", [E6, E8], ids=str)
def test_a_call_without_a_free_connection_in_time_fails_without_a_retry(run: Run, srv: FaultServer, op: Op) -> None:
    srv.script(f.stall_before_headers())
    with_one = run.client(op.group, srv, limits=Limits(max_connections=1), timeouts=QUICK)
    error = _second_of_two(run, srv, with_one, op)
    assert type(error) is PoolTimeoutError
    assert (error.outcome, error.attempts, len(srv.requests)) == ("not_sent", 1, 1)


@hazard("H10", "H83")
def test_a_call_whose_deadline_passes_while_it_waits_for_a_connection_is_not_sent(run: Run, srv: FaultServer) -> None:
    srv.script(f.stall_before_headers())
    client = run.client("gateway", srv, limits=Limits(max_connections=1), deadline=0.3)
    error = _second_of_two(run, srv, client, E8, pool=30)
    assert type(error) is DeadlineExceededError
    assert (error.outcome, len(srv.requests)) == ("not_sent", 1)


def _second_of_two(run: Run, srv: FaultServer, client: Any, op: Op, pool: float = 0.2) -> SubscribekitError:
    """Make two calls in parallel over one connection. The first one stalls. Return the error of the second one."""
    patient = client.with_options(timeouts=Timeouts(read=30, pool=30), deadline=30.0)
    impatient = client.with_options(timeouts=Timeouts(read=30, pool=pool))
    first = run.begin(patient, op.use)
    run.arrived(srv, 1)
    try:
        return run.fails(impatient, op.use)
    finally:
        srv.release()
        run.end(first)
