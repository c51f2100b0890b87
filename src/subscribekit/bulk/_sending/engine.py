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
from .._ledger.entries import Ended, Entry
from .._ledger.ledger import Ledger
from .._ledger.money import Limit
from .._values import RateLimit
from .background import CHECK_THREADS
from .claiming import LONGEST_PAUSE, Claimer
from .claims import LOOK_AT_OTHERS, Found, Want, Worker
from .in_flight import InFlight
from .runtime import Queue, Runtime
from .session import Session, outcome_of_gone

_GATHER = 0.002
"""Seconds that a commit waits at most for further workers."""
_WRITE_AGAIN = 15.0
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
        self._wanting: deque[Want] = deque()
        self._ended: list[tuple[Entry, Ended]] = []
        self._in_flight = InFlight(max(2, workers // 5))
        self._pause_for = 0.0
        self._took = 0.0
        self._looked_at = runtime.running_time()
        self._is_closing = False
        self._is_stopped = False
        self._is_woken = False
        self._failing_since: float | None = None
        self.is_over = False
        self.failures: list[SubscribekitError] = []
        self.refused: dict[str | None, SubscribekitError] = {}
        self._thread = runtime.start(self._work, "subscribekit-bulk")

    # Messages; every method may be called from any thread, and from the handler of a signal

    def want(self, worker: Worker, key: str | None = None) -> None:
        """Ask for an item, which `worker.give` receives in the engine's thread."""
        if not self._send(partial(self._on_want, Want(worker, key))):
            worker.give(None)

    def end(self, worker: Worker, ended: Ended, *, again: bool = False) -> None:
        """Report the result of a worker's item, and ask for the next one if `again`."""
        claim = worker.claim
        if self._send(partial(self._on_end, worker, ended, again=again)):
            return
        if claim is not None:
            _log_lost(claim.entry, ended)
        if again:
            worker.give(None)

    def sends(self, item: int) -> None:
        """Report that a worker begins to send an item, so that another one may be claimed."""
        self._send(partial(self._on_sends, item))

    def give_back(self, worker: Worker) -> None:
        """Return the item of a worker, which doesn't send it."""
        self.end(worker, Ended("ready", counts=False))

    def leave(self, worker: Worker) -> None:
        """Report that a worker has ended; an item that it still holds is `ready` again, or `unknown`."""
        self._send(partial(self._on_leave, worker))

    def hold(self, seconds: float) -> None:
        """Let the workers of this process wait, because it can't reach the service."""
        self._send(partial(self._on_hold, self._runtime.running_time() + seconds))

    def slow_down(self, seconds: float | None) -> None:
        """Let all workers wait, those of other processes too, because the service returned 429."""
        wait = 1.0 if seconds is None else seconds
        log(logging.WARNING, "the service returned 429; all workers of the run wait for %g s", wait)
        self._send(partial(self._on_slow_down, min(wait, LONGEST_PAUSE)))

    def repeat(self) -> None:
        """Count a request that the client repeated by itself."""
        self._send(self._on_repeat)

    def stop(self, session: Session) -> None:
        """Claim nothing more for the workers of a session."""
        self._send(partial(self._on_stop, session))

    def go_on(self, session: Session, lost: list[Entry]) -> None:
        """Claim items for the workers of a session, and hand it the items that dead processes have left."""
        self._send(partial(self._on_go_on, session, lost))

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

    def _on_want(self, want: Want) -> None:
        self._wanting.append(want)
        self._wake()

    def _on_end(self, worker: Worker, ended: Ended, *, again: bool) -> None:
        claim = worker.claim
        if claim is None:  # the worker was taken for gone
            return
        worker.claim = None
        self._ended.append((claim.entry, ended))
        self._in_flight.end(claim.entry.id)
        if again:
            self._wanting.append(Want(worker))
        self._wake()

    def _on_sends(self, item: int) -> None:
        self._in_flight.begin(item)
        if self._wanting:
            self._wake()

    def _on_leave(self, worker: Worker) -> None:
        self._wanting = deque(want for want in self._wanting if want.worker is not worker)
        if worker.claim is not None:
            ended = outcome_of_gone(was_sent=worker.was_sent)
            if self._session is not None and worker in self._session.workers:
                self._session.note(ended)
            self._on_end(worker, ended, again=False)
        if self._session is not None:
            self._session.left(worker)
            self._end_session(self._session)

    def _on_hold(self, until: float) -> None:
        self._claimer.held_until = max(self._claimer.held_until, until)

    def _on_slow_down(self, seconds: float) -> None:
        self._pause_for = max(self._pause_for, seconds)
        self._wake()

    def _on_repeat(self) -> None:
        self._claimer.repeated += 1

    def _on_stop(self, session: Session) -> None:
        if self._session is session:
            self._is_stopped = True
            self._wake()

    def _on_go_on(self, session: Session, lost: list[Entry]) -> None:
        self._session, self._is_stopped = session, False
        for entry in lost:
            session.tell(entry, None)
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
            self._died(error)
        finally:
            self.is_over = True
            self._refuse_the_rest()

    def _died(self, error: BaseException) -> None:
        failure = LedgerError(f"the thread that writes the ledger ended: {type(error).__name__}")
        failure.__cause__ = error
        self.failures.append(failure)
        if self._session is not None:
            self._session.fail(failure)

    def _refuse_the_rest(self) -> None:
        self._handle_messages()
        self._give_up()
        self._refuse_all()
        self._remove(set(self._in_flight.workers))

    def _commit_until_closed(self) -> None:
        wait: float | None = None
        while True:
            self._handle_until(lambda: self._is_woken, wait)
            # Items that end within part of a commit's time go into the same commit.
            self._handle_until(lambda: len(self._ended) >= len(self._in_flight.workers), min(_GATHER, self._took / 2))
            self._handle_messages()
            self._is_woken = False
            ended, self._ended = self._ended, []
            # No other caller waits for a single item after its caller was interrupted.
            is_last = self._is_closing and not self._in_flight.keyed
            try:
                wait = self._cycle(ended, is_last=is_last)
            except (LedgerError, LeaseLostError) as error:
                wait = self._failed(error, ended)
            except Exception as error:  # noqa: BLE001  handed to the caller that waits for the run
                log(logging.ERROR, "the thread that writes the ledger failed", is_error=True)
                self._failed(LedgerError(f"the ledger could not be written: {type(error).__name__}"), ended, 0.0)
                wait = LOOK_AT_OTHERS
            if is_last and not self._ended:
                return

    def _handle_until(self, happened: Callable[[], bool], seconds: float | None) -> None:
        """Handle messages until something has happened, for at most so many seconds."""
        end = None if seconds is None else self._runtime.running_time() + seconds
        while not happened():
            left = None if end is None else end - self._runtime.running_time()
            if left is not None and left <= 0:
                return
            is_watched = bool(self._in_flight.workers or self._wanting) or (
                self._session is not None and not self._session.is_over
            )
            most = CHECK_THREADS if is_watched else None
            try:
                message = self._inbox.get(timeout=most if left is None else min(left, most or left))
            except Empty:
                self._look_after_workers()
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

    def _look_after_workers(self) -> None:
        """Write the outcome of items whose worker has ended without a message; now and then, because it takes long."""
        now = self._runtime.running_time()
        if now - self._looked_at < CHECK_THREADS:
            return
        self._looked_at = now
        workers = [*self._in_flight.workers.values(), *(want.worker for want in self._wanting)]
        if self._session is not None:
            workers += self._session.workers
        gone = [worker for worker in workers if worker.is_gone()]
        self._handle_messages()  # what they reported before they ended
        for worker in gone:
            if self._session is not None:
                self._session.lost(worker)
            self._on_leave(worker)

    def _cycle(self, ended: list[tuple[Entry, Ended]], *, is_last: bool) -> float | None:
        wants = [] if is_last else list(self._wanting)
        found = Found(room=self._in_flight.room(len(ended)))
        stopped, pause, self._pause_for = self._is_stopped, self._pause_for, 0.0
        if self._is_idle(wants, ended, pause):
            return None
        if pause and not self._runtime.time_passes:
            self._settings.clock.sleep(pause)
        began = self._runtime.running_time()
        claimer, database = self._claimer, self._ledger.database
        try:
            with database.write() as connection:
                _, now = database.clock(connection)
                self._ledger.give_back(connection, claimer.undelivered)
                self._write(connection, found, ended, pause, now)
                if is_last:
                    # With items still out (a second Ctrl-C) the lease goes on to its end: they may be on their way.
                    if self._in_flight.workers.keys() <= {entry.id for entry, _ in ended}:
                        claimer.leave(connection)
                elif wants:
                    claimer.keep_lease(connection, found, began, now, is_out=bool(self._in_flight.workers))
                    room = 0 if self._session is None else min(found.room, self._session.may_take())
                    claimer.serve(connection, found, wants, now, room=room, stopped=stopped)
                elif self._in_flight.workers:
                    claimer.keep_lease(connection, found, began, now, is_out=True)
                    found.wait = self._lease_seconds / 8
        except BaseException:
            claimer.undelivered += [claim.entry for _, claim in found.claims if claim is not None]
            self._pause_for = max(self._pause_for, pause)
            raise
        self._failing_since, self._took = None, self._runtime.running_time() - began
        claimer.undelivered = []
        self._hand_on(found, ended)
        return found.wait if self._in_flight.workers or self._wanting else None

    def _is_idle(self, wants: list[Want], ended: list[tuple[Entry, Ended]], pause: float) -> bool:
        is_done = not (wants or ended or pause or self._in_flight.workers or self._claimer.undelivered)
        return is_done and not (self._is_closing and self._claimer.lease is not None)

    def _write(
        self, connection: sa.Connection, found: Found, ended: list[tuple[Entry, Ended]], pause: float, now: float
    ) -> None:
        if ended:
            found.kept = self._ledger.end(connection, ended, now)
        if pause and self._runtime.time_passes:
            self._ledger.pause(connection, now + pause)

    # After a commit

    def _hand_on(self, found: Found, ended: list[tuple[Entry, Ended]]) -> None:
        self._claimer.committed(found)
        over = {entry.id for entry, _ in ended}
        taken = {claim.entry.id for _, claim in found.claims if claim is not None}
        keyed = {claim.entry.id for want, claim in found.claims if claim is not None and want.key is not None}
        self._in_flight.add(found)
        self.refused |= found.refused
        self._give(found, over)
        for entry, what in ended:
            kept = found.kept.get(entry.id)
            if kept is not None:
                _log_lost(entry, what, "arrived after its lease and was not written")
            if self._session is not None and entry.id not in self._in_flight.keyed:
                self._session.tell(entry, what, kept)
        for entry in found.lost:
            if self._session is not None:
                self._session.tell(entry, None)
        # Only now, for waiters on the last report; an item that is tried again at once is out again (H186).
        self._in_flight.keyed -= over - keyed
        self._remove(over - taken)

    def _give(self, found: Found, over: set[int]) -> None:
        """Give the workers what they asked for, or `None` if nothing is left."""
        served = {id(want) for want, _ in found.claims}
        self._wanting = deque(want for want in self._wanting if id(want) not in served)
        if found.is_finished and self._in_flight.workers.keys() <= over:
            found.claims += [(want, None) for want in self._wanting if want.key is None]
            self._wanting = deque(want for want in self._wanting if want.key is not None)
        session = self._session
        if session is not None:
            session.took(sum(claim is not None and want.key is None for want, claim in found.claims))
            if None in found.refused:
                session.fail(found.refused[None])
            elif found.over is not None:
                session.stop(f"the amount limit is reached: {found.over}")
        for want, claim in found.claims:
            want.worker.give(claim)

    def _remove(self, over: set[int]) -> None:
        """Let nobody wait for items any more: their outcomes are written, or given up."""
        self._in_flight.remove(over)
        if self._session is not None:
            self._end_session(self._session)
        if self._is_closing and not self._in_flight.keyed:
            self._wake()

    def _end_session(self, session: Session) -> None:
        """Tell the reader of a session that nothing more comes."""
        if session.has_left and self._in_flight.workers.keys() <= self._in_flight.keyed:
            session.end_reading()

    def _failed(
        self, error: SubscribekitError, ended: list[tuple[Entry, Ended]], longest: float | None = None
    ) -> float:
        """Keep what could not be written, hand out nothing more, and try again for a while."""
        now = self._runtime.running_time()
        if self._failing_since is None:
            self._failing_since = now
            self.failures.append(error)
        self._is_stopped = True
        if self._session is not None and self._session.failure is None:
            self._session.fail(error)
        self._ended = ended + self._ended
        self._refuse_all()
        if now - self._failing_since >= (_WRITE_AGAIN if longest is None else longest):
            self._give_up()
            # Its own lease for what comes now: what was sent under the old one is never taken for not sent (H142).
            self._claimer.lease = None
            self._failing_since = None
        return 0.2

    def _refuse_all(self) -> None:
        wants, self._wanting = list(self._wanting), deque()
        for want in wants:
            want.worker.give(None)

    def _give_up(self) -> None:
        """Write to the log what cannot be written to the ledger; there it will be `unknown`."""
        ended, self._ended = self._ended, []
        for entry, what in ended:
            _log_lost(entry, what)
        self._remove({entry.id for entry, _ in ended})


def _log_lost(entry: Entry, what: Ended, why: str = "could not be written") -> None:
    log(logging.ERROR, "what came of %r %s: %s, request id %s", entry.key, why, what.state, what.request_id)
