"""The retry matrix once more, over the aiohttp backend."""

from __future__ import annotations

from collections.abc import Iterator

import httpx_aiohttp
import pytest

from faults import scripts as f
from faults.server import FaultServer, unused_port
from faults.steps import Step
from reliability.aiohttp_kit import AiohttpRun
from reliability.kit import Run, hazard, sent
from reliability.operations import E5, E8, Op, every_class
from reliability.test_matrix import (
    CODES,
    CONTENTS,
    CUT_ANSWER,
    LOST,
    NO_ANSWER,
    STATUSES,
    Row,
    by_row,
    check,
    test_no_response_in_time,
)
from reliability.test_outcomes import check_errors
from subscribekit import RetryPolicy

__all__ = ["test_no_response_in_time"]

# aiohttp refuses these before it gives the status: their length is ambiguous. It shows no answer where others show one.
OTHERWISE = {
    str(step): Row(step, LOST)
    for step in (f.status(304), f.wrong_length(-5), f.smuggle("length_and_chunked"))  # the server's 304 has a body
}
"""What a fault means here, where aiohttp shows it in another way."""


@pytest.fixture
def run() -> Iterator[Run]:
    runner = AiohttpRun()
    yield runner
    runner.close()


def seen(*rows: Row) -> tuple[Row, ...]:
    return tuple(OTHERWISE.get(str(row.step), row) for row in rows)


@hazard("H01", "H03", "H12", "H87", "H88")
@by_row(*seen(*NO_ANSWER, *CUT_ANSWER))
@every_class
def test_no_whole_response(run: Run, srv: FaultServer, op: Op, row: Row) -> None:
    check(run, srv, op, row)


@hazard("H01", "H04", "H08", "H20")
@by_row(*seen(*STATUSES))
@every_class
def test_status(run: Run, srv: FaultServer, op: Op, row: Row) -> None:
    check(run, srv, op, row)


@hazard("H12", "H50", "H51", "H53", "H54", "H56")
@by_row(*seen(*CONTENTS, *CODES))
@every_class
def test_content(run: Run, srv: FaultServer, op: Op, row: Row) -> None:
    check(run, srv, op, row)


@hazard("H59", "H13")
@every_class
def test_every_error_is_ours_and_crosses_processes(run: Run, srv: FaultServer, op: Op) -> None:
    rows = seen(*NO_ANSWER, *CUT_ANSWER, *STATUSES, *CONTENTS)
    check_errors(run, srv, op, rows, unseen=(*NO_ANSWER, *OTHERWISE.values()))


@hazard("H01", "H87")
@pytest.mark.parametrize(
    "fault",
    [
        f.close_after_request(), f.close_after_request("rst"), f.close_after_headers(), f.truncate(),
        f.raw(b"nonsense\r\n\r\n"),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("op", [E5, E8], ids=str)
def test_an_adapter_of_others_repeats_no_write_either(run: Run, srv: FaultServer, op: Op, fault: Step) -> None:
    """httpx-aiohttp calls a connection that was lost after sending a connect timeout."""
    srv.script(fault)
    transport = httpx_aiohttp.AiohttpTransport()
    error = run.fails(run.client(op.group, srv, transport=transport), op.use)
    assert (type(error).__name__, sent(srv)) == ("OutcomeUnknownError", 1)
    run.wait(transport.aclose())


@hazard("H87")
def test_an_adapter_of_others_that_cannot_connect_sent_nothing(run: Run) -> None:
    transport = httpx_aiohttp.AiohttpTransport()
    url = f"http://127.0.0.1:{unused_port()}"
    error = run.fails(run.client("gateway", url, transport=transport, retry=RetryPolicy(max_attempts=1)), E8.use)
    assert (type(error).__name__, error.outcome) == ("ConnectionFailedError", "not_sent")
    run.wait(transport.aclose())
