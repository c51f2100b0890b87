"""Export all accounts and their subscriptions to Parquet files with a Dask cluster.

    pip install '.[arrow]' distributed pyrate-limiter
    python examples/export_dask.py export

The example serves the sandbox on this machine, and starts a `LocalCluster` of four processes. It sends only reads. For
each partition, a worker writes two files, `accounts-*.parquet` and `subscriptions-*.parquet`. A file appears only when
it's complete. If the run is killed, run it again with the same folder. The second run skips the partitions that have
both files. The file `partitions.pickle` in the folder stores the partitions, because a second run would divide the list
differently if the list has grown.

A second run must read the same service as the first run, and the example doesn't check this. Each run of the example
serves a new sandbox. A second run can still resume, because every new sandbox contains the same accounts. To export
from a real service, create its client in `connect` instead of serving the sandbox. Use a separate folder for each
service.

Each worker gets an equal share of the rate limit, so together the workers never exceed it. To use several machines,
choose a folder that all of them can access. The limiter can also share one rate limit through Redis or PostgreSQL.
"""

# pyarrow and Dask are only partly typed.
# pyright: basic

import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import cast

from subscribekit import BillingClient
from subscribekit.export import Partition, partition, to_arrow
from subscribekit.models import Account
from subscribekit.sandbox.server import SandboxServer

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from distributed import Client, LocalCluster
    from pyrate_limiter import Duration, Limiter, Rate
except ImportError:
    sys.exit("This example needs Arrow and Dask: pip install '.[arrow]' distributed pyrate-limiter")

WORKERS = 4
REQUESTS_A_SECOND = 200
ACCOUNTS_IN_A_PARTITION = 5  # for a real merchant, use 10_000
SINCE = datetime(2015, 1, 1, tzinfo=UTC)


def connect(address: str) -> BillingClient:
    """Create a read-only client for the served sandbox, whose credentials aren't secret."""
    return BillingClient(
        base_url=address,
        api_user="sandbox-merchant",
        api_key="sandbox-key",
        allow_insecure_loopback=True,
        read_only=True,
    )


@cache
def limiter() -> Limiter:
    """Return the limiter for this worker's share of the rate limit."""
    return Limiter(Rate(REQUESTS_A_SECOND // WORKERS, Duration.SECOND))


def write(batches: Iterator[pa.RecordBatch], schema: pa.Schema, file: Path) -> int:
    """Write a file that appears only when it's complete, and return its number of rows."""
    unfinished, rows = file.with_name(f".{file.name}.{os.getpid()}"), 0
    with unfinished.open("wb") as opened:
        with pq.ParquetWriter(opened, schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
                rows += batch.num_rows
        opened.flush()
        os.fsync(opened.fileno())
    unfinished.replace(file)
    return rows


def files_of(folder: Path, each: Partition[Account]) -> tuple[Path, Path]:
    """Return the two files of a partition."""
    return folder / f"accounts-{each.name}.parquet", folder / f"subscriptions-{each.name}.parquet"


def read(address: str, folder: Path, each: Partition[Account]) -> tuple[int, int]:
    """Read a partition in a process of the cluster, and return its numbers of accounts and subscriptions."""
    with connect(address) as billing:
        return read_with(billing, files_of(folder, each), each)


def read_with(billing: BillingClient, files: tuple[Path, Path], each: Partition[Account]) -> tuple[int, int]:
    """Write the accounts of a partition, and then their subscriptions."""
    rate, columns = limiter(), ["id", "created", "default_currency"]

    def accounts() -> Iterator[pa.RecordBatch]:
        for batch in to_arrow(each.read(billing), columns=columns):  # each batch is one page, so one request
            rate.try_acquire("read")
            yield batch

    def subscriptions() -> Iterator[pa.RecordBatch]:
        for account in pq.read_table(files[0], columns=["id"])["id"].to_pylist():
            rate.try_acquire("read")
            yield from to_arrow(billing.subscriptions.list(account=account), columns=["id", "status"])

    of_partition = to_arrow(each.read(billing), columns=columns).schema
    of_account = to_arrow(billing.subscriptions.list(), columns=["id", "status"]).schema
    return write(accounts(), of_partition, files[0]), write(subscriptions(), of_account, files[1])


def partitions_of(address: str, folder: Path) -> list[Partition[Account]]:
    """Divide the list, or return the partitions that an earlier run stored."""
    kept = folder / "partitions.pickle"
    if not kept.exists():
        with connect(address) as billing:
            partitions = partition(billing.accounts.list, size=ACCOUNTS_IN_A_PARTITION, since=SINCE)
        kept.with_suffix(".new").write_bytes(pickle.dumps(partitions))
        kept.with_suffix(".new").replace(kept)
        return partitions
    return cast("list[Partition[Account]]", pickle.loads(kept.read_bytes()))  # noqa: S301  this program wrote the file


def export(address: str, folder: Path) -> None:
    """Read the partitions that aren't in the folder yet."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    partitions = partitions_of(address, folder)
    missing = [each for each in partitions if not all(file.exists() for file in files_of(folder, each))]
    print(f"{len(partitions)} partitions, {len(partitions) - len(missing)} of them already in {folder}")
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0") as cluster,  # type: ignore[no-untyped-call]  # Dask is untyped here
        Client(cluster) as dask,  # type: ignore[no-untyped-call]  # as above
    ):
        futures = [dask.submit(read, address, folder, each, pure=False) for each in missing]
        rows = cast("list[tuple[int, int]]", dask.gather(futures))
    print(f"Read {sum(each[0] for each in rows)} accounts and {sum(each[1] for each in rows)} subscriptions.")


def main() -> None:
    """Serve the sandbox, and export its accounts."""
    with tempfile.TemporaryDirectory() as temporary, SandboxServer(plain=True) as server:
        export(server.addresses["billing"], Path(sys.argv[1] if len(sys.argv) > 1 else temporary))


if __name__ == "__main__":
    main()
