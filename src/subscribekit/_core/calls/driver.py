"""The sync driver, and the base of both drivers. A driver does what a call requests; `Call` makes every decision."""

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

__tracebackhide__ = methodcaller(
    "errisinstance", errors.SubscribekitError
)  # pytest shows the line of the caller instead

T = TypeVar("T")
C = TypeVar("C", Transport, AsyncTransport)
P = TypeVar("P", bound=BodyProblem)


def raise_interrupt(problem: P, handled: int) -> P:
    """Return the failure of an exchange, or raise the exception of a signal handler that caused it (H250)."""
    interrupt = raised_by_signal(problem, handled)
    if interrupt is not None:
        raise interrupt
    return problem


class ConnectionState:
    """The state that all copies of a client share: whether it is closed, and whether it owns its transport."""

    __slots__ = ("closed", "owned")

    def __init__(self, *, owned: bool) -> None:
        self.closed: bool = False
        self.owned: bool = owned


class BaseDriver(Generic[C]):
    """The base of both drivers, without I/O."""

    def __init__(self, settings: Settings, transport: C, state: ConnectionState) -> None:
        self.settings: Settings = settings
        self.transport: C = transport
        self.state: ConnectionState = state

    def with_settings(self, settings: Settings) -> Self:
        """Return a driver with other settings that uses the same connections."""
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
        """Mark the client as closed; return whether its transport must be closed now."""
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
            name: Its SDK name.
            sent: A callback for the moment when a request is in flight, if the transport reports it.
            prepared: The prepared request; without one, the request is built from the operation.

        Raises:
            SubscribekitError: The call has no result.
        """
        if self.state.closed:
            raise self._closed_error(name)
        loops = sys.modules.get("_asyncio")  # two lookups for each call, and no import of asyncio
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
            # Raised outside every handler, so that the error has no frame and no context of the engine.
            raise call.fail(ended)  # noqa: TRY301  an interrupt on this line is handled below
        except errors.SubscribekitError:
            raise
        except BaseException as error:  # noqa: BLE001  it is raised again below
            stopped = call.interrupted(error)
        # Raised outside the handler, so that its context is what the caller handles.
        try:
            raise stopped
        finally:
            del stopped  # otherwise, the error and this frame keep each other alive (test_freed_errors.py)

    def send_prepared(self, request: PreparedRequest[T]) -> Response[T]:
        """Send a prepared request, byte for byte.

        Raises:
            InvalidArgumentError: The argument isn't a prepared request, or belongs to another service or base URL.
            SubscribekitError: The call has no result.
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
