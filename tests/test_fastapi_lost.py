"""The FastAPI example, if the response to a write is lost (H199, H204, H205)."""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from elsewhere import EXAMPLES
from subscribekit import AsyncBillingClient, AsyncGatewayClient
from subscribekit.errors import ClientClosedError
from subscribekit.models import (
    Account,
    BillingPlan,
    EntitlementCharge,
    Product,
    Subscription,
    SubscriptionItem,
    Transaction,
)
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import (
    Fault,
    drop_after_commit,
    drop_before_commit,
    rate_limited,
    read_timeout,
    server_error,
)

pytest.importorskip("fastapi")
from fastapi import Request
from fastapi.testclient import TestClient

GIFT, CHARGE = "/gifts/acct-0009", "/charges/psub-entitlement-0001"
ADVICE_OF_ANY = (
    "Do not send it again, even with another transaction ID, until the operator confirms that it was not made."
)
ADVICE = (
    f"{ADVICE_OF_ANY} To check the outcome, repeat this request with the same ID. The repeated request sends no charge."
)


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module of the example."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.delitem(sys.modules, "fastapi_shop", raising=False)
    return __import__("fastapi_shop")


@pytest.fixture
def browser(sandbox: Sandbox, shop: ModuleType) -> Iterator[TestClient]:
    with TestClient(shop.app) as client:
        yield client


def post(browser: TestClient, to: str = GIFT, **changed: object) -> Any:
    return browser.post(to, json={"transaction_id": "order-1", "amount": "4.90", "currency": "USD", **changed})


def made(sandbox: Sandbox) -> int:
    return len([each for each in sandbox.billing().transactions.list() if each.id == "order-1"])


@pytest.mark.parametrize("fault", [drop_after_commit(), read_timeout(committed=True)], ids=lambda fault: fault.name)
def test_a_billing_write_that_was_carried_out_is_returned_as_applied(
    browser: TestClient, sandbox: Sandbox, fault: Fault
) -> None:
    sandbox.faults.add("transactions.create", fault)
    first = post(browser)
    assert (first.status_code, first.json()["outcome"]) == (200, "applied")
    sent = len(sandbox.requests)
    assert post(browser).json() == first.json()
    assert len(sandbox.requests) == sent  # the response was stored
    assert made(sandbox) == 1


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_charge_that_a_check_canceled_has_no_receipt(
    browser: TestClient, shop: ModuleType, sandbox: Sandbox, is_lost: bool
) -> None:
    """In this case, the service returns 200. The sandbox has no such check, so the test simulates the response."""

    def cancelled(request: httpx.Request) -> httpx.Response:
        if is_lost and request.method == "POST":
            raise httpx.ReadError("lost")
        log = [{"object": "TransactionStatus", "status": each} for each in ("Cancelled", "New")]
        made = {"object": "Transaction", "id": "order-1", "amount": 4.90, "currency": "USD", "status_log": log}
        return httpx.Response(200, json=made)

    shop.app.state.billing = AsyncBillingClient(
        base_url="https://billing.example", api_user="u", api_key="k", transport=httpx.MockTransport(cancelled)
    )
    first = post(browser)
    assert (first.status_code, first.json()["outcome"]) == (402, "rejected")
    assert post(browser).json() == first.json()


def test_a_billing_write_that_was_not_carried_out_can_be_sent_again(browser: TestClient, sandbox: Sandbox) -> None:
    sandbox.faults.add("transactions.create", drop_before_commit())
    early = post(browser)
    assert (early.status_code, early.json()["outcome"], early.json()["advice"]) == (202, "unknown", ADVICE)
    late = post(browser)  # resolve waits here, in the sandbox's time
    assert (late.status_code, late.json()["outcome"], "Retry-After" in late.headers) == (503, "not_applied", True)
    assert [request.method for request in sandbox.requests].count("POST") == 1
    assert [post(browser).status_code for _ in range(2)] == [201, 201]
    assert made(sandbox) == 1


@pytest.mark.parametrize(("receipt", "status"), [("ptx-1", 201), (None, 409)])
def test_an_outcome_that_the_operator_confirmed_is_returned(
    browser: TestClient, shop: Any, sandbox: Sandbox, receipt: str | None, status: int
) -> None:
    sandbox.faults.add("entitlements.charge", drop_after_commit())
    assert post(browser, CHARGE).status_code == 202
    orders = shop.app.state.orders
    with pytest.raises(LookupError, match="'order-l'"):
        orders.record("order-l", receipt)
    orders.record("order-1", receipt)
    responses = [post(browser, CHARGE) for _ in range(2)]
    assert [each.status_code for each in responses] == [status] * 2
    assert responses[0].json().get("receipt") == receipt
    with pytest.raises(LookupError):  # its outcome is already recorded
        orders.record("order-1", None)
    assert len(sandbox.entitlement_charges) == 1


