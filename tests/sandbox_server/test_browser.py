"""Tests the served sandbox with a real browser: only its own page can control it, and no other site's page (H241)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sandbox_server.browser import BROWSER, DRIVER, Browser, driven
from subscribekit.sandbox.faults import proxy_page
from subscribekit.sandbox.server import SandboxServer

pytestmark = [
    pytest.mark.hazard("H241"),
    pytest.mark.skipif(
        BROWSER is None or DRIVER is None,
        reason="NOT TESTED: no browser is installed (apt-get install chromium chromium-driver)",
    ),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with driven() as opened:
        yield opened


@pytest.fixture
def server() -> Iterator[SandboxServer]:
    with SandboxServer(plain=True) as opened:
        yield opened


@contextmanager
def another_site(page: str) -> Iterator[int]:
    """Serve a page of another site, and yield its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:  # type: ignore[override]  # the arguments aren't used
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        thread = threading.Thread(target=site.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield site.server_port
        finally:
            site.shutdown()
            thread.join()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_every_button_of_the_page_works(browser: Browser, server: SandboxServer, host: str) -> None:
    page = server.addresses["billing"].replace("127.0.0.1", host) + "/"
    browser.open(page)
    browser.press("Save a snapshot")
    browser.press("Advance")
    assert (browser.url, "2026-04-02 09:00 UTC" in browser.text) == (page, True)
    browser.press("Add fault")
    assert "Active faults:" in browser.text
    assert len(server.sandbox.faults.pending) == 1
    browser.press("Clear faults")
    assert server.sandbox.faults.pending == []
    browser.press("Restore the snapshot")
    assert "2026-03-02 09:00 UTC" in browser.text
    browser.press("Advance")
    browser.press("Reset")
    assert server.sandbox.now.isoformat() == "2026-03-02T09:00:00+00:00"
    assert (browser.url, server.sandbox.requests) == (page, [])


ATTACKS = {
    "an image": "await new Promise(done => {const i = new Image(); i.onload = i.onerror = done; i.src = at})",
    "a script's GET": "await fetch(at, {mode: 'no-cors'}).catch(() => 0)",
    "a script's POST": "await fetch(at, {mode: 'no-cors', method: 'POST', body: '{}'}).catch(() => 0)",
    "with headers": "await fetch(at, {headers: {Authorization: 'Basic eDp5'}}).catch(() => 0)",
    "a frame": "await new Promise(done => {const f = document.createElement('iframe'); f.onload = done; f.src = at;"
    " document.body.append(f)})",
}


@pytest.mark.parametrize("site", ["127.0.0.1", "localhost", "evil.test"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_page_of_another_site_triggers_no_fault(
    browser: Browser, server: SandboxServer, site: str, attack: str
) -> None:
    server.sandbox.faults.add("GET /accounts", proxy_page())
    server.sandbox.faults.add("POST /accounts", proxy_page())
    with another_site("<title>another</title>") as port:
        browser.open(f"http://{site}:{port}/")
        browser.run(
            f"return (async () => {{const at = '{server.addresses['billing']}/accounts'; {ATTACKS[attack]}}})()"
        )
        browser.run(f"location.href = '{server.addresses['billing']}/accounts'")  # as a link would do
    assert (len(server.sandbox.faults.pending), server.sandbox.requests) == (2, [])


def test_a_page_with_a_rebound_name_can_read_and_change_nothing(browser: Browser, server: SandboxServer) -> None:
    """DNS rebinding: the other site's name resolves to this machine, so the browser sees both as the same origin."""
    server.sandbox.faults.add("GET /accounts", proxy_page())
    site = server.addresses["billing"].replace("127.0.0.1", "evil.test")
    browser.open(f"{site}/")
    assert "Misdirected" in browser.text
    for script in ("fetch('/accounts')", "fetch('/_sandbox/advance', {method: 'POST', body: '{\"days\": 31}'})"):
        assert browser.run(f"return {script}.then(reply => reply.status)") == 421
    assert (len(server.sandbox.faults.pending), server.sandbox.requests) == (1, [])
    assert server.sandbox.now.isoformat() == "2026-03-02T09:00:00+00:00"
