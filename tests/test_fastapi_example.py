"""The FastAPI example: which status a caller gets, and that nothing of the service's text reaches it."""

import asyncio
import sys
from types import ModuleType

import httpx
import pytest

from elsewhere import EXAMPLES
from subscribekit import AsyncGatewayClient
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import drop_after_commit, rate_limited

pytest.importorskip("fastapi")

ORDER = {"transaction_id": "order-1", "product_code": "prod-addon", "amount": "4.90", "currency": "USD"}


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The example, as it is loaded in the sandbox."""
    monkeypatch.delenv("SUBSCRIBEKIT_ENVIRONMENT", raising=False)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.delitem(sys.modules, "fastapi_service", raising=False)
    return __import__("fastapi_service")


def charge(
    service: ModuleType,
    gateway: AsyncGatewayClient,
    partner_subscription: str = "psub-entitlement-0001",
    **changed: object,
) -> httpx.Response:
    """Let a caller charge."""

    async def call() -> httpx.Response:
        transport = httpx.ASGITransport(service.app)
        async with gateway, Sandbox().async_billing() as billing, httpx.AsyncClient(transport=transport) as http:
            service.app.state.clients = service.Clients(billing, gateway)
            return await http.post(f"http://merchant/charges/{partner_subscription}", json={**ORDER, **changed})

    return asyncio.run(call())


@pytest.mark.parametrize(
    "changed",
    [
        {"currency": "USDX"},
        {"amount": "1e40"},
        {"amount": "NaN"},
        {"amount": "-4.90"},
        {"amount": "0"},
        {"product_code": "x" * 129},
        {"transaction_id": ""},
    ],
    ids=str,
)
def test_a_refused_value_is_the_callers(service: ModuleType, changed: dict[str, object]) -> None:
    sandbox = Sandbox()
    response = charge(service, sandbox.async_gateway(), **changed)
    assert response.status_code == 422
    assert [each["loc"][-1] for each in response.json()["detail"]] == list(changed)
    assert not sandbox.requests


def test_a_refused_identifier_is_the_callers(service: ModuleType) -> None:
    response = charge(service, Sandbox().async_gateway(), "x" * 37)
    assert (response.status_code, response.json()["outcome"]) == (422, "not_sent")


def test_a_missing_partner_subscription_is_not_found(service: ModuleType) -> None:
    response = charge(service, Sandbox().async_gateway(), "psub-missing")
    assert (response.status_code, response.json()["outcome"]) == (404, "rejected")


def test_a_refusal_of_the_service_is_the_callers(service: ModuleType) -> None:
    response = charge(service, Sandbox().async_gateway(), "psub-billing-0001")
    assert (response.status_code, response.json()["outcome"]) == (422, "rejected")


def test_a_lost_response_is_taken_and_not_known(service: ModuleType) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/v1/entitlement/{id}/charge", drop_after_commit())
    response = charge(service, sandbox.async_gateway())
    assert response.status_code == 202
    assert (response.json()["outcome"], response.json()["state"]) == ("unknown", "undecided")
    assert "order-1" in response.json()["ask_the_operator"]
    assert len(sandbox.charges) == 1


def test_too_many_requests_say_when_to_come_again(service: ModuleType) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/v1/entitlement/{id}/charge", rate_limited(retry_after=7))
    response = charge(service, sandbox.async_gateway())
    assert (response.status_code, response.headers["Retry-After"]) == (503, "7")


@pytest.mark.parametrize(
    ("answered", "told"), [(402, 402), (400, 422), (401, 502), (403, 502), (404, 404), (409, 409), (418, 502)]
)
def test_nothing_that_the_service_says_reaches_the_caller(
    service: ModuleType, answered: int, told: int, caplog: pytest.LogCaptureFixture
) -> None:
    def decline(_: httpx.Request) -> httpx.Response:
        return httpx.Response(answered, json={"code": "", "message": "the card of ada@example.com is declined"})

    gateway = AsyncGatewayClient(
        base_url="https://gateway.example", api_key="secret-key", transport=httpx.MockTransport(decline)
    )
    response = charge(service, gateway)
    assert response.status_code == told
    assert response.json() == {"outcome": "rejected", "trace_id": response.json()["trace_id"]}
    assert response.json()["trace_id"]
    assert "ada@" not in response.text + caplog.text
