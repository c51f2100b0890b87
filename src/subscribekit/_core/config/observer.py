"""Observers of a client, and the events that they see: clients name them in their arguments.

An observer sees names, templates, numbers and ids, never a query, a header or a body.
"""

from dataclasses import dataclass

from ...errors import SubscribekitError


@dataclass(frozen=True, slots=True)
class CallInfo:
    """A call that begins.

    Attributes:
        operation: The SDK's name of the call, such as `payments.reverse`.
        method: HTTP method.
        path_template: Path with identifiers left out.
        origin: Scheme, host and port that the call goes to.
        group: `billing`, `gateway`, `user_mgmt` or `storefront`.
        environment: Name of the environment, or `custom`.
    """

    operation: str
    method: str
    path_template: str
    origin: str
    group: str
    environment: str


@dataclass(frozen=True, slots=True)
class RequestEvent:
    """A request that is about to be sent.

    Attributes:
        call: The call that it belongs to.
        attempt: Its number within the call, from 1.
        trace_id: The `X-B3-TraceId` that it carries, if any.
    """

    call: CallInfo
    attempt: int
    trace_id: str | None


@dataclass(frozen=True, slots=True)
class ResponseEvent:
    """A request that ended.

    Attributes:
        request: The request.
        status_code: HTTP status, or `None` when no response came.
        request_id: The service's `Request-Id`, if it sent one.
        error: The error, or `None`.
        elapsed: Seconds from the start of the call.
    """

    request: RequestEvent
    status_code: int | None
    request_id: str | None
    error: SubscribekitError | None
    elapsed: float


@dataclass(frozen=True, slots=True)
class RetryEvent:
    """A request that will be repeated.

    Attributes:
        request: The request that failed.
        error: Why.
        wait: Seconds until the next one.
        status_code: HTTP status of the response to the failed request, or `None` when none came.
        request_id: The service's `Request-Id`, if it sent one.
        elapsed: Seconds from the start of the call to the end of the failed request.
    """

    request: RequestEvent
    error: SubscribekitError
    wait: float
    status_code: int | None = None
    request_id: str | None = None
    elapsed: float = 0.0


class CallObserver:
    """Follows one call; every method may be left as it is."""

    def request_started(self, event: RequestEvent) -> str | None:
        """A request is about to be sent; may give the span id that it carries.

        Returns:
            16 lower-case hexadecimal characters, not all zero. Another value is replaced by a drawn one and logged.
        """

    def request_ended(self, event: ResponseEvent) -> None:
        """A request ended."""

    def retrying(self, event: RetryEvent) -> None:
        """A request will be repeated."""

    def call_ended(self, error: BaseException | None, attempts: int, elapsed: float) -> None:
        """The call ended: with the error that is raised, with what interrupted it, or with a result."""


class Observer:
    """Follows the calls of a client: give it as `observers=[...]`."""

    def call_started(self, call: CallInfo) -> CallObserver | None:
        """A call begins; give what follows it, or `None`."""


automatic: list[Observer] = []
"""Observers of each client that is made while they are here, put here by the instrumentation of a process."""


def with_automatic(given: tuple[Observer, ...]) -> tuple[Observer, ...]:
    """Add the automatic observers, but for those whose base class is among the given ones."""
    return (
        *given,
        *(each for each in automatic if not any(isinstance(own, type(each).__base__ or Observer) for own in given)),
    )
