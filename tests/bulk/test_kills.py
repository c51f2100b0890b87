"""Processes are killed at random moments until all items have ended: nothing is done twice, nothing is lost.

Each ledger draws its moments from a seed. `SUBSCRIBEKIT_KILLS` says how many kills there are of each kind, on ledgers
that are killed 24 times each, and `SUBSCRIBEKIT_SEED` where the drawing begins.

Held here: H150.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bulk.counting import CountingServer
from bulk.kit import opened
from bulk.workers import KEY, Nursery, Worker
from subscribekit import GatewayClient
from subscribekit.bulk import Counts

ALL = int(os.environ.get("SUBSCRIBEKIT_KILLS", "6"))
KILLS = min(24, ALL)
SEED = int(os.environ.get("SUBSCRIBEKIT_SEED", "1"))
SEEDS = range(SEED, SEED + -(-ALL // KILLS))
FAULTS = {"lost": 4, "reset": 3, "answer_500": 4, "answer_400": 4, "answer_429": 4}
LEASE = 0.4


class Killed:
    """Workers on one ledger and the service that they charge, drawn from one seed."""

    def __init__(self, folder: Path, server: CountingServer, nursery: Nursery, seed: int, ledger: str) -> None:
        self.folder, self.server, self._nursery, self.ledger = folder, server, nursery, ledger
        self.drawn = random.Random(seed)
        self.kills = 0

    def start(self, **told: Any) -> Worker:
        told = {"url": self.server.url, "ledger": self.ledger, "lease": LEASE, "lanes": 4, **told}
        return self._nursery.start(**told)

    def kill(self, kills: int, processes: int, longest: float, **told: Any) -> None:
        """Start processes and kill them at once, until so many were killed in the middle of their work."""
        while kills > 0:
            workers = [self.start(**told) for _ in range(processes)]
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
        return any("counts" in worker.said or "settled" in worker.said for worker in workers)

    def finish(self, said: str, **told: Any) -> None:
        last = self.start(**{"lease": 5.0, **told})
        while last.is_running:
            time.sleep(0.02)
        errors = self.folder / "errors"
        assert said in last.said, errors.read_text() if errors.exists() else last.said

    def counts(self, items: int) -> Counts:
        """Compare each item of the ledger with what the service did, and count both."""
        with (
            GatewayClient(base_url=self.server.url, api_key=KEY, allow_insecure_loopback=True) as client,
            opened(self.ledger, client) as run,
        ):
            seen: Counter[str] = Counter()
            for item in run.items():
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
def test_killed_processes_do_nothing_twice_and_lose_nothing(
    tmp_path: Path, place: str, processes: int, seed: int
) -> None:
    items = 60 * KILLS
    with CountingServer(seed=seed, **FAULTS) as server, Nursery(tmp_path) as nursery:
        killed = Killed(tmp_path, server, nursery, seed, place)
        killed.kill(KILLS, processes, 0.25, items=items, rate=1500)
        killed.finish("counts", items=items)
        counts = killed.counts(items)
    print(f"{killed.kills} kills of {processes} on {place.partition(':')[0][-10:]}: {counts}")
    assert counts.done > 0
    assert counts.unknown > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_killed_while_it_forgets_and_settles(tmp_path: Path, seed: int) -> None:
    items = 20 * KILLS
    with CountingServer(seed=seed, **FAULTS) as server, Nursery(tmp_path) as nursery:
        killed = Killed(tmp_path, server, nursery, seed, str(tmp_path / "charges.db"))
        killed.kill(KILLS // 2, 1, 0.25, items=items, rate=1500, forgets=3)
        killed.finish("counts", items=items)
        unknown = killed.counts(items).unknown
        assert unknown > 0
        killed.kill(KILLS // 2, 1, 0.08, items=items, settles=True)
        killed.finish("settled", items=items, settles=True)
        killed.finish("counts", items=items)
        counts = killed.counts(items)
    print(f"{killed.kills} kills while forgetting and settling: {unknown} were unknown, {counts}")
