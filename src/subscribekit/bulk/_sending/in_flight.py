"""The items that the workers of a process hold, and the callers that wait for their outcomes."""

from collections.abc import Callable

from .claims import Cycle, Worker


class InFlight:
    """Items from their claim until their outcome is written or given up; used by the engine's thread alone.

    Args:
        max_unstarted: How many items may be claimed at most whose request hasn't begun.

    Attributes:
        workers: The worker of each item, by the item's number.
        keyed: Items that were asked for by their key.
    """

    def __init__(self, max_unstarted: int) -> None:
        self._max_unstarted = max_unstarted
        self.workers: dict[int, Worker] = {}
        self.keyed: set[int] = set()
        self._sending: set[int] = set()
        self._waiters: list[tuple[int, Callable[[], object]]] = []

    def claims_allowed(self, ended: int) -> int:
        """Return how many items may be claimed, if so many have ended.

        An item that is claimed and not at the service is unknown after a kill all the same, so only a few are (H300).
        """
        return max(0, self._max_unstarted - (len(self.workers) - ended - len(self._sending)))

    def add(self, cycle: Cycle) -> None:
        """Add the items that a transaction has claimed."""
        for waiter, claim in cycle.claims:
            if claim is not None:
                self.workers[claim.entry.id] = waiter.worker
                if waiter.key is not None:
                    self.keyed.add(claim.entry.id)

    def begin(self, item: int) -> None:
        """Note that the request of an item is about to be sent."""
        self._sending.add(item)

    def end(self, item: int) -> None:
        """Note that the request of an item has ended; its outcome isn't written yet."""
        self._sending.discard(item)

    def wait(self, item: int, written: Callable[[], object]) -> None:
        """Call `written` when an item is removed."""
        if item in self.workers:
            self._waiters.append((item, written))
        else:
            written()

    def remove(self, items: set[int]) -> None:
        """Remove items whose outcome is written or given up."""
        self.workers = {item: worker for item, worker in self.workers.items() if item not in items}
        self.keyed &= self.workers.keys()
        self._sending &= self.workers.keys()
        written = [waiter for item, waiter in self._waiters if item not in self.workers]
        self._waiters = [(item, waiter) for item, waiter in self._waiters if item in self.workers]
        for waiter in written:
            waiter()
