"""The clock, the threads, the locks, and the random numbers of a run; a simulation replaces all of them at once."""

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
"""Seconds after which a waiter checks whether a thread that sent no signal of its end is alive."""


class Lock(Protocol):
    """A plain lock, as `threading.Lock`: its own thread can't take it again."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock; return `False` if it isn't free in `timeout` seconds."""
        ...

    def release(self) -> None:
        """Release the lock."""
        ...

    def __enter__(self) -> bool: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None, /
    ) -> None: ...


class Queue(Protocol[T]):
    """A queue without a limit, as `queue.SimpleQueue`."""

    def put(self, item: T) -> None:
        """Add an item; never waits."""
        ...

    def get(self, block: bool = True, timeout: float | None = None) -> T:
        """Remove and return the first item.

        Raises:
            queue.Empty: None came in `timeout` seconds.
        """
        ...


class Thread(Protocol):
    """A thread that was started."""

    def is_alive(self) -> bool:
        """Return whether the thread still runs; never `False` while it does."""
        ...

    def join(self, timeout: float | None = None) -> None:
        """Wait until the thread has ended, for at most `timeout` seconds."""
        ...


class Runtime(Protocol):
    """Everything by which two equal runs differ: time, chance, and the order in which threads run.

    Attributes:
        time_passes: Whether time passes by itself. If not (the sandbox's clock), pauses call the `sleep` of the
            client's clock.
    """

    time_passes: bool

    def running_time(self) -> float:
        """Return the seconds since the machine started, on a clock that can't be set and that counts sleep."""
        ...

    def wall_time(self) -> float:
        """Return the time of day in seconds since 1970, by the client's clock."""
        ...

    def machine_clock(self) -> tuple[str, float]:
        """Return the clock that all processes of this machine share: an ID of its origin, and its seconds."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...

    def uniform(self, low: float, high: float) -> float:
        """Return a random number between two others, to spread attempts."""
        ...

    def new_id(self) -> int:
        """Return a random number of 63 bits that no other process has."""
        ...

    def start(self, work: Callable[[], object], name: str) -> Thread:
        """Start a thread that doesn't keep the process alive.

        Raises:
            RuntimeError: The system has no more threads.
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
        """Return the seconds since the machine started, on a clock that can't be set and that counts sleep."""
        return SYSTEM.monotonic() if _BOOT_CLOCK is None else time.clock_gettime(_BOOT_CLOCK)

    def wall_time(self) -> float:
        """Return the time of day in seconds since 1970, by the client's clock."""
        return self._clock.now().timestamp()

    def machine_clock(self) -> tuple[str, float]:
        """Return the ID of this start of the machine and `running_time`; without an ID, the time of day."""
        return machine_clock()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)

    def uniform(self, low: float, high: float) -> float:
        """Return a random number between two others, to spread attempts."""
        return random.uniform(low, high)  # noqa: S311  spreads attempts, protects nothing

    def new_id(self) -> int:
        """Return a random number of 63 bits that no other process has."""
        return secrets.randbits(63)

    def start(self, work: Callable[[], object], name: str) -> "SystemThread":
        """Start a daemon thread.

        Raises:
            RuntimeError: The system has no more threads.
        """
        return SystemThread(work, name)

    def lock(self) -> Lock:
        """Return a new `threading.Lock`."""
        return threading.Lock()

    def queue(self) -> "Queue[T]":
        """Return a new `queue.SimpleQueue`."""
        return SimpleQueue[T]()


class SystemThread:
    """A daemon thread that the main thread can start and wait for while signal handlers raise exceptions.

    `threading.Thread.start` and `join` run Python code around their locks. An exception of a signal handler in there
    leaves a thread that never runs its work, or one that counts as ended while it runs. So another thread calls
    `start`, and the end of the work is an item in a queue.

    Args:
        work: Runs in the thread.
        name: Of the thread.

    Raises:
        RuntimeError: The system has no more threads.
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
        """Return whether the thread still runs; never `False` while it does."""
        # When the interpreter ends, daemon threads stop anywhere, and nobody may wait for them.
        return not (self._is_over or sys.is_finalizing()) and self._thread in threading.enumerate()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the thread has ended, for at most `timeout` seconds."""
        end = None if timeout is None else SYSTEM.monotonic() + timeout
        while self.is_alive():
            left = _CHECK_THREAD if end is None else min(_CHECK_THREAD, end - SYSTEM.monotonic())
            if left <= 0:
                return
            try:
                self._ended.get(timeout=left)
            except Empty:
                continue
            self._ended.put(None)  # for others that wait


SYSTEM_RUNTIME = SystemRuntime(SYSTEM)
