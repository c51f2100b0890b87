"""The retry matrix once more, over the aiohttp backend: it reports no phases, so exceptions decide (design 8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx_aiohttp
import pytest

from faults import scripts as f
from faults.server import FaultServer, unused_port
from faults.steps import Step
from reliability.kit import Run, hazard, sent
from reliability.operations import E5, E8, Op, every_class
from reliability.test_matrix import CODES, CONTENTS, CUT_ANSWER, NO_ANSWER, STATUSES, Row, by_row, check
from subscribekit import RetryPolicy
from subscribekit._core.config.clock import Clock
from subscribekit._core.config.timeouts import Limits
from subscribekit._core.http.aiohttp_transport import AiohttpTransport

OTHERWISE = {
    # aiohttp refuses an answer whose length is in doubt before it gives its status.
    str(f.status(304)),  # the server sends a body with it
    str(f.wrong_length(-5)),
    str(f.smuggle("length_and_chunked")),
    # It takes this for the answer, and keeps the connection for the next request.
    str(f.raw(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: odd\r\n\r\n")),
}
"""Faults that aiohttp shows in another way; that no write is repeated for them is tested apart."""


class AiohttpRun(Run):
    """Async clients over aiohttp, with the clock of the suite."""

    def __init__(self) -> None:
        super().__init__("async")

    def _network(self, options: dict[str, Any]) -> Any:
        network = TimedAiohttp(options.pop("ssl_context", None), options.get("limits") or Limits(), self.time.clock())
        self.opened.append(network)
        return network


class TimedAiohttp(AiohttpTransport):
    """The backend, with a clock."""

    def __init__(self, ssl_context: Any, limits: Limits, clock: Clock) -> None:
        super().__init__(ssl_context, limits)
        self.clock = clock


@pytest.fixture
def run() -> Iterator[Run]:
    runner = AiohttpRun()
    yield runner
    runner.close()


ROWS = (*NO_ANSWER, *CUT_ANSWER, *STATUSES, *CONTENTS, *CODES)


def same(*rows: Row) -> tuple[Row, ...]:
    return tuple(row for row in rows if str(row.step) not in OTHERWISE)


@hazard("H01", "H03", "H12", "H87", "H88")
@by_row(*same(*NO_ANSWER, *CUT_ANSWER))
@every_class
def test_no_whole_answer(run: Run, srv: FaultServer, op: Op, row: Row) -> None:
    check(run, srv, op, row)


@hazard("H01", "H04", "H08", "H20")
@by_row(*same(*STATUSES))
@every_class
def test_status(run: Run, srv: FaultServer, op: Op, row: Row) -> None:
    check(run, srv, op, row)


@hazard("H12", "H50", "H51", "H53", "H54", "H56")
@by_row(*same(*CONTENTS, *CODES))
@every_class
def test_content(run: Run, srv: FaultServer, op: Op, row: Row) -> None:
    check(run, srv, op, row)


@hazard("H01", "H87", "H88")
@by_row(*(row for row in ROWS if str(row.step) in OTHERWISE))
@every_class
def test_what_shows_otherwise_repeats_no_write(run: Run, srv: FaultServer, op: Op, row: Row) -> None:
    if not op.writes or op.column in ("P", "D1"):
        pytest.skip("may be sent again")
    srv.script(row.step)
    error = run.fails(run.client(op.group, srv), op.use)
    assert error.attempts == 1
    assert error.outcome == "unknown"
    assert len(srv.requests) == 1


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
