"""A service behind the proxies: takes charges and reads, and counts the effects of each charge by its key."""

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
    """A loopback server; a context manager.

    Args:
        tls: Serve TLS with this context.
        seconds: How long each request takes: a charge takes effect in the middle.
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
        """Wait until no request is under way; call it when no proxy can bring another one."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._busy == 0, _SETTLE_SECONDS), "the backend is still busy"

    def serve(self, method: str, path: str, body: bytes) -> dict[str, object]:
        """Carry out a request, and answer so that a response to another request is noticed."""
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
        """Note that a request began, or with -1 that one ended."""
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
        """Proxies that are killed leave broken connections behind, which is what the tests are about."""


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
                return  # the proxy died in the middle of the request
            assert re.fullmatch(r"[\w/.-]+", self.path), self.path
            content = json.dumps(backend.serve(self.command, self.path, body)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        finally:
            backend.begin(-1)

    do_POST = do_GET  # noqa: N815  the name that http.server looks for

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  its name in http.server
        """Keep the test's output for the tests."""
