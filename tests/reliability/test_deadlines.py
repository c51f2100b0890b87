"""No call lasts longer than its deadline, whatever the network does, because the socket enforces the deadline."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Any

import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from kit.faults.steps import Step
from reliability.kit import Run, hazard
from reliability.operations import E6, E8, E9, E11, OPERATIONS, Op
from subscribekit import RetryPolicy, Timeouts
from subscribekit._core.http.network_errors import ConnectTimeoutError
from subscribekit._core.http.wire import deadline
from subscribekit.errors import ConnectionFailedError, DeadlineExceededError, OutcomeUnknownError, SubscribekitError

DEADLINE = 0.4
PATIENT = Timeouts(connect=30, read=30, write=30, pool=30)

BROKEN_OFF = (f.drip(), f.stall_mid_body(), f.wrong_length(5))
STALLS = (*BROKEN_OFF, f.drip(headers_too=True), f.stall_before_headers(), f.never_read())


def all_late(run: Run, cases: list[tuple[FaultServer, Op]]) -> list[SubscribekitError]:
    """Make calls in parallel that can't end before their deadline, and return their errors."""
    begun = [
        run.begin(run.client(op.group, srv, timed=False, timeouts=PATIENT, deadline=DEADLINE), op.use)
        for srv, op in cases
    ]
    errors: list[SubscribekitError] = []
    for each in begun:
        with pytest.raises(SubscribekitError) as caught:
            run.end(each)
        errors.append(caught.value)
        assert caught.value.elapsed > DEADLINE - 0.1
    return errors


@hazard("H10")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_a_charge_ends_at_its_deadline(run: Run, tls: bool) -> None:
    with contextlib.ExitStack() as stack:
        cases = [(stack.enter_context(FaultServer(step, tls=tls)), E8) for step in STALLS]
        for step, error in zip(STALLS, all_late(run, cases), strict=True):
            assert isinstance(error, OutcomeUnknownError), step
            assert isinstance(error.__cause__, DeadlineExceededError), step
            assert error.attempts == 1, step
            seen = (error.phase, error.status_code, error.request_id, error.likely_applied)
            if step in BROKEN_OFF:
                assert seen == ("response_started", 200, "r-1", True), step
            else:
                assert seen == ("body_sent", None, None, None), step


@hazard("H10")
def test_a_call_that_may_be_repeated_ends_at_its_deadline(run: Run) -> None:
    with contextlib.ExitStack() as stack:
        cases = [(stack.enter_context(FaultServer(step)), op) for step in STALLS for op in (E6, E11)]
        for (srv, op), error in zip(cases, all_late(run, cases), strict=True):
            assert type(error) is (OutcomeUnknownError if op.writes else DeadlineExceededError)
            assert len(srv.requests) <= 1


@hazard("H10")
@pytest.mark.parametrize("step", [f.stall_before_headers(), f.drip(headers_too=True), f.never_read()], ids=str)
def test_every_operation_ends_at_its_deadline(run: Run, step: Step) -> None:
    with contextlib.ExitStack() as stack:
        cases = [(stack.enter_context(FaultServer(step)), op) for op in OPERATIONS]
        for (srv, op), error in zip(cases, all_late(run, cases), strict=True):
            assert type(error) is (OutcomeUnknownError if op.writes else DeadlineExceededError), op
            assert isinstance(error.__cause__ if op.writes else error, DeadlineExceededError), op
            assert len(srv.requests) <= 1, op


@hazard("H10", "H60")
def test_a_delete_whose_response_drips_is_likely_applied(run: Run, srv: FaultServer) -> None:
    srv.script(f.drip())
    error = run.fails(run.client("user_mgmt", srv, timed=False, timeouts=PATIENT, deadline=DEADLINE), E9.use)
    assert isinstance(error, OutcomeUnknownError)
    assert error.likely_applied


@hazard("H10")
def test_a_handshake_ends_at_the_deadline(run: Run, secure: FaultServer) -> None:
    secure.script(f.tls_stall())
    (error,) = all_late(run, [(secure, E8)])
    assert isinstance(error, DeadlineExceededError)
    assert (error.outcome, str(error)) == (
        "not_sent", "the deadline of 0.4 s for the whole call passed; nothing was sent",
    )  # fmt: skip


