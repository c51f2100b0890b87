"""How often, after which wait, and until when the SDK retries a call."""

from __future__ import annotations

import contextlib
import logging
import re
import sys
import threading
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.faults import scripts as f
from kit.faults.payloads import BILLING_ERROR, GATEWAY_ERROR
from kit.faults.server import FaultServer
from kit.faults.steps import Step
from reliability.kit import Run, hazard, sent
from reliability.operations import E2, E3, E6, E8, E11, FREE_DELETE, FREE_GET, WRITES, Op, every_class
from subscribekit import RetryPolicy
from subscribekit._core.calls.backoff import retry_after
from subscribekit._core.http.headers import Headers
from subscribekit.errors import (
    AuthenticationError,
    NotFoundError,
    OutcomeUnknownError,
    RateLimitError,
    ServiceUnavailableError,
    SubscribekitError,
)


@hazard("H02")
def test_extra_headers_are_the_same_in_every_attempt_and_no_idempotency_key_is_added(
    run: Run, srv: FaultServer
) -> None:
    srv.script(f.status(500), f.ok())
    run(run.client("gateway", srv).with_options(headers={"Idempotency-Key": "k-1"}), E6.use)
    assert [request.values("idempotency-key") for request in srv.requests] == [["k-1"], ["k-1"]]
    srv.forget()
    run(run.client("gateway", srv), E6.use, E8.use)
    assert not any("idempotency" in name.decode().lower() for request in srv.requests for name, _ in request.headers)


@hazard("H07")
def test_a_client_stops_retrying_when_the_service_is_down(run: Run, srv: FaultServer) -> None:
    client = run.client("gateway", srv)
    srv.script(f.status(503))
    for _ in range(30):
        run.fails(client, E6.use)
        run.fails(client.with_options(deadline=5.0), E6.use)
    assert 60 < len(srv.requests) <= 66
    srv.script(f.ok())
    for _ in range(60):
        run(client, E6.use)
    srv.forget()
    srv.script(f.status(503), f.ok())
    run(client, E6.use)
    assert len(srv.requests) == 2


