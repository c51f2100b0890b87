"""Share one SQLite ledger between the four processes of a `ProcessPoolExecutor`.

    python examples/bulk_processes.py

The example needs no setup. It sends charges to the sandbox, which it serves on this machine. Each process creates its
own client and its own run with the same ledger, and claims items that no other process has claimed. If a process dies,
the others continue. The items that it had in flight become `unknown` when its lease expires.
"""

import multiprocessing
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from pathlib import Path

from subscribekit import GatewayClient, PreparedRequest
from subscribekit.bulk import Run
from subscribekit.models import EntitlementCharge, EntitlementChargeReceipt
from subscribekit.sandbox.server import SandboxServer

PROCESSES = 4
ORDERS = 60


def connect(address: str) -> GatewayClient:
    """Create a client for the served sandbox, whose API key isn't secret."""
    return GatewayClient(base_url=address, api_key="sandbox-gateway-key", allow_insecure_loopback=True)


def jobs(gateway: GatewayClient) -> Iterator[tuple[str, PreparedRequest[EntitlementChargeReceipt]]]:
    """Prepare a charge for each order. The number of the order is the key."""
    for number in range(ORDERS):
        charge = EntitlementCharge(transaction_id=f"order-{number}", amount=Decimal("4.90"), currency="USD")
        yield f"order-{number}", gateway.prepare.entitlements.charge("psub-entitlement-0001", charge)


def work(address: str, ledger: Path) -> int:
    """Send items in a worker process, and return the number of items that this process finished."""
    with connect(address) as gateway, Run(ledger, gateway, concurrency=4) as run:
        return sum(1 for _ in run.send())


def main() -> None:
    """Add the orders, charge them in the processes, and count the charges that the platform made."""
    with tempfile.TemporaryDirectory() as folder, SandboxServer(plain=True) as server:
        address, ledger = server.addresses["gateway"], Path(folder, "orders.db")
        with connect(address) as gateway:
            with Run(ledger, gateway) as run:
                print(f"Added {run.add(jobs(gateway))} orders to the ledger.")
            spawn = multiprocessing.get_context("spawn")
            with ProcessPoolExecutor(PROCESSES, mp_context=spawn) as processes:
                finished = list(processes.map(work, [address] * PROCESSES, [ledger] * PROCESSES))
            print(f"{PROCESSES} processes finished {sum(finished)} items.")
            with Run(ledger, gateway) as run:
                print(run.counts())
        charged = Counter(str(each.fields["transactionId"]) for each in server.sandbox.entitlement_charges)
        print(f"The platform made {charged.total()} charges for {len(charged)} orders.")


if __name__ == "__main__":
    main()
