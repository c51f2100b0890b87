"""The sandbox on loopback ports, one per group, for programs that are not written in Python or run elsewhere.

It serves the same service as `Sandbox` in a process, over TLS with its own certificate or over plain HTTP, and
only to this machine. A fault that refuses or loses a connection closes it; over a socket a refused connection has
already taken the request, so clients see it as a lost one. Slow faults take real time, since the clients' clocks
are their own.
"""

from __future__ import annotations

import logging
import re
import socket
import ssl
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from types import TracebackType
from typing import Final, Literal, Self, cast

from ..._core.calls.telemetry.log import log
from ..._core.config.environments import Environment
from ..facade import Sandbox
from ..faults import Broken, Dripping
from ..http.wire import GROUPS, Group, SandboxRequest, SandboxResponse, arrived
from .control import PREFIX, Control
from .status_page import render

HOST: Final = "127.0.0.1"
_IDLE_SECONDS: Final = 60
_MAX_BODY: Final = 10 * 1024 * 1024
_HANDSHAKE_SECONDS: Final = 10
_MAX_LINE: Final = 1024
_MAX_TRAILERS: Final = 100
_LINE_ENDS: Final = (b"\r\n", b"\n")
# No length within `_MAX_BODY` is longer; `int` would take time over thousands of digits, or refuse them.
_MAX_DIGITS: Final = 10
_DIGITS: Final = {10: frozenset("0123456789"), 16: frozenset("0123456789abcdefABCDEF")}
_LOOPBACK: Final = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d+)?", re.IGNORECASE)
_logger = logging.getLogger("subscribekit.sandbox")


