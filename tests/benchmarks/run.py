"""Run the benchmarks: `python tests/benchmarks/run.py [--smoke] [--only WORDS] [--json FILE]`.

Prints a table, and writes the numbers as JSON. The script doesn't assert any speed. The exit status shows only whether
all measurements of this project succeeded.
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib.metadata
import json
import os
import platform
import sys
from dataclasses import replace
from pathlib import Path

if __package__ in {None, ""}:  # started as a file, so the parent of the package isn't on the path yet
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks import fresh, peers
from benchmarks.loopback import Loopback
from benchmarks.measure import Outcome, Result, measure
from benchmarks.rows import DBOS, RAW, SMOKE, Scale, rows

_PACKAGES = ("httpx", "httpcore", "pydantic", "jiter")
_PEER_PACKAGES = {"paddle_billing": "paddle-python-sdk", "orb": "orb-billing"}


def main(arguments: list[str] | None = None) -> int:
    """Measure, print the tables, write the file, and return the exit status."""
    options = _options(arguments)
    scale = SMOKE if options.smoke else Scale()
    outcomes: list[Outcome] = []
    with (
        Loopback(accounts=scale.items, associations=scale.associations) as fast,
        Loopback(latency=scale.latency, accounts=scale.slow_items, associations=scale.associations) as slow,
    ):
        for row in rows(scale, fast, slow):
            if options.only.lower() in row.title.lower():
                outcomes.append(measure(replace(row, goals={}) if options.smoke else row))
                print(_table(outcomes[-1]), flush=True)
        memory = {} if options.only else _memory(scale)
    print(_memory_table(memory))
    report = {
        "at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "machine": _machine(),
        "versions": _versions(),
        "smoke": options.smoke,
        "rows": [outcome.as_json() for outcome in outcomes],
        "peak_memory_kilobytes": memory,
    }
    options.json.write_text(json.dumps(report, indent=2) + "\n")
    print(f"written to {options.json}")
    failed = any(result.error for outcome in outcomes for result in outcome.results if not _is_peer(result))
    return int(failed or any("error" in found for found in memory.values()))


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare the SDK with code written by hand and with typed peers.")
    parser.add_argument("--smoke", action="store_true", help="run everything once and small, in a few seconds")
    parser.add_argument("--only", default="", metavar="WORDS", help="only rows whose title holds these words")
    now = dt.datetime.now(dt.UTC)
    default = Path(f"benchmark-{now:%Y%m%d-%H%M%S}.json")
    parser.add_argument("--json", type=Path, default=default, metavar="FILE", help="where to write the numbers")
    return parser.parse_args(arguments)


def _table(outcome: Outcome) -> str:
    lines = [
        "",
        f"{outcome.title} (per {outcome.unit}; ratio of {outcome.metric} time to {outcome.reference})",
        f"  {'':<34}{'cpu':>12}{'wall':>12}{'units/s':>11}{'ratio':>8}{'limit':>8}{'peer':>8}  goal",
    ]
    return "\n".join(lines + [_line(result, outcome) for result in outcome.results])


def _line(result: Result, outcome: Outcome) -> str:
    if result.cpu_us is None or result.wall_us is None:
        return f"  {result.contender:<34}not measured: {result.error}"
    rate = 1e6 / result.wall_us
    ratio = "" if result.ratio is None else f"{result.ratio:.2f}"
    limit = _against(result, outcome, [each for each in outcome.results if each.contender == RAW])
    peer = _against(result, outcome, [each for each in outcome.results if _is_peer(each)])
    numbers = f"{_time(result.cpu_us):>12}{_time(result.wall_us):>12}{rate:>11,.0f}{ratio:>8}{limit:>8}{peer:>8}"
    return f"  {result.contender:<34}{numbers}  {_goal(result, absolute=outcome.absolute)}".rstrip()


def _against(result: Result, outcome: Outcome, others: list[Result]) -> str:
    """Return the ratio to the cheapest of the other results, such as the raw socket or the best peer."""
    costs = [cost for cost in (_cost(each, outcome) for each in others) if cost is not None]
    own = _cost(result, outcome)
    return f"{own / min(costs):.2f}" if costs and own is not None else ""


def _cost(result: Result, outcome: Outcome) -> float | None:
    return result.cpu_us if outcome.metric == "cpu" else result.wall_us


def _goal(result: Result, *, absolute: bool) -> str:
    if result.goal is None:
        return ""
    limit = _time(result.goal * 1e6) if absolute else f"{result.goal:.2f}"
    return f"at most {limit}: {'met' if result.met else 'MISSED'}"


def _time(microseconds: float) -> str:
    return f"{microseconds:.1f} us" if microseconds < 1000 else f"{microseconds / 1000:.1f} ms"


def _memory(scale: Scale) -> dict[str, dict[str, int | str]]:
    """Return the peak memory for a short and a long list. If the memory is constant, both are equal."""
    found: dict[str, dict[str, int | str]] = {name: {} for name in fresh.MEMORY}
    for items in (scale.items // 10, scale.items):
        with Loopback(accounts=items) as server:
            for name, peaks in found.items():
                try:
                    peaks[str(items)] = fresh.peak_kilobytes(name, server)
                except RuntimeError as error:
                    peaks["error"] = str(error)
    return found


def _memory_table(memory: dict[str, dict[str, int | str]]) -> str:
    lines = ["", "Peak memory of a process that walks the list, by the number of items"] if memory else []
    for name, peaks in memory.items():
        shown = ", ".join(
            f"{items}: {peak}" + (" KB" if isinstance(peak, int) else "") for items, peak in peaks.items()
        )
        lines.append(f"  {name:<42}{shown}")
    return "\n".join(lines)


def _is_peer(result: Result) -> bool:
    return result.contender in {*peers.TITLES.values(), DBOS}


def _machine() -> dict[str, object]:
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "architecture": platform.machine(),
        "processors": os.cpu_count(),
    }


def _versions() -> dict[str, str]:
    names = [*_PACKAGES, *(_PEER_PACKAGES.get(name, name) for name in peers.TITLES)]
    installed = {found.name.lower(): found.version for found in importlib.metadata.distributions()}
    return {name: installed[name] for name in names if name in installed}


if __name__ == "__main__":
    sys.exit(main())
