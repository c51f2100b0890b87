"""Records calls with vcrpy, and plays them. Runs in its own process, with one version of vcrpy."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import vcr

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from subscribekit import AsyncGatewayClient, GatewayClient, RetryPolicy
from subscribekit.models import EntitlementCharge
from subscribekit.testing import vcr_config

KEY = "gateway-key-4712"
CHARGE = EntitlementCharge(transaction_id="tx-1", product_code="p", amount=Decimal("47.11"), currency="EUR")
RECEIPT = {"object": "EntitlementCharge", "id": "c1", "transactionReferenceId": "ref-1"}


def record_and_play(style: str) -> None:
    """Record a compressed and an uncompressed response, and check that both are played as the service sent them."""
    cassette = Path(mkdtemp()) / "cassette.yaml"
    with (
        FaultServer(f.gzip_ok({"object": "Subscription", "id": "s1"}), f.ok(RECEIPT)) as server,
        asyncio.Runner() as run,
    ):
        options: Any = {
            "base_url": server.url, "api_key": KEY, "allow_insecure_loopback": True,
            "retry": RetryPolicy(max_attempts=1),
        }  # fmt: skip
        for mode in ("once", "none"):
            with vcr.use_cassette(str(cassette), record_mode=mode, **vcr_config()):
                if style == "blocking":
                    with GatewayClient(**options) as client:
                        found: Any = (client.subscriptions.retrieve("s1"), client.entitlements.charge("ps1", CHARGE))
                else:

                    async def calls() -> Any:
                        async with AsyncGatewayClient(**options) as client:
                            read = await client.subscriptions.retrieve("s1")
                            return read, await client.entitlements.charge("ps1", CHARGE)

                    found = run.run(calls())
            assert (found[0].id, found[1].transaction_reference_id) == ("s1", "ref-1"), found
            assert len(server.requests) == 2, mode
    assert KEY not in cassette.read_text()
    print(style)


if __name__ == "__main__":
    for each in ("blocking", "async"):
        record_and_play(each)
