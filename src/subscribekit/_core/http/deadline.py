"""What is left of a call's deadline and of the time to open a connection."""

from time import monotonic

import httpcore


class Deadline:
    """The deadline of the call that a lane serves at present."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at: float | None = None

    def cut(self, timeout: float | None, error: type[Exception]) -> float | None:
        """Cut a timeout to what is left."""
        if self.at is None:
            return timeout
        left = self.at - monotonic()
        if left <= 0:
            raise error("the deadline has passed")
        return left if timeout is None else min(timeout, left)


class ConnectTimer:
    """What is left of the time to open one connection, its TLS handshake included."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else monotonic() + seconds

    @property
    def left(self) -> float | None:
        """Seconds that are left; raises when there are none."""
        if self._end is None:
            return None
        left = self._end - monotonic()
        if left <= 0:
            raise httpcore.ConnectTimeout("no connection in time")
        return left
