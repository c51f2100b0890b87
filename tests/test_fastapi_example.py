"""The FastAPI example returns the right status, and none of the service's text (H199, H200)."""

import asyncio
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import httpx
import pytest

from elsewhere import EXAMPLES
from subscribekit import AsyncGatewayClient
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import Fault, connection_refused, drop_after_commit, rate_limited

pytest.importorskip("fastapi")

ORDER = {"transaction_id": "order-1", "amount": "4.90", "currency": "USD"}


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Return the module of the example, with orders of its own for each test."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.delitem(sys.modules, "fastapi_shop", raising=False)
    module = __import__("fastapi_shop")
    with closing(module.Orders(":memory:")) as module.notes:
        yield module


@contextmanager
def orders_of(service: ModuleType, place: str) -> Iterator[None]:
    """Store the orders in another database inside the block."""
    before = service.notes
    with closing(service.Orders(place)) as service.notes:
        yield
    service.notes = before


def charge(
    service: ModuleType,
    gateway: AsyncGatewayClient,
    partner_subscription: str = "psub-entitlement-0001",
    **changed: object,
) -> httpx.Response:
    """Send one charge to the example."""
    (response,) = charges(service, gateway, partner_subscription, json={**ORDER, **changed})
    return response


def charges(
    service: ModuleType,
    gateway: AsyncGatewayClient,
    partner_subscription: str = "psub-entitlement-0001",
    at_once: int = 1,
    **sent: Any,
) -> list[httpx.Response]:
    """Send charges to the example at the same time."""

    async def call() -> list[httpx.Response]:
        transport = httpx.ASGITransport(service.app)
        async with gateway, Sandbox().async_billing() as billing, httpx.AsyncClient(transport=transport) as http:
            state = service.app.state
            state.billing, state.gateway, state.orders = billing, gateway, service.notes
            url = f"http://merchant/charges/{partner_subscription}"
            return await asyncio.gather(*(http.post(url, **sent) for _ in range(at_once)))

    return asyncio.run(call())


def test_the_same_order_twice_is_one_charge_and_one_response(service: ModuleType) -> None:
    sandbox = Sandbox()
    first, second = charge(service, sandbox.async_gateway()), charge(service, sandbox.async_gateway())
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json() == {"receipt": sandbox.entitlement_charges[0].transaction_reference_id}
    assert len(sandbox.requests) == 1
    assert charge(service, sandbox.async_gateway(), transaction_id="order-2").status_code == 201
    assert len(sandbox.entitlement_charges) == 2


def test_the_same_order_at_once_is_one_charge(service: ModuleType, tmp_path: Path) -> None:
    for number, place in enumerate((":memory:", str(tmp_path / "orders.db")) * 2):
        sandbox = Sandbox()
        with orders_of(service, place):
            again = {**ORDER, "transaction_id": f"o-{number}"}
            found = charges(service, sandbox.async_gateway(), at_once=20, json=again)
        assert len(sandbox.requests) == 1
        assert {each.status_code for each in found} <= {201, 409}
        assert not any("operator" in each.text for each in found)
        assert all("Retry-After" in each.headers for each in found if each.status_code == 409)
        assert [each.status_code for each in found].count(201) >= 1


def test_an_order_is_new_for_only_one_of_many_threads(service: ModuleType, tmp_path: Path) -> None:
    """Tests one connection, whose count of changed rows all threads read, and two, as of two processes."""
    path = str(tmp_path / "orders.db")
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with (
            ThreadPoolExecutor(16) as threads,
            closing(service.Orders(path)) as one,
            closing(service.Orders(path)) as other,
        ):
            for times, orders in ((200, [service.notes] * 2), (10, [one, other])):
                for number in range(times):
                    results = threads.map(lambda each, key=f"o-{number}": each.begin(key, "asked"), orders * 8)
                    assert [each == (None, None) for each in results].count(True) == 1
    finally:
        sys.setswitchinterval(before)


def test_an_id_that_was_used_for_another_order_is_refused(service: ModuleType) -> None:
    sandbox = Sandbox()
    assert charge(service, sandbox.async_gateway()).status_code == 201
    for changed in ({"amount": "5.90"}, {"currency": "EUR"}):
        assert charge(service, sandbox.async_gateway(), **changed).status_code == 409
    assert charge(service, sandbox.async_gateway(), "psub-entitlement-0002").status_code == 409
    assert len(sandbox.requests) == 1


