"""In the pools of httpx and httpx2, unrequested bytes aren't the response to the next request (H111)."""

from __future__ import annotations

import threading
import time
from typing import Any

import httpx
import httpx2
import pytest

from kit.faults import scripts as f
from kit.faults.payloads import encode
from kit.faults.server import FaultServer
from kit.faults.steps import Act, step
from kit.faults.wire import Exchange
from reliability.kit import CONTEXT, Run, hazard
from reliability.operations import E6, E8, Op
from reliability.test_proxies import OPEN, Proxy, proxies
from subscribekit.errors import ConnectionFailedError

__all__ = ["proxies"]

RECEIPT: dict[str, object] = {"object": "Subscription", "id": "s1", "transactionReferenceId": "forged"}

libraries = pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])
wires = pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])


surplus_sent = threading.Event()


@step("request")
def answer_twice(pieces: int = 1, later: float = 0.0) -> Act:
    """Send a response, and then an unrequested one."""

    def act(exchange: Exchange) -> None:
        good = exchange.framed(200, encode(RECEIPT))
        if pieces == 1:
            exchange.send(good + good)
        else:
            exchange.send(good)
            exchange.gate.wait(later)
            exchange.send(good)
        surplus_sent.set()

    return act


def pool_of(run: Run, library: Any, srv: FaultServer, **options: Any) -> Any:
    kind = library.HTTPTransport if run.style == "blocking" else library.AsyncHTTPTransport
    verify = srv.client_context() if srv.url.startswith("https") else CONTEXT
    run.opened.append(transport := kind(verify=verify, **options))
    return transport


def wrapped(inner: Any, library: Any) -> Any:
    """Return a transport that hides its connection pool."""

    class Wrapper(library.BaseTransport, library.AsyncBaseTransport):
        def handle_request(self, request: Any) -> Any:
            return inner.handle_request(request)

        async def handle_async_request(self, request: Any) -> Any:
            return await inner.handle_async_request(request)

    return Wrapper()


@hazard("H58", "H111")
@libraries
@wires
@pytest.mark.parametrize(("first", "is_wrapped"), [(E8, False), (E6, True)], ids=["bare", "wrapped"])
@pytest.mark.parametrize("surplus", [answer_twice(1), answer_twice(2), answer_twice(2, 0.03)], ids=str)
def test_a_surplus_response_is_not_the_receipt_of_the_next_charge(
    run: Run, library: Any, tls: bool, first: Op, is_wrapped: bool, surplus: Any
) -> None:
    with FaultServer(surplus, f.status(402), tls=tls) as srv:
        transport = pool_of(run, library, srv)
        client = run.client("gateway", srv, transport=wrapped(transport, library) if is_wrapped else transport)
        surplus_sent.clear()
        run(client, first.use)
        assert surplus_sent.wait(5)
        assert run.fails(client, E8.use).outcome == "rejected"
        assert (len(srv.requests), srv.connections) == (2, 2)


@hazard("H111")
@libraries
@wires
def test_a_clean_connection_is_used_again_and_the_wire_is_unchanged(run: Run, library: Any, tls: bool) -> None:
    with FaultServer(f.ok(), tls=tls) as srv:
        client = run.client("gateway", srv, transport=pool_of(run, library, srv))
        for _ in range(5):
            run(client, E6.use, E8.use)
        assert srv.connections == 1
        assert all(request.header("Connection") is None for request in srv.requests)


@hazard("H111")
@libraries
def test_a_charge_succeeds_even_if_all_idle_connections_contain_surplus_responses(run: Run, library: Any) -> None:
    with FaultServer() as srv:
        client = run.client("gateway", srv, transport=pool_of(run, library, srv))
        srv.script(*[answer_twice(1)] * 8, f.ok())
        for each in [run.begin(client, E6.use) for _ in range(8)]:
            run.end(each)
        assert run(client, E8.use).transaction_reference_id == "ref-1"
        assert len(srv.requests) == 9


@hazard("H111")
@libraries
@pytest.mark.parametrize("surplus", [answer_twice(1), answer_twice(2, 0.03)], ids=str)
def test_a_surplus_response_in_a_tunnel_is_not_a_receipt(
    run: Run, library: Any, secure: FaultServer, proxies: list[Proxy], surplus: Any
) -> None:
    proxies.append(proxy := Proxy(OPEN))
    transport = pool_of(run, library, secure, proxy=f"http://127.0.0.1:{proxy.port}")
    client = run.client("gateway", secure, transport=transport)
    run(client, E6.use, E8.use)
    assert len(proxy.heads) == 1
    secure.script(surplus, f.status(402))
    surplus_sent.clear()
    run(client, E8.use)
    assert surplus_sent.wait(5)
    time.sleep(0.06)  # until the proxy has forwarded the surplus response
    assert run.fails(client, E8.use).outcome == "rejected"
    assert (len(secure.requests), len(proxy.heads)) == (4, 2)


@hazard("H111")
@libraries
def test_a_transport_with_its_own_retries_uses_a_clean_connection_and_hides_no_sent_request(
    run: Run, library: Any, srv: FaultServer
) -> None:
    """The error about the first connection doesn't hide that the retry was sent over another one."""
    inner = pool_of(run, library, srv)

    class Repeating(library.BaseTransport, library.AsyncBaseTransport):
        def handle_request(self, request: Any) -> Any:
            try:
                return inner.handle_request(request)
            except Exception:
                return inner.handle_request(request)

        async def handle_async_request(self, request: Any) -> Any:
            try:
                return await inner.handle_async_request(request)
            except Exception:
                return await inner.handle_async_request(request)

    srv.script(answer_twice(1), f.close_after_request("rst"))
    client = run.client("gateway", srv, transport=Repeating())
    run(client, E6.use)
    error = run.fails(client, E8.use)
    assert (error.outcome, len(srv.requests)) == ("unknown", 2)


@hazard("H111")
@libraries
def test_a_transport_that_opens_no_new_connection_fails(run: Run, library: Any) -> None:
    class Used(library.BaseTransport, library.AsyncBaseTransport):
        def handle_request(self, request: Any) -> Any:
            request.extensions["trace"]("http11.send_request_headers.started", {})
            raise AssertionError

        async def handle_async_request(self, request: Any) -> Any:
            await request.extensions["trace"]("http11.send_request_headers.started", {})
            raise AssertionError

    error = run.fails(run.client("gateway", "http://127.0.0.1:9", transport=Used()), E8.use)
    assert (type(error), error.outcome) == (ConnectionFailedError, "not_sent")
    assert "opens no new connection" in str(error)
