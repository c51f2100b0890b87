"""Features of an application's own client: event hooks, SOCKS, HTTP/2, mounts, and proxies of the environment."""

from __future__ import annotations

import asyncio
import logging
import os
import select
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import httpx2
import pytest
import respx
import trustme

import subscribekit
from kit.faults import scripts as f
from kit.faults.h2server import H2Server
from kit.faults.server import FaultServer
from reliability.kit import Run, hazard
from reliability.operations import E6, E8
from reliability.test_http_backends import caller, libraries, mocked, ours
from reliability.test_proxies import OPEN, Proxy, proxies
from subscribekit import transports

__all__ = ["proxies"]

RECEIPT = b'{"object": "EntitlementCharge", "id": "c1", "transactionReferenceId": "ref-1"}'


def over(run: Run, library: Any, srv: FaultServer, **options: Any) -> Any:
    """Create a client of the SDK over the application's own client, for a server on loopback."""
    return ours(run, http_client=caller(run, library, **options), base_url=srv.url, allow_insecure_loopback=True)


def hooks(run: Run, kind: str, hook: Any) -> dict[str, Any]:
    async def hook_async(each: Any) -> None:
        result = hook(each)
        if hasattr(result, "__await__"):
            await result

    return {"event_hooks": {kind: [hook if run.style == "blocking" else hook_async]}}


@libraries
def test_a_tracer_does_not_replace_the_ids_of_the_call(run: Run, srv: FaultServer, library: Any) -> None:
    """A propagator sets IDs of its own, which the SDK drops. The propagator's other headers are sent."""
    original: list[str] = []

    def replace(request: Any) -> None:
        original.append(request.headers["X-B3-TraceId"])
        request.headers.update({"X-B3-TraceId": "f" * 32, "X-B3-SpanId": "f" * 16, "X-B3-Flags": "1"})

    client = over(run, library, srv, **hooks(run, "request", replace))
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    (sent,) = srv.requests
    assert sent.header("X-B3-TraceId") == original[0] != "f" * 32
    assert sent.header("X-B3-SpanId") != "f" * 16
    assert sent.header("X-B3-Flags") == "1"


@hazard("H372")
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    ("library", "own"), [(httpx, False), (httpx, True), (httpx2, False)], ids=["httpx", "own connections", "httpx2"]
)
def test_a_hook_that_reads_a_real_response_does_not_lose_the_receipt(
    run: Run, srv: FaultServer, library: Any, packed: bool, own: bool
) -> None:
    """Only the hook reads the body from the socket."""
    kind = transports.PooledTransport if run.style == "blocking" else transports.AsyncPooledTransport
    backend = {"transport": kind()} if own else {}
    read = hooks(run, "response", lambda each: each.read() if run.style == "blocking" else each.aread())
    client = over(run, library, srv, **read, **backend)
    srv.script(f.gzip_ok(RECEIPT) if packed else f.ok(RECEIPT), f.ok())
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    assert run(client, E6.use).id == "a1"
    assert len(srv.requests) == 2


@hazard("H372")
@libraries
@pytest.mark.parametrize("cut", ["length", "gzip"])
def test_a_hook_that_reads_half_a_response_leaves_the_outcome_unknown(
    run: Run, srv: FaultServer, library: Any, cut: str
) -> None:
    """httpx accepts a gzip stream without its end, but the SDK treats the body that the hook read as damaged."""
    read = hooks(run, "response", lambda each: each.read() if run.style == "blocking" else each.aread())
    client = over(run, library, srv, **read)
    srv.script(f.truncate() if cut == "length" else f.gzip_corrupt("half", RECEIPT))
    assert run.fails(client, E8.use).outcome == "unknown"


# Logs


def call_in_parallel(run: Run, client: Any, given: Any) -> None:
    """Make calls of the SDK and of the application in parallel, over the application's client."""
    if run.style == "blocking":
        with ThreadPoolExecutor(8) as threads:
            uses = [lambda: client.subscriptions.retrieve("personal"), lambda: given.get("https://other.test/of-mine")]
            for each in [threads.submit(uses[number % 2]) for number in range(40)]:
                each.result()
        return

    async def calls() -> None:
        uses = [lambda: client.subscriptions.retrieve("personal"), lambda: given.get("https://other.test/of-mine")]
        await asyncio.gather(*(uses[number % 2]() for number in range(40)))

    run.wait(calls())


