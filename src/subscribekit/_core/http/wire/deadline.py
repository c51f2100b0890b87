"""The deadline and the progress of the request that uses a socket."""

from typing import Protocol

from ...config.clock import SYSTEM
from ..failure import StaleConnectionError
from ..network_errors import ConnectTimeoutError, NetworkError
from ..progress import Progress

_LONGEST = 2e6
"""The longest timeout in seconds, about 23 days. With a longer timeout, `poll` could raise `OverflowError`, even after
a charge was sent."""


class Readable(Protocol):
    """A connection that can be checked while it's idle."""

    @property
    def is_readable(self) -> bool:
        """Whether the connection has bytes to read or has ended."""
        ...


class CurrentRequest:
    """The request that uses a connection. The connection and its socket share this object."""

    __slots__ = ("_has_begun", "_is_reused", "deadline", "is_connected", "progress")

    def __init__(self) -> None:
        self.deadline: float | None = None
        self.serve(Progress(), None, is_reused=False)

    def serve(self, progress: Progress, deadline: float | None, *, is_reused: bool) -> None:
        """Start the next request.

        Args:
            progress: Records how far the request got.
            deadline: The time at which the call must end, on the clock `SYSTEM.monotonic`.
            is_reused: Whether the connection was idle before the request. An idle connection may have ended.
        """
        self.progress: Progress = progress
        self.deadline, self._is_reused, self._has_begun = deadline, is_reused, False
        self.is_connected: bool = is_reused
        if is_reused:
            progress.reach("connected")

    def connecting(self) -> None:
        """Record that the connection is being opened."""
        self.progress.reach("nothing")

    def connected(self) -> None:
        """Record that the socket is connected. If the connection uses TLS, the handshake follows."""
        self.is_connected = True
        self.progress.reach("connected")

    def writing(self, stream: Readable) -> None:
        """Record that the first bytes of the request are about to leave.

        This method checks a reused connection just before the write, because the connection can end after the pool
        selected it. A write on an ended connection has an unknown outcome (H05).

        Raises:
            StaleConnectionError: The connection was idle, and ended or received unrequested bytes (H58).
        """
        if not self._has_begun:
            if self._is_reused and stream.is_readable:
                raise StaleConnectionError
            self._has_begun = True
            self.progress.reach("headers_started")

    def written(self) -> None:
        """Record that the whole request was written."""
        self.progress.reach("body_sent")

    def cut(self, timeout: float | None, error: type[NetworkError]) -> float:
        """Return the shortest of three times: the timeout, the time until the deadline, and `_LONGEST`."""
        longest = _LONGEST if timeout is None else min(timeout, _LONGEST)
        if self.deadline is None:
            return longest
        left = self.deadline - SYSTEM.monotonic()
        if left <= 0:
            raise error
        return min(longest, left)


class ConnectTimer:
    """The remaining time to open a connection, including a proxy's tunnel and the TLS handshake."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else SYSTEM.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """The remaining seconds, or `None` if there's no limit.

        If no time remains, this property raises `ConnectTimeoutError`.
        """
        if self._end is None:
            return None
        left = self._end - SYSTEM.monotonic()
        if left <= 0:
            raise ConnectTimeoutError
        return left
