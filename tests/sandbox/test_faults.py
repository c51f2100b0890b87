"""Tests faults through the sandbox's transports (H202)."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from looped import looped
from sandbox.wire import BASIC, CREDENTIALS, REST, Wire
from subscribekit.sandbox import Sandbox, SandboxRequest, SandboxResponse, faults
from subscribekit.sandbox.faults import DeliveryFault, Fault
from subscribekit.sandbox.http.router import Route
from subscribekit.sandbox.routes import ROUTES
from subscribekit.sandbox.service import Service

HOSTS = {
    "billing": "https://billing.sandbox.invalid",
    "gateway": "https://gateway.sandbox.invalid",
    "user_mgmt": "https://users.sandbox.invalid",
    "storefront": "https://storefront.sandbox.invalid",
}
CHARGE = "/v1/entitlement/{id}/charge"
CHARGE_URL = HOSTS["gateway"] + "/v1/entitlement/psub-entitlement-0001/charge"
ACCOUNTS = HOSTS["billing"] + "/accounts"


def send(sandbox: Sandbox, method: str, url: str, **more: Any) -> httpx.Response:
    group = next(name for name, host in HOSTS.items() if url.startswith(host))
    with httpx.Client(transport=sandbox.transport, headers=CREDENTIALS[group]) as client:
        return client.request(method, url, **more)


def charge(sandbox: Sandbox) -> httpx.Response:
    return send(sandbox, "POST", CHARGE_URL, json={"transactionId": "t", "amount": 1})


@pytest.mark.parametrize(
    ("fault", "error", "charges", "arrived"),
    [
        (faults.connection_refused(), httpx.ConnectError, 0, 0),
        (faults.drop_before_commit(), httpx.RemoteProtocolError, 0, 1),
        (faults.drop_after_commit(), httpx.RemoteProtocolError, 1, 1),
        (faults.read_timeout(), httpx.ReadTimeout, 0, 1),
        (faults.read_timeout(committed=True), httpx.ReadTimeout, 1, 1),
        (faults.truncated(), httpx.RemoteProtocolError, 1, 1),
        (faults.corrupt_gzip(), httpx.DecodingError, 1, 1),
    ],
)
def test_a_broken_connection_may_have_charged(fault: Fault, error: type[Exception], charges: int, arrived: int) -> None:
    sandbox = Sandbox()
    sandbox.faults.add(CHARGE, fault)
    with pytest.raises(error):
        charge(sandbox)
    assert (len(sandbox.entitlement_charges), len(sandbox.requests)) == (charges, arrived)
    assert charge(sandbox).status_code == 200
    assert len(sandbox.entitlement_charges) == charges + 1


@pytest.mark.parametrize(
    ("fault", "status", "charges"),
    [
        (faults.proxy_page(), 502, 0),
        (faults.proxy_page(200), 200, 0),
        (faults.rate_limited(7), 429, 0),
        (faults.server_error(503, retry_after=3), 503, 0),
        (faults.server_error_after_commit(), 500, 1),
    ],
)
def test_responses_in_place_of_the_service(fault: Fault, status: int, charges: int) -> None:
    sandbox = Sandbox()
    sandbox.faults.add(CHARGE, fault)
    answer = charge(sandbox)
    assert (answer.status_code, len(sandbox.entitlement_charges)) == (status, charges)
    if fault.name == "proxy_page":
        assert answer.headers["Content-Type"].startswith("text/html")
        assert answer.text.startswith("<!DOCTYPE html>")
    if fault.name == "rate_limited":
        assert (answer.headers["Retry-After"], answer.content) == ("7", b"")
    if fault.name.startswith("server_error"):
        assert answer.json() == {"code": "server-error", "message": "server error"}
    assert answer.headers.get("Retry-After") == {"rate_limited": "7", "server_error": "3"}.get(fault.name)


@pytest.mark.parametrize(
    ("fault", "status", "client_saw"),
    [
        (faults.drop_before_commit(), None, "dropped"),
        (faults.drop_after_commit(), 200, "dropped"),
        (faults.read_timeout(), None, "timed out"),
        (faults.read_timeout(committed=True), 200, "timed out"),
        (faults.truncated(), 200, "cut"),
        (faults.corrupt_gzip(), 200, 200),
        (faults.slow_response(), 200, 200),
        (faults.proxy_page(), None, 502),
        (faults.rate_limited(7), None, 429),
        (faults.server_error(503), None, 503),
        (faults.server_error_after_commit(), 200, 500),
    ],
)
def test_a_recorded_request_shows_the_result_that_the_client_saw(
    fault: Fault, status: int | None, client_saw: int | str
) -> None:
    sandbox = Sandbox()
    sandbox.faults.add(CHARGE, fault)
    with contextlib.suppress(httpx.HTTPError):
        charge(sandbox)
    charge(sandbox)
    broken, whole = sandbox.requests
    assert (broken.status, broken.client_saw, broken.fault) == (status, client_saw, fault.name)
    assert (whole.status, whole.client_saw, whole.fault) == (200, 200, None)
    assert repr(broken).endswith(f"status={status}, client_saw={client_saw!r}, fault={fault.name!r})")


def test_the_result_is_recorded_for_the_right_request() -> None:
    """Another request can arrive while a fault is happening. A refused connection isn't recorded."""
    sandbox = Sandbox()

    def act(service: Service, request: SandboxRequest) -> SandboxResponse:
        service.lose(request)
        assert send(sandbox, "GET", ACCOUNTS).status_code == 200
        return SandboxResponse(418)

    sandbox.faults.add(CHARGE, Fault("teapot", act))
    assert charge(sandbox).status_code == 418
    sandbox.faults.add(CHARGE, faults.connection_refused())
    with pytest.raises(httpx.ConnectError):
        charge(sandbox)
    results = [(request.method, request.client_saw, request.fault) for request in sandbox.requests]
    assert results == [("POST", 418, "teapot"), ("GET", 200, None)]


