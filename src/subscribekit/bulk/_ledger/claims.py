"""The values that pass between the engine and its senders: claims and waiters."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from ...errors import SubscribekitError
from .._sending.lease import Lease
from .entries import Entry

LOOK_AT_OTHERS = 0.25
"""Seconds between two looks at what other processes do, while nothing else happens."""


@dataclass(slots=True, repr=False)
class Claim:
    """An item that is a lane's to send, and the lease that allows it."""

    entry: Entry
    lease: Lease


Give: TypeAlias = Callable[[Claim | None], None]
"""Hands an item to a lane; `None` when there is nothing more for it."""


@dataclass(slots=True, repr=False)
class Want:
    """A waiter for an item: for any, or for the one with a key."""

    give: Give
    key: str | None = None


@dataclass(slots=True, repr=False)
class Found:
    """Results of one transaction, to be handed on after its commit; at first how many items it may take for lanes."""

    room: int
    claims: list[tuple[Want, Claim | None]] = field(default_factory=list["tuple[Want, Claim | None]"])
    refused: dict[str | None, SubscribekitError] = field(default_factory=dict["str | None", SubscribekitError])
    over: str | None = None
    kept: set[int] = field(default_factory=set[int])
    lost: list[Entry] = field(default_factory=list[Entry])
    lease: Lease | None = None
    beat: float | None = None
    wait: float = LOOK_AT_OTHERS
    is_finished: bool = False
