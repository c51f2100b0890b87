"""The two drivers: they do what a call asks for. Every decision is in `call`.

asyncio is imported by async callers: a blocking client does without, and without the time that it takes.
"""

import sys
from collections.abc import Callable
from operator import methodcaller
from typing import Generic, NoReturn, Self, TypeVar

from ... import errors
from ..._interrupts import raised_by_signal
from ..._sealed import Secret
from ..http.connections.event_loop import running_loop
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


def _by_itself(problem: P, handled: int) -> P:
    """Give what an exchange failed with; what the handler of a signal raised into it ends the call (H250)."""
    interrupt = raised_by_signal(problem, handled)
    if interrupt is not None:
        raise interrupt
    return problem


def _prepared(settings: Settings, request: PreparedRequest[T]) -> PreparedCall[T]:
    try:
        return prepared_of(settings, request)
    except errors.InvalidArgumentError as error:
        error.during("send")
        raise


class ConnectionState:
    """The part that the copies of one client share: whether it is closed, and whether it owns its transport."""

    __slots__ = ("closed", "owned")

    def __init__(self, *, owned: bool) -> None:
        self.closed: bool = False
        self.owned: bool = owned

    @staticmethod
    def refuse(name: str) -> NoReturn:
        """Refuse a call after the client was closed."""
        raise errors.ClientClosedError("the client is closed; nothing was sent").during(name)


class _Driver(Generic[C]):
    """The parts of a driver, whatever its style."""

    def __init__(self, settings: Settings, transport: C, state: ConnectionState) -> None:
        self.settings: Settings = settings
        self.transport: C = transport
        self.state: ConnectionState = state

    def beside(self, settings: Settings) -> Self:
        """Give a driver with other settings over the same connections."""
        return type(self)(settings, self.transport, self.state)


class Driver(_Driver[Transport]):
    """Runs calls and blocks until they are done."""

    def send(self, operation: Operation[T], name: str) -> T:
        """Run a call and give its result."""
        return self.exchange(operation, name).data

    def exchange(
        self,
        operation: Operation[T],
        name: str,
        sent: Callable[[], None] | None = None,
        prepared: PreparedCall[T] | None = None,
    ) -> Response[T]:
        """Run a call and give its result with what is known about it.

        Args:
            operation: The call.
            name: The SDK's name of it.
            sent: Called when a request is on its way, if the transport reports it.
            prepared: The request as it was prepared; built from the operation if absent.

        Raises:
            SubscribekitError: The call gave no result.
        """
        if self.state.closed:
            self.state.refuse(name)
        loops = sys.modules.get("_asyncio")  # asked at each call: two lookups, and no import
        if loops is not None and loops._get_running_loop() is not None:  # noqa: SLF001  the public one raises instead
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
            # Raised outside every handler: no frame or context of the engine.
            raise call.fail(ended)  # noqa: TRY301  what interrupts at this very line is caught below
        except errors.SubscribekitError:
            del call, ended  # an error keeps this frame, which must hold no request
            raise
        except BaseException as error:  # noqa: BLE001  it is raised again below
            stopped = call.interrupted(error)
        try:
            raise stopped
        finally:
            del call, stopped  # or the error and this frame would keep each other

    def send_prepared(self, request: PreparedRequest[T]) -> Response[T]:
        """Send a prepared request, byte for byte.

        Raises:
            InvalidArgumentError: It isn't a prepared request, or is one of another group or origin.
            SubscribekitError: As the call itself.
        """
        prepared = _prepared(self.settings, request)
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
            return _by_itself(failure, handled)
        reading, problem = Reading(response, call), None
        try:
            for piece in response.body:
                reading.feed(piece)
        except BODY_PROBLEMS as error:
            problem = _by_itself(error, handled)
        finally:
            response.body.close()
        return reading.received(problem)

    def close(self) -> None:
        """Close the connections; once is enough, twice does no harm."""
        if not self.state.closed:
            self.state.closed = True
            if self.state.owned:
                self.transport.close()


class AsyncDriver(_Driver[AsyncTransport]):
    """Runs calls in the event loop."""

    async def send(self, operation: Operation[T], name: str) -> T:
        """Run a call and give its result."""
        return (await self.exchange(operation, name)).data

    async def exchange(
        self,
        operation: Operation[T],
        name: str,
        sent: Callable[[], None] | None = None,
        prepared: PreparedCall[T] | None = None,
    ) -> Response[T]:
        """Run a call as `Driver.exchange` does."""
        if self.state.closed:
            self.state.refuse(name)
        call = Call(self.settings, operation, name, sent, prepared)
        ended: Response[T] | Failure | None = None
        try:
            try:
                running_loop()  # refuses trio before anything else is done
                ended = await self._run(call)
            except errors.SubscribekitError as error:
                ended = broken_off(error, is_sent=call.is_under_way)
            if isinstance(ended, Response):
                return ended
            # Raised outside every handler: no frame or context of the engine.
            raise call.fail(ended)  # noqa: TRY301  what interrupts at this very line is caught below
        except errors.SubscribekitError:
            del call, ended  # an error keeps this frame, which must hold no request
            raise
        except BaseException as error:  # noqa: BLE001  it is raised again below
            stopped = call.interrupted(error)
        try:
            raise stopped
        finally:
            del call, stopped  # or the error and this frame would keep each other

    async def send_prepared(self, request: PreparedRequest[T]) -> Response[T]:
        """Send a prepared request, as `Driver.send_prepared` does."""
        prepared = _prepared(self.settings, request)
        return await self.exchange(prepared.operation, request.operation, prepared=prepared)

    async def _run(self, call: Call[T]) -> Response[T] | Failure:
        steps = call.run()
        reply: Reply = None
        try:
            while True:
                step = steps.send(reply)
                if isinstance(step, RawRequest):
                    reply = await self._send(call, step)
                elif step is CREDENTIAL:
                    reply = await self._obtain(call)
                else:
                    await self.settings.clock.sleep_async(step)
                    reply = None
        except StopIteration as stop:
            done: Response[T] | Failure = stop.value
            return done

    async def _obtain(self, call: Call[T]) -> Secret | errors.SubscribekitError | None:
        """Get the credential; `None` when the deadline passes while the application's callable works on it."""
        import asyncio

        limit = asyncio.timeout(call.left)
        try:
            async with limit:
                return await self.settings.credential.obtain_async()
        except TimeoutError:
            if limit.expired():
                return None
            raise
        except errors.SubscribekitError as unusable:
            return unusable

    async def _send(self, call: Call[T], request: RawRequest) -> Received | TransportFailure:
        import asyncio

        response = reading = None
        problem: BodyProblem | None = None
        limit = asyncio.timeout(call.left)
        try:
            # The deadline is a cancellation at its moment; it costs one connection and nothing else.
            async with limit:
                response = await self.transport.send(request)
                reading = Reading(response, call)
                async for piece in response.body:
                    reading.feed(piece)
        except TimeoutError:
            if not limit.expired():
                raise
            problem = call.timed_out()
        except BODY_PROBLEMS as error:
            problem = _by_itself(error, request.progress.handled)
        finally:
            if response is not None:
                await response.body.aclose()
        if reading is not None:
            return reading.received(problem)
        return problem if isinstance(problem, TransportFailure) else call.timed_out()

    async def aclose(self) -> None:
        """Close the connections of this event loop; once is enough, twice does no harm."""
        if not self.state.closed:
            self.state.closed = True
            if self.state.owned:
                await self.transport.aclose()
