"""Transports of httpx with HTTP/2, and the retry table over transports of httpx with HTTP/1.1."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import httpx2
import pytest

from kit.faults.h2server import Fault, H2Server
from looped import looped
from reliability.kit import CONTEXT, Run, hazard
from reliability.operations import E6, E8, E9, E11, Op, every_class
from reliability.test_matrix import CODES, CONTENTS, CUT_ANSWER, NO_ANSWER, STATUSES, Row, check
from subscribekit import RetryPolicy, Timeouts
from subscribekit.errors import OutcomeUnknownError

ROWS = (*NO_ANSWER, *CUT_ANSWER, *STATUSES, *CONTENTS, *CODES)
# Safety classes mean the same for every transport, so a read, a write that is retried, a write without a body, and a
# charge are enough.
some_classes = pytest.mark.parametrize("op", [E6, E11, E9, E8], ids=str)
LOST: tuple[Fault, ...] = ("drop", "reset_stream", "goaway", "silence")


def times(fault: Fault, seconds: float = 0.15) -> dict[str, Timeouts]:
    """Return a short read timeout, but only for the fault without a response."""
    return {"timeouts": Timeouts(read=seconds)} if fault == "silence" else {}


def with_clock(transport: Any, run: Run) -> Any:
    transport.clock = run.time.clock()
    run.opened.append(transport)
    return transport


def over(run: Run, library: Any, **options: Any) -> Any:
    kind = library.HTTPTransport if run.style == "blocking" else library.AsyncHTTPTransport
    return with_clock(kind(**options), run)


def http2(run: Run, server: H2Server, library: Any = httpx) -> Any:
    tls = server.url.startswith("https")
    verify = server.client_context() if tls else CONTEXT
    return over(run, library, http1=tls, http2=True, verify=verify)


def arrived(server: H2Server, count: int) -> int:
    """Return the number of complete requests, but first wait for this many.

    A client can give up before the server's thread has read the request.
    """
    end = time.monotonic() + 5
    while len(server.whole) < count and time.monotonic() < end:
        time.sleep(0.001)
    return len(server.whole)


@hazard("H01")
@pytest.mark.parametrize(("library", "tls"), [(httpx, False), (httpx2, True)], ids=["httpx-plain", "httpx2-tls"])
@pytest.mark.parametrize("is_reused", [False, True], ids=["fresh", "reused"])
@pytest.mark.parametrize("fault", [*LOST, "refuse_stream"])
def test_a_charge_over_http2_has_at_most_one_effect(
    run: Run, fault: Fault, tls: bool, is_reused: bool, library: Any
) -> None:
    script: list[Fault] = ["answer", fault] if is_reused else [fault]
    with H2Server(*script, tls=tls) as server:
        client = run.client("gateway", server.url, transport=http2(run, server, library))
        if is_reused:
            assert run(client, E6.use).id == "a1"
        error = run.fails(client.with_options(**times(fault)), E8.use)
        assert isinstance(error, OutcomeUnknownError)
        assert error.outcome == "unknown"
        assert error.attempts == 1
        assert arrived(server, len(script)) == len(script)
        assert server.connections == 1


@hazard("H01")
@every_class
@pytest.mark.parametrize("fault", LOST)
def test_each_class_over_http2_is_retried_as_the_table_says(run: Run, fault: Fault, op: Op) -> None:
    with H2Server(fault) as server:
        error = run.fails(run.client(op.group, server.url, transport=http2(run, server), **times(fault, 0.05)), op.use)
        repeated = op.column in ("S", "P", "D1")
        assert error.attempts == (3 if repeated else 1)
        assert arrived(server, error.attempts) == error.attempts
        assert error.outcome == ("rejected" if op.column == "S" else "unknown")


@hazard("H01")
def test_a_success_and_a_rejection_over_http2_are_recognized(run: Run) -> None:
    with H2Server("answer", "402", tls=True) as server:
        client = run.client("gateway", server.url, transport=http2(run, server))
        assert run(client, E6.use).id == "a1"
        assert run.fails(client, E8.use).outcome == "rejected"


# Over HTTP/1.1


class OverHttpx(Run):
    """Creates clients whose transport is one of httpx or httpx2."""

    def __init__(self, style: Any, library: Any) -> None:
        super().__init__(style)
        self.library = library

    def _network(self, options: dict[str, Any]) -> Any:
        return over(self, self.library, verify=options.pop("ssl_context", CONTEXT))


@pytest.fixture(params=["blocking", "async"])
def plain(request: pytest.FixtureRequest) -> Iterator[Callable[[Any], Run]]:
    made: list[Run] = []

    def make(library: Any) -> Run:
        made.append(OverHttpx(request.param, library))
        return made[-1]

    yield make
    for each in made:
        each.close()


@hazard("H01", "H03", "H04", "H12")
@looped("row", ROWS)
@some_classes
def test_the_matrix_over_httpx(plain: Callable[[Any], Run], op: Op, row: Row) -> None:
    check(plain(httpx), op, row)


@hazard("H01", "H03", "H12")
@looped("row", [*NO_ANSWER, *CUT_ANSWER])
@some_classes
def test_the_matrix_over_httpx2(plain: Callable[[Any], Run], op: Op, row: Row) -> None:
    check(plain(httpx2), op, row)


# A transport with unknown events


class Wrapper(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Emits an unknown event and no event of connecting, as with a reused connection, and then fails."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions["trace"]("cache.miss", {})
        raise httpx.ConnectError("says what it wants")

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.extensions["trace"]("cache.miss", {})
        raise httpx.ConnectError("says what it wants")


@hazard("H01")
@pytest.mark.parametrize("op", [E8, E11], ids=str)
def test_a_failure_after_an_unknown_event_counts_as_sent(run: Run, op: Op) -> None:
    client = run.client(op.group, "http://127.0.0.1:9", transport=Wrapper(), retry=RetryPolicy(max_attempts=1))
    assert run.fails(client, op.use).outcome == "unknown"
