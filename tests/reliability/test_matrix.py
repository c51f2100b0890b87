"""Checks each row of the retry table: the retries, the outcome, and the requests that arrive at the server."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Literal, get_args

import pytest

from kit.faults import scripts as f
from kit.faults.payloads import BILLING_ERROR, GATEWAY_ERROR, GZIP_FAULTS
from kit.faults.server import FaultServer
from kit.faults.steps import Step
from looped import looped
from reliability.kit import QUICK, Run, hazard
from reliability.operations import (
    OPERATIONS,
    Column,
    Op,
    every_class,
    every_operation,
)
from samples import is_of_style
from subscribekit import RetryPolicy
from subscribekit.errors import OutcomeUnknownError, SubscribekitError

Expected = Literal["again", "fine", "rejected", "not_sent", "unknown", "likely"]
COLUMNS: tuple[Column, ...] = get_args(Column)


@dataclass(frozen=True)
class Row:
    """A fault, and its meaning in each column.

    Attributes:
        step: The fault.
        meanings: The meaning of a single fault in each column, in their order. `fine` is a result without a retry.
        for_good: The meaning in the columns `S`, `P`, and `D1`, whose calls are retried, if every attempt fails.
        attempts: The number of requests if every attempt fails.
    """

    step: Step
    meanings: str
    for_good: str = "rejected unknown unknown"
    attempts: int = 3

    def __str__(self) -> str:
        return str(self.step)

    def meaning(self, op: Op) -> str:
        return self.meanings.split()[COLUMNS.index(op.column)]

    def in_the_end(self, op: Op) -> str:
        position = COLUMNS.index(op.column)
        return self.for_good.split()[position] if position < 3 else self.for_good.split()[0]


#                                        S     P     D1    D2      MA      M       M$
LOST = "again again again unknown unknown unknown unknown"
CUT = "again again again likely likely likely likely"
DAMAGED = "again likely likely likely likely likely likely"
SHAPE = "rejected likely likely fine likely likely likely"
REFUSED = "rejected rejected rejected rejected rejected rejected rejected"
REDIRECT = "rejected unknown unknown unknown unknown unknown unknown"
LIMITED = "again again again rejected again rejected rejected"

NO_ANSWER = (
    Row(f.close_on_accept("fin"), LOST),
    Row(f.close_after_request("fin"), LOST),
    Row(f.close_after_request("rst"), LOST),
    Row(f.raw(), LOST),
    Row(f.big_header(), LOST),
    Row(f.smuggle("two_lengths"), LOST),
    Row(f.raw(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: odd\r\n\r\n"), LOST),
)
CUT_ANSWER = (
    Row(f.close_after_headers(), CUT, "rejected likely likely"),
    Row(f.close_after_headers(how="rst"), CUT, "rejected likely likely"),
    Row(f.truncate(), CUT, "rejected likely likely"),
    Row(f.truncate(chunked=True), CUT, "rejected likely likely"),
    Row(f.truncate(how="rst"), CUT, "rejected likely likely"),
    Row(f.close_after_headers(404), REFUSED),
    Row(f.close_after_headers(402, how="rst"), REFUSED),
    Row(f.close_after_headers(503), LOST),
    Row(f.truncate(code=500), LOST),
)
STATUSES = (
    *(Row(f.status(code), LOST) for code in (408, 500, 502, 503, 504)),
    Row(f.html(502), LOST),
    *(Row(f.status(code), REFUSED) for code in (400, 401, 402, 403, 404, 409, 422)),
    Row(f.status(402, headers=[("x-should-retry", "true"), ("stripe-should-retry", "true")]), REFUSED),
    Row(f.status(400, headers=[("Retry-After", "1")]), REFUSED),
    Row(f.status(429), LIMITED, "rejected rejected rejected"),
    Row(f.rate_limited("2"), LIMITED, "rejected rejected rejected"),
    Row(f.rate_limited("86400"), REFUSED),
    *(Row(f.redirect("{sink}/x", code), REDIRECT) for code in (303, 307)),
    Row(f.redirect("{self}/x"), REDIRECT),
    Row(f.status(304), REDIRECT),
)
CODES = (
    Row(f.status(400, GATEWAY_ERROR), LOST),
    Row(f.ok(BILLING_ERROR), REFUSED),
    Row(f.status(501), LOST.replace("again", "rejected", 1).replace("again", "unknown")),
)
CONTENTS = (
    *(Row(f.content(kind), DAMAGED, attempts=2) for kind in (
        "nan", "inf", "negative_inf", "dup_keys", "half", "trailing", "deep", "utf16", "bad_utf8", "bom",
        "lone_surrogate", "huge_int", "1e400",
    )),
    *(Row(f.gzip_corrupt(kind), DAMAGED, attempts=2) for kind in GZIP_FAULTS),
    Row(f.smuggle("length_and_chunked"), DAMAGED, attempts=2),
    Row(f.until_close(20), DAMAGED, attempts=2),
    Row(f.wrong_length(-5), DAMAGED, attempts=2),
    Row(f.html(200), DAMAGED, attempts=2),
    Row(f.html(200, ctype="application/json"), DAMAGED, attempts=2),
    Row(f.wrong_type("text/html"), DAMAGED, attempts=2),
    *(Row(f.content(kind), SHAPE) for kind in ("null", "string", "number")),
)  # fmt: skip
STALLS = (
    Row(f.stall_before_headers(), LOST),
    Row(f.never_read(), LOST),
    Row(f.stall_mid_body(), CUT, "rejected likely likely"),
    Row(f.stall_mid_body(code=404), REFUSED),
)


def check(run: Run, op: Op, row: Row) -> None:
    """Check the fault once, and, for calls that are retried, in every attempt. Each check has its own server.

    The test command of the README checks charges with sync and async clients, and each other cell with one of them.
    """
    if op.column != "M$" and not is_of_style(run.style, op, row):
        return
    with FaultServer() as srv:
        (check_write if run.http_backend == "httpx-aiohttp" else check_whole)(run, srv, op, row)


def check_whole(run: Run, srv: FaultServer, op: Op, row: Row) -> None:
    """Check the results, the errors, and the requests of a fault that happens once, and of one in every attempt."""
    client = run.client(op.group, srv)
    expected = row.meaning(op)
    srv.script(row.step, op.good)
    if expected in ("again", "fine"):
        run(client, op.use)
        assert len(srv.requests) + unread(row) == (2 if expected == "again" else 1)
    else:
        check_error(run.fails(client, op.use), expected, op, attempts=1)
    if expected == "again" and op.column in ("S", "P", "D1"):
        srv.forget()
        srv.script(row.step)
        check_error(run.fails(client, op.use), row.in_the_end(op), op, attempts=row.attempts)
        assert len(srv.requests) + unread(row) * row.attempts == row.attempts
    if op.writes and op.column not in ("P", "D1") and expected != "again":
        srv.assert_no_duplicate()
    assert srv.sink.requests == []


def check_write(run: Run, srv: FaultServer, op: Op, row: Row) -> None:
    """Check a fault that happens once, with a backend that reports no phases and rejects some responses itself."""
    client, expected = run.client(op.group, srv), row.meaning(op)
    srv.script(row.step, op.good)
    if op.column in ("S", "P", "D1") or expected in ("again", "fine"):
        with contextlib.suppress(SubscribekitError):
            run(client, op.use)
    else:
        error = run.fails(client, op.use)
        assert isinstance(error, OutcomeUnknownError) or error.outcome == expected
        srv.assert_no_duplicate()
    assert srv.sink.requests == []


def unread(row: Row) -> int:
    """Return how many requests of one fault the server doesn't record, because it never reads them."""
    return int(row.step.takes_connection)


