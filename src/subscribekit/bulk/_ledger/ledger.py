"""The ledger: its items, the processes that send items, and the outcomes. Each method is one step of a transaction.

Each statement that changes an item also checks the state that the item must have. Therefore, a process never overwrites
the result of another process, even on another machine.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ..._core.calls.prepared.stored import StoredCall
from ..._core.calls.settings import Settings
from ..._sealed import Content, Secret
from ...errors import BulkError, LedgerError
from .._values import STATES, Counts, State
from .charged import amount_of
from .database import Database
from .entries import Entry, SendResult, entry_of
from .money import Amounts, Limit, add_spent, affordable, amounts_of, start_counting
from .schema import NEVER, VERSION, items, ledger, owners, shapes
from .statements import (
    JOINED,
    PACE,
    PACE_TO_CHANGE,
    READY,
    WRITE_LATE_RESULT,
    WRITE_RESULT,
    claim_statement,
    driver_values,
)

NewItem: TypeAlias = tuple[str, StoredCall, Content | None]
"""The key of an item, the call, and the body of the call before compression."""
DIED = "the process that sent it ended before it wrote what came of it"
"""The stored error text of an item whose process died. The report contains a different text for such an item."""
_LABELS = {"group": "service", "origin": "base URL", "environment": "environment"}


def digest_of(call: StoredCall) -> bytes:
    """Return a digest that identifies a request, even after its data was purged."""
    digest = hashlib.sha256()
    for part in (call.method.encode(), call.target.encode()):
        digest.update(b"%d:" % len(part) + part)
    if call.body is None:
        digest.update(b"1:-")
    else:
        digest.update(b"%d:+" % (1 + len(call.body)) + call.body.reveal())
    return digest.digest()


class Ledger:
    """The items of one run, and the processes that send them.

    Args:
        database: The database that contains the ledger.
        settings: The settings of the client. The ledger belongs to the client's service, base URL, and environment.
        merchant: The client's API user (billing) or API key (gateway). The ledger belongs to one merchant.
        accept_new_key: Whether to accept an API user or API key that isn't the ledger's, and to store it in the ledger.

    Raises:
        LedgerError: The ledger has another version, or belongs to another service, base URL, environment, or merchant.
    """

    def __init__(
        self, database: Database, settings: Settings, merchant: Secret | None, *, accept_new_key: bool
    ) -> None:
        self.database: Database = database
        self._shapes: dict[str, int] = {}
        self._moment = settings.moment
        with database.write() as connection:
            database.lock_ledger(connection)
            self._check_client(connection, settings)
            if merchant is not None:
                self._check_merchant(connection, merchant, accept_new_key=accept_new_key)

    def _check_client(self, connection: sa.Connection, settings: Settings) -> None:
        epoch, _ = self.database.clock(connection)
        own = {
            "group": settings.group, "origin": settings.address.url, "environment": settings.environment
        }  # fmt: skip
        row = connection.execute(sa.select(ledger)).mappings().one_or_none()
        if row is None:
            connection.execute(
                ledger.insert(),
                {"id": 1, "version": VERSION, "created_at": self.time(), "epoch": epoch, "paused_until": 0, "pace": 0}
                | own,
            )
            return
        self.database.refuse_other_version(row["version"])
        for name, value in own.items():
            if row[name] != value:
                raise LedgerError(
                    f"{self.database.name} belongs to the {_LABELS[name]} {row[name]!r}, but the client has {value!r}; "
                    f"nothing was sent. Use a client for {row[name]!r}, or use another ledger"
                )
        if row["epoch"] != epoch:
            self._after_restart(connection, epoch)

    def _check_merchant(self, connection: sa.Connection, merchant: Secret, *, accept_new_key: bool) -> None:
        """Refuse a client of another merchant, even if it has the ledger's base URL and environment (H233)."""
        mark: str | None = connection.execute(sa.select(ledger.c.merchant)).scalar_one()
        if mark is not None:
            salt, _, digest = mark.partition(":")
            if merchant.digest(bytes.fromhex(salt)) == digest:
                return
            if not accept_new_key:
                raise LedgerError(
                    f"{self.database.name} belongs to another API user (billing) or another API key (gateway) than the "
                    f"client; nothing was sent. If the same merchant has a new API user or API key, pass "
                    f"accept_new_key=True (bulk resume --accept-new-key)"
                )
        salted = secrets.token_bytes(16)
        connection.execute(ledger.update().values(merchant=f"{salted.hex()}:{merchant.digest(salted)}"))

    def _after_restart(self, connection: sa.Connection, epoch: str) -> None:
        """Reset the times that depend on the machine's clock, and end all leases, because the machine was restarted."""
        connection.execute(ledger.update().values(epoch=epoch, paused_until=0, pace=0))
        connection.execute(owners.update().values(ended=True))
        connection.execute(items.update().where(items.c.state == "ready", items.c.due < NEVER).values(due=0))

    def time(self) -> float:
        """Return the current time of the client's clock, in seconds since 1970."""
        return self.database.runtime.wall_time()

    # Adding

    def add(self, batch: Sequence[NewItem]) -> int:
        """Write new items. Existing items with the same key and the same request don't change.

        Returns:
            The number of new items.

        Raises:
            BulkError: A key was already used for another request. The batch was not written.
        """
        wanted: dict[str, bytes] = {}
        for key, call, _ in batch:
            digest = digest_of(call)
            if wanted.setdefault(key, digest) != digest:
                raise _other_request(key)
        with self.database.write() as connection:
            self.database.lock_ledger(connection)
            known = self._digests(connection, wanted)
            for key, digest in known.items():
                if wanted[key] != digest:
                    raise _other_request(key)
            new = {key: (call, body) for key, call, body in batch if key not in known}
            if not new:
                return 0
            now, numbers = self.time(), self._shape_ids(connection, {call.shape for call, _ in new.values()})
            rows = [
                self._row(key, call, wanted[key], numbers[call.shape], now) | _money_of(call, body)
                for key, (call, body) in new.items()
            ]
            connection.execute(items.insert(), list(map(driver_values, rows)))
        self._shapes.update(numbers)
        return len(new)

    @staticmethod
    def _row(key: str, call: StoredCall, digest: bytes, shape: int, now: float) -> dict[str, object]:
        return {
            "key": key, "digest": digest, "state": "ready", "due": 0, "operation": call.name, "method": call.method,
            "safety": call.safety, "shape": shape, "target": call.target, "own": call.own or None, "body": call.body,
            "sends": 0, "tries": 0, "attempts": 0, "is_purged": False, "added_at": now,
        }  # fmt: skip

    def _digests(self, connection: sa.Connection, keys: Iterable[str]) -> dict[str, bytes]:
        found = connection.execute(sa.select(items.c.key, items.c.digest).where(items.c.key.in_(list(keys))))
        return {key: bytes(digest) for key, digest in found}

    def _shape_ids(self, connection: sa.Connection, wanted: set[str]) -> dict[str, int]:
        numbers = {shape: self._shapes[shape] for shape in wanted if shape in self._shapes}
        for shape in wanted - numbers.keys():
            insert = sqlite.insert if self.database.is_sqlite else postgresql.insert
            connection.execute(insert(shapes).on_conflict_do_nothing(index_elements=["shape"]), {"shape": shape})
            number = connection.execute(sa.select(shapes.c.id).where(shapes.c.shape == shape)).scalar_one()
            numbers[shape] = int(number)
        return numbers

    # Owners

    def register(self, connection: sa.Connection, name: str, now: float, lease: float) -> int:
        """Add a process that will send items, and return a random number that identifies the process.

        If the database assigned the number, it could reuse the number of a failed transaction, and two processes would
        own the same items (H385).
        """
        owner = secrets.randbelow(2**63 - 1) + 1
        connection.execute(owners.insert().values(id=owner, name=name, expires=now + lease, ended=False))
        return owner

    def renew_lease(self, connection: sa.Connection, owner: int, now: float, lease: float) -> bool:
        """Renew a lease, and return `False` if another process has ended it."""
        done = connection.execute(
            owners.update().where(owners.c.id == owner, ~owners.c.ended).values(expires=now + lease)
        )
        return done.rowcount == 1

    def end_lease(self, connection: sa.Connection, owner: int) -> None:
        """End the lease of a process. The next `expire` changes the items of the process from `sent` to `unknown`."""
        connection.execute(owners.update().where(owners.c.id == owner).values(ended=True))

    def expire(self, connection: sa.Connection, now: float) -> list[Entry]:
        """End the leases that have expired, make their `sent` items `unknown`, and return these items."""
        connection.execute(owners.update().where(~owners.c.ended, owners.c.expires < now).values(ended=True))
        ended = sa.select(owners.c.id).where(owners.c.ended)
        expired = sa.select(items.c.id).where(items.c.state == "sent", items.c.owner.in_(ended))
        numbers = list(connection.execute(expired.with_for_update(skip_locked=True)).scalars())
        if not numbers:
            return []
        connection.execute(
            items.update()
            .where(items.c.id.in_(numbers), items.c.state == "sent")
            .values(state="unknown", due=0, outcome="unknown", error_text=DIED, ended_at=self.time())
            .values(expired=str(self._moment()))
        )
        rows = connection.execute(JOINED.where(items.c.id.in_(numbers), items.c.state == "unknown"))
        return list(map(entry_of, rows))

    # Claims and results

    def start_counting(self, limit: Limit) -> None:
        """Start to count the amounts of the ledger's items toward the amount limit.

        Raises:
            InvalidArgumentError: The amount of an item can't be counted toward the amount limit.
        """
        with self.database.write() as connection:
            start_counting(connection, limit)

    def claim(
        self, connection: sa.Connection, owner: int, number: int, now: float, limit: Limit | None = None
    ) -> tuple[list[Entry], str | None]:
        """Claim items, and make them `sent`, because their requests are sent right after the commit.

        Returns:
            The items, and the reason why the amount limit doesn't allow the next item, or `None`.

        Raises:
            InvalidArgumentError: The amount of the first item can't be counted toward the amount limit.
        """
        rows = READY.run(connection, {"now": now, "number": number})
        return self._claim_entries(connection, owner, list(map(entry_of, rows)), limit)

    def claim_key(
        self, connection: sa.Connection, owner: int, key: str, limit: Limit | None = None
    ) -> tuple[list[Entry], str | None]:
        """Claim the item with this key if it's `ready`, in the same way as `claim`."""
        chosen = JOINED.where(items.c.key == key, items.c.state == "ready").with_for_update(of=items)
        return self._claim_entries(connection, owner, list(map(entry_of, connection.execute(chosen))), limit)

    def _claim_entries(
        self, connection: sa.Connection, owner: int, chosen: list[Entry], limit: Limit | None
    ) -> tuple[list[Entry], str | None]:
        reason: str | None = None
        if limit is not None and chosen:
            chosen, reason = affordable(connection, limit, chosen)
        if not chosen:
            return chosen, reason
        self.database.require_mark(connection)
        now, moment = self.time(), str(self._moment())
        ids = {f"id{number}": each.id for number, each in enumerate(chosen)}
        claimed = claim_statement(len(chosen)).run(connection, {"by": owner, "at": now, "moment": moment, **ids})
        if claimed.rowcount != len(chosen):
            raise LedgerError(f"{self.database.name} is damaged; the index doesn't match the items")
        for each in chosen:
            each.state, each.owner, each.sends, each.sent_at = "sent", owner, each.sends + 1, now
            each.claimed, each.expired = moment, None
        add_spent(connection, chosen)
        return chosen, reason

    def write_results(
        self, connection: sa.Connection, results: Sequence[tuple[Entry, SendResult]], now: float
    ) -> dict[int, Entry]:
        """Write the results of items that this process sent.

        If an item became `unknown` because the lease ended, a later result is written, unless another outcome was
        recorded. If an item became `ready` again, only a `done` result is written, and only before the next send.

        Returns:
            The current ledger entries of the items whose result was not written, by item ID.
        """
        rows = [self._result_row(entry, result, now) for entry, result in results]
        if WRITE_RESULT.run_each(connection, rows).rowcount == len(rows):
            return {}
        late = [
            each for each, row in zip(results, rows, strict=True) if WRITE_LATE_RESULT.run(connection, row).rowcount
        ]
        if late:
            add_spent(connection, [entry for entry, _ in late])
        states = {entry.id: result.state for entry, result in results}
        stored = map(entry_of, connection.execute(JOINED.where(items.c.id.in_(states))))
        return {entry.id: entry for entry in stored if entry.state != states[entry.id]}

    def _result_row(self, entry: Entry, result: SendResult, now: float) -> dict[str, object]:
        is_ready = result.state == "ready"
        due = 0.0 if not is_ready else NEVER if result.backoff is None else now + result.backoff
        row: dict[str, object] = {f"new_{name}": value for name, value in result.columns.items()}
        row |= {"of_id": entry.id, "of_owner": entry.owner, "of_sends": entry.sends, "new_state": result.state}
        return row | {
            "new_due": due, "more_attempts": result.attempts, "new_tries": entry.tries + (is_ready and result.counts),
            "new_ended_at": None if is_ready else self.time(),
        }  # fmt: skip

    def return_claims(self, connection: sa.Connection, entries: Sequence[Entry]) -> None:
        """Make items `ready` again if no worker received them, because the commit of their claims wasn't confirmed.

        If the transaction of the claims was rolled back, another process may have claimed some of the items. Items that
        another process claimed don't change.
        """
        if not entries:
            return
        # PostgreSQL may execute the COMMIT of a dead connection later, and locks the claimed items until then. Use a
        # SELECT to wait until the items are unlocked. An UPDATE alone wouldn't wait, because it finds only items that
        # are `sent`, and the items are `ready` until PostgreSQL executes the COMMIT (H387).
        numbers = sorted(entry.id for entry in entries)
        connection.execute(sa.select(items.c.id).where(items.c.id.in_(numbers)).with_for_update())
        for entry in entries:
            own = (items.c.id == entry.id, items.c.owner == entry.owner, items.c.sends == entry.sends)
            connection.execute(items.update().where(*own, items.c.state == "sent").values(state="ready"))

    def reset_attempts(self, connection: sa.Connection, owner: int | None) -> None:
        """Allow new attempts for items that have used up all attempts, unless another process has a lease."""
        at_work = sa.exists().where(~owners.c.ended, owners.c.id != (owner or 0))
        connection.execute(
            items.update().where(items.c.state == "ready", items.c.due == NEVER, ~at_work).values(due=0, tries=0)
        )

    def remaining_work(self, connection: sa.Connection) -> tuple[float | None, bool]:
        """Return the time when the next item is due, or `None`, and whether any process has an item in flight."""
        due = connection.execute(sa.select(sa.func.min(items.c.due)).where(items.c.state == "ready")).scalar()
        sent = connection.execute(sa.select(sa.exists().where(items.c.state == "sent"))).scalar_one()
        return (None if due is None or due >= NEVER else float(due)), bool(sent)

    # Pacing

    def pace(self, connection: sa.Connection, *, changing: bool) -> tuple[float, int]:
        """Return the time until which all workers wait, and the state of the rate limiter.

        If `changing` is `True`, other transactions can't change the time or the state until this transaction ends.
        """
        until, state = tuple((PACE_TO_CHANGE if changing else PACE).run(connection).one())
        return float(until), int(state)

    def set_pace(self, connection: sa.Connection, pace: int) -> None:
        """Write the new state of the rate limiter."""
        connection.execute(ledger.update().values(pace=pace))

    def pause(self, connection: sa.Connection, until: float) -> None:
        """Make the workers of all processes wait until a time on the ledger's clock."""
        connection.execute(ledger.update().where(ledger.c.paused_until < until).values(paused_until=until))

    # Reading

    def counts(self) -> Counts:
        """Return the number of items in each state."""
        with self.database.read() as connection:
            counted = sa.select(items.c.state, sa.func.count()).group_by(items.c.state)
            found: dict[str, int] = dict(connection.execute(counted).all())
        return Counts(**{state: found.get(state, 0) for state in STATES})

    def amounts(self) -> tuple[Amounts, ...]:
        """Return the amounts of the `ready` items, for each currency."""
        with self.database.read() as connection:
            return amounts_of(connection)

    def entry(self, key: str) -> Entry | None:
        """Return the item with this key, or `None`."""
        with self.database.read() as connection:
            found = list(map(entry_of, connection.execute(JOINED.where(items.c.key == key))))
        return found[0] if found else None

    def page(self, state: State | None, after: Entry | None, size: int) -> list[Entry]:
        """Return the page of items after a given item. If `state` is `None`, include items in all states."""
        with self.database.read() as connection:
            if state is None:
                later = JOINED.where(items.c.id > (after.id if after else 0)).order_by(items.c.id)
                return list(map(entry_of, connection.execute(later.limit(size))))
            ordered = JOINED.where(items.c.state == state).order_by(items.c.due, items.c.id)
            found: list[Entry] = []
            if after is not None:  # a condition on both columns would make the database scan all earlier items
                same = ordered.where(items.c.due == after.due, items.c.id > after.id)
                found += map(entry_of, connection.execute(same.limit(size)))
                ordered = ordered.where(items.c.due > after.due)
            if len(found) < size:
                found += map(entry_of, connection.execute(ordered.limit(size - len(found))))
        return found

    def unknown_sends(self) -> dict[int, int]:
        """Return the number of times that each `unknown` item was sent, by item ID."""
        with self.database.read() as connection:
            chosen = sa.select(items.c.id, items.c.sends).where(items.c.state == "unknown")
            return dict(connection.execute(chosen).all())

    def pages(self, state: State | None, size: int = 200) -> Iterator[list[Entry]]:
        """Yield all items that have a given state. Each page is read only when the caller needs it."""
        last: Entry | None = None
        while found := self.page(state, last, size):
            last = found[-1]
            yield found

    # Outcomes

    def record_outcome_of(self, entry: Entry, states: Sequence[State], values: Mapping[str, object]) -> bool:
        """Record an outcome, and return `False` if the item has changed since it was read."""
        with self.database.write() as connection:
            self.database.require_mark(connection)
            done = connection.execute(
                items.update()
                .where(items.c.id == entry.id, items.c.sends == entry.sends, items.c.state == entry.state)
                .where(items.c.state.in_(states))
                .values(driver_values(values))
            )
            if done.rowcount and values.get("state") == "done" and entry.state in ("ready", "rejected"):
                add_spent(connection, [entry])
            return done.rowcount == 1

    def purge_data(self) -> int:
        """Erase the requests and results of the done items from the ledger's files.

        Returns:
            The number of items whose data was erased.
        """
        erased: dict[str, object] = {
            "target": None, "own": None, "body": None, "result": None, "error": None, "error_text": None,
            "note": None, "is_purged": True,
        }  # fmt: skip
        with self.database.write() as connection:
            done = connection.execute(
                items.update().where(items.c.state == "done", ~items.c.is_purged).values(**erased)
            )
        self.database.wipe()
        return done.rowcount


def _money_of(call: StoredCall, body: Content | None) -> dict[str, object]:
    amount, currency = amount_of(body, call.name)
    return {"amount": amount, "currency": currency}


def _other_request(key: str) -> BulkError:
    return BulkError(
        f"the key {key!r} was already used for another request; use a new key for each request. Nothing of this batch "
        f"was added"
    )