def test_results_of_concurrent_requests_are_recorded_for_each() -> None:
    sandbox = Sandbox()
    sandbox.faults.add(CHARGE, faults.rate_limited(), times=20)
    with ThreadPoolExecutor(8) as threads:
        statuses = [done.status_code for done in threads.map(lambda _: charge(sandbox), range(60))]
    assert statuses.count(429) == 20
    results = [(request.status, request.client_saw, request.fault) for request in sandbox.requests]
    assert results.count((None, 429, "rate_limited")) == 20
    assert results.count((200, 200, None)) == 40


def test_group_a_errors_have_its_shape() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("GET /accounts", faults.rate_limited(None))
    answer = send(sandbox, "GET", ACCOUNTS)
    assert answer.json() == {"object": "Error", "message": "too many requests"}
    assert "Retry-After" not in answer.headers


def test_a_fault_happens_as_often_as_it_was_added() -> None:
    sandbox = Sandbox()
    rule = sandbox.faults.add("/accounts", faults.rate_limited(), times=2)
    assert [send(sandbox, "GET", ACCOUNTS).status_code for _ in range(3)] == [429, 429, 200]
    assert rule.fired == 2
    assert sandbox.faults.pending == []
    assert [request.status for request in sandbox.requests] == [None, None, 200]


def test_a_fault_without_a_number_happens_until_it_is_cleared() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/accounts", faults.proxy_page(), times=None)
    assert [send(sandbox, "GET", ACCOUNTS).status_code for _ in range(3)] == [502] * 3
    assert len(sandbox.faults.pending) == 1
    sandbox.faults.clear()
    assert send(sandbox, "GET", ACCOUNTS).status_code == 200
    sandbox.faults.add("/accounts", faults.proxy_page())
    sandbox.reset()
    assert sandbox.faults.pending == []


def test_rules_wait_for_their_own_requests() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("POST /accounts", faults.proxy_page(501))
    sandbox.faults.add(("get", "/accounts/acct-0002"), faults.proxy_page(502))
    sandbox.faults.add(lambda request: dict(request.query).get("limit") == "3", faults.proxy_page(503))
    assert send(sandbox, "GET", ACCOUNTS).status_code == 200
    assert send(sandbox, "GET", ACCOUNTS + "/acct-0001").status_code == 200
    assert send(sandbox, "GET", ACCOUNTS + "/acct-0002").status_code == 502
    assert send(sandbox, "GET", ACCOUNTS + "?limit=3").status_code == 503
    assert send(sandbox, "POST", ACCOUNTS, json={}).status_code == 501


def test_rules_apply_in_the_order_in_which_they_were_added() -> None:
    sandbox = Sandbox()
    for status in (501, 502):
        sandbox.faults.add("/accounts", faults.proxy_page(status))
    assert [send(sandbox, "GET", ACCOUNTS).status_code for _ in range(3)] == [501, 502, 200]


@pytest.mark.parametrize(("match", "times"), [("/account", 1), ("DELETE /accounts", 1), ("/accounts", 0)])
def test_faults_that_could_never_happen_are_rejected(match: str, times: int) -> None:
    with pytest.raises(ValueError, match=r"no operation|times"):
        Sandbox().faults.add(match, faults.proxy_page(), times=times)