def test_a_write_that_the_first_resolve_missed_is_found_by_the_next_one(browser: TestClient, sandbox: Sandbox) -> None:
    sandbox.faults.add("transactions.create", drop_after_commit())
    sandbox.faults.add("GET /transactions", server_error(503), times=9)
    sandbox.faults.add("GET /transactions/{id}", server_error(503), times=9)
    assert post(browser).status_code == 202
    sandbox.faults.clear()
    assert post(browser).json()["outcome"] == "applied"
    assert made(sandbox) == 1


def test_the_next_process_resolves_a_lost_write(shop: Any, sandbox: Sandbox, tmp_path: Path) -> None:
    shop.ORDERS = str(tmp_path / "orders.db")
    sandbox.faults.add("transactions.create", drop_before_commit())
    with TestClient(shop.app) as browser:
        assert post(browser).status_code == 202
    sandbox.advance(seconds=31)
    with TestClient(shop.app) as browser:
        assert [post(browser).status_code for _ in range(2)] == [503, 201]
    assert made(sandbox) == 1
    assert b"4.90" not in (tmp_path / "orders.db").read_bytes()


def test_only_one_of_two_concurrent_resolves_releases_the_order(shop: ModuleType, tmp_path: Path) -> None:
    """The slower one must not remove the record of a charge that started meanwhile."""
    with closing(shop.Orders(str(tmp_path / "orders.db"))) as orders:
        assert orders.begin("order-1", "asked") == (None, None)
        orders.end("order-1", shop.JSONResponse({}, 202), b"lost", None)
        assert [orders.begin("order-1", "asked")[1] for _ in range(2)] == [b"lost", b"lost"]
        orders.forget("order-1", b"lost")
        assert orders.begin("order-1", "asked") == (None, None)
        orders.forget("order-1", b"lost")
        orders.end("order-1", shop.JSONResponse({}, 200), None, b"lost")
        answer, _ = orders.begin("order-1", "asked")
        assert answer.status_code == 409
        with pytest.raises(sqlite3.ProgrammingError):
            orders.close() or orders.begin("order-1", "asked")


