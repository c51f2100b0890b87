"""Reads the HTTP requests of a connection to the sandbox's server, and writes the responses."""

from __future__ import annotations

import logging
import re
import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import BaseServer
from typing import ClassVar, Final, Literal

from ..._core.calls.telemetry.log import log
from ..._json import encode
from ..faults import Broken, Dripping
from ..faults.requests import Result
from ..http.call import MAX_BODY
from ..http.responses import plain_refusal
from ..http.wire import Group, SandboxRequest, SandboxResponse, arrived
from .control import PREFIX, Control
from .status_page import render

_IDLE_SECONDS: Final = 60
_HANDSHAKE_SECONDS: Final = 10
_MAX_REQUEST_LINE: Final = 65_536
_MAX_LINE: Final = 1024
_MAX_TRAILERS: Final = 100
_LINE_ENDS: Final = (b"\r\n", b"\n")
# The maximum number of digits in a length, because `int` can be slow or fail with thousands of digits. This maximum
# is high enough, because `MAX_BODY`, the largest accepted length, has only 8 digits.
_MAX_DIGITS: Final = 10
_DIGITS: Final = {10: frozenset("0123456789"), 16: frozenset("0123456789abcdefABCDEF")}
_LOOPBACK: Final = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d+)?", re.IGNORECASE)
_ABSOLUTE: Final = re.compile(r"https?://([^/?#]*)", re.IGNORECASE)
_logger = logging.getLogger("subscribekit.sandbox")


@dataclass(frozen=True)
class Served:
    """The part of a sandbox that one port serves.

    Attributes:
        control: The object that carries out control commands, and that contains the sandbox.
        group: The name of the API that the port serves.
        closing: An event that is set when the server stops.
    """

    control: Control
    group: Group
    closing: threading.Event


