"""The part of the engine that runs inside a transaction: it renews the lease and claims items for workers."""

import os
import platform

import sqlalchemy as sa

from ...errors import InvalidArgumentError, LeaseLostError, LedgerError
from .._ledger.entries import Entry
from .._ledger.ledger import Ledger
from .._ledger.money import Limit, limit_error
from .._values import RateLimit
from .claims import POLL_INTERVAL, Claim, Cycle, Waiter
from .lease import Lease
from .pace import Limiter
from .runtime import Runtime

LONGEST_PAUSE = 3600.0
"""Maximum number of seconds for which one 429 response can make the run wait."""


class Claimer:
    """Renews the lease of this process and claims items. Only the engine's thread uses this object.

    Args:
        ledger: The ledger.
        runtime: The clock and the random numbers of the run.
        rate_limit: The maximum number of requests per period, if any.
        lease: Seconds without a renewal after which other processes consider this process dead.
        limit: The maximum total amount of the ledger's items, if any.

    Attributes:
        lease: The lease of this process, or `None` if the process hasn't claimed an item.
        last_renewal: The time of the last renewal, on the clock `running_time`.
        unconfirmed: Items that were claimed in a transaction whose commit wasn't confirmed.
        process_paused_until: The time until which no item is claimed, because this process can't reach the service.
        retries: The number of retries by the client since the last commit. Retries count toward the rate limit.
    """

    def __init__(
        self, ledger: Ledger, runtime: Runtime, rate_limit: RateLimit | None, lease: float, limit: Limit | None
    ) -> None:
        self._ledger, self._runtime, self._seconds, self._limit = ledger, runtime, lease, limit
        self._limiter = None if rate_limit is None else Limiter(rate_limit)
        self.lease: Lease | None = None
        self.last_renewal = 0.0
        self.unconfirmed: list[Entry] = []
        self.process_paused_until = 0.0
        self.retries = 0

    def renew_lease(
        self, connection: sa.Connection, cycle: Cycle, began: float, now: float, *, has_claims: bool
    ) -> None:
        """Renew the lease if the renewal is due, and end the leases of dead processes.

        These changes take effect when the transaction commits.

        Raises:
            LeaseLostError: The lease expired while items were in flight.
        """
        lease = cycle.lease = self.lease
        if lease is not None and began - self.last_renewal < self._seconds / 4:
            return
        if lease is None or not self._ledger.renew_lease(connection, lease.owner, now, self._seconds):
            if lease is not None:
                lease.lose()
            if lease is not None and has_claims:
                self.lease = None
                raise LeaseLostError(
                    f"the run stopped, because this process stalled for longer than its lease of {self._seconds:g} s. "
                    f"The outcomes of items in flight may be unknown; resume the run"
                )
            name = f"{platform.node()} {os.getpid()} {self._runtime.new_id():x}"
            owner = self._ledger.register(connection, name, now, self._seconds)
            cycle.lease = Lease(owner, self._runtime.running_time)
        cycle.renewed_at = began
        cycle.expired = self._ledger.expire(connection, now)

    def end_lease(self, connection: sa.Connection) -> None:
        """End the lease."""
        if self.lease is not None:
            self._ledger.end_lease(connection, self.lease.owner)

    def committed(self, cycle: Cycle) -> None:
        """Use the lease that a committed transaction has written."""
        if cycle.lease is not None:
            self.lease = cycle.lease
        if cycle.lease is not None and cycle.renewed_at is not None:
            # Use only 95% of the lease, so that this process stops sending before other processes consider it dead.
            cycle.lease.valid_until = cycle.renewed_at + self._seconds * 0.95
            self.last_renewal = cycle.renewed_at

    def claim_for_waiters(
        self,
        connection: sa.Connection,
        cycle: Cycle,
        waiters: list[Waiter],
        now: float,
        *,
        max_claims: int,
        stopped: bool,
    ) -> None:
        """Claim items for the waiters, within `max_claims`, the rate limit, and the stop rules."""
        lease = cycle.lease
        if lease is None:
            raise LedgerError("this process has no lease; resume the run")
        unkeyed = [waiter for waiter in waiters if waiter.key is None]
        keyed = [waiter for waiter in waiters if waiter.key is not None]
        if stopped:
            cycle.claims += [(waiter, None) for waiter in unkeyed]
            unkeyed = []
        number = min(len(unkeyed), max_claims)
        wanted = number + len(keyed)
        if not wanted:
            return
        remaining_pause = self.process_paused_until - self._runtime.running_time()
        if remaining_pause > 0:
            cycle.wait = min(cycle.wait, remaining_pause)
            return
        paused_until, state = self._ledger.pace(connection, changing=self._limiter is not None)
        # Ignore a `paused_until` after `now + LONGEST_PAUSE`, because the clock must have been set back.
        if now < paused_until <= now + LONGEST_PAUSE:
            self._check_remaining(connection, cycle, now)
            cycle.wait = min(POLL_INTERVAL, paused_until - now)
            return
        allowed = wanted
        if self._limiter is not None:
            state = self._limiter.spend(state, now, self._take_retries()) if self.retries else state
            allowed, cycle.wait = self._limiter.allowed(state, now, wanted)
            cycle.wait = cycle.wait or POLL_INTERVAL
        claimed = 0
        for waiter in keyed[:allowed]:
            entry = self._claim_key(connection, cycle, lease.owner, waiter.key or "")
            cycle.claims.append((waiter, None if entry is None else Claim(entry, lease)))
            claimed += entry is not None
        free = min(number, allowed - claimed)
        entries = self._claim(connection, cycle, lease.owner, free, now) if free > 0 else []
        cycle.claims += [(waiter, Claim(entry, lease)) for waiter, entry in zip(unkeyed, entries, strict=False)]
        claimed += len(entries)
        if self._limiter is not None and claimed:
            self._ledger.set_pace(connection, self._limiter.spend(state, now, claimed))
        if len(entries) < free and cycle.limit_reached is None and None not in cycle.refused:
            self._check_remaining(connection, cycle, now)

    def _claim(self, connection: sa.Connection, cycle: Cycle, owner: int, number: int, now: float) -> list[Entry]:
        try:
            entries, cycle.limit_reached = self._ledger.claim(connection, owner, number, now, self._limit)
        except InvalidArgumentError as error:  # the amount of the first item can't be counted
            cycle.refused[None] = error
            return []
        return entries

    def _claim_key(self, connection: sa.Connection, cycle: Cycle, owner: int, key: str) -> Entry | None:
        try:
            entries, reason = self._ledger.claim_key(connection, owner, key, self._limit)
        except InvalidArgumentError as error:
            cycle.refused[key] = error
            return None
        if reason is not None:
            cycle.refused[key] = limit_error(reason)
        return entries[0] if entries else None

    def _take_retries(self) -> int:
        number, self.retries = self.retries, 0
        return number

    def _check_remaining(self, connection: sa.Connection, cycle: Cycle, now: float) -> None:
        """Find out whether items are due later or in flight in another process, or whether all items have ended."""
        due, is_in_flight = self._ledger.remaining_work(connection)
        cycle.is_finished = due is None and not is_in_flight
        if due is not None:
            cycle.wait = min(cycle.wait, max(0.001, due - now))
        if is_in_flight and not cycle.expired:
            cycle.expired = self._ledger.expire(connection, now)
