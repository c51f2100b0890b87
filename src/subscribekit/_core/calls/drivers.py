"""The two drivers: they send what a call builds, and wait. Every decision is in `call`.

asyncio is imported by those who run in it: a blocking client does without, and without the time that it takes.
"""

from collections.abc import Callable
from typing import TypeVar

from ... import errors
from ..config.secret import Secret
from ..http.decoding import DamagedBodyError, TooLargeError, decoder_for
from ..http.failure import TransportFailure
from ..http.headers import Headers
from ..http.redacted_logging import discreet
from ..http.transport import AsyncBody, AsyncTransport, RawRequest, RawResponse, Transport
from ..operations.operation import Operation
from .call import Call
from .classify import Read
from .response import Response
from .retry import Failure
from .settings import Settings

T = TypeVar("T")


class State:
    """What the copies of one client share: the transport, and whether it is closed."""

    __slots__ = ("closed", "owned")

    def __init__(self, *, owned: bool) -> None:
        self.closed: bool = False
        self.owned: bool = owned

    def check(self, name: str) -> None:
        """Refuse a call after the client was closed."""
        if self.closed:
            raise errors.ClientClosedError("the client is closed; nothing was sent").during(name)


class Driver:
    """Runs calls and blocks until they are done."""

    def __init__(self, settings: Settings, transport: Transport, state: State) -> None:
        self.settings: Settings = settings
        self.transport: Transport = transport
        self.state: State = state

    def send(self, operation: Operation[T], name: str) -> T:
        """Run a call and give its result."""
        return self.exchange(operation, name).data

    def exchange(self, operation: Operation[T], name: str, sent: Callable[[], None] | None = None) -> Response[T]:
        """Run a call and give its result with what is known about it.

        Args:
            operation: The call.
            name: The SDK's name of it.
            sent: Called when a request is on its way, if the transport reports it.

        Raises:
            SubscribekitError: The call gave no result.
        """
        self.state.check(name)
        call = Call(self.settings, operation, name, sent)
        call.start()
        done: Response[T] | Failure | BaseException
        try:
            done = self._attempt(call)
            if isinstance(done, Failure) and done.again:
                done = self._repeat(call, done)
        except errors.SubscribekitError as refused:  # by a check, before the attempt was sent
            done = Failure(refused.with_traceback(None))
        except BaseException as error:  # noqa: BLE001  it is raised again below
            done = call.interrupted(error)
        # Raised here, outside every handler: no frame or context of the engine, no request in a local (H31).
        try:
            if isinstance(done, Failure):
                raise call.fail(done)
            if isinstance(done, BaseException):
                raise done
            return done
        finally:
            del call, done  # an error keeps this frame, which must not keep the error

    def _repeat(self, call: Call[T], done: Response[T] | Failure) -> Response[T] | Failure:
        # Without `with attempt`, which would swallow what interrupts an attempt, a cancellation too (H11).
        for attempt in call.controller():
            if attempt.retry_state.attempt_number > 1:
                done = self._attempt(call)
            attempt.retry_state.set_result(None)
        return done

    def _attempt(self, call: Call[T]) -> Response[T] | Failure:
        secret = call.renewed or call.credential.obtain()
        if call.is_too_late:
            return call.too_late()
        with discreet():
            judged = self._exchange(call, call.request(secret))
        if isinstance(judged, Failure) and judged.fresh_credential and judged.again:
            judged.again = call.credential.refreshable and call.renew(call.credential.obtain())
        return judged

    def _exchange(self, call: Call[T], request: RawRequest) -> Response[T] | Failure:
        try:
            response = self.transport.send(request)
        except TransportFailure as error:
            return call.lost(error)
        headers, body, problem = Headers.decoded(response.headers), None, None
        try:
            decoder = decoder_for(headers)
            for piece in response.body:
                if decoder.has_begun:
                    call.go_on()
                decoder.feed(piece)
            body = decoder.finish()
        except (TransportFailure, TooLargeError, DamagedBodyError) as error:
            problem = error.with_traceback(None)  # or frame and error would keep each other, and the body, alive
        finally:
            response.body.close()
        judged = call.answered(response.status, headers, body, problem)
        return call.succeed(judged.value, response.status, headers) if isinstance(judged, Read) else judged

    def close(self) -> None:
        """Close the connections; once is enough, twice does no harm."""
        if not self.state.closed:
            self.state.closed = True
            if self.state.owned:
                self.transport.close()