@hazard("H07")
def test_the_retry_budget_belongs_to_the_client_and_not_to_a_thread(run: Run, srv: FaultServer) -> None:
    client = run.client("gateway", srv)
    srv.script(f.status(503))

    def one(_: object) -> None:
        with contextlib.suppress(SubscribekitError):
            run.end(run.begin(client, E6.use))

    if run.style == "blocking":
        threads = [threading.Thread(target=lambda: [one(None) for _ in range(10)]) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    else:
        begun = [run.begin(client, E6.use) for _ in range(60)]
        for each in begun:
            with contextlib.suppress(SubscribekitError):
                run.end(each)
    assert 60 < len(srv.requests) <= 66


NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


def http(at: datetime) -> str:
    return format_datetime(at, usegmt=True)


@hazard("H08")
@pytest.mark.parametrize(
    ("values", "date", "seconds"),
    [
        (["2"], None, 2.0),
        (["0"], None, 0.0),
        ([" 7 "], None, 7.0),
        (["000000005"], None, 5.0),
        (["999999999"], None, 999999999.0),
        (["1000000000"], None, 1e9),
        (["9" * 20], None, 1e20),
        (["9" * 400], None, sys.float_info.max),
        (["-5"], None, None),
        (["+5"], None, None),
        (["1.5"], None, None),
        (["1e3"], None, None),
        (["nan"], None, None),
        (["inf"], None, None),
        (["soon"], None, None),
        (["Mon"], None, None),
        (["²"], None, None),
        (["٣"], None, None),
        ([""], None, None),
        (["1", "2"], None, None),
        (["3", "3"], None, None),
        ([http(NOW + timedelta(seconds=3))], None, 3.0),
        ([http(NOW - timedelta(seconds=3600))], None, 0.0),
        ([http(NOW + timedelta(seconds=3603))], http(NOW + timedelta(hours=1)), 3.0),
        ([http(NOW + timedelta(seconds=3))], "yesterday", 3.0),
        (["Thu Jan  1 12:00:09 2026"], None, 9.0),
        (["Thu, 01 Jan 2026 12:00:09 +0000"], None, 9.0),
        (["Thu, 99 Jan 2026 12:00:09 GMT"], None, None),
        (["Thu, 01 Jan 99999999999 12:00:09 GMT"], None, None),
    ],
)  # fmt: skip
def test_retry_after_accepts_only_seconds_and_dates(values: list[str], date: str | None, seconds: float | None) -> None:
    headers = Headers([("Retry-After", value) for value in values] + ([("Date", date)] if date else []))
    assert retry_after(headers, NOW) == seconds


@hazard("H08")
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_in_retry_after_is_parsed_or_ignored(value: str, date: str) -> None:
    seconds = retry_after(Headers([("Retry-After", value), ("Date", date)]), NOW)
    assert seconds is None or 0 <= seconds < float("inf")


@hazard("H08")
@given(st.lists(st.sampled_from(["Mon", ",", " ", "1", "Jan", "2026", "12:00:00", ":", "GMT", "-0000", "+9999", "é"])))
def test_any_date_in_retry_after_is_parsed_or_ignored(parts: list[str]) -> None:
    seconds = retry_after(Headers([("Retry-After", "".join(parts)), ("Date", "".join(reversed(parts)))]), NOW)
    assert seconds is None or 0 <= seconds < float("inf")


@hazard("H08")
@pytest.mark.parametrize("code", [429, 503])
@pytest.mark.parametrize(
    ("value", "waited"), [("2", 2.0), ("0", 0.5), ("nan", 0.5), ("-5", 0.5), ("60", 60.0), ("61", None)]
)
def test_retry_after_is_a_lower_bound_of_the_wait(
    run: Run, srv: FaultServer, code: int, value: str, waited: float | None
) -> None:
    srv.script(f.rate_limited(value, code=code), f.ok())
    client = run.client("gateway", srv, deadline=600.0)
    if waited is None:
        run.fails(client, E6.use)
        assert run.time.slept == []
    else:
        run(client, E6.use)
        assert run.time.slept == [waited]


@hazard("H08")
def test_a_wait_beyond_the_deadline_is_not_started(run: Run, srv: FaultServer) -> None:
    srv.script(f.rate_limited("20"), f.ok())
    error = run.fails(run.client("gateway", srv, deadline=10.0), E6.use)
    assert isinstance(error, RateLimitError)
    assert (error.retry_after, run.time.slept, len(srv.requests)) == (20.0, [], 1)


@hazard("H08")
def test_retry_after_is_compared_with_the_date_of_the_response(run: Run, srv: FaultServer) -> None:
    srv.script(f.rate_limited(f.http_date(86403), date=f.http_date(86400)), f.ok())
    run(run.client("gateway", srv), E6.use)
    assert run.time.slept == [3.0]


@hazard("H08")
def test_retry_after_of_a_rejected_request_is_ignored(run: Run, srv: FaultServer) -> None:
    srv.script(f.status(400, headers=[("Retry-After", "1")]), f.ok())
    run.fails(run.client("gateway", srv), E6.use)
    assert len(srv.requests) == 1


@hazard("H09", "H13")
def test_the_documented_defaults_are_the_real_ones(run: Run, srv: FaultServer) -> None:
    srv.script(f.status(503))
    client = run.client("gateway", srv)
    error = run.fails(client, E6.use)
    assert isinstance(error, ServiceUnavailableError)
    assert (error.attempts, len(srv.requests)) == (3, 3)
    assert run.time.draws[:2] == [(0.0, 0.5), (0.0, 1.0)]
    assert run.time.slept == [0.5, 1.0]
    settings = client._settings
    assert (settings.deadline, settings.retry) == (60.0, RetryPolicy())
    assert asdict(settings.timeouts) == {"connect": 5.0, "read": 30.0, "write": 10.0, "pool": 5.0}


@hazard("H09")
def test_the_backoff_grows_to_its_maximum_and_is_drawn_from_zero(run: Run, srv: FaultServer) -> None:
    srv.script(f.status(500))
    policy = RetryPolicy(max_attempts=6, backoff_base=1.0, backoff_max=3.0)
    run.fails(run.client("gateway", srv, retry=policy), E6.use)
    assert run.time.draws[:5] == [(0.0, 1.0), (0.0, 2.0), (0.0, 3.0), (0.0, 3.0), (0.0, 3.0)]
    assert run.time.slept == [1.0, 2.0, 3.0, 3.0, 3.0]


@hazard("H09")
def test_max_attempts_of_one_sends_one_request(run: Run, srv: FaultServer) -> None:
    srv.script(f.status(500))
    run.fails(run.client("gateway", srv, retry=RetryPolicy(max_attempts=1)), E6.use)
    assert len(srv.requests) == 1


@hazard("H13")
def test_the_attempts_are_logged_and_counted(run: Run, srv: FaultServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="subscribekit")
    srv.script(f.status(500), f.close_after_request(), f.ok())
    client = run.client("gateway", srv)
    response = run(client.with_raw_response.subscriptions.retrieve("s1"))
    assert (response.attempts, response.status_code, response.request_id) == (3, 200, "r-3")
    assert {record.levelno for record in caplog.records} == {logging.INFO}
    messages = [re.sub(r"after \d+\.\d{3} s", "after ? s", record.getMessage()) for record in caplog.records]
    first, second, end = messages
    assert first == (
        "GET /submgmt/v2/subscriptions/{subscription} attempt 1 failed "
        "(ServerError, status 500, request id r-1, after ? s), next in 0.50 s"
    )
    assert second == (
        "GET /submgmt/v2/subscriptions/{subscription} attempt 2 failed "
        "(ConnectionFailedError, status None, request id None, after ? s), next in 1.00 s"
    )
    assert end.startswith("GET /submgmt/v2/subscriptions/{subscription} -> 200, 3 attempt(s), ")
    assert end.endswith("request id r-3")


@hazard("H14")
@pytest.mark.parametrize("op", [E3, FREE_GET, FREE_DELETE], ids=str)
def test_a_503_of_the_billing_api_is_retried_only_once_because_it_can_mean_forbidden(
    run: Run, srv: FaultServer, op: Op
) -> None:
    srv.script(f.status(503, BILLING_ERROR))
    error = run.fails(run.client("billing", srv), op.use)
    assert len(srv.requests) == 2
    text = str(error)
    assert "check api_user and api_key" in text
    assert "overload" in text


@hazard("H14")
def test_a_write_of_the_billing_api_is_not_retried_after_a_503(run: Run, srv: FaultServer) -> None:
    srv.script(f.status(503, BILLING_ERROR))
    assert isinstance(run.fails(run.client("billing", srv), E2.use), OutcomeUnknownError)
    assert len(srv.requests) == 1


@hazard("H14")
def test_a_503_of_the_billing_api_with_another_body_means_overload(run: Run, srv: FaultServer) -> None:
    srv.script(f.html(503))
    run.fails(run.client("billing", srv), E3.use)
    assert len(srv.requests) == 3


# An earlier attempt that may have been carried out


@hazard("H01")
@pytest.mark.parametrize(
    "last", [f.status(404), f.status(409), f.status(400), f.rate_limited("86400"), f.status(401)], ids=str
)
def test_a_late_refusal_does_not_undo_an_earlier_unknown_outcome(run: Run, srv: FaultServer, last: Step) -> None:
    srv.script(f.close_after_request(), last)
    error = run.fails(run.client("storefront", srv), E11.use)
    assert isinstance(error, OutcomeUnknownError)
    assert (error.outcome, error.attempts, error.phase) == ("unknown", 2, "body_sent")
    assert "an earlier attempt got no usable response" in str(error)
    assert isinstance(error.__cause__, SubscribekitError)


@hazard("H01")
def test_the_error_keeps_the_facts_of_an_earlier_attempt(run: Run, srv: FaultServer) -> None:
    srv.script(f.truncate(), f.close_after_request())
    run.time.while_asleep = lambda: srv.stop_listening() if len(run.time.slept) == 2 else None
    error = run.fails(run.client("storefront", srv), E11.use)
    assert isinstance(error, OutcomeUnknownError)
    assert (error.attempts, len(srv.requests)) == (3, 2)
    assert (error.likely_applied, error.phase, error.status_code, error.request_id) == (
        True, "response_started", 200, "r-1",
    )  # fmt: skip


@hazard("H01")
def test_a_404_for_a_delete_says_whether_an_earlier_attempt_is_unknown(run: Run, srv: FaultServer) -> None:
    srv.script(f.close_after_request(), f.status(404))
    error = run.fails(run.client("billing", srv), FREE_DELETE.use)
    assert isinstance(error, NotFoundError)
    assert (error.earlier_attempt_unknown, error.outcome) == (True, "unknown")
    srv.script(f.status(404))
    error = run.fails(run.client("billing", srv), FREE_DELETE.use)
    assert isinstance(error, NotFoundError)
    assert (error.earlier_attempt_unknown, error.outcome) == (False, "rejected")


@hazard("H01")
@pytest.mark.parametrize("op", WRITES, ids=str)
def test_retry_unknown_allows_retries_of_writes_but_not_of_charges(run: Run, srv: FaultServer, op: Op) -> None:
    srv.script(f.close_after_request(), f.status(502), op.good)
    client = run.client(op.group, srv).with_options(retry=RetryPolicy(retry_unknown=True))
    if op.column == "M$":
        assert isinstance(run.fails(client, op.use), OutcomeUnknownError)
        assert len(srv.requests) == 1
    else:
        run(client, op.use)
        assert sent(srv) == 3


@hazard("H48")
@pytest.mark.parametrize("op", [E11, E2], ids=str)
def test_every_attempt_sends_the_same_bytes(run: Run, srv: FaultServer, op: Op) -> None:
    srv.script(f.status(429), op.good)
    if op is E11:
        srv.script(f.status(500), op.good)
    run(run.client(op.group, srv), op.use)
    first, second = srv.requests
    assert first.body == second.body != b""
    changing = {b"x-b3-spanid"}
    stable = [[pair for pair in each.headers if pair[0].lower() not in changing] for each in (first, second)]
    assert stable[0] == stable[1]


# Another credential


class Tokens:
    """A token provider that counts its calls."""

    def __init__(self, *tokens: str) -> None:
        self.left, self.calls = list(tokens), 0

    def __call__(self) -> str:
        self.calls += 1
        return self.left.pop(0) if len(self.left) > 1 else self.left[0]


@pytest.mark.parametrize("answer", [f.status(401), f.status(400, {"code": "authentication-required"})], ids=str)
def test_a_refused_token_is_replaced_once(run: Run, srv: FaultServer, answer: Step) -> None:
    srv.script(answer, f.ok())
    tokens = Tokens("old", "new", "newer")
    run(run.client("storefront", srv, access_token=tokens), E11.use)
    assert [request.header("authorization") for request in srv.requests] == ["Bearer old", "Bearer new"]
    assert tokens.calls == 2
    assert run.time.slept == [0.0]


def test_a_write_whose_credential_was_refused_is_sent_again(run: Run, srv: FaultServer) -> None:
    srv.script(f.status(401), f.no_content())
    sessions = Tokens("s-old", "s-new")
    client = run.client("user_mgmt", srv, session_id=sessions)
    run(client.custom_data.delete("u1", "toys", filter="a eq 1"))
    assert [request.header("cookie") for request in srv.requests] == ["JSESSIONID=s-old", "JSESSIONID=s-new"]


@pytest.mark.parametrize(("tokens", "requests"), [(("same",), 1), (("a", "b", "c", "d"), 2)])
def test_a_token_that_stays_refused_ends_the_call(
    run: Run, srv: FaultServer, tokens: tuple[str, ...], requests: int
) -> None:
    srv.script(f.status(401))
    error = run.fails(run.client("storefront", srv, access_token=Tokens(*tokens)), E11.use)
    assert isinstance(error, AuthenticationError)
    assert (error.outcome, len(srv.requests)) == ("rejected", requests)


def test_the_wait_for_a_token_ends_at_the_deadline(srv: FaultServer) -> None:
    import asyncio

    run = Run("async")

    async def never() -> str:
        await asyncio.Event().wait()
        return "late"

    error = run.fails(run.client("storefront", srv, access_token=never, deadline=0.2), E11.use)
    assert (type(error).__name__, error.outcome, srv.requests) == ("DeadlineExceededError", "not_sent", [])
    run.close()


def test_an_exception_of_the_token_provider_is_raised_unchanged(run: Run, srv: FaultServer) -> None:
    def broken() -> str:
        raise LookupError("no vault")

    client = run.client("storefront", srv, access_token=broken)
    with pytest.raises(LookupError, match="no vault"):
        run(client, E11.use)
    assert srv.requests == []


@every_class
def test_an_error_body_with_a_success_status_is_an_error(run: Run, srv: FaultServer, op: Op) -> None:
    srv.script(f.ok(GATEWAY_ERROR))
    client = run.client(op.group, srv, retry=RetryPolicy(max_attempts=1))
    error = run.fails(client, op.use)
    assert error.outcome == ("unknown" if op.writes else "rejected")  # the error code is server-error
