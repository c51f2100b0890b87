"""Shows progress without disturbing the work."""

import time
from collections.abc import Callable

from ....errors import InvalidArgumentError
from .log import can_show

_MIN_INTERVAL = 0.1
"""Seconds between two drawings, at least."""
_REST = 20
"""After a drawing, wait at least this many times as long as it took."""


class Display:
    """Shows progress at most ten times a second, and is switched off if drawing fails.

    Args:
        progress: `True`, `False`, or the caller's own callable.
        given: The argument that the callable receives, for the error message.

    Raises:
        InvalidArgumentError: `progress` isn't one of these.
    """

    def __init__(self, progress: object, given: str) -> None:
        if type(progress) is not bool and not callable(progress):
            raise InvalidArgumentError(f"progress must be True, False, or a callable that receives {given}")
        self.is_on: bool = progress is not False
        self._next = 0.0

    @property
    def is_due(self) -> bool:
        """Whether it's time for the next `tell`."""
        return self.is_on and time.monotonic() >= self._next

    def draw(self, draw: Callable[[], object]) -> None:
        """Draw the progress. If that fails, switch the display off."""
        self.is_on = self.is_on and can_show(draw)

    def tell(self, tell: Callable[[], object]) -> None:
        """Draw the current state. The longer a drawing takes, the later the next one is due."""
        began = time.monotonic()
        self.draw(tell)
        ended = time.monotonic()
        self._next = ended + max(_MIN_INTERVAL, _REST * (ended - began))
