"""Counts the items of one call of `send`, decides when to stop, and keeps the reason."""

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
from .._ledger.entries import Entry, SendResult
from .._values import StopPolicy
from .background import GoneError, receive
from .claims import Worker
from .runtime import Queue, Runtime

Put: TypeAlias = Callable[[Entry | None, SendResult | None], None]
"""Passes an item to the reader of `send`, or `None` if there are no more items."""

_LONGEST_BACKOFF = 60.0
_OUTAGE = 3
"""The number of unsent items in a row after which the session treats the service as unreachable."""


class Dispatcher(Protocol):
    """The methods of the engine that a session uses."""

    def wake(self) -> None:
        """Make the engine check whether there is work."""
        ...

    def is_alive(self) -> bool:
        """Whether the engine's thread handles messages."""
        ...

    def stop_claiming(self, session: "Session") -> None:
        """Stop claiming items for the workers of a session."""
        ...

    def pause_process(self, seconds: float) -> None:
        """Make the workers of this process wait."""
        ...

    def pause_run(self, seconds: float | None) -> None:
        """Make the workers of all processes wait."""
        ...


def result_of_ended_worker(*, was_sent: bool) -> SendResult:
    """Return the result of an item whose worker ended because a task was canceled or a thread was stopped."""
    if not was_sent:
        return SendResult("ready", counts=False)
    text = "the task or thread that sent the item was stopped; call run.resolve() to find out its outcome"
    unknown = SubscribekitError(text, outcome="unknown")
    return SendResult("unknown", 1, error=unknown)