def check_error(error: SubscribekitError, expected: str, op: Op, *, attempts: int) -> None:
    if expected in ("unknown", "likely"):
        assert isinstance(error, OutcomeUnknownError)
        assert error.likely_applied is (True if expected == "likely" else None)
        assert error.reconcile_key == op.key
        assert isinstance(error.__cause__, SubscribekitError)
    else:
        assert not isinstance(error, OutcomeUnknownError)
        assert error.__cause__ is None
    assert error.outcome == {"likely": "unknown"}.get(expected, expected)
    assert error.attempts == attempts


@hazard("H01", "H03", "H12")
@looped("row", [*NO_ANSWER, *CUT_ANSWER])
@every_operation
def test_incomplete_response(run: Run, op: Op, row: Row) -> None:
    check(run, op, row)


@hazard("H01", "H04", "H08", "H20")
@looped("row", STATUSES)
@every_operation
def test_status(run: Run, op: Op, row: Row) -> None:
    check(run, op, row)


@hazard("H12", "H50", "H51", "H53", "H54", "H56")
@looped("row", [*CONTENTS, *CODES])
@every_class
def test_content(run: Run, op: Op, row: Row) -> None:
    check(run, op, row)


@hazard("H01", "H12", "H50")
@looped("row", [*NO_ANSWER, *CUT_ANSWER, *STATUSES, *CODES, *CONTENTS])
@pytest.mark.parametrize("op", [op for op in OPERATIONS if op.column == "M$"], ids=str)
def test_charges_with_the_transport_of_httpx(run: Run, op: Op, row: Row) -> None:
    run.http_backend = "httpx"
    check(run, op, row)


@hazard("H01", "H10")
@pytest.mark.parametrize("row", STALLS, ids=str)
def test_no_response_in_time(run: Run, row: Row) -> None:
    with contextlib.ExitStack() as stack:
        cases = [(op, stack.enter_context(FaultServer(row.step))) for op in OPERATIONS]
        clients = [run.client(op.group, srv, timeouts=QUICK, retry=RetryPolicy(max_attempts=1)) for op, srv in cases]
        begun = [run.begin(client, op.use) for client, (op, _) in zip(clients, cases, strict=True)]
        for each, (op, srv) in zip(begun, cases, strict=True):
            expected = row.meaning(op)
            if expected == "fine":
                run.end(each)
            else:
                with pytest.raises(SubscribekitError) as caught:
                    run.end(each)
                for_good = row.in_the_end(op) if expected == "again" else expected
                check_error(caught.value, for_good, op, attempts=1)
            assert srv.connections == 1