@hazard("H10")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_a_large_request_to_a_server_that_reads_slowly_ends_at_the_deadline(run: Run, tls: bool) -> None:
    # A write to the socket that makes some progress must not restart the time limit.
    large = {"value": ["v" * 1000] * 20_000}
    slow = f.step("head")(lambda: _read_slowly)()
    with FaultServer(slow, tls=tls) as srv:
        client = run.client("billing", srv, timed=False, timeouts=PATIENT, deadline=DEADLINE)
        error = run.fails(client, lambda c: c.request("POST", "/things", json=large))
        assert isinstance(error, OutcomeUnknownError)
        assert isinstance(error.__cause__, DeadlineExceededError)
        assert error.phase == "headers_started"


def _read_slowly(exchange: f.Exchange) -> None:
    exchange.connection.stalled = True
    for size in range(1, 200):
        exchange.connection.read_body(exchange.request, at_most=size * 100_000)  # type: ignore[arg-type]
        exchange.gate.wait(0.01)


@hazard("H10")
def test_a_retry_whose_wait_would_exceed_the_deadline_is_not_made(run: Run, srv: FaultServer) -> None:
    srv.script(f.status(500))
    error = run.fails(run.client("gateway", srv, deadline=1.2), E6.use)
    assert (run.time.slept, error.attempts) == ([0.5], 2)  # another wait of 1.0 s would be too long


@hazard("H10")
def test_without_a_deadline_only_the_single_steps_are_bounded(run: Run, srv: FaultServer) -> None:
    srv.script(f.drip(0.001))
    client = run.client("gateway", srv, timed=False, deadline=None, timeouts=Timeouts(read=0.2))
    assert run(client, E6.use).id == "a1"


@hazard("H10")
def test_all_addresses_of_a_host_share_the_time_to_connect(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # A listener whose queue is full doesn't respond, like a firewall that drops packets.
    with _Deaf() as first, _Deaf() as second:
        addresses = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", each.port)) for each in (first, second)]
        real = socket.getaddrinfo

        def look_up(host: Any, *args: Any, **options: Any) -> Any:
            return addresses * 3 if host in ("many.invalid", b"many.invalid") else real(host, *args, **options)

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        connect = Timeouts(connect=0.5)  # if each of the six addresses had this time, the deadline would pass
        client = run.client("gateway", f"https://many.invalid:{first.port}", timed=False, deadline=DEADLINE)
        error = run.fails(
            client.with_options(timeouts=connect, deadline=2.5, retry=RetryPolicy(max_attempts=1)), E8.use
        )
        assert type(error) is ConnectionFailedError
        error = run.fails(client.with_options(timeouts=PATIENT), E8.use)
        assert type(error) is DeadlineExceededError


class _Deaf:
    """A listener that never accepts a connection, and whose queue is full."""

    def __enter__(self) -> _Deaf:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=0)
        self.port: int = self._listener.getsockname()[1]
        self._fill = [socket.socket() for _ in range(4)]
        for each in self._fill:
            each.setblocking(False)
            each.connect_ex(("127.0.0.1", self.port))
        return self

    def __exit__(self, *_: object) -> None:
        for each in (*self._fill, self._listener):
            each.close()


@hazard("H10")
def test_the_handshake_shares_the_time_to_connect() -> None:
    timer = deadline.ConnectTimer(0.0)
    with pytest.raises(ConnectTimeoutError):
        _ = timer.left
    assert deadline.ConnectTimer(None).left is None
    left = deadline.ConnectTimer(5.0).left
    assert left is not None
    assert 0 < left <= 5


@hazard("H10")
def test_calls_of_many_threads_keep_their_own_deadlines(srv: FaultServer) -> None:
    srv.script(f.stall_before_headers())
    run = Run("blocking")
    client = run.client("gateway", srv, timed=False, timeouts=PATIENT)
    errors: dict[float, SubscribekitError] = {}

    def call(deadline: float) -> None:
        errors[deadline] = run.fails(client.with_options(deadline=deadline), E8.use)

    threads = [threading.Thread(target=call, args=(0.2 + n / 20,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.close()
    assert len(errors) == 6
    for seconds, error in errors.items():
        assert error.elapsed > seconds - 0.1
        assert f"the deadline of {seconds:g} s" in str(error.__cause__)
