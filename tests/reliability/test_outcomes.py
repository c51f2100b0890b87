"""The outcome of errors: the facts in `OutcomeUnknownError`, and the guarantees of every error."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest

from kit.faults import scripts as f
from kit.faults.payloads import BILLING_ERROR, GATEWAY_ERROR
from kit.faults.server import FaultServer, unused_port
from kit.faults.steps import Step
from reliability.kit import QUICK, Run, hazard
from reliability.operations import E2, E8, E9, E11, FREE_POST, OPERATIONS, Op, every_operation, every_write
from reliability.test_matrix import CONTENTS, CUT_ANSWER, NO_ANSWER, STATUSES, Row
from samples import is_of_style
from subscribekit import RetryPolicy, Timeouts
from subscribekit.errors import (
    APIError,
    ConnectionFailedError,
    OutcomeUnknownError,
    RedirectOutcomeUnknownError,
    SubscribekitError,
)
from subscribekit.models import EntitlementCharge


def same(one: SubscribekitError, other: SubscribekitError) -> bool:
    return (type(one), one.args, vars(one)) == (type(other), other.args, vars(other))


@hazard("H01", "H13")
def test_the_error_of_an_unknown_charge_has_all_facts_to_reconcile_it(run: Run, srv: FaultServer) -> None:
    srv.script(f.close_after_request())
    before = datetime.now(UTC)
    error = run.fails(run.client("gateway", srv), E8.use)
    assert isinstance(error, OutcomeUnknownError)
    assert (error.operation, error.method, error.path_template) == (
        "entitlements.charge", "POST", "/v1/entitlement/{partner_subscription}/charge",
    )  # fmt: skip
    assert (error.resource_id, error.reconcile_key, error.original_transaction_id) == ("ps1", "tx-1", None)
    assert (error.phase, error.likely_applied, error.status_code, error.request_id) == ("body_sent", None, None, None)
    assert (error.outcome, error.attempts) == ("unknown", 1)
    assert error.trace_id == srv.requests[0].values("x-b3-traceid")[0]
    assert error.sent_at is not None
    assert timedelta(0) <= error.sent_at - before < timedelta(seconds=5)
    assert error.elapsed > 0
    assert str(error) == (
        "entitlements.charge: The charge may or may not have been carried out: connection to 127.0.0.1 failed: the "
        "connection ended, or the response wasn't HTTP; no complete response arrived. It was sent once at "
        f"{error.sent_at.isoformat(timespec='milliseconds')} (trace id {error.trace_id}). Do not send it again, even "
        "with another transaction ID, until the operator confirms that it was not made. Reconcile by transaction_id "
        "'tx-1' before you decide what to do. No read can show whether it was carried out, so ask the operator; "
        "client.resolve(error).support_details is the text to send."
    )
    cause = error.__cause__
    assert isinstance(cause, ConnectionFailedError)
    assert (cause.operation, cause.attempts, cause.trace_id) == (error.operation, 1, error.trace_id)


@hazard("H12")
def test_the_error_describes_an_incomplete_response(run: Run, srv: FaultServer) -> None:
    srv.script(f.truncate())
    error = run.fails(run.client("gateway", srv), E8.use)
    assert isinstance(error, OutcomeUnknownError)
    assert (error.phase, error.likely_applied, error.status_code, error.request_id) == (
        "response_started", True, 200, "r-1",
    )  # fmt: skip
    assert "was probably carried out, but its response is unusable" in str(error)
    assert f"(trace id {error.trace_id}, request id r-1)" in str(error)


@hazard("H01")
def test_the_error_of_a_refund_names_the_refunded_charge(run: Run, srv: FaultServer) -> None:
    refund = EntitlementCharge(transaction_id="tx-2", amount=Decimal(-5), original_transaction_id="tx-1")
    srv.script(f.close_after_request())
    error = run.fails(run.client("gateway", srv), lambda c: c.entitlements.charge("ps1", refund))
    assert isinstance(error, OutcomeUnknownError)
    assert (error.reconcile_key, error.original_transaction_id) == ("tx-2", "tx-1")


@hazard("H01")
def test_the_error_of_another_write_does_not_call_it_a_charge(run: Run, srv: FaultServer) -> None:
    srv.script(f.close_after_request())
    for op in (E2, E9, FREE_POST):
        text = str(run.fails(run.client(op.group, srv), op.use))
        assert "The request may or may not have been carried out" in text
        assert "charge" not in text.replace("/charge", "")
        assert f"Reconcile by the identifier {op.key!r}" in text
        assert ("No read can show whether it was carried out, so ask the operator" in text) == (op is E9)


@hazard("H20")
def test_a_redirected_write_is_a_redirect_with_an_unknown_outcome(run: Run, srv: FaultServer) -> None:
    srv.script(f.redirect("{sink}/done", 303))
    error = run.fails(run.client("gateway", srv), E8.use)
    assert type(error) is RedirectOutcomeUnknownError
    assert (error.status_code, error.likely_applied) == (303, None)


@hazard("H01")
@pytest.mark.parametrize(
    ("step", "phase"),
    [
        (f.never_read(), "body_sent"), (f.close_after_request(), "body_sent"), (f.status(500), "response_complete"),
        (f.truncate(), "response_started"), (f.content("half"), "response_complete"), (f.raw(), "body_sent"),
        (f.big_header(), "body_sent"), (f.gzip_corrupt("cut"), "response_complete"),
    ],
    ids=str,
)  # fmt: skip
def test_the_phase_is_the_last_one_that_the_network_reported(
    run: Run, srv: FaultServer, step: Step, phase: str
) -> None:
    srv.script(step)
    error = run.fails(run.client("gateway", srv, timeouts=QUICK), E8.use)
    assert isinstance(error, OutcomeUnknownError)
    assert error.phase == phase


@hazard("H01")
def test_the_outcome_of_a_partly_written_request_is_unknown(run: Run, srv: FaultServer) -> None:
    large = {"value": ["v" * 1000] * 8_000}
    for step in (f.never_read(), f.reset_during_body()):
        srv.script(step)
        client = run.client("billing", srv, timeouts=Timeouts(write=0.2, read=5))
        error = run.fails(client, lambda c: c.request("POST", "/x", json=large))
        assert isinstance(error, OutcomeUnknownError)
        assert error.phase == "headers_started"


@hazard("H01")
def test_a_request_that_is_rejected_early_is_not_sent_again(run: Run, srv: FaultServer) -> None:
    srv.script(f.answer_early(413))
    error = run.fails(
        run.client("billing", srv), lambda c: c.request("POST", "/x", json={"value": ["v" * 1000] * 8_000})
    )
    # Whether the client reads the early response depends on timing. In both cases, it sends nothing again.
    assert isinstance(error, APIError | OutcomeUnknownError)
    assert len(srv.requests) == 1


@hazard("H59", "H13")
@every_operation
def test_every_error_is_of_the_sdk_and_can_be_pickled(run: Run, srv: FaultServer, op: Op) -> None:
    """Acceptance criterion 5, with all faults except stalls."""
    check_errors(run, srv, op, (*NO_ANSWER, *CUT_ANSWER, *STATUSES, *CONTENTS), unseen=NO_ANSWER)


def check_errors(run: Run, srv: FaultServer, op: Op, rows: Sequence[Row], *, unseen: Sequence[Row]) -> None:
    """Check the errors of all faults. The errors of the `unseen` faults don't have the headers of a response."""
    client = run.client(op.group, srv, retry=RetryPolicy(max_attempts=1))
    for row in rows:
        if op.column != "M$" and not is_of_style(run.style, op, row):
            continue
        srv.forget()
        srv.script(row.step)
        error: SubscribekitError | None = None
        try:
            run(client, op.use)
        except SubscribekitError as raised:
            error = raised
        if error is not None:
            assert error.outcome in ("not_sent", "rejected", "unknown")
            assert error.attempts == 1
            assert error.elapsed > 0
            assert error.operation is not None
            assert same(pickle.loads(pickle.dumps(error)), error)
            assert same(copy.copy(error), error)
            assert same(copy.deepcopy(error), error)
            if row not in unseen:
                assert getattr(error, "request_id", None) == "r-1", row
            assert str(error).isprintable()


