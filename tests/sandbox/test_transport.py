"""Tests the httpx transports of a sandbox, and the methods of `Sandbox`."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime

import httpx
import pytest

from sandbox.wire import BASIC, Wire
from subscribekit.sandbox import DEFAULT_START, AsyncSandboxTransport, Sandbox, SandboxTransport, default_sandbox

ACCOUNTS = "https://billing.sandbox.invalid/accounts"


def test_a_blocking_client_reaches_the_service() -> None:
    sandbox = Sandbox()
    with httpx.Client(transport=sandbox.transport, headers={"Authorization": BASIC}) as client:
        answer = client.get(ACCOUNTS, params={"email": "customer-0001@example.com"})
        updated = client.post("https://billing.sandbox.invalid/campaigns/camp-summer", json={"name": "New"})
    assert answer.status_code == 200
    assert answer.json()["total_count"] == 1
    assert answer.headers["Content-Encoding"] == "gzip"
    assert updated.json()["name"] == "New"
    first = sandbox.requests[0]
    assert first.query == (("email", "customer-0001@example.com"),)
    assert first.headers["authorization"] == "Basic ***"


def test_an_asynchronous_client_shares_the_state() -> None:
    sandbox = Sandbox()

    async def rename() -> str:
        async with httpx.AsyncClient(transport=sandbox.async_transport, headers={"Authorization": BASIC}) as client:
            answer = await client.post("https://billing.sandbox.invalid/campaigns/camp-summer", json={"name": "New"})
            return str(answer.json()["name"])

    assert asyncio.run(rename()) == "New"
    assert Wire(sandbox).post("/campaigns/camp-summer", {}).body["name"] == "New"


def test_the_hosts_choose_the_group() -> None:
    with httpx.Client(transport=Sandbox().transport) as client:
        assert client.get("https://gateway.sandbox.invalid/x").json()["code"] == "authentication-required"
        assert client.get("https://users.sandbox.invalid/x").json()["operationError"]
        assert client.get("https://storefront.sandbox.invalid/x").json()["code"] == "authentication-required"


@pytest.mark.parametrize("url", ["https://example.com/accounts", "http://billing.sandbox.invalid/accounts"])
def test_no_other_address_is_reached(url: str) -> None:
    sandbox = Sandbox()
    with httpx.Client(transport=sandbox.transport) as client, pytest.raises(httpx.ConnectError):
        client.get(url)
    assert sandbox.requests == []


def test_encoded_segments_are_decoded_once() -> None:
    sandbox = Sandbox()
    sandbox.service.store.add("campaigns", {"id": "50% off"})
    with httpx.Client(transport=sandbox.transport, headers={"Authorization": BASIC}) as client:
        answer = client.post("https://billing.sandbox.invalid/campaigns/50%25%20off", json={"name": "x"})
    assert answer.json()["id"] == "50% off"


def test_the_transports_bring_a_clock_that_never_waits() -> None:
    sandbox = Sandbox()
    assert isinstance(sandbox.transport, SandboxTransport)
    assert isinstance(sandbox.async_transport, AsyncSandboxTransport)
    clock = sandbox.transport.clock
    before = clock.monotonic()
    clock.sleep(3600)
    asyncio.run(_sleep(sandbox, 3600))
    assert clock.monotonic() - before == 7200
    assert clock.now() == DEFAULT_START
    assert clock.uniform(0, 1) != clock.uniform(0, 1)


async def _sleep(sandbox: Sandbox, seconds: float) -> None:
    await sandbox.async_transport.clock.sleep_async(seconds)


def test_a_clock_is_used_and_must_have_a_time_zone() -> None:
    at = datetime(2030, 1, 1, tzinfo=UTC)
    sandbox = Sandbox(clock=lambda: at)
    assert sandbox.now == at
    assert Wire(sandbox).good("/accounts", {"limit": 1})["data"][0]["created"].startswith("2028-11")
    with pytest.raises(ValueError, match="time zone"):
        Sandbox(clock=lambda: datetime(2030, 1, 1))  # noqa: DTZ001  the missing time zone is the subject of the test


def test_snapshot_and_restore() -> None:
    wire = Wire()
    kept = wire.sandbox.snapshot()
    before = wire.good("/accounts")
    for _ in range(2):
        wire.post("/payments/pay-cash-0001/actions/reverse")
        wire.call("storefront", "PUT", "/storefront/paymentMethod/account/acct-0001", body={"paymentMethodId": "x"})
        body = {"paymentMethodId": "pm-cash-0001", "primary": True}
        wire.call("storefront", "PUT", "/storefront/paymentMethod/account/acct-0001", body=body)
        wire.call("gateway", "POST", "/v1/entitlement/psub-entitlement-0001/charge", body={"amount": 1})
        wire.call("user_mgmt", "DELETE", "/customData/v1/user/me/devices", {"filter": "age ge 0"})
        assert wire.good("/accounts") != before
        wire.sandbox.restore(kept)
        assert wire.good("/accounts") == before
        assert wire.sandbox.entitlement_charges == []
        assert len(wire.sandbox.custom_data("me", "devices")) == 4


def test_reset_forgets_everything() -> None:
    wire = Wire()
    fresh = wire.good("/accounts")
    wire.post("/campaigns/camp-summer", {"name": "x"})
    wire.sandbox.reset()
    assert wire.sandbox.requests == []
    assert wire.good("/accounts") == fresh
    assert wire.post("/campaigns/camp-summer", {}).body["name"] == "Summer promotion"


def test_the_default_sandbox_is_one_per_process() -> None:
    assert default_sandbox() is default_sandbox()


def test_many_threads_leave_no_gap_in_the_ledger() -> None:
    wire = Wire()

    def charge() -> None:
        for _ in range(20):
            wire.call("gateway", "POST", "/v1/entitlement/psub-entitlement-0001/charge", body={"amount": 1})

    threads = [threading.Thread(target=charge) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    receipts = {charge.transaction_reference_id for charge in wire.sandbox.entitlement_charges}
    assert len(receipts) == 80
    assert len(wire.sandbox.requests) == 80