class SandboxServer:
    """The four groups of a sandbox, each on a loopback port.

        with SandboxServer(Sandbox()) as server:
            client = BillingClient(environment=server.environment, ssl_context=server.ssl_context)

    Args:
        sandbox: The served sandbox; a new one when left out.
        port: The first of four consecutive ports; 0 lets the system choose.
        plain: Serve plain HTTP, for clients with `allow_insecure_loopback=True`.
        directory: Where the certificate is written; a temporary directory when left out.
        name: Name of the environment that clients connect with.

    Raises:
        ModuleNotFoundError: TLS needs the extra `server`.
        OSError: A port is taken.
    """

    def __init__(
        self,
        sandbox: Sandbox | None = None,
        *,
        port: int = 0,
        plain: bool = False,
        directory: Path | None = None,
        name: str = "local",
    ) -> None:
        self.sandbox: Sandbox = Sandbox() if sandbox is None else sandbox
        self.ssl_context: ssl.SSLContext | None = None
        self.authority: Path | None = None
        self._threads: list[threading.Thread] = []
        self._listeners: dict[Group, _Listener] = {}
        with ExitStack() as open_now:
            context = None if plain else self._certify(open_now, directory)
            control = Control(self.sandbox)
            for number, group in enumerate(GROUPS):
                listener = _Listener(control, group, port + number if port else 0, context)
                open_now.callback(listener.server_close)
                self._listeners[group] = listener
            self._open = open_now.pop_all()
        self.environment: Environment = self._environment(name)

    def _certify(self, open_now: ExitStack, directory: Path | None) -> ssl.SSLContext:
        try:
            from .certificate import make_certificate
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "TLS needs the extra: pip install 'subscribekit[server]'; without it the server speaks plain HTTP "
                "(plain=True, --plain)",
                name=error.name,
            ) from None
        where = None if directory is None else directory.absolute()  # absolute, so messages about it hold in any folder
        if where is None:
            where = Path(open_now.enter_context(tempfile.TemporaryDirectory(prefix="subscribekit-")))
        certificate = make_certificate(where)
        self.authority = certificate.authority
        self.ssl_context = certificate.client_context()
        return certificate.server_context()

    def _environment(self, name: str) -> Environment:
        at = self.addresses
        return replace(
            self.sandbox.environment,
            name=name,
            base_url=at["billing"],
            gateway_url=at["gateway"],
            user_mgmt_url=at["user_mgmt"],
            storefront_url=at["storefront"],
        )

    @property
    def addresses(self) -> dict[Group, str]:
        """The base address of each group."""
        return {group: listener.address for group, listener in self._listeners.items()}

    def start(self) -> None:
        """Serve, in threads of this process."""
        for group, listener in self._listeners.items():
            thread = threading.Thread(
                target=listener.serve_forever, kwargs={"poll_interval": 0.05}, name=f"sandbox-{group}", daemon=True
            )
            thread.start()
            self._threads.append(thread)

    def close(self) -> None:
        """Stop serving, close every connection and wait until all threads are done."""
        if self._threads:
            # Side by side, since each waits until its thread looks up from its port.
            with ThreadPoolExecutor(len(self._threads)) as pool:
                list(pool.map(_Listener.shutdown, self._listeners.values()))
        for listener in self._listeners.values():
            listener.hang_up()
        for thread in self._threads:
            thread.join()
        self._threads.clear()
        self._open.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class _Listener(ThreadingHTTPServer):
    """One group on one port."""

    daemon_threads = False  # so that `server_close` waits for the threads of the connections
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, control: Control, group: Group, port: int, context: ssl.SSLContext | None) -> None:
        self.control = control
        self.sandbox = control.sandbox
        self.group: Group = group
        self._context = context
        self._connections: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.closing = threading.Event()
        super().__init__((HOST, port), _Handler)

    @property
    def address(self) -> str:
        """The base address of the group."""
        scheme = "http" if self._context is None else "https"
        return f"{scheme}://{HOST}:{self.server_port}"

    def server_bind(self) -> None:
        """Bind to the port, without the look-up of the host's full name that the standard library does."""
        try:
            TCPServer.server_bind(self)
        except OSError as error:
            raise OSError(error.errno, f"port {self.server_address[1]} of {HOST}: {error.strerror}") from None
        self.server_name, self.server_port = HOST, int(self.server_address[1])

    def get_request(self) -> tuple[socket.socket, object]:
        """Accept a connection; its handshake is left to its own thread, so that a slow client holds up no other."""
        connection, client = super().get_request()
        if self._context is not None:
            connection = self._context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        with self._lock:
            self._connections.add(connection)
        return connection, client

    def hang_up(self) -> None:
        """Close every connection, also one that waits for a request or pauses within a response."""
        self.closing.set()
        with self._lock:
            for connection in self._connections:
                with suppress(OSError):  # the client was faster
                    connection.shutdown(socket.SHUT_RDWR)

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        """Close a connection whose handler is done."""
        with self._lock:
            self._connections = {open_now for open_now in self._connections if open_now is not request}
        super().shutdown_request(request)

    def handle_error(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        """Report errors of the program, not connections that clients have closed."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS
    disable_nagle_algorithm = True
    wbufsize = -1  # a response leaves in one piece
    path = "-"  # of a line that is no request

    @property
    def _listener(self) -> _Listener:
        return cast("_Listener", self.server)

    def setup(self) -> None:
        """Shake hands, in the thread of the connection."""
        if isinstance(self.request, ssl.SSLSocket):
            self.request.settimeout(_HANDSHAKE_SECONDS)
            self.request.do_handshake()
        super().setup()

    def handle_expect_100(self) -> bool:
        """Tell a client that waits for it to send its body; it waits, so nothing may stay in the buffer."""
        goes_on = super().handle_expect_100()
        self.wfile.flush()
        return goes_on

    def _serve(self) -> None:
        body = self._body()
        if body is None:
            self._refuse(HTTPStatus.BAD_REQUEST)
        elif not self._is_from_here():
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST)
        elif self._wants_page():
            self._page()
        elif self._is_order():
            self._obey(self._request(body))
        else:
            self._respond(self._request(body))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _serve  # noqa: N815  names of the library

    def _request(self, body: bytes) -> SandboxRequest:
        return arrived(self._listener.group, self.command, self.path, self.headers.items(), body)

    def _body(self) -> bytes | None:
        """Read the body; `None` when its end cannot be told, or when it is too large or incomplete.

        A length that is given twice, or beside chunks, is refused: two readers could find two ends (RFC 9112, 6.3).
        """
        lengths = self.headers.get_all("Content-Length", [])
        codings = self.headers.get_all("Transfer-Encoding", [])
        if codings:
            chunked = not lengths and len(codings) == 1 and codings[0].strip().lower() == "chunked"
            return self._chunks() if chunked else None
        if len(lengths) > 1:
            return None
        length = _size(lengths[0].strip(), 10) if lengths else 0
        return None if length is None else self._read(length)

    def _read(self, length: int) -> bytes | None:
        body = self.rfile.read(length)
        return body if len(body) == length else None

    def _chunks(self) -> bytes | None:
        body = b""
        while True:
            line = self.rfile.readline(_MAX_LINE)
            length = _size(line.partition(b";")[0].strip().decode("latin-1"), 16) if line.endswith(b"\n") else None
            if length is None or len(body) + length > _MAX_BODY:
                return None
            if length == 0:
                return body if self._trailers() else None
            piece = self._read(length)
            if piece is None or self.rfile.readline(_MAX_LINE) not in _LINE_ENDS:
                return None
            body += piece

    def _trailers(self) -> bool:
        """Skip the trailers; tell whether they end."""
        for _ in range(_MAX_TRAILERS):
            line = self.rfile.readline(_MAX_LINE)
            if line in _LINE_ENDS:
                return True
            if not line.endswith(b"\n"):
                return False
        return False

    def _respond(self, request: SandboxRequest) -> None:
        result = self._listener.sandbox.faults.handle(request)
        self._listener.sandbox.service.deliver()
        if isinstance(result, SandboxResponse):
            self._send(result, result.body)
        elif isinstance(result, Dripping):
            self._drip(result)
        else:
            self._break(result)

    def _drip(self, dripping: Dripping) -> None:
        self._send(dripping.response, b"")
        for piece in () if self.command == "HEAD" else dripping.pieces:
            self.wfile.flush()
            if self._listener.closing.wait(dripping.pause):
                self.close_connection = True
                return
            self.wfile.write(piece)

    def _break(self, broken: Broken) -> None:
        self.close_connection = True
        if broken.breakage == "timed_out":
            # Silence, until the client gives up or the connection has been idle for long.
            with suppress(OSError):
                self.connection.recv(1)
        if broken.response is not None:
            self._send(broken.response, broken.response.body[: len(broken.response.body) // 2])

    def _send(self, response: SandboxResponse, body: bytes) -> None:
        self.log_request(response.status)
        self.send_response_only(response.status)
        self.send_header("Date", self.date_time_string())
        for name, value in response.headers.items():
            self.send_header(name, value)
        if response.status != HTTPStatus.NO_CONTENT:
            self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _wants_page(self) -> bool:
        return self.command in ("GET", "HEAD") and self.path == "/" and "text/html" in self.headers.get("Accept", "")

    def _is_from_here(self) -> bool:
        """Tell requests of programs and of the own page from those that a page of another site has a browser send.

        Such a page may have given its own name this machine's address, and an image or a link of it has no `Origin`.
        The status page may be linked to; it calls no interface itself, but a browser asks for its icon.
        """
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        if not _LOOPBACK.fullmatch(host):
            return False
        site = self.headers.get("Sec-Fetch-Site", "none")
        is_own = origin is None or origin.partition("://")[2] == host
        return self._wants_page() or (is_own and (site == "none" or (site == "same-origin" and self._is_order())))

    def _page(self) -> None:
        page = render(self._listener.sandbox, self._listener.control.snapshots).encode()
        headers = {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
            "frame-ancestors 'none'",
            "Cache-Control": "no-store",
            "Referrer-Policy": "same-origin",  # with none, the browser hides the origin of the page's own forms
            "X-Content-Type-Options": "nosniff",
        }
        self._send(SandboxResponse(HTTPStatus.OK, headers, page), page)

    def _is_order(self) -> bool:
        return self.path == PREFIX or self.path.startswith(PREFIX + "/")

    def _obey(self, order: SandboxRequest) -> None:
        response = self._listener.control.handle(order.method, self.path, order.headers, order.body)
        self._send(response, response.body)

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True
        text = f"{status.value} {status.phrase}\n".encode()
        self._send(
            SandboxResponse(status, {"Content-Type": "text/plain; charset=utf-8", "Connection": "close"}, text), text
        )

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Log a request, without its query, which may hold personal data."""
        told = (self._listener.group, self.command, self.path.partition("?")[0], str(code))
        log(logging.INFO, "%s %s %s %s", *(_escaped(part or "-") for part in told), to=_logger)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the library's name
        """Log what the library has to say."""
        log(logging.INFO, "%s: %s", self._listener.group, _escaped(format % args), to=_logger)


def _size(told: str, base: Literal[10, 16]) -> int | None:
    """Read a length in plain digits; `None` when it is none, or too large."""
    digits = _DIGITS[base]
    if not 1 <= len(told) <= _MAX_DIGITS or not digits.issuperset(told):
        return None
    size = int(told, base)
    return size if size <= _MAX_BODY else None


def _escaped(told: str) -> str:
    """Make a text of a client fit for a log: the reader's terminal may obey escape sequences."""
    return told.encode("unicode_escape").decode("ascii")