@pytest.mark.parametrize("amount", [4.9, "4.9", "4.900", "0.49e1"])
def test_the_same_order_in_another_spelling_is_the_same_order(service: ModuleType, amount: object) -> None:
    sandbox = Sandbox()
    first, second = (charge(service, sandbox.async_gateway(), amount=each) for each in ("4.90", amount))
    assert (second.status_code, second.json()) == (201, first.json())
    assert len(sandbox.entitlement_charges) == 1


def test_an_order_without_an_id_is_refused(service: ModuleType) -> None:
    sandbox = Sandbox()
    (response,) = charges(
        service, sandbox.async_gateway(), json={key: value for key, value in ORDER.items() if key != "transaction_id"}
    )
    assert (response.status_code, sandbox.requests) == (422, [])


@pytest.mark.parametrize("partner_subscription", ["psub-missing", "psub-billing-0001"])
def test_a_refused_order_is_not_sent_again(service: ModuleType, partner_subscription: str) -> None:
    sandbox = Sandbox()
    found = [charge(service, sandbox.async_gateway(), partner_subscription) for _ in range(2)]
    assert (found[0].status_code, found[0].json()) == (found[1].status_code, found[1].json())
    assert len(sandbox.requests) == 1


@pytest.mark.parametrize("fault", [connection_refused(), rate_limited(retry_after=30)], ids=lambda fault: fault.name)
def test_an_order_that_was_not_carried_out_can_be_repeated(service: ModuleType, fault: Fault) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/v1/entitlement/{id}/charge", fault, times=3 if fault.name == "connection_refused" else 1)
    assert charge(service, sandbox.async_gateway()).status_code in (502, 503)
    assert charge(service, sandbox.async_gateway()).status_code == 201
    assert len(sandbox.entitlement_charges) == 1


@pytest.mark.parametrize("status", [401, 403, 418])
def test_an_order_can_be_repeated_after_a_rejection_that_is_not_about_the_order(
    service: ModuleType, status: int
) -> None:
    refusing = AsyncGatewayClient(
        base_url="https://gateway.example",
        api_key="expired",
        transport=httpx.MockTransport(lambda _: httpx.Response(status, json={"code": "", "message": ""})),
    )
    assert charge(service, refusing).status_code == 502
    assert charge(service, Sandbox().async_gateway()).status_code == 201


