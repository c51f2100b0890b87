"""One SQLite ledger, four processes: a `ProcessPoolExecutor` starts them, and the ledger shares the work out.

    python examples/bulk_processes.py

needs no setup: it charges the sandbox of the package, which is served on this machine. Each process makes its own
client and its own run of the same ledger, and takes what no other has. No item is handed to a process: when one dies,
the others go on, and what it had under way is `unknown` when its lease has ended.
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
    """Make a client of the served sandbox; its key is no secret."""
    return GatewayClient(base_url=address, api_key="sandbox-gateway-key", allow_insecure_loopback=True)


def jobs(gateway: GatewayClient) -> Iterator[tuple[str, PreparedRequest[EntitlementChargeReceipt]]]:
    """Prepare a charge for each order; the order's number is the key."""
    for number in range(ORDERS):
        charge = EntitlementCharge(transaction_id=f"order-{number}", amount=Decimal("4.90"), currency="USD")
        yield f"order-{number}", gateway.prepare.entitlements.charge("psub-entitlement-0001", charge)


def work(address: str, ledger: Path) -> int:
    """Send what is left, in a worker process; gives how many items ended here."""
    with connect(address) as gateway, Run(ledger, gateway, concurrency=4) as run:
        return sum(1 for _ in run.send())


def main() -> None:
    """Add the orders, let the processes charge, and ask the platform what really happened."""
    with tempfile.TemporaryDirectory() as folder, SandboxServer(plain=True) as server:
        address, ledger = server.addresses["gateway"], Path(folder, "orders.db")
        with connect(address) as gateway:
            with Run(ledger, gateway) as run:
                print(f"{run.add(jobs(gateway))} orders in the ledger")
            spawn = multiprocessing.get_context("spawn")
            with ProcessPoolExecutor(PROCESSES, mp_context=spawn) as processes:
                ended = list(processes.map(work, [address] * PROCESSES, [ledger] * PROCESSES))
            print(f"{sum(ended)} items ended in {PROCESSES} processes")
            with Run(ledger, gateway) as run:
                print(run.counts())
        charged = Counter(str(each.fields["transactionId"]) for each in server.sandbox.entitlement_charges)
        print(
            f"The platform made {len(charged)} charges, none of them more often than {max(charged.values())} time(s)."
        )


if __name__ == "__main__":
    main()
