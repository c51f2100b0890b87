"""The one thread of a process that writes to the ledger: it commits what all workers have, together, and claims items.

A worker reports the result of its item and asks for the next one; all results since the last commit go into one
transaction, which also claims items for workers that wait, a few ahead of what is being sent. So an item is `sent` in
the ledger, on the disk, before the worker that sends it learns of it, and one wait for the disk serves all workers.

Other threads put messages into the engine's queue; only the engine's thread reads and changes its state. The queue is
safe even if the handler of a signal raises an exception in the thread that puts.
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
"""Seconds that a commit waits at most for further workers."""
_WRITE_RETRY_SECONDS = 15.0
"""Seconds for which outcomes are tried to be written when the ledger cannot be."""


class Engine:
    """Writes for all workers of a process.

    Args:
        ledger: Where to.
        settings: Those of the client.
        runtime: Of the run.
        rate_limit: The most requests per period, if any.
        lease: Seconds after which others may take a silent process for dead.
        workers: How many send.
        limit: The most money that items of the ledger may add up to.

    Attributes:
        is_over: Whether the thread handles no further message.
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

    # Messages; every method may be called from any thread, and from the handler of a signal

    def request_item(self, worker: Worker, key: str | None = None) -> None:
        """Ask for an item, which `worker.give` receives in the engine's thread."""
        if not self._send(partial(self._on_item_requested, Waiter(worker, key))):
            worker.deliver(None)

    def record_result(self, worker: Worker, result: SendResult, *, request_next: bool = False) -> None:
        """Report the result of a worker's item, and ask for the next one if `again`."""
        claim = worker.claim
        if self._send(partial(self._on_result, worker, result, request_next=request_next)):
            return
        if claim is not None:
            _log_unwritten(claim.entry, result)
        if request_next:
            worker.deliver(None)

    def sending_started(self, item: int) -> None:
        """Report that a worker begins to send an item, so that another one may be claimed."""
        self._send(partial(self._on_sending_started, item))

    def return_unsent(self, worker: Worker) -> None:
        """Return the item of a worker, which doesn't send it."""
        self.record_result(worker, SendResult("ready", counts=False))

    def worker_ended(self, worker: Worker) -> None:
        """Report that a worker has ended; an item that it still holds is `ready` again, or `unknown`."""
        self._send(partial(self._on_worker_ended, worker))

    def pause_process(self, seconds: float) -> None:
        """Let the workers of this process wait, because it can't reach the service."""
        self._send(partial(self._on_pause_process, self._runtime.running_time() + seconds))

    def pause_run(self, seconds: float | None) -> None:
        """Let all workers wait, those of other processes too, because the service returned 429."""
        wait = 1.0 if seconds is None else seconds
        log(logging.WARNING, "the service returned 429; all workers of the run wait for %g s", wait)
        self._send(partial(self._on_pause_run, min(wait, LONGEST_PAUSE)))

    def count_retry(self) -> None:
        """Count a request that the client repeated by itself."""
        self._send(self._on_retry)

    def stop_claiming(self, session: Session) -> None:
        """Claim nothing more for the workers of a session."""
        self._send(partial(self._on_stop_claiming, session))

    def start_claiming(self, session: Session, lost: list[Entry]) -> None:
        """Claim items for the workers of a session, and hand it the items that dead processes have left."""
        self._send(partial(self._on_start_claiming, session, lost))

    def wake(self) -> None:
        """Look again: something may have changed."""
        self._send(self._wake)

    def when_written(self, item: int, written: Callable[[], object]) -> None:
        """Call `written` when the outcome of an item is written or given up."""
        if not self._send(partial(self._in_flight.wait, item, written)):
            written()

    def close(self) -> None:
        """Write what is left to write, end the lease, and end the thread."""
        self._send(self._on_close)
        self._thread.join()

    def is_alive(self) -> bool:
        """Return whether the thread handles messages."""
        return not self.is_over and self._thread.is_alive()

    @property
    def owner(self) -> int | None:
        """The number of this process in the ledger, once it has sent something."""
        lease = self._claimer.lease
        return None if lease is None else lease.owner

    def _send(self, message: Callable[[], None]) -> bool:
        """Put a message; return `False` if the thread may have ended before it could handle the message."""
        self._inbox.put(message)
        return not self.is_over

    # Handlers of the messages, in the engine's thread, as everything below

    def _on_item_requested(self, waiter: Waiter) -> None:
        self._waiters.append(waiter)
        self._wake()

    def _on_result(self, worker: Worker, result: SendResult, *, request_next: bool) -> None:
        claim = worker.claim
        if claim is None:  # the worker was taken for gone
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

    def _on_start_claiming(self, session: Session, lost: list[Entry]) -> None:
        self._session, self._is_stopped = session, False
        for entry in lost:
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
        failure = LedgerError(f"the thread that writes the ledger ended: {type(error).__name__}")
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
            # Items that end within part of a commit's time go into the same commit.
            self._handle_until(
                lambda: len(self._unwritten) >= len(self._in_flight.workers),
                min(_BATCH_DELAY, self._last_commit_seconds / 2),
            )
            self._handle_messages()
            self._is_woken = False
            results, self._unwritten = self._unwritten, []
            # No other caller waits for a single item after its caller was interrupted.
            is_last = self._is_closing and not self._in_flight.keyed
            try:
                wait = self._cycle(results, is_last=is_last)
            except (LedgerError, LeaseLostError) as error:
                wait = self._handle_failure(error, results)
            except Exception as error:  # noqa: BLE001  handed to the caller that waits for the run
                log(logging.ERROR, "the thread that writes the ledger failed", is_error=True)
                self._handle_failure(
                    LedgerError(f"the ledger could not be written: {type(error).__name__}"), results, 0.0
                )
                wait = POLL_INTERVAL
            if is_last and not self._unwritten:
                return

    def _handle_until(self, happened: Callable[[], bool], seconds: float | None) -> None:
        """Handle messages until something has happened, for at most so many seconds."""
        end = None if seconds is None else self._runtime.running_time() + seconds
        while not happened():
            left = None if end is None else end - self._runtime.running_time()
            if left is not None and left <= 0:
                return
            is_watched = bool(self._in_flight.workers or self._waiters) or (
                self._session is not None and not self._session.is_over
            )
            most = CHECK_THREADS if is_watched else None
            try:
                message = self._inbox.get(timeout=most if left is None else min(left, most or left))
            except Empty:
                self._check_workers()
            else:
                message()

    def _handle_messages(self) -> None:
        """Handle the messages that are there."""
        while True:
            try:
                message = self._inbox.get(timeout=0)
            except Empty:
                return
            message()

    def _check_workers(self) -> None:
        """Write the outcome of items whose worker has ended without a message; now and then, because it takes long."""
        now = self._runtime.running_time()
        if now - self._workers_checked_at < CHECK_THREADS:
            return
        self._workers_checked_at = now
        workers = [*self._in_flight.workers.values(), *(waiter.worker for waiter in self._waiters)]
        if self._session is not None:
            workers += self._session.workers
        gone = [worker for worker in workers if worker.has_ended()]
        self._handle_messages()  # what they reported before they ended
        for worker in gone:
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
                    # With items still out (a second Ctrl-C) the lease goes on to its end: they may be on their way.
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

    # After a commit

    def _deliver(self, cycle: Cycle, results: list[tuple[Entry, SendResult]]) -> None:
        self._claimer.committed(cycle)
        over = {entry.id for entry, _ in results}
        claimed = {claim.entry.id for _, claim in cycle.claims if claim is not None}
        keyed = {claim.entry.id for waiter, claim in cycle.claims if claim is not None and waiter.key is not None}
        self._in_flight.add(cycle)
        self.refused |= cycle.refused
        self._deliver_claims(cycle, over)
        for entry, result in results:
            kept = cycle.superseded.get(entry.id)
            if kept is not None:
                _log_unwritten(entry, result, "arrived after its lease and was not written")
            if self._session is not None and entry.id not in self._in_flight.keyed:
                self._session.deliver(entry, result, kept)
        for entry in cycle.expired:
            if self._session is not None:
                self._session.deliver(entry, None)
        # Only now, for waiters on the last report; an item that is tried again at once is out again (H186).
        self._in_flight.keyed -= over - keyed
        self._remove(over - claimed)

    def _deliver_claims(self, cycle: Cycle, over: set[int]) -> None:
        """Give the workers what they asked for, or `None` if nothing is left."""
        served = {id(waiter) for waiter, _ in cycle.claims}
        self._waiters = deque(waiter for waiter in self._waiters if id(waiter) not in served)
        if cycle.is_finished and self._in_flight.workers.keys() <= over:
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

    def _remove(self, over: set[int]) -> None:
        """Let nobody wait for items any more: their outcomes are written, or given up."""
        self._in_flight.remove(over)
        if self._session is not None:
            self._end_session(self._session)
        if self._is_closing and not self._in_flight.keyed:
            self._wake()

    def _end_session(self, session: Session) -> None:
        """Tell the reader of a session that nothing more comes."""
        if session.have_workers_ended and self._in_flight.workers.keys() <= self._in_flight.keyed:
            session.end_reading()

    def _handle_failure(
        self, error: SubscribekitError, results: list[tuple[Entry, SendResult]], longest: float | None = None
    ) -> float:
        """Keep what could not be written, hand out nothing more, and try again for a while."""
        now = self._runtime.running_time()
        if self._failing_since is None:
            self._failing_since = now
            self.failures.append(error)
        self._is_stopped = True
        if self._session is not None and self._session.failure is None:
            self._session.fail(error)
        self._unwritten = results + self._unwritten
        self._dismiss_waiters()
        if now - self._failing_since >= (_WRITE_RETRY_SECONDS if longest is None else longest):
            self._discard_unwritten()
            # Its own lease for what comes now: what was sent under the old one is never taken for not sent (H142).
            self._claimer.lease = None
            self._failing_since = None
        return 0.2

    def _dismiss_waiters(self) -> None:
        waiters, self._waiters = list(self._waiters), deque()
        for waiter in waiters:
            waiter.worker.deliver(None)

    def _discard_unwritten(self) -> None:
        """Write to the log what cannot be written to the ledger; there it will be `unknown`."""
        results, self._unwritten = self._unwritten, []
        for entry, result in results:
            _log_unwritten(entry, result)
        self._remove({entry.id for entry, _ in results})


def _log_unwritten(entry: Entry, result: SendResult, why: str = "could not be written") -> None:
    log(logging.ERROR, "what came of %r %s: %s, request id %s", entry.key, why, result.state, result.request_id)
