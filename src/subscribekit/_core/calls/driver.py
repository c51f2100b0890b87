"""The sync driver, and the base class of the sync and async drivers.

A driver performs the steps of a call; `Call` makes every decision.
"""

import sys
from collections.abc import Callable
from operator import methodcaller
from typing import Generic, Self, TypeAlias, TypeVar

from ... import errors
from ..._interrupts import raised_by_signal
from ..http.failure import TransportFailure
from ..http.received import BODY_PROBLEMS, BodyProblem, Reading, Received
from ..http.transport import AsyncTransport, RawRequest, Transport
from ..operations.operation import Operation
from .call import Call
from .event_loop_warning import warn_in_event_loop
from .outcomes.classify import Failure
from .outcomes.refusal import broken_off
from .prepared.prepare import prepared_of
from .prepared.prepared_call import PreparedCall
from .prepared.prepared_request import PreparedRequest
from .response import Response
from .settings import Settings
from .steps import CREDENTIAL, Reply

__tracebackhide__ = methodcaller("errisinstance", errors.SubscribekitError)

T = TypeVar("T")
C = TypeVar("C", Transport, AsyncTransport)
P = TypeVar("P", bound=BodyProblem)


def raise_interrupt(problem: P, handled: int) -> P:
    """Return an exchange's failure, or raise the exception of the signal handler that caused the failure (H250)."""
    interrupt = raised_by_signal(problem, handled)
    if interrupt is not None:
        raise interrupt
    return problem


class ConnectionState:
    """The state that a client and its copies share: whether the client is closed, and whether it owns its transport."""

    __slots__ = ("closed", "owned")

    def __init__(self, *, owned: bool) -> None:
        self.closed: bool = False
        self.owned: bool = owned


class BaseDriver(Generic[C]):
    """Base class of the sync and async drivers. Does no I/O."""

    def __init__(self, settings: Settings, transport: C, state: ConnectionState) -> None:
        self.settings: Settings = settings
        self.transport: C = transport
        self.state: ConnectionState = state

    def with_settings(self, settings: Settings) -> Self:
        """Return a driver that has other settings and uses the same connections."""
        return type(self)(settings, self.transport, self.state)

    @staticmethod
    def _closed_error(name: str) -> errors.ClientClosedError:
        return errors.ClientClosedError("the client is closed; nothing was sent").during(name)

    def _prepared(self, request: PreparedRequest[T]) -> PreparedCall[T]:
        try:
            return prepared_of(self.settings, request)
        except errors.InvalidArgumentError as error:
            error.during("send")
            raise

    def _close_state(self) -> bool:
        """Mark the client as closed, and return whether to close the client's transport now."""
        was_closed, self.state.closed = self.state.closed, True
        return self.state.owned and not was_closed


EitherDriver: TypeAlias = BaseDriver[Transport] | BaseDriver[AsyncTransport]


class Driver(BaseDriver[Transport]):
    """Runs the calls of a sync client."""

    def send(self, operation: Operation[T], name: str) -> T:
        """Run a call and return its result."""
        return self.exchange(operation, name).data

    def exchange(
        self,
        operation: Operation[T],
        name: str,
        sent: Callable[[], None] | None = None,
        prepared: PreparedCall[T] | None = None,
    ) -> Response[T]:
        """Run a call and return its result with the details of its response.

        Args:
            operation: The operation.
            name: The SDK's name of the operation.
            sent: Called when a request is in flight, if the transport reports that moment.
            prepared: The prepared request to send, or `None` to build the request from the operation.

        Raises:
            SubscribekitError: The call failed.
        """
        if self.state.closed:
            raise self._closed_error(name)
        loops = sys.modules.get("_asyncio")  # this check needs only two lookups for each call, and no import of asyncio
        if loops is not None and loops._get_running_loop() is not None:  # noqa: SLF001  the public function raises without a loop
            warn_in_event_loop(self.settings.group)
        call = Call(self.settings, operation, name, sent, prepared)
        ended: Response[T] | Failure | None = None
        try:
            try:
                ended = self._run(call)
            except errors.SubscribekitError as error:
                ended = broken_off(error, is_sent=call.is_under_way)
            if isinstance(ended, Response):
                return ended
            # Raise the error outside every `except` block, so that the error contains no frames and no exception of the
            # HTTP backend.
            raise call.fail(ended)  # noqa: TRY301  an interrupt on this line is handled below
        except errors.SubscribekitError:
            raise
        except BaseException as error:  # noqa: BLE001  it is raised again below
            stopped = call.interrupted(error)
        # Raise the exception outside the `except` block, so that its context is the exception that the caller handles.
        try:
            raise stopped
        finally:
            del stopped  # without this line, the error and the frame keep each other alive (test_freed_errors.py)

    def send_prepared(self, request: PreparedRequest[T]) -> Response[T]:
        """Send a prepared request, byte for byte.

        Raises:
            InvalidArgumentError: `request` isn't a prepared request, or was modified. The SDK also raises
                `InvalidArgumentError` if `request` was prepared for another service, base URL, or environment than the
                client's.
            SubscribekitError: The call failed.
        """
        prepared = self._prepared(request)
        return self.exchange(prepared.operation, request.operation, prepared=prepared)

    def _run(self, call: Call[T]) -> Response[T] | Failure:
        steps = call.run()
        reply: Reply = None
        try:
            while True:
                step = steps.send(reply)
                if isinstance(step, RawRequest):
                    reply = self._send(call, step)
                elif step is CREDENTIAL:
                    reply = self._obtain()
                else:
                    self.settings.clock.sleep(step)
                    reply = None
        except StopIteration as stop:
            done: Response[T] | Failure = stop.value
            return done

    def _obtain(self) -> Reply:
        try:
            return self.settings.credential.obtain()
        except errors.SubscribekitError as unusable:
            return unusable

    def _send(self, call: Call[T], request: RawRequest) -> Received | TransportFailure:
        handled = request.progress.handled
        try:
            response = self.transport.send(request)
        except TransportFailure as failure:
            return raise_interrupt(failure, handled)
        reading, problem = Reading(response, call), None
        try:
            for piece in response.body:
                reading.feed(piece)
        except BODY_PROBLEMS as error:
            problem = raise_interrupt(error, handled)
        finally:
            response.body.close()
        return reading.received(problem)

    def close(self) -> None:
        """Close the connections; a second call has no effect."""
        if self._close_state():
            self.transport.close()
