"""Checks the method, path, query, headers, body bytes, and result of every operation, in sync and async calls."""

from __future__ import annotations

import respx

from kit.calls import AUTH, URL, Run, Service
from kit.calls import answer as reply
from looped import looped
from subscribekit._core.calls.settings import USER_AGENT
from subscribekit._core.config.environments import SANDBOX_WIRE_NAMES
from subscribekit.models import Model

from .cases import Case
from .tables import ALL, BILLING


def _query(case: Case) -> list[tuple[str, str]]:
    return list(case.query)


@looped("case", ALL)
def test_a_call_sends_its_request_and_returns_its_result(case: Case, run: Run) -> None:
    service = Service(reply(case.answer) if case.answer else reply(status=204))
    if case.group == "user_mgmt" and case.method == "GET":
        service = Service(reply(case.answer, x_total_count="3"))
    result = run(case.group, case.use, transport=service, wire_names=SANDBOX_WIRE_NAMES)
    sent = service.only
    assert sent.method == case.method
    assert sent.url.partition("?")[0] == URL[case.group] + case.path
    assert sorted(sent.query if "?" in sent.url else []) == sorted(_query(case))
    assert "+" not in sent.url.partition("?")[2].replace("%2B", "")
    assert sent.body == (case.body or "").encode()
    for name, value in (AUTH[case.group] | {"Accept": "application/json"}).items():
        assert sent.headers[name] == value
    assert result == case.gives
    if isinstance(case.gives, Model):
        assert type(result) is type(case.gives)


@looped("case", ALL)
def test_a_default_client_under_respx(case: Case, run: Run) -> None:
    """respx replaces the client's own connections, and fails every request that doesn't match the route."""
    response = reply(case.answer, x_total_count="3") if case.answer else reply(status=204)
    with respx.mock(assert_all_called=True) as service:
        route = service.request(
            case.method,
            URL[case.group] + case.path,
            params__eq=_query(case),
            headers=AUTH[case.group],
            content=(case.body or "").encode(),
        ).mock(return_value=response)
        result = run(case.group, case.use, wire_names=SANDBOX_WIRE_NAMES)
    assert route.call_count == 1
    assert result == case.gives


@looped("case", BILLING)
def test_the_headers_of_the_billing_api(case: Case, run: Run) -> None:
    service = Service(reply(case.answer) if case.answer else reply(status=204))
    run(case.group, case.use, transport=service, wire_names=SANDBOX_WIRE_NAMES, trace="off")
    expected = {
        "host": "billing.test",
        "accept": "application/json",
        "accept-encoding": "gzip",
        "user-agent": USER_AGENT,
        "x-api-version": "20190501",
        "authorization": AUTH["billing"]["Authorization"],
    }
    if case.body is None:
        expected["content-encoding"] = "gzip"
        if case.method == "POST":
            expected["content-length"] = "0"
    else:
        expected |= {"content-type": "application/json", "content-length": str(len(case.body))}
    assert dict(service.only.headers) == expected


@looped("case", ALL)
def test_an_operation_has_its_name_safety_class_and_reconcile_key(case: Case) -> None:
    name, operation = case.described()
    assert name == case.name
    assert operation.safety is case.safety
    assert operation.reconcile_key == case.key


@looped("case", BILLING)
def test_a_raw_response_holds_the_same_result(case: Case, run: Run) -> None:
    service = Service(reply(case.answer, request_id="r-1") if case.answer else reply(status=204, request_id="r-1"))
    result = run("billing", lambda c: case.use(c.with_raw_response), transport=service, wire_names=SANDBOX_WIRE_NAMES)
    response = result[0] if isinstance(case.gives, list) else result
    assert (response.data.data if isinstance(case.gives, list) else response.data) == case.gives
    assert response.request_id == "r-1"
    assert response.attempts == 1


@looped("case", BILLING)
def test_a_prepared_request_sends_nothing_and_shows_the_request(case: Case, run: Run) -> None:
    service = Service()
    client = run.client("billing", transport=service, wire_names=SANDBOX_WIRE_NAMES)
    request = case.use(client.prepare)
    assert (request.operation, request.method) == (case.name, case.method)
    assert request.url.partition("?")[0] == URL["billing"] + case.path
    assert request.body == (None if case.body is None else case.body.encode())
    assert request.headers["authorization"] != AUTH["billing"]["Authorization"]
    assert service.sent == []
