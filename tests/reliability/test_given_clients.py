"""Features of a client of the application: event hooks, SOCKS, HTTP/2, mounts, proxies of the environment."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from faults import scripts as f
from faults.server import FaultServer
from reliability.kit import Run, hazard
from reliability.operations import E6, E8
from reliability.test_carriers import caller, libraries, ours
from subscribekit import transports

RECEIPT = b'{"object": "EntitlementCharge", "id": "c1", "transactionReferenceId": "ref-1"}'


def over(run: Run, library: Any, srv: FaultServer, **options: Any) -> Any:
    """Make a client of the SDK over a client of the application, for a server on loopback."""
    return ours(run, http_client=caller(run, library, **options), base_url=srv.url, allow_insecure_loopback=True)


def hooks(run: Run, kind: str, hook: Any) -> dict[str, Any]:
    async def hook_async(each: Any) -> None:
        found = hook(each)
        if hasattr(found, "__await__"):
            await found

    return {"event_hooks": {kind: [hook if run.style == "blocking" else hook_async]}}


@hazard("H372")
@libraries
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("own", [False, True], ids=["stock", "own connections"])
def test_a_hook_that_reads_a_real_response_leaves_the_receipt(
    run: Run, srv: FaultServer, library: Any, packed: bool, own: bool
) -> None:
    """The body is read from the socket once, by the hook."""
    if own and library is httpx2:
        pytest.skip("PooledTransport is a transport of httpx")
    kind = transports.PooledTransport if run.style == "blocking" else transports.AsyncPooledTransport
    carrier = {"transport": kind()} if own else {}
    read = hooks(run, "response", lambda each: each.read() if run.style == "blocking" else each.aread())
    client = over(run, library, srv, **read, **carrier)
    srv.script(f.gzip_ok(RECEIPT) if packed else f.ok(RECEIPT), f.ok())
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    assert run(client, E6.use).id == "a1"
    assert len(srv.requests) == 2


@hazard("H372")
@libraries
@pytest.mark.parametrize("cut", ["length", "gzip"])
def test_a_hook_that_reads_half_a_response_makes_no_receipt(run: Run, srv: FaultServer, library: Any, cut: str) -> None:
    """httpx takes a gzip stream without its end; what its hook read that way is damaged all the same."""
    read = hooks(run, "response", lambda each: each.read() if run.style == "blocking" else each.aread())
    client = over(run, library, srv, **read)
    srv.script(f.truncate() if cut == "length" else f.gzip_corrupt("half", RECEIPT))
    assert run.fails(client, E8.use).outcome == "unknown"
