"""The engine of a run: a thread that commits the results of all workers of a process, and claims items for the workers.

A worker records the result of its item and requests the next item. One transaction writes all results since the last
commit, and claims items for waiting workers, a few items ahead of time. Therefore, an item is `sent` in the ledger, on
disk, before a worker gets the item. All workers share one disk sync.

Other threads put messages into the engine's queue. Only the engine's thread reads and changes the engine's state. The
queue is safe even if a signal handler raises an exception in the thread that puts a message.
"""

import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from queue import Empty

import sqlalchemy as sa

from ..._core.calls.settings import Settings
from ..._core.calls.telemetry.log import log
from ...errors import LeaseLostError, LedgerError, SubscribekitError
from .._ledger.entries import Entry, SendResult
from .._ledger.ledger import Ledger
from .._ledger.money import Limit
from .._values import RateLimit
from .background import CHECK_THREADS
from .claiming import LONGEST_PAUSE, Claimer
from .claims import POLL_INTERVAL, Cycle, Waiter, Worker
from .in_flight import InFlight
from .runtime import Queue, Runtime
from .session import Session, result_of_ended_worker

_BATCH_DELAY = 0.002
"""Maximum number of seconds that a commit waits for more results."""
_WRITE_RETRY_SECONDS = 15.0
"""Number of seconds for which the engine retries writing results if the ledger can't be written."""


