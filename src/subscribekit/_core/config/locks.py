"""A lock that can't deadlock a signal handler or a forked child (H252)."""

import os
import threading
from weakref import WeakSet


class Guard:
    """A reentrant lock that is unlocked in a new forked child.

    The lock is reentrant, because a signal handler runs in the main thread, which may hold the lock already. A forked
    child gets a new lock, because the thread that held the old lock doesn't exist in the child and can't release it.
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
