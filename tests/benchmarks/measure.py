"""Measures a row in interleaved rounds, and compares the medians of its contenders with a reference in the same run."""

from __future__ import annotations

import contextlib
import gc
import statistics
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from typing import Literal

Metric = Literal["cpu", "wall"]


@dataclass(frozen=True, slots=True)
class Sample:
    """The seconds for one unit of work."""

    cpu: float
    wall: float


Measure = Callable[[int], Sample]
"""Performs the given number of units of work, and returns the cost of one unit."""

Contender = Callable[[], AbstractContextManager[Measure]]
"""Opens a client before the measured time, and closes it afterwards."""


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of work, and its contenders."""

    title: str
    unit: str
    metric: Metric
    reference: str
    contenders: Mapping[str, Contender]
    units: int
    rounds: int
    goals: Mapping[str, float] = field(default_factory=dict[str, float])
    """The highest ratio to the reference, or, with `absolute`, the highest number of seconds, by contender."""
    absolute: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """The median time of one contender in microseconds for each unit, and its comparison with reference and goal."""

    contender: str
    cpu_us: float | None = None
    wall_us: float | None = None
    ratio: float | None = None
    goal: float | None = None
    met: bool | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A measured row."""

    title: str
    unit: str
    metric: Metric
    reference: str
    absolute: bool
    results: list[Result]

    def as_json(self) -> dict[str, object]:
        """Return the row for the report file."""
        return asdict(self)


def clocked(work: Callable[[int], int]) -> Measure:
    """Measure work of this process, with all its threads. `work` returns the number of units that it performed."""

    def measure(units: int) -> Sample:
        gc.collect()
        cpu, wall = time.process_time(), time.perf_counter()
        done = work(units)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        if done != units:
            raise RuntimeError(f"{done} units were done, not {units}")
        return Sample(cpu / units, wall / units)

    return measure


def measure(row: Row) -> Outcome:
    """Measure a row. Each round measures every contender once, and starts with a different one."""
    samples: dict[str, list[Sample]] = {name: [] for name in row.contenders}
    errors: dict[str, str] = {}
    with contextlib.ExitStack() as stack:
        ready: dict[str, Measure] = {}
        for name, contender in row.contenders.items():
            try:
                ready[name] = stack.enter_context(contender())
                ready[name](max(1, row.units // 10) if row.unit == "call" else row.units)  # warm up
            except Exception as error:
                errors[name] = f"{type(error).__name__}: {error}"
        for turn in range(row.rounds):
            names = [name for name in ready if name not in errors]
            first = turn % max(1, len(names))
            for name in names[first:] + names[:first]:
                try:
                    samples[name].append(ready[name](row.units))
                except Exception as error:
                    errors[name] = f"{type(error).__name__}: {error}"
    return _outcome(row, samples, errors)


def _outcome(row: Row, samples: Mapping[str, list[Sample]], errors: Mapping[str, str]) -> Outcome:
    medians = {name: _median(found) for name, found in samples.items() if name not in errors}
    base = medians.get(row.reference)
    results: list[Result] = []
    for name in row.contenders:
        if name in errors:
            results.append(Result(name, error=errors[name]))
            continue
        cost = _metric(medians[name], row.metric)
        ratio = cost / _metric(base, row.metric) if base else None
        goal = row.goals.get(name)
        compared = cost if row.absolute else ratio
        met = None if goal is None or compared is None else compared <= goal
        results.append(Result(name, medians[name].cpu * 1e6, medians[name].wall * 1e6, ratio, goal, met))
    return Outcome(row.title, row.unit, row.metric, row.reference, row.absolute, results)


def _median(samples: list[Sample]) -> Sample:
    return Sample(statistics.median(one.cpu for one in samples), statistics.median(one.wall for one in samples))


def _metric(sample: Sample, metric: Metric) -> float:
    return sample.cpu if metric == "cpu" else sample.wall
