"""A service of refunds on a loopback port, by itself and behind a scripted cache whose clock a test moves."""

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
    """Write a second of the kit's clock as a `Date`."""
    return format_datetime(BEGIN + timedelta(seconds=int(seconds // 1)), usegmt=True)


class RefundService:
    """Refunds of one transaction. A refund is made, and its response never comes.

    Args:
        seconds: Gives the second of its clock.
    """

    def __init__(self, seconds: Callable[[], float]) -> None:
        self.seconds = seconds
        self.refunds: list[dict[str, object]] = []
        self.port = 0

    def get(self, headers: Any) -> tuple[dict[str, str], dict[str, object]]:
        """Give the headers and the body of the page of refunds."""
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
    """Refunds behind a cache that keeps each response for a second.

    After that the cache gives the response once more, while it asks the service anew: what Varnish calls grace.

    Args:
        time: The clock.
        honours: Whether the cache asks the service where a request says `no-cache`.
        tells: Whether a kept response has an `Age`.
    """

    TTL = 1.0

    def __init__(self, time: FakeTime, *, honours: bool, tells: bool) -> None:
        super().__init__(lambda: time.seconds)
        self.time, self.honours, self.tells = time, honours, tells
        self.kept: tuple[float, dict[str, object]] | None = None

    def get(self, headers: Any) -> tuple[dict[str, str], dict[str, object]]:
        now, given = self.time.seconds, self.kept
        fresh = (now, envelope(*self.refunds))
        if given is None or (self.honours and "no-cache" in (headers.get("cache-control"), headers.get("pragma"))):
            given = self.kept = fresh
        elif now - given[0] > self.TTL:
            self.kept = fresh
        made, page = given
        age = {"Age": str(int(now - made))} if self.tells and now > made else {}
        return {"Date": http_date(made), **age}, page

    def client(self, run: Run) -> Any:
        """Make a client of the service whose clock is the test's."""
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

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  its name in http.server
            """Keep the test's output for the tests."""

    return Handler
