"""Event hooks of an application's own client, and tools that replace methods of httpx."""

from __future__ import annotations

from typing import Any
from unittest import mock

import httpx
import pytest

from kit.faults.server import FaultServer
from reliability.kit import Run, hazard
from reliability.operations import E6, E8
from reliability.test_given_clients import hooks, over
from reliability.test_http_backends import libraries, mocked, ours
from subscribekit import transports
from subscribekit.errors import ConnectionFailedError, InvalidArgumentError, OutcomeUnknownError


def pooled(run: Run) -> dict[str, Any]:
    kind = transports.PooledTransport if run.style == "blocking" else transports.AsyncPooledTransport
    return {"transport": kind()}


def causes(error: BaseException) -> list[type[BaseException]]:
    found: list[type[BaseException]] = []
    current = error.__cause__
    while current is not None:
        found.append(type(current))
        current = current.__cause__
    return found


@hazard("H422")
@pytest.mark.parametrize("own", [True, False], ids=["own connections", "httpx"])
def test_header_changes_of_a_request_hook_are_sent(run: Run, srv: FaultServer, own: bool) -> None:
    """A hook can change, add, and remove headers, but it can't replace the trace ID of the call."""

    def hook(request: Any) -> None:
        request.headers["User-Agent"] = "changed/1"
        request.headers["X-Mine"] = "added"
        request.headers["X-B3-TraceId"] = "f" * 32
        del request.headers["Accept"]

    client = over(run, httpx, srv, **hooks(run, "request", hook), **(pooled(run) if own else {}))
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    (sent,) = srv.requests
    assert (sent.header("User-Agent"), sent.header("X-Mine"), sent.header("Accept")) == ("changed/1", "added", None)
    assert sent.header("X-B3-TraceId") not in (None, "f" * 32)
    assert sent.header("X-API-KEY") == "k"


@hazard("H422")
@pytest.mark.parametrize("own", [True, False], ids=["own connections", "httpx"])
def test_a_header_that_a_hook_puts_in_the_place_of_another_is_sent(run: Run, srv: FaultServer, own: bool) -> None:

    def hook(request: Any) -> None:
        del request.headers["Accept"]
        request.headers["X-Mine"] = "in its place"

    client = over(run, httpx, srv, **hooks(run, "request", hook), **(pooled(run) if own else {}))
    run(client, E6.use)
    (sent,) = srv.requests
    assert (sent.header("X-Mine"), sent.header("Accept")) == ("in its place", None)


@hazard("H423")
@libraries
def test_the_exception_of_a_response_hook_is_among_the_causes(run: Run, library: Any) -> None:
    def hook(_: object) -> None:
        raise KeyError("no")

    given = mocked(run, library, lambda _: library.Response(200, json={}), **hooks(run, "response", hook))
    client = ours(run, http_client=given)
    charge, read = run.fails(client, E8.use), run.fails(client, E6.use)
    assert (type(charge), causes(charge)) == (OutcomeUnknownError, [ConnectionFailedError, KeyError])
    assert (type(read), causes(read)) == (ConnectionFailedError, [KeyError])


SEND_METHOD = {"blocking": (httpx.Client, "_send_single_request"), "async": (httpx.AsyncClient, "_send_single_request")}


@hazard("H424")
@pytest.mark.parametrize("has_hook", [False, True])
@pytest.mark.parametrize(
    ("kind", "read", "write"),
    [
        (httpx.ConnectError, ConnectionFailedError, "not_sent"),
        (httpx.ConnectTimeout, ConnectionFailedError, "not_sent"),
        (httpx.ReadTimeout, ConnectionFailedError, "unknown"),
        (httpx.RemoteProtocolError, ConnectionFailedError, "unknown"),
    ],
)
def test_an_exception_of_a_replaced_send_method_counts_as_one_of_a_transport(
    run: Run, srv: FaultServer, kind: Any, read: Any, write: str, has_hook: bool
) -> None:
    """A patch can wrap the real method, so only a connection error proves that nothing was sent."""
    if has_hook:
        client = over(run, httpx, srv, **hooks(run, "request", lambda _: None))
    else:
        client = run.client("gateway", srv, timed=False)
    with mock.patch.object(*SEND_METHOD[run.style], side_effect=kind("mocked")) as replaced:
        assert isinstance(run.fails(client, E6.use), read)
        charge = run.fails(client, E8.use)
    assert charge.outcome == write
    assert replaced.call_count >= 2
    assert srv.requests == []


@hazard("H424")
def test_a_patch_that_fails_after_the_real_method_leaves_the_charge_unknown(run: Run, srv: FaultServer) -> None:
    client = over(run, httpx, srv, **hooks(run, "request", lambda _: None))
    kind, name = SEND_METHOD[run.style]
    real = getattr(kind, name)

    def sent(own: Any, request: Any) -> Any:
        real(own, request).close()
        raise httpx.ReadTimeout("mocked")

    async def sent_async(own: Any, request: Any) -> Any:
        await (await real(own, request)).aclose()
        raise httpx.ReadTimeout("mocked")

    with mock.patch.object(kind, name, sent if run.style == "blocking" else sent_async):
        assert run.fails(client, E8.use).outcome == "unknown"
    assert len(srv.requests) == 1


@hazard("H259")
@libraries
@pytest.mark.parametrize("kind", ["ConnectError", "ReadTimeout"])
def test_an_error_of_the_library_in_a_request_hook_counts_as_an_error_of_the_hook(
    run: Run, library: Any, kind: str
) -> None:
    """A hook that fetches a token from another service sends its own requests, which can fail in the same way."""

    def hook(_: object) -> None:
        raise getattr(library, kind)("elsewhere")

    client = ours(run, http_client=mocked(run, library, lambda _: library.Response(200), **hooks(run, "request", hook)))
    error = run.fails(client, E8.use)
    assert (type(error), error.outcome) == (InvalidArgumentError, "not_sent")
    assert type(error.__cause__) is getattr(library, kind)
