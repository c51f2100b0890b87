"""Tests the status page: its content, escaping, and masking, and that only a browser on this machine can use it."""

from __future__ import annotations

import contextlib
import http.client
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from html.parser import HTMLParser

import pytest

from subscribekit.models import Account, EntitlementCharge
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import drop_before_commit, server_error
from subscribekit.sandbox.server import HOST, SandboxServer
from subscribekit.sandbox.server.status_page import render


class Page(HTMLParser):
    """A parser that collects the tables of a page, and checks that every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self._in_style = False
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in ("meta", "input"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data

    def row(self, first: str) -> list[str]:
        (found,) = [row for row in self.rows if row[0] == first]
        return found


def test_the_page_shows_accounts_subscriptions_charges_and_requests() -> None:
    sandbox = Sandbox()
    with sandbox.gateway() as gateway, sandbox.billing() as billing:
        charge = EntitlementCharge(transaction_id="t-1", amount=Decimal("4.90"), currency="USD")
        gateway.entitlements.charge("psub-entitlement-0001", charge)
        sandbox.faults.add("GET /accounts", drop_before_commit())
        billing.accounts.list(email="customer-0001@example.com").to_list()
    page = Page(render(sandbox))
    assert page.row("acct-0001") == ["acct-0001", "C***", "c***", "2025-01-27", "pm-card-0001, pm-cash-0001"]
    assert page.row("sub-basic-0001")[1:5] == ["acct-0001", "plan-monthly", "Active", "Good Standing"]
    body = '{"transactionId":"t-1","amount":4.90,"currency":"USD"}'
    charge = ["ptx-0000000001", "2026-03-02 09:00 UTC", "psub-entitlement-0001", "t-1", "4.90 USD", body]
    assert page.row("ptx-0000000001") == charge
    assert page.row("pay-cash-0001") == ["pay-cash-0001", "2026-02-26 09:00", "acct-0001", "19.99 USD", "Success"]
    assert page.row("SBX00000001") == ["SBX00000001", "2026-02-10 09:00", "acct-0001", "9.99 USD", "Complete"]
    requests = [row for row in page.rows if row[0].startswith(("GET", "POST"))]
    assert requests == [
        ["GET /accounts?email=***&starting_after=***", "billing", "200"],
        ["GET /accounts?email=***", "billing", "200"],
        ["GET /accounts?email=***", "billing", "dropped, drop_before_commit"],
        ["POST /v1/entitlement/psub-entitlement-0001/charge", "gateway", "200"],
    ]


def test_nothing_personal_and_no_credential_is_shown() -> None:
    sandbox = Sandbox()
    with sandbox.billing() as billing:
        billing.accounts.list(email="customer-0001@example.com").to_list()
    text = render(sandbox)
    assert "@example.com" not in text
    assert "Customer" not in text
    assert "4111" not in text
    for secret in ("sandbox-key", "sandbox-token", "sandbox-session", "c2FuZGJveC"):
        assert secret not in text


@pytest.mark.parametrize("hostile", ["<script>alert(1)<", '"><img src=x onerror=alert(1)>', "&lt;b&gt;", "a'b"])
def test_every_value_is_escaped(hostile: str) -> None:
    sandbox = Sandbox()
    with sandbox.billing() as billing, sandbox.gateway() as gateway:
        billing.accounts.create(Account(id=hostile, email=hostile, name=hostile))
        with contextlib.suppress(Exception):
            billing.payments.reverse(hostile.replace("?", ""))
        gateway.entitlements.charge(
            "psub-entitlement-0001", EntitlementCharge(transaction_id=hostile, amount=1, currency="<b>")
        )
    page = Page(render(sandbox))
    assert page.row(hostile)[0] == hostile
    assert page.row("ptx-0000000001")[3:5] == [hostile, "1 <b>"]
    assert page.tags.isdisjoint({"script", "img", "b", "link", "iframe"})
    assert not any(name.startswith("on") for name, _ in page.attributes)


def test_an_empty_table_says_that_it_is_empty() -> None:
    assert ["There are none yet."] in Page(render(Sandbox())).rows


def test_the_page_loads_nothing_and_fits_every_screen() -> None:
    text = render(Sandbox())
    assert not re.search(r"https?://|url\(|@import|src=", text)
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in text
    assert "prefers-color-scheme:dark" in text
    assert "@media(max-width:640px)" in text


@pytest.fixture
def server() -> Iterator[SandboxServer]:
    with SandboxServer(plain=True) as opened:
        yield opened


def ask(
    server: SandboxServer, path: str, headers: Mapping[str, str], group: str = "billing", method: str = "GET"
) -> tuple[http.client.HTTPResponse, str]:
    addresses: Mapping[str, str] = {**server.addresses}
    connection = http.client.HTTPConnection(HOST, int(addresses[group].rpartition(":")[2]))
    with contextlib.closing(connection):
        connection.request(method, path, headers=dict(headers))
        answer = connection.getresponse()
        return answer, answer.read().decode()


HTML = {"Accept": "text/html,application/xhtml+xml"}


@pytest.mark.parametrize("group", ["billing", "gateway", "user_mgmt", "storefront"])
def test_a_browser_gets_the_page_at_the_root_of_every_port(server: SandboxServer, group: str) -> None:
    answer, text = ask(server, "/", HTML, group)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "subscribekit sandbox" in text
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert server.sandbox.requests == []  # a request for the status page isn't recorded
    answer, text = ask(server, "/", HTML, group, "HEAD")
    assert (answer.status, text) == (200, "")


def test_a_page_of_another_site_cannot_read_the_status_page(server: SandboxServer) -> None:
    for host in ("evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example:80", "127x0x0x1:80", ""):
        answer, text = ask(server, "/", {**HTML, "Host": host})
        assert answer.status == 421
        assert "acct" not in text
    for host in ("localhost", "LOCALHOST", "[::1]", "127.0.0.1"):
        for port in ("", ":8400"):
            assert ask(server, "/", {**HTML, "Host": host + port})[0].status == 200


@pytest.mark.hazard("H241")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 500),
        ({"Sec-Fetch-Site": "none"}, 500),
        ({"Origin": "self"}, 500),
        ({"Origin": "http://127.0.0.1:1"}, 421),
        ({"Origin": "null"}, 421),
        ({"Origin": "https://evil.example"}, 421),
        ({"Host": "evil.example"}, 421),
        ({"Sec-Fetch-Site": "cross-site"}, 421),
        ({"Sec-Fetch-Site": "same-site"}, 421),
        ({"Sec-Fetch-Site": "same-origin"}, 421),  # the page itself doesn't call the API, but browsers request an icon
    ],
    ids=str,
)
def test_a_page_of_another_site_cannot_call_the_api(
    server: SandboxServer, headers: dict[str, str], status: int
) -> None:
    server.sandbox.faults.add("GET /accounts", server_error())
    own = server.addresses["billing"]
    response, _ = ask(server, "/accounts", {name: own if value == "self" else value for name, value in headers.items()})
    assert response.status == status
    assert len(server.sandbox.requests) == (status == 500)


def test_the_page_does_not_hide_the_api(server: SandboxServer) -> None:
    assert ask(server, "/", {"Accept": "application/json"})[0].status in (401, 404)
    assert ask(server, "/accounts", HTML)[0].status == 401
