"""Processes are killed at random moments until all items have ended. No item is sent twice, and none is lost.

Each ledger draws its moments from a seed. Each ledger is killed 24 times. `SUBSCRIBEKIT_KILLS` sets the number of kills
of each kind, and `SUBSCRIBEKIT_SEED` sets the first seed.

Hazards: H150.
"""

from __future__ import annotations

import os
import random
import sqlite3
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import opened
from bulk.test_resolving import leave_sent
from bulk.workers import KEY, Nursery, Worker
from kit.counting import CountingServer
from subscribekit import BillingClient, GatewayClient
from subscribekit.bulk import Counts
from subscribekit.models import Account
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.server import SandboxServer

ALL = int(os.environ.get("SUBSCRIBEKIT_KILLS", "6"))
KILLS = min(24, ALL)
SEED = int(os.environ.get("SUBSCRIBEKIT_SEED", "1"))
SEEDS = range(SEED, SEED + -(-ALL // KILLS))
FAULTS = {"lost": 4, "reset": 3, "answer_500": 4, "answer_400": 4, "answer_429": 4}
LEASE = 0.4


class Killed:
    """Workers on one ledger and the service that they charge, with the random choices of one seed."""

    def __init__(self, folder: Path, server: CountingServer, nursery: Nursery, seed: int, ledger: str) -> None:
        self.folder, self.server, self._nursery, self.ledger = folder, server, nursery, ledger
        self.drawn = random.Random(seed)
        self.kills = self.died = 0

    def start(self, **settings: Any) -> Worker:
        settings = {"url": self.server.url, "ledger": self.ledger, "lease": LEASE, "workers": 4, **settings}
        return self._nursery.start(self.folder, **settings)

    def kill(self, kills: int, processes: int, longest: float, **settings: Any) -> None:
        """Start and kill processes, until a number of them was killed while they worked.

        One time in six, a process is killed while it starts and adds items; otherwise, it's killed later.
        """
        while kills > 0:
            workers = [self.start(**settings) for _ in range(processes)]
            begun = "" if self.drawn.random() < 1 / 6 else "started"
            while not all(begun in worker.output or not worker.is_running for worker in workers):
                time.sleep(0.002)
            if self.drawn.random() < 0.1:
                self.server.refuse(0.02)
            time.sleep(self.drawn.uniform(0.005, longest))
            for worker in workers:
                was_running = worker.kill()
                kills -= was_running
                self.kills += was_running
            if not any(worker.is_running for worker in workers) and self.has_ended(workers):
                return

    @staticmethod
    def has_ended(workers: list[Worker]) -> bool:
        return any(word in worker.output for worker in workers for word in ("counts", "recorded", "resolved"))

    def finish(self, word: str, **settings: Any) -> None:
        last = self.start(**{"lease": 5.0, **settings})
        while last.is_running:
            time.sleep(0.02)
        errors = self.folder / "errors"
        assert word in last.output, errors.read_text() if errors.exists() else last.output

    def counts(self, items: int) -> Counts:
        """Compare each item of the ledger with the service, and count both."""
        with (
            GatewayClient(base_url=self.server.url, api_key=KEY, allow_insecure_loopback=True) as client,
            opened(self.ledger, client) as run,
        ):
            seen: Counter[str] = Counter()
            self.died = 0
            for item in run.items():
                self.died += item.state == "unknown" and item._entry.error_type is None
                effects = self.server.effects[item.key.replace("order-", "t")]
                allowed = {"done": (1,), "rejected": (0,), "unknown": (0, 1)}[item.state]
                assert effects in allowed, (item.key, item.state, effects)
                seen[item.state] += 1
            counts = run.counts()
        assert counts == Counts(**seen)
        assert (counts.ready, counts.sent, counts.total) == (0, 0, items)
        return counts


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("place", "processes"), [("sqlite", 1), ("sqlite", 2), ("postgresql", 4)], indirect=["place"])
def test_killed_processes_send_no_item_twice_and_lose_none(
    tmp_path: Path, nursery: Nursery, place: str, processes: int, seed: int
) -> None:
    items = 60 * KILLS
    with CountingServer(seed=seed, **FAULTS) as server:
        killed = Killed(tmp_path, server, nursery, seed, place)
        server.before_effect = lambda: time.sleep(0.004)
        killed.kill(KILLS, processes, 0.25, items=items, rate=400)
        killed.finish("counts", items=items)
        counts = killed.counts(items)
    print(
        f"{killed.kills} kills of {processes} on {place.partition(':')[0][-10:]}: {counts}, {killed.died} of the dead"
    )
    assert killed.died > 0 or KILLS < 24
    assert counts.done > 0
    assert counts.unknown > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_process_is_killed_while_it_purges_and_records(tmp_path: Path, nursery: Nursery, seed: int) -> None:
    items = 20 * KILLS
    with CountingServer(seed=seed, **FAULTS) as server:
        killed = Killed(tmp_path, server, nursery, seed, str(tmp_path / "charges.db"))
        killed.kill(KILLS // 2, 1, 0.25, items=items, rate=400, forgets=3)
        killed.finish("counts", items=items)
        unknown = killed.counts(items).unknown
        assert unknown > 0
        killed.kill(KILLS // 2, 1, 0.08, items=items, records=True)
        killed.finish("recorded", items=items, records=True)
        killed.finish("counts", items=items)
        counts = killed.counts(items)
    print(f"{killed.kills} kills while purging and recording: {unknown} were unknown, {counts}")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_process_is_killed_while_it_resolves(tmp_path: Path, nursery: Nursery, seed: int) -> None:
    sandbox, path = Sandbox(), str(tmp_path / "charges.db")
    names = [f"acct-{each:05}x" for each in range(8 * KILLS)]
    with SandboxServer(sandbox, plain=True) as server:
        with (
            BillingClient(environment=server.environment, allow_insecure_loopback=True) as client,
            opened(path, client) as run,
        ):
            run.add((name, client.prepare.accounts.create(Account(id=name, name="Ann"))) for name in names)
            leave_sent(run, *names)
            for name in names[::2]:
                client.accounts.create(Account(id=name, name="Ann"))  # the same call as that of the dead process
            with run._open().database.write() as connection:
                assert len(run._open().expire(connection, run._open().database.clock(connection)[1])) == len(names)
            before = len(sandbox.requests)
            killed = Killed(tmp_path, CountingServer(), nursery, seed, path)
            settings = {"url": server.addresses["billing"], "resolves": True}
            for _ in range(KILLS):  # each kill follows some reads
                worker, most = killed.start(**settings), len(sandbox.requests) + killed.drawn.randint(0, 30)
                while worker.is_running and len(sandbox.requests) < most:
                    time.sleep(0.001)
                killed.kills += worker.kill()
            left = run.counts().unknown
            killed.finish("resolved", **settings)
            assert {request.method for request in sandbox.requests[before:]} == {"GET"}
            wanted = {name: "done" if each % 2 == 0 else "ready" for each, name in enumerate(names)}
            assert {item.key: item.state for item in run.items()} == wanted
            assert {item.state for item in run.send()} == {"done"}
            assert run.counts() == Counts(done=len(names))
        written = [request.status for request in sandbox.requests if request.method == "POST"]
    assert written == [200] * len(names)  # each account was created once; the service refuses to create it again
    print(f"{killed.kills} kills while resolving, {left} of {len(names)} left for the last")


def test_a_pause_that_the_service_asked_for_outlives_the_process(tmp_path: Path, nursery: Nursery) -> None:
    path, items = tmp_path / "charges.db", 60
    with CountingServer() as server:
        killed = Killed(tmp_path, server, nursery, 1, str(path))
        server.retry_after, faults = "1", iter(["none"] * 10 + ["429"])
        server.fault = lambda: next(faults, "none")  # type: ignore[method-assign]
        worker = killed.start(items=items)
        while not paused(path):
            if not worker.is_running:  # on a busy machine, the process can stall for longer than its lease, and end
                worker = killed.start(items=items)
            time.sleep(0.005)
        worker.kill()
        time.sleep(0.05)  # the requests of the dead process arrive
        asked = server.arrived[10]
        sent = len(server.arrived)
        while time.monotonic() < asked + 0.6:
            worker = killed.start(items=items)
            time.sleep(0.2)
            worker.kill()
        killed.finish("counts", items=items)
        assert min(server.arrived[sent:]) >= asked + 1
        counts = killed.counts(items)
    # The kill can come after the pause is recorded and before the 429 itself is, so that its item is unknown.
    assert counts.rejected + counts.unknown >= 1
    assert counts.rejected <= 1
    assert counts.unknown <= 4


def paused(path: Path) -> bool:
    """Return whether a pause is stored, without the lock that the processes need."""
    if not path.exists():
        return False
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection, suppress(sqlite3.OperationalError):
        return bool(connection.execute("SELECT 1 FROM subscribekit_ledger WHERE paused_until > 0").fetchone())
    return False
