"""The type of observers, apart from the events that they see: clients name it in their arguments."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .observers import CallInfo, CallObserver


class Observer:
    """Follows the calls of a client: give it as `observers=[...]`."""

    def call_started(self, call: "CallInfo") -> "CallObserver | None":
        """A call begins; give what follows it, or `None`."""


automatic: list[Observer] = []
"""Observers of each client that is made while they are here, put here by the instrumentation of a process."""


def with_automatic(given: tuple[Observer, ...]) -> tuple[Observer, ...]:
    """Add the automatic observers, but for those whose base class is among the given ones."""
    return (
        *given,
        *(each for each in automatic if not any(isinstance(own, type(each).__base__ or Observer) for own in given)),
    )
