"""Checks that a reconciliation finds every difference although its process is killed, and measures its cost.

    python tests/benchmarks/differences.py [COUNT] [PLANTED] [KILLS]

A served sandbox has COUNT subscriptions, and a merchant's copy differs in PLANTED keys. A quarter of these keys become
equal in the service while the list is read. The script kills the comparing process KILLS times. Then it measures the
processor time of a reconciliation in its own process.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from reconcile.planted import FIELDS, Planted
from subscribekit.reconcile import Reconciliation
from subscribekit.sandbox.server import SandboxServer


def through_kills(planted: Planted, folder: Path, kills: int) -> None:
    """Kill the comparing process `kills` times, and then let it finish."""
    rows = folder / "rows.jsonl"
    planted.write(rows)
    chance, each = random.Random(3), -(-len(planted.keys["changed"]) // max(kills // 2, 1))
    with SandboxServer(sandbox=planted.sandbox, plain=True) as server:
        script = Path(__file__).parent.parent / "reconcile" / "planted.py"
        command = [sys.executable, str(script), server.addresses["billing"], str(folder / "n.db"), str(rows)]
        done, ended = 0, ""
        while not ended:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            try:
                limit = 0.5 + chance.random() if done < kills else None
                ended, _ = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                done += 1
            else:
                assert process.returncode == 0
            planted.change(each)
    found, equal, changed = json.loads(ended)
    wanted = planted.expected()
    false = sum(each not in wanted for each in found)
    print(f"{done} kills: {len(found) - false} of {len(wanted)} differences found, and {false} that are none")
    print(f"{equal} keys equal, {changed} changed meanwhile")
    assert found == wanted


def cost(planted: Planted, folder: Path) -> None:
    """Print the processor time of a reconciliation, and its ratio to that of reading the list."""
    billing = planted.sandbox.billing()
    times = [time.process_time()]
    assert sum(len(page.data) for page in billing.subscriptions.list(limit=100).pages()) == planted.count
    times.append(time.process_time())
    subscriptions = billing.subscriptions.list(limit=100)
    with Reconciliation(folder / "m.db", subscriptions, key="id", fields=FIELDS) as check:
        check.read()
        check.compare(planted.rows())
    times.append(time.process_time())
    plain, both = times[1] - times[0], times[2] - times[1]
    print(f"plain list {plain:.1f} s, read and compare {both:.1f} s of processor time: {both / plain:.2f}")


def main(count: int, differences: int, kills: int) -> None:
    """Run both measurements with the same data."""
    with tempfile.TemporaryDirectory() as name:
        planted = Planted(count, differences)
        through_kills(planted, Path(name), kills)
        cost(planted, Path(name))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4] or ("100000", "1000", "200")))