def test_a_slow_response_is_complete_and_takes_no_real_time() -> None:
    sandbox = Sandbox()
    sandbox.faults.add(CHARGE, faults.slow_response(80, pieces=4), times=2)
    clock = sandbox.transport.clock
    headers = CREDENTIALS["gateway"]
    times: list[float] = []
    pieces: list[bytes] = []
    with (
        httpx.Client(transport=sandbox.transport, headers=headers) as client,
        client.stream("POST", CHARGE_URL, json={"transactionId": "t", "amount": 1}) as answer,
    ):
        assert (answer.status_code, clock.monotonic(), len(sandbox.entitlement_charges)) == (200, 0.0, 1)
        for piece in answer.iter_raw():
            pieces.append(piece)
            times.append(clock.monotonic())
        assert answer.headers["Content-Length"] == str(len(b"".join(pieces)))
    assert times == [20.0, 40.0, 60.0, 80.0]
    assert b"".join(pieces) == b'{"transactionReferenceId":"ptx-0000000001"}'

    async def read() -> httpx.Response:
        async with httpx.AsyncClient(transport=sandbox.async_transport, headers=headers) as client:
            return await client.post(CHARGE_URL, json={"transactionId": "t", "amount": 1})

    assert asyncio.run(read()).json() == {"transactionReferenceId": "ptx-0000000002"}
    assert clock.monotonic() == 160.0


@pytest.mark.parametrize("pieces", [1, 7, 10**6])
def test_the_time_of_a_slow_response_does_not_depend_on_its_pieces(pieces: int) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("GET /accounts", faults.slow_response(pieces=pieces))
    assert len(page(sandbox)["data"]) == 5
    assert sandbox.transport.clock.monotonic() == pytest.approx(90)


def test_a_response_without_a_body_is_not_slow() -> None:
    sandbox = Sandbox()
    path = "/customData/v1/user/me/devices"
    rule = sandbox.faults.add(("DELETE", path), faults.slow_response())
    headers = {"Content-Type": "application/json"}
    url = HOSTS["user_mgmt"] + path + "?filter=age%20ge%200"
    assert send(sandbox, "DELETE", url, headers=headers).status_code == 204
    assert (rule.fired, sandbox.transport.clock.monotonic()) == (1, 0.0)


@pytest.mark.parametrize(("seconds", "pieces"), [(-1, 9), (float("nan"), 9), (float("inf"), 9), (90, 0)])
def test_a_slow_response_with_invalid_arguments_is_rejected(seconds: float, pieces: int) -> None:
    with pytest.raises(ValueError, match="seconds must be a finite number of at least 0, and pieces"):
        faults.slow_response(seconds, pieces=pieces)


def page(sandbox: Sandbox, query: str = "?limit=5") -> Any:
    return send(sandbox, "GET", ACCOUNTS + query).json()


def test_a_repeated_cursor_waits_for_a_page_with_a_cursor() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/accounts", faults.repeated_cursor())
    assert page(sandbox)["next"].endswith("starting_after=acct-0005")
    second = page(sandbox, "?limit=5&starting_after=acct-0005")
    assert (second["data"][0]["id"], second["next"]) == ("acct-0006", "/accounts?limit=5&starting_after=acct-0005")


def test_an_empty_page_with_next_loses_nothing() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/accounts", faults.empty_page_with_next(), times=3)
    seen: list[str] = []
    address: str | None = "?limit=10"
    cursors: list[str] = []
    while address:
        found = page(sandbox, address)
        seen += [item["id"] for item in found["data"]]
        address = found.get("next", "").removeprefix("/accounts")
        cursors.append(address)
    assert seen == [f"acct-{number:04d}" for number in range(1, 26)]
    assert len(cursors) == len(set(cursors)) == 3 + 4


def test_a_foreign_next_and_a_wrong_total() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/accounts", faults.foreign_next())
    sandbox.faults.add("/accounts", faults.wrong_total(3))
    assert page(sandbox)["next"].startswith("https://elsewhere.invalid/")
    assert page(sandbox)["total_count"] == 3
    sandbox.faults.add(("GET", "/user/accounts"), faults.wrong_total())
    answer = send(sandbox, "GET", HOSTS["user_mgmt"] + REST + "/user/accounts")
    assert (answer.headers["X-Total-Count"], len(answer.json())) == ("1000000", 20)


LIST_FAULTS = (faults.repeated_cursor(), faults.empty_page_with_next(), faults.foreign_next(), faults.wrong_total())


@looped("route", [each for each in ROUTES if each.method == "GET"])
def test_is_list_is_true_for_the_paginated_routes(route: Route) -> None:
    """`is_list` is true for exactly those routes whose response is a `List` object or a paginated array."""
    wire = Wire(Sandbox())
    template = route.template
    for placeholder, value in (
        ("{subscription}", "sub-basic-0001"),
        ("{account}", "acct-0001"),
        ("{transaction}", "SBX00000001"),
    ):
        template = template.replace(placeholder, value)
    if route.group == "user_mgmt":
        assert route.is_list
    elif "{" not in template:
        answer = wire.get(template)
        assert (answer.status, route.is_list) == (200, answer.body.get("object") == "List"), answer.body
    else:
        assert not route.is_list


