"""Contenders that send many writes: the SDK with a ledger, a handwritten loop, and DBOS if it's installed."""

from __future__ import annotations

import contextlib
import csv
import importlib.util
import itertools
import multiprocessing
import ssl
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx

from benchmarks.measure import Contender, Measure, clocked
from benchmarks.surplus import serve
from subscribekit import GatewayClient, PreparedRequest, RetryPolicy
from subscribekit.models import EntitlementCharge, EntitlementChargeReceipt

WORKERS = 16
_numbers = itertools.count()

Jobs = list[tuple[str, PreparedRequest[EntitlementChargeReceipt]]]


class _Service(httpx.BaseTransport):
    """Responds to charges inside the process, after a latency."""

    def __init__(self, latency: float) -> None:
        self._latency = latency

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self._latency:
            time.sleep(self._latency)
        return httpx.Response(200, json={"transactionReferenceId": "ptx-1"}, headers={"Request-Id": "r1"})


@contextlib.contextmanager
def _opened(latency: float) -> Generator[tuple[GatewayClient, Path]]:
    with (
        tempfile.TemporaryDirectory() as folder,
        GatewayClient(
            base_url="https://gateway.test", api_key="k", transport=_Service(latency),
            retry=RetryPolicy(max_attempts=1),
        ) as gateway,
    ):  # fmt: skip
        yield gateway, Path(folder)


@contextlib.contextmanager
def _opened_over_tls() -> Generator[tuple[GatewayClient, Path]]:
    context = multiprocessing.get_context("spawn")
    ready, child = context.Pipe(duplex=False)
    service = context.Process(target=serve, args=(child, False, 0), daemon=True)
    service.start()
    try:
        port, authority = ready.recv()
        trusted = ssl.create_default_context(cadata=authority.decode())
        with (
            tempfile.TemporaryDirectory() as folder,
            GatewayClient(
                base_url=f"https://127.0.0.1:{port}", api_key="k", ssl_context=trusted,
                retry=RetryPolicy(max_attempts=1),
            ) as gateway,
        ):  # fmt: skip
            yield gateway, Path(folder)
    finally:
        service.terminate()
        service.join()


def _client(latency: float | None) -> contextlib.AbstractContextManager[tuple[GatewayClient, Path]]:
    """Open a client of a service in this process, or, without a latency, of a service over TLS in another one."""
    return _opened_over_tls() if latency is None else _opened(latency)


def _jobs(gateway: GatewayClient, number: int) -> Iterator[tuple[str, PreparedRequest[EntitlementChargeReceipt]]]:
    for _ in range(number):
        key = f"order-{next(_numbers)}"
        charge = EntitlementCharge(transaction_id=key, amount=Decimal("4.90"), currency="USD")
        yield key, gateway.prepare.entitlements.charge("psub-1", charge)


def _contender(latency: float | None, work: Callable[[GatewayClient, Path, Jobs], int]) -> Contender:
    """Measure the sending. The requests are prepared before the measurement."""

    @contextlib.contextmanager
    def opened() -> Generator[Measure]:
        with _client(latency) as (gateway, folder):

            def measure(units: int) -> Any:
                jobs = list(_jobs(gateway, units))
                return clocked(lambda _: work(gateway, folder / jobs[0][0], jobs))(units)

            yield measure

    return opened


def loop(latency: float | None) -> Contender:
    """Send in a pool of threads, and store nothing."""

    def work(gateway: GatewayClient, _: Path, jobs: Jobs) -> int:
        with ThreadPoolExecutor(WORKERS) as threads:
            return sum(1 for _ in threads.map(lambda job: gateway.send(job[1]), jobs))

    return _contender(latency, work)


def loop_with_csv(latency: float | None) -> Contender:
    """Send in a pool of threads, and write the keys of the completed charges to a file, as handwritten code does.

    This isn't durable. If the process dies, the next run sends the charges again that were in flight.
    """

    def work(gateway: GatewayClient, path: Path, jobs: Jobs) -> int:
        with ThreadPoolExecutor(WORKERS) as threads, path.open("w", newline="") as file:
            lines = csv.writer(file)
            for key, receipt in threads.map(lambda job: (job[0], gateway.send(job[1])), jobs):
                lines.writerow((key, receipt.transaction_reference_id))
                file.flush()
        return len(jobs)

    return _contender(latency, work)


def ledger(latency: float | None) -> Contender:
    """Add the items to a ledger, and send them. The time for adding counts too."""

    def work(gateway: GatewayClient, path: Path, jobs: Jobs) -> int:
        from subscribekit.bulk import Run

        with Run(path, gateway, concurrency=WORKERS) as run:
            run.add(jobs)
            return sum(item.state == "done" for item in run.send())

    return _contender(latency, work)


def ledger_sending(latency: float | None) -> Contender:
    """Send from a ledger. The time for adding the items doesn't count."""

    @contextlib.contextmanager
    def opened() -> Generator[Measure]:
        from subscribekit.bulk import Run

        with _client(latency) as (gateway, folder), Run(folder / "ledger.db", gateway, concurrency=WORKERS) as run:

            def measure(units: int) -> Any:
                run.add(_jobs(gateway, units))
                return clocked(lambda _: sum(item.state == "done" for item in run.send()))(units)

            yield measure

    return opened


def dbos(latency: float) -> Contender:
    """Send in a queue of DBOS on SQLite, with a workflow of one step for each charge."""

    @contextlib.contextmanager
    def opened() -> Generator[Measure]:
        from dbos import DBOS, SetWorkflowID

        with _opened(latency) as (gateway, folder):
            requests: dict[str, PreparedRequest[EntitlementChargeReceipt]] = {}
            DBOS(config={"name": "charges", "system_database_url": f"sqlite:///{folder / 'dbos.sqlite'}",
                         "log_level": "ERROR", "run_admin_server": False})  # fmt: skip

            @DBOS.step()
            def send(key: str) -> str:
                return gateway.send(requests[key]).transaction_reference_id or ""

            @DBOS.workflow()
            def charge(key: str) -> str:
                return send(key)

            DBOS.launch()
            queue = DBOS.register_queue("charges", worker_concurrency=WORKERS, polling_interval_sec=0.01)
            try:

                def work(jobs: Jobs) -> int:
                    requests.update(jobs)
                    handles = []
                    for key, _ in jobs:
                        with SetWorkflowID(key):
                            handles.append(queue.enqueue(charge, key))
                    return sum(handle.get_result() != "" for handle in handles)

                def measure(units: int) -> Any:
                    jobs = list(_jobs(gateway, units))
                    return clocked(lambda _: work(jobs))(units)

                yield measure
            finally:
                DBOS.destroy()

    return opened


def is_installed(name: str) -> bool:
    """Return whether a package is installed."""
    return importlib.util.find_spec(name) is not None
