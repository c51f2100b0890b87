"""Measures a bulk run of many items with a service inside the process: time, memory, and the size of the ledger.

python tests/benchmarks/million.py 1000000
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.bulk import WORKERS, _jobs, _opened
from subscribekit.bulk import Run


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _size(folder: Path) -> float:
    return sum(each.stat().st_size for each in folder.iterdir()) / 1e6


class _Part:
    """Prints the time and the memory of a part of the run."""

    def __init__(self, items: int, folder: Path) -> None:
        self._items, self._folder = items, folder

    def __call__(self, name: str) -> _Part:
        self._name, self._began, self._used = name, time.perf_counter(), time.process_time()
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        took, used = time.perf_counter() - self._began, time.process_time() - self._used
        print(
            f"{self._name}: {took:.0f} s, {used:.0f} s of processor time, {used / self._items * 1e6:.0f} us an item; "
            f"memory at most {_memory():.0f} MB; files {_size(self._folder):.0f} MB",
            flush=True,
        )


def main(items: int) -> None:
    """Add, send, count, report, and purge `items` items."""
    with _opened(0) as (gateway, folder), Run(folder / "ledger.db", gateway, concurrency=WORKERS) as run:
        print(f"{items:,} items; memory before {_memory():.0f} MB", flush=True)
        part = _Part(items, folder)
        with part("added"):
            run.add(_jobs(gateway, items))
        with part("sent"):
            ended = sum(item.state == "done" for item in run.send())
        with part("counted"):
            counts = run.counts()
        assert ended == counts.done == items
        with part("reported"):
            run.report(folder / "report.csv")
        (folder / "report.csv").unlink()
        with part("forgotten"):
            run.purge_data()


if __name__ == "__main__":
    main(int(sys.argv[1]))