@pytest.mark.parametrize("failure", [ClientClosedError("closed"), ValueError("the address of ada@example.com")])
def test_a_failed_resolve_leaves_the_outcome_unknown(
    failure: Exception,
    browser: TestClient,
    sandbox: Sandbox,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise failure

    sandbox.faults.add("transactions.create", drop_after_commit())
    with monkeypatch.context() as patched:
        patched.setattr(AsyncBillingClient, "resolve", fail)
        response = post(browser)
    assert (response.status_code, response.json()["outcome"], response.json()["advice"]) == (202, "unknown", ADVICE)
    assert type(failure).__name__ in caplog.text
    assert "ada@" not in caplog.text
    assert post(browser).json()["outcome"] == "applied"


def test_a_lost_write_of_another_route_is_not_reported_as_not_sent(shop: ModuleType, sandbox: Sandbox) -> None:
    """Tests an added route, and an API other than that of charges."""
    order = Subscription(
        id="sub-1",
        account=Account(id="acct-0009"),
        billing_plan=BillingPlan(id="plan-monthly"),
        items=[SubscriptionItem(product=Product(id="prod-basic"))],
    )

    async def subscribe(request: Request) -> dict[str, str | None]:
        return {"id": (await request.app.state.billing.subscriptions.create(order)).id}

    subscribe.__annotations__["request"] = Request
    shop.app.post("/subscriptions")(subscribe)
    with TestClient(shop.app) as browser:
        for fault, status, outcome in (
            (drop_before_commit(), 202, "unknown"),
            (drop_after_commit(), 200, "applied"),
            (rate_limited(), 503, "rejected"),
        ):
            sandbox.faults.add("subscriptions.create", fault)
            response = browser.post("/subscriptions")
            assert (response.status_code, response.json()["outcome"]) == (status, outcome)
            # Without `once`, nothing is recorded, so the example can't promise that the same request isn't sent again.
            assert response.json().get("advice", ADVICE_OF_ANY) == ADVICE_OF_ANY


@pytest.mark.parametrize("fault", [None, drop_after_commit()])
def test_a_custom_receipt_is_also_returned_for_a_lost_write(
    shop: ModuleType, sandbox: Sandbox, fault: Fault | None
) -> None:
    async def charge(request: Request) -> object:
        billing = request.app.state.billing
        wanted = Transaction(id="own-1", account=Account(id="acct-0009"), amount=Decimal("4.90"), currency="USD")
        prepared = billing.prepare.transactions.create(wanted)
        return await shop.once(request, "own-1", ("charge",), billing, prepared, lambda made: f"paid {made.amount}")

    charge.__annotations__ = {"request": Request}
    shop.app.post("/own", response_model=None)(charge)
    if fault is not None:
        sandbox.faults.add("transactions.create", fault)
    with TestClient(shop.app) as browser:
        assert [browser.post("/own").json()["receipt"] for _ in range(2)] == ["paid 4.90", "paid 4.90"]


def test_a_failure_after_the_write_does_not_send_it_again(shop: ModuleType, sandbox: Sandbox) -> None:
    async def charge(request: Request) -> object:
        gateway = request.app.state.gateway
        wanted = EntitlementCharge(transaction_id="order-1", amount=Decimal("4.90"), currency="USD")
        prepared = gateway.prepare.entitlements.charge("psub-entitlement-0001", wanted)
        return await shop.once(request, "order-1", ("charge",), gateway, prepared, lambda made: made["no such thing"])

    charge.__annotations__ = {"request": Request}
    shop.app.post("/failing", response_model=None)(charge)
    with TestClient(shop.app, raise_server_exceptions=False) as browser:
        assert [browser.post("/failing").status_code for _ in range(2)] == [500, 409]
        later = time.time() + 100
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(shop.time, "time", lambda: later)
            response = browser.post("/failing")
    assert response.json()["detail"] == (
        f"it is unknown whether this order was charged, because no response was stored. {ADVICE_OF_ANY}"
    )
    assert len(sandbox.entitlement_charges) == 1


def test_each_start_of_the_app_has_its_own_orders_in_memory(shop: ModuleType, sandbox: Sandbox) -> None:
    for number in (1, 2):
        with TestClient(shop.app) as browser:
            assert post(browser, CHARGE).status_code == 201
        assert len(sandbox.entitlement_charges) == number


def test_an_order_is_the_same_in_another_spelling_but_not_on_another_route(
    browser: TestClient, sandbox: Sandbox
) -> None:
    assert post(browser, CHARGE).status_code == 201
    assert post(browser, CHARGE, amount=4.9).status_code == 201
    assert post(browser, CHARGE, amount="4.91").status_code == 409
    assert post(browser, GIFT).status_code == 409
    assert len(sandbox.entitlement_charges) == 1


@pytest.mark.parametrize("amount", ["1e40", "NaN", "1e-40", "-4.90", "4111111111111111x"])
@pytest.mark.parametrize("to", [CHARGE, GIFT])
def test_a_refused_amount_is_an_error_of_the_caller_and_not_repeated(browser: TestClient, to: str, amount: str) -> None:
    response = post(browser, to, amount=amount)
    assert response.status_code == 422
    assert amount not in response.text
    assert post(browser, to).status_code == 201


def test_an_order_with_an_expired_key_can_be_repeated(shop: ModuleType, sandbox: Sandbox) -> None:
    with TestClient(shop.app) as browser:
        right, state = shop.app.state.gateway, shop.app.state
        state.gateway = AsyncGatewayClient(
            base_url="https://gateway.example",
            api_key="expired",
            transport=httpx.MockTransport(lambda _: httpx.Response(401, json={"code": "", "message": ""})),
        )
        assert post(browser, CHARGE).status_code == 502
        state.gateway = right
        assert post(browser, CHARGE).status_code == 201
    assert len(sandbox.entitlement_charges) == 1


def test_a_result_that_cannot_be_parsed_is_not_an_error_of_the_caller(shop: Any, sandbox: Sandbox) -> None:
    class Narrow(BaseModel):
        status: str

    shop.is_refused = lambda made: Narrow(status=made.status)
    with TestClient(shop.app, raise_server_exceptions=False) as browser:
        assert [post(browser).status_code for _ in range(2)] == [500, 409]
    assert made(sandbox) == 1
