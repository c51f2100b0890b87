"""A lock that neither the handler of a signal nor a forked child waits for without end (H252)."""

import os
import threading
from weakref import WeakSet


class Guard:
    """A lock that its thread may take again, and that is free in a forked child.

    The handler of a signal runs in the main thread, which may hold the lock. In a forked child the thread that held it
    at that moment is not there to give it back.
    """

    __slots__ = ("__weakref__", "lock")

    def __init__(self) -> None:
        self.lock = threading.RLock()
        _GUARDS.add(self)


_GUARDS: WeakSet[Guard] = WeakSet()


def _renew_locks() -> None:
    for guard in _GUARDS:
        guard.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)