@hazard("H01", "H03")
@pytest.mark.parametrize(
    ("raised", "outcome"),
    [
        (httpx.ConnectError("x"), "not_sent"), (httpx.ConnectTimeout("x"), "not_sent"),
        (httpx.PoolTimeout("x"), "not_sent"), (httpx.ReadTimeout("x"), "unknown"), (httpx.WriteTimeout("x"), "unknown"),
        (httpx.ReadError("x"), "unknown"), (httpx.WriteError("x"), "unknown"),
        (httpx.RemoteProtocolError("x"), "unknown"), (httpx.LocalProtocolError("x"), "unknown"),
        (OSError(5, "x"), "unknown"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)  # fmt: skip
def test_the_exception_of_a_transport_without_phases_decides_the_outcome(
    run: Run, raised: Exception, outcome: str
) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        raise raised

    client = run.client(
        "gateway", "https://x.example", transport=httpx.MockTransport(handle), retry=RetryPolicy(max_attempts=1)
    )
    error = run.fails(client, E8.use)
    assert error.outcome == outcome
    assert isinstance(error, OutcomeUnknownError) == (outcome == "unknown")


@hazard("H01")
@every_write
def test_the_outcome_of_a_write_is_unknown_after_a_500(run: Run, srv: FaultServer, op: Op) -> None:
    for body in (BILLING_ERROR, GATEWAY_ERROR, b"", None):
        srv.script(f.status(500, body))
        error = run.fails(run.client(op.group, srv), op.use)
        assert isinstance(error, OutcomeUnknownError)
        assert error.status_code == 500
        assert "Find out whether the request was carried out before you repeat it" in str(error)


@hazard("H03")
def test_the_outcome_of_a_put_that_was_never_sent_is_known(run: Run) -> None:
    error = run.fails(run.client("storefront", f"http://127.0.0.1:{unused_port()}"), E11.use)
    assert (type(error), error.outcome, error.attempts) == (ConnectionFailedError, "not_sent", 3)


def test_every_operation_of_the_catalog_is_covered() -> None:
    assert [op.name for op in OPERATIONS[:11]] == [f"E{number}" for number in range(1, 12)]
    value: Any = {op.column for op in OPERATIONS}
    assert value == {"S", "P", "D1", "D2", "MA", "M", "M$"}
