"""Counts the charges that are made twice if a process is killed repeatedly: the SDK, a handwritten loop, and DBOS.

    python tests/benchmarks/crashes.py [kills] [charges]

Each contender sends charges to the same kind of loopback server, 16 at a time. The script kills its process (SIGKILL)
at random moments, and starts it again until all charges are done. Nothing is asserted. For results, see
docs/bulk-measured.md.
"""

from __future__ import annotations

import csv
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from importlib import metadata
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.bulk import WORKERS, is_installed
from kit.counting import CountingServer
from subscribekit import GatewayClient, RetryPolicy
from subscribekit.models import EntitlementCharge

LATENCY = 0.02
LEASE = 2.0


def _plan(gateway: GatewayClient, number: int) -> Any:
    charge = EntitlementCharge(transaction_id=f"t{number}", amount=Decimal("4.90"), currency="USD")
    return gateway.prepare.entitlements.charge("psub-1", charge)


def with_ledger(gateway: GatewayClient, folder: Path, number: int) -> Counter[str]:
    """Send from a ledger."""
    from subscribekit.bulk import Run

    with Run(folder / "ledger.db", gateway, concurrency=WORKERS, lease=LEASE) as run:
        run.add((f"order-{each}", _plan(gateway, each)) for each in range(number))
        for _ in run.send():
            pass
        return Counter(item.state for item in run.items())


def by_hand(gateway: GatewayClient, folder: Path, number: int) -> Counter[str]:
    """Send in a pool of threads, and write the keys of the completed charges to a CSV file."""
    path = folder / "done.csv"
    done = {line[0] for line in csv.reader(path.open())} if path.exists() else set[str]()
    left = [each for each in range(number) if f"order-{each}" not in done]

    def send(each: int) -> str:
        gateway.send(_plan(gateway, each))
        return f"order-{each}"

    with ThreadPoolExecutor(WORKERS) as threads, path.open("a", newline="") as file:
        lines = csv.writer(file)
        for key in threads.map(send, left):
            lines.writerow([key])
            file.flush()
    return Counter(done=number)


def with_dbos(gateway: GatewayClient, folder: Path, number: int) -> Counter[str]:
    """Send in a queue of DBOS, with a workflow of one step for each charge."""
    from dbos import DBOS, SetWorkflowID

    DBOS(config={"name": "charges", "system_database_url": f"sqlite:///{folder / 'dbos.sqlite'}",
                 "log_level": "ERROR", "run_admin_server": False})  # fmt: skip

    @DBOS.step()
    def send(each: int) -> str:
        return gateway.send(_plan(gateway, each)).transaction_reference_id or ""

    @DBOS.workflow()
    def charge(each: int) -> str:
        return send(each)

    DBOS.launch()
    queue = DBOS.register_queue("charges", worker_concurrency=WORKERS, polling_interval_sec=0.01)
    handles = []
    for each in range(number):
        with SetWorkflowID(f"order-{each}"):
            handles.append(queue.enqueue(charge, each))
    try:
        return Counter("done" for handle in handles if handle.get_result())
    finally:
        DBOS.destroy()


CONTENDERS = {"subscribekit": with_ledger, "a loop with a CSV": by_hand, "dbos": with_dbos}


def work(name: str, folder: str, url: str, number: str) -> None:
    """Run a contender in this process, and print the outcomes of its charges."""
    gateway = GatewayClient(
        base_url=url, api_key="k", allow_insecure_loopback=True, retry=RetryPolicy(max_attempts=1)
    )  # fmt: skip
    with gateway:
        print(dict(CONTENDERS[name](gateway, Path(folder), int(number))))


def _killed(name: str, kills: int, number: int) -> str:
    drawn = random.Random(1)
    with CountingServer() as server, tempfile.TemporaryDirectory() as folder:
        server.before_effect = lambda: time.sleep(LATENCY)
        began, made = time.perf_counter(), 0
        while True:
            seen = len(server.arrived)
            process = subprocess.Popen(
                [sys.executable, __file__, "work", name, folder, server.url, str(number)], stdout=subprocess.PIPE
            )
            if made < kills:
                while process.poll() is None and len(server.arrived) == seen:
                    time.sleep(0.005)
                time.sleep(drawn.uniform(0.0, 0.4))
                if process.poll() is None:
                    process.kill()
                    made += 1
            said = process.communicate()[0].decode().strip()
            if process.returncode == 0:
                break
            if process.returncode > 0:
                raise RuntimeError(f"{name} failed by itself")
        twice = sum(1 for effects in server.effects.values() if effects > 1)
        took = time.perf_counter() - began
        version = metadata.version(name) if name in ("subscribekit", "dbos") else ""
        return (
            f"{name} {version}: {made} kills, {number} charges: {twice} made more than once, "
            f"{number - len(server.effects)} not made; {said}; {took:.0f} s"
        )


def main(kills: int = 20, number: int = 1000) -> None:
    """Kill each contender repeatedly, and print the result."""
    for name in CONTENDERS:
        if name != "dbos" or is_installed("dbos"):
            print(_killed(name, kills, number), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["work"]:
        work(*sys.argv[2:])
    else:
        main(*map(int, sys.argv[1:]))
