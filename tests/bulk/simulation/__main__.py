"""Runs seeds of the simulation from the command line.

    python tests/bulk/simulation 1000                    seeds 0 to 999
    python tests/bulk/simulation 1000 --first 5000       seeds 5000 to 5999
    python tests/bulk/simulation 1000 --first random     1,000 seeds from a random start value, which is printed
    python tests/bulk/simulation --seeds 7 4711 --trace  these seeds, with their traces

The command prints the trace of each finding, and exits with 1 if there is a finding.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

if not __package__:  # the command line names the folder
    sys.path.insert(0, str(Path(__file__).parents[2]))

from bulk.simulation.seed import Nursery, Outcome

_EVERY = 100


class Report:
    """Prints the results of the seeds.

    Args:
        is_json: Whether to print only one line of JSON for each seed.
    """

    def __init__(self, *, is_json: bool) -> None:
        self._is_json = is_json
        self._fired: Counter[str] = Counter()
        self._seeds, self._cpu = 0, 0.0
        self.findings = 0

    def say(self, text: str) -> None:
        if not self._is_json:
            print(text, flush=True)

    def add(self, outcome: Outcome) -> None:
        self._fired.update(outcome.fired)
        self._seeds += 1
        self._cpu += outcome.cpu
        self.findings += outcome.finding is not None
        if self._is_json:
            print(json.dumps(asdict(outcome)), flush=True)
        if outcome.trace:
            self.say(outcome.trace)
        if outcome.finding:
            self.say(f"seed {outcome.seed}: {outcome.finding}")
        if self._seeds % _EVERY == 0:
            self.say_sum()

    def say_sum(self) -> None:
        self.say(f"{self._seeds} seeds, {self.findings} findings, {self._cpu:.0f} CPU seconds")

    def say_faults(self) -> None:
        self.say(", ".join(f"{kind}: {number}" for kind, number in self._fired.most_common()))


def main(arguments: Sequence[str]) -> int:
    """Run the seeds that the arguments select, and return the exit code."""
    given = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # an exit removes the files
    report = Report(is_json=given.json)
    with Nursery() as nursery:
        for outcome in nursery.run(_seeds(given, report), keeps_traces=given.trace):
            report.add(outcome)
            if report.findings == given.most:
                break
    report.say_sum()
    report.say_faults()
    return int(report.findings > 0)


def _seeds(given: argparse.Namespace, report: Report) -> Sequence[int]:
    seeds: list[int] = list(given.seeds)
    if given.number:
        first = random.SystemRandom().randrange(10**9) if given.first == "random" else int(given.first)
        report.say(f"{given.number} seeds from {first}")
        seeds += range(first, first + given.number)
    return seeds


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", type=int, nargs="?", default=0, help="number of seeds")
    parser.add_argument("--first", default="0", help="the first seed, or random")
    parser.add_argument("--seeds", type=int, nargs="*", default=[], help="more seeds, which run first")
    parser.add_argument("--trace", action="store_true", help="print the trace of every seed")
    parser.add_argument("--most", type=int, default=1, help="stop after this many findings")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each seed")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
