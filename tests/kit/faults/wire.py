"""The byte level of the fault server: accepts connections, reads requests, and sends responses."""

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
"""How a connection ends: in order, with a reset, or, for TLS, with a FIN but without close_notify."""

_CHUNK = 65536
_HEAD_END = b"\r\n\r\n"


class ServerClosingError(Exception):
    """The server is being closed, so a waiting step must end."""


class ClientGoneError(Exception):
    """The client closed the connection in the middle of a request."""


@dataclass(slots=True)
class Request:
    """One request as its bytes arrived, complete or not."""

    number: int
    """The number of the request at this origin, from 1. The response contains it as `Request-Id: r-1`."""
    connection: int
    at: float
    method: str = ""
    target: str = ""
    headers: list[tuple[bytes, bytes]] = field(default_factory=list[tuple[bytes, bytes]])
    body: bytes = b""
    complete: bool = False
    status: int | None = None
    """The status of the response, if the server sent one."""

    def values(self, name: str) -> list[str]:
        """Return the values of a header, in the order in which they arrived."""
        wanted = name.lower().encode("ascii")
        return [value.decode("latin-1") for key, value in self.headers if key.lower() == wanted]

    def header(self, name: str) -> str | None:
        """Return the only value of a header, or `None`. Raise `AssertionError` if there are several values."""
        values = self.values(name)
        if len(values) > 1:
            raise AssertionError(f"{name} arrived {len(values)} times")
        return values[0] if values else None

    @property
    def may_have_acted(self) -> bool:
        """Whether a real server could have carried it out, which is so unless the status is a 4xx other than 408."""
        return self.status is None or not 400 <= self.status < 500 or self.status == 408


class Gate:
    """Holds stalled steps until the test releases them or the server is closed."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._closed = False

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the release, but not longer than `seconds`. Raise `ServerClosingError` if the server is closed."""
        self._event.wait(seconds)
        if self._closed:
            raise ServerClosingError

    def release(self) -> None:
        """Release all waiting steps."""
        self._event.set()

    def close(self) -> None:
        """End all steps that wait now or later."""
        self._closed = True
        self._event.set()


class Connection:
    """One accepted connection, plain or TLS."""

    def __init__(self, sock: socket.socket, number: int) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.number = number
        self.ended = False
        self.idle = False
        """Whether no request is in progress, and no byte of the next one has arrived."""
        self.stalled = False
        """Whether a step waits on this connection."""
        self.drop_next: How | None = None
        """How to end the connection at its next request, if a step has requested this."""
        self._stream: socket.socket | ssl.SSLSocket = sock
        self._buffer = bytearray()
        self._lock = threading.Lock()

    def start_tls(self, context: ssl.SSLContext) -> None:
        """Perform the server's side of the TLS handshake."""
        with self._lock:
            self._stream = context.wrap_socket(self._stream, server_side=True, do_handshake_on_connect=False)
        self._stream.do_handshake()

    def send(self, data: bytes) -> None:
        """Send bytes on the connection."""
        self._stream.sendall(data)

    def receive(self) -> bytes:
        """Return the bytes that have arrived. If there are none, the client has ended its side."""
        return self._stream.recv(_CHUNK)

    def read_head(self) -> bytes | None:
        """Return a request's line and headers, or `None` if the client ends the connection before the first byte."""
        while _HEAD_END not in self._buffer:
            if not self._fill():
                if self._buffer:
                    raise ClientGoneError
                return None
            self.idle = False
        return self._take(self._buffer.index(_HEAD_END) + len(_HEAD_END))

    def read_body(self, request: Request, at_most: int | None = None) -> None:
        """Read the whole body of a request, or at most `at_most` bytes, into the request."""
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
        """Return the bytes that were read but don't belong to a complete request."""
        return bytes(self._buffer)

    def end(self, how: How, *, drain: bool = False) -> None:
        """End the connection.

        Args:
            how: How the connection ends.
            drain: Read and ignore what the client still sends. If a socket is closed with unread bytes, the system
                sends a reset. Without `drain`, a connection therefore can't end in order before the request was read.
        """
        if self.ended:
            return
        self.ended = True
        if how == "rst":
            self._stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif how == "fin":
            self._close_notify()
        if drain:
            with contextlib.suppress(OSError):  # the client may have closed the connection first
                self._stream_shutdown(socket.SHUT_WR)
                while socket.socket.recv(self._stream, _CHUNK):
                    continue
        self.close()

    def abort(self) -> None:
        """Wake a thread that reads or writes on this connection. Called from another thread."""
        with self._lock, contextlib.suppress(OSError):  # the connection may have ended in the meantime
            self._stream_shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the socket."""
        self.ended = True
        with self._lock:
            self._stream.close()

    def _stream_shutdown(self, direction: int) -> None:
        # SSLSocket.shutdown would remove the TLS state, which another thread may be using.
        socket.socket.shutdown(self._stream, direction)

    def _close_notify(self) -> None:
        if isinstance(self._stream, ssl.SSLSocket):
            self._stream.settimeout(0)
            with contextlib.suppress(OSError):  # the alert is sent, but this doesn't wait for the client's
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
    """The URLs of the server and its sink, for responses that contain a URL."""

    own: str
    sink: str

    def fill(self, text: str) -> str:
        """Replace `{self}` and `{sink}` by base URLs, and `{self_host}` and `{sink_host}` by host and port."""
        for name, url in (("self", self.own), ("sink", self.sink)):
            text = text.replace(f"{{{name}}}", url).replace(f"{{{name}_host}}", url.partition("://")[2])
        return text


@dataclass(slots=True)
class Exchange:
    """The object of a step: one request, or one connection on which no request has been read yet."""

    connection: Connection
    request: Request | None
    gate: Gate
    places: Places
    last_of_connection: bool = False
    """Whether the next step of the script needs a new connection, so that this one must not be used again."""

    def head(self, status: int, headers: Headers = (), *, content_type: str | None = "application/json") -> bytes:
        """Return a status line and headers, without a header for the length of the body."""
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
        """Return a whole response with its correct length."""
        return self.head(status, [("Content-Length", str(len(body))), *headers], content_type=content_type) + body

    def send(self, data: bytes) -> None:
        """Send bytes on the connection."""
        self.connection.send(data)

    def end(self, how: How, *, drain: bool = False) -> None:
        """End the connection."""
        self.connection.end(how, drain=drain)

    def stall(self) -> None:
        """Wait until the test releases the server."""
        self.connection.stalled = True
        self.gate.wait()

    def drip(self, data: bytes, interval: float) -> None:
        """Send the bytes one by one, with an interval after each."""
        self.connection.stalled = True
        for position in range(len(data)):
            self.send(data[position : position + 1])
            self.gate.wait(interval)


def parse_head(head: bytes, request: Request) -> None:
    """Parse the head of a request, or the part of it that arrived, without changing the bytes of names and values."""
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
    except ValueError:  # no standard defines this status
        return "Unnamed"
