"""The one thread of a process that writes to the ledger: it commits what all lanes have, together, and hands out items.

A lane says what came of its item and asks for the next one; all that was said since the last commit goes into one
transaction, which also takes items for lanes that wait, a few ahead of what is being sent. So an item is `sent` in the
ledger, on the disk, before the lane that sends it learns of it, and one wait for the disk serves all lanes.
"""

import logging
import os
import platform
import threading
import time
import uuid
from collections import deque

import sqlalchemy as sa

from ..._core.calls.settings import Settings
from ..._core.config.clock import SYSTEM
from ...errors import LeaseLostError, LedgerError, RequestError, SubscribekitError
from .._ledger.claims import LOOK_AT_OTHERS, Claim, Found, Give, Want
from .._ledger.entries import Ended, Entry
from .._ledger.ledger import Ledger
from .._ledger.money import Limit, over
from .._values import Rate
from .lease import Lease, running_time
from .pace import Limiter
from .session import Session

logger = logging.getLogger("subscribekit")

_GATHER = 0.002
"""Seconds that a commit waits at most for further lanes."""
_LONGEST_PAUSE = 3600.0
"""Seconds that one 429 can hold all lanes up, whatever it says."""
_WRITE_AGAIN = 15.0
"""Seconds for which outcomes are tried to be written when the ledger cannot be."""


