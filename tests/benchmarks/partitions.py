"""Measures the time to read a whole list in partitions: python tests/benchmarks/partitions.py [ACCOUNTS] [LATENCY].

One worker reads the whole list. Several workers count the items, divide the list into partitions, and read those, in
threads of one process, in two processes, and in four workers of a Dask cluster.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.windows import WindowServer
from subscribekit import BillingClient
from subscribekit.export import Partition, partition

_SINCE = datetime(2014, 1, 1, tzinfo=UTC)


def client(url: str) -> BillingClient:
    """Create a client for the server."""
    return BillingClient(base_url=url, allow_insecure_loopback=True, api_user="u", api_key="k")


def one_worker(url: str) -> int:
    """Read the whole list in one worker."""
    with client(url) as billing:
        return sum(len(page.data) for page in billing.accounts.list(limit=100).pages())


def _count(billing: BillingClient, part: Partition[Any]) -> int:
    return sum(len(page.data) for page in part.read(billing).pages())


def threads(url: str, workers: int, size: int) -> int:
    """Count and read the partitions in threads."""
    with client(url) as billing:
        parts = partition(billing.accounts.list, size=size, since=_SINCE)
        return _threads(billing, parts, workers)


def _threads(billing: BillingClient, parts: Sequence[Partition[Any]], workers: int) -> int:
    with ThreadPoolExecutor(workers) as pool:
        return sum(pool.map(lambda part: _count(billing, part), parts))


def _share(url: str, parts: Sequence[Partition[Any]], workers: int) -> int:
    with client(url) as billing:
        return _threads(billing, parts, workers)


def processes(pool: ProcessPoolExecutor, url: str, workers: int, size: int) -> int:
    """Count the partitions, and read them in running processes, each with its share of the workers."""
    with client(url) as billing:
        parts = partition(billing.accounts.list, size=size, since=_SINCE)
    parts.sort(key=lambda part: -part.count)
    number = pool._max_workers
    return sum(
        pool.map(_share, [url] * number, [parts[n::number] for n in range(number)], [workers // number] * number)
    )


def dask_cluster(cluster: Any, url: str, workers: int, size: int) -> int:
    """Count the partitions, and read them in the workers of a Dask cluster."""
    with client(url) as billing:
        parts = partition(billing.accounts.list, size=size, since=_SINCE)
    parts.sort(key=lambda part: -part.count)
    number = len(cluster.scheduler_info()["workers"])
    return sum(
        cluster.gather(
            [cluster.submit(_share, url, parts[n::number], workers // number, pure=False) for n in range(number)]
        )
    )


def _timed(name: str, work: Callable[[], int], wanted: int, one: float | None) -> float:
    began = time.perf_counter()
    found = work()
    took = time.perf_counter() - began
    assert found == wanted, (found, wanted)
    print(f"{name}: {took:.2f} s{'' if one is None else f', {took / one:.3f} of one worker'}", flush=True)
    return took


def main(accounts: int, latency: float) -> None:
    """Print the time of each way to read the list."""
    size = max(accounts // 60, 1)
    with WindowServer(latency=latency, accounts=accounts) as server:
        one = _timed("1 worker", lambda: one_worker(server.url), accounts, None)
        for workers in (4, 16):
            _timed(
                f"{workers} workers, threads", lambda workers=workers: threads(server.url, workers, size), accounts, one
            )
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
            list(pool.map(one_worker, []))
            list(pool.map(time.sleep, [0.5, 0.5]))
            _timed("16 workers, 2 processes", lambda: processes(pool, server.url, 16, size), accounts, one)
        with (
            LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=":0") as local,
            Client(local) as cluster,
        ):
            cluster.gather([cluster.submit(_share, server.url, [], 1, pure=False) for _ in range(16)])
            _timed("16 threads, 4 Dask workers", lambda: dask_cluster(cluster, server.url, 16, size), accounts, one)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, float(sys.argv[2]) if len(sys.argv) > 2 else 0.02)
