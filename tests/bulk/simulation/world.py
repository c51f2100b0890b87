"""One seed: a service, a ledger, and processes that work on it until every item has ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random

from subscribekit._core.config.clock import Clock

from .checks import Checks
from .disk import Disk
from .faults import Faults
from .scheduler import Group, Scheduler
from .service import Network, Resource, Service

_WALL = datetime(2027, 1, 1, tzinfo=UTC)
KINDS = ("transactions", "refunds", "charges")
_STEPS = (0.5, 3.0, 20.0, 4000.0)
"""Seconds by which the wall clock steps. The last one needs leases with another clock, or they would last that long."""
_IDLE = 0.9
"""The share of switch points at which no fault affects a process that is just starting."""
MOST_PROCESSES = 5


@dataclass(frozen=True)
class Setting:
    """The values that a seed draws before the simulation starts.

    Attributes:
        kind: The operation: `transactions`, `refunds`, or `charges`.
        amounts: The amount of each item, by its key.
        processes: The number of processes that work from the start.
        workers: The number of workers of each process.
        lease: The length of a lease in seconds.
        limit: The amount limit, if there is one.
        rate: Items per second, if there is a rate limit.
        has_boot_clock: Whether the machine has a clock that can't be set and that all processes share.
        has_earlier: Whether other callers made equal resources before.
    """

    kind: str
    amounts: dict[str, Decimal]
    processes: int
    workers: int
    lease: float
    limit: Decimal | None
    rate: int | None
    has_boot_clock: bool
    has_earlier: bool

    @classmethod
    def drawn(cls, random: Random, kind: str | None) -> Setting:
        """Draw a setting, of a given kind if `kind` is set."""
        amounts = {f"order-{each}": Decimal(random.randint(1, 4)) for each in range(random.randint(4, 6))}
        total = sum(amounts.values())
        return cls(
            kind=kind or random.choice(("transactions", *KINDS)),
            amounts=amounts,
            processes=random.choice((2, 2, 2, 3)),
            workers=random.choice((2, 2, 3)),
            lease=random.choice((1.0, 2.0)),
            limit=Decimal(random.randint(1, int(total))) if random.random() < 0.35 else None,
            rate=random.choice((5, 50)) if random.random() < 0.15 else None,
            has_boot_clock=random.random() < 0.8,
            has_earlier=random.random() < 0.2,
        )


class World:
    """The simulated world, in which the seed decides everything.

    Args:
        seed: Decides everything.
        place: The path of the ledger.
        kind: The operation. If it's `None`, the seed decides it.
    """

    def __init__(self, seed: int, place: Path, kind: str | None = None) -> None:
        self.random = Random(seed)
        self.place = place
        self.setting = Setting.drawn(self.random, kind)
        self.scheduler = Scheduler(
            self.random, self.random.choice((0.0, 0.0005, 0.005)), self.random.choice((0.1, 0.4, 0.8))
        )
        self.faults = Faults(self.random, self.scheduler)
        self.service = Service(
            self.scheduler, self.faults, self.random.choice((0.0, 0.4, -0.4, 20.0, -20.0)),
            self.random.choice((0, 3)), self.random.choice((0.05, 0.3, 1.0)), self._after_effect,
        )  # fmt: skip
        setting = self.setting
        self.checks = Checks(
            place, self.service, setting.amounts, setting.limit, setting.kind == "transactions", self.scheduler
        )
        self.disk = Disk(self.scheduler, self.faults, lambda: self.scheduler.me.group, self.kill, self._after_commit)
        self.scheduler.interfere = self._interfere
        self._wall_offset = 0.0
        self.spawn: Callable[[], None] = lambda: None
        self.processes: list[Group] = []
        self.to_start = 0
        if setting.has_earlier:
            self._make_earlier()

    def _make_earlier(self) -> None:
        """Let other callers create equal resources before the runs begin."""
        for key, amount in self.setting.amounts.items():
            if self.random.random() < 0.5:
                made_at = self.scheduler.now - self.random.uniform(5.0, 60.0)
                body = {**self.body_of(key), "amount": str(amount)}
                self.service.made[key] = [Resource(body, made_at, is_ours=False)]

    def body_of(self, key: str) -> dict[str, object]:
        """Return the fields of an item's request that its resource shows, without the amount."""
        kinds = {"transactions": {"object": "Transaction", "id": key}, "refunds": {"object": "Refund"}}
        return {**kinds.get(self.setting.kind, {}), "currency": "USD"}

    # Clocks

    def wall(self) -> datetime:
        """Return the time of day of the machine's clock, which can step."""
        return _WALL + timedelta(seconds=self.scheduler.now + self._wall_offset)

    def machine_clock(self) -> tuple[str, float]:
        """Return the clock that all processes share. A machine without a boot clock has only the time of day."""
        return self._uptime() or ("time of day", self.wall().timestamp())

    def _uptime(self) -> tuple[str, float] | None:
        return ("simulated", self.scheduler.now) if self.setting.has_boot_clock else None

    def network(self, process: str) -> Network:
        """Return the transport of a process's client, with its own clock."""
        started = self.random.uniform(0.0, self.scheduler.now)
        clock = Clock(
            monotonic=lambda: self.scheduler.now - started,
            now=self.wall,
            sleep=self.scheduler.sleep,
            uniform=self.random.uniform,
            uptime=self._uptime,
            process=process,
        )
        return Network(self.scheduler, self.service, self.faults, clock)

    # Faults that can happen at any switch point

    def _interfere(self, place: str) -> None:
        me, faults = self.scheduler.me, self.faults
        if me.group not in self.processes or (not me.group.is_busy and self.random.random() < _IDLE):
            return
        if faults.strike("killed"):
            self.kill(me.group)
            return
        if faults.strike("process is paused"):
            me.group.paused_until = self.scheduler.now + self._pause()
        if faults.strike("thread is paused"):
            me.paused_until = self.scheduler.now + self._pause()
        if faults.strike("clock steps forward"):
            self._wall_offset += self._step()
        if faults.strike("clock steps backward"):
            self._wall_offset -= self._step()

    def _step(self) -> float:
        return self.random.choice(_STEPS if self.setting.has_boot_clock else _STEPS[:-1])

    def _pause(self) -> float:
        return self.setting.lease * self.random.uniform(0.1, 2.5)

    def kill(self, group: Group) -> None:
        """Kill a process, and perhaps start another one later."""
        self.scheduler.kill(group)
        if len(self.processes) + self.to_start < MOST_PROCESSES and self.random.random() < 0.7:
            self.to_start += 1
            self.scheduler.at(self.scheduler.now + self.random.uniform(0.0, 2 * self.setting.lease), self._start_one)

    def _start_one(self) -> None:
        self.to_start -= 1
        self.spawn()

    # Checks

    def begin(self) -> None:
        """Start the processes, one after the other."""
        for number in range(self.setting.processes):
            self.to_start += 1
            self.scheduler.at(self.scheduler.now + number * self.random.choice((0.0, 0.1, 0.5)), self._start_one)

    def _after_effect(self, key: str) -> None:
        self.checks.after_effect(key)

    def _after_commit(self) -> None:
        self.checks.after_commit()
