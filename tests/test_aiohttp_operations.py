"""All eleven operations over the aiohttp backend: what arrives at a socket and what comes back, as with the default."""

import asyncio
from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any

import pytest

from faults import scripts
from faults.server import FaultServer
from subscribekit import AsyncBillingClient, AsyncGatewayClient, AsyncStorefrontClient, AsyncUserMgmtClient, WireNames
from subscribekit._core.calls.drivers import AsyncDriver
from subscribekit.filters import field
from subscribekit.models import Campaign, EntitlementCharge
from subscribekit.transports import aiohttp

CHARGE = EntitlementCharge(transaction_id="t-1", amount=Decimal("19.90"), currency="USD")
NAMES = WireNames(custom_data_filter_param="filter", partner_code_header="X-Partner")
CREDENTIALS: dict[type, dict[str, Any]] = {
    AsyncBillingClient: {"api_user": "u", "api_key": "k"},
    AsyncGatewayClient: {"api_key": "k"},
    AsyncUserMgmtClient: {"session_id": "s"},
    AsyncStorefrontClient: {"access_token": "t"},
}
Use = Callable[[Any], Awaitable[Any]]
OPERATIONS: dict[str, tuple[type, Use, object]] = {
    "E1": (AsyncBillingClient, lambda c: c.payments.reverse("p 1"), {"object": "Payment", "status": "Failure"}),
    "E2": (AsyncBillingClient, lambda c: c.campaigns.update("c1", Campaign(name="n")), {"object": "Campaign"}),
    "E3": (AsyncBillingClient, lambda c: c.accounts.list(email="a b@x.test").to_list(), {"object": "List", "data": []}),
    "E4": (
        AsyncBillingClient,
        lambda c: c.event_summaries.list(billed=False).to_list(),
        {"object": "List", "data": []},
    ),
    "E5": (AsyncGatewayClient, lambda c: c.campaigns.activate("c1"), {"object": "Campaign"}),
    "E6": (
        AsyncGatewayClient,
        lambda c: c.subscriptions.retrieve("s1", partner_code="abc"),
        b'{"object": "Subscription", "balance": 12345678901234.567890}',
    ),
    "E7": (AsyncGatewayClient, lambda c: c.partner_subscriptions.cancel("ps1"), {"billingStatus": "CANCELLED"}),
    "E8": (AsyncGatewayClient, lambda c: c.entitlements.charge("ps1", CHARGE), {"transactionReferenceId": "r"}),
    "E9": (AsyncUserMgmtClient, lambda c: c.custom_data.delete("me", "a", filter=field("x").eq(1)), {}),
    "E10": (AsyncUserMgmtClient, lambda c: c.accounts.list().to_list(), []),
    "E11": (
        AsyncStorefrontClient,
        lambda c: c.payment_methods.update("a1", payment_method_id="pm", primary=True, active=True),
        {"id": "pm", "primary": True},
    ),
}


@pytest.mark.hazard("H89")
@pytest.mark.parametrize("name", OPERATIONS)
def test_both_backends_send_and_read_the_same(name: str) -> None:
    kind, use, body = OPERATIONS[name]

    async def with_backend(server: FaultServer, transport: Any) -> object:
        client = kind(
            base_url=server.url,
            allow_insecure_loopback=True,
            transport=transport,
            wire_names=NAMES,
            trace="off",
            **CREDENTIALS[kind],
        )
        try:
            return await use(client)
        finally:
            await client.aclose()
            if transport is not None:
                await transport.aclose()

    with FaultServer() as server:
        server.script(scripts.ok(body))
        results = [asyncio.run(with_backend(server, make())) for make in (lambda: None, aiohttp)]
        default, other = server.requests
    assert results[0] == results[1]
    assert (other.method, other.target, other.body) == (default.method, default.target, default.body)
    for request in (default, other):  # aiohttp says for a DELETE, too, that it has no body
        request.headers[:] = [each for each in request.headers if each[1] != b"0"]
    lower = [
        sorted((each.lower(), value) for each, value in request.headers if each.lower() != b"host")
        for request in (default, other)
    ]
    assert lower[0] == lower[1]


def test_when_the_consumer_stops_what_was_read_ahead_is_cancelled() -> None:
    """The default backend; a page that nobody waits for must not go on."""

    async def story(server: FaultServer) -> list[bool]:
        client = AsyncBillingClient(
            base_url=server.url, api_user="u", api_key="k", allow_insecure_loopback=True, trace="off"
        )
        assert isinstance(client._driver, AsyncDriver)
        others: list[asyncio.Task[object]] = []
        async for account in client.accounts.list(prefetch=True):
            assert account.id == "a1"
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            break
        await asyncio.wait(others, timeout=5)
        await client.aclose()
        return [task.cancelled() for task in others]

    with FaultServer() as server:
        page = {"object": "List", "data": [{"object": "Account", "id": "a1"}], "next": "/accounts?starting_after=a1"}
        server.script(scripts.ok(page), scripts.stall_before_headers())
        assert asyncio.run(story(server)) == [True]
