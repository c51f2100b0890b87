"""The lease that allows a process to send, and the transports that check the lease before each request."""

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
    """The lease of one process.

    Attributes:
        owner: The number that identifies the process in the ledger.
        running_time: The clock of `valid_until`.
        valid_until: The time when the lease ends. The lease starts just before its renewal is written.
    """

    owner: int
    running_time: Callable[[], float]
    valid_until: float = 0.0

    @property
    def is_valid(self) -> bool:
        """Whether the lease is still valid on the clock of this process."""
        return self.running_time() < self.valid_until

    def lose(self) -> None:
        """End the lease, so that a request that still waits for a connection isn't sent either (H232)."""
        self.valid_until = 0.0

    def refuse_if_expired(self) -> None:
        """Refuse to send an item if the lease has expired, because another process may have the item.

        Raises:
            LeaseLostError: The process stalled for longer than the lease.
        """
        if not self.is_valid:
            raise LeaseLostError(
                "the process stalled for longer than its lease, so the request was not sent; resume the run"
            )


class EngineEvents(Protocol):
    """The methods of the engine that a guard calls."""

    def sending_started(self, item: int) -> None:
        """Report that the request of an item is about to be sent."""
        ...

    def count_retry(self) -> None:
        """Count a retry of the client toward the rate limit."""
        ...

    def pause_run(self, seconds: float | None) -> None:
        """Make the workers of all processes wait, because the service returned 429."""
        ...


class _LeaseGuard(Generic[T]):
    """Checks the lease before a request is sent, and checks whether a response has the status 429."""

    def __init__(self, inner: T, runtime: Runtime, engine: EngineEvents) -> None:
        self._inner: T = inner
        self._runtime, self._engine = runtime, engine
        self._lease: Lease | None = None
        self._item = 0
        self._is_first = True

    def begin(self, lease: Lease, item: int) -> None:
        """Check this lease before each request of an item, until the next call of `begin`."""
        self._lease, self._item, self._is_first = lease, item, True

    @property
    def was_sent(self) -> bool:
        """Whether a part of the item's request may have been sent."""
        return not self._is_first

    def _before_request(self, request: RawRequest) -> None:
        if self._lease is not None:
            self._lease.refuse_if_expired()
            # The request may wait for a connection, so check the lease again just before the first byte leaves (H165).
            request.progress.before_sending = self._lease.refuse_if_expired
        if isinstance(request.min_idle, Unchosen):
            # Don't open a new connection for each charge, because a run sends many charges in a row (H351).
            request.min_idle = 0.0
        if not self._is_first:
            self._engine.count_retry()  # retries by the client also count toward the rate limit
        else:
            self._engine.sending_started(self._item)
        self._is_first = False

    def _after_response(self, status: int, headers: RawHeaders) -> None:
        if status == 429:
            now = datetime.fromtimestamp(self._runtime.wall_time(), UTC)
            self._engine.pause_run(retry_after(Headers.decoded(headers).by_name, now))


class Guard(_LeaseGuard[Transport], Transport):
    """The client's transport for one sync worker of a run."""

    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send a request if the lease is still valid."""
        self._before_request(request)
        response = self._inner.send(request)
        self._after_response(response.status, response.headers)
        return response

    def close(self) -> None:
        """Do nothing, because the connections belong to the client."""


class AsyncGuard(_LeaseGuard[AsyncTransport], AsyncTransport):
    """The client's transport for one async worker of a run."""

    async def send(self, request: RawRequest) -> RawResponse[AsyncBody]:
        """Send a request if the lease is still valid."""
        self._before_request(request)
        response = await self._inner.send(request)
        self._after_response(response.status, response.headers)
        return response

    async def aclose(self) -> None:
        """Do nothing, because the connections belong to the client."""
