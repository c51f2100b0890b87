"""One call of `send`: how many items it has claimed, when it stops, and why."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from ..._articles import with_article
from ..._core.calls.settings import Settings
from ...errors import (
    AuthenticationError,
    BulkError,
    ClientClosedError,
    ConfigurationError,
    InvalidArgumentError,
    PermissionDeniedError,
    RateLimitError,
    SubscribekitError,
)
from .._ledger.entries import Ended, Entry
from .._values import StopPolicy
from .background import GoneError, receive
from .claims import Worker
from .runtime import Queue, Runtime

Put: TypeAlias = Callable[[Entry | None, Ended | None], None]
"""Passes an item to the reader of `send`; `None` if nothing more comes."""

_LONGEST_BACKOFF = 60.0
_OUTAGE = 3
"""So many items in a row that could not be sent mean that the service cannot be reached."""


class Dispatcher(Protocol):
    """The engine, as a session knows it."""

    def wake(self) -> None:
        """Look again: something may have changed."""
        ...

    def is_alive(self) -> bool:
        """Whether its thread handles messages."""
        ...

    def stop(self, session: "Session") -> None:
        """Claim nothing more for the workers of a session."""
        ...

    def hold(self, seconds: float) -> None:
        """Let the workers of this process wait."""
        ...

    def slow_down(self, seconds: float | None) -> None:
        """Let all workers wait, those of other processes too."""
        ...


def outcome_of_gone(*, was_sent: bool) -> Ended:
    """Return the outcome of an item whose task was cancelled, or whose thread has ended."""
    if not was_sent:
        return Ended("ready", counts=False)
    unknown = SubscribekitError("the task that sent it was cancelled", outcome="unknown")
    return Ended("unknown", 1, error=unknown)


class Session:
    """Counts the items that end in one call of `send`, and decides when to stop.

    Args:
        stop: The stop rules.
        workers: How many workers send.
        settings: Those of the client.
        runtime: Of the run.
        max_attempts: How often an item is tried that could not be sent.
        put: Takes an item that has ended, or `None` when nothing more comes, in the thread of the engine.
    """

    def __init__(
        self, stop: StopPolicy, workers: int, settings: Settings, runtime: Runtime, max_attempts: int, put: Put
    ) -> None:
        self._put = put
        self._stop, self._settings, self._runtime, self._max_attempts = stop, settings, runtime, max_attempts
        self._room = max(4 * workers, 64)
        self._waiting = 0
        self._taken = 0
        self._unsent_in_a_row = 0
        self._numbers = {"rejected": 0, "unknown": 0}
        self._reasons: list[str] = []
        self._failures: list[BaseException] = []
        self._begun: list[Worker] = []
        self._left: list[Worker] = []
        self._has_ended = False
        self.workers: Sequence[Worker] = ()
        self.is_over = False
        self.release: Callable[[], None] = lambda: None
        self.engine: Dispatcher | None = None
        # The handler of a signal stops the session without this lock, which its thread may hold (H143).
        self._lock = runtime.lock()
        self._changes: Queue[None] = runtime.queue()

    @property
    def stopped(self) -> str | None:
        """The first reason to claim nothing more."""
        return self._reasons[0] if self._reasons else None

    @property
    def failure(self) -> BaseException | None:
        """The first error, which the reader gets."""
        return self._failures[0] if self._failures else None

    # Questions of the engine

    def may_take(self) -> int:
        """Give how many further items may be taken: not more than are read, nor than a canary allows."""
        with self._lock:
            room = self._room - self._waiting
            return max(0, room if self._stop.max_items is None else min(room, self._stop.max_items - self._taken))

    def took(self, number: int) -> None:
        """Note items that workers have."""
        with self._lock:
            self._taken += number

    def tell(self, entry: Entry, ended: Ended | None, kept: Entry | None = None) -> None:
        """Hand an item to the reader if it has ended, or isn't retried in this run.

        Args:
            entry: The item as it was claimed.
            ended: Its outcome; `None` for an item of a dead process.
            kept: The item as the ledger has it, if the outcome wasn't written. Another process may have sent the item
                again, so a rejection of this request isn't the outcome of the item (H454).
        """
        if kept is not None and ended is not None and ended.state != "done":
            if kept.state in ("ready", "sent"):
                return
            entry, ended = kept, None
        if ended is not None and ended.state == "ready" and ended.backoff is not None:
            return
        with self._lock:
            self._waiting += 1
        self._put(entry, ended)

    def read(self) -> None:
        """Note that an item was read."""
        with self._lock:
            self._waiting -= 1
            was_full = self._waiting == self._room - 1
        if was_full and self.engine is not None:
            self.engine.wake()

    def began(self, worker: Worker) -> None:
        """Note that a worker is at work."""
        self._begun.append(worker)

    def left(self, worker: Worker) -> None:
        """Note that a worker has ended."""
        if worker in self.workers and worker not in self._left:
            self._left.append(worker)
            self._changes.put(None)

    def lost(self, worker: Worker) -> None:
        """Stop because a worker has ended without a message."""
        if worker in self.workers and worker not in self._left:
            self.fail(BulkError("a worker of the run was ended from outside; run.send() goes on with the rest"))

    @property
    def has_left(self) -> bool:
        """Whether all workers have ended."""
        return len(self._left) == len(self.workers)

    def end_reading(self) -> None:
        """Let the reader know that nothing more comes."""
        if not self._has_ended:
            self._has_ended = True
            self._put(None, None)

    def finish(self) -> None:
        """Note that the items are not read any further."""
        self.is_over = True
        self._changes.put(None)

    def wait_for_workers(self) -> None:
        """Wait until what is under way has ended; there may be fewer workers than were wanted, after an interrupt."""
        engine = self.engine
        while engine is not None and not self.is_over and any(worker not in self._left for worker in self._begun):
            try:
                receive(self._changes, engine.is_alive)
            except GoneError:
                return

    # Calls of workers

    def fail(self, error: BaseException) -> None:
        """Stop with an error, which the reader gets."""
        self._failures.append(error)
        self.stop(f"{type(error).__name__}: {error}")

    def stop(self, reason: str) -> None:
        """Take nothing more, and keep the first reason."""
        self._reasons.append(reason)
        self.end()

    def end(self) -> None:
        """Take nothing more, for whatever reason."""
        if self.engine is not None:
            self.engine.stop(self)

    def interrupt(self, signal: str) -> bool:
        """Take nothing more because of a signal; `False` when nothing is under way any more."""
        if self.is_over or self.has_left:
            return False
        self.stop(f"interrupted by {signal}")
        return True

    def note(self, ended: Ended) -> None:
        """Look at what came of an item."""
        error = ended.error
        with self._lock:
            self._unsent_in_a_row = self._unsent_in_a_row + 1 if ended.state == "ready" else 0
            if ended.state == "ready":
                self._taken -= 1
            elif ended.state in self._numbers:
                self._numbers[ended.state] += 1
            row, most, taken = self._unsent_in_a_row, self._stop.max_items, self._taken
            limits = {"rejected": self._stop.max_rejected, "unknown": self._stop.max_unknown}
            over = [
                f"{number} items are {name}"
                for name, number in self._numbers.items()
                if (limit := limits[name]) is not None and number >= limit
            ]
        if over:
            self.stop(" and ".join(over))
        if self._is_refused(error):
            self.stop("the service refused the credential, and would refuse all other items, too")
        if most is not None and taken >= most:
            self.stop(f"{most} items were sent")
        if isinstance(error, RateLimitError) and self.engine is not None:
            self.engine.slow_down(error.retry_after)
        elif row >= _OUTAGE and self.engine is not None:
            self._hold(min(30.0, 0.1 * 2 ** min(row - _OUTAGE, 20)))

    def _hold(self, seconds: float) -> None:
        if not self._runtime.time_passes:
            self._settings.clock.sleep(seconds)
        elif self.engine is not None:
            self.engine.hold(seconds)

    def _is_refused(self, error: SubscribekitError | None) -> bool:
        if isinstance(error, AuthenticationError):
            return True
        return isinstance(error, PermissionDeniedError) and self._settings.group == "billing"

    # From an error to what comes of an item

    def ended_by(self, entry: Entry, error: BaseException) -> Ended:
        """Say what an error means for an item."""
        try:
            return self._ended_by(entry, error)
        except Exception:  # noqa: BLE001  said by the next line: the error itself cannot be written, such as its text
            unknown = SubscribekitError(f"{with_article(type(error))} that cannot be written down", outcome="unknown")
            self.fail(unknown)
            return Ended("unknown", 1, error=unknown)

    def _ended_by(self, entry: Entry, error: BaseException) -> Ended:
        if not isinstance(error, SubscribekitError):
            self.fail(error)  # it is unknown what happened, nor whether it would not happen to all
            unknown = SubscribekitError(f"{type(error).__name__}: {error}", outcome="unknown")
            return Ended("unknown", 1, error=unknown)
        request_id: str | None = getattr(error, "request_id", None)
        if error.outcome != "not_sent":
            state = error.outcome
            return Ended(state, error.attempts, error=error, request_id=request_id, trace_id=error.trace_id)
        if isinstance(error, ConfigurationError | ClientClosedError | InvalidArgumentError | BulkError):
            self.fail(error)  # it would happen to every item
            return Ended("ready", error=error, counts=False)
        tries = entry.tries + 1
        backoff = None if tries >= self._max_attempts else self._backoff(tries)
        return Ended("ready", error.attempts, error=error, trace_id=error.trace_id, backoff=backoff)

    def _backoff(self, tries: int) -> float:
        longest: float = min(_LONGEST_BACKOFF, 0.5 * 2.0 ** (tries - 1))
        if not self._runtime.time_passes:
            return 0.0
        return longest * self._runtime.uniform(0.5, 1.0)
