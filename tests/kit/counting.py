"""A loopback server that counts charges, and sometimes loses responses, refuses connections, or fails."""

from __future__ import annotations

import json
import random
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, owner: CountingServer, port: int = 0) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore the error of a killed client."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        """Return the number of charges of an item, which an operator could look up."""
        content = b"%d" % self.server.owner.effects[self.path.strip("/")]
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        charged = json.loads(body)["transactionId"]
        self.server.owner.arrived.append(time.monotonic())
        fault = self.server.owner.fault()
        self.server.owner.before_effect()
        if fault in ("none", "lost", "500"):
            self.server.owner.count(charged)
        if fault in ("lost", "reset"):
            if fault == "reset":  # nothing was charged, but the client can't know that
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            return
        status = {"none": 200, "500": 500, "400": 400, "429": 429}[fault]
        answer = {"transactionReferenceId": f"ref-{charged}"} if status == 200 else {"code": "x", "message": "y"}
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if status == 429:
            self.send_header("Retry-After", self.server.owner.retry_after)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Write no log."""


class CountingServer:
    """A server that counts the effects of each transaction ID.

    Args:
        seed: The seed of the random generator that draws the faults.
        faults: The percentage of requests with each fault.
    """

    def __init__(self, seed: int = 0, **faults: int) -> None:
        self._random = random.Random(seed)
        self._faults = {name.removeprefix("answer_"): share for name, share in faults.items()}
        self._lock = threading.Lock()
        self.effects: Counter[str] = Counter()
        self.retry_after = "0"
        self.arrived: list[float] = []
        self.before_effect: Callable[[], None] = lambda: None
        self._server = _Server(self)
        self._serve()

    def _serve(self) -> None:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def refuse(self, seconds: float) -> None:
        """Refuse new connections for some time."""
        port = self._server.server_address[1]
        self.__exit__()
        time.sleep(seconds)
        self._server = _Server(self, port)
        self._serve()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def fault(self) -> str:
        with self._lock:
            drawn = self._random.uniform(0, 100)
        for name, share in self._faults.items():
            if drawn < share:
                return name
            drawn -= share
        return "none"

    def count(self, charged: str) -> None:
        with self._lock:
            self.effects[charged] += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
