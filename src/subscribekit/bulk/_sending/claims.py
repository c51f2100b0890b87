"""The values that pass between the engine and its senders: claims and waiters."""

from dataclasses import dataclass, field
from typing import Protocol

from ...errors import SubscribekitError
from .._ledger.entries import Entry
from .lease import Lease

LOOK_AT_OTHERS = 0.25
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

    def give(self, claim: Claim | None) -> None:
        """Receive an item from the engine's thread, or `None` if there is nothing more to send."""
        ...

    def is_gone(self) -> bool:
        """Whether the worker can't send any more because its task or its thread has ended."""
        ...


@dataclass(slots=True, repr=False)
class Want:
    """A worker that waits for an item: for any item, or for the one with a key."""

    worker: Worker
    key: str | None = None


@dataclass(slots=True, repr=False)
class Found:
    """Results of one transaction, to be handed on after its commit; at first how many items it may take for workers."""

    room: int
    claims: list[tuple[Want, Claim | None]] = field(default_factory=list["tuple[Want, Claim | None]"])
    refused: dict[str | None, SubscribekitError] = field(default_factory=dict["str | None", SubscribekitError])
    over: str | None = None
    kept: dict[int, Entry] = field(default_factory=dict[int, Entry])
    lost: list[Entry] = field(default_factory=list[Entry])
    lease: Lease | None = None
    beat: float | None = None
    wait: float = LOOK_AT_OTHERS
    is_finished: bool = False
