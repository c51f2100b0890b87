"""The aiohttp backend against the fault server: what arrives, and what the caller is told (H87, H88)."""

import asyncio
from collections.abc import Awaitable, Callable
from decimal import Decimal

import pytest

from faults import scripts
from faults.server import FaultServer
from faults.steps import Step
from subscribekit import AsyncGatewayClient, AsyncUserMgmtClient, RetryPolicy, Timeouts, WireNames, errors
from subscribekit.models import EntitlementCharge
from subscribekit.transports import aiohttp

Call = Callable[[AsyncGatewayClient, AsyncUserMgmtClient], Awaitable[object]]


async def charge(gateway: AsyncGatewayClient, _: AsyncUserMgmtClient) -> object:
    return await gateway.entitlements.charge("ps-1", EntitlementCharge(transaction_id="t-1", amount=Decimal("1.10")))


async def read(gateway: AsyncGatewayClient, _: AsyncUserMgmtClient) -> object:
    return await gateway.subscriptions.retrieve("sub-1")


async def delete(_: AsyncGatewayClient, users: AsyncUserMgmtClient) -> object:
    return await users.custom_data.delete("me", "devices", filter="age ge 18")


async def outcome_of(server: FaultServer, call: Call) -> tuple[int, str]:
    """Make one call and give how many requests arrived and how it ended."""
    transport = aiohttp()
    try:
        gateway = AsyncGatewayClient(
            base_url=server.url,
            api_key="key",
            allow_insecure_loopback=True,
            transport=transport,
            timeouts=Timeouts(read=0.3),
            retry=RetryPolicy(backoff_base=0.001),
        )
        users = AsyncUserMgmtClient(
            base_url=server.url,
            session_id="session",
            allow_insecure_loopback=True,
            transport=transport,
            timeouts=Timeouts(read=0.3),
            wire_names=WireNames(custom_data_filter_param="filter"),
        )
        before = len(server.requests)
        try:
            await call(gateway, users)
        except errors.SubscribekitError as error:
            return len(server.requests) - before, f"{type(error).__name__} {error.outcome}"
        return len(server.requests) - before, "done"
    finally:
        await transport.aclose()


LOST = {
    "fin": scripts.close_after_request("fin"),
    "rst": scripts.close_after_request("rst"),
    "stall": scripts.stall_before_headers(),
}


@pytest.mark.parametrize("step", LOST.values(), ids=LOST)
@pytest.mark.parametrize(
    ("call", "arrived", "end"),
    [
        (charge, 1, "OutcomeUnknownError unknown"),
        (delete, 1, "OutcomeUnknownError unknown"),
        (read, 3, "ConnectionFailedError rejected"),
    ],
    ids=["charge", "delete", "read"],
)
def test_a_lost_response_is_never_sent_again_by_the_backend(step: Step, call: Call, arrived: int, end: str) -> None:
    with FaultServer() as server:
        server.script(step)
        assert asyncio.run(outcome_of(server, call)) == (arrived, end)


def test_a_refused_connection_is_not_sent() -> None:
    with FaultServer() as server:
        server.stop_listening()
        assert asyncio.run(outcome_of(server, charge)) == (0, "ConnectionFailedError not_sent")


def test_an_untrusted_certificate_is_refused_once() -> None:
    with FaultServer(tls=True) as server:
        assert asyncio.run(outcome_of(server, charge)) == (0, "ConnectionFailedError not_sent")
        assert server.connections == 1


def test_an_ordinary_response_is_read() -> None:
    with FaultServer() as server:
        server.script(scripts.ok({"transactionReferenceId": "ref-1"}))
        assert asyncio.run(outcome_of(server, charge)) == (1, "done")
        (request,) = server.requests
        names = [name.lower() for name, _ in request.headers]
        assert sorted(names) == sorted(set(names))
        assert b"cookie" not in names
        assert request.body == b'{"transactionId":"t-1","amount":1.10}'


def test_cookies_of_the_service_are_not_kept() -> None:
    async def twice(server: FaultServer) -> None:
        transport = aiohttp()
        users = AsyncUserMgmtClient(
            base_url=server.url, session_id="ours", allow_insecure_loopback=True, transport=transport
        )
        await users.accounts.list().first()
        await users.accounts.list().first()
        await transport.aclose()

    with FaultServer() as server:
        server.script(scripts.ok([], headers=[("Set-Cookie", "JSESSIONID=evil; Path=/")]))
        asyncio.run(twice(server))
        cookies = [value for request in server.requests for name, value in request.headers if name.lower() == b"cookie"]
        assert cookies == [b"JSESSIONID=ours", b"JSESSIONID=ours"]


def test_it_is_needed_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "subscribekit._core.http.aiohttp_transport", None)
    with pytest.raises(errors.ConfigurationError, match=r"subscribekit\[aiohttp\]"):
        aiohttp()
