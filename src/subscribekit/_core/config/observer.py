"""Observers, which follow the calls of a client, and their events.

The events contain names, path templates, numbers, and IDs. The events never contain a query, a header, or a body.
"""

from dataclasses import dataclass

from ...errors import SubscribekitError


@dataclass(frozen=True, slots=True)
class CallInfo:
    """The call that an event belongs to.

    Attributes:
        operation: The SDK's name of the operation, such as `payments.reverse`.
        method: The HTTP method.
        path_template: The path with placeholders for the identifiers.
        origin: The scheme, the host, and the port of the base URL.
        group: The service: `billing`, `gateway`, `user_mgmt`, or `storefront`.
        environment: The name of the environment, or `custom`.
    """

    operation: str
    method: str
    path_template: str
    origin: str
    group: str
    environment: str


@dataclass(frozen=True, slots=True)
class RequestEvent:
    """A request that the SDK is about to send.

    Attributes:
        call: The call that the request belongs to.
        attempt: The number of the request within the call, starting at 1.
        trace_id: The `X-B3-TraceId` of the request, if any.
    """

    call: CallInfo
    attempt: int
    trace_id: str | None


@dataclass(frozen=True, slots=True)
class ResponseEvent:
    """The end of a request, with a response or an error.

    Attributes:
        request: The request.
        status_code: The HTTP status of the response; `None` if no response arrived.
        request_id: The `Request-Id` of the response, if any.
        error: The error; `None` if the request succeeded.
        elapsed: Seconds from the start of the call to the end of the request.
    """

    request: RequestEvent
    status_code: int | None
    request_id: str | None
    error: SubscribekitError | None
    elapsed: float


@dataclass(frozen=True, slots=True)
class RetryEvent:
    """A retry that the SDK is about to make.

    Attributes:
        request: The request that failed.
        error: The error of the failed request.
        wait: Seconds until the retry.
        status_code: The HTTP status of the response to the failed request; `None` if no response arrived.
        request_id: The `Request-Id` of the response to the failed request, if any.
        elapsed: Seconds from the start of the call to the end of the failed request.
    """

    request: RequestEvent
    error: SubscribekitError
    wait: float
    status_code: int | None = None
    request_id: str | None = None
    elapsed: float = 0.0


class CallObserver:
    """Follows one call. Override the methods that you need; the methods of this class do nothing."""

    def request_started(self, event: RequestEvent) -> str | None:
        """Handle a request that the SDK is about to send. To set the span ID of the request, return the ID.

        Returns:
            The span ID as 16 lowercase hexadecimal characters, not all zero, or `None` for a random span ID. The SDK
            logs an invalid value, and uses a random span ID instead.
        """

    def request_ended(self, event: ResponseEvent) -> None:
        """Handle the end of a request."""

    def retrying(self, event: RetryEvent) -> None:
        """Handle a retry that the SDK is about to make."""

    def call_ended(self, error: BaseException | None, attempts: int, elapsed: float) -> None:
        """Handle the end of the call.

        Args:
            error: The error that the call raises, or the exception that interrupted the call; `None` if the call
                succeeded.
            attempts: The number of requests that the SDK started.
            elapsed: Seconds from the start of the call.
        """


class Observer:
    """Follows the calls of a client. Pass instances to the client as `observers=[...]`."""

    def call_started(self, call: CallInfo) -> CallObserver | None:
        """Return an observer for a call that starts, or `None` to ignore the call."""


automatic: list[Observer] = []
"""The observers that the SDK adds to each new client. `SubscribekitInstrumentor` adds observers to this list, and
removes them."""


def with_automatic(given: tuple[Observer, ...]) -> tuple[Observer, ...]:
    """Add each automatic observer, unless a given observer is an instance of the automatic observer's base class."""
    return (
        *given,
        *(each for each in automatic if not any(isinstance(own, type(each).__base__ or Observer) for own in given)),
    )
