"""How many calls may use a connection at once, counted so that an interrupt cannot split the count.

A semaphore is taken and given back by two statements, and a signal between them loses a slot for good (H100). Here a
permit is a weak reference to the response body that uses the connection: it ends when it is released, and also when
the body is gone, however that came about. Nothing is locked, since the handler of a signal may itself make a call:
every step is one operation of a dictionary.
"""

import weakref
from typing import TypeAlias

Permit: TypeAlias = "weakref.ref[object]"


class Permits:
    """The permits of one connection pool, usable from many threads."""

    __slots__ = ("_held", "_limit")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: dict[Permit, None] = {}

    def __len__(self) -> int:
        return len(self._held)

    def hold(self, permit: Permit) -> bool:
        """Take a permit if one is left; of several threads that want the last one, the first gets it."""
        held = self._held
        held[permit] = None
        if len(held) <= self._limit:
            return True
        for each in list(held):
            if each() is None:
                held.pop(each, None)
        if permit in list(held)[: self._limit]:
            return True
        held.pop(permit, None)
        return False

    def release(self, permit: Permit) -> None:
        """Give a permit back; the second time does nothing."""
        self._held.pop(permit, None)
