"""The values that pass between the engine and its senders: claims and waiters."""

from dataclasses import dataclass, field
from typing import Protocol

from ...errors import SubscribekitError
from .._ledger.entries import Entry
from .lease import Lease

POLL_INTERVAL = 0.25
"""Seconds between two looks at what other processes do, while nothing else happens."""


@dataclass(slots=True, repr=False)
class Claim:
    """An item that is a worker's to send, and the lease that allows it."""

    entry: Entry
    lease: Lease


class Worker(Protocol):
    """A sender of items, as the engine knows it.

    Attributes:
        claim: The item that it holds; the engine sets it.
    """

    claim: Claim | None

    @property
    def was_sent(self) -> bool:
        """Whether a part of the request of the item may have been sent."""
        ...

    def deliver(self, claim: Claim | None) -> None:
        """Receive an item from the engine's thread, or `None` if there is nothing more to send."""
        ...

    def has_ended(self) -> bool:
        """Whether the worker can't send any more because its task or its thread has ended."""
        ...


@dataclass(slots=True, repr=False)
class Waiter:
    """A worker that waits for an item: for any item, or for the one with a key."""

    worker: Worker
    key: str | None = None


@dataclass(slots=True, repr=False)
class Cycle:
    """Results of one transaction, to be handed on after its commit; at first how many items it may take for workers."""

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
