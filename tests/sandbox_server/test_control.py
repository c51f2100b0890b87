"""Tests the control commands of a served sandbox, sent as JSON or as forms of the status page."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import pytest

from subscribekit import BillingClient
from subscribekit.errors import OutcomeUnknownError, ServerError
from subscribekit.models import Account
from subscribekit.sandbox import faults
from subscribekit.sandbox.server import HOST, SandboxServer
from subscribekit.sandbox.server.control import FAULTS
from subscribekit.sandbox.server.status_page import render


@pytest.fixture
def server() -> Iterator[SandboxServer]:
    with SandboxServer(plain=True) as opened:
        yield opened


def order(
    server: SandboxServer, method: str, path: str, data: object = None, headers: Mapping[str, str] | None = None
) -> tuple[int, Any]:
    """Send a command. Return the status, and the body or the address of the redirect."""
    connection = http.client.HTTPConnection(HOST, int(server.addresses["billing"].rpartition(":")[2]))
    body = data if isinstance(data, bytes) else None if data is None else json.dumps(data).encode()
    with contextlib.closing(connection):
        connection.request(method, f"/_sandbox{path}", body=body, headers=dict(headers or {}))
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else answer.headers["Location"]


def client(server: SandboxServer) -> BillingClient:
    return BillingClient(environment=server.environment, allow_insecure_loopback=True)


def test_a_fault_is_added_listed_and_cleared(server: SandboxServer) -> None:
    status, reply = order(
        server, "POST", "/faults", {"match": "POST /accounts", "fault": "server_error", "arguments": {"status": 502}}
    )
    assert (status, reply) == (200, {"match": "POST /accounts", "fault": "server_error", "times": 1, "fired": 0})
    assert order(server, "GET", "")[1]["faults"] == [reply]
    with client(server) as billing:
        with pytest.raises(OutcomeUnknownError) as caught:
            billing.accounts.create(Account(id="new"))
        assert caught.value.status_code == 502
        assert isinstance(caught.value.__cause__, ServerError)
    assert order(server, "GET", "")[1]["faults"] == []
    order(server, "POST", "/faults", {"match": "GET /accounts", "fault": "proxy_page", "times": None})
    assert order(server, "DELETE", "/faults") == (200, {"faults": []})
    assert server.sandbox.faults.pending == []


def test_time_advances_and_snapshots_are_restored(server: SandboxServer) -> None:
    assert order(server, "POST", "/snapshot", {"name": "before"})[1]["now"] == "2026-03-02T09:00:00+00:00"
    assert order(server, "POST", "/advance", {"days": 31})[1] == {"now": "2026-04-02T09:00:00+00:00"}
    with client(server) as billing:
        assert billing.subscriptions.retrieve("sub-cancelling-0004").status == "Cancelled"
        assert order(server, "POST", "/restore", {"name": "before"})[0] == 200
        assert billing.subscriptions.retrieve("sub-cancelling-0004").status == "Pending Cancel"
        order(server, "POST", "/advance", {"days": 1, "hours": 2})
        reply = order(server, "POST", "/advance", {"minutes": 1, "seconds": 30})[1]
        assert reply == {"now": "2026-03-03T11:01:30+00:00"}
    assert order(server, "POST", "/reset")[1] == {"now": "2026-03-02T09:00:00+00:00"}
    assert server.sandbox.requests == []
    assert order(server, "GET", "")[1]["snapshots"] == ["before"]


def test_every_fault_can_be_added_without_arguments(server: SandboxServer) -> None:
    makers = {name for name in faults.__all__ if name.islower()}
    assert makers - set(FAULTS) <= {
        "delayed_webhook",
        "duplicate_webhook",
        "reordered_webhook",
    }  # these faults affect webhooks, so the command doesn't offer them
    for name in FAULTS:
        assert order(server, "POST", "/faults", {"match": "GET /accounts", "fault": name})[0] == 200
    assert len(server.sandbox.faults.pending) == len(FAULTS)


@pytest.mark.parametrize(
    ("method", "path", "data", "status", "expected"),
    [
        ("POST", "/faults", {"match": "GET /nowhere", "fault": "proxy_page"}, 400, "GET /nowhere"),
        ("POST", "/faults", {"match": "GET /accounts", "fault": "__import__"}, 400, "one of corrupt_gzip"),
        ("POST", "/faults", {"match": "GET /accounts", "fault": "proxy_page", "times": 0}, 400, "times"),
        ("POST", "/faults", {"match": "GET /accounts", "fault": "proxy_page", "times": True}, 400, "times"),
        ("POST", "/faults", {"match": "GET /accounts", "fault": "proxy_page", "arguments": {"x": 1}}, 400, "x"),
        ("POST", "/faults", {"match": "GET /accounts", "fault": "proxy_page", "arguments": [1]}, 400, "object"),
        ("POST", "/faults", {"match": 5, "fault": "proxy_page"}, 400, "path template"),
        (
            "POST",
            "/faults",
            {"match": "GET /accounts", "fault": "proxy_page", "arguments": {"status": "500\r\nX: y"}},
            400,
            "whole number",
        ),
        (
            "POST",
            "/faults",
            {"match": "GET /accounts", "fault": "proxy_page", "arguments": {"status": 99999}},
            400,
            "400 to 599",
        ),
        (
            "POST",
            "/faults",
            {"match": "GET /accounts", "fault": "rate_limited", "arguments": {"retry_after": "1\r\nX: y"}},
            400,
            "printable",
        ),
        ("POST", "/faults", {"match": "POST /accounts", "fault": "wrong_total"}, 400, "pages of a list"),
        ("POST", "/advance", {}, 400, "days, hours"),
        ("POST", "/advance", {"days": -1}, 400, "days"),
        ("POST", "/advance", {"days": 10**9}, 400, "3660"),
        ("POST", "/advance", {"hours": 10**400}, 400, "3660"),
        ("POST", "/advance", {"seconds": 10**400}, 400, "3660"),
        ("POST", "/advance", {"minutes": 0.5}, 400, "whole number"),
        ("POST", "/advance", {"weeks": 1}, 400, "weeks"),
        ("POST", "/restore", {"name": "none"}, 400, "no snapshot"),
        ("POST", "/snapshot", {"name": "\u0000"}, 400, "1 to 64 printable characters"),
        ("POST", "/reset", {"really": True}, 400, "really"),
        ("POST", "/reset", [1], 400, "JSON object"),
        ("POST", "/reset", b"{", 400, "JSON object"),
        ("GET", "/reset", None, 405, "POST"),
        ("POST", "/nothing", None, 404, "unknown command"),
    ],
)
def test_an_invalid_command_is_rejected_and_changes_nothing(
    server: SandboxServer, method: str, path: str, data: object, status: int, expected: str
) -> None:
    actual_status, reply = order(server, method, path, data)
    assert actual_status == status
    assert expected in reply["message"]
    assert server.sandbox.faults.pending == []
    assert server.sandbox.now.isoformat() == "2026-03-02T09:00:00+00:00"


def test_the_page_has_buttons_that_work(server: SandboxServer) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
    own = {**form, "Origin": server.addresses["billing"]}
    assert order(server, "POST", "/advance", urlencode({"days": 31}).encode(), own) == (303, "/")
    order(server, "POST", "/faults", urlencode({"fault": "proxy_page", "match": "GET /accounts"}).encode(), own)
    order(server, "POST", "/snapshot", urlencode({"name": "<b>"}).encode(), own)
    page = render(server.sandbox, ["<b>"])
    assert "2026-04-02 09:00 UTC" in page
    assert "Active faults: proxy_page for GET /accounts (1 left)." in page
    assert "<option>&lt;b&gt;</option>" in page
    assert page.count("<form method=post") == 6
    assert order(server, "POST", "/restore", urlencode({"name": "<b>"}).encode(), own) == (303, "/")


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Host": "evil.example:80"}, {"Origin": "null"}]
)
def test_a_page_of_another_site_cannot_send_commands(server: SandboxServer, headers: dict[str, str]) -> None:
    connection = http.client.HTTPConnection(HOST, int(server.addresses["billing"].rpartition(":")[2]))
    with contextlib.closing(connection):
        connection.request("POST", "/_sandbox/advance", body=b"days=31", headers=headers)
        assert connection.getresponse().status == 421
    assert server.sandbox.now.isoformat() == "2026-03-02T09:00:00+00:00"


def test_snapshots_are_bounded(server: SandboxServer) -> None:
    for number in range(20):
        assert order(server, "POST", "/snapshot", {"name": f"s{number}"})[0] == 200
    assert order(server, "POST", "/snapshot", {"name": "one more"})[0] == 400
    assert order(server, "POST", "/snapshot", {"name": "s3"})[0] == 200
