"""Charges over an application's client whose transport retries by itself. Runs in its own process."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import httpx
from httpx_retries import Retry, RetryTransport

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from subscribekit import AsyncGatewayClient, GatewayClient, RetryPolicy, transports
from subscribekit.errors import SubscribekitError
from subscribekit.models import EntitlementCharge

CHARGE = EntitlementCharge(transaction_id="tx-1", product_code="p", amount=Decimal("47.11"), currency="EUR")


def charge_once(style: str, *steps: Any, own: bool = False) -> tuple[str, int]:
    """Charge once, and return the outcome and the number of requests."""
    pooled: Any = transports.PooledTransport if style == "blocking" else transports.AsyncPooledTransport
    below = pooled() if own else None
    repeats = Retry(total=1, backoff_factor=0, allowed_methods=["POST"], status_forcelist=[503])
    with FaultServer(*steps) as server:
        options: Any = {
            "base_url": server.url, "api_key": "k", "allow_insecure_loopback": True,
            "retry": RetryPolicy(max_attempts=1),
        }  # fmt: skip
        try:
            if style == "blocking":
                with httpx.Client(transport=RetryTransport(transport=below, retry=repeats)) as mine:
                    GatewayClient(**options, http_client=mine).entitlements.charge("ps1", CHARGE)
            else:

                async def call() -> None:
                    async with httpx.AsyncClient(transport=RetryTransport(transport=below, retry=repeats)) as mine:
                        await AsyncGatewayClient(**options, http_client=mine).entitlements.charge("ps1", CHARGE)

                asyncio.run(call())
        except SubscribekitError as error:
            return error.outcome, len(server.requests)
        return "made", len(server.requests)


if __name__ == "__main__":
    for each in ("blocking", "async"):
        lost, refused = f.close_after_request("rst"), f.status(402)
        for own in (False, True):
            assert charge_once(each, lost, refused, own=own) == ("unknown", 2), "the first request may have charged"
        assert charge_once(each, refused) == ("rejected", 1)
        print(each)
