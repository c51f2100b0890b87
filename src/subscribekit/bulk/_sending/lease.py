"""The right to send: a lease that must be fresh when a request leaves, and the guard that looks at it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, Protocol, TypeVar

from ..._core.calls.backoff import retry_after
from ..._core.config.timeouts import Unchosen
from ..._core.http.headers import Headers
from ..._core.http.transport import AsyncBody, AsyncTransport, Body, RawHeaders, RawRequest, RawResponse, Transport
from ...errors import LeaseLostError
from .runtime import Runtime

T = TypeVar("T", Transport, AsyncTransport)


@dataclass(slots=True)
class Lease:
    """One process's lease.

    Attributes:
        owner: Its number in the ledger.
        running_time: The clock of `valid_until`.
        valid_until: Until when it holds, seen from before it was written.
    """

    owner: int
    running_time: Callable[[], float]
    valid_until: float = 0.0

    @property
    def is_valid(self) -> bool:
        """Whether no other process can have taken what it covers."""
        return self.running_time() < self.valid_until

    def lose(self) -> None:
        """End it for all requests that have not left, such as one that waits for a connection (H232)."""
        self.valid_until = 0.0

    def refuse_if_expired(self) -> None:
        """Refuse to send what may be another caller's by now.

        Raises:
            LeaseLostError: The process was held up for longer than the lease.
        """
        if not self.is_valid:
            raise LeaseLostError("the process was held up for longer than its lease; the request was not sent")


class Reports(Protocol):
    """The engine, as a guard knows it."""

    def sending_started(self, item: int) -> None:
        """Note that the request of an item is about to leave."""
        ...

    def count_retry(self) -> None:
        """Count a request that the client repeated by itself."""
        ...

    def pause_run(self, seconds: float | None) -> None:
        """Let all workers wait, because the service returned 429."""
        ...


class _LeaseGuard(Generic[T]):
    """The checks of both guards: the lease before a request leaves, and 429 when its response begins."""

    def __init__(self, inner: T, runtime: Runtime, engine: Reports) -> None:
        self._inner: T = inner
        self._runtime, self._engine = runtime, engine
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

    def _before_request(self, request: RawRequest) -> None:
        if self._lease is not None:
            self._lease.refuse_if_expired()
            # It may wait for a free connection, and for that to be made, before its first byte leaves (H165).
            request.progress.before_sending = self._lease.refuse_if_expired
        if isinstance(request.min_idle, Unchosen):
            # A run charges by design, and pays no handshake for each item (H351).
            request.min_idle = 0.0
        if not self._is_first:
            self._engine.count_retry()  # a retry of the client's counts toward the rate limit, too
        else:
            self._engine.sending_started(self._item)
        self._is_first = False

    def _after_response(self, status: int, headers: RawHeaders) -> None:
        if status == 429:
            now = datetime.fromtimestamp(self._runtime.wall_time(), UTC)
            self._engine.pause_run(retry_after(Headers.decoded(headers).by_name, now))


class Guard(_LeaseGuard[Transport], Transport):
    """The client's transport, for one worker of a run."""

    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send, if the lease still holds."""
        self._before_request(request)
        response = self._inner.send(request)
        self._after_response(response.status, response.headers)
        return response

    def close(self) -> None:
        """Leave the connections to the client."""


class AsyncGuard(_LeaseGuard[AsyncTransport], AsyncTransport):
    """The same for async clients."""

    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send, if the lease still holds."""
        self._before_request(request)
        response = await self._inner.send(request)
        self._after_response(response.status, response.headers)
        return response

    async def aclose(self) -> None:
        """Leave the connections to the client."""
