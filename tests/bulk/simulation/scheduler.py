"""Real threads, of which only one runs at a time, on a clock that jumps forward when all of them wait.

A thread runs only while it has the turn. At each switch point, it passes the turn to a thread that the random generator
selects. So the seed of the generator decides the order of all events.
"""

from __future__ import annotations

import _thread
import faulthandler
import heapq
import itertools
import sys
import threading
from collections.abc import Callable, Iterable
from random import Random

BEGINNING = 50_000.0
"""The time of the machine's clock at the start of a simulation."""
_MOST_SWITCHES = 50_000
_LONGEST = 1000.0
"""Simulated seconds after which a simulation counts as endless. All leases end much earlier."""
_STUCK_AFTER = 60.0
"""Real seconds after which a thread with the turn counts as blocked outside the scheduler."""


class Group:
    """The threads of a process, which stop and die together.

    Attributes:
        is_busy: Whether the process sends or resolves, and isn't just starting.
        at_death: Called when the process is killed.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_busy = False
        self.is_alive = True
        self.paused_until = 0.0
        self.at_death: list[Callable[[], None]] = []
        self.numbers = itertools.count(1)


class Thread:
    """A real thread that runs only while it has the turn."""

    def __init__(self, group: Group, name: str) -> None:
        self.group, self.name = group, f"{group.name}/{name}"
        self.turn = threading.Lock()
        self.turn.acquire()
        self.is_over = False
        self.paused_until = 0.0
        self.place = "start"
        self.is_ready: Callable[[], bool] | None = None
        self.until: float | None = None

    @property
    def is_alive(self) -> bool:
        return self.group.is_alive and not self.is_over

    def resumes_at(self, now: float) -> float | None:
        """Return the time from which the thread can run, or `None` if only another thread can wake it."""
        earliest = max(now, self.paused_until, self.group.paused_until)
        if self.is_ready is None or self.is_ready():
            return earliest
        return None if self.until is None else max(earliest, self.until)


class Scheduler:
    """Passes the turn between threads.

    Args:
        random: The random generator, which decides every switch.
        tick: Maximum number of simulated seconds between two switch points.
        loyalty: The probability that a thread keeps the turn at a switch point.
    """

    def __init__(self, random: Random, tick: float, loyalty: float) -> None:
        self.random, self._tick, self._loyalty = random, tick, loyalty
        self.now = BEGINNING
        self.trace: list[tuple[float, str, str]] = []
        self.finding: str | None = None
        self.interfere: Callable[[str], None] = lambda place: None
        self.current: Thread | None = None
        self._threads: list[Thread] = []
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self.switches = 0
        self._end = threading.Event()

    # Methods that the threads call

    @property
    def me(self) -> Thread:
        """The thread that has the turn."""
        assert self.current is not None
        return self.current

    def note(self, text: str) -> None:
        """Add a line to the trace. The trace ends with the finding."""
        if self.finding is None:
            self.trace.append((self.now, "" if self.current is None else self.current.name, text))

    def switch(self, place: str) -> None:
        """Pass the turn to another thread if the random generator decides so. Faults may happen here."""
        me = self.me
        me.place = place
        self.now += self.random.random() * self._tick
        if me.is_alive:
            self.interfere(place)
        if me.is_alive and not self._is_paused(me) and self.random.random() < self._loyalty:
            return
        self._pass_on()

    def wait(self, place: str, is_ready: Callable[[], bool], seconds: float | None = None) -> bool:
        """Wait for a condition or for some simulated seconds, and return whether the condition is true."""
        me = self.me
        me.place, me.is_ready = place, is_ready
        me.until = None if seconds is None else self.now + max(0.0, seconds)
        self.interfere(place)
        self._pass_on()
        me.is_ready = me.until = None
        return is_ready()

    def sleep(self, seconds: float) -> None:
        """Wait for some simulated seconds."""
        self.wait("sleep", lambda: False, seconds)

    def start(self, group: Group, work: Callable[[], object], name: str) -> Thread:
        """Start a thread, which runs when it gets the turn."""
        thread = Thread(group, f"{name}-{next(group.numbers)}")
        self._threads.append(thread)
        _thread.start_new_thread(self._run, (thread, work))  # `threading.Thread.start` would switch threads
        return thread

    def at(self, time: float, event: Callable[[], None]) -> None:
        """Call a function at a simulated time, in the thread that has the turn then."""
        heapq.heappush(self._events, (time, next(self._numbers), event))

    def kill(self, group: Group) -> None:
        """Stop all threads of a group forever."""
        group.is_alive = False
        for each in list(group.at_death):
            each()

    def are_over(self, groups: Iterable[Group]) -> bool:
        """Whether all threads of these groups have ended or were killed."""
        return not any(each.is_alive and each.group in groups for each in self._threads)

    def fail(self, text: str) -> None:
        """Keep the first finding, and end the simulation at the next switch point."""
        if self.finding is None:
            self.note(f"FINDING: {text}")
            self.finding = text
            self._end.set()

    # The controller

    def run(self, first: Callable[[], object]) -> None:
        """Run until all threads have ended, or until there is a finding."""
        first()
        self.current = self._choose()
        self.current.turn.release()
        if not self._end.wait(_STUCK_AFTER):
            faulthandler.dump_traceback(sys.stderr)
            self.fail(f"{self.me.name} blocks outside the scheduler, after {self.me.place}")

    # Passing the turn

    def _run(self, thread: Thread, work: Callable[[], object]) -> None:
        thread.turn.acquire()
        try:
            work()
        except BaseException as error:
            self.fail(f"{thread.name} ended with {type(error).__name__}: {error}")
        thread.is_over = True
        if self.finding is None and any(each.is_alive for each in self._threads):
            following = self._choose()
            if self.finding is None:
                self.current = following
                following.turn.release()
                return
        self._end.set()

    def _pass_on(self) -> None:
        me = self.me
        self.switches += 1
        if self.switches > _MOST_SWITCHES or self.now > BEGINNING + _LONGEST:
            self.fail("the simulation does not end")
        following = self._choose()
        if self.finding is not None:
            me.turn.acquire()  # blocks forever, until the controller ends the process
        if following is not me:
            self.current = following
            following.turn.release()
            me.turn.acquire()

    def _is_paused(self, thread: Thread) -> bool:
        return max(thread.paused_until, thread.group.paused_until) > self.now

    def _choose(self) -> Thread:
        """Advance the clock to the first time at which a thread can run, and return the next thread."""
        while True:
            while self._events and self._events[0][0] <= self.now and self.finding is None:
                heapq.heappop(self._events)[2]()
            self._threads = [each for each in self._threads if each.is_alive]
            now, ready, later = self.now, list[Thread](), list[float]()
            for each in self._threads:
                time = each.resumes_at(now)
                if time is not None:
                    later.append(time)
                    if time <= now:
                        ready.append(each)
            if self.finding is not None:
                return self.me
            if ready:
                return ready[0] if len(ready) == 1 else self.random.choice(ready)
            later += [self._events[0][0]] if self._events else []
            if not later:
                waiting = ", ".join(f"{each.name} at {each.place}" for each in self._threads)
                self.fail(f"all threads wait forever: {waiting}")
                return self.me
            self.now = min(later)
