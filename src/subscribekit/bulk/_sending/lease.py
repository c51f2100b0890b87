"""The right to send: a lease that must be fresh when a request leaves, and the guard that looks at it."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from ..._core.calls.backoff import retry_after
from ..._core.calls.settings import Settings
from ..._core.config.timeouts import Unchosen
from ..._core.http.headers import Headers
from ..._core.http.transport import AsyncBody, AsyncTransport, Body, RawHeaders, RawRequest, RawResponse, Transport
from ...errors import LeaseLostError

if TYPE_CHECKING:
    from .engine import Engine

T = TypeVar("T", Transport, AsyncTransport)

_CLOCK = getattr(time, "CLOCK_BOOTTIME", None)


def running_time() -> float:
    """Give seconds that go on while the machine sleeps, and that cannot be set."""
    return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)


@dataclass(slots=True)
class Lease:
    """One process's lease.

    Attributes:
        owner: Its number in the ledger.
        valid_until: Until when it holds, by `running_time`, seen from before it was written.
    """

    owner: int
    valid_until: float

    @property
    def holds(self) -> bool:
        """Whether no other process can have taken what it covers."""
        return running_time() < self.valid_until

    def lose(self) -> None:
        """End it for all requests that have not left, such as one that waits for a connection (H232)."""
        self.valid_until = 0.0

    def refuse_when_lost(self) -> None:
        """Refuse to send what may be another caller's by now.

        Raises:
            LeaseLostError: The process was held up for longer than the lease.
        """
        if not self.holds:
            raise LeaseLostError("the process was held up for longer than its lease; the request was not sent")


class _Watch(Generic[T]):
    """The checks of both guards: the lease before a request leaves, and 429 when its response begins."""

    def __init__(self, inner: T, settings: Settings, engine: "Engine") -> None:
        self._inner: T = inner
        self._settings, self._engine = settings, engine
        self._lease: Lease | None = None
        self._item = 0
        self._is_first = True

    def begin(self, lease: Lease, item: int) -> None:
        """Look at this lease until the next item, and say when the request of this one is about to leave."""
        self._lease, self._item, self._is_first = lease, item, True

    @property
    def was_sent(self) -> bool:
        """Whether any of the item may have been sent."""
        return not self._is_first

    def _before(self, request: RawRequest) -> None:
        if self._lease is not None:
            self._lease.refuse_when_lost()
            # It may wait for a free connection, and for that to be made, before its first byte leaves (H165).
            request.progress.before_sending = self._lease.refuse_when_lost
        if isinstance(request.quiet, Unchosen):  # a run charges by design, and pays no handshake for each item (H351)
            request.quiet = 0.0
        if not self._is_first:
            self._engine.repeat()  # a retry of the client's counts for the rate, too
        else:
            self._engine.sends(self._item)
        self._is_first = False

    def _after(self, status: int, headers: RawHeaders) -> None:
        if status == 429:
            self._engine.slow_down(retry_after(Headers.decoded(headers).by_name, self._settings.clock.now()))


class Guard(_Watch[Transport], Transport):
    """The client's transport, for one lane of a run."""

    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send, if the lease still holds."""
        self._before(request)
        response = self._inner.send(request)
        self._after(response.status, response.headers)
        return response

    def close(self) -> None:
        """Leave the connections to the client."""


class AsyncGuard(_Watch[AsyncTransport], AsyncTransport):
    """The same for async clients."""

    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send, if the lease still holds."""
        self._before(request)
        response = await self._inner.send(request)
        self._after(response.status, response.headers)
        return response

    async def aclose(self) -> None:
        """Leave the connections to the client."""
