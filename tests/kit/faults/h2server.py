"""A scripted loopback server for HTTP/2, without TLS (by prior knowledge) or with TLS (by ALPN)."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
from typing import Literal

import trustme
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived, StreamEnded

from kit.faults.payloads import THING

Fault = Literal["answer", "drop", "reset_stream", "refuse_stream", "goaway", "silence", "402"]

_AUTHORITY = trustme.CA()


class H2Server:
    """Handles each request with the next fault of its script. The last fault repeats."""

    def __init__(self, *script: Fault, tls: bool = False) -> None:
        self.script = list(script)
        self.whole: list[str] = []
        """The paths of the requests that arrived completely. Each of them may have been carried out."""
        self.connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._context = _server_context() if tls else None
        port = self._listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> H2Server:
        return self

    def __exit__(self, *_: object) -> None:
        for each in (self._listener, *self._open):
            with contextlib.suppress(OSError):  # the connection may have ended already
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def client_context(self) -> ssl.SSLContext:
        """Return a TLS context that trusts this server."""
        context = ssl.create_default_context()
        _AUTHORITY.configure_trust(context)
        return context

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # the listener is closed at the end
            while True:
                sock, _ = self._listener.accept()
                self.connections += 1
                self._open.append(sock)
                threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        with contextlib.suppress(OSError, ssl.SSLError):  # the client can end the connection at any time
            if self._context is not None:
                sock = self._context.wrap_socket(sock, server_side=True)
                self._open.append(sock)
            _Exchange(self, sock).run()

    def next_fault(self) -> Fault:
        """Return the next fault, and remove it unless it's the last one."""
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


class _Exchange:
    def __init__(self, server: H2Server, sock: socket.socket) -> None:
        self.server, self.sock = server, sock
        self.http = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self.paths: dict[int, str] = {}

    def run(self) -> None:
        self.http.initiate_connection()
        self._flush()
        while data := self.sock.recv(65536):
            for event in self.http.receive_data(data):
                if isinstance(event, RequestReceived):
                    self.paths[event.stream_id] = dict(event.headers)[":path"]
                elif isinstance(event, DataReceived):
                    self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, StreamEnded):
                    self.server.whole.append(self.paths[event.stream_id])
                    if not self._act(event.stream_id):
                        return
            self._flush()

    def _act(self, stream: int) -> bool:
        """Perform the next fault of the script. Return whether the connection stays open."""
        fault = self.server.next_fault()
        if fault == "drop":
            self.sock.shutdown(socket.SHUT_RDWR)
            return False
        if fault == "reset_stream":
            self.http.reset_stream(stream, error_code=2)
        elif fault == "refuse_stream":
            self.http.reset_stream(stream, error_code=7)
        elif fault == "goaway":
            self.http.close_connection(last_stream_id=stream)
            self._flush()
            self.sock.shutdown(socket.SHUT_RDWR)
            return False
        elif fault in ("answer", "402"):
            body = json.dumps(THING).encode()
            status = "402" if fault == "402" else "200"
            headers = [(":status", status), ("content-type", "application/json"), ("content-length", str(len(body)))]
            self.http.send_headers(stream, headers)
            self.http.send_data(stream, body, end_stream=True)
        return True

    def _flush(self) -> None:
        self.sock.sendall(self.http.data_to_send())


def _server_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["h2"])
    with _AUTHORITY.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.tempfile() as path:
        context.load_cert_chain(path)
    return context
