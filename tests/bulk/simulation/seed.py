"""Runs seeds in forked processes, and returns what happened."""

from __future__ import annotations

import _thread
import gc
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Self
from unittest import mock

from .process import Process
from .scheduler import BEGINNING, Group
from .world import KINDS, World

MEMORY = Path("/dev/shm")
_DRAIN = 5.0
_TOGETHER = 10
_STACK = 1 << 20
"""The size of a thread's stack in bytes. The system reuses small stacks for the next threads."""


@dataclass
class Outcome:
    """The outcome of one seed.

    Attributes:
        seed: The seed.
        finding: The broken promise, or `None` if all promises held.
        fired: How often each kind of fault happened.
        digest: A digest of the trace, the number of switches, and the random numbers that were drawn.
        cpu: Processor seconds.
        trace: The trace if there is a finding or if the trace was requested.
    """

    seed: int
    finding: str | None
    fired: dict[str, int]
    digest: str
    cpu: float
    trace: str


class Simulation:
    """Runs one seed in this process, which must end at some point, because the threads of killed processes stay.

    Args:
        seed: Decides everything.
        place: The path of the ledger.
        kind: The operation. If it's `None`, the seed decides it.
    """

    def __init__(self, seed: int, place: Path, kind: str | None = None) -> None:
        self._seed, self._began = seed, time.process_time()
        self.world = World(seed, place, kind)
        self._scheduler = self.world.scheduler
        self.world.spawn = self._spawn

    def make_ledger(self) -> None:
        """Create an empty ledger."""
        with self.world.disk.used():
            group = Group("first")
            self._scheduler.run(lambda: self._scheduler.start(group, lambda: Process(self.world, group).make(), "main"))
        self.world.checks.close()

    def run(self, *, is_quiet: bool = False, keeps_trace: bool = False) -> Outcome:
        """Run the seed to its end.

        Args:
            is_quiet: Whether there is only one process, without faults.
            keeps_trace: Whether to return the trace even if there is no finding.
        """
        world = self.world
        if not is_quiet:
            world.begin()
        world.faults.are_over = is_quiet
        with world.disk.used():
            self._scheduler.run(lambda: self._scheduler.start(Group("world"), self._look_after, "janitor"))
        trace = "\n".join(f"{at - BEGINNING:10.4f} {name:<24} {text}" for at, name, text in self._scheduler.trace)
        finding = self._scheduler.finding
        whole = f"{trace} {self._scheduler.switches} {world.random.getstate()}"
        return Outcome(
            self._seed, finding, dict(world.faults.fired), hashlib.sha256(whole.encode()).hexdigest(),
            time.process_time() - self._began, self._head() + trace if finding or keeps_trace else "",
        )  # fmt: skip

    def _head(self) -> str:
        rates = ", ".join(f"{kind} {rate:.3f}" for kind, rate in self.world.faults.rates.items())
        return f"seed {self._seed}: {self.world.setting}\nfaults: {rates}\n"

    def _spawn(self) -> None:
        group = Group(f"p{len(self.world.processes) + 1}")
        self.world.processes.append(group)
        self._scheduler.start(group, lambda: Process(self.world, group).work(), "main")

    def _look_after(self) -> None:
        """Wait for all processes, let a last process without faults end every item, and check the result."""
        world = self.world
        self._scheduler.wait("processes", lambda: not world.to_start and self._scheduler.are_over(world.processes))
        world.faults.are_over = True
        self._scheduler.sleep(_DRAIN)
        group = Group("last")
        self._scheduler.start(group, lambda: Process(world, group, is_last=True).work(), "main")
        self._scheduler.wait("the last process", lambda: self._scheduler.are_over([group]))
        world.checks.at_the_end()


class Nursery:
    """Forks processes that run seeds. They inherit all imports and an empty ledger of each kind."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="simulation-", dir=MEMORY if MEMORY.is_dir() else None))
        self._ledgers: dict[str, Path] = {}

    def __enter__(self) -> Self:
        # Without a cache, each process that opens a ledger spends 5 ms on the same digest of its credential.
        self._digests = mock.patch.object(hashlib, "pbkdf2_hmac", cache(hashlib.pbkdf2_hmac))
        self._digests.start()
        self._ledgers = {kind: self._new_ledger(kind) for kind in KINDS}
        _thread.stack_size(_STACK)
        gc.collect()
        gc.freeze()
        return self

    def __exit__(self, *_: object) -> None:
        gc.unfreeze()
        self._digests.stop()
        shutil.rmtree(self._folder)

    def _new_ledger(self, kind: str) -> Path:
        """Create an empty ledger. Also send some items from a copy of it, so that everything is imported."""
        place, other = self._folder / f"{kind}.db", self._folder / f"other-{kind}.db"
        simulation = Simulation(0, place, kind)
        simulation.world.faults.are_over = True
        simulation.make_ledger()
        shutil.copyfile(place, other)
        outcome = Simulation(0, other, kind).run(is_quiet=True)
        if outcome.finding:
            raise RuntimeError(f"without faults: {outcome.finding}\n{outcome.trace}")
        return place

    def run(self, seeds: Sequence[int], *, keeps_traces: bool = False) -> Iterator[Outcome]:
        """Run seeds, ten in each process, because a fork takes as long as a quarter of a seed.

        Args:
            seeds: The seeds.
            keeps_traces: Whether to return the traces of all seeds, and not only of those with a finding.

        Raises:
            RuntimeError: A process ended without an outcome.
        """
        left = deque(seeds)
        while left:
            number = 0
            for outcome in self._run_some([*left][:_TOGETHER], keeps_traces=keeps_traces):
                number += 1
                left.popleft()
                yield outcome
            if not number:
                raise RuntimeError(f"seed {left[0]} ended without an outcome")

    def _run_some(self, seeds: Sequence[int], *, keeps_traces: bool) -> Iterator[Outcome]:
        reading, writing = os.pipe()
        number = os.fork()
        if not number:
            os.close(reading)
            self._in_child(seeds, writing, keeps_traces=keeps_traces)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            for line in pipe:
                yield Outcome(**json.loads(line))
        os.waitpid(number, 0)

    def _in_child(self, seeds: Sequence[int], writing: int, *, keeps_traces: bool) -> None:
        try:
            gc.disable()
            with os.fdopen(writing, "w") as pipe:
                for seed in seeds:
                    outcome = self._run_one(seed, keeps_trace=keeps_traces)
                    print(json.dumps(asdict(outcome)), file=pipe, flush=True)
                    if outcome.finding:  # its threads were stopped anywhere
                        break
        except BaseException:
            sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
        finally:
            os._exit(0)

    def _run_one(self, seed: int, *, keeps_trace: bool) -> Outcome:
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        simulation = Simulation(seed, folder / "ledger.db")
        shutil.copyfile(self._ledgers[simulation.world.setting.kind], simulation.world.place)
        outcome = simulation.run(keeps_trace=keeps_trace)
        shutil.rmtree(folder)
        return outcome