class Engine:
    """Writes to the ledger for all workers of a process.

    Args:
        ledger: The ledger.
        settings: The client's settings.
        runtime: The clock, threads, and queues of the run.
        rate_limit: The maximum number of requests per period, if any.
        lease: Seconds without a renewal after which other processes consider this process dead.
        workers: The number of workers.
        limit: The maximum total amount of the ledger's items, if any.

    Attributes:
        is_over: Whether the thread has stopped handling messages.
    """

    def __init__(
        self,
        ledger: Ledger,
        settings: Settings,
        runtime: Runtime,
        rate_limit: RateLimit | None,
        lease: float,
        workers: int,
        limit: Limit | None,
    ) -> None:
        self._ledger, self._settings, self._runtime, self._lease_seconds = ledger, settings, runtime, lease
        self._inbox: Queue[Callable[[], None]] = runtime.queue()
        self._claimer = Claimer(ledger, runtime, rate_limit, lease, limit)
        self._session: Session | None = None
        self._waiters: deque[Waiter] = deque()
        self._unwritten: list[tuple[Entry, SendResult]] = []
        self._in_flight = InFlight(max(2, workers // 5))
        self._requested_pause = 0.0
        self._last_commit_seconds = 0.0
        self._workers_checked_at = runtime.running_time()
        self._is_closing = False
        self._is_stopped = False
        self._is_woken = False
        self._failing_since: float | None = None
        self.is_over = False
        self.failures: list[SubscribekitError] = []
        self.refused: dict[str | None, SubscribekitError] = {}
        self._thread = runtime.start(self._work, "subscribekit-bulk")

    # Any thread and any signal handler may call the methods from here to `_send`.

    def request_item(self, worker: Worker, key: str | None = None) -> None:
        """Request an item for a worker. The engine's thread passes the item to `worker.deliver`."""
        if not self._send(partial(self._on_item_requested, Waiter(worker, key))):
            worker.deliver(None)

    def record_result(self, worker: Worker, result: SendResult, *, request_next: bool = False) -> None:
        """Record the result of a worker's item, and request the next item if `request_next` is set."""
        claim = worker.claim
        if self._send(partial(self._on_result, worker, result, request_next=request_next)):
            return
        if claim is not None:
            _log_unwritten(claim.entry, result)
        if request_next:
            worker.deliver(None)

    def sending_started(self, item: int) -> None:
        """Report that a worker is about to send an item, so that the engine may claim another item."""
        self._send(partial(self._on_sending_started, item))

    def return_unsent(self, worker: Worker) -> None:
        """Return the item of a worker to the ledger, because the worker won't send the item."""
        self.record_result(worker, SendResult("ready", counts=False))

    def worker_ended(self, worker: Worker) -> None:
        """Report that a worker has ended. An item that it still has becomes `unknown`, or `ready` if it wasn't sent."""
        self._send(partial(self._on_worker_ended, worker))

    def pause_process(self, seconds: float) -> None:
        """Make the workers of this process wait, because the process can't reach the service."""
        self._send(partial(self._on_pause_process, self._runtime.running_time() + seconds))

    def pause_run(self, seconds: float | None) -> None:
        """Make the workers of all processes wait, because the service returned 429."""
        wait = 1.0 if seconds is None else seconds
        log(logging.WARNING, "the service returned 429; pausing all workers of the run for %g s", wait)
        self._send(partial(self._on_pause_run, min(wait, LONGEST_PAUSE)))

    def count_retry(self) -> None:
        """Count a retry of the client toward the rate limit."""
        self._send(self._on_retry)

    def stop_claiming(self, session: Session) -> None:
        """Stop claiming items for the workers of a session."""
        self._send(partial(self._on_stop_claiming, session))

    def start_claiming(self, session: Session, expired: list[Entry]) -> None:
        """Start to claim items for the workers of a session, and deliver the items of dead processes to the session."""
        self._send(partial(self._on_start_claiming, session, expired))

    def wake(self) -> None:
        """Make the engine's thread check whether there is work."""
        self._send(self._wake)

    def when_written(self, item: int, written: Callable[[], object]) -> None:
        """Call `written` when the result of an item has been written or discarded."""
        if not self._send(partial(self._in_flight.wait, item, written)):
            written()

    def close(self) -> None:
        """Write the remaining results, end the lease, and end the thread."""
        self._send(self._on_close)
        self._thread.join()

    def is_alive(self) -> bool:
        """Return whether the thread handles messages."""
        return not self.is_over and self._thread.is_alive()

    @property
    def owner(self) -> int | None:
        """The number that identifies this process in the ledger; `None` if the process hasn't claimed an item."""
        lease = self._claimer.lease
        return None if lease is None else lease.owner

    def _send(self, message: Callable[[], None]) -> bool:
        """Put a message into the queue. Return `False` if the thread may have ended before it handled the message."""
        self._inbox.put(message)
        return not self.is_over

    # All methods below run only in the engine's thread.

    def _on_item_requested(self, waiter: Waiter) -> None:
        self._waiters.append(waiter)
        self._wake()

    def _on_result(self, worker: Worker, result: SendResult, *, request_next: bool) -> None:
        claim = worker.claim
        if claim is None:  # the engine already recorded a result, because the worker seemed to have ended
            return
        worker.claim = None
        self._unwritten.append((claim.entry, result))
        self._in_flight.end(claim.entry.id)
        if request_next:
            self._waiters.append(Waiter(worker))
        self._wake()

    def _on_sending_started(self, item: int) -> None:
        self._in_flight.begin(item)
        if self._waiters:
            self._wake()

    def _on_worker_ended(self, worker: Worker) -> None:
        self._waiters = deque(waiter for waiter in self._waiters if waiter.worker is not worker)
        if worker.claim is not None:
            result = result_of_ended_worker(was_sent=worker.was_sent)
            if self._session is not None and worker in self._session.workers:
                self._session.count_result(result)
            self._on_result(worker, result, request_next=False)
        if self._session is not None:
            self._session.worker_ended(worker)
            self._end_session(self._session)

    def _on_pause_process(self, until: float) -> None:
        self._claimer.process_paused_until = max(self._claimer.process_paused_until, until)

    def _on_pause_run(self, seconds: float) -> None:
        self._requested_pause = max(self._requested_pause, seconds)
        self._wake()

    def _on_retry(self) -> None:
        self._claimer.retries += 1

    def _on_stop_claiming(self, session: Session) -> None:
        if self._session is session:
            self._is_stopped = True
            self._wake()

    def _on_start_claiming(self, session: Session, expired: list[Entry]) -> None:
        self._session, self._is_stopped = session, False
        for entry in expired:
            session.deliver(entry, None)
        self._wake()

    def _on_close(self) -> None:
        self._is_closing = True
        self._wake()

    def _wake(self) -> None:
        self._is_woken = True

    # The thread

    def _work(self) -> None:
        try:
            self._commit_until_closed()
        except BaseException as error:  # noqa: BLE001  raised to the caller that waits for the run
            self._report_failure(error)
        finally:
            self.is_over = True
            self._finish()

    def _report_failure(self, error: BaseException) -> None:
        failure = LedgerError(f"the thread that writes the ledger failed with {type(error).__name__}; resume the run")
        failure.__cause__ = error
        self.failures.append(failure)
        if self._session is not None:
            self._session.fail(failure)

    def _finish(self) -> None:
        self._handle_messages()
        self._discard_unwritten()
        self._dismiss_waiters()
        self._remove(set(self._in_flight.workers))

    def _commit_until_closed(self) -> None:
        wait: float | None = None
        while True:
            self._handle_until(lambda: self._is_woken, wait)
            # Wait for up to half the duration of the last commit, so that more results share the next commit.
            delay = min(_BATCH_DELAY, self._last_commit_seconds / 2)
            self._handle_until(lambda: len(self._unwritten) >= len(self._in_flight.workers), delay)
            self._handle_messages()
            self._is_woken = False
            results, self._unwritten = self._unwritten, []
            # Wait for the items of `send_once`, so that their outcomes are recorded even if the caller was interrupted.
            is_last = self._is_closing and not self._in_flight.keyed
            try:
                wait = self._cycle(results, is_last=is_last)
            except (LedgerError, LeaseLostError) as error:
                wait = self._handle_failure(error, results)
            except Exception as error:  # noqa: BLE001  raised to the caller that waits for the run
                log(logging.ERROR, "the thread that writes the ledger failed", is_error=True)
                failure = LedgerError(f"the ledger could not be written: {type(error).__name__}; resume the run")
                self._handle_failure(failure, results, 0.0)
                wait = POLL_INTERVAL
            if is_last and not self._unwritten:
                return

    def _handle_until(self, has_happened: Callable[[], bool], seconds: float | None) -> None:
        """Handle messages until an event has happened, or until the given number of seconds has passed."""
        deadline = None if seconds is None else self._runtime.running_time() + seconds
        while not has_happened():
            left = None if deadline is None else deadline - self._runtime.running_time()
            if left is not None and left <= 0:
                return
            is_watched = bool(self._in_flight.workers or self._waiters) or (
                self._session is not None and not self._session.is_over
            )
            longest = CHECK_THREADS if is_watched else None
            try:
                message = self._inbox.get(timeout=longest if left is None else min(left, longest or left))
            except Empty:
                self._check_workers()
            else:
                message()

    def _handle_messages(self) -> None:
        """Handle the messages that are already in the queue."""
        while True:
            try:
                message = self._inbox.get(timeout=0)
            except Empty:
                return
            message()

    def _check_workers(self) -> None:
        """Find workers that ended without a message. Check at most once per second, because the checks are slow."""
        now = self._runtime.running_time()
        if now - self._workers_checked_at < CHECK_THREADS:
            return
        self._workers_checked_at = now
        workers = [*self._in_flight.workers.values(), *(waiter.worker for waiter in self._waiters)]
        if self._session is not None:
            workers += self._session.workers
        ended = [worker for worker in workers if worker.has_ended()]
        self._handle_messages()  # the queue may still contain a result that a worker sent before the worker ended
        for worker in ended:
            if self._session is not None:
                self._session.worker_lost(worker)
            self._on_worker_ended(worker)

    def _cycle(self, results: list[tuple[Entry, SendResult]], *, is_last: bool) -> float | None:
        waiters = [] if is_last else list(self._waiters)
        cycle = Cycle(max_claims=self._in_flight.claims_allowed(len(results)))
        stopped, pause, self._requested_pause = self._is_stopped, self._requested_pause, 0.0
        if self._is_idle(waiters, results, pause):
            return None
        if pause and not self._runtime.time_passes:
            self._settings.clock.sleep(pause)
        began = self._runtime.running_time()
        claimer, database = self._claimer, self._ledger.database
        try:
            with database.write() as connection:
                _, now = database.clock(connection)
                self._ledger.return_claims(connection, claimer.unconfirmed)
                self._write(connection, cycle, results, pause, now)
                if is_last:
                    # If items are still in flight after a second Ctrl-C, don't end the lease; it expires later.
                    if self._in_flight.workers.keys() <= {entry.id for entry, _ in results}:
                        claimer.end_lease(connection)
                elif waiters:
                    claimer.renew_lease(connection, cycle, began, now, has_claims=bool(self._in_flight.workers))
                    max_claims = 0 if self._session is None else min(cycle.max_claims, self._session.claims_allowed())
                    claimer.claim_for_waiters(connection, cycle, waiters, now, max_claims=max_claims, stopped=stopped)
                elif self._in_flight.workers:
                    claimer.renew_lease(connection, cycle, began, now, has_claims=True)
                    cycle.wait = self._lease_seconds / 8
        except BaseException:
            claimer.unconfirmed += [claim.entry for _, claim in cycle.claims if claim is not None]
            self._requested_pause = max(self._requested_pause, pause)
            raise
        self._failing_since, self._last_commit_seconds = None, self._runtime.running_time() - began
        claimer.unconfirmed = []
        self._deliver(cycle, results)
        return cycle.wait if self._in_flight.workers or self._waiters else None

    def _is_idle(self, waiters: list[Waiter], results: list[tuple[Entry, SendResult]], pause: float) -> bool:
        is_done = not (waiters or results or pause or self._in_flight.workers or self._claimer.unconfirmed)
        return is_done and not (self._is_closing and self._claimer.lease is not None)

    def _write(
        self, connection: sa.Connection, cycle: Cycle, results: list[tuple[Entry, SendResult]], pause: float, now: float
    ) -> None:
        if results:
            cycle.superseded = self._ledger.write_results(connection, results, now)
        if pause and self._runtime.time_passes:
            self._ledger.pause(connection, now + pause)

    # After the commit

    def _deliver(self, cycle: Cycle, results: list[tuple[Entry, SendResult]]) -> None:
        self._claimer.committed(cycle)
        reported = {entry.id for entry, _ in results}
        claimed = {claim.entry.id for _, claim in cycle.claims if claim is not None}
        keyed = {claim.entry.id for waiter, claim in cycle.claims if claim is not None and waiter.key is not None}
        self._in_flight.add(cycle)
        self.refused |= cycle.refused
        self._deliver_claims(cycle, reported)
        for entry, result in results:
            stored = cycle.superseded.get(entry.id)
            if stored is not None:
                _log_unwritten(entry, result, "arrived after the lease expired and was not recorded")
            if self._session is not None and entry.id not in self._in_flight.keyed:
                self._session.deliver(entry, result, stored)
        for entry in cycle.expired:
            if self._session is not None:
                self._session.deliver(entry, None)
        # Removing items wakes waiting callers, so do it last. Items that were claimed again stay in flight (H186).
        self._in_flight.keyed -= reported - keyed
        self._remove(reported - claimed)

    def _deliver_claims(self, cycle: Cycle, reported: set[int]) -> None:
        """Deliver the claimed items to the waiting workers, or deliver `None` if no items are left."""
        served = {id(waiter) for waiter, _ in cycle.claims}
        self._waiters = deque(waiter for waiter in self._waiters if id(waiter) not in served)
        if cycle.is_finished and self._in_flight.workers.keys() <= reported:
            cycle.claims += [(waiter, None) for waiter in self._waiters if waiter.key is None]
            self._waiters = deque(waiter for waiter in self._waiters if waiter.key is not None)
        session = self._session
        if session is not None:
            session.note_claimed(sum(claim is not None and waiter.key is None for waiter, claim in cycle.claims))
            if None in cycle.refused:
                session.fail(cycle.refused[None])
            elif cycle.limit_reached is not None:
                session.stop(f"the amount limit is reached: {cycle.limit_reached}")
        for waiter, claim in cycle.claims:
            waiter.worker.deliver(claim)

    def _remove(self, written: set[int]) -> None:
        """Remove items whose results were written or discarded, and notify their waiters."""
        self._in_flight.remove(written)
        if self._session is not None:
            self._end_session(self._session)
        if self._is_closing and not self._in_flight.keyed:
            self._wake()

    def _end_session(self, session: Session) -> None:
        """Notify the loop over `send` if the session has no more items."""
        if session.have_workers_ended and self._in_flight.workers.keys() <= self._in_flight.keyed:
            session.end_reading()

    def _handle_failure(
        self, error: SubscribekitError, results: list[tuple[Entry, SendResult]], retry_seconds: float | None = None
    ) -> float:
        """Keep the unwritten results, and claim no more items. Return the seconds until the next attempt to write."""
        now = self._runtime.running_time()
        if self._failing_since is None:
            self._failing_since = now
            self.failures.append(error)
        self._is_stopped = True
        if self._session is not None and self._session.failure is None:
            self._session.fail(error)
        self._unwritten = results + self._unwritten
        self._dismiss_waiters()
        if now - self._failing_since >= (_WRITE_RETRY_SECONDS if retry_seconds is None else retry_seconds):
            self._discard_unwritten()
            # Use a new lease from now on, so that the items of the old lease become `unknown`, not `ready` (H142).
            self._claimer.lease = None
            self._failing_since = None
        return 0.2

    def _dismiss_waiters(self) -> None:
        waiters, self._waiters = list(self._waiters), deque()
        for waiter in waiters:
            waiter.worker.deliver(None)

    def _discard_unwritten(self) -> None:
        """Log the results that can't be written. The items of these results become `unknown` in the ledger."""
        results, self._unwritten = self._unwritten, []
        for entry, result in results:
            _log_unwritten(entry, result)
        self._remove({entry.id for entry, _ in results})


def _log_unwritten(entry: Entry, result: SendResult, why: str = "could not be written") -> None:
    log(logging.ERROR, "the result of %r %s: %s, request id %s", entry.key, why, result.state, result.request_id)
