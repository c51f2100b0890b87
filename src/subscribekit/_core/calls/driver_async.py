"""The async driver, which needs asyncio. A sync client doesn't import this module."""

import asyncio
from collections.abc import Callable
from operator import methodcaller
from typing import TypeVar

from ... import errors
from ..._sealed import Secret
from ..http.connections.event_loop import running_loop
from ..http.failure import TransportFailure
from ..http.received import BODY_PROBLEMS, BodyProblem, Reading, Received
from ..http.transport import AsyncTransport, RawRequest
from ..operations.operation import Operation
from .call import Call
from .driver import BaseDriver, raise_interrupt
from .outcomes.classify import Failure
from .outcomes.refusal import broken_off
from .prepared.prepared_call import PreparedCall
from .prepared.prepared_request import PreparedRequest
from .response import Response
from .steps import CREDENTIAL, Reply

__tracebackhide__ = methodcaller("errisinstance", errors.SubscribekitError)

T = TypeVar("T")


class AsyncDriver(BaseDriver[AsyncTransport]):
    """Runs the calls of an async client in the event loop."""

    async def send(self, operation: Operation[T], name: str) -> T:
        """Run a call and return its result."""
        return (await self.exchange(operation, name)).data

    async def exchange(
        self,
        operation: Operation[T],
        name: str,
        sent: Callable[[], None] | None = None,
        prepared: PreparedCall[T] | None = None,
    ) -> Response[T]:
        """Run a call and return its result with the details of its response, as `Driver.exchange` does."""
        if self.state.closed:
            raise self._closed_error(name)
        call = Call(self.settings, operation, name, sent, prepared)
        ended: Response[T] | Failure | None = None
        try:
            try:
                running_loop()  # under trio, this line raises an error before anything is sent
                ended = await self._run(call)
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

    async def send_prepared(self, request: PreparedRequest[T]) -> Response[T]:
        """Send a prepared request, byte for byte, as `Driver.send_prepared` does."""
        prepared = self._prepared(request)
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
        """Return the credential, or `None` if the deadline passes while the application's callable runs."""
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
        response = reading = None
        problem: BodyProblem | None = None
        limit = asyncio.timeout(call.left)
        try:
            # At the deadline, the timeout cancels the exchange, which closes the connection of this request only.
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
            problem = raise_interrupt(error, request.progress.handled)
        finally:
            if response is not None:
                await response.body.aclose()
        if reading is not None:
            return reading.received(problem)
        return problem if isinstance(problem, TransportFailure) else call.timed_out()

    async def aclose(self) -> None:
        """Close the connections of this event loop; a second call has no effect."""
        if self._close_state():
            await self.transport.aclose()
