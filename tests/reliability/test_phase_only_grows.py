"""The phase of a write never goes back, and a tunnel or a SOCKS setup counts as connecting (H254, H255)."""

from __future__ import annotations

import contextlib
import gc
import socket
import ssl
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import httpx
import httpx2
import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from reliability.kit import QUICK, Run, hazard
from reliability.operations import E8
from reliability.test_foreign_pools import pool_of
from reliability.test_proxies import OPEN, Proxy, proxies
from subscribekit import RetryPolicy
from subscribekit._core.http.progress import Progress

__all__ = ["proxies"]

libraries = pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])
ONCE = RetryPolicy(max_attempts=1)
ANSWERS = {
    "refused": b"HTTP/1.1 502 Bad Gateway\r\n\r\n",
    "wants-auth": b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n",
    "hung-up": b"",
    "not-http": b"no\r\n\r\n",
}


class Repeating(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A transport that sends a failed request again, each time with the next of its transports."""

    def __init__(self, *inner: Any) -> None:
        self._inner = list(inner)

    def handle_request(self, request: Any) -> Any:
        for each in self._inner[:-1]:
            with contextlib.suppress(httpx.HTTPError):
                return each.handle_request(request)
        return self._inner[-1].handle_request(request)

    async def handle_async_request(self, request: Any) -> Any:
        for each in self._inner[:-1]:
            with contextlib.suppress(httpx.HTTPError):
                return await each.handle_async_request(request)
        return await self._inner[-1].handle_async_request(request)


class Raises(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A transport that raises an exception without a report of any phase."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def handle_request(self, request: Any) -> Any:
        raise self._error

    async def handle_async_request(self, request: Any) -> Any:
        raise self._error


def tls_refusal() -> httpx.ConnectError:
    error = httpx.ConnectError("certificate verify failed")
    error.__cause__ = ssl.SSLCertVerificationError("no")
    return error


LATER = {
    "proxy": httpx.ProxyError("no"),
    "pool": httpx.PoolTimeout("no"),
    "connect": httpx.ConnectError("no"),
    "tls": tls_refusal(),
}


@hazard("H254")
@pytest.mark.parametrize("later", LATER)
def test_a_later_failure_does_not_make_a_sent_charge_not_sent(run: Run, srv: FaultServer, later: str) -> None:
    """The response to the first attempt is lost, and the transport's own second attempt can't connect."""
    srv.script(f.close_after_request("rst"))
    transport = Repeating(pool_of(run, httpx, srv), Raises(LATER[later]))
    error = run.fails(run.client("gateway", srv, transport=transport, retry=ONCE), E8.use)
    assert (error.outcome, len(srv.requests)) == ("unknown", 1)


@hazard("H254")
def test_a_refused_second_tunnel_does_not_make_a_sent_charge_not_sent(
    run: Run, secure: FaultServer, proxies: list[Proxy]
) -> None:
    proxies += [opens := Proxy(OPEN), refuses := Proxy(ANSWERS["wants-auth"])]
    first, second = (pool_of(run, httpx, secure, proxy=f"http://127.0.0.1:{each.port}") for each in (opens, refuses))
    secure.script(f.close_after_request("rst"))
    client = run.client("gateway", secure, transport=Repeating(first, second), retry=ONCE, timeouts=QUICK)
    assert run.fails(client, E8.use).outcome == "unknown"
    assert (len(secure.requests), len(refuses.heads)) == (1, 1)


@hazard("H255")
@libraries
@pytest.mark.parametrize("how", ANSWERS)
def test_a_charge_is_not_sent_if_the_proxy_opens_no_tunnel(
    run: Run, secure: FaultServer, proxies: list[Proxy], library: Any, how: str
) -> None:
    proxies.append(proxy := Proxy(ANSWERS[how]))
    transport = pool_of(run, library, secure, proxy=f"http://127.0.0.1:{proxy.port}")
    client = run.client("gateway", secure, transport=transport, retry=ONCE)
    assert run.fails(client, E8.use).outcome == "not_sent"
    assert (len(proxy.heads), len(secure.requests)) == (1, 0)


@hazard("H255")
@libraries
def test_a_charge_is_not_sent_if_the_proxy_is_unreachable(run: Run, secure: FaultServer, library: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    client = run.client(
        "gateway", secure, transport=pool_of(run, library, secure, proxy=f"http://127.0.0.1:{port}"), retry=ONCE
    )
    assert run.fails(client, E8.use).outcome == "not_sent"


@pytest.fixture(params=[b"", b"\x05\xff", b"\x05\x00\x05\x05\x00\x01\x00\x00\x00\x00\x00\x00"])
def socks(request: pytest.FixtureRequest) -> Iterator[int]:
    """The port of a SOCKS proxy that ends the connection, accepts no authentication method, or refuses to connect."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    sock, _ = listener.accept()
                    with sock:
                        sock.recv(1024)
                        sock.sendall(request.param)
                        sock.shutdown(socket.SHUT_WR)

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)


@hazard("H255")
@libraries
def test_a_charge_is_not_sent_if_a_socks_proxy_refuses(run: Run, secure: FaultServer, socks: int, library: Any) -> None:
    pytest.importorskip("socksio")
    transport = pool_of(run, library, secure, proxy=f"socks5://127.0.0.1:{socks}")
    client = run.client("gateway", secure, transport=transport, retry=ONCE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # httpcore doesn't close a connection that SOCKS refused
        assert run.fails(client, E8.use).outcome == "not_sent"
        del client, transport
        run.opened.clear()
        gc.collect()
    assert not secure.requests


@hazard("H254", "H255")
def test_only_the_events_of_a_tunnel_count_as_connecting() -> None:
    class Request:
        def __init__(self, method: bytes) -> None:
            self.method = method

    progress = Progress()
    progress.event("http11.send_request_headers.started", {"request": Request(b"CONNECT")})
    progress.event("http11.send_request_body.complete", {"return_value": None})
    progress.event("http11.receive_response_headers.failed", {"exception": None})
    assert progress.phase == "connected"
    progress.event("http11.send_request_headers.started", {"request": Request(b"POST")})
    assert progress.phase == "headers_started"
    progress.event("http11.send_request_headers.started", {"request": Request(b"CONNECT")})
    progress.event("proxy.start_tls.started")
    progress.wait()
    progress.begin()
    assert progress.phase == "headers_started"
