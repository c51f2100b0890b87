"""The deadline and the progress of the request that a socket serves."""

from typing import Protocol

from ...config.clock import SYSTEM
from ..failure import StaleConnectionError
from ..network_errors import ConnectTimeoutError, NetworkError
from ..progress import Progress

_LONGEST = 2e6
"""Seconds, some 23 days; for more `poll` raises `OverflowError`, after a charge was written too."""


class Readable(Protocol):
    """A connection that can be looked at while it is idle."""

    @property
    def is_readable(self) -> bool:
        """Whether it has ended, or has bytes to read."""
        ...


class CurrentRequest:
    """The request that a pooled connection serves at present, shared with the connection's socket."""

    __slots__ = ("_has_begun", "_is_reused", "deadline", "is_connected", "progress")

    def __init__(self) -> None:
        self.deadline: float | None = None
        self.serve(Progress(), None, is_reused=False)

    def serve(self, progress: Progress, deadline: float | None, *, is_reused: bool) -> None:
        """Begin the next request.

        Args:
            progress: Records how far the request got.
            deadline: The `SYSTEM.monotonic` at which the call must end.
            is_reused: Whether the connection was idle before, and may have ended meanwhile.
        """
        self.progress: Progress = progress
        self.deadline, self._is_reused, self._has_begun = deadline, is_reused, False
        self.is_connected: bool = is_reused
        if is_reused:
            progress.reach("connected")

    def connecting(self) -> None:
        """Note that a connection is being opened."""
        self.progress.reach("nothing")

    def connected(self) -> None:
        """Note that the connection is open, or waits for its TLS handshake."""
        self.is_connected = True
        self.progress.reach("connected")

    def writing(self, stream: Readable) -> None:
        """Note that bytes of the request are about to leave.

        Raises:
            StaleConnectionError: The connection was idle, and has ended or holds unrequested bytes (H58).
                It is looked at here and not only when it is taken: whatever happens in between, a write that meets an
                ended connection has an unknown outcome (H05).
        """
        if not self._has_begun:
            if self._is_reused and stream.is_readable:
                raise StaleConnectionError
            self._has_begun = True
            self.progress.reach("headers_started")

    def written(self) -> None:
        """Note that the whole request is written."""
        self.progress.reach("body_sent")

    def cut(self, timeout: float | None, error: type[NetworkError]) -> float:
        """Cut a timeout to what is left of the deadline, and to what sockets take."""
        longest = _LONGEST if timeout is None else min(timeout, _LONGEST)
        if self.deadline is None:
            return longest
        left = self.deadline - SYSTEM.monotonic()
        if left <= 0:
            raise error
        return min(longest, left)


class ConnectTimer:
    """The rest of the time to open one connection: the proxy's tunnel and the TLS handshake included."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else SYSTEM.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """Seconds that are left; raises when there are none."""
        if self._end is None:
            return None
        left = self._end - SYSTEM.monotonic()
        if left <= 0:
            raise ConnectTimeoutError
        return left
