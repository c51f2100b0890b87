"""Runs seeds of the simulation of threads, processes, disk, and service, and expects that every promise holds.

The seeds run in a separate process, which forks. To run other seeds by hand, use `tests/bulk/simulation`.

Hazards: H398, H399.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bulk.simulation.checks import Checks
from bulk.simulation.faults import ACTIONS, RATES
from bulk.simulation.service import Resource
from bulk.simulation.world import World

FOLDER = Path(__file__).parent / "simulation"
FOUND = (1, 162, 363, 600, 528509124, 62372557, 665759781)
"""Seeds that once had a finding. After a change of the simulation, they produce other orders of events."""
FIXED = 100
"""The number of seeds, starting with 0, that run each time. `.ci/run kills` runs 1,000 from a random start value."""

pytestmark = pytest.mark.posix("there is no fork")


def ran(*arguments: object, hash_seed: str = "0") -> list[dict[str, Any]]:
    """Run seeds, and return their outcomes."""
    done = subprocess.run(
        [sys.executable, str(FOLDER), *map(str, arguments), "--json"],
        capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": hash_seed}, timeout=170, check=False,
    )  # fmt: skip
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    assert outcomes, done.stderr
    return outcomes


@pytest.fixture(scope="module")
def outcomes() -> list[dict[str, Any]]:
    return ran(FIXED, "--seeds", *FOUND, "--most", 3)


@pytest.mark.hazard(398)
def test_no_seed_breaks_a_promise(outcomes: list[dict[str, Any]]) -> None:
    findings = [f"{each['trace']}\nseed {each['seed']}: {each['finding']}" for each in outcomes if each["finding"]]
    assert not findings, "\n\n".join(["", *findings, "to run one again: python tests/bulk/simulation --seeds SEED"])
    assert len(outcomes) == FIXED + len(FOUND)


def test_each_kind_of_fault_happens_in_the_fixed_seeds(outcomes: list[dict[str, Any]]) -> None:
    fired = Counter[str]()
    for each in outcomes[len(FOUND) :]:
        fired.update(each["fired"])
    assert {kind for kind in (*RATES, *ACTIONS) if not fired[kind]} == set()


@pytest.mark.hazard(399)
def test_a_seed_replays_exactly(outcomes: list[dict[str, Any]]) -> None:
    busiest = sorted(outcomes, key=lambda each: sum(each["fired"].values()))[-3:]
    again = ran("--seeds", *(each["seed"] for each in busiest), hash_seed="1")
    assert [each["digest"] for each in again] == [each["digest"] for each in busiest]


STATES = {
    "done with its effect": ("done", None, 1, 0, None),
    "done without an effect": ("done", None, 0, 0, "had no effect"),
    "done by another caller": ("done", "in_effect", 0, 0, "had no effect"),
    "rejected without an effect": ("rejected", None, 0, 0, None),
    "rejected with its effect": ("rejected", None, 1, 0, "had its effect"),
    "ready without an effect": ("ready", "not_applied", 0, 0, None),
    "ready with its effect": ("ready", "not_applied", 1, 0, "had its effect"),
    "ready while its request is on its way": ("ready", "not_applied", 0, 1, "still on its way"),
    "unknown with its effect": ("unknown", None, 1, 0, None),
    "sent while its request is on its way": ("sent", None, 0, 1, None),
}


@pytest.mark.parametrize("case", STATES)
def test_a_state_that_the_service_contradicts_is_a_finding(case: str, tmp_path: Path) -> None:
    state, verdict, effects, to_come, finding = STATES[case]
    world = World(0, tmp_path / "ledger.db", "refunds")
    world.service.made["order-0"] = [Resource({}, 0.0) for _ in range(effects)]
    world.service.to_come["order-0"] = to_come
    found = world.checks.problem_with("order-0", state, verdict)
    assert (found is None) if finding is None else (found is not None and finding in found)


def test_a_second_effect_and_an_exceeded_limit_are_findings(tmp_path: Path) -> None:
    twice = World(0, tmp_path / "ledger.db", "charges")
    twice.service.made["order-0"] = [Resource({}, 0.0), Resource({}, 1.0)]
    twice.checks.after_effect("order-0")
    assert twice.scheduler.finding == "order-0 took effect 2 times"
    over = World(0, tmp_path / "ledger.db", "charges")
    checks = Checks(over.place, over.service, {"order-0": Decimal(3)}, Decimal(2), False, over.scheduler)
    over.service.made["order-0"] = [Resource({}, 0.0)]
    checks.after_effect("order-0")
    assert over.scheduler.finding == "the effects add up to 3, and the limit is 2"
