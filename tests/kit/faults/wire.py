"""The byte level of the fault server: accepted connections, requests read from them, responses put on them."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal

Headers = Iterable[tuple[str, str]]

How = Literal["fin", "rst", "cut"]
"""How a connection ends: orderly, by a reset, or (TLS) by a FIN without the close_notify that announces the end."""

_CHUNK = 65536
_HEAD_END = b"\r\n\r\n"


class ServerClosingError(Exception):
    """The server is being closed; the step that is waiting gives up."""


class ClientGoneError(Exception):
    """The client closed the connection in the middle of a request."""


@dataclass(slots=True)
class Request:
    """One request as its bytes arrived, whole or not."""

    number: int
    """Its place among all requests of this origin, from 1; sent back as `Request-Id: r-1`."""
    connection: int
    at: float
    method: str = ""
    target: str = ""
    headers: list[tuple[bytes, bytes]] = field(default_factory=list[tuple[bytes, bytes]])
    body: bytes = b""
    complete: bool = False
    status: int | None = None
    """The status that the server sent for it, if any."""

    def values(self, name: str) -> list[str]:
        """Return the values of a header, in the order in which they arrived."""
        wanted = name.lower().encode("ascii")
        return [value.decode("latin-1") for key, value in self.headers if key.lower() == wanted]

    def header(self, name: str) -> str | None:
        """Return the one value of a header, or None; several are an error."""
        values = self.values(name)
        if len(values) > 1:
            raise AssertionError(f"{name} arrived {len(values)} times")
        return values[0] if values else None

    @property
    def may_have_acted(self) -> bool:
        """Tell whether a real server could have carried it out: nothing was said, or nothing that excludes it."""
        return self.status is None or not 400 <= self.status < 500 or self.status == 408


class Gate:
    """What stalled steps wait at: until the test lets them go, or the server is closed."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._closed = False

    def wait(self, seconds: float | None = None) -> None:
        """Wait until released, at most so many seconds; raise `ServerClosingError` when the server is closed."""
        self._event.wait(seconds)
        if self._closed:
            raise ServerClosingError

    def release(self) -> None:
        """Let everything that waits go on."""
        self._event.set()

    def close(self) -> None:
        """Send everything that waits, now or later, home."""
        self._closed = True
        self._event.set()


