"""The part of the engine that runs inside a transaction: it extends the lease, and claims items for workers."""

import os
import platform

import sqlalchemy as sa

from ...errors import InvalidArgumentError, LeaseLostError, LedgerError
from .._ledger.entries import Entry
from .._ledger.ledger import Ledger
from .._ledger.money import Limit, over
from .._values import RateLimit
from .claims import LOOK_AT_OTHERS, Claim, Found, Want
from .lease import Lease
from .pace import Limiter
from .runtime import Runtime

LONGEST_PAUSE = 3600.0
"""Seconds that one 429 can hold all workers up, whatever it says."""


class Claimer:
    """Extends the lease of this process and claims items; used by the engine's thread alone.

    Args:
        ledger: Holds the items.
        runtime: Of the run.
        rate_limit: The most requests per period, if any.
        lease: Seconds after which others may take a silent process for dead.
        limit: The most money that items of the ledger may add up to.

    Attributes:
        lease: The lease of this process, once it has claimed an item.
        undelivered: Items that were taken in a transaction whose end was not seen.
        held_until: Until when no item is claimed, because this process can't reach the service.
        repeated: Requests that the client repeated by itself since the last commit; they count toward the rate limit.
    """

    def __init__(
        self, ledger: Ledger, runtime: Runtime, rate_limit: RateLimit | None, lease: float, limit: Limit | None
    ) -> None:
        self._ledger, self._runtime, self._seconds, self._limit = ledger, runtime, lease, limit
        self._limiter = None if rate_limit is None else Limiter(rate_limit)
        self.lease: Lease | None = None
        self.last_beat = 0.0
        self.undelivered: list[Entry] = []
        self.held_until = 0.0
        self.repeated = 0

    def keep_lease(self, connection: sa.Connection, found: Found, began: float, now: float, *, is_out: bool) -> None:
        """Extend the lease in time, and look for those whose lease has ended; it counts from the commit on.

        Raises:
            LeaseLostError: The lease has ended while items were out.
        """
        lease = found.lease = self.lease
        if lease is not None and began - self.last_beat < self._seconds / 4:
            return
        if lease is None or not self._ledger.beat(connection, lease.owner, now, self._seconds):
            if lease is not None:
                lease.lose()
            if lease is not None and is_out:
                self.lease = None
                raise LeaseLostError(
                    f"this process was held up for longer than its lease of {self._seconds:g} s; it stops, and "
                    f"what it had sent may be unknown. Run it again to go on"
                )
            name = f"{platform.node()} {os.getpid()} {self._runtime.new_id():x}"
            owner = self._ledger.register(connection, name, now, self._seconds)
            found.lease = Lease(owner, self._runtime.running_time)
        found.beat = began
        found.lost = self._ledger.expire(connection, now)

    def leave(self, connection: sa.Connection) -> None:
        """End the lease."""
        if self.lease is not None:
            self._ledger.leave(connection, self.lease.owner)

    def committed(self, found: Found) -> None:
        """Let the lease that a transaction has written hold."""
        if found.lease is not None:
            self.lease = found.lease
        if found.lease is not None and found.beat is not None:
            # A twentieth less: the others must be later than this process.
            found.lease.valid_until = found.beat + self._seconds * 0.95
            self.last_beat = found.beat

    def serve(
        self, connection: sa.Connection, found: Found, wants: list[Want], now: float, *, room: int, stopped: bool
    ) -> None:
        """Take items for the waiters, as many as room, rate limit, pauses, and stop rules allow."""
        lease = found.lease
        if lease is None:
            raise LedgerError("there is no lease")
        unkeyed = [want for want in wants if want.key is None]
        keyed = [want for want in wants if want.key is not None]
        if stopped:
            found.claims += [(want, None) for want in unkeyed]
            unkeyed = []
        number = min(len(unkeyed), room)
        wanted = number + len(keyed)
        if not wanted:
            return
        held = self.held_until - self._runtime.running_time()
        if held > 0:
            found.wait = min(found.wait, held)
            return
        paused_until, state = self._ledger.pace(connection, changing=self._limiter is not None)
        if now < paused_until <= now + LONGEST_PAUSE:  # a longer one comes from a clock that was set back
            self._look_at_the_rest(connection, found, now)
            found.wait = min(LOOK_AT_OTHERS, paused_until - now)
            return
        allowed = wanted
        if self._limiter is not None:
            state = self._limiter.spend(state, now, self._take_repeated()) if self.repeated else state
            allowed, found.wait = self._limiter.allowed(state, now, wanted)
            found.wait = found.wait or LOOK_AT_OTHERS
        taken = 0
        for want in keyed[:allowed]:
            entry = self._claim_key(connection, found, lease.owner, want.key or "")
            found.claims.append((want, None if entry is None else Claim(entry, lease)))
            taken += entry is not None
        free = min(number, allowed - taken)
        entries = self._claim(connection, found, lease.owner, free, now) if free > 0 else []
        found.claims += [(want, Claim(entry, lease)) for want, entry in zip(unkeyed, entries, strict=False)]
        taken += len(entries)
        if self._limiter is not None and taken:
            self._ledger.set_pace(connection, self._limiter.spend(state, now, taken))
        if len(entries) < free and found.over is None and None not in found.refused:
            self._look_at_the_rest(connection, found, now)

    def _claim(self, connection: sa.Connection, found: Found, owner: int, number: int, now: float) -> list[Entry]:
        try:
            entries, found.over = self._ledger.claim(connection, owner, number, now, self._limit)
        except InvalidArgumentError as error:  # of an item that the amount limit cannot count
            found.refused[None] = error
            return []
        return entries

    def _claim_key(self, connection: sa.Connection, found: Found, owner: int, key: str) -> Entry | None:
        try:
            entries, reason = self._ledger.claim_key(connection, owner, key, self._limit)
        except InvalidArgumentError as error:
            found.refused[key] = error
            return None
        if reason is not None:
            found.refused[key] = over(reason)
        return entries[0] if entries else None

    def _take_repeated(self) -> int:
        number, self.repeated = self.repeated, 0
        return number

    def _look_at_the_rest(self, connection: sa.Connection, found: Found, now: float) -> None:
        """Nothing was left to take: finish, or wait for what is due later or under way elsewhere."""
        due, is_under_way = self._ledger.what_is_left(connection)
        found.is_finished = due is None and not is_under_way
        if due is not None:
            found.wait = min(found.wait, max(0.001, due - now))
        if is_under_way and not found.lost:
            found.lost = self._ledger.expire(connection, now)
