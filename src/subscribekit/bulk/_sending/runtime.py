"""The clock, threads, locks, and random numbers of a run, which a simulation can replace."""

import _thread
import random
import secrets
import sys
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Protocol, TypeVar

from ..._core.config.clock import SYSTEM, Clock, machine_clock

T = TypeVar("T")

_BOOT_CLOCK = getattr(time, "CLOCK_BOOTTIME", None)
_CHECK_THREAD = 1.0
"""Seconds between two checks of whether a thread has ended without a message."""


class Lock(Protocol):
    """A lock that isn't reentrant, like `threading.Lock`."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Acquire the lock. Return `False` if the lock doesn't become free within `timeout` seconds."""
        ...

    def release(self) -> None:
        """Release the lock."""
        ...

    def __enter__(self) -> bool: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None, /
    ) -> None: ...


class Queue(Protocol[T]):
    """An unbounded queue, like `queue.SimpleQueue`."""

    def put(self, item: T) -> None:
        """Add an item without waiting."""
        ...

    def get(self, block: bool = True, timeout: float | None = None) -> T:
        """Remove and return the first item.

        Raises:
            queue.Empty: No item arrived within `timeout` seconds.
        """
        ...


class Thread(Protocol):
    """A started thread."""

    def is_alive(self) -> bool:
        """Return whether the thread still runs. The result is never `False` while the thread runs."""
        ...

    def join(self, timeout: float | None = None) -> None:
        """Wait until the thread has ended, for up to `timeout` seconds."""
        ...


class Runtime(Protocol):
    """Everything that can make two equal runs differ: time, random numbers, and the order in which threads run.

    Attributes:
        time_passes: Whether the clock of the run advances by itself. On the sandbox's clock, time doesn't pass by
            itself, so each wait calls the `sleep` method of the client's clock.
    """

    time_passes: bool

    def running_time(self) -> float:
        """Return the seconds since the machine started, on a clock that can't be set and doesn't stop during sleep."""
        ...

    def wall_time(self) -> float:
        """Return the current time of the client's clock, in seconds since 1970."""
        ...

    def machine_clock(self) -> tuple[str, float]:
        """Return the ID and the seconds of the clock that all processes of this machine share."""
        ...

    def sleep(self, seconds: float) -> None:
        """Sleep for this number of seconds."""
        ...

    def uniform(self, low: float, high: float) -> float:
        """Return a random number in a range, to spread attempts over time."""
        ...

    def new_id(self) -> int:
        """Return a random 63-bit number that no other process has."""
        ...

    def start(self, work: Callable[[], object], name: str) -> Thread:
        """Start a thread that doesn't keep the process alive.

        Raises:
            RuntimeError: The system can't start another thread.
        """
        ...

    def lock(self) -> Lock:
        """Return a new lock."""
        ...

    def queue(self) -> "Queue[T]":
        """Return a new queue."""
        ...


class SystemRuntime(Runtime):
    """The runtime of a real process.

    Args:
        clock: The client's clock.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.time_passes: bool = clock is SYSTEM

    def running_time(self) -> float:
        """Return the seconds since the machine started, on a clock that can't be set and doesn't stop during sleep."""
        return SYSTEM.monotonic() if _BOOT_CLOCK is None else time.clock_gettime(_BOOT_CLOCK)

    def wall_time(self) -> float:
        """Return the current time of the client's clock, in seconds since 1970."""
        return self._clock.now().timestamp()

    def machine_clock(self) -> tuple[str, float]:
        """Return the ID and the seconds of the boot clock, or of the time of day if the machine has no boot ID."""
        return machine_clock()

    def sleep(self, seconds: float) -> None:
        """Sleep for this number of seconds."""
        time.sleep(seconds)

    def uniform(self, low: float, high: float) -> float:
        """Return a random number in a range, to spread attempts over time."""
        return random.uniform(low, high)  # noqa: S311  only spreads attempts over time

    def new_id(self) -> int:
        """Return a random 63-bit number that no other process has."""
        return secrets.randbits(63)

    def start(self, work: Callable[[], object], name: str) -> "SystemThread":
        """Start a daemon thread.

        Raises:
            RuntimeError: The system can't start another thread.
        """
        return SystemThread(work, name)

    def lock(self) -> Lock:
        """Return a new `threading.Lock`."""
        return threading.Lock()

    def queue(self) -> "Queue[T]":
        """Return a new `queue.SimpleQueue`."""
        return SimpleQueue[T]()


class SystemThread:
    """A daemon thread that the main thread can start and join, even if a signal handler raises an exception.

    If a signal handler raises an exception inside `threading.Thread.start` or `join`, the thread may never run its
    work, or may seem to have ended while it runs. Therefore, a helper thread calls `start`, and the started thread
    reports the end of its work through a queue.

    Args:
        work: The function that the thread runs.
        name: The name of the thread.

    Raises:
        RuntimeError: The system can't start another thread.
    """

    def __init__(self, work: Callable[[], object], name: str) -> None:
        self._work = work
        self._is_over = False
        self._ended: SimpleQueue[None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        started: SimpleQueue[Exception | None] = SimpleQueue()
        _thread.start_new_thread(self._start, (started,))
        failure = started.get()
        if failure is not None:
            raise failure

    def _start(self, started: "SimpleQueue[Exception | None]") -> None:
        try:
            self._thread.start()
        except Exception as error:  # noqa: BLE001  raised to the caller of the constructor
            started.put(error)
        else:
            started.put(None)

    def _run(self) -> None:
        try:
            self._work()
        finally:
            self._is_over = True
            self._ended.put(None)

    def is_alive(self) -> bool:
        """Return whether the thread still runs. The result is never `False` while the thread runs."""
        # While the interpreter exits, a daemon thread can stop at any point, so callers must not wait for the thread.
        return not (self._is_over or sys.is_finalizing()) and self._thread in threading.enumerate()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the thread has ended, for up to `timeout` seconds."""
        deadline = None if timeout is None else SYSTEM.monotonic() + timeout
        while self.is_alive():
            left = _CHECK_THREAD if deadline is None else min(_CHECK_THREAD, deadline - SYSTEM.monotonic())
            if left <= 0:
                return
            try:
                self._ended.get(timeout=left)
            except Empty:
                continue
            self._ended.put(None)  # put the value back, so that the next waiting caller wakes up


SYSTEM_RUNTIME = SystemRuntime(SYSTEM)
