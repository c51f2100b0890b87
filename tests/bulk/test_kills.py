"""Processes are killed at random moments until all items have ended: nothing is done twice, nothing is lost.

Each run draws its moments from a seed. `BULK_KILLS` raises how many kills there are.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from bulk.counting import CountingServer
from bulk.workers import KEY, Nursery
from subscribekit import GatewayClient
from subscribekit.bulk import Run

KILLS = int(os.environ.get("BULK_KILLS", "12"))
FAULTS = {"lost": 4, "reset": 3, "answer_500": 4, "answer_400": 4, "answer_429": 4}


@pytest.mark.parametrize("processes", [1, 2])
def test_killed_processes_do_nothing_twice_and_lose_nothing(tmp_path: Path, processes: int) -> None:
    drawn = random.Random(processes)
    kills, items, lease, ledger = KILLS, 60 * KILLS, 0.4, tmp_path / "charges.db"
    with CountingServer(seed=processes, **FAULTS) as server, Nursery(tmp_path) as nursery:
        told = {"url": server.url, "items": items, "ledger": str(ledger), "lease": lease, "lanes": 4, "rate": 1500}
        while kills > 0:
            workers = [nursery.start(**told) for _ in range(processes)]
            time.sleep(drawn.uniform(0.02, 0.25))
            for worker in workers:
                worker.kill()
                kills -= 1
        last = nursery.start(**told)
        while last.is_running:
            time.sleep(0.02)
        assert "counts" in last.said, (tmp_path / "errors").read_text()
        with (
            GatewayClient(base_url=server.url, api_key=KEY, allow_insecure_loopback=True) as client,
            Run(ledger, client) as run,
        ):
            counts = run.counts()
            assert (counts.ready, counts.sent, counts.total) == (0, 0, items)
            for item in run.items():
                effects = server.effects[item.key.replace("order-", "t")]
                allowed = {"done": (1,), "rejected": (0,), "unknown": (0, 1)}[item.state]
                assert effects in allowed, (item.key, item.state, effects)
            assert counts.done > 0
            assert counts.unknown > 0
