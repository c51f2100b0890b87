"""A refund service on a loopback port, with or without a scripted cache whose clock a test moves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import httpx

from kit.calls import Run, envelope
from kit.clocks import FakeTime

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
"""Second 0 of the kit's clock."""


def http_date(seconds: float) -> str:
    """Return a second of the kit's clock as the value of a `Date` header."""
    return format_datetime(BEGIN + timedelta(seconds=int(seconds // 1)), usegmt=True)


class RefundService:
    """A service for the refunds of one transaction. It carries out each refund, but never responds to it.

    Args:
        seconds: Returns the current second of the service's clock.
    """

    def __init__(self, seconds: Callable[[], float]) -> None:
        self.seconds = seconds
        self.refunds: list[dict[str, object]] = []
        self.port = 0

    def get(self, headers: Any) -> tuple[dict[str, str], dict[str, object]]:
        """Return the headers and the body of the page of refunds."""
        return {"Date": http_date(self.seconds())}, envelope(*self.refunds)

    @contextmanager
    def serving(self) -> Iterator[Self]:
        """Serve on a loopback port."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        self.port = server.server_address[1]
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


class CachedService(RefundService):
    """A refund service behind a cache that keeps each response for a second.

    After that, the cache returns the response once more while it requests a new one. Varnish calls this grace.

    Args:
        time: The clock.
        honors_no_cache: Whether the cache forwards a request with `no-cache` to the service.
        sends_age: Whether a cached response has an `Age` header.
    """

    TTL = 1.0

    def __init__(self, time: FakeTime, *, honors_no_cache: bool, sends_age: bool) -> None:
        super().__init__(lambda: time.seconds)
        self.time, self.honors_no_cache, self.sends_age = time, honors_no_cache, sends_age
        self.cached: tuple[float, dict[str, object]] | None = None

    def get(self, headers: Any) -> tuple[dict[str, str], dict[str, object]]:
        now, given = self.time.seconds, self.cached
        fresh = (now, envelope(*self.refunds))
        if given is None or (
            self.honors_no_cache and "no-cache" in (headers.get("cache-control"), headers.get("pragma"))
        ):
            given = self.cached = fresh
        elif now - given[0] > self.TTL:
            self.cached = fresh
        made, page = given
        age = {"Age": str(int(now - made))} if self.sends_age and now > made else {}
        return {"Date": http_date(made), **age}, page

    def client(self, run: Run) -> Any:
        """Create a client of the service that uses the clock of the test."""
        transport: Any = httpx.HTTPTransport() if run.style == "blocking" else httpx.AsyncHTTPTransport()
        transport.clock = self.time.clock()
        given = {
            "base_url": f"http://127.0.0.1:{self.port}/rest",
            "api_user": "u",
            "api_key": "k",
            "allow_insecure_loopback": True,
        }
        return run.client("billing", transport=transport, **given)


def _handler(service: RefundService) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers, body = service.get(self.headers)
            content = httpx.Response(200, json=body).content
            self.send_response_only(200)
            for name, value in {**headers, "Content-Type": "application/json"}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            created = (BEGIN + timedelta(seconds=service.seconds())).isoformat()
            service.refunds.append({"object": "Refund", "id": "r1", "amount": 5, "created": created})
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the parameter's name in http.server
            """Print nothing, because the output belongs to the tests."""

    return Handler
