"""The service behind the proxies. It handles charges and reads, and counts the effects of each charge by its key."""

from __future__ import annotations

import json
import re
import ssl
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

_SETTLE_SECONDS = 10.0


class Backend:
    """A loopback server, as a context manager.

    Args:
        tls: The TLS context to serve with, or `None` for plain HTTP.
        seconds: The duration of each request. A charge takes effect in the middle.
    """

    def __init__(self, tls: ssl.SSLContext | None = None, *, seconds: float = 0.03) -> None:
        self.effects: Counter[str] = Counter()
        self.seconds = seconds
        self._busy = 0
        self._changed = threading.Condition()
        self._server = _Server(self, tls)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def settle(self) -> None:
        """Wait until no request is in flight. Call this when no proxy can forward another request."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._busy == 0, _SETTLE_SECONDS), "the backend is still busy"

    def serve(self, method: str, path: str, body: bytes) -> dict[str, object]:
        """Carry out a request, and return a body with its ID, so that a test detects a response to another request."""
        time.sleep(self.seconds / 2)
        if method == "POST":
            key = json.loads(body)["transactionId"]
            with self._changed:
                self.effects[key] += 1
            time.sleep(self.seconds / 2)
            return {"transactionReferenceId": f"ref-{key}"}
        time.sleep(self.seconds / 2)
        return {"id": path.rsplit("/", 1)[-1]}

    def begin(self, change: int) -> None:
        """Count a request that begins (1) or ends (-1)."""
        with self._changed:
            self._busy += change
            self._changed.notify_all()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, backend: Backend, tls: ssl.SSLContext | None) -> None:
        self.backend = backend
        self._tls = tls
        super().__init__(("127.0.0.1", 0), _Handler)

    def finish_request(self, request: Any, client_address: Any) -> None:
        if self._tls is None:
            super().finish_request(request, client_address)
            return
        request.settimeout(10)
        with self._tls.wrap_socket(request, server_side=True) as secure:
            secure.settimeout(None)
            super().finish_request(secure, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore broken connections, which killed proxies leave behind on purpose."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        backend = self.server.backend
        backend.begin(1)
        try:
            length = int(self.headers.get("Content-Length", "0"))
            body = self.rfile.read(length)
            if len(body) < length:
                self.close_connection = True
                return  # the proxy was killed during the request
            assert re.fullmatch(r"[\w/.-]+", self.path), self.path
            content = json.dumps(backend.serve(self.command, self.path, body)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        finally:
            backend.begin(-1)

    do_POST = do_GET  # noqa: N815  http.server defines this name

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  http.server defines this name
        """Print nothing."""
