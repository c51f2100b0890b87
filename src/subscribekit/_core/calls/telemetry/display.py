"""Displays progress. If updating the display fails, the work continues without the display."""

import time
from collections.abc import Callable

from ....errors import InvalidArgumentError
from .log import can_show

_MIN_INTERVAL = 0.1
"""Minimum number of seconds between two updates of the progress display."""
_REST = 20
"""Minimum wait after an update, as a multiple of the time that the update took."""


class Display:
    """Displays progress at most ten times per second, until an update fails.

    Args:
        progress: `True`, `False`, or the caller's own callable.
        given: Description of the argument that the callable receives, for the error message.

    Raises:
        InvalidArgumentError: `progress` isn't a Boolean or a callable.
    """

    def __init__(self, progress: object, given: str) -> None:
        if type(progress) is not bool and not callable(progress):
            raise InvalidArgumentError(f"progress must be True, False, or a callable that receives {given}")
        self.is_on: bool = progress is not False
        self._next = 0.0

    @property
    def is_due(self) -> bool:
        """Whether the display is on, and enough time has passed for the next update."""
        return self.is_on and time.monotonic() >= self._next

    def draw(self, draw: Callable[[], object]) -> None:
        """Update the display. If the update fails, switch the display off."""
        self.is_on = self.is_on and can_show(draw)

    def tell(self, tell: Callable[[], object]) -> None:
        """Display the current progress. The longer an update takes, the later the next update is due."""
        began = time.monotonic()
        self.draw(tell)
        ended = time.monotonic()
        self._next = ended + max(_MIN_INTERVAL, _REST * (ended - began))