@hazard("H375")
@libraries
def test_only_log_records_of_the_sdk_s_calls_are_shortened(
    run: Run, library: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger=library.__name__)
    given = mocked(run, library, lambda _: library.Response(200, json={"object": "Subscription", "id": "personal"}))
    call_in_parallel(run, ours(run, http_client=given), given)
    shown = [record.getMessage() for record in caplog.records if record.name == library.__name__]
    assert sum("/subscriptions/{subscription}" in text for text in shown) == 20
    assert sum("https://other.test/of-mine" in text for text in shown) == 20
    assert "personal" not in "".join(shown)


@hazard("H375")
@libraries
def test_log_records_of_http2_show_nothing_of_a_call(run: Run, library: Any, caplog: pytest.LogCaptureFixture) -> None:
    """At DEBUG, hpack logs each header, including the credential."""
    caplog.set_level(logging.DEBUG)
    with H2Server("answer", tls=True) as server:
        given = caller(run, library, http2=True, verify=server.client_context())
        client = ours(run, http_client=given, base_url=server.url, api_key="gateway-key-4712")
        assert run(client, E6.use).id
        own = [each for each in caplog.records if each.thread == threading.get_ident()]  # the server uses hpack too
        logged = "".join(f"{record.name} {record.getMessage()}" for record in own)
        assert "gateway-key-4712" not in logged
        assert "/s1" not in logged
        run.finish(given.get(f"{server.url}/of-mine", headers={"X-Mine": "shown"}))
        assert "shown" in "".join(record.getMessage() for record in caplog.records if "hpack" in record.name)


# SOCKS, proxies, HTTP/2, and httpx2


class Socks:
    """A SOCKS5 proxy without a login that opens every connection, and records the hosts."""

    def __init__(self) -> None:
        self.hosts: list[str] = []
        proxy = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                count = self.request.recv(2)[1]
                self.request.recv(count)
                self.request.sendall(b"\x05\x00")
                kind = self.request.recv(4)[3]
                size = 4 if kind == 1 else self.request.recv(1)[0]
                host = self.request.recv(size)
                port = int.from_bytes(self.request.recv(2))
                name = socket.inet_ntoa(host) if kind == 1 else host.decode()
                proxy.hosts.append(name)
                with socket.create_connection((name, port)) as upstream:
                    self.request.sendall(b"\x05\x00\x00\x01" + bytes(6))
                    pair = {self.request: upstream, upstream: self.request}
                    while True:
                        for each in select.select(list(pair), [], [])[0]:
                            if not (data := each.recv(65536)):
                                return
                            pair[each].sendall(data)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"socks5://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@hazard("H376")
@libraries
def test_calls_go_through_socks(run: Run, secure: FaultServer, library: Any) -> None:
    """Both calls use one connection. A charge whose response is lost is unknown, and isn't sent again."""
    proxy = Socks()
    try:
        client = over(run, library, secure, proxy=proxy.url, verify=secure.client_context())
        secure.script(f.ok(), f.close_after_request("rst"))
        assert run(client, E6.use).id == "a1"
        assert run.fails(client, E8.use).outcome == "unknown"
        assert (proxy.hosts, secure.connections, len(secure.requests)) == (["127.0.0.1"], 1, 2)
    finally:
        run.close_client(run.opened.pop(0))
        proxy.close()


@hazard("H376")
@libraries
def test_only_a_given_client_uses_the_proxies_of_the_environment(
    run: Run, secure: FaultServer, library: Any, proxies: list[Proxy], monkeypatch: pytest.MonkeyPatch
) -> None:
    proxies.append(proxy := Proxy(OPEN))
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
    given = over(run, library, secure, verify=secure.client_context())
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    own = run.client("gateway", secure, timed=False)
    run(given, E6.use, E6.use)
    run(own, E6.use)
    assert (len(proxy.heads), secure.connections, len(secure.requests)) == (1, 2, 3)


@hazard("H376")
@libraries
def test_a_charge_over_http2_of_a_given_client_is_unknown_if_the_connection_drops(run: Run, library: Any) -> None:
    with H2Server("answer", "drop", tls=True) as server:
        given = caller(run, library, http2=True, verify=server.client_context())
        client = ours(run, http_client=given, base_url=server.url)
        assert run(client, E6.use).id
        assert run.fails(client, E8.use).outcome == "unknown"
        assert len(server.whole) == 2


