"""The two drivers: they send what a call builds, and wait. Every decision is in `call`."""

import asyncio
from typing import TypeVar

import httpx

from .. import errors
from .answer import Read
from .body import DamagedBodyError, TooLargeError
from .call import Call, Settings, read_body
from .headers import Headers
from .operation import Operation
from .response import Response
from .retry import Failure

T = TypeVar("T")

_TRANSPORT_ERRORS = (httpx.HTTPError, httpx.StreamError, OSError)


class State:
    """What the copies of one client share: the transport, and whether it is closed."""

    __slots__ = ("closed", "owned")

    def __init__(self, *, owned: bool) -> None:
        self.closed, self.owned = False, owned

    def check(self) -> None:
        """Refuse a call after the client was closed."""
        if self.closed:
            raise errors.ClientClosedError("the client is closed; nothing was sent")


def _headers(response: httpx.Response) -> Headers:
    return Headers((name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw)


class Driver:
    """Runs calls and blocks until they are done."""

    def __init__(self, settings: Settings, transport: httpx.BaseTransport, state: State) -> None:
        self.settings, self.transport, self.state = settings, transport, state

    def send(self, operation: Operation[T], name: str) -> T:
        """Run a call and give its result."""
        return self.exchange(operation, name).data

    def exchange(self, operation: Operation[T], name: str) -> Response[T]:
        """Run a call and give its result with what is known about it.

        Raises:
            SubscribekitError: The call gave no result.
        """
        self.state.check()
        call = Call(self.settings, operation, name)
        done = self._attempt(call)
        if isinstance(done, Failure):
            done = self._repeat(call, done)
        if isinstance(done, Failure):
            # Raised here, outside every handler: no frame or context of the engine, no request in a local (H31).
            raise call.fail(done)
        return done

    def _repeat(self, call: Call[T], done: Response[T] | Failure) -> Response[T] | Failure:
        controller = call.controller(done) if isinstance(done, Failure) else None
        for attempt in controller or ():
            with attempt:
                if attempt.retry_state.attempt_number > 1:
                    done = self._attempt(call)
            attempt.retry_state.set_result(done)
        return done

    def _attempt(self, call: Call[T]) -> Response[T] | Failure:
        secret = call.credential.obtain()
        if (expired := call.expired_before_sending()) is not None:
            return expired
        request = call.request(secret)
        request.extensions["trace"] = lambda event, _: call.traced(event)
        try:
            judged = self._exchange(call, request)
        except BaseException as error:
            call.interrupted(error)
            raise
        if isinstance(judged, Failure) and judged.fresh_credential and judged.again:
            judged.again = call.credential.refreshable and call.refresh(call.credential.obtain())
        return judged

    def _exchange(self, call: Call[T], request: httpx.Request) -> Response[T] | Failure:
        try:
            response = self.transport.handle_request(request)
        except _TRANSPORT_ERRORS as error:
            return call.lost(error)
        headers, body, problem = _headers(response), None, None
        try:
            decoder = read_body(headers)
            if not isinstance(response.stream, httpx.SyncByteStream):
                raise TypeError("the transport of a blocking client must give blocking streams")
            for piece in response.stream:
                decoder.feed(piece)
            body = decoder.finish()
        except (*_TRANSPORT_ERRORS, TooLargeError, DamagedBodyError) as error:
            problem = error
        finally:
            response.close()
        judged = call.answered(response.status_code, headers, body, problem)
        return call.succeed(judged.value, response.status_code, headers) if isinstance(judged, Read) else judged

    def close(self) -> None:
        """Close the connections; once is enough, twice does no harm."""
        if not self.state.closed:
            self.state.closed = True
            if self.state.owned:
                self.transport.close()


class AsyncDriver:
    """Runs calls in the event loop."""

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport, state: State) -> None:
        self.settings, self.transport, self.state = settings, transport, state

    async def send(self, operation: Operation[T], name: str) -> T:
        """Run a call and give its result."""
        return (await self.exchange(operation, name)).data

    async def exchange(self, operation: Operation[T], name: str) -> Response[T]:
        """Run a call and give its result with what is known about it.

        Raises:
            SubscribekitError: The call gave no result.
        """
        self.state.check()
        call = Call(self.settings, operation, name)
        done = await self._attempt(call)
        if isinstance(done, Failure):
            done = await self._repeat(call, done)
        if isinstance(done, Failure):
            # Raised here, outside every handler: no frame or context of the engine, no request in a local (H31).
            raise call.fail(done)
        return done

    async def _repeat(self, call: Call[T], done: Response[T] | Failure) -> Response[T] | Failure:
        controller = call.async_controller(done) if isinstance(done, Failure) else None
        if controller is not None:
            async for attempt in controller:
                with attempt:
                    if attempt.retry_state.attempt_number > 1:
                        done = await self._attempt(call)
                attempt.retry_state.set_result(done)
        return done

    async def _attempt(self, call: Call[T]) -> Response[T] | Failure:
        secret = await call.credential.obtain_async()
        if (expired := call.expired_before_sending()) is not None:
            return expired
        request = call.request(secret)

        async def traced(event: str, _: object) -> None:
            call.traced(event)

        request.extensions["trace"] = traced
        try:
            judged = await self._exchange(call, request)
        except BaseException as error:
            call.interrupted(error)
            raise
        if isinstance(judged, Failure) and judged.fresh_credential and judged.again:
            judged.again = call.credential.refreshable and call.refresh(await call.credential.obtain_async())
        return judged

    async def _exchange(self, call: Call[T], request: httpx.Request) -> Response[T] | Failure:
        # The deadline is a cancellation at its moment; it costs one connection and nothing else.
        response: httpx.Response | None = None
        headers, body, problem = Headers(), None, None
        try:
            async with asyncio.timeout(call.left):
                response = await self.transport.handle_async_request(request)
                headers = _headers(response)
                decoder = read_body(headers)
                if not isinstance(response.stream, httpx.AsyncByteStream):
                    raise TypeError("the transport of an async client must give async streams")
                async for piece in response.stream:
                    decoder.feed(piece)
                body = decoder.finish()
        except (*_TRANSPORT_ERRORS, TooLargeError, DamagedBodyError) as error:
            if response is None:
                return call.lost(error)
            problem = error
        finally:
            if response is not None:
                await response.aclose()
        judged = call.answered(response.status_code, headers, body, problem)
        return call.succeed(judged.value, response.status_code, headers) if isinstance(judged, Read) else judged

    async def aclose(self) -> None:
        """Close the connections of this event loop; once is enough, twice does no harm."""
        if not self.state.closed:
            self.state.closed = True
            if self.state.owned:
                await self.transport.aclose()