class Connection(BaseHTTPRequestHandler):
    """A connection to the sandbox's server, which reads requests with any method, and responds to each request."""

    protocol_version: str = "HTTP/1.1"
    timeout: ClassVar[float | None] = _IDLE_SECONDS
    disable_nagle_algorithm: ClassVar[bool] = True
    wbufsize: ClassVar[int] = -1  # buffer the output, so that a response is sent in one piece
    command: str = "-"
    path: str = "-"  # the log shows "-" as the path if the request line is invalid
    request_version: str = "HTTP/1.1"
    raw_requestline: bytes
    close_connection: bool

    def __init__(self, served: Served, request: socket.socket, client_address: object, server: BaseServer) -> None:
        self._served = served
        self._authority: str | None = None
        super().__init__(request, client_address, server)

    def setup(self) -> None:
        """Do the TLS handshake with a timeout, in the thread of the connection."""
        if isinstance(self.request, ssl.SSLSocket):
            self.request.settimeout(_HANDSHAKE_SECONDS)
            self.request.do_handshake()
        super().setup()

    def handle_expect_100(self) -> bool:
        """Send `100 Continue` immediately, because the client waits for this response before it sends the body."""
        continues = super().handle_expect_100()
        self.wfile.flush()
        return continues

    def handle_one_request(self) -> None:
        """Read a request with any method, and respond. The base class rejects methods without a `do_` function."""
        try:
            self.raw_requestline = self.rfile.readline(_MAX_REQUEST_LINE + 1)
            if not self.raw_requestline:
                self.close_connection = True
            elif len(self.raw_requestline) > _MAX_REQUEST_LINE:
                self._refuse(HTTPStatus.REQUEST_URI_TOO_LONG)
            elif self.parse_request():
                self._serve()
            self.wfile.flush()
        except TimeoutError:
            self.close_connection = True

    def _serve(self) -> None:
        self._split_target()
        body = self._body()
        if body is None:
            self._refuse(HTTPStatus.BAD_REQUEST)
        elif not self._is_allowed_origin():
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST)
        elif self._wants_page():
            self._page()
        else:
            self._respond(arrived(self._served.group, self.command, self.path, self.headers.items(), body))

    def _split_target(self) -> None:
        """Split a request target in absolute form, whose host replaces the `Host` header (RFC 9112, section 3.2.2)."""
        absolute = _ABSOLUTE.match(self.path)
        self._authority = absolute[1] if absolute else None
        if absolute:
            rest = self.path[absolute.end() :]
            self.path = rest if rest.startswith("/") else f"/{rest}"

    def _body(self) -> bytes | None:
        """Read the body of the request, or return `None` for a body that is ambiguous, too large, or incomplete.

        The end of a body is ambiguous if the request has two lengths, or a length and chunks, because two readers could
        find different ends of the body (RFC 9112, section 6.3).
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
            if length is None or len(body) + length > MAX_BODY:
                return None
            if length == 0:
                return body if self._trailers() else None
            piece = self._read(length)
            if piece is None or self.rfile.readline(_MAX_LINE) not in _LINE_ENDS:
                return None
            body += piece

    def _trailers(self) -> bool:
        """Skip the trailers after a chunked body, and return whether the trailers are complete."""
        for _ in range(_MAX_TRAILERS):
            line = self.rfile.readline(_MAX_LINE)
            if line in _LINE_ENDS:
                return True
            if not line.endswith(b"\n"):
                return False
        return False

    def _respond(self, request: SandboxRequest) -> None:
        result = self._result(request)
        if isinstance(result, SandboxResponse):
            self._send(result, result.body)
        elif isinstance(result, Dripping):
            self._drip(result)
        else:
            self._break(result)

    def _result(self, request: SandboxRequest) -> Result:
        """Handle a request. Convert every exception to a response, so that the client doesn't wait forever."""
        control = self._served.control
        service = control.sandbox.service
        try:
            if self._is_command():
                return control.handle(request.method, self.path, request.headers, request.body)
            result = control.sandbox.faults.handle(request)
            service.deliver()
        except Exception as error:  # noqa: BLE001  the application's code can fail too, such as `ids` (H470)
            return service.failed(request, error)
        return result

    def _drip(self, dripping: Dripping) -> None:
        self._send(dripping.response, b"")
        for piece in () if self.command == "HEAD" else dripping.pieces:
            self.wfile.flush()
            if self._served.closing.wait(dripping.pause):
                self.close_connection = True
                return
            self.wfile.write(piece)

    def _break(self, broken: Broken) -> None:
        self.close_connection = True
        if broken.breakage == "timed_out":
            # Send nothing until the client closes the connection, or until the idle timeout of the connection expires.
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
        if self.close_connection:
            self.send_header("Connection", "close")
        elif self.request_version == "HTTP/1.0":
            self.send_header("Connection", "keep-alive")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _wants_page(self) -> bool:
        return self.command in ("GET", "HEAD") and self.path == "/" and "text/html" in self.headers.get("Accept", "")

    def _is_allowed_origin(self) -> bool:
        """Return whether a request is from a program or from the status page, and not from a page of another site.

        The server checks the `Host` header, because a page of another site can reach the server if the site's name
        resolves to this machine's address. Requests for images and links have no `Origin` header, so the server also
        checks `Sec-Fetch-Site`. Other sites are allowed to link to the status page. The status page itself sends only
        control commands, so the server rejects a browser's request for the favicon.
        """
        host = self.headers.get("Host", "") if self._authority is None else self._authority
        origin = self.headers.get("Origin")
        if not _LOOPBACK.fullmatch(host):
            return False
        site = self.headers.get("Sec-Fetch-Site", "none")
        is_own = origin is None or origin.partition("://")[2] == host
        return self._wants_page() or (is_own and (site == "none" or (site == "same-origin" and self._is_command())))

    def _page(self) -> None:
        page = render(self._served.control.sandbox, self._served.control.snapshots).encode()
        headers = {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
            "frame-ancestors 'none'",
            "Cache-Control": "no-store",
            "Referrer-Policy": "same-origin",  # with `no-referrer`, browsers send `Origin: null` with forms
            "X-Content-Type-Options": "nosniff",
        }
        self._send(SandboxResponse(HTTPStatus.OK, headers, page), page)

    def _is_command(self) -> bool:
        return self.path == PREFIX or self.path.startswith(PREFIX + "/")

    def _refuse(self, status: HTTPStatus, problem: str | None = None) -> None:
        """Reject an invalid HTTP request in the shape of the API's errors, before it reaches the service."""
        self.close_connection = True
        self.request_version = self.protocol_version  # the base class assumes HTTP/0.9 if the request line is invalid
        refused = plain_refusal(self._served.group, status, "invalid-request", problem or status.phrase)
        body = encode(refused.reply.body)
        self._send(SandboxResponse(status, {"Content-Type": "application/json"}, body), body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Reject a request that the base class can't parse, because the base class would return an HTML page."""
        self._refuse(HTTPStatus(code), message)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Log a request without its query, which can contain personal data."""
        parts = (self._served.group, self.command, self.path.partition("?")[0], str(code))
        log(logging.INFO, "%s %s %s %s", *(_escaped(part or "-") for part in parts), to=_logger)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name in the base class
        """Log a message of the base class with escaped control characters."""
        log(logging.INFO, "%s: %s", self._served.group, _escaped(format % args), to=_logger)


def _size(value: str, base: Literal[10, 16]) -> int | None:
    """Parse a length that contains only digits. If the length is invalid or too large, return `None`."""
    digits = _DIGITS[base]
    if not 1 <= len(value) <= _MAX_DIGITS or not digits.issuperset(value):
        return None
    size = int(value, base)
    return size if size <= MAX_BODY else None


def _escaped(value: str) -> str:
    """Escape a string from a client for the log, because a terminal could execute control sequences in the string."""
    return value.encode("unicode_escape").decode("ascii")
