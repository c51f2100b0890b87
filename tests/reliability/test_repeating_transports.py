"""Transports that repeat requests by themselves: a write that was sent twice never counts as rejected (H376).

`tests/tools/test_retrying.py` tests httpx-retries itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import httpx2
import pytest

from kit.faults import scripts as f
from kit.faults.scripts import Act
from kit.faults.server import FaultServer
from reliability.kit import Run, hazard
from reliability.operations import E6, E8
from reliability.test_http_backends import caller, libraries, ours
from subscribekit import transports


class Repeating:
    """Sends a failed request again, after a call of `second`, which may raise an exception."""

    def __init__(self, library: Any, below: Any, second: Callable[[], None], again: Any = None) -> None:
        self._library, self._below, self._second, self._again = library, below, second, again or below

    def handle_request(self, request: Any) -> Any:
        try:
            return self._below.handle_request(request)
        except self._library.TransportError:
            self._second()
            return self._again.handle_request(request)

    async def handle_async_request(self, request: Any) -> Any:
        try:
            return await self._below.handle_async_request(request)
        except self._library.TransportError:
            self._second()
            return await self._again.handle_async_request(request)

    def close(self) -> None:
        self._below.close()

    async def aclose(self) -> None:
        await self._below.aclose()


def repeating(
    run: Run, library: Any, srv: FaultServer, *, pooled: bool = False, second: Callable[[], None] = lambda: None
) -> Any:
    """Create a client with a transport that repeats failed requests."""
    blocking = run.style == "blocking"
    if pooled:
        below: Any = transports.PooledTransport() if blocking else transports.AsyncPooledTransport()
    else:
        below = library.HTTPTransport() if blocking else library.AsyncHTTPTransport()
    base = library.BaseTransport if blocking else library.AsyncBaseTransport
    kind = type("Repeats", (Repeating, base), {})
    given = caller(run, library, transport=kind(library, below, second))
    return ours(run, http_client=given, base_url=srv.url, allow_insecure_loopback=True)


@hazard("H376")
@pytest.mark.parametrize(("library", "pooled"), [(httpx, False), (httpx, True), (httpx2, False)])
@pytest.mark.parametrize("second", [f.status(400), f.status(402), f.status(503), f.close_after_request("rst")])
def test_an_error_of_the_second_attempt_leaves_the_outcome_unknown(
    run: Run, srv: FaultServer, library: Any, pooled: bool, second: Act
) -> None:
    client = repeating(run, library, srv, pooled=pooled)
    srv.script(f.close_after_request("rst"), second)
    assert run.fails(client, E8.use).outcome == "unknown"
    assert len(srv.requests) == 2


@hazard("H376")
@libraries
def test_a_second_attempt_that_is_not_sent_leaves_the_outcome_unknown(run: Run, srv: FaultServer, library: Any) -> None:
    for error in (library.ConnectError, library.ConnectTimeout, library.PoolTimeout, library.ProxyError):

        def fail(error: Any = error) -> None:
            raise error("refused")

        client = repeating(run, library, srv, second=fail)
        srv.script(f.close_after_request("rst"))
        assert run.fails(client, E8.use).outcome == "unknown"


@hazard("H376")
@pytest.mark.parametrize("first", [f.close_after_request("rst"), None], ids=["sent", "not_sent"])
def test_a_failed_connection_of_a_pooled_transport_counts_only_if_nothing_was_sent(
    run: Run, srv: FaultServer, first: Act | None
) -> None:
    pool = transports.PooledTransport if run.style == "blocking" else transports.AsyncPooledTransport
    unreachable = {"proxy": "http://127.0.0.1:1"}
    below, again = pool(**({} if first else unreachable)), pool(**unreachable)
    base = httpx.BaseTransport if run.style == "blocking" else httpx.AsyncBaseTransport
    kind = type("Repeats", (Repeating, base), {})
    given = caller(run, httpx, transport=kind(httpx, below, lambda: None, again))
    client = ours(run, http_client=given, base_url=srv.url, allow_insecure_loopback=True)
    if first:
        srv.script(first)
    assert run.fails(client, E8.use).outcome == ("unknown" if first else "not_sent")
    assert len(srv.requests) == bool(first)


@hazard("H376")
@libraries
def test_a_receipt_and_a_rejected_read_of_the_second_attempt_count(run: Run, srv: FaultServer, library: Any) -> None:
    client = repeating(run, library, srv)
    srv.script(f.close_after_request("rst"), f.ok(), f.close_after_request("rst"), f.status(404))
    assert run(client, E8.use)
    assert run.fails(client, E6.use).outcome == "rejected"
