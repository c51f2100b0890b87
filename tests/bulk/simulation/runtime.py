"""The clock, threads, locks, and queues of a simulated process."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from types import TracebackType
from typing import Any, Generic, TypeVar

from subscribekit import BillingClient, GatewayClient
from subscribekit.bulk import Run
from subscribekit.bulk._sending.runtime import Runtime

from .scheduler import Group, Scheduler, Thread
from .world import World

T = TypeVar("T")


class Handle:
    """A started thread."""

    def __init__(self, scheduler: Scheduler, thread: Thread) -> None:
        self._scheduler, self._thread = scheduler, thread

    def is_alive(self) -> bool:
        return self._thread.is_alive

    def join(self, timeout: float | None = None) -> None:
        self._scheduler.wait(f"join {self._thread.name}", lambda: not self._thread.is_alive, timeout)


class Lock:
    """A lock that its own thread can't acquire twice."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._is_free = True

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        self._scheduler.switch("lock")
        if blocking and not self._is_free:
            self._scheduler.wait("lock", lambda: self._is_free, None if timeout < 0 else timeout)
        is_mine, self._is_free = self._is_free, False
        return is_mine

    def release(self) -> None:
        self._is_free = True

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None, /
    ) -> None:
        self.release()


class Queue(Generic[T]):
    """A queue like `queue.SimpleQueue`."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._values: deque[T] = deque()

    def put(self, item: T) -> None:
        self._values.append(item)
        self._scheduler.switch("put")

    def get(self, block: bool = True, timeout: float | None = None) -> T:
        if block and timeout != 0 and not self._values:
            self._scheduler.wait("get", lambda: bool(self._values), timeout)
        if not self._values:
            raise Empty
        return self._values.popleft()


class SimulatedRuntime:
    """Replaces the machine's clock and threads for a simulated process.

    Args:
        world: The world of the seed.
        group: The process.
    """

    def __init__(self, world: World, group: Group) -> None:
        self._world, self._scheduler, self._group = world, world.scheduler, group
        self.time_passes = True

    def running_time(self) -> float:
        return self._scheduler.now

    def wall_time(self) -> float:
        return self._world.wall().timestamp()

    def sleep(self, seconds: float) -> None:
        self._scheduler.sleep(seconds)

    def machine_clock(self) -> tuple[str, float]:
        return self._world.machine_clock()

    def uniform(self, low: float, high: float) -> float:
        return self._world.random.uniform(low, high)

    def new_id(self) -> int:
        return self._world.random.getrandbits(63)

    def start(self, work: Callable[[], object], name: str) -> Handle:
        return Handle(self._scheduler, self._scheduler.start(self._group, work, name))

    def lock(self) -> Lock:
        return Lock(self._scheduler)

    def queue(self) -> Queue[T]:
        return Queue(self._scheduler)


class SimulatedRun(Run):
    """A run of a simulated process.

    Args:
        runtime: The clock and the threads of the process.
        place: The path of the ledger.
        client: The client that sends.
        options: The other arguments of the run.
    """

    def __init__(
        self, runtime: SimulatedRuntime, place: Path, client: BillingClient | GatewayClient, **options: Any
    ) -> None:
        self._simulated = runtime
        super().__init__(place, client, **options)

    def _make_runtime(self) -> Runtime:
        return self._simulated
