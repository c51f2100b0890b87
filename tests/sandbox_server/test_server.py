"""Tests that the server works with the SDK and other HTTP clients, with and without TLS, and stops cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import http.client
import json
import socket
import ssl
import stat
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

import subscribekit
from subscribekit import Timeouts
from subscribekit.errors import ConnectionFailedError, DeadlineExceededError, OutcomeUnknownError, RateLimitError
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import (
    Fault,
    connection_refused,
    drop_after_commit,
    drop_before_commit,
    proxy_page,
    rate_limited,
    read_timeout,
    server_error_after_commit,
    slow_response,
    truncated,
)
from subscribekit.sandbox.server import HOST, SandboxServer
from subscribekit.sandbox.server.certificate import make_certificate

CHARGE = "/v1/entitlement/{id}/charge"


@pytest.fixture(scope="module")
def tls() -> Iterator[SandboxServer]:
    with SandboxServer() as server:
        yield server


@pytest.fixture
def plain() -> Iterator[SandboxServer]:
    with SandboxServer(plain=True) as server:
        yield server


def options(server: SandboxServer) -> dict[str, Any]:
    if server.ssl_context is None:
        return {"environment": server.environment, "allow_insecure_loopback": True}
    return {"environment": server.environment, "ssl_context": server.ssl_context}


@pytest.mark.parametrize("kind", [False, True], ids=["tls", "plain"])
def test_all_apis_respond_to_sync_and_async_clients(kind: bool) -> None:
    with SandboxServer(plain=kind) as server:
        settings = options(server)
        with (
            subscribekit.BillingClient(**settings) as billing,
            subscribekit.GatewayClient(**settings) as gateway,
            subscribekit.UserMgmtClient(**settings) as users,
            subscribekit.StorefrontClient(**settings) as storefront,
        ):
            assert billing.accounts.list(limit=10).total_count() == 25
            assert len(billing.accounts.list(limit=10).to_list()) == 25
            assert gateway.partner_subscriptions.cancel("psub-billing-0001").billing_status == "CANCELLED"
            users.custom_data.delete(subscribekit.ME, "devices", filter="age ge 0")
            assert storefront.payment_methods.update(
                "acct-0001", payment_method_id="pm-cash-0001", primary=True, active=True
            ).primary

        async def story() -> int | None:
            async with subscribekit.AsyncUserMgmtClient(**settings) as client:
                return await client.accounts.list().total_count()

        assert asyncio.run(story()) == 25
        assert server.sandbox.custom_data("user-0001", "devices") == []
        assert {request.status for request in server.sandbox.requests} == {200, 204}


def test_only_the_loopback_address_is_bound(plain: SandboxServer) -> None:
    assert HOST == "127.0.0.1"
    assert {address.rpartition(":")[0] for address in plain.addresses.values()} == {"http://127.0.0.1"}
    for listener in plain._listeners.values():
        assert listener.socket.getsockname()[0] == "127.0.0.1"


def free_ports() -> int:
    """Return the first of four consecutive ports that are free."""
    for _ in range(100):
        with contextlib.ExitStack() as held, contextlib.suppress(OSError):
            first = held.enter_context(socket.create_server((HOST, 0))).getsockname()[1]
            for number in range(1, 4):
                held.enter_context(socket.create_server((HOST, first + number)))
            return int(first)
    raise AssertionError("could not find four consecutive free ports")


def test_chosen_ports_are_consecutive_and_a_port_in_use_is_reported() -> None:
    port = free_ports()
    with socket.create_server((HOST, port + 2)), pytest.raises(OSError, match=r"(?i)address"):
        SandboxServer(plain=True, port=port)
    # The first two ports must have been closed again. Otherwise, this would fail too.
    with SandboxServer(plain=True, port=port) as server:
        assert list(server.addresses.values()) == [f"http://{HOST}:{port + number}" for number in range(4)]


def test_connections_stay_open(plain: SandboxServer) -> None:
    connection = http.client.HTTPConnection(HOST, int(plain.addresses["billing"].rpartition(":")[2]))
    with contextlib.closing(connection):
        sockets: set[object] = set()
        for _ in range(3):
            connection.request("GET", "/accounts", headers=BASIC)
            answer = connection.getresponse()
            assert answer.version == 11
            assert json.loads(answer.read())["total_count"] == 25
            sockets.add(connection.sock)
        assert len(sockets) == 1


BASIC = {"Authorization": "Basic c2FuZGJveC1tZXJjaGFudDpzYW5kYm94LWtleQ=="}


def exchange(server: SandboxServer, sent: bytes, group: Any = "billing") -> bytes:
    """Send bytes, and read until the server closes the connection."""
    port = int(server.addresses[group].rpartition(":")[2])
    with socket.create_connection((HOST, port), timeout=10) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        received = b""
        while piece := client.recv(65536):
            received += piece
        return received


def request(method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


CAMPAIGN = b'{"description": "by hand"}'


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Length": str(len(CAMPAIGN))}, CAMPAIGN),
        ({"Transfer-Encoding": "chunked"}, b'a;x=y\r\n{"descript\r\n10\r\nion": "by hand"}\r\n0\r\nTrailer: t\r\n\r\n'),
        (
            {"Content-Length": str(len(gzip.compress(CAMPAIGN, mtime=0))), "Content-Encoding": "gzip"},
            gzip.compress(CAMPAIGN, mtime=0),
        ),
    ],
    ids=["length", "chunked", "gzip"],
)
def test_bodies_arrive(plain: SandboxServer, headers: dict[str, str], body: bytes) -> None:
    sent = request("POST", "/campaigns/camp-summer", {**BASIC, "Content-Type": "application/json", **headers}, body)
    answer = exchange(plain, sent)
    assert status(answer) == 200
    packed = answer.partition(b"\r\n\r\n")[2]
    assert b"by hand" in (gzip.decompress(packed) if packed.startswith(b"\x1f\x8b") else packed)


def test_a_client_that_waits_before_its_body_gets_100_continue(plain: SandboxServer) -> None:
    head = request("POST", "/campaigns/camp-summer", {**BASIC, "Expect": "100-continue", "Content-Length": "2"})
    with socket.create_connection((HOST, int(plain.addresses["billing"].rpartition(":")[2])), timeout=10) as client:
        client.sendall(head)
        assert client.recv(1024) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"{}")
        assert client.recv(1024).startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.hazard("H96")
@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Length": "many"}, b""),
        ({"Content-Length": str(11 * 1024 * 1024)}, b""),
        ({"Content-Length": "-1"}, b""),
        ({"Transfer-Encoding": "gzip"}, b""),
        ({"Transfer-Encoding": "chunked"}, b"zz\r\n"),
        ({"Transfer-Encoding": "chunked"}, b"ffffffff\r\n"),
        ({"Content-Length": "9" * 5_000}, b""),
        ({"Content-Length": "0" * 5_000 + "2"}, b"{}"),
        ({"Content-Length": "+2"}, b"{}"),
        ({"Content-Length": "2_0"}, b"{}"),
        ({"Content-Length": "\u00b2"}, b"{}"),
        ({"Content-Length": "2, 2"}, b"{}"),
        ({"Content-Length": "2\r\nContent-Length: 3"}, b"{}a"),
        ({"Content-Length": "2\r\nContent-Length: 2"}, b"{}"),
        ({"Content-Length": "2", "Transfer-Encoding": "chunked"}, b"2\r\n{}\r\n0\r\n\r\n"),
        ({"Transfer-Encoding": "chunked\r\nTransfer-Encoding: gzip"}, b"2\r\n{}\r\n0\r\n\r\n"),
        ({"Content-Length": "20"}, b"{}"),
        ({"Transfer-Encoding": "chunked"}, b"9" * 5_000 + b"\r\n{}"),
        ({"Transfer-Encoding": "chunked"}, b"-2\r\n{}\r\n0\r\n\r\n"),
        ({"Transfer-Encoding": "chunked"}, b"2" + b";" + b"x" * 5_000 + b"\r\n{}\r\n0\r\n\r\n"),
        ({"Transfer-Encoding": "chunked"}, b"2\r\n{}abc\r\n0\r\n\r\n"),
        ({"Transfer-Encoding": "chunked"}, b"9\r\n{}"),
        ({"Transfer-Encoding": "chunked"}, b"2\r\n{}\r\n"),
    ],
)
def test_a_body_without_a_usable_length_is_refused(
    plain: SandboxServer, capfd: pytest.CaptureFixture[str], headers: dict[str, str], body: bytes
) -> None:
    answer = exchange(plain, request("POST", "/campaigns/camp-summer", {**BASIC, **headers}, body))
    assert status(answer) == 400
    assert b"Connection: close" in answer
    assert plain.sandbox.requests == []
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("headers", "refused"),
    [({"X-Long": "x" * 70_000}, 431), ({f"X-{number}": "1" for number in range(200)}, 431)],
    ids=["long", "many"],
)
def test_headers_without_end_are_refused(plain: SandboxServer, headers: dict[str, str], refused: int) -> None:
    assert status(exchange(plain, request("GET", "/accounts", {**BASIC, **headers}))) == refused
    assert plain.sandbox.requests == []


@pytest.mark.hazard("H96")
@pytest.mark.parametrize(
    "sent",
    [
        b"GET /accounts\x1b]0;owned\x07 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /\x9b31mred HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET\x1b[2J /accounts HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /accounts HTTP/\x1b[2J\r\n\r\n",
        b"GET /a\x0bb\x0cc\x00d\x85e HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
def test_log_lines_are_escaped(plain: SandboxServer, caplog: pytest.LogCaptureFixture, sent: bytes) -> None:
    with caplog.at_level("INFO", logger="subscribekit.sandbox"):
        exchange(plain, sent)
    assert caplog.messages
    for line in caplog.messages:
        assert line.isascii(), line
        assert line.isprintable(), line


def test_responses_without_content_have_no_length(plain: SandboxServer) -> None:
    session = {"Cookie": "JSESSIONID=sandbox-session", "Content-Type": "application/json"}
    path = "/customData/v1/user/me/devices?filter=age%20ge%2099"
    answer = exchange(plain, request("DELETE", path, session), "user_mgmt")
    assert status(answer) == 204
    assert b"content-length" not in answer.lower()
    assert answer.endswith(b"\r\n\r\n")


def test_unknown_methods_and_paths_are_refused_in_the_shape_of_the_api(plain: SandboxServer) -> None:
    for method, path in (("PATCH", "/accounts"), ("BREW", "/accounts"), ("GET", "/nothing")):
        sent = request(method, path, BASIC)
        answer = exchange(plain, sent)
        assert status(answer) == 404
        assert b"This endpoint does not exist. Check our API docs." in answer
    assert b'{"object":"Error","message":"Bad request syntax' in exchange(plain, b"nonsense\r\n\r\n")
    assert status(exchange(plain, request("GET", "/accounts", {}))) == 401


FAULTS: list[tuple[Fault, type[Exception], int]] = [
    (connection_refused(), OutcomeUnknownError, 0),
    (drop_before_commit(), OutcomeUnknownError, 0),
    (drop_after_commit(), OutcomeUnknownError, 1),
    (truncated(), OutcomeUnknownError, 1),
    (proxy_page(502), OutcomeUnknownError, 0),
    (server_error_after_commit(), OutcomeUnknownError, 1),
    (rate_limited(), RateLimitError, 0),
]


@pytest.mark.parametrize(("fault", "error", "made"), FAULTS, ids=[fault.name for fault, _, _ in FAULTS])
def test_faults_happen_on_the_wire(plain: SandboxServer, fault: Fault, error: type[Exception], made: int) -> None:
    plain.sandbox.faults.add(CHARGE, fault)
    charge = subscribekit.models.EntitlementCharge(transaction_id="t-1", amount=5)
    with subscribekit.GatewayClient(**options(plain)) as gateway:
        with pytest.raises(error):
            gateway.entitlements.charge("psub-entitlement-0001", charge)
        assert len(plain.sandbox.entitlement_charges) == made
        gateway.entitlements.charge("psub-entitlement-0001", charge)
        assert len(plain.sandbox.entitlement_charges) == made + 1


def test_a_read_timeout_sends_nothing_until_the_client_closes(plain: SandboxServer) -> None:
    plain.sandbox.faults.add("GET /accounts", read_timeout(), times=None)
    with subscribekit.BillingClient(**options(plain), timeouts=Timeouts(read=0.05)) as billing:
        once = billing.with_options(retry=subscribekit.RetryPolicy(max_attempts=1))
        with pytest.raises(ConnectionFailedError):
            once.accounts.list().to_list()


def test_a_slow_response_takes_real_time_and_keeps_the_connection(plain: SandboxServer) -> None:
    plain.sandbox.faults.add("GET /accounts", slow_response(0.2, pieces=4))
    connection = http.client.HTTPConnection(HOST, int(plain.addresses["billing"].rpartition(":")[2]), timeout=10)
    with contextlib.closing(connection):
        began = time.monotonic()
        connection.request("GET", "/accounts", headers=BASIC)
        answer = connection.getresponse()
        assert json.loads(answer.read())["total_count"] == 25
        assert time.monotonic() - began >= 0.2
        kept = connection.sock
        plain.sandbox.faults.add(("HEAD", "/accounts"), slow_response(60))
        connection.request("HEAD", "/accounts", headers=BASIC)
        assert connection.getresponse().read() == b""
        connection.request("GET", "/accounts", headers=BASIC)
        assert connection.getresponse().status == 200
        assert connection.sock is kept


@pytest.mark.parametrize("style", ["blocking", "async"])
def test_a_slow_response_ends_at_the_deadline(plain: SandboxServer, style: str) -> None:
    plain.sandbox.faults.add("GET /accounts", slow_response(5, pieces=50))

    def blocking() -> None:
        with subscribekit.BillingClient(**options(plain), deadline=0.3) as billing:
            billing.accounts.list().to_list()

    async def awaited() -> None:
        async with subscribekit.AsyncBillingClient(**options(plain), deadline=0.3) as billing:
            await billing.accounts.list().to_list()

    with pytest.raises(DeadlineExceededError):
        asyncio.run(awaited()) if style == "async" else blocking()


def test_a_client_without_the_ca_refuses_the_server(tls: SandboxServer) -> None:
    with (
        subscribekit.BillingClient(environment=tls.environment) as billing,
        pytest.raises(ConnectionFailedError, match="certificate") as caught,
    ):
        billing.accounts.list().to_list()
    assert caught.value.outcome == "not_sent"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_certificate_is_valid_for_the_loopback_names(tls: SandboxServer, host: str) -> None:
    assert tls.ssl_context is not None
    port = int(tls.addresses["billing"].rpartition(":")[2])
    with (
        socket.create_connection((HOST, port)) as raw,
        tls.ssl_context.wrap_socket(raw, server_hostname=host) as secured,
    ):
        assert secured.version() in ("TLSv1.2", "TLSv1.3")


def test_an_idle_handshake_does_not_delay_other_clients(tls: SandboxServer) -> None:
    port = int(tls.addresses["billing"].rpartition(":")[2])
    with socket.create_connection((HOST, port)), subscribekit.BillingClient(**options(tls)) as billing:
        assert billing.accounts.list().total_count() == 25


def test_the_certificate_passes_strict_checks(tmp_path: Path) -> None:
    made = make_certificate(tmp_path / "new")
    authority = x509.load_pem_x509_certificate(made.authority.read_bytes())
    server = x509.load_pem_x509_certificate(made.server.read_bytes())
    server.verify_directly_issued_by(authority)
    assert authority.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert not server.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert authority.extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign
    usage = server.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert ExtendedKeyUsageOID.SERVER_AUTH in usage
    names = server.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost"]
    assert [str(address) for address in names.get_values_for_type(x509.IPAddress)] == ["127.0.0.1", "::1"]
    now = datetime.now(UTC)
    for each in (authority, server):
        assert each.not_valid_before_utc < now < each.not_valid_after_utc
    assert server.not_valid_after_utc < now + timedelta(days=31)
    context = made.client_context()
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    with SandboxServer(directory=tmp_path / "other") as other:
        # A client of one server must not trust another server's certificate.
        port = int(other.addresses["billing"].rpartition(":")[2])
        with socket.create_connection((HOST, port)) as raw, pytest.raises(ssl.SSLCertVerificationError):
            context.wrap_socket(raw, server_hostname="localhost")
        strict = ssl.create_default_context(cafile=str(other.authority))
        strict.verify_flags |= ssl.VERIFY_X509_STRICT
        with socket.create_connection((HOST, port)) as raw:
            strict.wrap_socket(raw, server_hostname="localhost").close()


def test_the_servers_key_is_private_and_the_cas_key_is_not_stored(tmp_path: Path) -> None:
    for _ in range(2):  # the second call must replace the files of the first call
        made = make_certificate(tmp_path)
    assert made.authority.stat().st_mode & stat.S_IRUSR
    assert stat.S_IMODE(made.server.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["authority.pem", "server.pem"]
    assert b"PRIVATE KEY" not in made.authority.read_bytes()


def test_the_temporary_directory_is_removed() -> None:
    with SandboxServer() as server:
        assert server.authority is not None
        directory = server.authority.parent
        assert directory.is_dir()
    assert not directory.exists()


def test_many_clients_at_once(plain: SandboxServer) -> None:
    def charge(number: int) -> None:
        with subscribekit.GatewayClient(**options(plain)) as gateway:
            gateway.entitlements.charge(
                "psub-entitlement-0001",
                subscribekit.models.EntitlementCharge(transaction_id=f"t-{number}", amount=1),
            )

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(charge, range(40)))
    assert len({each.fields["transactionId"] for each in plain.sandbox.entitlement_charges}) == 40
    assert len({each.transaction_reference_id for each in plain.sandbox.entitlement_charges}) == 40


@pytest.mark.parametrize("kind", [False, True], ids=["tls", "plain"])
def test_closing_ends_open_connections_and_all_threads(kind: bool) -> None:
    before = set(threading.enumerate())
    server = SandboxServer(plain=kind)
    server.start()
    port = int(server.addresses["billing"].rpartition(":")[2])
    with socket.create_connection((HOST, port)) as idle, subscribekit.BillingClient(**options(server)) as billing:
        assert billing.accounts.list().total_count() == 25
        server.sandbox.faults.add("GET /accounts", read_timeout())
        waiting = request("GET", "/accounts", BASIC)
        idle.sendall(waiting if kind else b"")
        server.close()
        assert idle.recv(1) == b""
    assert set(threading.enumerate()) <= before
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((HOST, port))


def test_closing_ends_a_slow_response() -> None:
    before = set(threading.enumerate())
    server = SandboxServer(plain=True)
    server.start()
    server.sandbox.faults.add("GET /accounts", slow_response(600))
    with socket.create_connection((HOST, int(server.addresses["billing"].rpartition(":")[2])), timeout=10) as client:
        client.sendall(request("GET", "/accounts", BASIC))
        assert client.recv(65536).startswith(b"HTTP/1.1 200 OK\r\n")
        server.close()
        assert client.recv(1) == b""
    assert set(threading.enumerate()) <= before


def test_a_server_that_was_never_started_closes_too() -> None:
    SandboxServer(Sandbox(), plain=True).close()
