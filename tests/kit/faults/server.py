"""The scripted loopback server. It performs the steps of a script, and records all requests."""

from __future__ import annotations

import atexit
import datetime as dt
import functools
import socket
import ssl
import threading
import time
from itertools import combinations, pairwise
from types import TracebackType
from typing import Literal, Self

import trustme

from kit.faults.scripts import ok
from kit.faults.steps import Stage, Step
from kit.faults.wire import ClientGoneError, Connection, Exchange, Gate, Places, Request, ServerClosingError, parse_head

BadCertificate = Literal["expired", "other_host", "unknown_ca"]

_HOST = "127.0.0.1"
_JOIN_SECONDS = 10.0
_SETTLE_SECONDS = 1.0
_UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_SECRET_HEADERS = ("x-api-key", "cookie", "proxy-authorization")


class Origin:
    """A context manager that serves one loopback address and records every request.

    Args:
        tls: Whether to serve TLS.
        bad_cert: The defect of the certificate, which a client must reject.
    """

    def __init__(self, *, tls: bool = False, bad_cert: BadCertificate | None = None) -> None:
        self.requests: list[Request] = []
        self.connections = 0
        """The number of accepted connections, including those without a request or a finished handshake."""
        self._tls = _server_context(bad_cert) if tls else None
        self._steps: list[Step] = [ok()]
        self._gates = [Gate()]
        self._changed = threading.Condition()
        self._open: set[Connection] = set()
        self._threads: list[threading.Thread] = []
        self._listening = False
        self._port = 0
        self.listen_again()

    @property
    def url(self) -> str:
        """The base URL."""
        return f"{'https' if self._tls else 'http'}://{_HOST}:{self._port}"

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        return self._port

    def client_context(self) -> ssl.SSLContext:
        """Return a TLS context for a client that trusts only the server's CA."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=_authority().cert_pem.bytes().decode())
        return context

    def script(self, *steps: Step) -> None:
        """Set the next steps, one for each request or connection. The last step repeats."""
        if self._tls is None and any(step.name.startswith("tls_") for step in steps):
            raise ValueError("a step of the TLS handshake needs a server with tls=True")
        with self._changed:
            self._steps = list(steps) or [ok()]
            self._gates.append(Gate())
            if self._steps[0].takes_connection:
                self._end_idle_connections()

    def release(self) -> None:
        """Release the stalled steps of the current script."""
        self._gates[-1].release()

    def forget(self) -> None:
        """Reset the recorded requests and the number of connections."""
        with self._changed:
            self.requests = []
            self.connections = 0

    def stop_listening(self) -> None:
        """Refuse new connections at this address. A second call does nothing."""
        if not self._listening:
            return
        self._listening = False
        with socket.create_connection((_HOST, self._port)):  # a close from another thread would not wake accept()
            self._join(self._acceptor)
        self._listener.close()

    def listen_again(self) -> None:
        """Accept connections at this address, also after `stop_listening`."""
        self._listener = socket.create_server((_HOST, self._port), backlog=256)
        self._port = int(self._listener.getsockname()[1])
        self._listening = True
        self._acceptor = threading.Thread(target=self._accept, name=f"fault-server-{self._port}", daemon=True)
        self._acceptor.start()

    def close(self) -> None:
        """End every connection and thread. A second call does nothing."""
        self.stop_listening()
        for gate in self._gates:
            gate.close()
        with self._changed:
            for connection in self._open:
                connection.abort()
        for thread in self._threads:
            self._join(thread)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # Recorded requests

    @property
    def open_connections(self) -> int:
        """The number of connections that neither side has ended."""
        with self._changed:
            return len(self._open)

    def wait_for_requests(self, count: int, timeout: float = 5.0, *, whole: bool = True) -> None:
        """Wait until `count` requests have arrived. With `whole=False`, incomplete requests count too."""

        def arrived() -> bool:
            return sum(request.complete or not whole for request in self.requests) >= count

        with self._changed:
            if not self._changed.wait_for(arrived, timeout):
                raise AssertionError(f"{len(self.requests)} requests arrived in {timeout} s, not {count} whole ones")

    def wait_until_disconnected(self, timeout: float = 5.0, *, but: int = 0) -> None:
        """Wait until the client has at most `but` open connections."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._open) <= but, timeout):
                raise AssertionError(f"{len(self._open)} connections are still open after {timeout} s")

    def gaps(self) -> list[float]:
        """Return the seconds between the arrivals of the requests."""
        return [later.at - earlier.at for earlier, later in pairwise(self.requests)]

    def assert_no_duplicate(self) -> None:
        """Fail if a write arrived again although the earlier request may have been carried out.

        Incomplete requests count, because a request without a body consists only of the head. A request that got a
        definite refusal (a 4xx status other than 408) doesn't count.
        """
        may_have_acted = [one for one in self.requests if one.method in _UNSAFE and one.may_have_acted]
        for one, other in combinations(may_have_acted, 2):
            same = (one.method, one.target) == (other.method, other.target)
            if same and (one.body.startswith(other.body) or other.body.startswith(one.body)):
                raise AssertionError(f"{one.method} {one.target} arrived as request {one.number} and {other.number}")

    def credentials(self, *secrets: str) -> set[str]:
        """Return the kinds of credentials that arrived at this origin.

        The kinds are `basic`, `bearer`, `authorization` for another scheme, `x-api-key`, `cookie`,
        `proxy-authorization`, and `secret` if one of the given texts arrived anywhere in a request.
        """
        kinds: set[str] = set()
        for request in self.requests:
            for value in request.values("authorization"):
                scheme = value.partition(" ")[0].lower()
                kinds.add(scheme if scheme in {"basic", "bearer"} else "authorization")
            kinds.update(name for name in _SECRET_HEADERS if request.values(name))
            parts = [request.target.encode("latin-1"), request.body, *(value for _, value in request.headers)]
            if any(secret.encode() in part for secret in secrets for part in parts):
                kinds.add("secret")
        return kinds

    # Threads

    def _end_idle_connections(self) -> None:
        # Otherwise, the client would send its next request on an idle connection, but the step needs a new connection.
        # The client can get a response before the thread that sent it reads again, so wait until threads are idle.
        deadline = time.monotonic() + _SETTLE_SECONDS
        while not all(one.idle or one.stalled for one in self._open) and time.monotonic() < deadline:
            self._changed.wait(0.001)
        for connection in self._open:
            if connection.idle:
                connection.abort()

    def _places(self) -> Places:
        return Places(self.url, self.url)

    def _join(self, thread: threading.Thread) -> None:
        thread.join(_JOIN_SECONDS)
        if thread.is_alive():
            raise RuntimeError(f"the thread {thread.name} of the fault server did not end")

    def _accept(self) -> None:
        while True:
            sock, _ = self._listener.accept()
            if not self._listening:
                sock.close()
                return
            with self._changed:
                self.connections += 1
                connection = Connection(sock, self.connections)
                self._open.add(connection)
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: Connection) -> None:
        try:
            self._greet(connection)
            while not connection.ended and self._serve_request(connection):
                continue
            connection.end("fin")
        except (OSError, ClientGoneError, ServerClosingError):
            connection.close()  # the client left, or the server is being closed
        finally:
            with self._changed:
                self._open.remove(connection)
                self._changed.notify_all()

    def _greet(self, connection: Connection) -> None:
        self._act_on_connection("connect", connection)
        if self._tls is not None and not connection.ended:
            connection.start_tls(self._tls)
        if not connection.ended:
            self._act_on_connection("ready", connection)

    def _act_on_connection(self, stage: Stage, connection: Connection) -> None:
        with self._changed:
            if self._steps[0].stage != stage:
                return
            step, exchange = self._next(connection, None)
        step.act(exchange)

    def _serve_request(self, connection: Connection) -> bool:
        """Serve one request, and return whether the connection can be used for another one."""
        with self._changed:
            connection.idle = not connection.leftover()
            self._changed.notify_all()
        request = self._read_request(connection)
        if request is None:
            return False
        with self._changed:
            if connection.drop_next is None and self._steps[0].takes_connection:
                connection.drop_next = "rst"  # the step waits for a new connection
        if connection.drop_next is not None:
            self._read_body(connection, request)
            connection.end(connection.drop_next)
            return False
        with self._changed:
            step, exchange = self._next(connection, request)
        if step.stage == "request":
            self._read_body(connection, request)
        step.act(exchange)
        return not exchange.last_of_connection and "close" not in ",".join(request.values("connection")).lower()

    def _read_request(self, connection: Connection) -> Request | None:
        try:
            head = connection.read_head()
        except (OSError, ClientGoneError):
            if part := connection.leftover():
                self._record(part, connection)
            raise
        return None if head is None else self._record(head, connection)

    def _record(self, head: bytes, connection: Connection) -> Request:
        with self._changed:
            request = Request(len(self.requests) + 1, connection.number, time.monotonic())
            parse_head(head, request)
            self.requests.append(request)
            self._changed.notify_all()
        return request

    def _read_body(self, connection: Connection, request: Request) -> None:
        connection.read_body(request)
        with self._changed:
            self._changed.notify_all()

    def _next(self, connection: Connection, request: Request | None) -> tuple[Step, Exchange]:
        step = self._steps[0]
        if len(self._steps) > 1:
            del self._steps[0]
        return step, Exchange(connection, request, self._gates[-1], self._places(), self._steps[0].takes_connection)


