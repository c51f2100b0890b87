"""The type of observers, apart from the events that they see: clients name it in their arguments."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .observers import CallInfo, CallObserver


class Observer:
    """Follows the calls of a client: give it as `observers=[...]`."""

    def call_started(self, call: "CallInfo") -> "CallObserver | None":
        """A call begins; give what follows it, or `None`."""