@pytest.mark.parametrize("status", [200, 302, 408, 500, 502, 503])
def test_an_order_whose_outcome_is_unknown_is_never_sent_again(service: ModuleType, status: int) -> None:
    sent: list[httpx.Request] = []

    def lose(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(status, text="<html>", headers={"Location": "https://elsewhere.example"})

    for _ in range(3):
        gateway = AsyncGatewayClient(
            base_url="https://gateway.example", api_key="k", transport=httpx.MockTransport(lose)
        )
        response = charge(service, gateway)
        assert (response.status_code, response.json()["outcome"]) == (202, "unknown")
    assert len(sent) == 1


def test_a_process_that_died_during_a_charge_does_not_charge_again(
    service: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the call ends without a response, the record of the order stays, and its outcome is unknown."""
    sandbox = Sandbox()

    class Dying(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            await sandbox.async_transport.handle_async_request(request)
            raise SystemExit

    dying = AsyncGatewayClient(environment=sandbox.environment, transport=Dying())
    with pytest.raises(SystemExit):
        charge(service, dying)
    now = time.time()
    for later, is_late in ((0, False), (55, False), (61, True), (9e9, True)):
        monkeypatch.setattr(service, "time", SimpleNamespace(time=lambda later=later: now + later))
        response = charge(service, sandbox.async_gateway())
        assert response.status_code == 409
        assert (service.ADVICE in response.json()["detail"]) is is_late
        assert ("Retry-After" in response.headers, "try again" in response.text) == (not is_late, not is_late)
    assert len(sandbox.entitlement_charges) == 1


def test_the_next_process_repeats_the_stored_response(service: ModuleType, tmp_path: Path) -> None:
    sandbox = Sandbox()
    place = str(tmp_path / "orders.db")
    with orders_of(service, place):
        first = charge(service, sandbox.async_gateway())
    with orders_of(service, place):
        assert charge(service, sandbox.async_gateway()).json() == first.json()
    assert len(sandbox.requests) == 1
    for file in tmp_path.iterdir():
        assert b"4.90" not in file.read_bytes()


CARD, PERSON = "4111111111111111", "ada@example.com"


@pytest.mark.parametrize(
    "sent",
    [
        {"json": {**ORDER, "currency": CARD}},
        {"json": {**ORDER, "amount": CARD + "x"}},
        {"json": {**ORDER, "transaction_id": {"email": PERSON, "card": CARD}}},
        {"json": [PERSON, CARD]},
        {"content": f'{{"email": "{PERSON}", "card": {CARD}', "headers": {"Content-Type": "application/json"}},
        {"json": {**ORDER, "transaction_id": PERSON * 20}},
    ],
    ids=range(6),
)
def test_a_refused_value_is_not_repeated_to_the_caller(
    service: ModuleType, sent: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    sandbox = Sandbox()
    (response,) = charges(service, sandbox.async_gateway(), **sent)
    assert (response.status_code, sandbox.requests) == (422, [])
    assert all(each.keys() == {"loc", "msg"} for each in response.json()["detail"])
    for personal in (CARD, PERSON):
        assert personal not in response.text + caplog.text


@pytest.mark.parametrize(
    "changed",
    [
        {"currency": "USDX"},
        {"amount": "1e40"},
        {"amount": "NaN"},
        {"amount": "-4.90"},
        {"amount": "0"},
        {"transaction_id": "x" * 129},
        {"transaction_id": ""},
    ],
    ids=str,
)
def test_a_refused_value_is_an_error_of_the_caller(service: ModuleType, changed: dict[str, object]) -> None:
    sandbox = Sandbox()
    response = charge(service, sandbox.async_gateway(), **changed)
    assert response.status_code == 422
    assert [each["loc"][-1] for each in response.json()["detail"]] == list(changed)
    assert not sandbox.requests


def test_a_refused_identifier_is_an_error_of_the_caller(service: ModuleType) -> None:
    response = charge(service, Sandbox().async_gateway(), "x" * 37)
    assert (response.status_code, response.json()["outcome"]) == (422, "not_sent")


def test_a_missing_partner_subscription_is_not_found(service: ModuleType) -> None:
    response = charge(service, Sandbox().async_gateway(), "psub-missing")
    assert (response.status_code, response.json()["outcome"]) == (404, "rejected")


def test_a_rejection_by_the_service_is_an_error_of_the_caller(service: ModuleType) -> None:
    response = charge(service, Sandbox().async_gateway(), "psub-billing-0001")
    assert (response.status_code, response.json()["outcome"]) == (422, "rejected")


def test_a_lost_response_is_accepted_with_an_unknown_outcome(service: ModuleType) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/v1/entitlement/{id}/charge", drop_after_commit())
    response = charge(service, sandbox.async_gateway())
    assert response.status_code == 202
    assert (response.json()["outcome"], response.json()["state"]) == ("unknown", "undecided")
    assert "order-1" in response.json()["ask_the_operator"]
    assert response.json()["advice"].startswith("Do not send it again, even with another transaction ID,")
    assert charge(service, sandbox.async_gateway()).json() == response.json()
    assert len(sandbox.entitlement_charges) == len(sandbox.requests) == 1


def test_a_rate_limit_is_returned_with_the_time_to_wait(service: ModuleType) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/v1/entitlement/{id}/charge", rate_limited(retry_after=7))
    response = charge(service, sandbox.async_gateway())
    assert (response.status_code, response.headers["Retry-After"]) == (503, "7")


@pytest.mark.parametrize(
    ("received", "returned"), [(402, 402), (400, 422), (401, 502), (403, 502), (404, 404), (409, 409), (418, 502)]
)
def test_no_text_of_the_service_reaches_the_caller(
    service: ModuleType, received: int, returned: int, caplog: pytest.LogCaptureFixture
) -> None:
    def decline(_: httpx.Request) -> httpx.Response:
        return httpx.Response(received, json={"code": "", "message": "the card of ada@example.com is declined"})

    gateway = AsyncGatewayClient(
        base_url="https://gateway.example", api_key="secret-key", transport=httpx.MockTransport(decline)
    )
    response = charge(service, gateway)
    assert response.status_code == returned
    assert response.json() == {"outcome": "rejected", "trace_id": response.json()["trace_id"]}
    assert response.json()["trace_id"]
    assert "ada@" not in response.text + caplog.text