ALIASED = """
import asyncio, httpx2
httpx2.alias_httpx()
import httpx
from kit.faults.server import FaultServer
from kit.faults import scripts as f
from subscribekit import AsyncGatewayClient, GatewayClient, transports

with FaultServer(f.ok({"object": "Subscription", "id": "s1"})) as server:
    given = {"base_url": server.url, "api_key": "k", "allow_insecure_loopback": True}

    async def calls(**more):
        async with AsyncGatewayClient(**given, **more) as client:
            for _ in range(2):
                await client.subscriptions.retrieve("s1")

    with GatewayClient(**given) as client:
        for _ in range(2):
            client.subscriptions.retrieve("s1")
        print(client.http_backend)
    asyncio.run(calls())
    with httpx.Client(transport=transports.PooledTransport()) as mine:
        GatewayClient(**given, http_client=mine).subscriptions.retrieve("s1")
    assert (server.connections, len(server.requests)) == (3, 5), server.connections
"""


@hazard("H377")
def test_calls_work_if_httpx2_replaces_httpx() -> None:
    """The calls use the SDK's own connections and reuse them."""
    done = subprocess.run(
        [sys.executable, "-c", ALIASED],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, f"httpx2 {httpx2.__version__}, own connections\n"), done.stderr


# The name of the HTTP backend


@hazard("H378")
def test_the_http_backend_names_the_trust_store_the_proxy_and_replaced_methods(run: Run, tmp_path: Path) -> None:
    """The name contains no password and no key."""
    authority = tmp_path / "authority.pem"
    trustme.CA().cert_pem.write_to_path(str(authority))
    where = subscribekit.Environment(name="own", gateway_url="https://g.test", ca_file=str(authority))
    plain = f"httpx {httpx.__version__}, own connections"
    client = ours(run, environment=where, base_url=None, proxy="http://user:secret@p.test:3128")
    assert client.http_backend == f"{plain}, proxy p.test:3128, trust {authority}"
    given = ours(run, ssl_context=ssl.create_default_context())
    assert given.http_backend == f"{plain}, trust the given ssl_context"
    own = ours(run)
    with mock.patch.object(httpx.AsyncClient, "send"), respx.mock:
        assert own.http_backend.startswith(f"{plain}, AsyncClient.send by unittest, ConnectionPool.handle_request by ")
    assert own.http_backend == plain


# Refused arguments


@hazard("H260")
@pytest.mark.parametrize(
    ("argument", "given", "message"),
    [
        (
            "transport",
            object(),
            "transport must be an? (Async)?BaseTransport of .*, not an object, because",
        ),
        ("transport", transports.direct, "not a function"),
        ("transport", httpx.HTTPTransport, "not the class HTTPTransport; create an instance"),
        ("transport", transports.PooledTransport, "not the class PooledTransport; create an instance"),
        ("http_client", httpx.Client, "not the class Client; create an instance"),
        ("http_client", "http://user:secret@p.test", "not a str$"),
        ("http_client", transports.direct(), "not a transport; pass it as transport="),
        ("ssl_context", "ca.pem", "ssl_context must be an ssl.SSLContext"),
        ("limits", httpx.Limits(), "limits must be"),
    ],
)
def test_an_argument_of_the_wrong_type_is_refused_by_name(run: Run, argument: str, given: object, message: str) -> None:
    with pytest.raises(subscribekit.errors.ConfigurationError, match=message) as caught:
        ours(run, **{argument: given})
    assert caught.value.outcome == "not_sent"
    assert "secret" not in str(caught.value)


@hazard("H260")
def test_direct_in_a_client_of_httpx_is_refused_when_the_client_is_made(run: Run) -> None:
    given = caller(run, httpx, mounts={"https://": transports.direct()})
    with pytest.raises(subscribekit.errors.ConfigurationError, match=r"pass transport=direct\(\) instead"):
        ours(run, http_client=given)


@hazard("H260")
def test_own_connections_refuse_a_context_that_does_not_verify(run: Run) -> None:
    context = ssl.create_default_context()
    context.check_hostname = False
    pooled: Any = transports.PooledTransport if run.style == "blocking" else transports.AsyncPooledTransport
    for make in (pooled, transports.direct):
        with pytest.raises(subscribekit.errors.ConfigurationError, match="must verify certificates and host names"):
            make(ssl_context=context)