class Session:
    """Counts the items that end in one call of `send`, and decides when to stop.

    Args:
        stop: The stop rules.
        workers: The number of workers.
        settings: The client's settings.
        runtime: The clock, locks, and queues of the run.
        max_attempts: The maximum number of attempts for an item that can't be sent.
        put: A function that receives an item that has ended, or `None` if there are no more items. The engine's thread
            calls this function.
    """

    def __init__(
        self, stop: StopPolicy, workers: int, settings: Settings, runtime: Runtime, max_attempts: int, put: Put
    ) -> None:
        self._put = put
        self._stop, self._settings, self._runtime, self._max_attempts = stop, settings, runtime, max_attempts
        self._buffer_size = max(4 * workers, 64)
        self._unread = 0
        self._claimed = 0
        self._unsent_in_a_row = 0
        self._counts = {"rejected": 0, "unknown": 0}
        self._reasons: list[str] = []
        self._failures: list[BaseException] = []
        self._started_workers: list[Worker] = []
        self._ended_workers: list[Worker] = []
        self._has_ended = False
        self.workers: Sequence[Worker] = ()
        self.is_over = False
        self.release: Callable[[], None] = lambda: None
        self.engine: Dispatcher | None = None
        # A signal handler must not acquire this lock, because the interrupted thread may hold the lock (H143).
        self._lock = runtime.lock()
        self._changes: Queue[None] = runtime.queue()

    @property
    def stopped(self) -> str | None:
        """The first reason to stop, or `None`."""
        return self._reasons[0] if self._reasons else None

    @property
    def failure(self) -> BaseException | None:
        """The first error, which the loop over `send` raises, or `None`."""
        return self._failures[0] if self._failures else None

    # For the engine

    def claims_allowed(self) -> int:
        """Return the number of items that may be claimed before `max_items` or the limit of unread items is reached."""
        with self._lock:
            room = self._buffer_size - self._unread
            return max(0, room if self._stop.max_items is None else min(room, self._stop.max_items - self._claimed))

    def note_claimed(self, number: int) -> None:
        """Count items that were claimed for workers."""
        with self._lock:
            self._claimed += number

    def deliver(self, entry: Entry, result: SendResult | None, stored: Entry | None = None) -> None:
        """Pass an item to the reader if it has ended, or if this run makes no further attempt.

        Args:
            entry: The item as it was claimed.
            result: The result, or `None` for an item of a dead process.
            stored: The item as it is in the ledger, if the result wasn't written. Another process may have sent the
                item again, so a rejection of this request isn't the outcome of the item (H454).
        """
        if stored is not None and result is not None and result.state != "done":
            if stored.state in ("ready", "sent"):
                return
            entry, result = stored, None
        if result is not None and result.state == "ready" and result.backoff is not None:
            return
        with self._lock:
            self._unread += 1
        self._put(entry, result)

    def item_read(self) -> None:
        """Count an item that the reader has read."""
        with self._lock:
            self._unread -= 1
            was_full = self._unread == self._buffer_size - 1
        if was_full and self.engine is not None:
            self.engine.wake()

    def worker_started(self, worker: Worker) -> None:
        """Record that a worker has started."""
        self._started_workers.append(worker)

    def worker_ended(self, worker: Worker) -> None:
        """Record that a worker has ended."""
        if worker in self.workers and worker not in self._ended_workers:
            self._ended_workers.append(worker)
            self._changes.put(None)

    def worker_lost(self, worker: Worker) -> None:
        """Stop with an error, because a worker has ended without a message."""
        if worker in self.workers and worker not in self._ended_workers:
            self.fail(BulkError("a worker of the run was ended by other code; call run.send() again to send the rest"))

    @property
    def have_workers_ended(self) -> bool:
        """Whether all workers have ended."""
        return len(self._ended_workers) == len(self.workers)

    def end_reading(self) -> None:
        """Notify the loop over `send` that there are no more items, unless the loop was already notified."""
        if not self._has_ended:
            self._has_ended = True
            self._put(None, None)

    def finish(self) -> None:
        """End the session, because the caller no longer reads the items."""
        self.is_over = True
        self._changes.put(None)

    def wait_for_workers(self) -> None:
        """Wait until the started workers have ended. After an interrupt, some workers may never have started."""
        engine = self.engine
        while (
            engine is not None
            and not self.is_over
            and any(worker not in self._ended_workers for worker in self._started_workers)
        ):
            try:
                receive(self._changes, engine.is_alive)
            except GoneError:
                return

    # For the workers

    def fail(self, error: BaseException) -> None:
        """Stop with an error, which the loop over `send` raises."""
        self._failures.append(error)
        self.stop(f"{type(error).__name__}: {error}")

    def stop(self, reason: str) -> None:
        """Stop claiming items, and keep the first reason."""
        self._reasons.append(reason)
        self.end()

    def end(self) -> None:
        """Stop claiming items, without recording a reason."""
        if self.engine is not None:
            self.engine.stop_claiming(self)

    def interrupt(self, signal: str) -> bool:
        """Stop claiming items because of a signal. Return `False` if no request is in flight any more."""
        if self.is_over or self.have_workers_ended:
            return False
        self.stop(f"interrupted by {signal}")
        return True

    def count_result(self, result: SendResult) -> None:
        """Count the result of an item. Stop or pause the run if the result and the stop rules require it."""
        error = result.error
        with self._lock:
            self._unsent_in_a_row = self._unsent_in_a_row + 1 if result.state == "ready" else 0
            if result.state == "ready":
                self._claimed -= 1
            elif result.state in self._counts:
                self._counts[result.state] += 1
            unsent, max_items, claimed = self._unsent_in_a_row, self._stop.max_items, self._claimed
            limits = {"rejected": self._stop.max_rejected, "unknown": self._stop.max_unknown}
            reasons = [
                f"{number} items are {name}"
                for name, number in self._counts.items()
                if (limit := limits[name]) is not None and number >= limit
            ]
        if reasons:
            self.stop(" and ".join(reasons))
        if self._is_refused(error):
            self.stop("the service rejected the credential, so every other item would fail too")
        if max_items is not None and claimed >= max_items:
            self.stop(f"{max_items} items were sent")
        if isinstance(error, RateLimitError) and self.engine is not None:
            self.engine.pause_run(error.retry_after)
        elif unsent >= _OUTAGE and self.engine is not None:
            self._pause_process(min(30.0, 0.1 * 2 ** min(unsent - _OUTAGE, 20)))

    def _pause_process(self, seconds: float) -> None:
        if not self._runtime.time_passes:
            self._settings.clock.sleep(seconds)
        elif self.engine is not None:
            self.engine.pause_process(seconds)

    def _is_refused(self, error: SubscribekitError | None) -> bool:
        if isinstance(error, AuthenticationError):
            return True
        return isinstance(error, PermissionDeniedError) and self._settings.group == "billing"

    def result_of_error(self, entry: Entry, error: BaseException) -> SendResult:
        """Return the result of an item whose call raised an error."""
        try:
            return self._classify(entry, error)
        except Exception:  # noqa: BLE001  the text of an error can raise an exception, so the error can't be stored
            text = f"the call raised {with_article(type(error))}, which can't be stored"
            unknown = SubscribekitError(text, outcome="unknown")
            self.fail(unknown)
            return SendResult("unknown", 1, error=unknown)

    def _classify(self, entry: Entry, error: BaseException) -> SendResult:
        if not isinstance(error, SubscribekitError):
            self.fail(error)  # the cause is unknown, so it may affect every item
            unknown = SubscribekitError(f"{type(error).__name__}: {error}", outcome="unknown")
            return SendResult("unknown", 1, error=unknown)
        request_id: str | None = getattr(error, "request_id", None)
        if error.outcome != "not_sent":
            state = error.outcome
            return SendResult(state, error.attempts, error=error, request_id=request_id, trace_id=error.trace_id)
        if isinstance(error, ConfigurationError | ClientClosedError | InvalidArgumentError | BulkError):
            self.fail(error)  # every other item would fail in the same way
            return SendResult("ready", error=error, counts=False)
        tries = entry.tries + 1
        backoff = None if tries >= self._max_attempts else self._backoff(tries)
        return SendResult("ready", error.attempts, error=error, trace_id=error.trace_id, backoff=backoff)

    def _backoff(self, tries: int) -> float:
        longest: float = min(_LONGEST_BACKOFF, 0.5 * 2.0 ** (tries - 1))
        if not self._runtime.time_passes:
            return 0.0
        return longest * self._runtime.uniform(0.5, 1.0)