@looped("fault", LIST_FAULTS)
@looped(
    ("match", "reason"),
    [
        ("entitlements.charge", "'entitlements.charge' returns no list; write a list, such as 'GET /accounts'"),
        (CHARGE, f"{CHARGE!r} returns no list; write a list, such as 'GET /accounts'"),
        ("GET /accounts/{account}", "'GET /accounts/{account}' returns no list; did you mean 'GET /accounts'?"),
        ("/accounts/acct-0001", "'/accounts/acct-0001' returns no list; did you mean 'GET /accounts'?"),
        ("POST /payments", "'POST /payments' returns no list; did you mean 'GET /payments'?"),
        ("subscriptions.cancel", "'subscriptions.cancel' returns no list; did you mean 'GET /subscriptions'?"),
        (
            ("POST", "/refunds"),
            "('POST', '/refunds') returns no list; did you mean 'GET /transactions/{transaction}/refunds'?",
        ),
        (("GET", "/credits"), "('GET', '/credits') returns no list; did you mean 'GET /accounts'?"),
    ],
)
def test_a_fault_of_lists_is_rejected_for_other_operations(fault: Fault, match: Any, reason: str) -> None:
    sandbox = Sandbox()
    with pytest.raises(ValueError, match=r"\(\) applies only to pages of a list") as caught:
        sandbox.faults.add(match, fault)
    assert str(caught.value) == f"{fault.name}() applies only to pages of a list, and {reason}"
    assert sandbox.faults.pending == []


@pytest.mark.parametrize("fault", LIST_FAULTS, ids=lambda fault: fault.name)
def test_a_fault_of_lists_applies_only_to_lists(fault: Fault) -> None:
    """A match that also includes other requests is accepted. These requests don't count as occurrences of the fault."""
    sandbox = Sandbox()
    rules = [sandbox.faults.add(match, fault) for match in (("GET", "/accounts"), "/accounts", lambda _: True)]
    send(sandbox, "GET", ACCOUNTS + "/acct-0001")
    send(sandbox, "GET", ACCOUNTS + "/acct-0001/credits")
    send(sandbox, "POST", ACCOUNTS, json={})
    charge(sandbox)
    assert [rule.fired for rule in rules] == [0, 0, 0]
    page(sandbox, "?limit=5&starting_after=acct-0005")
    assert [rule.fired for rule in rules] == [1, 0, 0]


@pytest.mark.parametrize("fault", LIST_FAULTS[:3], ids=lambda fault: fault.name)
def test_a_fault_of_cursors_is_rejected_for_lists_without_cursors(fault: Fault) -> None:
    sandbox = Sandbox()
    for match in ("user_mgmt.accounts.list", "entities.list", ("GET", "/user/accounts")):
        with pytest.raises(ValueError, match=r"has no cursors"):
            sandbox.faults.add(match, fault)
    assert sandbox.faults.add("accounts.list", fault)  # in two APIs; the fault happens in the API with cursors
    send(sandbox, "GET", HOSTS["user_mgmt"] + REST + "/user/accounts")
    assert len(sandbox.faults.pending) == 1


@pytest.mark.parametrize(
    "fault",
    [faults.delayed_webhook(), faults.duplicate_webhook(), faults.reordered_webhook()],
    ids=lambda fault: fault.name,
)
def test_a_fault_of_webhooks_is_rejected_for_reads(fault: DeliveryFault) -> None:
    sandbox = Sandbox()
    for match in ("GET /accounts", "accounts.retrieve", ("GET", "/subscriptions")):
        with pytest.raises(ValueError, match=r"\(\) applies only to webhooks, and .* is a read, which causes no webh"):
            sandbox.faults.add(match, fault)
    assert sandbox.faults.add("/accounts/acct-0001", fault)  # this path also matches the update


def test_list_faults_leave_errors_alone() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/accounts", faults.wrong_total())
    assert send(sandbox, "GET", ACCOUNTS + "?limit=0").json()["object"] == "Error"


def test_faults_of_the_wire_affect_async_clients_but_not_direct_calls() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/accounts", faults.truncated())
    assert Wire(sandbox).get("/accounts").status == 200

    async def read() -> None:
        async with httpx.AsyncClient(transport=sandbox.async_transport, headers={"Authorization": BASIC}) as client:
            await client.get(ACCOUNTS)

    with pytest.raises(httpx.RemoteProtocolError):
        asyncio.run(read())