class AsyncDriver:
    """Runs calls in the event loop."""

    def __init__(self, settings: Settings, transport: AsyncTransport, state: State) -> None:
        self.settings: Settings = settings
        self.transport: AsyncTransport = transport
        self.state: State = state

    async def send(self, operation: Operation[T], name: str) -> T:
        """Run a call and give its result."""
        return (await self.exchange(operation, name)).data

    async def exchange(self, operation: Operation[T], name: str, sent: Callable[[], None] | None = None) -> Response[T]:
        """Run a call and give its result with what is known about it.

        Args:
            operation: The call.
            name: The SDK's name of it.
            sent: Called when a request is on its way, if the transport reports it.

        Raises:
            SubscribekitError: The call gave no result.
        """
        self.state.check(name)
        call = Call(self.settings, operation, name, sent)
        call.start()
        done: Response[T] | Failure | BaseException
        try:
            done = await self._attempt(call)
            if isinstance(done, Failure) and done.again:
                done = await self._repeat(call, done)
        except errors.SubscribekitError as refused:  # by a check, before the attempt was sent
            done = Failure(refused.with_traceback(None))
        except BaseException as error:  # noqa: BLE001  it is raised again below
            done = call.interrupted(error)
        # Raised here, outside every handler: no frame or context of the engine, no request in a local (H31).
        try:
            if isinstance(done, Failure):
                raise call.fail(done)
            if isinstance(done, BaseException):
                raise done
            return done
        finally:
            del call, done  # an error keeps this frame, which must not keep the error

    async def _repeat(self, call: Call[T], done: Response[T] | Failure) -> Response[T] | Failure:
        # Without `with attempt`, which would swallow what interrupts an attempt, a cancellation too (H11).
        async for attempt in call.async_controller():
            if attempt.retry_state.attempt_number > 1:
                done = await self._attempt(call)
            attempt.retry_state.set_result(None)
        return done

    async def _attempt(self, call: Call[T]) -> Response[T] | Failure:
        secret = call.renewed or await self._secret(call)
        if secret is None or call.is_too_late:
            return call.too_late()
        with discreet():
            judged = await self._exchange(call, call.request(secret))
        if isinstance(judged, Failure) and judged.fresh_credential and judged.again:
            judged.again = call.credential.refreshable and call.renew(await self._secret(call))
        return judged

    async def _secret(self, call: Call[T]) -> Secret | None:
        """Get the credential; `None` when the deadline passes while the application's callable works on it."""
        if not call.credential.refreshable:
            return await call.credential.obtain_async()
        import asyncio

        limit = asyncio.timeout(call.left)
        try:
            async with limit:
                return await call.credential.obtain_async()
        except TimeoutError:
            if limit.expired():
                return None
            raise

    async def _exchange(self, call: Call[T], request: RawRequest) -> Response[T] | Failure:
        import asyncio

        # The deadline is a cancellation at its moment; it costs one connection and nothing else.
        response: RawResponse[AsyncBody] | None = None
        problem: Exception | None = None
        headers, body = Headers(), None
        try:
            async with asyncio.timeout(call.left):
                response = await self.transport.send(request)
                headers = Headers.decoded(response.headers)
                decoder = decoder_for(headers)
                async for piece in response.body:
                    if decoder.has_begun:
                        call.go_on()
                    decoder.feed(piece)
                body = decoder.finish()
        except (TransportFailure, TimeoutError, TooLargeError, DamagedBodyError) as error:
            problem = error.with_traceback(None)  # or frame and error would keep each other, and the body, alive
        finally:
            if response is not None:
                await response.body.aclose()
        if isinstance(problem, TimeoutError):
            problem = call.timed_out()
        if response is None:
            return call.lost(problem if isinstance(problem, TransportFailure) else call.timed_out())
        judged = call.answered(response.status, headers, body, problem)
        return call.succeed(judged.value, response.status, headers) if isinstance(judged, Read) else judged

    async def aclose(self) -> None:
        """Close the connections of this event loop; once is enough, twice does no harm."""
        if not self.state.closed:
            self.state.closed = True
            if self.state.owned:
                await self.transport.aclose()