class Engine:
    """Writes for all lanes of a process.

    Args:
        ledger: Where to.
        settings: Those of the client.
        rate: How fast items may be taken.
        lease: Seconds after which others may take a silent process for dead.
        lanes: How many send.
        limit: The most money that items of the ledger may add up to.
    """

    def __init__(
        self, ledger: Ledger, settings: Settings, rate: Rate | None, lease: float, lanes: int, limit: Limit | None
    ) -> None:
        self._most_aside = max(2, lanes // 5)
        self._ledger, self._settings, self._lease_seconds, self._limit = ledger, settings, lease, limit
        self._limiter = None if rate is None else Limiter(rate)
        self._session: Session | None = None
        self._changed = threading.Condition()
        self._wanting: deque[Want] = deque()
        self._ended: list[tuple[Entry, Ended]] = []
        self._out: set[int] = set()
        self._sending: set[int] = set()  # the others wait for their lane, or what came of them waits to be written
        self._keyed: set[int] = set()
        self._lease: Lease | None = None
        self._last_beat = 0.0
        self._pause_for = 0.0
        self._held_until = 0.0
        self._took = 0.0
        self._repeated = 0
        # Items that were taken in a transaction whose end was not seen.
        self._undelivered: list[Entry] = []
        self._is_closing = False
        self._is_stopped = False
        self._is_woken = False
        self._failing_since: float | None = None
        self.failures: list[SubscribekitError] = []
        self.refused: dict[str | None, SubscribekitError] = {}
        self._thread = threading.Thread(target=self._work, name="subscribekit-bulk", daemon=True)
        self._thread.start()

    # Calls of lanes; every method may be called from any thread

    def want(self, give: Give, key: str | None = None) -> None:
        """Ask for an item; `give` is called in the engine's thread."""
        with self._changed:
            if not self._is_closing:
                self._wanting.append(Want(give, key))
                self._wake()
                return
        give(None)

    def end(self, claim: Claim, ended: Ended, give: Give | None = None) -> None:
        """Say what came of an item, and ask for the next one."""
        with self._changed:
            self._ended.append((claim.entry, ended))
            self._sending.discard(claim.entry.id)
            if give is not None and not self._is_closing:
                self._wanting.append(Want(give))
                give = None
            self._wake()
        if give is not None:
            give(None)

    def sends(self, item: int) -> None:
        """Say that a lane begins to send an item: another one may be taken."""
        with self._changed:
            self._sending.add(item)
            if self._wanting:
                self._wake()

    def give_back(self, claim: Claim) -> None:
        """Give an item back that was taken and is not sent."""
        self.end(claim, Ended("ready", counts=False))

    def hold(self, seconds: float) -> None:
        """Let the lanes of this process wait: it cannot reach the service."""
        with self._changed:
            self._held_until = max(self._held_until, running_time() + seconds)

    def slow_down(self, seconds: float | None) -> None:
        """Let all lanes wait, those of other processes too: the service said 429."""
        wait = 1.0 if seconds is None else seconds
        logger.warning("the service returned 429; all lanes of the run wait for %g s", wait)
        with self._changed:
            self._pause_for = max(self._pause_for, min(wait, _LONGEST_PAUSE))
            self._wake()

    def repeat(self) -> None:
        """Count a request that the client repeated by itself."""
        with self._changed:
            self._repeated += 1

    def stop(self) -> None:
        """Hand out nothing more to lanes, until `go_on`."""
        with self._changed:
            self._is_stopped = True
            self._wake()

    def go_on(self, session: Session) -> None:
        """Hand out items to the lanes of a reader."""
        with self._changed:
            self._session = session
            self._is_stopped = False
            self._wake()

    def wake(self) -> None:
        """Look again: something may have changed."""
        with self._changed:
            self._wake()

    @property
    def owner(self) -> int | None:
        """The number of this process in the ledger, once it has sent something."""
        lease = self._lease
        return None if lease is None else lease.owner

    def wait_until_written(self) -> None:
        """Wait until all that was said is written, or given up."""
        with self._changed:
            self._changed.wait_for(lambda: not self._out or not self._thread.is_alive())

    def wait_for(self, claim: Claim) -> None:
        """Wait until what came of an item is written, or given up."""
        with self._changed:
            self._changed.wait_for(lambda: claim.entry.id not in self._out or not self._thread.is_alive())

    def close(self) -> None:
        """Write what is left to write, end the lease, and end the thread."""
        with self._changed:
            # No other caller waits for a single item after its caller was interrupted.
            self._changed.wait_for(lambda: not self._keyed or not self._thread.is_alive())
            self._is_closing = True
            self._wake()
        self._thread.join()

    def _wake(self) -> None:
        self._is_woken = True
        self._changed.notify_all()

    # The thread

    def _work(self) -> None:
        try:
            self._commit_until_closed()
        finally:
            with self._changed:
                self._is_closing = True
                self._refuse_all()
                self._out.clear()
                self._changed.notify_all()

    def _commit_until_closed(self) -> None:
        wait: float | None = None
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_woken, wait)
                # Items that end within part of a commit's time go into the same commit.
                self._changed.wait_for(lambda: len(self._ended) >= len(self._out), min(_GATHER, self._took / 2))
                self._is_woken = False
                ended, self._ended = self._ended, []
                is_last = self._is_closing
            try:
                wait = self._cycle(ended, is_last=is_last)
            except (LedgerError, LeaseLostError) as error:
                wait = self._failed(error, ended)
            except Exception as error:  # handed to the caller that waits for the run
                logger.exception("the thread that writes the ledger failed")
                self._failed(LedgerError(f"the ledger could not be written: {type(error).__name__}"), ended, 0.0)
                wait = LOOK_AT_OTHERS
            if is_last and not self._ended:
                return

    def _cycle(self, ended: list[tuple[Entry, Ended]], *, is_last: bool) -> float | None:
        with self._changed:
            wants = [] if is_last else list(self._wanting)
            # What is taken and not at the service is unknown after a kill all the same: only a few at a time (H300).
            found = Found(room=max(0, self._most_aside - (len(self._out) - len(ended) - len(self._sending))))
            stopped, pause, self._pause_for = self._is_stopped, self._pause_for, 0.0
        if self._is_idle(wants, ended, pause):
            return None
        self._sleep_by_fake_clock(pause)
        began = running_time()
        database = self._ledger.database
        try:
            with database.write() as connection:
                _, now = database.clock(connection)
                self._ledger.give_back(connection, self._undelivered)
                self._write(connection, found, ended, pause, now)
                if is_last:
                    self._leave(connection, {entry.id for entry, _ in ended})
                elif wants:
                    self._keep_lease(connection, found, began, now)
                    self._serve(connection, found, wants, now, stopped=stopped)
                elif self._out:
                    self._keep_lease(connection, found, began, now)
                    found.wait = self._lease_seconds / 8
        except BaseException:
            self._undelivered += [claim.entry for _, claim in found.claims if claim is not None]
            with self._changed:
                self._pause_for = max(self._pause_for, pause)
            raise
        self._failing_since, self._took = None, running_time() - began
        self._undelivered = []
        self._hand_on(found, ended)
        return found.wait if self._out or self._wanting else None

    def _is_idle(self, wants: list[Want], ended: list[tuple[Entry, Ended]], pause: float) -> bool:
        is_done = not (wants or ended or pause or self._out or self._undelivered)
        return is_done and not (self._is_closing and self._lease is not None)

    def _sleep_by_fake_clock(self, seconds: float) -> None:
        """A client whose clock is not the machine's (the sandbox's) waits by its own."""
        if seconds and self._settings.clock is not SYSTEM:
            self._settings.clock.sleep(seconds)

    def _write(
        self, connection: sa.Connection, found: Found, ended: list[tuple[Entry, Ended]], pause: float, now: float
    ) -> None:
        if ended:
            found.kept = self._ledger.end(connection, ended, now)
        if pause and self._settings.clock is SYSTEM:
            self._ledger.pause(connection, now + pause)

    def _leave(self, connection: sa.Connection, over: set[int]) -> None:
        # With items still out (a second Ctrl-C) the lease goes on to its end: they may be on their way.
        if self._lease is not None and self._out <= over:
            self._ledger.leave(connection, self._lease.owner)

    def _keep_lease(self, connection: sa.Connection, found: Found, began: float, now: float) -> None:
        """Extend the lease in time, and look for those whose lease has ended; it counts from the commit on."""
        lease = found.lease = self._lease
        if lease is not None and began - self._last_beat < self._lease_seconds / 4:
            return
        if lease is None or not self._ledger.beat(connection, lease.owner, now, self._lease_seconds):
            if lease is not None:
                lease.lose()
            if lease is not None and self._out:
                self._lease = None
                raise LeaseLostError(
                    f"this process was held up for longer than its lease of {self._lease_seconds:g} s; it stops, and "
                    f"what it had sent may be unknown. Run it again to go on"
                )
            name = f"{platform.node()} {os.getpid()} {uuid.uuid4()}"
            owner = self._ledger.register(connection, name, now, self._lease_seconds)
            found.lease = Lease(owner, 0.0)
        found.beat = began
        found.lost = self._ledger.expire(connection, now)

    def _serve(self, connection: sa.Connection, found: Found, wants: list[Want], now: float, *, stopped: bool) -> None:
        """Take items for the waiters, as many as rate, pauses and rules of stopping allow."""
        lease = found.lease
        if lease is None:
            raise LedgerError("there is no lease")
        lanes = [want for want in wants if want.key is None]
        keyed = [want for want in wants if want.key is not None]
        if stopped:
            found.claims += [(want, None) for want in lanes]
            lanes = []
        number = min(len(lanes), found.room, self._session.may_take()) if self._session is not None else 0
        wanted = number + len(keyed)
        if not wanted:
            return
        held = self._held_until - running_time()
        if held > 0:
            found.wait = min(found.wait, held)
            return
        paused_until, state = self._ledger.pace(connection, changing=self._limiter is not None)
        if now < paused_until <= now + _LONGEST_PAUSE:  # a longer one comes from a clock that was set back
            self._look_at_the_rest(connection, found, now)
            found.wait = min(LOOK_AT_OTHERS, paused_until - now)
            return
        allowed = wanted
        if self._limiter is not None:
            state = self._limiter.spend(state, now, self._take_repeated()) if self._repeated else state
            allowed, found.wait = self._limiter.allowed(state, now, wanted)
            found.wait = found.wait or LOOK_AT_OTHERS
        taken = 0
        for want in keyed[:allowed]:
            entry = self._claim_key(connection, found, lease.owner, want.key or "")
            found.claims.append((want, None if entry is None else Claim(entry, lease)))
            taken += entry is not None
        free = min(number, allowed - taken)
        entries = self._claim(connection, found, lease.owner, free, now) if free > 0 else []
        found.claims += [(want, Claim(entry, lease)) for want, entry in zip(lanes, entries, strict=False)]
        taken += len(entries)
        if self._limiter is not None and taken:
            self._ledger.set_pace(connection, self._limiter.spend(state, now, taken))
        if len(entries) < free and found.over is None and None not in found.refused:
            self._look_at_the_rest(connection, found, now)

    def _claim(self, connection: sa.Connection, found: Found, owner: int, number: int, now: float) -> list[Entry]:
        try:
            entries, found.over = self._ledger.claim(connection, owner, number, now, self._limit)
        except RequestError as error:  # of an item that the limit in money cannot count
            found.refused[None] = error
            return []
        return entries

    def _claim_key(self, connection: sa.Connection, found: Found, owner: int, key: str) -> Entry | None:
        try:
            entries, reason = self._ledger.claim_key(connection, owner, key, self._limit)
        except RequestError as error:
            found.refused[key] = error
            return None
        if reason is not None:
            found.refused[key] = over(reason)
        return entries[0] if entries else None

    def _take_repeated(self) -> int:
        with self._changed:
            number, self._repeated = self._repeated, 0
            return number

    def _look_at_the_rest(self, connection: sa.Connection, found: Found, now: float) -> None:
        """Nothing was left to take: finish, or wait for what is due later or under way elsewhere."""
        due, is_under_way = self._ledger.what_is_left(connection)
        found.is_finished = due is None and not is_under_way
        if due is not None:
            found.wait = min(found.wait, max(0.001, due - now))
        if is_under_way and not found.lost:
            found.lost = self._ledger.expire(connection, now)

    # After a commit

    def _hand_on(self, found: Found, ended: list[tuple[Entry, Ended]]) -> None:
        served = {id(want) for want, _ in found.claims}
        taken = {claim.entry.id for _, claim in found.claims if claim is not None}
        keyed = {claim.entry.id for want, claim in found.claims if claim is not None and want.key}
        over = {entry.id for entry, _ in ended}
        with self._changed:
            if found.lease is not None:
                self._lease = found.lease
            if found.lease is not None and found.beat is not None:
                # A twentieth less: the others must be later than this process.
                found.lease.valid_until = found.beat + self._lease_seconds * 0.95
                self._last_beat = found.beat
            self._out |= taken
            self._keyed |= keyed
            self._wanting = deque(want for want in self._wanting if id(want) not in served)
            if found.is_finished and not self._ended and self._out <= over:
                waiting = [want for want in self._wanting if want.key is None]
                self._wanting = deque(want for want in self._wanting if want.key is not None)
                found.claims += [(want, None) for want in waiting]
        self.refused |= found.refused
        session = self._session
        if session is not None:
            session.took(sum(claim is not None and want.key is None for want, claim in found.claims))
            if None in found.refused:
                session.fail(found.refused[None])
            elif found.over is not None:
                session.stop(f"the limit in money is reached: {found.over}")
        for want, claim in found.claims:
            want.give(claim)
        for entry, what in ended:
            if entry.id in found.kept:
                logger.error(
                    "what came of %r arrived after its lease and was not written: %s, request id %s",
                    entry.key, what.state, what.request_id,
                )  # fmt: skip
            if session is not None and entry.id not in self._keyed:
                session.tell(entry, what)
        for entry in found.lost:
            if session is not None:
                session.tell(entry, None)
        with self._changed:  # only now, for waiters on the last report
            self._out -= over - taken  # what is tried again at once is out again (H186)
            self._keyed -= over - keyed
            self._changed.notify_all()

    def _failed(
        self, error: SubscribekitError, ended: list[tuple[Entry, Ended]], longest: float | None = None
    ) -> float:
        """Keep what could not be written, hand out nothing more, and try again for a while."""
        now = time.monotonic()
        self._failing_since = self._failing_since or now
        with self._changed:
            if self._failing_since == now:
                self.failures.append(error)
            self._is_stopped = True
            if self._session is not None:
                self._session.fail(error)
            self._ended = ended + self._ended
            self._refuse_all()
            if now - self._failing_since >= (_WRITE_AGAIN if longest is None else longest):
                self._give_up()
            self._changed.notify_all()
        return 0.2

    def _refuse_all(self) -> None:
        wants, self._wanting = list(self._wanting), deque()
        for want in wants:
            want.give(None)

    def _give_up(self) -> None:
        """Write to the log what cannot be written to the ledger; there it will be `unknown`."""
        for entry, what in self._ended:
            logger.error(
                "what came of %r could not be written: %s, request id %s", entry.key, what.state, what.request_id
            )
            self._out.discard(entry.id)
        # Its own lease for what comes now: what was sent under the old one is never taken for not sent (H142).
        self._lease = None
        self._ended = []
        self._failing_since = None