class FaultServer(Origin):
    """A scripted origin with a second one, the sink, to which the client must never send a request."""

    def __init__(self, *steps: Step, tls: bool = False, bad_cert: BadCertificate | None = None) -> None:
        self.sink = Origin(tls=tls)
        super().__init__(tls=tls, bad_cert=bad_cert)
        self.script(*steps)

    def leaked(self, *secrets: str) -> set[str]:
        """Return the kinds of credentials that reached the sink (see `credentials`)."""
        return self.sink.credentials(*secrets)

    def close(self) -> None:
        """Close both origins."""
        super().close()
        self.sink.close()

    def _places(self) -> Places:
        return Places(self.url, self.sink.url)


def unused_port() -> int:
    """Return a loopback port on which nothing listens."""
    port: int = _reserved().getsockname()[1]
    return port


@functools.cache
def _reserved() -> socket.socket:
    """Bind a port until the process exits, because another socket could use a port that is only free."""
    bound = socket.socket()
    bound.bind((_HOST, 0))
    atexit.register(bound.close)
    return bound


@functools.cache
def _authority() -> trustme.CA:
    return trustme.CA()


@functools.cache
def _server_context(bad_cert: BadCertificate | None) -> ssl.SSLContext:
    authority = trustme.CA() if bad_cert == "unknown_ca" else _authority()
    names = ["other.example"] if bad_cert == "other_host" else [_HOST, "localhost"]
    long_ago = dt.datetime(2020, 1, 1, tzinfo=dt.UTC) if bad_cert == "expired" else None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate = authority.issue_cert(
        *names, not_before=long_ago, not_after=long_ago and long_ago + dt.timedelta(days=1)
    )
    with certificate.private_key_and_cert_chain_pem.tempfile() as path:
        context.load_cert_chain(path)
    return context
