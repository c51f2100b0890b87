"""The SDK sends each credential only to its own origin, and only in its own header."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer, Origin
from kit.faults.steps import Step
from reliability.kit import BASIC, CREDENTIALS, GROUPS, KIND, SECRETS, Group, Run, hazard
from reliability.operations import E3, E5, E6, E8, E9, E10, E11, Op, every_operation
from subscribekit import BillingClient, GatewayClient, Limits
from subscribekit._core.http.wire.tls import shared_ssl_context
from subscribekit.errors import (
    ConfigurationError,
    ConnectionFailedError,
    InvalidArgumentError,
    OutcomeUnknownError,
    PaginationError,
    UnexpectedRedirectError,
)


@hazard("H15")
@pytest.mark.parametrize("group", GROUPS)
def test_no_client_has_a_default_environment(run: Run, group: Group) -> None:
    from reliability import kit

    with pytest.raises(ConfigurationError, match="there's no default"):
        kit.CLIENTS[run.style][group](**CREDENTIALS[group])


@hazard("H15")
def test_the_repr_of_a_client_shows_its_environment_and_host(run: Run, srv: FaultServer) -> None:
    assert "environment='custom' host='127.0.0.1'" in repr(run.client("billing", srv))


@hazard("H23", "H32")
@every_operation
def test_a_request_carries_its_own_credential_and_no_header_beyond_the_list(run: Run, srv: FaultServer, op: Op) -> None:
    srv.script(op.good)
    run(run.client(op.group, srv), op.use)
    assert srv.credentials() == {KIND[op.group]}
    (request,) = srv.requests
    names = [name.decode().lower() for name, _ in request.headers]
    assert len(names) == len(set(names))
    allowed = {
        "host", "accept", "accept-encoding", "user-agent", "content-type", "content-length", "x-b3-traceid",
        "x-b3-spanid", "authorization", "x-api-key", "cookie", "x-api-version", "content-encoding",
    }  # fmt: skip
    assert set(names) <= allowed
    assert request.values("user-agent")[0].startswith("subscribekit/")
    assert request.values("accept-encoding") == ["gzip"]
    assert (request.values("x-api-version") == ["20190501"]) == (op.group == "billing")
    secrets = {"billing": BASIC, **{group: [*CREDENTIALS[group].values()][-1] for group in GROUPS[1:]}}
    own = request.values("authorization") + request.values("x-api-key") + request.values("cookie")
    assert secrets[op.group] in own[0]


@hazard("H20", "H21")
@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "location",
    ["{sink}/x", "{self}/x", "/x", "//{sink_host}/x", "http://user:pw@{sink_host}/x?key=v", "http://[::bad/", "\\evil"],
)
def test_a_redirect_is_never_followed(run: Run, srv: FaultServer, code: int, location: str) -> None:
    srv.script(f.redirect(location, code))
    for op in (E3, E8, E9, E11):
        srv.forget()
        error = run.fails(run.client(op.group, srv), op.use)
        assert isinstance(error, UnexpectedRedirectError)
        assert (error.status_code, error.request_id, len(srv.requests)) == (code, "r-1", 1)
        assert isinstance(error, OutcomeUnknownError) == op.writes
        for hidden in ("user", "pw@", "key=v", "/x"):
            assert hidden not in str(error).split("redirect")[1].split(";")[0]
    assert srv.sink.requests == []
    assert srv.leaked(*SECRETS) == set()


@hazard("H22")
@pytest.mark.parametrize(
    "link",
    [
        "{sink}/accounts?starting_after=a1", "//{sink_host}/accounts?starting_after=a1",
        "/\\{sink_host}/accounts?starting_after=a1", "{self}/accounts?starting_after=a1",
        "https://{self_host}/accounts?starting_after=a1", "/accounts@{sink_host}?starting_after=a1",
        "/other?starting_after=a1", "?starting_after=a1", "/accounts/../x?starting_after=a1",
        "/accounts?starting_after=a1#x", "/accounts?starting_after=", "/accounts",
        "/accounts?starting_after=a&starting_after=b",
        "/accounts/%2e%2e?starting_after=a1", "/accounts?ending_before=a1", "/accounts?starting_after=a1\r\nX: y",
    ],
)  # fmt: skip
def test_a_link_of_the_service_is_never_requested(run: Run, srv: FaultServer, link: str) -> None:
    srv.script(f.page([{"id": "a1"}], link))
    error = run.fails(run.client("billing", srv), E3.use)
    assert isinstance(error, PaginationError)
    assert len(srv.requests) == 1
    assert srv.sink.requests == []


@hazard("H22")
def test_only_the_cursor_of_a_link_is_used(run: Run, srv: FaultServer) -> None:
    srv.script(f.page([{"id": "a1"}], "/accounts?email=evil&limit=1000&starting_after=a%201"), f.page([]))
    run(run.client("billing", srv), lambda c: c.accounts.list(email="jane@example.org", limit=2))
    assert [request.target for request in srv.requests] == [
        "/accounts?email=jane%40example.org&limit=2",
        "/accounts?email=jane%40example.org&limit=2&starting_after=a%201",
    ]


@hazard("H22")
@pytest.mark.parametrize("path", ["{sink}/x", "//{sink_host}/x", "http://evil.example/x", "/../x", "x", "/a/%2e%2e/x"])
def test_an_absolute_or_unclean_path_is_refused(run: Run, srv: FaultServer, path: str) -> None:
    filled = path.replace("{sink}", srv.sink.url).replace("{sink_host}", srv.sink.url.partition("//")[2])
    error = run.fails(run.client("billing", srv), lambda c: c.request("GET", filled))
    assert isinstance(error, InvalidArgumentError)
    assert (srv.requests, srv.sink.requests) == ([], [])


@hazard("H24")
def test_the_service_cannot_set_a_cookie(run: Run, srv: FaultServer) -> None:
    evil = [("Set-Cookie", "JSESSIONID=evil; Path=/"), ("Set-Cookie", "other=1")]
    srv.script(f.offset_page([]), f.offset_page([]))
    srv.script(f.ok([], headers=evil))
    client = run.client("user_mgmt", srv)
    response = run(client.with_raw_response.custom_data.delete("u1", "toys", filter="a eq 1"))
    assert "set-cookie" not in response.headers
    run(client, E10.use, E9.use)
    assert [request.header("cookie") for request in srv.requests] == ["JSESSIONID=session-4713"] * 3


@pytest.fixture
def hostile_environment(srv: FaultServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Environment variables and a `.netrc` file that would redirect requests or replace their credentials."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login evil password evil\nmachine localhost login evil password evil\n")
    netrc.chmod(0o600)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, srv.sink.url)
        monkeypatch.setenv(name.lower(), srv.sink.url)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "absent"))
    return tmp_path


@hazard("H25", "H26")
@pytest.mark.usefixtures("hostile_environment")
@every_operation
def test_the_process_environment_is_not_consulted(run: Run, srv: FaultServer, op: Op) -> None:
    srv.script(op.good)
    run(run.client(op.group, srv, timed=False), op.use)
    assert srv.credentials() == {KIND[op.group]}
    assert not any("evil" in value for request in srv.requests for value in request.values("authorization"))
    assert srv.sink.requests == []


@hazard("H26")
def test_tls_keys_are_not_written_to_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secure: FaultServer
) -> None:
    from subscribekit._core.http.wire import tls as network

    log = tmp_path / "keys"
    monkeypatch.setenv("SSLKEYLOGFILE", str(log))
    monkeypatch.setattr(network, "_contexts", [])
    context = shared_ssl_context()
    context.load_verify_locations(cadata=_authority_of(secure))
    with GatewayClient(base_url=secure.url, api_key="k") as client:
        assert client.subscriptions.retrieve("s1").id == "a1"
    assert "CLIENT" not in log.read_text() if log.exists() else True


def _authority_of(srv: Origin) -> str:
    (certificate,) = srv.client_context().get_ca_certs(binary_form=True)
    return ssl.DER_cert_to_PEM_cert(certificate)


class ProxyServer:
    """An HTTP proxy that opens tunnels, and records the requests for them."""

    def __init__(self, answer: bytes = b"HTTP/1.1 200 ok\r\n\r\n") -> None:
        self.heads: list[bytes] = []
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self._sockets.append(sock)
            thread = threading.Thread(target=self._serve, args=(sock,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, sock: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            data = sock.recv(65536)
            if not data:
                return
            head += data
        self.heads.append(head)
        sock.sendall(self._answer)
        if not self._answer.startswith(b"HTTP/1.1 200"):
            sock.close()
            return
        host, _, port = head.split(b" ")[1].decode().partition(":")
        upstream = socket.create_connection((host, int(port)))
        self._sockets.append(upstream)
        back = threading.Thread(target=self._pump, args=(upstream, sock))
        self._threads.append(back)
        back.start()
        self._pump(sock, upstream)

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for sock in self._sockets:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            sock.close()
        for thread in self._threads:
            thread.join(5)


@pytest.fixture
def proxy() -> Iterator[ProxyServer]:
    server = ProxyServer()
    yield server
    server.close()


@hazard("H26")
@pytest.mark.usefixtures("hostile_environment")
def test_an_explicit_proxy_sees_the_host_and_its_own_password_only(
    run: Run, secure: FaultServer, proxy: ProxyServer
) -> None:
    address = f"http://proxy-user:proxy%20pass@127.0.0.1:{proxy.port}"
    client = run.client("gateway", secure, proxy=address, timed=False, limits=Limits(min_idle_before_charge=0))
    run(client, E6.use, E8.use, E6.use)
    assert len(secure.requests) == 3
    assert secure.connections == 1
    (head,) = proxy.heads
    assert head.startswith(f"CONNECT 127.0.0.1:{secure.port} HTTP/1.1\r\n".encode())
    assert b"Basic cHJveHktdXNlcjpwcm94eSBwYXNz" in head
    assert not any(secret.encode() in head for secret in SECRETS)
    assert secure.credentials() == {"x-api-key"}  # the service doesn't receive the proxy's password
    assert "proxy pass" not in repr(client) + repr(client._driver.transport._pool._route)
    run.close_client(client)
    run.disconnected(secure)


@hazard("H03", "H26")
@pytest.mark.parametrize("op", [E6, E8], ids=str)
def test_a_call_is_not_sent_through_a_proxy_that_refuses_the_tunnel(run: Run, secure: FaultServer, op: Op) -> None:
    refusing = ProxyServer(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
    client = run.client("gateway", secure, proxy=f"http://127.0.0.1:{refusing.port}", timed=False)
    error = run.fails(client, op.use)
    assert type(error) is ConnectionFailedError
    assert (error.outcome, error.attempts, secure.connections) == ("not_sent", 1, 0)
    run.close_client(client)
    refusing.close()


@hazard("H03", "H26")
@pytest.mark.parametrize("op", [E6, E8], ids=str)
def test_a_handshake_that_ends_inside_the_tunnel_is_tried_again(
    run: Run, secure: FaultServer, proxy: ProxyServer, op: Op
) -> None:
    secure.script(f.tls_eof(), f.ok())
    client = run.client("gateway", secure, proxy=f"http://127.0.0.1:{proxy.port}")
    run(client, op.use)
    assert (secure.connections, len(secure.requests)) == (2, 1)


@hazard("H05", "H26")
def test_a_write_does_not_use_an_idle_tunnel(run: Run, secure: FaultServer, proxy: ProxyServer) -> None:
    limits = Limits(keepalive_expiry=60, write_keepalive_expiry=1e-9)
    client = run.client("gateway", secure, proxy=f"http://127.0.0.1:{proxy.port}", limits=limits)
    run(client, E6.use, E6.use, E8.use)
    assert [request.connection for request in secure.requests] == [1, 1, 2]


@hazard("H58")
def test_a_tunnel_is_not_used_after_a_surplus_response(run: Run, secure: FaultServer, proxy: ProxyServer) -> None:
    secure.script(f.smuggle("second_answer"), f.ok())
    client = run.client("gateway", secure, proxy=f"http://127.0.0.1:{proxy.port}")
    run(client, E6.use)
    assert run(client, E6.use).id == "a1"
    assert secure.connections == 2


@hazard("H27")
@pytest.mark.parametrize(
    "url",
    [
        "http://service.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example",
        "ftp://service.example",
        "https://user:pw@service.example", "https://service.example?x=1", "https://service.example/#x",
        "service.example",
        "https://", "https://service.example/a/../b", "https://service.example/%61", "https://service.example\\evil",
        "https://service.example /", "https://service.example\n", "https://sérvice.example",
        "https://service.example:99999",
    ],
)  # fmt: skip
@pytest.mark.parametrize("loopback", [False, True])
def test_an_address_that_is_not_plain_https_is_refused(url: str, loopback: bool) -> None:
    with pytest.raises(ConfigurationError):
        BillingClient(base_url=url, api_user="u", api_key="k", allow_insecure_loopback=loopback)


@hazard("H27")
@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
def test_plain_http_needs_a_loopback_host_and_the_option(host: str) -> None:
    BillingClient(base_url=f"http://{host}:1", api_user="u", api_key="k", allow_insecure_loopback=True)
    with pytest.raises(ConfigurationError, match="https"):
        BillingClient(base_url=f"http://{host}:1", api_user="u", api_key="k")


def _lax(**settings: Any) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    for name, value in settings.items():
        setattr(context, name, value)
    return context


@hazard("H27")
@pytest.mark.parametrize(
    "settings",
    [{"check_hostname": False}, {"check_hostname": False, "verify_mode": ssl.CERT_NONE}],
    ids=["any host", "any certificate"],
)
def test_a_context_that_does_not_verify_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="must verify certificates and host names"):
        GatewayClient(base_url="https://x.example", api_key="k", ssl_context=_lax(**settings))


@hazard("H27")
def test_an_old_protocol_is_refused(recwarn: pytest.WarningsRecorder) -> None:
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        context = _lax(minimum_version=ssl.TLSVersion.TLSv1)
    with pytest.raises(ConfigurationError, match=r"at least TLS 1\.2"):
        GatewayClient(base_url="https://x.example", api_key="k", ssl_context=context)


@hazard("H23")
def test_four_clients_of_four_servers_do_not_mix(run: Run) -> None:
    from contextlib import ExitStack

    with ExitStack() as stack:
        for op in (E3, E6, E10, E11, E5, E8, E9):
            srv = stack.enter_context(FaultServer(_redirecting(op)))
            client = run.client(op.group, srv)
            run.fails(client, op.use)
            srv.script(op.good)
            run(client, op.use)
            assert srv.credentials() == {KIND[op.group]}
            assert srv.leaked(*SECRETS) == set()


def _redirecting(op: Op) -> Step:
    return f.redirect("{sink}/steal", 308)
