"""A display of progress, which never disturbs what it shows."""

import time
from collections.abc import Callable

from ....errors import InvalidArgumentError
from .log import can_show

_EVERY = 0.1
_SHARE = 20


class Display:
    """Shows progress at most ten times a second; a display that fails is switched off.

    Args:
        progress: `True`, `False`, or a callable of the caller's own.
        given: What the callable is given, for the error.

    Raises:
        InvalidArgumentError: `progress` is none of these.
    """

    def __init__(self, progress: object, given: str) -> None:
        if type(progress) is not bool and not callable(progress):
            raise InvalidArgumentError(f"progress must be True, False or a callable that is given {given}")
        self.is_on: bool = progress is not False
        self._next = 0.0

    @property
    def is_due(self) -> bool:
        """Whether the time for the next `tell` has come."""
        return self.is_on and time.monotonic() >= self._next

    def draw(self, draw: Callable[[], object]) -> None:
        """Draw; if that fails, draw nothing from now on."""
        self.is_on = self.is_on and can_show(draw)

    def tell(self, tell: Callable[[], object]) -> None:
        """Draw the present state; the longer that takes, the later it's due again."""
        began = time.monotonic()
        self.draw(tell)
        ended = time.monotonic()
        self._next = ended + max(_EVERY, _SHARE * (ended - began))
