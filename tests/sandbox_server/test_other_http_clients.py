"""Tests that the server responds to the requests of other HTTP clients: benchmarks, proxies, and browsers."""

from __future__ import annotations

import gzip
import json
import logging
import socket
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox_server.test_server import BASIC, exchange, request, status
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.http.call import MAX_BODY
from subscribekit.sandbox.server import HOST, SandboxServer

AUTHORIZATION = f"Authorization: {BASIC['Authorization']}"
# A request of `ab -k`, which uses HTTP/1.0 and asks the server to keep the connection open.
AB = f"GET /accounts?limit=1 HTTP/1.0\r\nConnection: Keep-Alive\r\nHost: 127.0.0.1\r\n{AUTHORIZATION}\r\n\r\n".encode()


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    with SandboxServer(plain=True) as served:
        yield served


def body_of(answer: bytes) -> Any:
    return json.loads(answer.partition(b"\r\n\r\n")[2])


def receive(client: socket.socket) -> tuple[bytes, bytes]:
    """Read one response from a connection that stays open."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += client.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += client.recv(65536)
    return head, body


def test_a_connection_of_http_1_0_stays_open_if_the_client_asks_for_it(server: SandboxServer) -> None:
    port = int(server.addresses["billing"].rpartition(":")[2])
    with socket.create_connection((HOST, port), timeout=10) as client:
        for _ in range(3):
            client.sendall(AB)
            head, body = receive(client)
            assert b" 200 " in head
            assert b"Connection: keep-alive" in head
            assert json.loads(body)["total_count"] == 25
    answer = exchange(server, AB.replace(b"Connection: Keep-Alive\r\n", b""))
    assert b"Connection: close" in answer


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "BREW", "CONNECT", "get", "PATCH"])
@pytest.mark.parametrize("group", ["billing", "gateway", "storefront"])
def test_other_methods_get_the_error_of_the_api(server: SandboxServer, method: str, group: Any) -> None:
    credentials = {
        "billing": BASIC,
        "gateway": {"X-API-KEY": "sandbox-gateway-key"},
        "storefront": {"Authorization": "Bearer sandbox-token"},
    }
    answer = exchange(server, request(method, "/accounts", credentials[group]), group)
    assert status(answer) == 404
    error = body_of(answer)
    assert error["object"] == "Error" if group == "billing" else error["code"] == "not-found"
    assert b"sandbox-token" not in answer  # the response to TRACE doesn't contain the request


def test_a_head_request_gets_only_the_headers_of_the_error(server: SandboxServer) -> None:
    answer = exchange(server, request("HEAD", "/accounts", BASIC))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert status(answer) == 404
    assert b"Content-Type: application/json" in head
    assert body == b""


@pytest.mark.parametrize("target", ["http://127.0.0.1:1/accounts?limit=1", "HTTPS://localhost/accounts?limit=1"])
def test_a_target_in_absolute_form_is_read(server: SandboxServer, target: str) -> None:
    answer = exchange(server, request("GET", target, BASIC))
    assert status(answer) == 200
    assert body_of(answer)["url"] == "/accounts?limit=1"


def test_the_address_of_an_absolute_target_overrides_host(server: SandboxServer) -> None:
    answer = exchange(server, request("GET", "http://evil.example/accounts", BASIC))
    assert status(answer) == 421
    assert body_of(answer)["object"] == "Error"
    assert status(exchange(server, request("GET", "http://127.0.0.1", BASIC))) == 404
    assert status(exchange(server, request("OPTIONS", "*", BASIC))) == 404


def packed(data: bytes, coding: str) -> bytes:
    if coding == "gzip":
        return gzip.compress(data, mtime=0)
    if coding == "two members":
        return gzip.compress(data[:5], mtime=0) + gzip.compress(data[5:], mtime=0)
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS if coding == "raw" else zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def post(data: bytes, coding: str) -> bytes:
    headers = {**BASIC, "Content-Length": str(len(data)), "Content-Encoding": coding}
    return request("POST", "/accounts/acct-0001", headers, data)


@pytest.mark.parametrize(
    ("coding", "label"),
    [("gzip", "gzip"), ("two members", "x-gzip"), ("deflate", "deflate"), ("raw", "Deflate"), ("raw", " deflate ")],
)
def test_a_compressed_body_is_read(server: SandboxServer, coding: str, label: str) -> None:
    answer = exchange(server, post(packed(b'{"name": "Deflated"}', coding), label))
    assert status(answer) == 200
    body = answer.partition(b"\r\n\r\n")[2]
    assert json.loads(gzip.decompress(body) if b"Content-Encoding: gzip" in answer else body)["name"] == "Deflated"


@pytest.mark.parametrize(
    ("data", "label", "expected"),
    [
        (b"{}", "br", 415),
        (b"{}", "gzip, deflate", 415),
        (packed(b"{}", "gzip")[:-3], "gzip", 400),
        (b"{}", "deflate", 400),
        (packed(b'"' + b" " * (MAX_BODY + 1), "gzip"), "gzip", 413),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(server: SandboxServer, data: bytes, label: str, expected: int) -> None:
    answer = exchange(server, post(data, label))
    assert status(answer) == expected
    body = answer.partition(b"\r\n\r\n")[2]
    error = json.loads(gzip.decompress(body) if b"Content-Encoding: gzip" in answer else body)
    assert error["object"] == "Error"


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"GET /accounts HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 70_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: y\r\n" * 200 + b"\r\n",
        b"POST /accounts HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: x\r\n\r\n",
    ],
)
def test_an_invalid_request_is_rejected_in_the_shape_of_the_api(server: SandboxServer, sent: bytes) -> None:
    answer = exchange(server, sent)
    assert 400 <= status(answer) <= 505
    assert body_of(answer)["object"] == "Error"


@pytest.mark.hazard("H470")
def test_a_failure_of_the_sandbox_is_a_response(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a bug in the sandbox")

    sandbox = Sandbox()
    with SandboxServer(sandbox, plain=True) as served, caplog.at_level(logging.ERROR, "subscribekit.sandbox"):
        for holder, name in ((sandbox.faults, "handle"), (sandbox.service, "deliver"), (sandbox.service, "_reply")):
            with monkeypatch.context() as patch:
                patch.setattr(holder, name, fail)
                answer = exchange(served, request("GET", "/accounts", BASIC))
                assert status(answer) == 500
                assert body_of(answer)["object"] == "Error"
        assert status(exchange(served, request("GET", "/accounts", BASIC))) == 200
    assert caplog.text.count("RuntimeError: a bug in the sandbox") == 3
    assert "Traceback" in caplog.text
