"""Tracks the claimed items of a process until the results are written, and notifies callers that wait for a result."""

from collections.abc import Callable

from .claims import Cycle, Worker


class InFlight:
    """The claimed items whose results haven't been written or discarded. Only the engine's thread uses this object.

    Args:
        max_unstarted: The maximum number of claimed items whose request hasn't started.

    Attributes:
        workers: The worker of each item, by item ID.
        keyed: The IDs of the items that were requested by key.
    """

    def __init__(self, max_unstarted: int) -> None:
        self._max_unstarted = max_unstarted
        self.workers: dict[int, Worker] = {}
        self.keyed: set[int] = set()
        self._sending: set[int] = set()
        self._waiters: list[tuple[int, Callable[[], object]]] = []

    def claims_allowed(self, ended: int) -> int:
        """Return the number of items that may be claimed after `ended` items have ended.

        If the process is killed, a claimed item becomes `unknown` even if its request was never sent. Therefore, only a
        few items are claimed ahead of time (H300).
        """
        return max(0, self._max_unstarted - (len(self.workers) - ended - len(self._sending)))

    def add(self, cycle: Cycle) -> None:
        """Start to track the items that a transaction has claimed."""
        for waiter, claim in cycle.claims:
            if claim is not None:
                self.workers[claim.entry.id] = waiter.worker
                if waiter.key is not None:
                    self.keyed.add(claim.entry.id)

    def begin(self, item: int) -> None:
        """Record that the request of an item is about to be sent."""
        self._sending.add(item)

    def end(self, item: int) -> None:
        """Record that the request of an item has ended, before the result is written."""
        self._sending.discard(item)

    def wait(self, item: int, written: Callable[[], object]) -> None:
        """Call `written` when the result of an item has been written or discarded."""
        if item in self.workers:
            self._waiters.append((item, written))
        else:
            written()

    def remove(self, items: set[int]) -> None:
        """Remove items whose results were written or discarded."""
        self.workers = {item: worker for item, worker in self.workers.items() if item not in items}
        self.keyed &= self.workers.keys()
        self._sending &= self.workers.keys()
        written = [waiter for item, waiter in self._waiters if item not in self.workers]
        self._waiters = [(item, waiter) for item, waiter in self._waiters if item in self.workers]
        for waiter in written:
            waiter()
