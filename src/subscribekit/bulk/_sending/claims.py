"""The values that the engine and the workers exchange."""

from dataclasses import dataclass, field
from typing import Protocol

from ...errors import SubscribekitError
from .._ledger.entries import Entry
from .lease import Lease

POLL_INTERVAL = 0.25
"""Seconds between two checks for changes by other processes, if nothing else happens."""


@dataclass(slots=True, repr=False)
class Claim:
    """An item that a worker may send, and the lease under which the item was claimed."""

    entry: Entry
    lease: Lease


class Worker(Protocol):
    """The methods of a worker that the engine uses.

    Attributes:
        claim: The item that the worker is sending, or `None`. Only the engine's thread changes this attribute.
    """

    claim: Claim | None

    @property
    def was_sent(self) -> bool:
        """Whether a part of the item's request may have been sent."""
        ...

    def deliver(self, claim: Claim | None) -> None:
        """Receive an item, or `None` if there are no more items. The engine's thread calls this method."""
        ...

    def has_ended(self) -> bool:
        """Whether the worker's task or thread has ended, so that the worker can't send any more items."""
        ...


@dataclass(slots=True, repr=False)
class Waiter:
    """A worker that waits for any item, or for the item with a given key."""

    worker: Worker
    key: str | None = None


@dataclass(slots=True, repr=False)
class Cycle:
    """The state of one transaction of the engine: the maximum number of claims, and the results."""

    max_claims: int
    claims: list[tuple[Waiter, Claim | None]] = field(default_factory=list["tuple[Waiter, Claim | None]"])
    refused: dict[str | None, SubscribekitError] = field(default_factory=dict["str | None", SubscribekitError])
    limit_reached: str | None = None
    superseded: dict[int, Entry] = field(default_factory=dict[int, Entry])
    expired: list[Entry] = field(default_factory=list[Entry])
    lease: Lease | None = None
    renewed_at: float | None = None
    wait: float = POLL_INTERVAL
    is_finished: bool = False