class Connection:
    """One accepted connection, plain or TLS."""

    def __init__(self, sock: socket.socket, number: int) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.number = number
        self.ended = False
        self.idle = False
        """No request is in progress and nothing of the next one has arrived."""
        self.stalled = False
        """A step has begun to wait here."""
        self.drop_next: How | None = None
        """Set by a step that wants the next request on this connection dropped."""
        self._stream: socket.socket | ssl.SSLSocket = sock
        self._buffer = bytearray()
        self._lock = threading.Lock()

    def start_tls(self, context: ssl.SSLContext) -> None:
        """Make the server's side of the TLS handshake."""
        with self._lock:
            self._stream = context.wrap_socket(self._stream, server_side=True, do_handshake_on_connect=False)
        self._stream.do_handshake()

    def send(self, data: bytes) -> None:
        """Put bytes on the connection."""
        self._stream.sendall(data)

    def receive(self) -> bytes:
        """Take whatever has arrived; nothing means that the client has ended its side."""
        return self._stream.recv(_CHUNK)

    def read_head(self) -> bytes | None:
        """Read a request's line and headers; None when the client ends the connection before the first byte."""
        while _HEAD_END not in self._buffer:
            if not self._fill():
                if self._buffer:
                    raise ClientGoneError
                return None
            self.idle = False
        return self._take(self._buffer.index(_HEAD_END) + len(_HEAD_END))

    def read_body(self, request: Request, at_most: int | None = None) -> None:
        """Read a request's body into it, all of it or a part; `complete` tells which."""
        if "chunked" in ",".join(request.values("transfer-encoding")).lower():
            while size := int(self._read_line().split(b";")[0], 16):
                request.body += self._read_exactly(size)
                self._read_line()
            while self._read_line():
                continue
            request.complete = True
            return
        length = int(request.header("content-length") or 0)
        wanted = length if at_most is None else min(length, at_most)
        while len(request.body) < wanted:
            if not self._buffer and not self._fill():
                raise ClientGoneError
            request.body += self._take(min(len(self._buffer), wanted - len(request.body)))
        request.complete = len(request.body) == length

    def leftover(self) -> bytes:
        """Return what was read but belongs to no whole request."""
        return bytes(self._buffer)

    def end(self, how: How, *, drain: bool = False) -> None:
        """End the connection.

        Args:
            how: Orderly, by a reset, or cut.
            drain: Read and forget what the client still sends. A socket that is closed over unread bytes responds with
                a reset, so that without this there would be no orderly end before the whole request was read.
        """
        if self.ended:
            return
        self.ended = True
        if how == "rst":
            self._stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif how == "fin":
            self._close_notify()
        if drain:
            with contextlib.suppress(OSError):  # the client may have gone first
                self._stream_shutdown(socket.SHUT_WR)
                while socket.socket.recv(self._stream, _CHUNK):
                    continue
        self.close()

    def abort(self) -> None:
        """Wake a thread that reads or writes here; called from another one."""
        with self._lock, contextlib.suppress(OSError):  # it may have ended meanwhile
            self._stream_shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Give the socket back."""
        self.ended = True
        with self._lock:
            self._stream.close()

    def _stream_shutdown(self, direction: int) -> None:
        # Not SSLSocket.shutdown: it drops the TLS state under a thread that may be using it.
        socket.socket.shutdown(self._stream, direction)

    def _close_notify(self) -> None:
        if isinstance(self._stream, ssl.SSLSocket):
            self._stream.settimeout(0)
            with contextlib.suppress(OSError):  # it is sent; the response to it is not waited for
                self._stream.unwrap()
            self._stream.settimeout(None)

    def _fill(self) -> bool:
        data = self.receive()
        self._buffer += data
        return bool(data)

    def _take(self, size: int) -> bytes:
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def _read_exactly(self, size: int) -> bytes:
        while len(self._buffer) < size:
            if not self._fill():
                raise ClientGoneError
        return self._take(size)

    def _read_line(self) -> bytes:
        while b"\r\n" not in self._buffer:
            if not self._fill():
                raise ClientGoneError
        return self._take(self._buffer.index(b"\r\n") + 2).removesuffix(b"\r\n")


@dataclass(frozen=True, slots=True)
class Places:
    """Where the server and its sink are, for responses that point somewhere."""

    own: str
    sink: str

    def fill(self, text: str) -> str:
        """Replace `{self}`, `{sink}` by base addresses, `{self_host}`, `{sink_host}` by host and port."""
        for name, url in (("self", self.own), ("sink", self.sink)):
            text = text.replace(f"{{{name}}}", url).replace(f"{{{name}_host}}", url.partition("://")[2])
        return text


@dataclass(slots=True)
class Exchange:
    """What a step works on: one request, or one connection on which no request has been read yet."""

    connection: Connection
    request: Request | None
    gate: Gate
    places: Places
    last_of_connection: bool = False
    """The next step of the script is for a new connection, so this one must not be used again."""

    def head(self, status: int, headers: Headers = (), *, content_type: str | None = "application/json") -> bytes:
        """Build a status line and headers, without a word on the body's length."""
        lines = [f"HTTP/1.1 {status} {_reason(status)}"]
        if self.request is not None:
            self.request.status = status
            lines.append(f"Request-Id: r-{self.request.number}")
        if content_type is not None:
            lines.append(f"Content-Type: {content_type}")
        if self.last_of_connection:
            lines.append("Connection: close")
        lines += [f"{name}: {self.places.fill(value)}" for name, value in headers]
        return "\r\n".join([*lines, "\r\n"]).encode("latin-1")

    def framed(
        self,
        status: int,
        body: bytes,
        headers: Headers = (),
        *,
        content_type: str | None = "application/json",
    ) -> bytes:
        """Build a whole response with its true length."""
        return self.head(status, [("Content-Length", str(len(body))), *headers], content_type=content_type) + body

    def send(self, data: bytes) -> None:
        """Put bytes on the connection."""
        self.connection.send(data)

    def end(self, how: How, *, drain: bool = False) -> None:
        """End the connection."""
        self.connection.end(how, drain=drain)

    def stall(self) -> None:
        """Do nothing until the test releases the server."""
        self.connection.stalled = True
        self.gate.wait()

    def drip(self, data: bytes, interval: float) -> None:
        """Send bytes one by one."""
        self.connection.stalled = True
        for position in range(len(data)):
            self.send(data[position : position + 1])
            self.gate.wait(interval)


def parse_head(head: bytes, request: Request) -> None:
    """Take a request's head, or the part of it that arrived, apart; names and values are kept byte for byte."""
    first, *lines = head.removesuffix(_HEAD_END).split(b"\r\n")
    request.method, _, rest = first.decode("latin-1").partition(" ")
    request.target = rest.rpartition(" ")[0]
    for line in lines:
        name, _, value = line.partition(b":")
        request.headers.append((name, value.strip(b" \t")))
    lengths = request.values("content-length") + request.values("transfer-encoding")
    request.complete = head.endswith(_HEAD_END) and lengths in ([], ["0"])


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:  # a status that no standard names
        return "Unnamed"
