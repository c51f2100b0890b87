"""Compares an older checkout with this one.

Run `python tests/benchmarks/compare.py CHECKOUT [--rounds N] [--only WORDS] [--json FILE]`.

Each round runs one benchmark of the older checkout, and then the same benchmark of this checkout, each in its own
process. Prints one Markdown table with the median ratio of all rounds, and the lowest and the highest ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

if __package__ in {None, ""}:  # started as a file, so the parent of the package isn't on the path yet
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.measure import Metric
from benchmarks.rows import DIRECT, FROM_BYTES, HTTPX, IN_FLIGHT, PYDANTIC, SDK

_HERE = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: a contender of a benchmark, divided by another contender."""

    title: str
    contender: str
    reference: str
    metric: Metric = "cpu"


LINES = (
    Line("one GET, small object, sync", SDK, HTTPX),
    Line("one GET, small object, sync", DIRECT, HTTPX),
    Line("one GET, 3 KB account, sync", SDK, PYDANTIC),
    Line("one GET, 3 KB account, sync", DIRECT, PYDANTIC),
    Line("one GET, small object, async", SDK, HTTPX),
    Line("one GET, small object, async", DIRECT, HTTPX),
    Line("64 tasks, GETs, async", SDK, HTTPX),
    Line("64 tasks, GETs, async", DIRECT, HTTPX),
    Line("16 threads, GETs", SDK, HTTPX),
    Line("10,000 accounts, 100 a page, sync", SDK, PYDANTIC),
    Line("10,000 accounts, 100 a page, sync", SDK, FROM_BYTES),
    Line("10,000 accounts, 100 a page, async", SDK, PYDANTIC),
    Line("2,000 accounts, 20 ms latency, 20 ms work a page, sync", f"{SDK}, prefetch", PYDANTIC, "wall"),
    Line("3,000 by offset, 20 ms latency", f"{SDK}, {IN_FLIGHT} in flight", HTTPX, "wall"),
    Line("import to first reply", SDK, PYDANTIC),
    Line("import to first reply", DIRECT, PYDANTIC),
    Line("bulk: 2,000 writes, no latency", f"{SDK}, sending only", "loop without a ledger", "wall"),
)

Ratios = Mapping[str, Mapping[Line, list[float]]]


def main(arguments: list[str] | None = None) -> int:
    """Measure both sources, and print the table."""
    parser = argparse.ArgumentParser(description="Compare the speed of this checkout with an older one.")
    parser.add_argument("older", type=Path, metavar="CHECKOUT", help="the folder of the older checkout")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each row is measured")
    parser.add_argument("--only", default="", metavar="WORDS", help="only rows whose title contains these words")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the ratios of every round")
    options = parser.parse_args(arguments)
    lines = [line for line in LINES if options.only.lower() in line.title.lower()]
    checkouts = {"before": options.older.resolve(), "now": _HERE}
    ratios: Ratios = {name: {line: [] for line in lines} for name in checkouts}
    for title in dict.fromkeys(line.title for line in lines):
        for _ in range(options.rounds):
            for name, checkout in checkouts.items():
                costs = _measure(title, checkout)
                for line in (line for line in lines if line.title == title):
                    if line.contender in costs and line.reference in costs:
                        ratios[name][line].append(
                            costs[line.contender][line.metric] / costs[line.reference][line.metric]
                        )
        print(f"measured: {title}", file=sys.stderr, flush=True)
    print("\n".join(_table(lines, ratios)))
    if options.json:
        rows = [
            {"title": line.title, "contender": line.contender, "reference": line.reference, "metric": line.metric}
            | {name: found[line] for name, found in ratios.items()}
            for line in lines
        ]
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    return 0


def _measure(title: str, checkout: Path) -> dict[str, dict[Metric, float]]:
    """Run one benchmark of a checkout in its own process, and return the costs of its contenders in microseconds."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run(
            [sys.executable, str(checkout / "tests/benchmarks/run.py"), "--only", title, "--json", str(report)],
            env={key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
            | {"PYTHONPATH": str(checkout / "src")},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        (row,) = json.loads(report.read_text())["rows"]
    return {
        result["contender"]: {"cpu": result["cpu_us"], "wall": result["wall_us"]}
        for result in row["results"]
        if result["error"] is None
    }


def _table(lines: Iterable[Line], ratios: Ratios) -> Iterable[str]:
    yield "| Benchmark | Program | Compared with | Before | Now |"
    yield "|---|---|---|---|---|"
    for line in lines:
        kind = "CPU" if line.metric == "cpu" else "time"
        before, now = (_cell(ratios[name][line]) for name in ("before", "now"))
        yield f"| {line.title} | {line.contender} | {kind} of {line.reference} | {before} | {now} |"


def _cell(found: list[float]) -> str:
    if not found:
        return "Not measured"
    return f"{statistics.median(found):.2f} ({min(found):.2f} to {max(found):.2f})"


if __name__ == "__main__":
    sys.exit(main())
